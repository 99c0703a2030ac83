//! A fixed address that leads to whichever database stands behind it now: nodes are given two of
//! these, and a new standby takes the place of a dead primary.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use boxman_client::Fallible;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::node::free_address;

/// A door. It closes when this is dropped; who has gone through it stays.
pub(crate) struct Door {
    pub(crate) address: String,
    leads_to: Arc<Mutex<SocketAddr>>,
    task: JoinHandle<()>,
}

impl Door {
    /// A door to a port of the loopback.
    pub(crate) async fn open(port: u16) -> Fallible<Door> {
        let address = free_address()?;
        let listener = TcpListener::bind(&address).await?;
        let leads_to = Arc::new(Mutex::new(SocketAddr::from(([127, 0, 0, 1], port))));
        let known = Arc::clone(&leads_to);
        let task = tokio::spawn(async move {
            while let Ok((mut here, _)) = listener.accept().await {
                let to = *known.lock().unwrap_or_else(PoisonError::into_inner);
                tokio::spawn(async move {
                    // Nobody there: whoever knocked finds the door shut.
                    let Ok(mut there) = TcpStream::connect(to).await else { return };
                    let _ = here.set_nodelay(true);
                    let _ = there.set_nodelay(true);
                    let _ = copy_bidirectional(&mut here, &mut there).await;
                });
            }
        });
        Ok(Door { address, leads_to, task })
    }

    /// From now on it leads to another port.
    pub(crate) fn lead_to(&self, port: u16) {
        let to = SocketAddr::from(([127, 0, 0, 1], port));
        *self.leads_to.lock().unwrap_or_else(PoisonError::into_inner) = to;
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.task.abort();
    }
}

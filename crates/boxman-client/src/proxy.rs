//! A line to a server that can be cut: a small proxy on the loopback, for fault tests.
//!
//! It runs on a thread of its own, so that it works beside tests that block. Whatever it is told
//! is done when the call comes back: after [`Proxy::stall`] no more byte passes, after
//! [`Proxy::cut`] every connection is gone.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::tcp::{ReadHalf, WriteHalf};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};

use crate::fallible::Fallible;

/// How much may be on the way in one direction: 4 MB, in pieces of what one read brings.
const PIECE: usize = 16 * 1024;
const PIECES: usize = 256;

/// A proxy to one address. Its line is cut for good when this is dropped.
pub struct Proxy {
    address: SocketAddr,
    counts: Counter,
    orders: Option<mpsc::UnboundedSender<(Order, Done)>>,
    thread: Option<JoinHandle<()>>,
}

/// What has passed so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Connections accepted.
    pub connections: u64,
    /// Those of them that are open.
    pub open: u64,
    /// Bytes handed to the server.
    pub to_server: u64,
    /// Bytes handed to clients.
    pub to_clients: u64,
    /// Bytes of answers that were swallowed.
    pub swallowed: u64,
}

#[derive(Clone, Copy, Debug)]
enum Order {
    Cut,
    Mend,
    Stall,
    Flow,
    Delay(Duration),
    Swallow(Swallow),
    CutAfter(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Swallow {
    Nothing,
    Next,
    Every,
}

impl Proxy {
    /// Starts one that leads to an address.
    pub fn start(to: SocketAddr) -> Fallible<Proxy> {
        let listener = crate::port::listen()?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (orders, taken) = mpsc::unbounded_channel();
        let counts = Counter::default();
        let line = Line { to, state: Arc::new(watch::Sender::new(GOOD)), counts: counts.clone() };
        let thread = std::thread::Builder::new().name("proxy".to_owned()).spawn(move || {
            runtime.block_on(async {
                let listener = TcpListener::from_std(listener).expect("it does not block");
                serve(address, listener, taken, line).await;
            });
        })?;
        Ok(Proxy { address, counts, orders: Some(orders), thread: Some(thread) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Resets all open connections, with whatever is on the way, and refuses new ones.
    pub fn cut(&self) {
        self.order(Order::Cut).expect("nothing is needed to cut");
    }

    /// Takes connections again, and takes back what [`Proxy::swallow_answers`],
    /// [`Proxy::swallow_next_answer`] and [`Proxy::cut_after`] have asked for.
    pub fn mend(&self) -> Fallible<()> {
        Ok(self.order(Order::Mend)?)
    }

    /// Lets nothing pass in either direction, not even an end. Connections stay open, and new
    /// ones are taken: so looks a network that has gone silent.
    pub fn stall(&self) {
        self.order(Order::Stall).expect("nothing is needed to stall");
    }

    /// Lets everything pass again, first what has been waiting.
    pub fn flow(&self) {
        self.order(Order::Flow).expect("nothing is needed to flow");
    }

    /// From now on everything takes this long in each direction. It is latency: as much is on the
    /// way at once as fits, up to 4 MB, and in order.
    pub fn delay(&self, delay: Duration) {
        self.order(Order::Delay(delay)).expect("nothing is needed to delay");
    }

    /// From now on what is sent arrives, but the first answer on a connection is dropped, and the
    /// connection is cut in its place. Until [`Proxy::mend`].
    pub fn swallow_answers(&self) {
        self.order(Order::Swallow(Swallow::Every)).expect("nothing is needed to swallow");
    }

    /// The same with the next answer only, on whichever connection it comes.
    pub fn swallow_next_answer(&self) {
        self.order(Order::Swallow(Swallow::Next)).expect("nothing is needed to swallow");
    }

    /// Counts so many bytes to the server from now on, over all connections, and cuts the one
    /// that carries the last of them right after it, before anything can be answered to it. The
    /// server has them all. Happens once.
    pub fn cut_after(&self, bytes: u64) {
        self.order(Order::CutAfter(bytes)).expect("nothing is needed to count");
    }

    /// What has passed so far.
    pub fn counts(&self) -> Counts {
        *self.counts.lock()
    }

    fn order(&self, order: Order) -> io::Result<()> {
        let (done, wait) = std::sync::mpsc::channel();
        let orders = self.orders.as_ref().expect("it is there until it is dropped");
        orders.send((order, done)).expect("its thread runs");
        wait.recv().expect("its thread runs")
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // Without orders to come the thread ends, and with it every connection.
        drop(self.orders.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

type Done = std::sync::mpsc::Sender<io::Result<()>>;

#[derive(Clone, Debug, Default)]
struct Counter(Arc<Mutex<Counts>>);

impl Counter {
    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What all connections share. They and the orders run on one thread: between two awaits nothing
/// of it changes.
#[derive(Clone)]
struct Line {
    to: SocketAddr,
    state: Arc<watch::Sender<State>>,
    counts: Counter,
}

#[derive(Clone, Copy, Debug)]
struct State {
    flows: bool,
    delay: Duration,
    swallow: Swallow,
    /// After how many more bytes to the server a connection is cut.
    cut_after: Option<u64>,
}

const GOOD: State =
    State { flows: true, delay: Duration::ZERO, swallow: Swallow::Nothing, cut_after: None };

enum Door {
    Open(TcpListener),
    /// Bound, so that nobody else takes the port, but deaf. Without a socket where binding
    /// failed; mending tries again.
    Closed(Option<TcpSocket>),
}

impl Door {
    fn close(&mut self, address: SocketAddr) {
        if let Door::Open(_) = self {
            // The listener has to go before its port can be bound again.
            *self = Door::Closed(None);
            *self = Door::Closed(bind(address).ok());
        }
    }

    fn open(&mut self, address: SocketAddr) -> io::Result<()> {
        if let Door::Closed(socket) = self {
            let socket = socket.take().map_or_else(|| bind(address), Ok)?;
            *self = Door::Open(socket.listen(1024)?);
        }
        Ok(())
    }

    async fn next(&self) -> io::Result<TcpStream> {
        match self {
            Door::Open(listener) => Ok(listener.accept().await?.0),
            Door::Closed(_) => std::future::pending().await,
        }
    }
}

fn bind(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

async fn serve(
    address: SocketAddr,
    listener: TcpListener,
    mut orders: mpsc::UnboundedReceiver<(Order, Done)>,
    line: Line,
) {
    let mut door = Door::Open(listener);
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            order = orders.recv() => {
                let Some((order, done)) = order else { break };
                let mut result = Ok(());
                match order {
                    Order::Cut => {
                        door.close(address);
                        connections.shutdown().await;
                    }
                    Order::Mend => result = door.open(address),
                    _ => {}
                }
                line.state.send_modify(|state| state.apply(order));
                // Whoever asked waits for it.
                let _ = done.send(result);
            }
            client = door.next() => match client {
                Ok(client) => {
                    connections.spawn(connect(client, line.clone()));
                }
                // Too many open files, most likely: some may be closed by then.
                Err(_) => sleep(Duration::from_millis(10)).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
    connections.shutdown().await;
}

impl State {
    fn apply(&mut self, order: Order) {
        match order {
            Order::Cut => {}
            Order::Mend => (self.swallow, self.cut_after) = (Swallow::Nothing, None),
            Order::Stall => self.flows = false,
            Order::Flow => self.flows = true,
            Order::Delay(delay) => self.delay = delay,
            Order::Swallow(swallow) => self.swallow = swallow,
            Order::CutAfter(bytes) => self.cut_after = Some(bytes),
        }
    }
}

/// A client's end, which is reset where the connection did not end by itself.
struct ClientEnd {
    stream: TcpStream,
    counts: Counter,
    ended: bool,
}

impl Drop for ClientEnd {
    fn drop(&mut self) {
        self.counts.lock().open -= 1;
        if !self.ended {
            // It may be closed already.
            let _ = self.stream.set_zero_linger();
        }
    }
}

async fn connect(client: TcpStream, line: Line) -> io::Result<()> {
    {
        let mut counts = line.counts.lock();
        counts.connections += 1;
        counts.open += 1;
    }
    let mut client = ClientEnd { stream: client, counts: line.counts.clone(), ended: false };
    let mut server = TcpStream::connect(line.to).await?;
    client.stream.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let (from_client, to_client) = client.stream.split();
    let (from_server, to_server) = server.split();
    tokio::try_join!(
        pass(from_client, to_server, Way::ToServer, &line),
        pass(from_server, to_client, Way::ToClient, &line)
    )?;
    client.ended = true;
    Ok(())
}

#[derive(Clone, Copy, Debug)]
enum Way {
    ToServer,
    ToClient,
}

/// Bytes on the way, and when they arrive. None at all is the end.
type Piece = (Instant, Vec<u8>);

async fn pass(from: ReadHalf<'_>, to: WriteHalf<'_>, way: Way, line: &Line) -> io::Result<()> {
    let (into, out) = mpsc::channel(PIECES);
    tokio::try_join!(take(from, into, line), give(out, to, way, line))?;
    Ok(())
}

async fn take(from: ReadHalf<'_>, into: mpsc::Sender<Piece>, line: &Line) -> io::Result<()> {
    let mut buffer = vec![0; PIECE];
    loop {
        let read = match from.readable().await.and_then(|()| from.try_read(&mut buffer)) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => continue,
            read => read,
        };
        if read.is_err() {
            // The other end does not hear of it while the line is silent.
            flows(line).await;
        }
        let bytes = &buffer[..read?];
        let due = Instant::now() + line.state.borrow().delay;
        if into.send((due, bytes.to_vec())).await.is_err() || bytes.is_empty() {
            return Ok(());
        }
    }
}

async fn give(
    mut out: mpsc::Receiver<Piece>,
    mut to: WriteHalf<'_>,
    way: Way,
    line: &Line,
) -> io::Result<()> {
    while let Some((due, piece)) = out.recv().await {
        sleep_until(due).await;
        let mut rest = piece.as_slice();
        while !rest.is_empty() {
            flows(line).await;
            to.writable().await?;
            // That may have taken a while.
            if !line.state.borrow().flows {
                continue;
            }
            let written = match way {
                Way::ToServer => send(&to, rest, line),
                Way::ToClient => answer(&to, rest, line),
            };
            match written {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        if piece.is_empty() {
            flows(line).await;
            // The other side may have gone before.
            let _ = to.shutdown().await;
        }
    }
    Ok(())
}

/// Hands the server what it may have of these bytes. Fails where they were the last it gets.
fn send(to: &WriteHalf<'_>, bytes: &[u8], line: &Line) -> io::Result<usize> {
    let left = line.state.borrow().cut_after;
    let may = left.and_then(|left| usize::try_from(left).ok()).unwrap_or(bytes.len());
    let written = to.try_write(&bytes[..may.min(bytes.len())])?;
    line.counts.lock().to_server += written as u64;
    let Some(left) = left else { return Ok(written) };
    let left = left - written as u64;
    line.state.send_modify(|state| state.cut_after = (left > 0).then_some(left));
    match left {
        0 => Err(ErrorKind::ConnectionAborted.into()),
        _ => Ok(written),
    }
}

/// Hands the client an answer. Fails where it is swallowed.
fn answer(to: &WriteHalf<'_>, bytes: &[u8], line: &Line) -> io::Result<usize> {
    let swallow = line.state.borrow().swallow;
    if swallow == Swallow::Nothing {
        let written = to.try_write(bytes)?;
        line.counts.lock().to_clients += written as u64;
        return Ok(written);
    }
    line.counts.lock().swallowed += bytes.len() as u64;
    if swallow == Swallow::Next {
        line.state.send_modify(|state| state.swallow = Swallow::Nothing);
    }
    Err(ErrorKind::ConnectionAborted.into())
}

async fn flows(line: &Line) {
    let mut state = line.state.subscribe();
    // The sender is held by the line itself.
    let _ = state.wait_for(|state| state.flows).await;
}

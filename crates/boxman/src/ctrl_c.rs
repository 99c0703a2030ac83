//! Ctrl-C: the first asks for what is done so far, the second ends the program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Whether somebody has pressed it.
#[derive(Clone)]
pub(crate) struct CtrlC(Arc<AtomicBool>);

impl CtrlC {
    /// Listens from now on. Where nobody can, it ends the program as it always did.
    pub(crate) fn listen() -> CtrlC {
        let pressed = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&pressed);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        if let Ok(runtime) = runtime {
            thread::spawn(move || {
                runtime.block_on(async {
                    while tokio::signal::ctrl_c().await.is_ok() {
                        if told.swap(true, Ordering::Relaxed) {
                            // As a shell tells of it.
                            std::process::exit(130);
                        }
                    }
                });
            });
        }
        CtrlC(pressed)
    }

    pub(crate) fn is_pressed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

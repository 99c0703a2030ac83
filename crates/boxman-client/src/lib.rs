//! A small client of the live API: requests, a table's socket, and a server started as a process
//! of its own. Scripts, tests and the load program play through it.
//!
//! It speaks JSON as it comes ([`serde_json::Value`]), so that it cannot share a mistake with the
//! server's own types.

mod client;
mod process;
mod socket;

pub use client::{Answer, Client};
pub use process::Server;
pub use serde_json::{Value, json};
pub use socket::{Stream, TableSocket};
pub use tokio_tungstenite::tungstenite::Message;

/// Why something did not work, in words.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// What a client comes back with.
pub type Fallible<T> = Result<T, Error>;

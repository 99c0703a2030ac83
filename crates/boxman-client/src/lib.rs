//! A small client of the live API: requests, a table's socket, and a server started as a process
//! of its own. Scripts, tests and the load program play through it. For those who look for
//! trouble it has a PostgreSQL to kill ([`postgres`]), a line to cut ([`proxy`]), people who act on
//! the same moment ([`races`]), and chips that move by what work lists say ([`chips`]).
//!
//! It speaks JSON as it comes ([`serde_json::Value`]), so that it cannot share a mistake with the
//! server's own types.

pub mod chips;
mod fallible;
mod client;
mod port;
#[cfg(unix)]
pub mod postgres;
mod process;
pub mod proxy;
mod random;
pub mod races;
mod socket;

pub use client::{Answer, Client};
pub use fallible::{Error, Fallible};
pub use process::Server;
pub use random::Random;
pub use serde_json::{Value, json};
pub use socket::{Stream, TableSocket};
pub use tokio_tungstenite::tungstenite::Message;

//! A port of the loopback that nobody takes while it stands empty.

use std::hash::{BuildHasher, RandomState};
use std::io;
use std::net::{Ipv4Addr, TcpListener};

/// The lowest port worth taking: below it live the services everybody knows.
const LOWEST: u16 = 10_240;

/// Listens on a free port of the loopback, below those the system lends to outgoing connections.
/// With one of those a client that knocks on a closed door can come to sit in it: its own end
/// gets the very port it knocks on, and whoever wants to listen there again cannot.
pub(crate) fn listen() -> io::Result<TcpListener> {
    let range = std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range");
    let first_lent = range.ok().and_then(|range| range.split_whitespace().next()?.parse().ok());
    let room = first_lent.unwrap_or(32_768_u16).saturating_sub(LOWEST);
    if room >= 1_000 {
        for attempt in 0..100_u32 {
            // Every process and every attempt starts with keys of its own.
            let drawn = RandomState::new().hash_one(attempt) % u64::from(room);
            let port = LOWEST + u16::try_from(drawn).expect("it is below a port");
            if let Ok(listener) = TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
                return Ok(listener);
            }
        }
    }
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
}

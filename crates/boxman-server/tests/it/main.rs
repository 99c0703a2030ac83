//! The server, from outside and from inside.

mod audit;
mod concurrent;
mod dice;
mod faults;
mod live;
mod reports;
mod statistics;
mod store;
mod tables;

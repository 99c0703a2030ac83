//! The server, from outside and from inside.

mod dice;
mod live;
mod reports;
mod statistics;
mod tables;

//! The server, from outside and from inside.

mod audit;
mod dice;
mod live;
mod reports;
mod statistics;
mod tables;

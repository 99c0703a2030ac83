//! How a live table behaves.

mod dice;
mod reports;
mod statistics;

//! How a live table behaves.

mod dice;
mod statistics;

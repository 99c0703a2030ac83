//! Live craps tables.

pub mod dice;
mod hex;

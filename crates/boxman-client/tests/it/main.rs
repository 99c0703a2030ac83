//! What the tools for trouble do: a PostgreSQL to kill, a line to cut.

#[cfg(unix)]
mod postgres;
mod proxy;

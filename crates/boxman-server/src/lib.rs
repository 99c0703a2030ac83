//! Live craps tables.

pub mod access;
pub mod anchors;
pub mod audit;
pub mod auth;
pub mod books;
pub mod config;
pub mod day;
pub mod dice;
mod empty_meters;
pub mod hash;
pub mod history;
pub mod house;
mod household;
pub mod http;
pub mod id;
mod latest;
mod listen;
pub mod log;
pub mod meters;
pub mod names;
pub mod practice;
pub mod pricing;
pub mod problem;
mod recent;
pub mod reports;
pub mod room;
pub mod serve;
pub mod shelf;
pub mod store;
pub mod turns;
mod two_people;
pub mod wire;
pub mod writer;

pub use id::{MeterId, TableId};

//! Live craps tables: rooms, a durable log, house dice, meters, accounts and an audit.
//!
//! A program opens the doors with [`serve()`], and looks at a store from outside with [`audit`].
//! Modules use only those above them.

#![expect(
    unreachable_pub,
    reason = "what a module shows the others is pub; this file says what is shown outside"
)]

mod hex;
mod hash;
mod simulated;
mod dice;
mod id;
mod line;
mod remains;
mod round;
mod payout;
mod work;
mod mend;
mod problem;
mod role;
mod names;
mod config;
mod ask;
mod access;
mod log;
mod pit;
mod store;
mod writer;
mod link;
mod two_people;
mod day;
mod books;
mod empty_meters;
mod recent;
mod shelf;
mod table;
mod wire;
mod meters;
pub mod audit;
mod household;
mod latest;
mod turns;
mod practice;
mod office;
mod room;
mod house;
mod anchors;
mod auth;
mod history;
mod pricing;
mod node;
mod reports;
mod http;
mod listen;
mod running;
mod serve;
pub mod testing;

pub use self::anchors::Anchoring;
pub use self::http::Limits;
pub use self::id::TableId;
pub use self::practice::PracticeLimits;
pub use self::serve::{NodeOptions, ServeOptions, Started, StoreAddress, StoreLock, serve};
pub use self::store::{
    Durability, NodeRow, Pits, Postgres, PostgresAddress, SealKey, Sqlite, Store, StoreError,
    edition,
};

//! The rules of craps, as data.
//!
//! A wager is a small automaton over the rolls of two dice, written once in a rulebook. A table
//! steps it, a solver explores it, and the two cannot disagree.
//!
//! Bet, and throw the dice:
//!
//! ```
//! use craps::*;
//!
//! let rules = Rules::named(&Library::embedded(), &["presque-isle"])?;
//! let mut state = State::with_bet(&rules, "field", Cents::dollars(5)).unwrap();
//! let settled = state.roll(&rules, "1-1".parse()?);
//! assert_eq!(settled.lines[0].won, Cents::dollars(10));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Play a session from text:
//!
//! ```
//! use craps::*;
//!
//! let tape = "
//!     rules presque-isle
//!     seat ann 100
//!     ann pass 10
//!     roll 3-3
//!     ann odds 20
//!     roll 2-4
//!     = ann 134.00
//! ";
//! let library = Library::embedded();
//! let tape = Tape::parse("a.tape", tape, &library)?;
//! let played = tape.play();
//! assert!(played.failures.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Explore a wager: every state it can be in, each with its thirty-six rolls:
//!
//! ```
//! use craps::*;
//!
//! let rules = Rules::named(&Library::embedded(), &["presque-isle"])?;
//! let chain = Chain::of_wager(&rules, "pass")?;
//! assert_eq!(chain.len(), 7); // the come-out and six points
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod hex;
pub mod dice;
mod puck;
pub mod money;
pub mod commission;
pub mod terms;
pub mod wager;
pub mod spot;
pub mod fate;
pub mod did_you_mean;
pub mod rulebook;
pub mod tracker;
pub mod rules;
pub mod library;
mod layout;
pub mod notation;
mod hand;
mod sight;
mod compile;
pub mod refusal;
pub mod window;
pub mod action;
pub mod call;
pub mod account;
pub mod settle;
mod state;
pub mod table;
pub mod meter;
pub mod floor;
pub mod catalogue;
pub mod tape;
pub mod chain;
pub mod perft;
pub mod machine;

pub use account::{Account, Postings, Seat};
pub use action::{Action, Offer, act};
pub use call::{Called, call};
pub use catalogue::catalogue;
pub use chain::Chain;
pub use dice::{Roll, Total, Totals};
pub use fate::Fate;
pub use floor::Floor;
pub use hand::{Begun, Hand};
pub use layout::{Bet, Layout};
pub use library::Library;
pub use machine::Machine;
pub use meter::Meter;
pub use money::{Cents, MicroCents, Multiple, Pays, Rate};
pub use puck::Puck;
pub use refusal::Refusal;
pub use rulebook::Rulebook;
pub use rules::Rules;
pub use settle::{Settlement, settle};
pub use spot::{OnOff, Spot};
pub use state::{State, resolve};
pub use table::{BuyInKind, CashOutKind, ClaimId, Command, Event, Status, Table};
pub use tape::Tape;
pub use terms::MeterTerms;
pub use wager::Wager;

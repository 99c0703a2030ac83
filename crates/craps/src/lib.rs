//! The rules of craps, as data.
//!
//! A wager is a small automaton over the rolls of two dice, written once in a rulebook. A table
//! steps it, a solver explores it, a simulator samples it, and the three cannot disagree.
//!
//! Look at a roll. The stick calls it once for the table, each seat's bets meet their fates, and
//! settling turns fates into money:
//!
//! ```
//! use craps::*;
//!
//! let rules = Rules::named(&Library::embedded(), &["presque-isle"])?;
//! let spot = rules.spot("place 6").unwrap();
//! let mut layout = Layout::default();
//! layout.set(Bet { spot, call: Call::House, stake: Cents::dollars(12), vig: Cents::ZERO });
//!
//! let hand = Hand { puck: Puck::On(Total::new(8).unwrap()), ..Hand::default() };
//! let called = call(&rules, &hand, "2-4".parse()?);
//! let fates = resolve(&rules, &called, &layout).map(|(bet, fate)| (Seat(0), bet, fate));
//! let mut settlement = Settlement::default();
//! settle(&rules, fates, Cents::ZERO, &mut settlement);
//! assert_eq!(settlement.postings.gain(Account::Rack(Seat(0))), Cents::dollars(14));
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

mod dice;
mod puck;
mod money;
mod wager;
mod terms;
mod rulebook;
mod library;
mod rules;
mod compile;
mod felt;
mod notation;
mod hand;
mod layout;
mod refusal;
mod action;
mod call;
mod resolve;
mod account;
mod settle;
mod table;
mod meter;
mod floor;
mod tape;
mod catalogue;
mod chain;
mod perft;
mod nearest;

pub use account::{Account, Accounts, Posting, Postings, Seat};
pub use action::{Action, Amounts, Change, Offer, act, has_line_bet, offers};
pub use call::{Called, call, stick_call};
pub use catalogue::{Entry as CatalogueEntry, Pay, catalogue};
pub use chain::{Chain, Label, State, Step, Unexplored, is_working, put};
pub use dice::{Combination, NotARoll, Roll, Rolls, Total, Totals};
pub use felt::Fate;
pub use floor::{Confirm, Floor, FloorEvent};
pub use hand::{Hand, Riding, Run, Tracker};
pub use layout::{Bet, Call, Layout, Spot};
pub use library::{Library, split_choice, split_option};
pub use meter::{Award as MeterAward, Meter, MeterCommand, MeterEvent, TableClaim};
pub use money::{Basis, Cents, Fraction, MicroCents, NotMoney, Pays, Rate};
pub use nearest::nearest;
pub use notation::{NoSuchSpot, parse_spot};
pub use perft::{Tally, perft, perft_chain};
pub use puck::Puck;
pub use refusal::{NotNow, Refusal};
pub use resolve::resolve;
pub use rulebook::{At, Cap, CapPer, Fault, Faults, Kind, Paytable, PaytableEntry, Rulebook};
pub use rules::{Award, AwardId, Chosen, MeterId, MeterRule, Rules, SpotRule, WagerId};
pub use settle::{Line, SeatFate, Settlement, Winner, settle};
pub use table::{
    Betting, Claim, ClaimId, Command, Dice, Event, Fed, HeldAward, Phase, Player, Rolled, Status,
    Table, Voided,
};
pub use tape::{BadLine, Entry, Failure, Played, Tape, TapeError};
pub use terms::{MeterTerms, Winners};
pub use wager::{
    Board, Commission, CommissionWhen, Due, Envy, Item, Limits, Measure, PaysBy, PaysKey, Rounding,
    Shape, Side, Split, Take, Wager, When, Working,
};

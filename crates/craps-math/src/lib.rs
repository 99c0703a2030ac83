//! What a wager is worth, exactly.
//!
//! Every figure comes out of the engine that pays the bets: a wager is explored into a
//! [`Chain`](craps::Chain), the chain is solved with exact fractions, and each ending is priced
//! by settling it. No chance and no pay is written here.
//!
//! ```
//! use craps::{Library, Rules};
//! use craps_math::{Edge, Target, Terms, fraction};
//!
//! let rules = Rules::named(&Library::embedded(), &["presque-isle"]).unwrap();
//! let pass = Target::parse(&rules, "pass").unwrap();
//! let edge = Edge::of(&rules, &pass, None, Terms::default()).unwrap();
//! assert_eq!(fraction(&edge.edge()), "7/495");
//! ```

mod chance;
mod solve;
mod target;
mod stake;
mod price;
mod odds;
mod starts;
mod edge;
mod par;
mod advantage;
mod atlas;
mod published;
mod check;
mod long_run;
pub mod session;
pub mod best;
pub mod sample;

pub use advantage::advantages;
pub use atlas::{Atlas, Charted, Order};
pub use chance::{Ratio, decimal, float, fraction, percent, ratio, sum, whole};
pub use check::{Checked, CheckedSpot, CheckedWager, check};
pub use edge::Edge;
pub use long_run::{Figures, LongRun};
pub use par::{AtBettors, Par, ParAward, ParTerms, Progressive, paytables};
pub use price::{Price, Terms, price};
pub use published::{Compared, Figure, Published};
pub use solve::{NeverDecided, Solution, decided_by, solve};
pub use stake::exact_stake;
pub use starts::OtherStarts;
pub use target::{Odds, Target, Unpriced};

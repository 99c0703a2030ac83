//! Betting plans: small scripts that say what to bet before each roll.
//!
//! A plan is text in [Rhai](https://rhai.rs) with a few verbs of the table. It is asked before the
//! first roll and after every settlement, and sees money by comparison only, so that the engine
//! can walk it once through every situation there is:
//!
//! ```
//! use std::sync::Arc;
//! use craps::{Library, Rules, machine::explore};
//! use craps_plan::Plan;
//!
//! let rules = Arc::new(Rules::named(&Library::embedded(), &["presque-isle"])?);
//! let plan = Plan::parse("line", r#"want("pass", 10); odds(2);"#, &[])?;
//! let explored = explore(&rules, &plan, &[], 1_000).ok().unwrap();
//! assert_eq!(explored.machine.len(), 13); // each point with odds, or without money for them
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod amount;
mod fault;
mod header;
mod seat;
mod param;
mod script;
mod plan;
mod tape;
mod ready;

pub use self::fault::{Fault, situation};
pub use self::header::Header;
pub use self::param::Param;
pub use self::plan::Plan;
pub use self::ready::{READY, ready, ready_tape};
pub use self::seat::{Memory, Value};
pub use self::tape::{Last, Session};

//! Betting plans simulated: the machine that exact sessions carry chance through, walked by dice.
//!
//! A plan is explored once; what is walked here is its [`Machine`](craps::machine::Machine), so a
//! sampled session pays exactly what the engine pays. The same seed gives the same whole numbers
//! on any number of threads, with any kernel and on any device.

pub mod dice;
mod course;
mod table;
mod tally;
mod kernel;
mod run;
mod paths;
pub mod day;

pub use self::course::{Course, TooMuch};
pub use self::kernel::Kernel;
pub use self::kernel::cuda::{COMPILED, Gpu, Loaded, Lookup, NoGpu, SOURCE, source_hash};
pub use self::paths::{Paths, Shown, follow};
pub use self::run::{Job, Progress, in_lanes, run};
pub use self::tally::{Counts, Tally};

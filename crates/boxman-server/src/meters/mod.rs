//! Progressive meters: one task owns one meter, whichever tables feed it. A table tells it what
//! was bet and won, in letters numbered by the table's own records; the meter takes each once and
//! in order, writes down what came of it, and answers claims in the order it heard them.

mod handle;
mod kept;
mod lines;
mod load;
pub(crate) mod past;
mod remote;
mod task;

pub(crate) use self::handle::StopMeter;
pub use self::handle::{MeterHandle, MeterMessage, News};
pub use self::kept::opening;
pub use self::load::{Loaded, founded, load};
pub use self::remote::{
    Arrived, Found, Founding, HeardThrough, Letters, Money, RemoteMeter, Shown,
};
pub use self::task::MeterTask;

//! A live table, without its task: the engine's table with everything around it. Pure but for
//! [`load()`]: it decides and evolves, so that the same log always makes the same table. A room
//! runs it, and notes in it what has been posted and folded away; an audit runs it again.

mod booked_roll;
mod claims;
mod decide;
mod given_up;
mod if_it_rolls;
mod load;
mod mendable;
mod mends;
mod moved;
mod proposals;
mod rounds;
mod work_lists;
mod live;

use std::collections::BTreeMap;

pub use self::booked_roll::BookedRoll;
pub(crate) use self::booked_roll::MissedJackpot;
pub use self::decide::{Order, Secrets, Wish};
pub(crate) use self::decide::{is_follow_up, pay};
pub use self::given_up::Locked;
pub use self::if_it_rolls::IfRolled;
pub use self::live::LiveTable;
pub(crate) use self::load::{Loaded, load, next_rules, open};

/// Who plays which seat from a browser.
pub(crate) type Owners = BTreeMap<u8, String>;

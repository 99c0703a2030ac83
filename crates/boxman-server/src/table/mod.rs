//! A live table, without its task: the engine's table with everything around it. Pure but for
//! [`load()`]: it decides and evolves, so that the same log always makes the same table. A room
//! runs it, and notes in it what has been posted and folded away; an audit runs it again.

mod booked_roll;
mod claims;
mod closing;
mod configurations;
mod decide;
mod given_up;
mod if_it_rolls;
mod limits;
mod settings;
mod lines;
mod load;
mod mendable;
mod mends;
mod moved;
mod proposals;
mod rounds;
mod sittings;
mod work_lists;
mod live;

use std::collections::BTreeMap;

pub use self::booked_roll::BookedRoll;
pub(crate) use self::booked_roll::MissedJackpot;
pub(crate) use self::claims::confirming;
pub use self::decide::{Known, Order, Secrets, Wish};
pub(crate) use self::decide::{is_follow_up, pay};
pub use self::given_up::Locked;
pub use self::if_it_rolls::IfRolled;
pub use self::limits::{Bought, BoughtElsewhere, Usage};
pub(crate) use self::limits::{bought, key_of};
pub use self::live::LiveTable;
pub(crate) use self::load::{Loaded, load, next_rules, open};
pub use self::sittings::PlayerKey;

/// Who plays which seat from a browser.
pub(crate) type Owners = BTreeMap<u8, String>;

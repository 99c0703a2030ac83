//! The audit: somebody from outside the pit goes through the books and believes nothing that
//! cannot be worked out again.
//!
//! A log holds the commands as well as what came of them, names its rulebooks by hash and has the
//! secrets of the dice, so all of it can be re-derived from itself. [`verify()`] does so for a
//! store or for one exported table, and names the first record that does not follow. An
//! [`Anchor`] kept somewhere else shows what was cut off. [`export()`] carries a table away, as
//! lines of JSON that can be verified and brought into another store ([`import()`]), or as a tape
//! that plays ([`tape()`], [`import_tape()`]). [`copy()`] carries a whole store into an empty one.
//! All of these come boxed, so that they are compiled here and not again in every program that
//! waits for them.

mod anchor;
mod clearing;
mod copy;
mod export;
mod exported;
mod house;
mod import;
mod import_tape;
mod kept;
mod meter;
mod requests;
mod rules;
mod source;
mod steps;
mod table;
mod tape;
mod verdict;
mod verify;
mod walk;

pub use self::anchor::{Anchor, anchor};
pub use self::copy::{COPYING, Copied, copy};
pub use self::export::{Pages, export};
pub use self::exported::Export;
pub use self::import::{Imported, Prepared, append, import, prepare};
pub use self::import_tape::{import_tape, prepare_tape};
pub use self::source::{Source, Trouble};
pub use self::tape::tape;
pub use self::verdict::{Finding, StreamHead, Verdict};
pub use self::verify::{Options, Progress, verify};

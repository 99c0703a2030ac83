//! What stands in for the world in a simulation: the time of day, chance, and faults built in on
//! purpose. Only programs built with the feature `simulation` can pretend; in any other there is
//! nothing to be switched on.

/// A fault that a simulation must find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    /// In doubt, a table believes what it reads and claims nothing again.
    AcknowledgeFromARead,
    /// Nobody remembers which commands were obeyed, and the database takes one twice.
    NoKey,
    /// The same, and an append names no epoch.
    NoFenceAndNoKey,
    /// A meter takes a letter however often it comes.
    UnnumberedLetters,
    /// A meter says that it has heard before that is durable.
    HeardBeforeDurable,
    /// A table obeys a command whichever betting round it names.
    AnyRound,
    /// A table takes its last roll back whichever roll is named.
    AnyRoll,
    /// A table plays on while a void or a correction of its last roll is asked for.
    NoPauseOnVoid,
    /// A table takes bets and throws as soon as a roll is booked, before it is paid.
    NoPaying,
}

/// Whether a fault is built in.
#[cfg(not(feature = "simulation"))]
pub(crate) const fn is(_: Mutant) -> bool {
    false
}

/// Whether nobody remembers which commands were obeyed.
pub fn is_keyless() -> bool {
    is(Mutant::NoKey) || is(Mutant::NoFenceAndNoKey)
}

#[cfg(feature = "simulation")]
pub use self::pretending::{is, set_mutant, set_now, set_random};
#[cfg(feature = "simulation")]
pub(crate) use self::pretending::{now, random};

#[cfg(feature = "simulation")]
mod pretending {
    use std::cell::{Cell, RefCell};

    use super::Mutant;

    /// What gives random numbers.
    type Random = Box<dyn FnMut() -> u64>;

    thread_local! {
        static NOW: Cell<Option<u64>> = const { Cell::new(None) };
        static RANDOM: RefCell<Option<Random>> = const { RefCell::new(None) };
        static MUTANT: Cell<Option<Mutant>> = const { Cell::new(None) };
    }

    /// The time of day on this thread from now on, in milliseconds since 1970.
    pub fn set_now(now: u64) {
        NOW.set(Some(now));
    }

    /// Where chance comes from on this thread from now on.
    pub fn set_random(random: impl FnMut() -> u64 + 'static) {
        RANDOM.set(Some(Box::new(random)));
    }

    /// Builds a fault in on this thread, or none.
    pub fn set_mutant(mutant: Option<Mutant>) {
        MUTANT.set(mutant);
    }

    /// The time of day, where somebody pretends.
    pub(crate) fn now() -> Option<u64> {
        NOW.get()
    }

    /// Fills bytes by pretended chance; says whether somebody pretends.
    pub(crate) fn random(bytes: &mut [u8]) -> bool {
        RANDOM.with_borrow_mut(|random| {
            let Some(random) = random else { return false };
            for chunk in bytes.chunks_mut(8) {
                chunk.copy_from_slice(&random().to_le_bytes()[..chunk.len()]);
            }
            true
        })
    }

    /// Whether a fault is built in.
    pub fn is(mutant: Mutant) -> bool {
        MUTANT.get() == Some(mutant)
    }
}

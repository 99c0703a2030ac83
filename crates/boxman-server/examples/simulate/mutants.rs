//! Faults built in on purpose, each of which a few runs have to find.

use boxman_server::testing::simulation::Mutant as BuiltIn;

/// A fault on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mutant {
    /// The database answers before its standby has anything.
    AsynchronousStandby,
    /// One that is in the server.
    BuiltIn(BuiltIn),
}

impl Mutant {
    pub(crate) const ALL: [Mutant; 10] = [
        Mutant::AsynchronousStandby,
        Mutant::BuiltIn(BuiltIn::AcknowledgeFromARead),
        Mutant::BuiltIn(BuiltIn::NoKey),
        Mutant::BuiltIn(BuiltIn::NoFenceAndNoKey),
        Mutant::BuiltIn(BuiltIn::UnnumberedLetters),
        Mutant::BuiltIn(BuiltIn::HeardBeforeDurable),
        Mutant::BuiltIn(BuiltIn::AnyRound),
        Mutant::BuiltIn(BuiltIn::AnyRoll),
        Mutant::BuiltIn(BuiltIn::NoPauseOnVoid),
        Mutant::BuiltIn(BuiltIn::NoPaying),
    ];

    pub(crate) fn built_in(self) -> Option<BuiltIn> {
        match self {
            Mutant::AsynchronousStandby => None,
            Mutant::BuiltIn(mutant) => Some(mutant),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Mutant::AsynchronousStandby => "asynchronous-standby",
            Mutant::BuiltIn(BuiltIn::AcknowledgeFromARead) => "acknowledge-from-a-read",
            Mutant::BuiltIn(BuiltIn::NoKey) => "no-key",
            Mutant::BuiltIn(BuiltIn::NoFenceAndNoKey) => "no-fence-and-no-key",
            Mutant::BuiltIn(BuiltIn::UnnumberedLetters) => "unnumbered-letters",
            Mutant::BuiltIn(BuiltIn::HeardBeforeDurable) => "heard-before-durable",
            Mutant::BuiltIn(BuiltIn::AnyRound) => "any-round",
            Mutant::BuiltIn(BuiltIn::AnyRoll) => "any-roll",
            Mutant::BuiltIn(BuiltIn::NoPauseOnVoid) => "no-pause-on-void",
            Mutant::BuiltIn(BuiltIn::NoPaying) => "no-paying",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Mutant> {
        Mutant::ALL.into_iter().find(|mutant| mutant.name() == name)
    }
}

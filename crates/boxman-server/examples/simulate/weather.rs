//! How statements and requests fare on their way: mostly well, at times not.

use boxman_client::Random;

use crate::world::Moment;

/// Bad times for those who send something.
#[derive(Default)]
pub(crate) struct Weather {
    /// No statement of this node arrives until then.
    database_cut: [Moment; PLACES],
    /// Statements of this node get lost, late or cut until then.
    database_storm: [Moment; PLACES],
    /// Nothing passes between these two until then.
    line_cut: [[Moment; PLACES]; PLACES],
    /// Requests of this one get lost, late or cut until then.
    line_storm: [Moment; PLACES],
    /// Whether everybody is always lucky.
    calm: bool,
}

/// Three nodes, those who play, and whoever looks on.
pub(crate) const PLACES: usize = 5;

/// How something fares.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fate {
    /// It arrives after a while, and so does the answer.
    Fair { there: u64, back: u64 },
    /// It arrives after a while; whoever sent it sees the connection end instead of the answer.
    Unanswered { there: u64, cut: u64 },
    /// It never arrives; whoever sent it sees the connection end after a while.
    Lost { cut: u64 },
    /// It never arrives, and nobody says so.
    Swallowed,
}

impl Weather {
    /// Nothing gets lost any more.
    pub(crate) fn calm() -> Weather {
        Weather { calm: true, ..Weather::default() }
    }

    pub(crate) fn cut_database(&mut self, place: usize, until: Moment) {
        self.database_cut[place] = until;
    }

    pub(crate) fn storm_at_database(&mut self, place: usize, until: Moment) {
        self.database_storm[place] = until;
    }

    pub(crate) fn cut_line(&mut self, one: usize, other: usize, until: Moment) {
        self.line_cut[one][other] = until;
        self.line_cut[other][one] = until;
    }

    pub(crate) fn storm_on_lines(&mut self, place: usize, until: Moment) {
        self.line_storm[place] = until;
    }

    /// How a statement fares.
    pub(crate) fn to_database(&self, place: usize, now: Moment, random: &mut Random) -> Fate {
        match (self.database_cut[place] > now, self.database_storm[place] > now) {
            (true, _) => gone(random),
            (_, stormy) => self.fate(stormy, random),
        }
    }

    /// How a request fares.
    pub(crate) fn between(
        &self,
        (one, other): (usize, usize),
        now: Moment,
        random: &mut Random,
    ) -> Fate {
        let stormy = self.line_storm[one].max(self.line_storm[other]) > now;
        match (self.line_cut[one][other] > now, stormy) {
            (true, _) => gone(random),
            (_, stormy) => self.fate(stormy, random),
        }
    }

    fn fate(&self, stormy: bool, random: &mut Random) -> Fate {
        match self.calm {
            true => Fate::Fair { there: random.below(4), back: random.below(4) },
            false => fate(stormy, random),
        }
    }
}

fn gone(random: &mut Random) -> Fate {
    match random.chance(50) {
        true => Fate::Lost { cut: random.below(100) },
        false => Fate::Swallowed,
    }
}

fn fate(stormy: bool, random: &mut Random) -> Fate {
    let (there, back) = (random.below(4), random.below(4));
    // On a good day one in a thousand has bad luck.
    let luck = random.below(1_000);
    match stormy {
        false if luck > 0 => Fate::Fair { there, back },
        _ => match random.below(10) {
            0 => Fate::Lost { cut: random.below(50) },
            1 => Fate::Swallowed,
            2 => Fate::Unanswered { there, cut: there + random.below(20) },
            // It lies somewhere, whoever sent it has turned away, and then it arrives.
            3 => Fate::Unanswered { there: random.below(3_000), cut: random.below(100) },
            4 => Fate::Fair { there: random.below(500), back: random.below(500) },
            _ => Fate::Fair { there, back },
        },
    }
}

//! A machine laid out for one session: every stop a threshold, money in cells of one unit. Stepping
//! it is the reference that every kernel is held against.

use craps::Cents;
use craps::dice::Combination;
use craps::machine::{Length, Machine, Over, Session};

use crate::dice::{BLOCK, COMBINATION_OF, Dice, NO_ROLL};

/// Rolls by the byte's combination, no roll among them.
const PLACES: usize = Combination::COUNT + 1;

/// A machine, and the session it is played for.
#[derive(Clone, Debug)]
pub struct Course {
    pub(crate) session: Session,
    pub(crate) unit: i64,
    pub(crate) rows: Vec<[Step; PLACES]>,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) start: Then,
    /// The most rolls a session is followed through.
    pub(crate) rolls: u32,
    /// How many shooters there are, where they are counted.
    pub(crate) shooters: Option<u32>,
}

/// What a roll does in a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Step {
    /// By how many cells equity changes.
    pub(crate) change: i64,
    /// The highest of the pieces that may follow.
    pub(crate) pieces: u32,
    pub(crate) seven_out: bool,
}

/// What follows from an equity on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The least cell it holds for; the last of an arrival holds for all below.
    pub(crate) from: i64,
    pub(crate) then: Then,
}

/// The next roll, in this position, or why there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Then {
    Roll(u32),
    Over(Over),
}

/// A session between two blocks of dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Underway {
    pub(crate) number: u64,
    pub(crate) block: u32,
    pub(crate) rolls: u32,
    pub(crate) shooters: u32,
    pub(crate) position: u32,
    pub(crate) cell: i64,
}

/// A session that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) over: Over,
    pub(crate) cell: i64,
    pub(crate) rolls: u32,
}

/// The money could grow beyond what can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuch;

impl std::fmt::Display for TooMuch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("so many rolls of so much money could not be counted: try fewer, or less")
    }
}

impl std::error::Error for TooMuch {}

impl Course {
    /// Lays a machine out. An open session is given up after `most` rolls.
    pub fn new(machine: &Machine, session: &Session, most: u32) -> Result<Course, TooMuch> {
        let unit = machine.unit().0.max(1);
        let bankroll = session.bankroll.0;
        // The first cell that is not below an equity.
        let cell = |equity: Cents| match equity {
            Cents(i64::MIN) => i64::MIN,
            equity => {
                let away = equity.0.saturating_sub(bankroll);
                away.div_euclid(unit) + i64::from(away.rem_euclid(unit) != 0)
            }
        };
        let then = |then: Result<u32, Over>| match then {
            Ok(position) => Then::Roll(position),
            Err(over) => Then::Over(over),
        };
        let mut pieces: Vec<Piece> = Vec::new();
        let mut first = Vec::with_capacity(machine.arrivals().len());
        for arrival in machine.arrivals() {
            first.push(pieces.len() as u32);
            let of = session.pieces(arrival);
            pieces.extend(
                of.iter().map(|piece| Piece { from: cell(piece.from), then: then(piece.then) }),
            );
        }
        let mut rows = vec![[Step::default(); PLACES]; machine.len()];
        for (row, steps) in rows.iter_mut().enumerate() {
            for (place, edge) in machine.edges(row as u32).iter().enumerate() {
                let (change, pieces) = (edge.change.0 / unit, first[edge.arrival as usize]);
                steps[place + 1] = Step { change, pieces, seven_out: edge.seven_out };
            }
        }
        let (rolls, shooters) = match session.length {
            Length::Rolls(rolls) => (rolls, None),
            Length::Shooters(shooters) => (u32::MAX, Some(shooters)),
            Length::Open => (most, None),
        };
        let furthest = rows.iter().flatten().map(|step| step.change.unsigned_abs()).max();
        let furthest = i128::from(furthest.unwrap_or(0)) * i128::from(rolls) * i128::from(unit);
        // Shooters have as many rolls as the dice give them: no bound is known beforehand.
        let bounded = shooters.is_some() || furthest < 1 << 62;
        if !bounded || bankroll >= 1 << 62 {
            return Err(TooMuch);
        }
        let start = machine.then(0, session.bankroll);
        let start = then(match start {
            craps::machine::Then::Roll(position) => Ok(position),
            craps::machine::Then::End(end) => Err(Over::Ended(end)),
        });
        Ok(Course { session: *session, unit, rows, pieces, start, rolls, shooters })
    }

    /// What the money moves in.
    pub fn unit(&self) -> Cents {
        Cents(self.unit)
    }

    /// The equity of a cell.
    pub fn equity(&self, cell: i64) -> Cents {
        Cents(self.session.bankroll.0 + cell * self.unit)
    }

    /// A session before its first roll, or over already.
    pub(crate) fn begin(&self, number: u64) -> Result<Underway, Ended> {
        match self.start {
            Then::Roll(position) => {
                Ok(Underway { number, block: 0, rolls: 0, shooters: 0, position, cell: 0 })
            }
            Then::Over(over) => Err(Ended { over, cell: 0, rolls: 0 }),
        }
    }

    /// The pieces of an arrival, which begin there.
    pub(crate) fn arrival(&self, first: u32) -> &[Piece] {
        let pieces = &self.pieces[first as usize..];
        let last = pieces.iter().position(|piece| piece.from == i64::MIN);
        &pieces[..=last.expect("the last piece holds for all below")]
    }

    /// What follows a step with this equity.
    #[inline]
    pub(crate) fn follow(&self, step: Step, cell: i64) -> Then {
        let mut place = step.pieces as usize;
        while self.pieces[place].from > cell {
            place += 1;
        }
        self.pieces[place].then
    }

    /// Plays a session through one block of dice.
    #[inline]
    pub(crate) fn play_block(
        &self,
        dice: Dice,
        now: &mut Underway,
        mut watch: impl Watch,
    ) -> Option<Ended> {
        let bytes = dice.block(now.number, now.block);
        now.block += 1;
        self.play_bytes(bytes, now, &mut watch)
    }

    #[inline]
    fn play_bytes(
        &self,
        bytes: [u8; BLOCK],
        now: &mut Underway,
        watch: &mut impl Watch,
    ) -> Option<Ended> {
        for byte in bytes {
            let place = COMBINATION_OF[usize::from(byte)];
            if place == NO_ROLL {
                continue;
            }
            let step = self.rows[now.position as usize][usize::from(place)];
            now.cell += step.change;
            now.rolls += 1;
            watch.rolled(now.cell, now.rolls, step.seven_out);
            match self.follow(step, now.cell) {
                Then::Roll(position) => now.position = position,
                Then::Over(over) => return Some(self.ended(now, over)),
            }
            now.shooters += u32::from(step.seven_out);
            let last_shooter = self.shooters.is_some_and(|shooters| now.shooters == shooters);
            if now.rolls == self.rolls || last_shooter {
                return Some(self.ended(now, Over::Time));
            }
        }
        None
    }

    fn ended(&self, now: &Underway, over: Over) -> Ended {
        Ended { over, cell: now.cell, rolls: now.rolls }
    }

    /// Plays a session to its end, roll by roll: what every kernel has to come to.
    pub(crate) fn play(&self, dice: Dice, number: u64, mut watch: impl Watch) -> Ended {
        let mut now = match self.begin(number) {
            Ok(now) => now,
            Err(ended) => return ended,
        };
        loop {
            let bytes = dice.block(number, now.block);
            now.block += 1;
            if let Some(ended) = self.play_bytes(bytes, &mut now, &mut watch) {
                return ended;
            }
        }
    }
}

/// Somebody who looks on while a session is played.
pub(crate) trait Watch {
    /// A roll was settled and left this much.
    fn rolled(&mut self, cell: i64, rolls: u32, seven_out: bool);
}

/// Nobody looks.
impl Watch for () {
    #[inline]
    fn rolled(&mut self, _: i64, _: u32, _: bool) {}
}

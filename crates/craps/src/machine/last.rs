//! What a plan can ask about the last roll. Every answer is a whole number, so that two rolls
//! which answer alike are alike to the plan.

use crate::call::Called;
use crate::fate::Fate;
use crate::money::Cents;
use crate::settle::Settled;
use crate::spot::Spot;

/// A question about the last roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// The total; zero before the first roll.
    Rolled,
    /// Whether it came the hard way.
    Hard,
    /// What the bet that stood there won, in cents, before commission.
    Won(Spot),
    /// What was lost of the bet that stood there, in cents.
    Lost(Spot),
    /// By how much the bankroll changed, in cents.
    Net,
    /// Whether the shooter sevened out.
    SevenOut,
    /// Whether the point was made.
    PointMade,
    /// Whether a new shooter has the dice: before the first roll, and after a seven-out.
    NewShooter,
}

/// The last roll, or none.
#[derive(Clone, Debug, Default)]
pub(super) struct Last {
    rolled: Option<Thrown>,
    /// Spot, won, lost: of every bet that was won or lost.
    decided: Vec<(Spot, Cents, Cents)>,
    net: Cents,
}

#[derive(Clone, Copy, Debug)]
struct Thrown {
    total: u8,
    hard: bool,
    seven_out: bool,
    point_made: bool,
}

impl Last {
    /// What a roll did to the `lines` of one seat; `jackpot` is what the meters paid to a bet.
    pub(super) fn new<'a>(
        called: &Called,
        lines: impl Iterator<Item = &'a Settled>,
        jackpot: impl Fn(Spot) -> Cents,
        net: Cents,
    ) -> Last {
        let total = called.roll.total();
        let decided = lines.filter_map(|line| match line.fate {
            Fate::Win { .. } => {
                Some((line.bet.spot, line.won + jackpot(line.bet.spot), Cents::ZERO))
            }
            Fate::Lose => Some((line.bet.spot, Cents::ZERO, line.bet.stake)),
            _ => None,
        });
        let rolled = Thrown {
            total: total.number(),
            hard: called.roll.is_hard(),
            seven_out: called.is_seven_out(),
            point_made: called.puck.point() == Some(total),
        };
        Last { rolled: Some(rolled), decided: decided.collect(), net }
    }

    /// What is asked, as a whole number; yes is one.
    pub(super) fn answer(&self, question: Question) -> i64 {
        let is = |test: fn(&Thrown) -> bool| self.rolled.as_ref().is_some_and(test).into();
        let decided = |spot| self.decided.iter().filter(move |(of, ..)| *of == spot);
        match question {
            Question::Rolled => self.rolled.map_or(0, |thrown| i64::from(thrown.total)),
            Question::Hard => is(|thrown| thrown.hard),
            Question::Won(spot) => decided(spot).map(|(_, won, _)| won.0).sum(),
            Question::Lost(spot) => decided(spot).map(|(_, _, lost)| lost.0).sum(),
            Question::Net => self.net.0,
            Question::SevenOut => is(|thrown| thrown.seven_out),
            Question::PointMade => is(|thrown| thrown.point_made),
            Question::NewShooter => self.rolled.is_none_or(|thrown| thrown.seven_out).into(),
        }
    }
}

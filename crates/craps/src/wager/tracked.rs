//! Wagers whose progress the table keeps, as a rulebook describes them: what their lammers wait
//! for, and what ends them.

use std::fmt;

use super::{Item, PaysKey};
use crate::dice::{Roll, Total, Totals};
use crate::puck::Puck;

/// What a tracker hears: something on the dice, or something the stick calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hears {
    /// `7`, `"3-3"`, `"number"`, `"hard"`, `"easy"`: what the dice show.
    Dice(Item),
    /// `"point"`, `"point 6"`: a come-out sets a point, any or this one.
    PointSet(Option<Total>),
    /// `"point-made"`, `"point-made 6"`: the point comes again, any or this one.
    PointMade(Option<Total>),
    /// `"line-win"`: the pass line wins, on a come-out or with its point.
    LineWin,
    /// `"seven-out"`: a seven with a point on ends the hand.
    SevenOut,
    /// `"roll"`: whatever comes.
    Roll,
}

/// What of the base game decides how a roll is called.
#[derive(Clone, Copy, Debug)]
pub struct Game {
    /// The numbers the puck can rest on.
    pub points: Totals,
    /// The come-out totals that win the pass line at once.
    pub naturals: Totals,
}

impl Game {
    /// Where the puck can lie.
    pub fn pucks(self) -> impl Iterator<Item = Puck> + Clone {
        Puck::all().filter(move |puck| puck.point().is_none_or(|it| self.points.contains(it)))
    }
}

impl Hears {
    /// Whether it is what the stick calls when `roll` falls with the puck there, on the spot of
    /// `number`.
    pub fn covers(self, game: Game, number: Option<Total>, puck: Puck, roll: Roll) -> bool {
        let total = roll.total();
        let asked = |which: Option<Total>| which.is_none_or(|which| which == total);
        let set = puck.is_off() && game.points.contains(total);
        let made = puck == Puck::On(total);
        match self {
            Hears::Dice(item) => {
                let on = number.map_or(PaysKey::NONE, |on| PaysKey::Number(on.number()));
                item.covers(on, roll)
            }
            Hears::PointSet(which) => set && asked(which),
            Hears::PointMade(which) => made && asked(which),
            Hears::LineWin => made || puck.is_off() && game.naturals.contains(total),
            Hears::SevenOut => puck.is_seven_out(total),
            Hears::Roll => true,
        }
    }

    /// The total it is about, where it is about one.
    pub fn total(self) -> Option<Total> {
        match self {
            Hears::Dice(Item::Total(total)) => Some(total),
            Hears::PointSet(which) | Hears::PointMade(which) => which,
            _ => None,
        }
    }
}

impl fmt::Display for Hears {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Hears::Dice(item) => item.fmt(f),
            Hears::PointSet(None) => f.write_str("a point set"),
            Hears::PointSet(Some(total)) => write!(f, "a point of {total}"),
            Hears::PointMade(None) => f.write_str("a point made"),
            Hears::PointMade(Some(total)) => write!(f, "the {total} made"),
            Hears::LineWin => f.write_str("a pass line win"),
            Hears::SevenOut => f.write_str("a seven-out"),
            Hears::Roll => f.write_str("any roll"),
        }
    }
}

/// A wager that counts what comes until something ends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// What is counted.
    pub marks: Marks,
    /// How often each has to come; nothing where the count goes on until the wager ends.
    pub times: Option<Times>,
    /// What ends it.
    pub ends_on: Vec<Hears>,
    /// What one that has come before does.
    pub repeats: Repeats,
}

/// How much a tracker can hold of it.
impl Count {
    /// The most marks that each carry one lammer.
    pub const MARKS: usize = 32;
    /// The most marks that are each counted.
    pub const COUNTED: usize = 10;
    /// The highest such count.
    pub const OFTEN: u8 = 7;
}

/// What a count is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Marks {
    /// Each of these by itself, with a lammer on every one that has come.
    Each(Vec<Hears>),
    /// Each number of the game by itself, when it is made as a point.
    PointsMade,
    /// All of these together, one count.
    Together(Vec<Hears>),
}

impl Marks {
    /// What is marked one by one in this game; nothing for what is counted together.
    pub fn each(&self, points: Totals) -> Vec<Hears> {
        match self {
            Marks::Each(marks) => marks.clone(),
            Marks::PointsMade => points.iter().map(|it| Hears::PointMade(Some(it))).collect(),
            Marks::Together(_) => Vec::new(),
        }
    }

    /// The totals it collects, where it collects totals and nothing else.
    pub fn totals(&self) -> Option<Totals> {
        let Marks::Each(marks) = self else { return None };
        let total = |mark: &Hears| match mark {
            Hears::Dice(Item::Total(total)) => Some(*total),
            _ => None,
        };
        marks.iter().map(total).collect()
    }

    /// What one of them is called when they are counted.
    pub fn unit(&self) -> &'static str {
        let doubles = |mark: &Hears| match mark {
            Hears::Dice(Item::Combination(faces)) => faces.roll().is_hard(),
            _ => false,
        };
        match self {
            Marks::Each(marks) if marks.iter().all(doubles) => "doubles",
            Marks::Each(_) if self.totals().is_some() => "numbers",
            Marks::Each(_) => "marks",
            Marks::PointsMade => "points",
            Marks::Together(marks) => match marks.as_slice() {
                [Hears::Roll] => "rolls",
                [Hears::LineWin] => "line wins",
                [Hears::PointMade(None)] => "points made",
                [Hears::PointSet(None)] => "points set",
                _ => "times",
            },
        }
    }
}

/// How often something has to come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Times {
    /// So often.
    Same(u8),
    /// By the number of the spot.
    ByNumber(Vec<(Total, u8)>),
}

impl Times {
    /// How often, on the spot of `number`.
    pub fn on(&self, number: Option<Total>) -> Option<u8> {
        match self {
            Times::Same(times) => Some(*times),
            Times::ByNumber(times) => {
                let own = times.iter().find(|(of, _)| Some(*of) == number);
                own.map(|(_, times)| *times)
            }
        }
    }
}

/// What a mark that has come before does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// Nothing, or one more where it has to come more than once.
    Pass,
    /// It ends the wager.
    End,
}

/// A list that the rolls have to follow from the first one on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// Its name, where pays go by the list that is completed.
    pub name: Option<String>,
    /// Its steps, one a roll; any part of a step will do.
    pub steps: Vec<Vec<Hears>>,
}

impl List {
    /// The most lists of one wager.
    pub const MOST: usize = 16;
    /// The most steps of a list.
    pub const STEPS: usize = 12;

    /// The totals of its steps, where each is one total and nothing else.
    pub fn totals(&self) -> Option<Vec<Total>> {
        let total = |step: &Vec<Hears>| match step.as_slice() {
            [Hears::Dice(Item::Total(total))] => Some(*total),
            _ => None,
        };
        self.steps.iter().map(total).collect()
    }
}

impl fmt::Display for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, step) in self.steps.iter().enumerate() {
            if place > 0 {
                f.write_str("-")?;
            }
            match step.as_slice() {
                [Hears::PointSet(None)] => f.write_str("point")?,
                [one] => one.fmt(f)?,
                several => {
                    let words: Vec<String> = several.iter().map(Hears::to_string).collect();
                    write!(f, "({})", words.join(" "))?;
                }
            }
        }
        Ok(())
    }
}

/// What becomes of bets when the dice pass before a seven-out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DicePass {
    /// Nothing: the run goes on with the next shooter.
    #[default]
    Stays,
    /// They go back to their players.
    Returned,
    /// They lose.
    Lost,
}

/// When lammers are moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lammers {
    /// While a bet is up: the first bet starts with none.
    #[default]
    WithBets,
    /// On every roll: the first bet finds them where they lie.
    Always,
}

//! A wager as a rulebook describes it: a shape, its numbers, and everything a house may set.
//!
//! The vocabulary is a handful of automaton [`Shape`]s. A rulebook entry picks one and fills in
//! its numbers; [`Rules`](crate::Rules) compiles the result for the engine.

mod tracked;
mod when;

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::commission::{Commission, Measure};
use crate::dice::{Combination, Roll, Rolls, Total, Totals};
use crate::money::{Basis, Cents, Multiple, Pays};
use crate::terms::MeterTerms;

pub use self::tracked::{Count, DicePass, Game, Hears, Lammers, List, Marks, Repeats, Times};
pub use self::when::{OnceSet, Opens, PuckMust, Rebet, Take, Window};

/// One wager of a rulebook, with its pays. A rulebook may leave these to a paytable, so what it
/// lists is a `Wager<Option<PaysBy>>`; on the felt a wager always has them.
#[derive(Clone, Debug)]
pub struct Wager<P = PaysBy> {
    /// The name on the felt, in kebab-case: `dont-pass`, `any-craps`, `odds come`.
    pub name: String,
    /// The name in a sentence: "Don't Pass".
    pub title: String,
    /// The rulebook it comes from.
    pub rulebook: String,
    /// The paytable it is paid by, where the rulebook leaves that to the operator.
    pub paytable: Option<String>,
    /// How it is decided.
    pub shape: Shape,
    /// The numbers it may be made on, a spot each; empty where it has a single spot.
    pub numbers: Vec<Total>,
    /// The pairs of faces it may be made on instead, a spot each: hops.
    pub faces: Vec<Combination>,
    /// What it pays.
    pub pays: P,
    /// How much may be bet.
    pub limits: Limits,
    /// When it may be bet.
    pub window: Window,
    /// When it may be taken down.
    pub take: Take,
    /// What may be put on it once its number is set.
    pub once_set: OnceSet,
    /// How it stands on the felt from roll to roll.
    pub standing: Standing,
    /// What it shares with the whole table.
    pub shared: Shared,
    /// Whether the house offers it.
    pub offered: bool,
}

impl<P> Wager<P> {
    /// What each of its own spots stands on: its numbers, its faces, or nothing.
    pub fn stands_on(&self) -> Vec<PaysKey> {
        let numbers = self.numbers.iter().map(|number| PaysKey::Number(number.number()));
        let faces = self.faces.iter().map(|faces| PaysKey::Combination(*faces));
        let keys: Vec<PaysKey> = numbers.chain(faces).collect();
        if keys.is_empty() { vec![PaysKey::NONE] } else { keys }
    }
}

impl Wager {
    /// Words that a tape says about a player or a bet: no wager is called so.
    pub(crate) const NOT_NAMES: [&str; 9] =
        ["leave", "buy-in", "cash-out", "take", "by", "on", "off", "house", "odds"];
}

/// How a bet stands on the felt from roll to roll.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Whether it works on a come-out.
    pub come_out: Working,
    /// Whether a player may call it on or off.
    pub callable: bool,
    /// Whether it stays up after a win, only the winnings being paid.
    pub stays: bool,
    /// The vig, if it has one.
    pub commission: Option<Commission>,
}

impl Standing {
    /// A bet that always works, comes down with its win and costs nothing beside its stake.
    pub const PLAIN: Standing =
        Standing { come_out: Working::On, callable: false, stays: false, commission: None };
}

/// What a wager whose progress the table keeps shares with others: nothing for the rest.
#[derive(Clone, Debug, Default)]
pub struct Shared {
    /// What the dealers are paid when it wins, by rung (0 where the wager has a single award).
    pub envy: Vec<(u8, Envy)>,
    /// Wagers of one family share a betting window.
    pub family: Option<String>,
    /// The cap its winnings count towards, together with those of the wagers beside it.
    pub cap: Option<Cap>,
    /// Where its lammers lie.
    pub board: Board,
    /// The meter that pays its top award.
    pub meter: Option<MeterTerms>,
    /// What becomes of it when the dice pass.
    pub dice_pass: DicePass,
    /// When its lammers are moved.
    pub lammers: Lammers,
}

/// How a wager is decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Decided by the next roll: field, hop, horn.
    OneRoll {
        /// What wins, unless the pays themselves name the winning numbers.
        wins: Vec<Item>,
        /// The stake is divided evenly over the paid numbers and only the hit part wins.
        split: Option<Split>,
    },
    /// One event before another: place, buy, lay, hardways.
    Race {
        /// What wins.
        wins: Vec<Item>,
        /// What loses.
        loses: Vec<Item>,
    },
    /// A come-out, then a race between the number it set and seven.
    Line {
        /// With the shooter or against.
        side: Side,
        /// Wins at once on its first roll.
        wins: Totals,
        /// Loses at once on its first roll.
        loses: Totals,
        /// The winning total of the first roll that pushes instead.
        bar: Option<Total>,
        /// Whether the bet moves to its number (come) or lets the puck mark it (pass).
        travels: bool,
    },
    /// The bet behind a line bet, decided with it.
    Odds {
        /// The line wager it stands behind.
        behind: String,
        /// The multiples of the flat bet, outermost numbers first; one for all if alone.
        multiples: Vec<Multiple>,
        /// Whether the multiple bounds the stake or what it can win.
        of: Measure,
    },
    /// What comes is counted until something ends it: all small, repeater, the fire bet.
    Count(Count),
    /// The rolls must follow one of these lists from the first roll on.
    Sequence {
        /// The lists.
        lists: Vec<List>,
    },
}

impl Shape {
    /// Whether the table, not the bet, keeps its progress.
    pub fn is_tracked(&self) -> bool {
        matches!(self, Shape::Count(_) | Shape::Sequence { .. })
    }
}

/// A part of an event on the dice, as a rulebook writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// `7`: this total, however rolled.
    Total(Total),
    /// `"3-3"`: these two faces, in either order.
    Combination(Combination),
    /// `"number"`: the spot's own number, however rolled.
    Number,
    /// `"hard"`: the spot's number as a pair.
    Hard,
    /// `"easy"`: the spot's number, but not as a pair.
    Easy,
    /// `"faces"`: the spot's own two faces, in either order.
    Faces,
}

impl Item {
    /// Whether it stands for `roll` on a spot that stands on `on`.
    pub fn covers(self, on: PaysKey, roll: Roll) -> bool {
        let number = || on == PaysKey::Number(roll.total().number());
        match self {
            Item::Total(total) => roll.total() == total,
            Item::Combination(combination) => roll.combination() == combination,
            Item::Number => number(),
            Item::Hard => number() && roll.is_hard(),
            Item::Easy => number() && !roll.is_hard(),
            Item::Faces => on == PaysKey::Combination(roll.combination()),
        }
    }

    /// The rolls it stands for on a spot that stands on `on`.
    pub fn rolls(self, on: PaysKey) -> Rolls {
        Rolls::such_that(|roll| self.covers(on, roll))
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Total(total) => total.fmt(f),
            Item::Combination(combination) => combination.fmt(f),
            Item::Number => f.write_str("the number"),
            Item::Hard => f.write_str("the number the hard way"),
            Item::Easy => f.write_str("the number the easy way"),
            Item::Faces => f.write_str("its faces"),
        }
    }
}

/// A stake divided over several numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Equal parts: horn.
    Even,
    /// Equal parts and one more on the spot's number: horn high.
    High,
}

/// With the shooter or against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The number wins, seven loses.
    Right,
    /// Seven wins, the number loses.
    Wrong,
}

/// Whether a bet works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Working {
    /// It can win and lose.
    On,
    /// It rests.
    Off,
}

/// What a wager pays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaysBy {
    /// The same however it wins.
    Same(Due),
    /// By the spot's number, the winning number or the rung reached, as the shape has it.
    Key(Vec<(PaysKey, Due)>),
    /// By a number, and then by the rung: the best of them where several are reached.
    Each(Vec<(Total, Vec<(PaysKey, Due)>)>),
    /// By the list that is completed.
    List(Vec<(String, Due)>),
}

impl PaysBy {
    /// What is due for `key`.
    pub fn due(&self, key: PaysKey) -> Option<Due> {
        match self {
            PaysBy::Same(due) => Some(*due),
            PaysBy::Key(dues) => dues.iter().find(|(of, _)| of.includes(key)).map(|(_, due)| *due),
            PaysBy::Each(_) | PaysBy::List(_) => None,
        }
    }

    /// Every amount it may be due.
    pub fn dues(&self) -> impl Iterator<Item = Due> + '_ {
        let (same, keyed, each, lists) = match self {
            PaysBy::Same(due) => (Some(*due), &[][..], &[][..], &[][..]),
            PaysBy::Key(dues) => (None, dues.as_slice(), &[][..], &[][..]),
            PaysBy::Each(each) => (None, &[][..], each.as_slice(), &[][..]),
            PaysBy::List(dues) => (None, &[][..], &[][..], dues.as_slice()),
        };
        let each = each.iter().flat_map(|(_, dues)| dues);
        let keyed = keyed.iter().chain(each).map(|(_, due)| *due);
        same.into_iter().chain(keyed).chain(lists.iter().map(|(_, due)| *due))
    }
}

/// What a line of a paytable is for, and what a spot stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaysKey {
    /// A total, or a rung.
    Number(u8),
    /// Two faces.
    Combination(Combination),
    /// These rungs, from the first to the last: `8-15`, or `51+` where there is no last.
    Range(u8, Option<u8>),
}

impl PaysKey {
    /// What a spot stands on that stands on nothing: no total is zero.
    pub const NONE: PaysKey = PaysKey::Number(0);

    /// The total or the rung, where the key is one; the lowest of several.
    pub const fn number(self) -> Option<u8> {
        match self {
            PaysKey::Number(number) | PaysKey::Range(number, _) => Some(number),
            PaysKey::Combination(_) => None,
        }
    }

    /// The lowest and the highest rung; no highest where they go on for ever.
    pub const fn rungs(self) -> Option<(u8, Option<u8>)> {
        match self {
            PaysKey::Number(rung) => Some((rung, Some(rung))),
            PaysKey::Range(from, to) => Some((from, to)),
            PaysKey::Combination(_) => None,
        }
    }

    /// Whether a line for this is one for `key`.
    pub fn includes(self, key: PaysKey) -> bool {
        match (self, key) {
            (PaysKey::Range(from, to), PaysKey::Number(rung)) => {
                from <= rung && to.is_none_or(|to| rung <= to)
            }
            _ => self == key,
        }
    }

    /// A key of a ladder: `3`, `8-15` or `51+`.
    pub fn rung(text: &str) -> Result<PaysKey, String> {
        let number = |text: &str| text.parse::<u8>().ok();
        let key = match (text.strip_suffix('+'), text.split_once('-')) {
            (Some(from), _) => number(from).map(|from| PaysKey::Range(from, None)),
            (_, Some((from, to))) => match (number(from), number(to)) {
                (Some(from), Some(to)) if from < to => Some(PaysKey::Range(from, Some(to))),
                _ => None,
            },
            _ => number(text).map(PaysKey::Number),
        };
        let most = u8::MAX;
        key.ok_or_else(|| {
            format!("`{text}` is not a rung such as 4, \"8-15\" or \"51+\", up to {most}")
        })
    }

    /// The event on the dice, where the key names one.
    pub fn item(self) -> Option<Item> {
        match self {
            PaysKey::Number(number) => Total::new(number).map(Item::Total),
            PaysKey::Combination(combination) => Some(Item::Combination(combination)),
            PaysKey::Range(..) => None,
        }
    }
}

impl fmt::Display for PaysKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PaysKey::Number(number) => number.fmt(f),
            PaysKey::Combination(combination) => combination.fmt(f),
            PaysKey::Range(from, None) => write!(f, "{from}+"),
            PaysKey::Range(from, Some(to)) => write!(f, "{from}-{to}"),
        }
    }
}

impl FromStr for PaysKey {
    type Err = String;

    fn from_str(text: &str) -> Result<PaysKey, String> {
        if let Ok(number) = text.parse() {
            return Ok(PaysKey::Number(number));
        }
        let roll: Roll = text.parse().map_err(|_| {
            format!("`{text}` is not a number or a pair of faces such as 4 or \"2-2\"")
        })?;
        Ok(PaysKey::Combination(roll.combination()))
    }
}

/// What a winner is owed: an entitlement, never cents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Due {
    /// A ratio of the stake.
    Pays(Pays),
    /// This much for every dollar of the base wager, the wager not being returned.
    Dollars(Cents),
    /// The whole meter, or a share of it with the other winners.
    Meter,
    /// The stake and nothing else: a rung that neither wins nor loses.
    Push,
}

impl Due {
    /// Which of two awards is worth more to whoever wins it: the meter before all others, then what
    /// is won for a stake of one.
    pub(crate) fn is_better_than(self, other: Due) -> bool {
        let won = |due: Due| match due {
            Due::Meter => None,
            Due::Push => Some((0, 1)),
            Due::Dollars(amount) => Some((amount.0 - 100, 100)),
            Due::Pays(Pays { num, den, basis }) => {
                let (num, den) = (i64::from(num), i64::from(den));
                Some((if basis == Basis::For { num - den } else { num }, den))
            }
        };
        match (won(self), won(other)) {
            (None, other) => other.is_some(),
            (_, None) => false,
            (Some((num, den)), Some((other, by))) => {
                i128::from(num) * i128::from(by) > i128::from(other) * i128::from(den)
            }
        }
    }
}

impl fmt::Display for Due {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Due::Pays(pays) => pays.fmt(f),
            Due::Dollars(amount) => write!(f, "${}", amount.plain()),
            Due::Meter => f.write_str("100% of the meter"),
            Due::Push => f.write_str("push"),
        }
    }
}

impl FromStr for Due {
    type Err = String;

    fn from_str(text: &str) -> Result<Due, String> {
        if text == "push" {
            return Ok(Due::Push);
        }
        if text.ends_with('%') {
            return match text {
                "100%" => Ok(Due::Meter),
                _ => Err(format!("`{text}`: an award takes 100% of the meter or a fixed amount")),
            };
        }
        if !text.starts_with('$') {
            return text.parse().map(Due::Pays);
        }
        match text.parse::<Cents>() {
            Ok(amount) if amount >= Cents::ZERO => Ok(Due::Dollars(amount)),
            Ok(_) => Err(format!("`{text}` is less than nothing")),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// What the dealers are paid when a player wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Envy {
    /// A multiple of each winning wager.
    Multiple(u32),
    /// An amount for a base wager of one dollar, once however many players win.
    Once(Cents),
    /// An amount for a base wager of one dollar, for each winning player.
    Each(Cents),
}

impl fmt::Display for Envy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Envy::Multiple(multiple) => write!(f, "{multiple}x"),
            Envy::Once(amount) => write!(f, "${}", amount.plain()),
            Envy::Each(amount) => write!(f, "${} each", amount.plain()),
        }
    }
}

impl FromStr for Envy {
    type Err = String;

    fn from_str(text: &str) -> Result<Envy, String> {
        let envy = if let Some(multiple) = text.strip_suffix('x') {
            multiple.parse().ok().filter(|multiple| *multiple <= 1_000).map(Envy::Multiple)
        } else {
            let (amount, each) = match text.strip_suffix(" each") {
                Some(amount) => (amount, true),
                None => (text, false),
            };
            let amount = amount.starts_with('$').then(|| amount.parse().ok()).flatten();
            let amount = amount.filter(|amount| *amount > Cents::ZERO);
            amount.map(|amount| if each { Envy::Each(amount) } else { Envy::Once(amount) })
        };
        envy.ok_or_else(|| format!("`{text}` is not an envy, expected 5x, $200 or \"$50 each\""))
    }
}

/// How much may be bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// The least the bet may be.
    pub min: Cents,
    /// The most it may be; odds have none, their multiple bounds them.
    pub max: Option<Cents>,
    /// Every bet is a multiple of this.
    pub unit: Cents,
}

impl Limits {
    /// The smallest bet there is: the minimum, in whole units.
    pub const fn least(&self) -> Cents {
        Cents(self.min.0 + self.unit.0 - 1).floor_to(self.unit)
    }

    /// The most a limit may be set to: with odds a thousand times as much behind it, and the
    /// highest pay, amounts still fit.
    pub const MOST: Cents = Cents::dollars(100_000_000);
}

/// The most that capped wagers may win together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cap {
    /// The amount of winnings; stakes come back beside it.
    pub amount: Cents,
    /// Over which stretch of play.
    pub per: CapPer,
    /// What shares of it are rounded down to.
    pub paid_in: CapPaidIn,
}

/// What winnings under a cap are paid in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CapPaidIn {
    /// Cents, whatever other winnings are paid in.
    Cents,
    /// The payout unit, as other winnings are.
    PayoutUnit,
}

/// The stretch of play a cap covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CapPer {
    /// Each roll by itself.
    Roll,
    /// One shooter's hand, used up in the order of the rolls.
    Hand,
}

/// Where a progressive's lammers lie; for display only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Board {
    /// On its own tracker.
    #[default]
    Own,
    /// On the Bonus Craps circles.
    Bonus,
}

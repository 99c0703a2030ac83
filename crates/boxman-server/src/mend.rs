//! Mends: money that goes after an earlier roll of the day. What is suggested comes out of the
//! engine, which settles that one roll again; what is decided is up to two people.

use craps::table::MovedFor;
use craps::{Cents, Roll};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::line::{Line, dollars};

/// What was wrong with a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MendKind {
    /// The dice showed something else than was keyed.
    Dice,
    /// The throw did not count.
    NoRoll,
    /// A bet was late, called or keyed wrongly.
    Bet,
    /// The right chips went to the wrong player, who keeps them.
    WrongPlayer,
    /// A player was paid too much or too little, and it was not put right.
    WrongAmount,
}

/// A bet as it was, where it was booked otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MendBet {
    /// Whose.
    #[schema(minimum = 0, maximum = 23)]
    pub seat: u8,
    /// On what.
    #[schema(example = "field")]
    pub wager: String,
    /// How much it was; nothing where there was no bet.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub amount: Cents,
}

/// Chips that a player has beyond what is booked.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MendChips {
    /// Whose.
    #[schema(minimum = 0, maximum = 23)]
    pub seat: u8,
    /// How many more; less than zero where there are fewer.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub amount: Cents,
}

/// What is to be mended about which roll.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MendQuestion {
    /// The number of the roll's record.
    #[ts(type = "number")]
    pub of: u64,
    /// What was wrong.
    pub kind: MendKind,
    /// What the dice showed, where they were keyed wrongly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional = nullable, type = "string")]
    #[schema(value_type = Option<String>, pattern = "^[1-6]-[1-6]$")]
    pub dice: Option<Roll>,
    /// The bets as they were, where bets were wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<MendBet>>")]
    #[schema(max_items = 50)]
    pub bets: Vec<MendBet>,
    /// The chips that players have beyond what is booked, where wrong chips were paid.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<MendChips>>")]
    #[schema(max_items = 24)]
    pub chips: Vec<MendChips>,
}

/// What a line of a mend is about.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS, ToSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum MendPart {
    /// Winnings less commission: paid, or taken back where less than zero.
    Winnings,
    /// A stake that was taken wrongly comes back to the rack; less than zero, one is taken.
    Stake,
    /// A jackpot that was won and not claimed.
    Jackpot,
    /// A bet that is still up comes down and is lost.
    BetLost,
    /// A bet that is still up comes down and goes to its player.
    BetBack,
    /// What the dealers are paid.
    Envy,
    /// Chips that a player has already, or never got: only booked.
    Chips,
}

/// Where the money of a line goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MendPlace {
    /// The player's rack.
    Rack,
    /// The cage pays, against a slip in the player's name.
    Cage,
    /// The player has walked away with it.
    Walked,
    /// The felt.
    Felt,
    /// The dealers.
    Dealers,
}

/// One line of a mend.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MendLine {
    /// What it is about.
    pub part: MendPart,
    /// Whose; none for the dealers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional = nullable)]
    #[schema(minimum = 0, maximum = 23)]
    pub seat: Option<u8>,
    /// Who sat there when the dice were thrown. The server says it.
    #[serde(default)]
    pub name: String,
    /// The bet, as it is written on a tape; empty if it is about none.
    #[serde(default)]
    pub wager: String,
    /// Where the money goes, or comes from.
    pub place: MendPlace,
    /// What the player or the dealers should still get, by the engine; less than zero is to come
    /// back. The server says it.
    #[serde(default)]
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub due: Cents,
    /// What moves. Of a bet on the felt all of it or nothing.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub amount: Cents,
}

impl MendLine {
    /// Whether two lines are about the same.
    pub(crate) fn is_about(&self, other: &MendLine) -> bool {
        (self.part, self.seat, &self.wager) == (other.part, other.seat, &other.wager)
    }

    /// Whether it takes a bet down.
    pub(crate) fn is_of_felt(&self) -> bool {
        matches!(self.part, MendPart::BetLost | MendPart::BetBack)
    }

    /// What it is about, in words.
    fn in_words(&self) -> String {
        let whose = match self.seat {
            Some(seat) => format!("{} (seat {})", self.name, seat + 1),
            None => "the dealers".to_owned(),
        };
        let wager = match self.wager.as_str() {
            "" => String::new(),
            wager => format!(", {wager}"),
        };
        let part = match self.part {
            MendPart::Winnings => "winnings",
            MendPart::Stake => "stake",
            MendPart::Jackpot => "jackpot",
            MendPart::BetLost => "bet on the felt, lost",
            MendPart::BetBack => "bet on the felt, back to the player",
            MendPart::Envy => "envy",
            MendPart::Chips => "chips booked",
        };
        let place = match self.place {
            MendPlace::Cage => ", payable at the cage",
            MendPlace::Walked => ", walked away with",
            MendPlace::Rack | MendPlace::Felt | MendPlace::Dealers => "",
        };
        format!("{whose}{wager}: {part}{place}")
    }
}

/// A jackpot that was won and not claimed, as its meter would have paid it then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MendShown {
    /// The paytable of the meter.
    pub paytable: String,
    /// Who won it.
    pub seat: u8,
    /// The base wagers of the bet.
    pub units: u32,
    /// The share.
    pub amount: Cents,
}

/// A mend that is asked for, with what was suggested and what is decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mend {
    /// What is to be mended.
    pub question: MendQuestion,
    /// What was keyed.
    pub keyed: Roll,
    /// Which roll of the table it was.
    pub number: u64,
    /// When it was keyed, in milliseconds since 1970.
    pub rolled_at: u64,
    /// The record that last changed what is booked for the roll: an earlier mend, or the answer to
    /// one of its claims; none where there has been none.
    pub after: Option<u64>,
    /// What the meters showed of jackpots that were won and not claimed.
    pub shown: Vec<MendShown>,
    /// What the engine suggests.
    pub suggested: Vec<MendLine>,
    /// What is decided.
    pub lines: Vec<MendLine>,
    /// Why.
    pub reason: String,
    /// Where surveillance has it; empty where nobody says.
    pub video: String,
}

impl Mend {
    /// What was wrong, in a few words: `mend roll 12, keyed 4-2: showed 5-1`.
    pub fn in_words(&self) -> String {
        let what = what(self.question.kind, self.question.dice);
        format!("mend roll {}, keyed {}: {what}", self.number, self.keyed)
    }

    /// What it would change, as the second person reads it: each line as it was suggested and as
    /// it is decided.
    pub fn in_lines(&self) -> Vec<Line> {
        let number = self.number;
        let mut lines = Vec::new();
        match (self.question.kind, self.question.dice) {
            (MendKind::Dice, Some(dice)) => lines.push(Line::new(
                format!("Roll {number}"),
                format!("keyed {}", self.keyed),
                format!("showed {dice}"),
            )),
            (MendKind::NoRoll, _) => {
                let keyed = format!("keyed {}", self.keyed);
                lines.push(Line::new(format!("Roll {number}"), keyed, "did not count"));
            }
            _ => {}
        }
        for bet in &self.question.bets {
            let what = format!("{} of seat {} on roll {number}", bet.wager, bet.seat + 1);
            lines.push(Line::new(what, "", dollars(bet.amount)));
        }
        for line in &self.lines {
            let suggested = self.suggested.iter().find(|other| other.is_about(line));
            let suggested = suggested.map(|line| format!("suggested {}", dollars(line.amount)));
            let after = dollars(line.amount);
            lines.push(Line::new(line.in_words(), suggested.unwrap_or_default(), after));
        }
        let left_out = |line: &&MendLine| !self.lines.iter().any(|other| other.is_about(line));
        for line in self.suggested.iter().filter(left_out) {
            let before = format!("suggested {}", dollars(line.amount));
            lines.push(Line::new(line.in_words(), before, "left out"));
        }
        if !self.video.is_empty() {
            lines.push(Line::new("Surveillance", "", self.video.clone()));
        }
        lines
    }
}

/// What was wrong with a roll, in a few words.
pub(crate) fn what(kind: MendKind, dice: Option<Roll>) -> String {
    match (kind, dice) {
        (MendKind::Dice, Some(dice)) => format!("showed {dice}"),
        (MendKind::Dice, None) => "showed other dice".to_owned(),
        (MendKind::NoRoll, _) => "did not count".to_owned(),
        (MendKind::Bet, _) => "bet booked wrongly".to_owned(),
        (MendKind::WrongPlayer, _) => "wrong player paid".to_owned(),
        (MendKind::WrongAmount, _) => "wrong amount paid".to_owned(),
    }
}

/// What a mend has to know of the present day: what play has touched since each roll.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mendable {
    /// The day, `YYYY-MM-DD`, UTC.
    pub day: String,
    /// By seat, the record by which its player sat down.
    pub seated: std::collections::BTreeMap<u8, u64>,
    /// The bets on the felt, each with the record that touched it last.
    pub bets: Vec<TouchedBet>,
    /// The same before the last roll, while that can be taken back.
    pub before: Vec<TouchedBet>,
    /// Which roll made each claim that waits.
    pub claims: std::collections::BTreeMap<u64, u64>,
    /// The records of rolls that were taken back.
    pub void: Vec<u64>,
    /// What has changed for rolls since they were booked.
    pub rolls: Vec<RollSince>,
}

/// A bet on the felt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TouchedBet {
    /// Whose.
    pub seat: u8,
    /// Where.
    pub spot: u8,
    /// The record that put it there, changed it or decided it last.
    pub record: u64,
}

/// What has changed for a roll since it was booked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RollSince {
    /// The roll's record.
    pub of: u64,
    /// The record that changed something last.
    pub record: u64,
    /// Whether it turned out not to count.
    pub no_roll: bool,
    /// What it turned out to have shown.
    pub dice: Option<Roll>,
    /// The bets that turned out to have been otherwise.
    pub bets: Vec<MendBet>,
    /// What was moved, bet by bet.
    pub moved: Vec<MovedSince>,
}

/// What was moved for one bet of a roll after it was booked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedSince {
    /// Whose; none for the dealers.
    pub seat: Option<u8>,
    /// The bet, as it is written on a tape; empty for a mend of what the dealers get.
    pub wager: String,
    /// Winnings, to the player or the dealers.
    pub winnings: Cents,
    /// Stake.
    pub stake: Cents,
    /// What for.
    pub why: MovedFor,
}

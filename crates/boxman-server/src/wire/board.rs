//! The boards of side bets as they are told: what they take and pay, and how far they have come.

use craps::tracker::Riding;
use craps::wager::{Due, List, PaysKey, Repeats, Shape};
use craps::{Hand, Rules, Total};
use serde::Serialize;
use ts_rs::TS;
use utoipa::ToSchema;

/// The board of a side bet: what it takes, and what each step of it pays.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct BoardView {
    /// `collect` every number, `distinct` numbers until one repeats, a `count` of whatever comes,
    /// or a `sequence` to follow.
    #[ts(type = "\"collect\" | \"distinct\" | \"count\" | \"sequence\"")]
    pub shape: String,
    /// The numbers it takes; none where it takes something else.
    pub numbers: Vec<u8>,
    /// The sequences it follows, one or the other; none where their steps are more than totals.
    pub sequences: Vec<Vec<u8>>,
    /// The lists it follows in words, one or the other.
    pub lists: Vec<String>,
    /// What it pays, the most first.
    pub rungs: Vec<RungView>,
    /// Whether its lammers lie on the Bonus Craps circles and not on a board of their own.
    pub on_bonus: bool,
}

/// One award of a side bet.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct RungView {
    /// How many numbers or rolls it takes, the fewest where several pay alike; 0 where it goes by
    /// something else.
    pub rung: u8,
    /// What it is for in words: `9`, `8-15`, `51+`, `4 10: 3 times`, or the name of a list.
    pub on: String,
    /// What the player is paid.
    pub pays: String,
    /// Whether that is the meter, or a share of it.
    pub meter: bool,
    /// What the dealers are paid.
    pub envy: Option<String>,
}

/// The lammers of one side bet.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct TrackerView {
    /// The spot: the wager, with its number where it has one on each.
    pub wager: String,
    /// The numbers that carry a lammer.
    pub marks: Vec<u8>,
    /// How many rolls of a sequence have matched.
    pub matched: u8,
    /// How far it has come, in words: `3 of 6 points: 4 6 9`.
    pub progress: String,
    /// The same as a number: marks that lie, how often something came, rolls that matched.
    pub count: u32,
    /// The number at which it is complete; none where it counts on until something ends it.
    pub of: Option<u32>,
    /// Everything that can carry a lammer, in order.
    pub lammers: Vec<LammerView>,
    /// How many bets are up.
    pub bets: u8,
    /// `idle`, `fresh` or `standing`.
    #[ts(type = "\"idle\" | \"fresh\" | \"standing\"")]
    #[schema(value_type = String)]
    pub riding: Riding,
}

/// Something that can carry a lammer.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct LammerView {
    /// What it stands for: `6`, `3-3`.
    pub on: String,
    /// How often it has come.
    pub count: u8,
}

impl BoardView {
    pub(super) fn of(wager: &craps::Wager, entry: &craps::catalogue::Entry) -> Option<BoardView> {
        let on = entry.board?;
        let numbers = |totals: &[Total]| totals.iter().map(|total| total.number()).collect();
        let (shape, all, sequences, lists) = match &wager.shape {
            Shape::Count(count) => {
                let totals = count.marks.totals().filter(|_| count.times.is_none());
                let shape = match (totals, count.repeats) {
                    (_, Repeats::End) => "distinct",
                    (Some(_), Repeats::Pass) => "collect",
                    (None, Repeats::Pass) => "count",
                };
                let all = totals.map_or(Vec::new(), |totals| totals.iter().collect());
                (shape, all, Vec::new(), Vec::new())
            }
            Shape::Sequence { lists } => {
                let sequences: Option<Vec<Vec<Total>>> = lists.iter().map(List::totals).collect();
                let sequences = sequences.unwrap_or_default();
                let all: Vec<Total> = sequences.iter().flatten().copied().collect();
                let words = lists.iter().map(List::to_string).collect();
                ("sequence", all, sequences.iter().map(|one| numbers(one)).collect(), words)
            }
            _ => return None,
        };
        let is_meter = |rung: u8| {
            let due = wager.pays.due(PaysKey::Number(rung));
            due == Some(Due::Meter)
        };
        let top = match &wager.shape {
            Shape::Sequence { lists } => lists.iter().map(|list| list.steps.len()).max(),
            _ => Some(all.len()),
        };
        let top = top.unwrap_or(0) as u8;
        let mut rungs = Vec::new();
        for pay in &entry.pays {
            let rung = |rung: u8, on: String| RungView {
                rung,
                on,
                pays: pay.pays.clone(),
                meter: is_meter(rung),
                envy: pay.envy.clone(),
            };
            let each = pay.on.split(' ').map(str::to_owned);
            match pay.numbers.as_slice() {
                [] if pay.on.is_empty() => rungs.push(rung(top, String::new())),
                [] => rungs.push(rung(0, pay.on.clone())),
                numbers => rungs.extend(numbers.iter().zip(each).map(|(n, on)| rung(*n, on))),
            }
        }
        rungs.sort_by_key(|rung| std::cmp::Reverse(rung.rung));
        let on_bonus = on == craps::wager::Board::Bonus;
        Some(BoardView {
            shape: shape.to_owned(),
            numbers: numbers(&all),
            sequences,
            lists,
            rungs,
            on_bonus,
        })
    }
}

impl TrackerView {
    /// Every tracker of the rules, as it is now.
    pub(super) fn all(rules: &Rules, hand: &Hand) -> Vec<TrackerView> {
        let tracker = |(place, spot): (usize, craps::Spot)| {
            let tracker = hand.trackers[place];
            let progress = craps::catalogue::progress(rules, spot, tracker);
            let lammer = |it: craps::catalogue::Lammer| LammerView { on: it.on, count: it.count };
            TrackerView {
                wager: rules.spot_rule(spot).notation.clone(),
                marks: tracker.marks().iter().map(Total::number).collect(),
                matched: tracker.matched(),
                progress: progress.words,
                count: progress.count,
                of: progress.of,
                lammers: progress.lammers.into_iter().map(lammer).collect(),
                bets: tracker.bets,
                riding: tracker.riding,
            }
        };
        rules.tracked().enumerate().map(tracker).collect()
    }
}

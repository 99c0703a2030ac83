//! Trackers: the lammers of side bets whose progress the table keeps, and how a roll moves them.

mod lay;
mod reach;

use std::hash::{Hash, Hasher};

use serde::Serialize;

use crate::dice::{Combination, Total, Totals};
use crate::fate::Fate;
use crate::puck::Puck;
use crate::spot::Spot;
use crate::wager::{Count, Lammers, Rebet, Repeats};

pub(crate) use self::lay::lay;
pub(crate) use self::reach::look;

/// The lammers of one side bet. They belong to the table: all bets riding on a spot share one
/// start and win or lose together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Tracker {
    /// What has come so far, packed as the wager needs it.
    word: u32,
    keeps: Keeps,
    /// How many bets are up on the spot.
    pub bets: u8,
    /// Whether those bets have survived a roll.
    pub riding: Riding,
    /// Its numbers were completed by the last roll, which may open a window for a re-bet.
    pub done: bool,
}

/// How a tracker's word is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
enum Keeps {
    /// A bit for each total.
    #[default]
    Totals,
    /// A bit for each mark, in the order of the wager's list.
    Marks,
    /// Three bits for each mark: how often it came.
    Counts,
    /// One number.
    Count,
    /// The lists still followed, how many rolls have matched, and a bit for each total that did.
    Run,
}

/// Whether bets ride on a tracked wager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Riding {
    /// No bet is up: the first one starts with an empty tracker.
    #[default]
    Idle,
    /// Bets are up that no roll has touched; others may join and they may be taken back.
    Fresh,
    /// Bets are up that have survived a roll.
    Standing,
}

/// A tracker taken apart: what is written down where one is kept.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize)]
pub struct Laid {
    /// The totals that carry a lammer.
    pub marks: Totals,
    /// The list being followed and how many of its rolls have matched.
    pub run: Run,
    /// Other marks that carry a lammer, by their places in the wager's list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<u8>,
    /// How often each mark has come, where that is counted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<u8>,
    /// How often something has come, where there is one count.
    #[serde(skip_serializing_if = "is_zero")]
    pub count: u32,
    /// How many bets are up on the spot.
    pub bets: u8,
    /// Whether those bets have survived a roll.
    pub riding: Riding,
    /// Its numbers were completed by the last roll, which may open a window for a re-bet.
    pub done: bool,
}

/// Progress along a list.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize)]
pub struct Run {
    /// Which list the rolls follow: the first, where they follow several so far.
    pub sequence: u8,
    /// How many rolls have matched it.
    pub matched: u8,
    /// The other lists they follow so far.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<u8>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// Chains look up a hundred thousand hands: a tracker is one number to them.
impl Hash for Tracker {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let Tracker { word, keeps, bets, riding, done } = *self;
        let small = [keeps as u8, bets, riding as u8, u8::from(done)];
        hasher.write_u64(u64::from(word) << 32 | u64::from(u32::from_le_bytes(small)));
    }
}

impl Serialize for Tracker {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.laid().serialize(serializer)
    }
}

impl Tracker {
    const LISTS_BITS: u32 = 16;
    const MATCHED_BITS: u32 = 4;
    const COUNT_BITS: u32 = 3;

    /// A tracker without lammers and bets.
    #[inline]
    pub(crate) fn idle(done: bool) -> Tracker {
        Tracker { done, ..Tracker::default() }
    }

    /// The tracker with one more bet on it; the first starts it, with what lammers lie there.
    #[must_use]
    pub(crate) fn joined(self) -> Tracker {
        match self.riding {
            Riding::Idle => Tracker { bets: 1, riding: Riding::Fresh, ..self },
            _ => Tracker { bets: self.bets + 1, ..self },
        }
    }

    /// The tracker with one bet fewer; without any it is idle, and empty unless its lammers are
    /// moved without bets too.
    #[must_use]
    pub(crate) fn left(self, lammers: Lammers) -> Tracker {
        match (self.bets, lammers) {
            (0 | 1, Lammers::WithBets) => Tracker::idle(self.done),
            (0 | 1, Lammers::Always) => Tracker { bets: 0, riding: Riding::Idle, ..self },
            (bets, _) => Tracker { bets: bets - 1, ..self },
        }
    }

    /// The tracker once the dice have gone to another: bets that no roll has touched stay.
    #[must_use]
    pub(crate) fn swept(self) -> Tracker {
        match self.riding {
            Riding::Fresh => {
                Tracker { bets: self.bets, riding: Riding::Fresh, ..Tracker::default() }
            }
            _ => Tracker::default(),
        }
    }

    /// Whether a bet that has survived a roll is up.
    pub fn is_standing(self) -> bool {
        self.riding == Riding::Standing
    }

    /// Whether `total` carries a lammer.
    pub fn is_marked(self, total: Total) -> bool {
        self.marks().contains(total)
    }

    /// The totals that carry a lammer.
    pub fn marks(self) -> Totals {
        match self.keeps {
            Keeps::Totals => Totals::from_bits(self.word as u16),
            Keeps::Run => {
                let bits = self.word >> (Tracker::LISTS_BITS + Tracker::MATCHED_BITS) << 2;
                Totals::from_bits(bits as u16)
            }
            Keeps::Marks | Keeps::Counts | Keeps::Count => Totals::NONE,
        }
    }

    /// How many rolls have matched a list.
    pub fn matched(self) -> u8 {
        let word = if self.keeps == Keeps::Run { self.word } else { 0 };
        (word >> Tracker::LISTS_BITS & ((1 << Tracker::MATCHED_BITS) - 1)) as u8
    }

    /// The lists that the rolls follow so far, as bits; none before the first roll.
    fn lists(self) -> u32 {
        let word = if self.keeps == Keeps::Run { self.word } else { 0 };
        word & ((1 << Tracker::LISTS_BITS) - 1)
    }

    /// How often the mark at `place` of the wager's list has come.
    pub fn count_of(self, place: usize) -> u8 {
        match self.keeps {
            Keeps::Marks => (self.word >> place & 1) as u8,
            Keeps::Counts => self.counted(place),
            Keeps::Totals | Keeps::Count | Keeps::Run => 0,
        }
    }

    fn counted(self, place: usize) -> u8 {
        (self.word >> (place as u32 * Tracker::COUNT_BITS) & u32::from(Count::OFTEN)) as u8
    }

    /// How often something has come, where there is one count.
    pub fn count(self) -> u32 {
        if self.keeps == Keeps::Count { self.word } else { 0 }
    }

    /// All of it as one number, no two trackers of a wager the same.
    #[inline]
    pub(crate) fn word(self) -> u64 {
        u64::from(self.word) << 8 | u64::from(self.bets)
    }

    /// The tracker taken apart.
    pub fn laid(self) -> Laid {
        let places = |bits: u32| (0..32u8).filter(|place| bits >> place & 1 == 1).collect();
        let mut lists: Vec<u8> = places(self.lists());
        let sequence = if lists.is_empty() { 0 } else { lists.remove(0) };
        let counts = (0..Count::COUNTED).map(|place| self.counted(place));
        let mut counts: Vec<u8> =
            if self.keeps == Keeps::Counts { counts.collect() } else { Vec::new() };
        counts.truncate(counts.iter().rposition(|count| *count > 0).map_or(0, |last| last + 1));
        Laid {
            marks: self.marks(),
            run: Run { sequence, matched: self.matched(), others: lists },
            places: if self.keeps == Keeps::Marks { places(self.word) } else { Vec::new() },
            counts,
            count: self.count(),
            bets: self.bets,
            riding: self.riding,
            done: self.done,
        }
    }

    /// The tracker that was taken apart so, or nothing if none was.
    pub fn from_laid(laid: &Laid) -> Option<Tracker> {
        let bits = |places: &[u8]| {
            places
                .iter()
                .try_fold(0u32, |bits, place| Some(bits | 1u32.checked_shl((*place).into())?))
        };
        let Laid { marks, ref run, ref places, ref counts, count, bets, riding, done } = *laid;
        let (keeps, word) = if run.matched > 0 {
            let lists = bits(&run.others)? | bits(&[run.sequence])?;
            let matched = u32::from(run.matched) << Tracker::LISTS_BITS;
            let marks = u32::from(marks.bits()) >> 2;
            (Keeps::Run, marks << (Tracker::LISTS_BITS + Tracker::MATCHED_BITS) | matched | lists)
        } else if !places.is_empty() {
            (Keeps::Marks, bits(places)?)
        } else if !counts.is_empty() {
            let shifted = |(place, count): (usize, &u8)| {
                u32::from(*count) << (place as u32 * Tracker::COUNT_BITS)
            };
            let held = counts.iter().take(Count::COUNTED).enumerate();
            (Keeps::Counts, held.map(shifted).fold(0, |word, count| word | count))
        } else if count > 0 {
            (Keeps::Count, count)
        } else {
            (Keeps::Totals, u32::from(marks.bits()))
        };
        let tracker = Tracker { word, keeps, bets, riding, done };
        (tracker.laid() == *laid).then_some(tracker)
    }
}

/// A tracked spot, compiled.
#[derive(Clone, Debug)]
pub(crate) struct TrackerRule {
    pub(crate) spot: Spot,
    /// What each roll is to it, by puck and combination.
    heard: Box<[Heard]>,
    progress: Progress,
    /// Every total it looks for, where it looks for totals.
    pub(crate) numbers: Totals,
    /// Whether a completed wager may be bet again before a seven.
    pub(crate) rebet: Rebet,
    /// When its lammers are moved.
    pub(crate) lammers: Lammers,
    /// What ending on each rung does to the bets.
    ends: Vec<Fate>,
}

/// What a roll is to a tracker: which mark it is, and whether it ends the wager.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Heard(u8);

impl Heard {
    const MARKS: u8 = 0x20;
    const ENDS: u8 = 0x40;

    /// The place of the mark, if it is one.
    #[inline]
    fn mark(self) -> Option<u32> {
        (self.0 & Heard::MARKS != 0).then_some(u32::from(self.0 & 0x1F))
    }

    /// The mark as a bit, none if it is no mark.
    #[inline]
    fn bit(self) -> u32 {
        u32::from(self.0 & Heard::MARKS != 0) << (self.0 & 0x1F)
    }

    #[inline]
    fn ends(self) -> bool {
        self.0 & Heard::ENDS != 0
    }
}

/// How a tracker moves.
#[derive(Clone, Debug)]
enum Progress {
    /// One lammer for each mark, until all lie. `by_total` is where a mark's bit is its total.
    Marks { all: u32, repeats: Repeats, by_total: bool },
    /// So many for each mark, until all have come so often.
    Several { marks: usize, times: u8 },
    /// One count, up to a highest that tells nothing more; or until it is reached.
    Count { most: u32, completes: bool },
    /// A count for each mark, each up to its highest; the best of what they have reached is paid.
    Best { reached: Vec<Vec<(u16, Fate)>> },
    /// The lists, step by step: the rolls that match.
    Lists(Vec<ListRule>),
}

/// A list to follow, compiled.
#[derive(Clone, Debug)]
struct ListRule {
    steps: Vec<Cells>,
    /// What completing it does to the bets, and how good that is among the lists.
    completed: (u16, Fate),
}

/// Rolls by puck and combination: a set of places in [`TrackerRule::heard`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cells([u64; 4]);

impl Cells {
    fn add(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    #[inline]
    fn contains(self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }
}

/// The place of a roll among all that a tracker can hear.
#[inline]
pub(crate) fn cell(puck: Puck, combination: Combination) -> usize {
    puck.index() * Combination::COUNT + combination.index()
}

/// How many places there are.
const CELLS: usize = Puck::COUNT * Combination::COUNT;

impl TrackerRule {
    /// The fate of bets whose wager ended on `rung`.
    #[inline]
    fn ended(&self, rung: u32) -> Fate {
        self.ends[rung as usize]
    }

    /// Whether a roll that ends the wager counts for it too.
    pub(crate) fn counts_an_ending(&self) -> bool {
        self.heard.iter().any(|heard| heard.mark().is_some() && heard.ends())
    }

    /// Whether a roll with the puck here may be something else to it than on a come-out.
    pub(crate) fn tells_apart(&self, puck: Puck) -> bool {
        let heard = |puck, it| self.heard[cell(puck, it)];
        let follows = |puck, it| match &self.progress {
            Progress::Lists(lists) => lists
                .iter()
                .flat_map(|list| &list.steps)
                .map(|step| step.contains(cell(puck, it)))
                .collect(),
            _ => Vec::new(),
        };
        Combination::all().any(|it| {
            heard(puck, it) != heard(Puck::Off, it) || follows(puck, it) != follows(Puck::Off, it)
        })
    }

    /// Whether a tracker that has ended had all it looks for.
    pub(crate) fn is_complete(&self, tracker: Tracker) -> bool {
        tracker.marks().covers(self.numbers)
    }

    /// Moves the lammers of a tracker and tells what becomes of the bets on it.
    #[inline]
    pub(crate) fn advance(&self, tracker: &mut Tracker, cell: usize) -> Fate {
        let heard = self.heard[cell];
        if let Progress::Marks { all, repeats, by_total } = self.progress {
            let bit = heard.bit();
            if repeats == Repeats::End && tracker.word & bit != 0 {
                return self.ended(tracker.word.count_ones());
            }
            tracker.word |= bit;
            if !by_total && tracker.word != 0 {
                tracker.keeps = Keeps::Marks;
            }
            let over = heard.ends() || tracker.word == all;
            return if over { self.ended(tracker.word.count_ones()) } else { Fate::Stand };
        }
        self.advance_other(tracker, heard, cell)
    }

    fn advance_other(&self, tracker: &mut Tracker, heard: Heard, cell: usize) -> Fate {
        match &self.progress {
            Progress::Marks { .. } => unreachable!("the most usual has been looked at"),
            Progress::Several { marks, times } => {
                count_mark(tracker, heard, *times);
                let full = (0..*marks).filter(|place| tracker.counted(*place) == *times).count();
                let over = heard.ends() || full == *marks;
                if over { self.ended(full as u32) } else { Fate::Stand }
            }
            Progress::Count { most, completes } => {
                if heard.mark().is_some() && tracker.word < *most {
                    tracker.keeps = Keeps::Count;
                    tracker.word += 1;
                }
                let over = heard.ends() || *completes && tracker.word == *most;
                if over { self.ended(tracker.word) } else { Fate::Stand }
            }
            Progress::Best { reached } => {
                if let Some(place) = heard.mark() {
                    count_mark(tracker, heard, reached[place as usize].len() as u8 - 1);
                }
                if !heard.ends() {
                    return Fate::Stand;
                }
                let each = reached.iter().enumerate();
                let best = each.map(|(place, fates)| fates[usize::from(tracker.counted(place))]);
                best.max_by_key(|(worth, _)| *worth).map_or(Fate::Lose, |(_, fate)| fate)
            }
            Progress::Lists(lists) => self.follow(tracker, lists, cell),
        }
    }

    /// The lists that still match go on; one that is completed ends the wager.
    fn follow(&self, tracker: &mut Tracker, lists: &[ListRule], cell: usize) -> Fate {
        let matched = usize::from(tracker.matched());
        let followed = if matched == 0 { u32::MAX } else { tracker.lists() };
        let mut left = 0;
        let mut completed: Option<(u16, Fate)> = None;
        for (place, list) in lists.iter().enumerate() {
            let step = list.steps.get(matched).filter(|_| followed >> place & 1 == 1);
            if step.is_some_and(|step| step.contains(cell)) {
                left |= 1 << place;
                let better = completed.is_none_or(|(worth, _)| list.completed.0 > worth);
                if list.steps.len() == matched + 1 && better {
                    completed = Some(list.completed);
                }
            }
        }
        if left == 0 {
            return self.ended(matched as u32);
        }
        let total = Combination::all().nth(cell % Combination::COUNT).expect("a cell is a roll");
        let marks = tracker.marks().with(total.roll().total());
        let marks = u32::from(marks.bits()) >> 2 << (Tracker::LISTS_BITS + Tracker::MATCHED_BITS);
        tracker.keeps = Keeps::Run;
        tracker.word = marks | (matched as u32 + 1) << Tracker::LISTS_BITS | left;
        completed.map_or(Fate::Stand, |(_, fate)| fate)
    }
}

/// One more of a mark, up to a highest.
fn count_mark(tracker: &mut Tracker, heard: Heard, most: u8) {
    if let Some(place) = heard.mark()
        && tracker.counted(place as usize) < most
    {
        tracker.keeps = Keeps::Counts;
        tracker.word += 1 << (place * Tracker::COUNT_BITS);
    }
}

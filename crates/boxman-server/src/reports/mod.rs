//! Reports: what each table held on each day, against what it should have held.
//!
//! In the casino a shift manager reads hold, drop and handle, and asks whether a table that won
//! too little was unlucky or cheated. In the code the books of the days (see `books`) are set
//! against exact expectations out of `craps-math`. [`report`] is a pure function; whoever serves
//! it finds the days and the rules, and runs it where solving for a moment holds up nobody.
//!
//! What is exact and what is not:
//!
//! - The expectation of a wager is its exact edge times the stakes decided. It knows nothing of
//!   parts of a cent, of commission rounded to a unit or raised to a minimum, nor of line bets
//!   made, added to or taken down once their number is set, which have another edge.
//! - A progressive is priced with an empty meter. Jackpots, envy, contributions to meters and
//!   breakage stand beside the hold and not in it.
//! - What an aggregate cap withheld and what was denied is part of the hold, but taken off before
//!   it is compared; the stakes of a denied jackpot, paid back, are added.
//! - The band is the expectation ± 1.96 standard deviations, 95 % of a normal distribution. The
//!   variance of each spot is exact at the stakes decided there. How different spots win and lose
//!   together (place bets all lose on a seven) is not solved: the products they really made are
//!   added, where they widen the band.
//! - The drop is what the box should hold. The hold as a percentage of it knows nothing of chips
//!   that players brought along from other tables.
//! - A band supposes many decisions of like size. On a handful, or on long shots seldom hit, the
//!   hold lies unevenly about its expectation and 95 % is no more than a rule of thumb.

mod band;
mod csv;
mod expected;

use std::sync::Arc;

use craps::{Cents, Rules};
use craps_math::{fraction, percent, ratio};
use serde::Serialize;
use ts_rs::TS;
use utoipa::ToSchema;

pub use self::band::Expectation;
use self::band::Spread;
pub use self::csv::csv;
pub use self::expected::{Expectations, Expected};
use crate::books::{Bought, DayBook, Figures, Jackpots, LeftRacks};
use crate::hash::Hash;
use crate::id::TableId;

/// What a reader of the figures alone has to know.
const NOTE: &str = "amounts in cents; expected is exact edge times handle, without rounding of \
    cents and commission and without line bets changed after their number was set; meters count \
    as empty and jackpots, envy, contributions and breakage stand beside the hold; the band is \
    expected plus and minus 1.96 standard deviations, exact for each spot; correlation between \
    spots is not solved but taken from the results where it widens the band";

/// One day of one table, as it was booked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableDay {
    /// The table.
    pub table: TableId,
    /// The name on the lobby's list.
    pub name: String,
    /// `YYYY-MM-DD`, UTC.
    pub day: String,
    /// What happened.
    pub book: DayBook,
}

/// What tables held, day by day and together.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct Report {
    /// What the figures leave out.
    pub note: String,
    /// Each table and day, in the order given.
    pub days: Vec<DayReport>,
    /// All of them together.
    pub total: Held,
    /// Tables that could not be looked at.
    pub left_out: Vec<LeftOut>,
}

/// A table that is not in a report, though it may belong there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS, ToSchema)]
pub struct LeftOut {
    /// The table.
    pub table: String,
    /// Why.
    pub reason: String,
}

/// What one table held on one day.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct DayReport {
    /// The table.
    pub table: String,
    /// Its name on the lobby's list.
    pub name: String,
    /// `YYYY-MM-DD`, UTC.
    pub day: String,
    /// What it held.
    pub held: Held,
    /// What the tray held after the last record of the day; nothing at practice tables, and at
    /// tables opened before there was a tray.
    #[ts(type = "number | null")]
    #[schema(value_type = Option<i64>)]
    pub tray: Option<Cents>,
}

/// What was held, and all that goes with it.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct Held {
    /// Rolls that counted.
    #[ts(type = "number")]
    pub rolls: u64,
    /// Shooters who sevened out.
    #[ts(type = "number")]
    pub hands: u64,
    /// What went into the box: cash, markers and coupons.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub drop: Cents,
    /// What players bought in with, by kind.
    pub buy_ins: BuyIns,
    /// What left the players' racks.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub cashed_out: Cents,
    /// The same by kind.
    pub cash_outs: CashOuts,
    /// Chips brought to the table.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub filled: Cents,
    /// Chips taken away from it.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub credited: Cents,
    /// Bets that won, lost or pushed.
    #[ts(type = "number")]
    pub decisions: u64,
    /// Their stakes.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub handle: Cents,
    /// What the house won on them.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub hold: Cents,
    /// The hold as a percentage of the handle.
    pub hold_of_handle: Option<f64>,
    /// The hold as a percentage of the drop.
    pub hold_of_drop: Option<f64>,
    /// What the hold should have been; nothing where a wager could not be priced.
    pub expectation: Option<Expectation>,
    /// Winnings that an aggregate cap withheld or that were denied, less the stakes of denied
    /// jackpots, which are part of the hold.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub withheld: Cents,
    /// What the dealers were paid.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub envy: Cents,
    /// How often earlier rolls were mended.
    #[ts(type = "number")]
    pub mends: u64,
    /// Adjustments: what the house got by mends, less than zero where it paid. Rolls stay as they
    /// were booked, and only the house's account has any of it besides.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub adjusted: Cents,
    /// What of the adjustments the cage pays to players who had left.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub mends_by_cage: Cents,
    /// What of the adjustments players who had left took with them beyond what was booked.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub mends_walked: Cents,
    /// What wagers fed to meters.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub fed: Cents,
    /// Whole cents rounded away from winnings.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub breakage: Cents,
    /// Jackpots.
    pub jackpots: JackpotsHit,
    /// What the house's account gained: the hold less envy, contributions to meters, and what
    /// jackpots cost beyond their meters, with adjustments.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub house: Cents,
    /// Each wager, by the rules it was decided under and then by name.
    pub wagers: Vec<WagerHeld>,
}

/// Buy-ins by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS, ToSchema)]
pub struct BuyIns {
    /// Cash, part of the drop.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub cash: Cents,
    /// Markers, part of the drop.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub markers: Cents,
    /// Coupons, part of the drop.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub coupons: Cents,
    /// Chips that players brought along, not part of the drop.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub chips: Cents,
}

/// Cash-outs by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS, ToSchema)]
pub struct CashOuts {
    /// Chips that players walked away with.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub walk: Cents,
    /// Jackpots that the cage paid.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub jackpots: Cents,
    /// Chips that went back into the tray for cash.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub redeemed: Cents,
    /// Chips given to the dealers.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub tokes: Cents,
    /// Chips kept for players who left without them.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub left_behind: Cents,
}

/// Jackpots paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS, ToSchema)]
pub struct JackpotsHit {
    /// How many.
    #[ts(type = "number")]
    pub count: u64,
    /// What the winners got.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub paid: Cents,
    /// What of it came from meters.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub from_meter: Cents,
    /// What of it the house paid beyond them.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub from_house: Cents,
}

/// What one wager held.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct WagerHeld {
    /// The hash of the rules it was decided under.
    pub rules: String,
    /// The wager; bets that travel as they were made, odds with their number.
    #[schema(example = "odds pass 4")]
    pub wager: String,
    /// Bets that won, lost or pushed.
    #[ts(type = "number")]
    pub decisions: u64,
    /// Their stakes.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub handle: Cents,
    /// What the house won on them.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub hold: Cents,
    /// The hold as a percentage of the handle.
    pub hold_of_handle: Option<f64>,
    /// The exact share of the handle that the house should win; nothing where it is not known.
    #[schema(example = "7/495")]
    pub edge: Option<String>,
    /// What the hold should have been.
    pub expectation: Option<Expectation>,
    /// Winnings that an aggregate cap withheld or that were denied, less the stakes of denied
    /// jackpots, which are part of the hold.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub withheld: Cents,
}

/// Sets what was booked against what was to be expected. `rules` finds the rules of a hash; what
/// was decided under rules it does not find has no expectation.
pub fn report(
    days: &[TableDay],
    expectations: &Expectations,
    rules: impl Fn(Hash) -> Option<Arc<Rules>>,
) -> Report {
    let expected = |hash: &str, wager: &str| {
        let rules = rules(hash.parse().ok()?)?;
        expectations.of(&rules, wager)
    };
    let day = |day: &TableDay| DayReport {
        table: day.table.to_string(),
        name: day.name.clone(),
        day: day.day.clone(),
        held: held(&day.book, &expected),
        tray: day.book.tray,
    };
    let mut total = DayBook::default();
    days.iter().for_each(|day| total.add(&day.book));
    Report {
        left_out: Vec::new(),
        note: NOTE.to_owned(),
        days: days.iter().map(day).collect(),
        total: held(&total, &expected),
    }
}

fn held(book: &DayBook, expected: &impl Fn(&str, &str) -> Option<Arc<Expected>>) -> Held {
    let mut wagers = Vec::new();
    let mut sums = Figures { cross: book.cross, ..Figures::default() };
    let mut spread = Some(Spread::default());
    for (rules, wager, figures) in book.figures() {
        let expected = expected(rules, wager);
        let own = expected.as_deref().map(|expected| Spread::of(expected, figures));
        spread = spread.zip(own.as_ref()).map(|(sum, own)| sum.and(own));
        wagers.push(wager_held(rules, wager, figures, expected.as_deref(), own.as_ref()));
        sums.decisions += figures.decisions;
        sums.handle += figures.handle;
        sums.won += figures.won;
        sums.withheld += figures.withheld;
    }
    let Jackpots { count, paid, from_meter, from_house } = book.jackpots;
    Held {
        rolls: book.rolls,
        hands: book.hands,
        drop: book.drop,
        buy_ins: BuyIns::of(book),
        cashed_out: book.cashed_out,
        cash_outs: CashOuts::of(book),
        filled: book.filled,
        credited: book.credited,
        decisions: sums.decisions,
        handle: sums.handle,
        hold: sums.won,
        hold_of_handle: share(sums.won, sums.handle),
        hold_of_drop: share(sums.won, book.drop),
        expectation: spread.map(|spread| spread.expectation(&sums)),
        withheld: sums.withheld,
        envy: book.envy,
        mends: book.mends,
        adjusted: book.adjusted,
        mends_by_cage: book.mended_away.by_cage,
        mends_walked: book.mended_away.walked,
        fed: book.fed,
        breakage: book.breakage,
        jackpots: JackpotsHit { count, paid, from_meter, from_house },
        house: book.house(),
        wagers,
    }
}

impl BuyIns {
    fn of(book: &DayBook) -> BuyIns {
        let Bought { markers, coupons, chips } = book.bought;
        BuyIns { cash: book.drop - markers - coupons, markers, coupons, chips }
    }
}

impl CashOuts {
    fn of(book: &DayBook) -> CashOuts {
        let LeftRacks { jackpots, redeemed, tokes, behind: left_behind } = book.left;
        let walk = book.cashed_out - jackpots - redeemed - tokes - left_behind;
        CashOuts { walk, jackpots, redeemed, tokes, left_behind }
    }
}

fn wager_held(
    rules: &str,
    wager: &str,
    figures: &Figures,
    expected: Option<&Expected>,
    spread: Option<&Spread>,
) -> WagerHeld {
    WagerHeld {
        rules: rules.to_owned(),
        wager: wager.to_owned(),
        decisions: figures.decisions,
        handle: figures.handle,
        hold: figures.won,
        hold_of_handle: share(figures.won, figures.handle),
        edge: expected.map(|expected| fraction(&expected.edge)),
        expectation: spread.map(|spread| spread.expectation(figures)),
        withheld: figures.withheld,
    }
}

/// `part` as a percentage of `all`, to four places; nothing of nothing.
fn share(part: Cents, all: Cents) -> Option<f64> {
    let some = all > Cents::ZERO;
    some.then(|| percent(&ratio(part.0, all.0), 4).parse().ok()).flatten()
}

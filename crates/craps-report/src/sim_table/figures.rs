//! What days are summed up in: one list for every way of writing it.

use craps_sim::Counts;
use craps_sim::day::{Books, Figure, MeterBooks, MeterFigure, SeatFigure, Sums};

use super::TableDays;

/// The quantiles of a day that are told.
pub(super) const QUANTILES: [f64; 7] = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];

/// What a figure is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Cents,
    Share,
    Number,
}

/// A figure of a day: its mean over days, the standard error of that, and how far days lie from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Estimate {
    pub(super) mean: f64,
    pub(super) error: Option<f64>,
    pub(super) deviation: Option<f64>,
}

/// A row of a report.
pub(super) struct Row {
    /// What programs call it.
    pub(super) key: &'static str,
    /// What people call it; set in where it belongs to the row above.
    pub(super) name: &'static str,
    pub(super) unit: Unit,
    pub(super) value: Estimate,
}

/// Figures of a day added up, by their places.
type Parts<'a> = &'a [usize];

/// The mean of these figures together.
fn mean<const N: usize>(sums: &Sums<N>, days: u64, parts: Parts<'_>) -> Estimate {
    let days = days as f64;
    let mean = total(sums, parts) / days;
    let variance = (products(sums, parts, parts) / days - mean * mean).max(0.0);
    // Of one day nothing is known about others.
    let sample = (days > 1.0).then(|| variance * days / (days - 1.0));
    let error = sample.map(|variance| (variance / days).sqrt());
    Estimate { mean, error, deviation: sample.map(f64::sqrt) }
}

/// How much some figures are of others, over all days.
fn ratio<const N: usize>(
    sums: &Sums<N>,
    days: u64,
    of: Parts<'_>,
    by: Parts<'_>,
) -> Option<Estimate> {
    let (top, bottom) = (total(sums, of), total(sums, by));
    if bottom == 0.0 {
        return None;
    }
    let (share, days) = (top / bottom, days as f64);
    // What is left of each day once the share is taken off has a mean of nothing.
    let squares = products(sums, of, of) - 2.0 * share * products(sums, of, by)
        + share * share * products(sums, by, by);
    let error = (squares.max(0.0) * days / (days - 1.0)).sqrt() / bottom.abs();
    Some(Estimate { mean: share, error: (days > 1.0).then_some(error), deviation: None })
}

fn total<const N: usize>(sums: &Sums<N>, parts: Parts<'_>) -> f64 {
    parts.iter().map(|part| sums.sums[*part]).sum::<i128>() as f64
}

fn products<const N: usize>(sums: &Sums<N>, one: Parts<'_>, other: Parts<'_>) -> f64 {
    let pairs = one.iter().flat_map(|one| other.iter().map(move |other| (*one, *other)));
    pairs.map(|(one, other)| sums.products[one][other]).sum::<i128>() as f64
}

/// A share of days. Its error is that of a share with one day more on either side: what has not
/// come yet is not impossible.
fn chance(times: u64, days: u64) -> Estimate {
    let share = times as f64 / days as f64;
    let likely = (times as f64 + 1.0) / (days as f64 + 2.0);
    let error = (likely * (1.0 - likely) / days as f64).sqrt();
    Estimate { mean: share, error: Some(error), deviation: None }
}

const WIN: Parts<'static> = &[Figure::BaseWin as usize, Figure::SideWin as usize];
const HANDLE: Parts<'static> = &[Figure::BaseHandle as usize, Figure::SideHandle as usize];
const DROP: Parts<'static> = &[Figure::Drop as usize];

/// The figures of the house, in order.
pub(super) fn house(it: &TableDays) -> Vec<Row> {
    let Books { figures, days, wins, meters, .. } = &it.books;
    let days = *days;
    let mut rows = Vec::new();
    let mut put = |key, name, unit, value: Option<Estimate>| {
        rows.extend(value.map(|value| Row { key, name, unit, value }));
    };
    let money = |parts: Parts<'_>| Some(mean(figures, days, parts));
    let of = |of: Parts<'_>, by: Parts<'_>| ratio(figures, days, of, by);
    let one = |figure: Figure| [figure as usize];
    let side = !of(&one(Figure::SideHandle), HANDLE).is_none_or(|side| side.mean == 0.0);
    let lost = wins.iter().filter(|(win, _)| *win < 0).map(|(_, times)| times).sum();
    put("win", "the house wins", Unit::Cents, money(WIN));
    if side {
        put("base_win", "  on the base game", Unit::Cents, money(&one(Figure::BaseWin)));
        put("side_win", "  on side bets", Unit::Cents, money(&one(Figure::SideWin)));
    }
    put("losing_days", "days the house loses", Unit::Share, Some(chance(lost, days)));
    put("drop", "drop", Unit::Cents, money(DROP));
    put("hold", "hold, of the drop", Unit::Share, of(WIN, DROP));
    put("handle", "handle", Unit::Cents, money(HANDLE));
    if side {
        put("base_handle", "  on the base game", Unit::Cents, money(&one(Figure::BaseHandle)));
        put("side_handle", "  on side bets", Unit::Cents, money(&one(Figure::SideHandle)));
    }
    put("hold_of_handle", "hold, of the handle", Unit::Share, of(WIN, HANDLE));
    if side {
        let [base, base_handle] = [one(Figure::BaseWin), one(Figure::BaseHandle)];
        let [side, side_handle] = [one(Figure::SideWin), one(Figure::SideHandle)];
        put("base_hold", "  of the base game's", Unit::Share, of(&base, &base_handle));
        put("side_hold", "  of the side bets'", Unit::Share, of(&side, &side_handle));
        put("envy", "envy for the dealers", Unit::Cents, money(&one(Figure::Envy)));
    }
    if it.books.figures.sums[Figure::Withheld as usize] > 0 {
        put("withheld", "withheld by the cap", Unit::Cents, money(&one(Figure::Withheld)));
    }
    if !meters.is_empty() {
        put("jackpots", "jackpots", Unit::Number, money(&one(Figure::Jackpots)));
        put("jackpots_paid", "paid by meters", Unit::Cents, money(&one(Figure::JackpotsPaid)));
    }
    put("rolls", "rolls, with those to closing", Unit::Number, money(&one(Figure::Rolls)));
    rows
}

/// The figures of a meter, in order.
pub(super) fn meter(books: &MeterBooks, days: u64) -> Vec<Row> {
    let figures = &books.figures;
    let mut rows = Vec::new();
    let mut put = |key, name, unit, value: Option<Estimate>| {
        rows.extend(value.map(|value| Row { key, name, unit, value }));
    };
    let one = |figure: MeterFigure| [figure as usize];
    let of_day = |figure: MeterFigure| Some(mean(figures, days, &one(figure)));
    let shown = ratio(figures, days, &one(MeterFigure::Shown), &one(MeterFigure::Rolls));
    let paid = ratio(figures, days, &one(MeterFigure::Paid), &one(MeterFigure::Jackpots));
    let highest = Estimate { mean: books.high as f64, error: None, deviation: None };
    put("mean", "shows in the mean", Unit::Cents, shown);
    put("high", "highest of a day", Unit::Cents, of_day(MeterFigure::High));
    put("highest", "highest of all days", Unit::Cents, Some(highest));
    put("end", "in the evening", Unit::Cents, of_day(MeterFigure::End));
    put("jackpots", "jackpots", Unit::Number, of_day(MeterFigure::Jackpots));
    put("days_with", "days with one", Unit::Share, Some(chance(books.days, days)));
    put("jackpot", "a jackpot", Unit::Cents, paid);
    rows
}

/// The figures of a seat, in order; of several alike, together.
pub(super) fn seat(it: &TableDays, seats: std::ops::Range<usize>) -> Vec<Row> {
    let days = it.books.days;
    let each = |figure: SeatFigure| {
        // Seats share their dice, so each is a sample of its own and no more is known of the mean.
        let all = it.books.seats[seats.clone()].iter();
        let all: Vec<_> = all.map(|sums| mean(sums, days, &[figure as usize])).collect();
        let count = all.len() as f64;
        let average = |of: fn(&Estimate) -> Option<f64>| {
            all.iter().map(of).sum::<Option<f64>>().map(|sum| sum / count)
        };
        Estimate {
            mean: all.iter().map(|one| one.mean).sum::<f64>() / count,
            error: average(|one| one.error),
            deviation: average(|one| one.deviation),
        }
    };
    let row = |key, name, unit, figure| Row { key, name, unit, value: each(figure) };
    vec![
        row("result", "result", Unit::Cents, SeatFigure::Result),
        row("drop", "drop", Unit::Cents, SeatFigure::Drop),
        row("handle", "handle", Unit::Cents, SeatFigure::Handle),
        row("ruined", "ruined", Unit::Number, SeatFigure::Ruined),
        row("left", "left", Unit::Number, SeatFigure::Left),
    ]
}

/// The least number that so large a share of all does not exceed.
pub(super) fn quantile(counts: &Counts, share: f64) -> Option<i64> {
    let wanted = ((share * counts.total() as f64).ceil() as u64).max(1);
    let mut so_far = 0;
    let mut numbers = counts.iter();
    numbers.find_map(|(number, times)| {
        so_far += times;
        (so_far >= wanted).then_some(number)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_shares_of_three_days() {
        // 1 of 10, 2 of 10, 6 of 10.
        let mut sums = Sums::<2> { sums: [9, 30], products: [[41, 90], [90, 300]] };
        let near = |value: Option<f64>, expected: f64| {
            assert!((value.unwrap() - expected).abs() < 1e-12, "{value:?} is not {expected}");
        };
        let value = mean(&sums, 3, &[0]);
        near(Some(value.mean), 3.0);
        near(value.deviation, 7f64.sqrt());
        near(value.error, (7f64 / 3.0).sqrt());
        let value = ratio(&sums, 3, &[0], &[1]).unwrap();
        near(Some(value.mean), 0.3);
        // All days have the same of the one, so the share errs as the mean of the other does.
        near(value.error, (7f64 / 3.0).sqrt() / 10.0);
        let both = mean(&sums, 3, &[0, 1]);
        near(Some(both.mean), 13.0);
        near(both.deviation, 7f64.sqrt());
        sums.sums[1] = 0;
        assert!(ratio(&sums, 3, &[0], &[1]).is_none());
        assert_eq!(mean(&Sums::<1> { sums: [4], products: [[16]] }, 1, &[0]).error, None);
    }

    #[test]
    fn what_never_came_may_come() {
        let never = chance(0, 98);
        assert_eq!(never.mean, 0.0);
        assert!((never.error.unwrap() - (0.01 * 0.99 / 98.0_f64).sqrt()).abs() < 1e-12);
        assert!(chance(1, 1).error.unwrap() > 0.4);
    }

    #[test]
    fn quantiles_are_numbers_that_came() {
        let mut counts = Counts::default();
        [(-5, 1), (0, 2), (700, 1)].iter().for_each(|(number, times)| counts.add(*number, *times));
        let quantiles = [0.01, 0.25, 0.26, 0.75, 0.76, 1.0].map(|share| quantile(&counts, share));
        assert_eq!(quantiles.map(Option::unwrap), [-5, -5, 0, 0, 700, 700]);
        assert_eq!(quantile(&Counts::default(), 0.5), None);
    }
}

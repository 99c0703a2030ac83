//! Days at a table: the same on any number of threads, and in the mean what is known exactly.

use std::ops::Range;
use std::sync::Arc;

use craps::{Cents, Library, Rules};
use craps_math::{Par, ParTerms, float};
use craps_plan::{Fault, Plan};
use craps_sim::day::{
    Afterwards, Books, Day, DaySeat, Days, Figure, MeterFigure, SeatFigure, Sums, run_days,
};
use craps_sim::dice::Dice;

use crate::{party, party_plans, party_rules};

fn seat(plan: usize, bankroll: Cents) -> DaySeat {
    let (ruined, left) = (Afterwards::BuysIn, Afterwards::StaysAway);
    DaySeat { plan, bankroll, ruined, left }
}

fn party_day(rolls: u32) -> Day {
    let seats = party().into_iter().map(|(plan, bankroll)| seat(plan, bankroll)).collect();
    Day { rules: party_rules(), meters: vec![None, Some(Cents::dollars(60))], seats, rolls }
}

fn books(
    day: &Day,
    plans: fn() -> Result<Vec<Plan>, Fault>,
    days: Range<u64>,
    threads: usize,
) -> Books {
    let job = Days { day, dice: Dice { seed: 11 }, days, threads };
    run_days(&job, plans, |_| true).unwrap().0
}

#[test]
fn days_are_the_same_on_any_number_of_threads_and_add_up() {
    let day = party_day(300);
    let plans = || Ok(party_plans());
    let all = books(&day, plans, 0..70, 1);
    assert_eq!(all.days, 70);
    assert!(books(&day, plans, 0..70, 2) == all);
    let mut parts = books(&day, plans, 0..13, 1);
    parts.merge(&books(&day, plans, 13..70, 2));
    assert!(parts == all);
    assert!(books(&day, plans, 1..71, 2) != all);
}

/// Everything players have lost is somewhere: with the house, the dealers or the meters.
#[test]
fn the_books_of_days_balance() {
    let day = party_day(200);
    let all = books(&day, || Ok(party_plans()), 0..40, 1);
    let figure = |figure: Figure| all.figures.sums[figure as usize];
    let seats = |figure: SeatFigure| -> i128 {
        all.seats.iter().map(|seat| seat.sums[figure as usize]).sum()
    };
    assert_eq!(figure(Figure::Drop), seats(SeatFigure::Drop));
    let handle = figure(Figure::BaseHandle) + figure(Figure::SideHandle);
    assert_eq!(handle, seats(SeatFigure::Handle));
    let win = figure(Figure::BaseWin) + figure(Figure::SideWin);
    let known: i128 = all.wins.iter().map(|(win, days)| i128::from(win) * i128::from(days)).sum();
    assert_eq!(win, known);
    // What the meters have grown by, reserves included, is all that is left.
    let kept = -seats(SeatFigure::Result) - figure(Figure::Envy) - win;
    let shown: i128 = all.meters.iter().map(|it| it.figures.sums[MeterFigure::End as usize]).sum();
    let shown = shown - i128::from(all.days) * (100_000 + 6_000);
    assert!(shown <= kept && kept < 2 * shown.abs() + 200_000, "{kept} {shown}");
    assert!(figure(Figure::Withheld) > 0 && seats(SeatFigure::Ruined) > 0);
    let jackpots = figure(Figure::Jackpots);
    let counted: u64 = all.meters.iter().map(|meter| meter.jackpots.total()).sum();
    assert_eq!(jackpots, i128::from(counted));
}

/// How many standard errors a share of two sums, times so much, is from what it should be.
#[expect(clippy::float_arithmetic, reason = "errors of samples")]
fn errors<const N: usize>(sums: &Sums<N>, days: u64, of: usize, by: usize, share: f64) -> f64 {
    let days = days as f64;
    let [top, bottom] = [of, by].map(|figure| sums.sums[figure] as f64 / days);
    let product = |one: usize, other: usize| sums.products[one][other] as f64 / days;
    // What is left of each day once its share is taken off, squared.
    let square = product(of, of) - 2.0 * share * product(of, by) + share * share * product(by, by);
    let mean = top - share * bottom;
    mean / ((square - mean * mean) / days).sqrt()
}

#[test]
fn the_house_keeps_the_edge() {
    let library = Library::embedded();
    let rules = Arc::new(Rules::named(&library, &["presque-isle"]).unwrap());
    let plans = || Ok(vec![Plan::parse("two", "want(\"pass\", 10);", &[])?]);
    let seats = vec![seat(0, Cents::dollars(100)), seat(0, Cents::dollars(1_000))];
    let day = Day { rules, meters: Vec::new(), seats, rolls: 200 };
    let all = books(&day, plans, 0..4_000, 2);
    let (win, handle) = (Figure::BaseWin as usize, Figure::BaseHandle as usize);
    let away = errors(&all.figures, all.days, win, handle, 7.0 / 495.0);
    assert!(away.abs() < 5.0, "{away}");
    // It can tell another edge from this one.
    assert!(errors(&all.figures, all.days, win, handle, -0.02).abs() > 5.0);
}

#[test]
fn a_meter_is_won_at_the_amount_its_sheet_says() {
    let rules = party_rules();
    let sheet = Par::of(&rules, "often", ParTerms::default()).unwrap();
    let mean = float(&sheet.progressive.unwrap().mean_meter().unwrap());
    let plans = || Ok(vec![Plan::parse("often", "want(\"often\", 1);", &[])?]);
    let day = Day {
        rules,
        meters: Vec::new(),
        seats: vec![seat(0, Cents::dollars(1_000))],
        rolls: 20_000,
    };
    let all = books(&day, plans, 0..60, 2);
    let meter = &all.meters[1];
    let (paid, jackpots) = (MeterFigure::Paid as usize, MeterFigure::Jackpots as usize);
    // A meter pays whole cents, half a cent less in the mean.
    let away = errors(&meter.figures, all.days, paid, jackpots, mean - 0.5);
    assert!(away.abs() < 5.0, "{away}");
    assert!(errors(&meter.figures, all.days, paid, jackpots, mean * 1.03).abs() > 5.0);
    assert_eq!(meter.days, 60);
}

//! What a seat is offered and what its actions bring down: amounts, even stakes, odds that follow
//! their flat bet.

use craps::action::{Amounts, Offer, offers};
use craps::{Action, Cents, Hand, Layout, Puck, Refusal, Rules, Spot, State, Total, act};

use crate::{rules, rules_with};

fn point(number: u8) -> State {
    let puck = Total::new(number).map_or(Puck::Off, Puck::On);
    State { hand: Hand { puck, ..Hand::default() }, layout: Layout::default() }
}

/// What a seat with so much in the rack is offered on `wager`.
fn offer(rules: &Rules, state: &State, wager: &str, rack: Cents) -> Offer {
    let spot = rules.spot(wager).unwrap();
    let offers = offers(rules, &state.hand, &state.layout, rack);
    offers.into_iter().find(|offer| offer.spot == spot).unwrap()
}

fn amounts(least: i64, most: i64, step: i64) -> Amounts {
    let [least, most, step] = [least, most, step].map(Cents::dollars);
    Amounts { least, most, step }
}

/// An even stake on `wager`, with the puck on `number` or OFF.
#[track_caller]
fn even(rules: &Rules, number: u8, wager: &str, cents: i64) {
    let offer = offer(rules, &point(number), wager, Cents::dollars(100));
    assert_eq!(offer.even, Cents(cents), "{wager}");
}

#[test]
fn amounts_go_in_steps_from_the_least() {
    let amounts = amounts(3, 11, 4);
    let contained = (0..20).filter(|dollars| amounts.contains(Cents::dollars(*dollars)));
    assert_eq!(contained.collect::<Vec<i64>>(), [3, 7, 11]);
}

/// Fifteen is the first multiple of five that is not below twelve: so much goes up at first, and
/// so much stays when some of it is taken.
#[test]
fn a_minimum_between_two_units_is_rounded_up() {
    let rules = rules_with(&["presque-isle"], &[("place.min", "12"), ("place.unit", "5")]);
    for (up, put, take) in [
        (0, amounts(15, 100, 5), None),
        (15, amounts(5, 100, 5), None),
        (20, amounts(5, 100, 5), Some(amounts(5, 5, 5))),
        (35, amounts(5, 100, 5), Some(amounts(5, 20, 5))),
    ] {
        let mut state = point(0);
        state.put(&rules, rules.spot("place 6").unwrap(), Cents::dollars(up));
        let offer = offer(&rules, &state, "place 6", Cents::dollars(100));
        assert_eq!((offer.put, offer.take_part), (Ok(put), take), "{up}");
    }
}

/// A buy costs its stake and a twentieth of it, and the last cent of a rack may go into it.
#[test]
fn what_is_offered_can_be_paid_with_its_commission() {
    let rules = rules(&["presque-isle"]);
    let put = |cents| offer(&rules, &point(0), "buy 4", Cents(cents)).put;
    assert_eq!(put(2100), Ok(amounts(1, 20, 1)));
    assert_eq!(put(2099), Ok(amounts(1, 19, 1)));
    assert_eq!(put(105), Ok(amounts(1, 1, 1)));
    let short = Refusal::ShortRack { rack: Cents(104), needs: Cents(105) };
    assert_eq!(put(104), Err(short));
}

/// The smallest stake that the pay of the number turns into whole dollars.
#[test]
fn a_stake_is_even_where_it_wins_whole_dollars() {
    let rules = rules(&["presque-isle"]);
    for (point, wager, dollars) in [
        (0, "place 4", 5),
        (0, "place 9", 5),
        (0, "place 6", 6),
        (0, "buy 10", 1),
        (0, "buy 5", 2),
        (0, "buy 8", 5),
        (0, "lay 4", 2),
        (0, "lay 9", 3),
        (0, "lay 6", 6),
        (4, "odds pass", 1),
        (5, "odds pass", 2),
        (8, "odds pass", 5),
        (10, "odds dont-pass", 2),
        (5, "odds dont-pass", 3),
        (6, "odds dont-pass", 6),
        (4, "odds come 9", 2),
    ] {
        even(&rules, point, wager, dollars * 100);
    }
}

#[test]
fn without_a_number_every_unit_is_even() {
    let rules = rules(&["presque-isle"]);
    for (wager, dollars) in [("odds pass", 1), ("field", 1), ("horn", 4)] {
        even(&rules, 0, wager, dollars * 100);
    }
}

/// Even stakes are whole units too, and win whole payout units where those are more than a dollar.
#[test]
fn units_of_stakes_and_payouts_make_even_stakes_larger() {
    let fives = rules_with(&["presque-isle"], &[("place.unit", "5")]);
    even(&fives, 0, "place 4", 500);
    even(&fives, 0, "place 6", 3000);
    let halves = rules_with(&["presque-isle"], &[("buy.unit", "0.50"), ("place.unit", "0.50")]);
    even(&halves, 0, "buy 4", 50);
    even(&halves, 0, "place 6", 600);
    let paid_in_fives = rules_with(&["presque-isle"], &[("payout-unit", "5")]);
    even(&paid_in_fives, 0, "place 6", 3000);
    let paid_in_halves = rules_with(&["presque-isle"], &[("payout-unit", "0.50")]);
    even(&paid_in_halves, 0, "place 6", 600);
}

/// Ten dollars on Don't Pass carry odds that win thirty: sixty on a point of 4.
#[test]
fn odds_stay_as_they_are_behind_a_flat_bet_that_carries_them() {
    let rules = rules(&["presque-isle"]);
    let (flat, odds) = (rules.spot("dont-pass").unwrap(), rules.spot("odds dont-pass").unwrap());
    let mut state = point(4);
    state.put(&rules, flat, Cents::dollars(20));
    state.put(&rules, odds, Cents::dollars(60));
    let take = Action::Take { spot: flat, amount: Some(Cents::dollars(10)) };
    let change = act(&rules, &state.hand, &state.layout, Cents::ZERO, take).unwrap();
    let changed: Vec<Spot> = change.bets.iter().map(|bet| bet.spot).collect();
    assert_eq!((changed, change.chips), (vec![flat], Cents::dollars(-10)));
}

/// Where the smaller flat bet carries the least that odds may be they stay, and else none do.
#[test]
fn odds_below_their_minimum_come_back_whole() {
    let rules = rules_with(&["presque-isle"], &[("odds dont-pass.min", "60")]);
    let (flat, odds) = (rules.spot("dont-pass").unwrap(), rules.spot("odds dont-pass").unwrap());
    for (less, chips, left) in [(10, 10 + 60, 60), (11, 11 + 120, 0)] {
        let mut state = point(4);
        state.put(&rules, flat, Cents::dollars(20));
        state.put(&rules, odds, Cents::dollars(120));
        let take = Action::Take { spot: flat, amount: Some(Cents::dollars(less)) };
        assert_eq!(state.act(&rules, Cents::ZERO, take), Ok(Cents::dollars(-chips)));
        let stands = state.layout.bet(odds).map_or(Cents::ZERO, |bet| bet.stake);
        assert_eq!(stands, Cents::dollars(left));
    }
}

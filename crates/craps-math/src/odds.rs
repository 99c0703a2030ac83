//! Odds by themselves. They have no life of their own, so they are followed together with their
//! flat bet, from a puck on their number until both are decided, and then priced alone.

use craps::chain::Label;
use craps::{Bet, Cents, Chain, Hand, Layout, OnOff, Puck, Roll, Rules, Spot, State, Total};

use crate::chance::{Ratio, ratio};
use crate::price::{Endings, Terms};
use crate::stake::exact_stake;
use crate::target::{Target, Unpriced, solved_from};

/// What was put up, every way it can end, and the mean number of rolls to that. Without a number
/// of their own the odds stand on each as often as the dice make it the point.
pub(crate) fn alone(
    rules: &Rules,
    target: &Target,
    number: Option<Total>,
    stake: Option<Cents>,
) -> Result<(Cents, Endings, Ratio), Unpriced> {
    let odds = target.spot;
    let rule = rules.spot_rule(odds);
    let flat = rule.flat.ok_or_else(|| Unpriced::NoOdds(target.name.clone()))?;
    let behind = Target { spot: flat, odds: None, name: target.name.clone() };
    let put_up = stake.map_or_else(|| exact_stake(rules, &behind), Ok)?;
    let numbers: Vec<Total> = match number.or(rule.number) {
        Some(number) => vec![number],
        None => rules.points.iter().collect(),
    };
    let ways = |number: Total| Roll::all().filter(|roll| roll.total() == number).count() as i64;
    let all: i64 = numbers.iter().copied().map(ways).sum();
    let (mut labels, mut rolls) = (Vec::new(), Ratio::ZERO);
    for number in numbers {
        let often = ratio(ways(number), all);
        let chain =
            Chain::explore(rules, with_odds(flat, odds, number, put_up), |_| {}, Chain::LIMIT);
        let (chain, solution) = solved_from(chain.map(|chain| chain.minimised()), target)?;
        rolls += &often * &solution.rolls;
        labels.extend(
            solution.endings.into_iter().map(|(label, chance)| {
                (only(&chain.labels()[label as usize], odds), &often * chance)
            }),
        );
    }
    let endings = Endings::of_labels(rules, labels.iter(), Terms::default());
    Ok((put_up, endings, rolls))
}

fn with_odds(flat: Spot, odds: Spot, number: Total, stake: Cents) -> State {
    let hand = Hand { puck: Puck::On(number), ..Hand::default() };
    let mut layout = Layout::default();
    for spot in [flat, odds] {
        layout.set(Bet { spot, call: OnOff::House, stake, vig: Cents::ZERO });
    }
    State { hand, layout }
}

/// What became of the bet on one spot.
fn only(label: &Label, spot: Spot) -> Label {
    let fates = label.fates.iter().filter(|(bet, _)| bet.spot == spot).copied().collect();
    Label { fates, working: label.working }
}

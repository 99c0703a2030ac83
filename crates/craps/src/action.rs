//! What a player may do between rolls: put chips down, take them up, call a bet on or off.

use crate::hand::Hand;
use crate::layout::{Bet, Layout};
use crate::money::Cents;
use crate::refusal::Refusal;
use crate::rules::Rules;
use crate::spot::{OnOff, Spot};
use crate::wager::{Due, PaysKey, Take};
use crate::window::{self, number_of};

/// One thing a player does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// `pass 10`: put this much more on a spot.
    Put {
        /// Where.
        spot: Spot,
        /// How much more.
        amount: Cents,
    },
    /// `take odds by 5`, `take odds`: take this much back, or all of it.
    Take {
        /// Where.
        spot: Spot,
        /// How much less, or everything.
        amount: Option<Cents>,
    },
    /// `on hard 6`, `off hard 6`: call a bet on or off.
    Call {
        /// Where.
        spot: Spot,
        /// What is called.
        call: OnOff,
    },
}

impl Action {
    /// The spot it is about.
    pub fn spot(&self) -> Spot {
        match self {
            Action::Put { spot, .. } | Action::Take { spot, .. } | Action::Call { spot, .. } => {
                *spot
            }
        }
    }
}

/// What an accepted action changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The bets as they now stand; a stake of zero is a bet taken down.
    pub bets: Vec<Bet>,
    /// Chips moved from the rack to the layout; less than zero when they come back.
    pub chips: Cents,
    /// The hand afterwards: a side bet starts its tracker.
    pub hand: Hand,
}

/// Decides an action of a seat with these bets and this rack, or says why not.
pub fn act(
    rules: &Rules,
    hand: &Hand,
    layout: &Layout,
    rack: Cents,
    action: Action,
) -> Result<Change, Refusal> {
    match action {
        Action::Put { spot, amount } => put(rules, hand, layout, rack, spot, amount),
        Action::Take { spot, amount } => take(rules, hand, layout, spot, amount),
        Action::Call { spot, call } => {
            let wager = || rules.spot_rule(spot).notation.clone();
            let bet = layout.bet(spot).ok_or_else(|| Refusal::NoBet { wager: wager() })?;
            if !rules.wager_at(spot).standing.callable {
                return Err(Refusal::NotCallable { wager: wager() });
            }
            let bets = vec![Bet { call, ..bet }];
            Ok(Change { bets, chips: Cents::ZERO, hand: *hand })
        }
    }
}

fn put(
    rules: &Rules,
    hand: &Hand,
    layout: &Layout,
    rack: Cents,
    spot: Spot,
    amount: Cents,
) -> Result<Change, Refusal> {
    window::check(rules, hand, layout, spot)?;
    if amount <= Cents::ZERO {
        return Err(Refusal::ZeroAmount);
    }
    let up = layout.bet(spot);
    let before = up.map_or(Cents::ZERO, |bet| bet.stake);
    let wager = rules.wager_at(spot);
    let max = most(rules, hand, layout, spot);
    let stake = before.0.checked_add(amount.0).map(Cents).ok_or(Refusal::OverLimit { max })?;
    if !stake.is_multiple_of(wager.limits.unit) {
        return Err(Refusal::NotAMultiple { unit: wager.limits.unit });
    }
    if stake < wager.limits.min {
        return Err(Refusal::UnderMinimum { min: wager.limits.min });
    }
    if stake > max {
        return Err(Refusal::OverLimit { max });
    }
    let vig = rules.vig(spot, stake);
    let chips = amount + vig - up.map_or(Cents::ZERO, |bet| bet.vig);
    if chips > rack {
        return Err(Refusal::ShortRack { rack, needs: chips });
    }
    let call = up.map_or(OnOff::House, |bet| bet.call);
    let mut hand = *hand;
    if let (None, Some(tracker)) = (up, rules.spot_rule(spot).tracker) {
        let tracker = &mut hand.trackers[usize::from(tracker)];
        *tracker = tracker.joined();
    }
    Ok(Change { bets: vec![Bet { spot, call, stake, vig }], chips, hand })
}

fn take(
    rules: &Rules,
    hand: &Hand,
    layout: &Layout,
    spot: Spot,
    amount: Option<Cents>,
) -> Result<Change, Refusal> {
    let rule = rules.spot_rule(spot);
    let wager = || rule.notation.clone();
    let bet = layout.bet(spot).ok_or_else(|| Refusal::NoBet { wager: wager() })?;
    if is_locked(rules, hand, spot) {
        return Err(Refusal::Locked { wager: wager() });
    }
    let amount = amount.unwrap_or(bet.stake);
    if amount <= Cents::ZERO {
        return Err(Refusal::ZeroAmount);
    }
    let limits = rules.wager_at(spot).limits;
    let stake = bet.stake - amount;
    if !stake.is_multiple_of(limits.unit) {
        return Err(Refusal::NotAMultiple { unit: limits.unit });
    }
    if stake < Cents::ZERO {
        return Err(Refusal::NotThatMuch { up: bet.stake });
    }
    if stake > Cents::ZERO && stake < limits.min {
        return Err(Refusal::UnderMinimum { min: limits.min });
    }
    Ok(lowered(rules, hand, layout, bet, stake))
}

/// Gives a whole bet back, also one that must stay until it is decided: not what a player may do,
/// but what the house may.
pub(crate) fn give_back(
    rules: &Rules,
    hand: &Hand,
    layout: &Layout,
    spot: Spot,
) -> Result<Change, Refusal> {
    let wager = || rules.spot_rule(spot).notation.clone();
    let bet = layout.bet(spot).ok_or_else(|| Refusal::NoBet { wager: wager() })?;
    Ok(lowered(rules, hand, layout, bet, Cents::ZERO))
}

/// A bet brought down to `stake`, and all that comes down with it.
fn lowered(rules: &Rules, hand: &Hand, layout: &Layout, bet: Bet, stake: Cents) -> Change {
    let rule = rules.spot_rule(bet.spot);
    let left = with_stake(rules, bet, stake);
    let mut bets = vec![left];
    let mut chips = left.outlay() - bet.outlay();
    let mut hand = *hand;
    if let (Cents::ZERO, Some(tracker)) = (stake, rule.tracker) {
        let tracker = &mut hand.trackers[usize::from(tracker)];
        *tracker = tracker.left(rules.wager_at(bet.spot).shared.lammers);
    }
    // Odds follow their flat bet: what the smaller flat bet does not carry comes back at once.
    if let Some(odds) = rule.odds.and_then(|odds| layout.bet(odds)) {
        let limits = rules.wager_at(odds.spot).limits;
        let number = number_of(rules, &hand, odds.spot).expect("odds stand on a number");
        let most = rules.odds_most(odds.spot, number, stake).unwrap_or(Cents::ZERO);
        if odds.stake > most {
            let kept = if most < limits.min { Cents::ZERO } else { most };
            let trimmed = with_stake(rules, odds, kept);
            chips += trimmed.outlay() - odds.outlay();
            bets.push(trimmed);
        }
    }
    Change { bets, chips, hand }
}

fn with_stake(rules: &Rules, bet: Bet, stake: Cents) -> Bet {
    let vig = if stake == Cents::ZERO { stake } else { rules.vig(bet.spot, stake) };
    Bet { stake, vig, ..bet }
}

/// Whether a bet must stay until it is decided.
pub(crate) fn is_locked(rules: &Rules, hand: &Hand, spot: Spot) -> bool {
    match rules.wager_at(spot).take {
        Take::AnyTime => false,
        Take::UntilSet => number_of(rules, hand, spot).is_some(),
        Take::UntilRiding => {
            let tracker = rules.spot_rule(spot).tracker.expect("only tracked wagers ride");
            hand.trackers[usize::from(tracker)].is_standing()
        }
    }
}

/// The most a bet on `spot` may be in all.
fn most(rules: &Rules, hand: &Hand, layout: &Layout, spot: Spot) -> Cents {
    let limits = rules.wager_at(spot).limits;
    let odds = rules.spot_rule(spot).flat.and_then(|flat| {
        let flat = layout.bet(flat)?;
        rules.odds_most(spot, number_of(rules, hand, spot)?, flat.stake)
    });
    match (odds, limits.max) {
        (Some(odds), Some(max)) => odds.min(max),
        (Some(odds), None) => odds,
        (None, max) => max.unwrap_or(Cents::MOST),
    }
}

/// What may be done with one spot at this moment, in full agreement with [`act`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The spot.
    pub spot: Spot,
    /// How much may be put there, or why nothing.
    pub put: Result<Amounts, Refusal>,
    /// How much may be taken back in part; nothing where only all of it may go.
    pub take_part: Option<Amounts>,
    /// Whether the whole bet may be taken down.
    pub take_all: Result<(), Refusal>,
    /// Whether it may be called on and off.
    pub call: Result<(), Refusal>,
    /// Stakes that are multiples of this win whole dollars, where the number is set.
    pub even: Cents,
}

/// The amounts from `least` to `most` in steps of `step`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amounts {
    /// The least.
    pub least: Cents,
    /// The most.
    pub most: Cents,
    /// The step between two amounts.
    pub step: Cents,
}

impl Amounts {
    /// Whether `amount` is one of them.
    pub fn contains(&self, amount: Cents) -> bool {
        (self.least..=self.most).contains(&amount)
            && (amount - self.least).is_multiple_of(self.step)
    }
}

/// Everything a seat may do now, spot by spot.
pub fn offers(rules: &Rules, hand: &Hand, layout: &Layout, rack: Cents) -> Vec<Offer> {
    let offer = |spot| {
        let act = |action| act(rules, hand, layout, rack, action);
        Offer {
            spot,
            put: puttable(rules, hand, layout, rack, spot),
            take_part: takeable(rules, hand, layout, spot),
            take_all: act(Action::Take { spot, amount: None }).map(|_| ()),
            call: act(Action::Call { spot, call: OnOff::On }).map(|_| ()),
            even: even(rules, hand, spot),
        }
    };
    rules.spots().map(offer).collect()
}

/// The smallest stake on `spot`, in whole units, that wins whole dollars (or whole payout units,
/// where those are larger): 6 dollars on place 6, 2 behind a point of 5.
pub(crate) fn even(rules: &Rules, hand: &Hand, spot: Spot) -> Cents {
    let wager = rules.wager_at(spot);
    let unit = wager.limits.unit;
    let number = number_of(rules, hand, spot).map(|number| PaysKey::Number(number.number()));
    match number.and_then(|key| wager.pays.due(key)) {
        Some(Due::Pays(pays)) => {
            let grain = rules.payout_unit.max(Cents(100)).0 * i64::from(pays.den);
            Cents(unit.0 * (grain / gcd(grain, unit.0 * i64::from(pays.num))))
        }
        _ => unit,
    }
}

fn gcd(one: i64, other: i64) -> i64 {
    if other == 0 { one } else { gcd(other, one % other) }
}

fn puttable(
    rules: &Rules,
    hand: &Hand,
    layout: &Layout,
    rack: Cents,
    spot: Spot,
) -> Result<Amounts, Refusal> {
    window::check(rules, hand, layout, spot)?;
    let limits = rules.wager_at(spot).limits;
    let step = limits.unit;
    let up = layout.bet(spot);
    let before = up.map_or(Cents::ZERO, |bet| bet.stake);
    let max = most(rules, hand, layout, spot).floor_to(step);
    let least_stake = (before + step).max(limits.least());
    if least_stake > max {
        return Err(Refusal::OverLimit { max });
    }
    let needs = |stake: Cents| {
        let vig = rules.vig(spot, stake) - up.map_or(Cents::ZERO, |bet| bet.vig);
        stake - before + vig
    };
    if needs(least_stake) > rack {
        return Err(Refusal::ShortRack { rack, needs: needs(least_stake) });
    }
    // Chips needed grow with the stake, so the largest affordable one is found by halving.
    let (mut low, mut high) = (0, (max - least_stake).0 / step.0);
    while low < high {
        let middle = (low + high + 1) / 2;
        let affordable = needs(least_stake + Cents(middle * step.0)) <= rack;
        (low, high) = if affordable { (middle, high) } else { (low, middle - 1) };
    }
    let least = least_stake - before;
    Ok(Amounts { least, most: least + Cents(low * step.0), step })
}

fn takeable(rules: &Rules, hand: &Hand, layout: &Layout, spot: Spot) -> Option<Amounts> {
    let bet = layout.bet(spot)?;
    let limits = rules.wager_at(spot).limits;
    let most = bet.stake - limits.least();
    let parts = most >= limits.unit && !is_locked(rules, hand, spot);
    parts.then_some(Amounts { least: limits.unit, most, step: limits.unit })
}

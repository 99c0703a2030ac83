//! Betting windows: whether a spot may be bet on now.

use crate::dice::Total;
use crate::hand::{Begun, Hand};
use crate::layout::{Bet, Layout};
use crate::puck::Puck;
use crate::refusal::{NotNow, Refusal};
use crate::rules::Rules;
use crate::sight::Sight;
use crate::spot::Spot;
use crate::tracker::Tracker;
use crate::wager::{DicePass, Lammers, OnceSet, Opens, PuckMust, Rebet, Shape, Wager, Window};

/// Whether `spot` may be bet on now, or why not.
pub(crate) fn check(
    rules: &Rules,
    hand: &Hand,
    layout: &Layout,
    spot: Spot,
) -> Result<(), Refusal> {
    let rule = rules.spot_rule(spot);
    let wager = rules.wager_at(spot);
    // A line bet that is up with its number set is added to between any two rolls.
    let raised = wager.once_set != OnceSet::Nothing
        && layout.bet(spot).is_some()
        && number_of(rules, hand, spot).is_some();
    let closed = if raised {
        None
    } else if !rule.direct {
        Some(NotNow::Travel)
    } else if rule
        .flat
        .is_some_and(|flat| layout.bet(flat).is_none() || number_of(rules, hand, spot).is_none())
    {
        Some(NotNow::FlatBet)
    } else {
        let tracker = rule.tracker.map(usize::from);
        closed_by_bets(rules, hand, wager, tracker)
            .or(closed_by_puck(hand, wager.window.puck))
            .or((wager.window.line_bet && !has_line_bet(rules, layout)).then_some(NotNow::LineBet))
    };
    match closed {
        Some(why) => Err(Refusal::NotNow { wager: rule.notation.clone(), why }),
        None => Ok(()),
    }
}

/// What of a hand, beside the puck, decides whether `spot` may be bet on or taken down: the same
/// trackers and totals, the same answers.
pub(crate) fn looks_at(rules: &Rules, spot: Spot) -> Sight {
    let tracker = rules.spot_rule(spot).tracker.map(usize::from);
    let own = tracker.map_or(Sight::NOTHING, Sight::tracker);
    let wager = rules.wager_at(spot);
    match wager.window.opens {
        Opens::Always | Opens::Idle => own,
        Opens::FamilyIdle => {
            let all = rules.trackers.iter().enumerate();
            let family = all
                .filter(|(_, rule)| rules.wager_at(rule.spot).shared.family == wager.shared.family);
            family.fold(own, |sight, (place, _)| sight.and(Sight::tracker(place)))
        }
        Opens::NewShooter => own.and(Sight::MEMORY),
        Opens::AfterSeven { .. } => {
            let all = 0..rules.trackers.len();
            all.fold(Sight::MEMORY, |sight, place| sight.and(Sight::tracker(place)))
        }
    }
}

impl Rules {
    /// The points with which a bet on `spot` may be made that tell it from one on a come-out.
    /// Only the table's lammers hear the puck; nothing for other wagers.
    pub fn points_to_begin_on(&self, spot: Spot) -> Vec<Total> {
        let Some(place) = self.tracker_at(spot) else { return Vec::new() };
        let Window { puck, opens, .. } = self.wager_at(spot).window;
        let open = match opens {
            Opens::Always | Opens::Idle | Opens::FamilyIdle => puck == PuckMust::LieAnywhere,
            Opens::AfterSeven { rebet } => puck == PuckMust::LieAnywhere && rebet != Rebet::No,
            Opens::NewShooter => false,
        };
        // A point it does not hear of has to be made or missed before one that it does.
        let told_apart = |point: Total| self.trackers[place].tells_apart(Puck::On(point));
        let tells = open && self.points.iter().any(told_apart);
        self.points.iter().filter(|_| tells).collect()
    }

    /// Whether a bet on `spot` may begin with lammers that lie there already.
    pub fn may_join_lammers(&self, spot: Spot) -> bool {
        let wager = self.wager_at(spot);
        let after_seven = Opens::AfterSeven { rebet: Rebet::No };
        let found = wager.shared.lammers == Lammers::Always && wager.window.opens != after_seven;
        self.tracker_at(spot).is_some() && (wager.window.opens == Opens::Always || found)
    }
}

fn closed_by_puck(hand: &Hand, must: PuckMust) -> Option<NotNow> {
    match (must, hand.puck.is_off()) {
        (PuckMust::BeOff, false) => Some(NotNow::ComeOut),
        (PuckMust::BeOn, true) => Some(NotNow::PointOn),
        _ => None,
    }
}

fn closed_by_bets(
    rules: &Rules,
    hand: &Hand,
    wager: &Wager,
    tracker: Option<usize>,
) -> Option<NotNow> {
    let rides = || tracker.is_some_and(|tracker| hand.trackers[tracker].is_standing());
    match wager.window.opens {
        Opens::Always => None,
        Opens::FamilyIdle => family_rides(rules, hand, wager).then_some(NotNow::FamilyRiding),
        Opens::Idle | Opens::AfterSeven { .. } | Opens::NewShooter if rides() => {
            Some(NotNow::Riding)
        }
        Opens::Idle => None,
        Opens::NewShooter => {
            let passed = wager.shared.dice_pass != DicePass::Stays;
            let open = hand.begun == Begun::No || passed && hand.begun == Begun::ByAnother;
            (!open).then_some(NotNow::NewShooter)
        }
        Opens::AfterSeven { .. } => {
            (!opened_by_last_roll(rules, hand, tracker)).then_some(NotNow::Seven)
        }
    }
}

/// Whether a Pass or Don't Pass bet is up.
pub fn has_line_bet(rules: &Rules, layout: &Layout) -> bool {
    let line =
        |bet: &Bet| matches!(rules.wager_at(bet.spot).shape, Shape::Line { travels: false, .. });
    layout.bets().iter().any(line)
}

/// Washington's window: the last roll was a seven, or none has been made, or (where the house
/// allows a re-bet) it completed this wager, or completed another and none of the numbers this
/// one adds to it has come since the last seven.
fn opened_by_last_roll(rules: &Rules, hand: &Hand, tracker: Option<usize>) -> bool {
    if hand.seen.is_empty() {
        return true;
    }
    let Some(mine) = tracker else { return false };
    let rule = &rules.trackers[mine];
    if rule.rebet == Rebet::No {
        return false;
    }
    rules.trackers.iter().zip(&hand.trackers).enumerate().any(|(place, (other, state))| {
        let added = rule.numbers.difference(other.numbers);
        let joins = !added.is_empty() && added.intersection(hand.seen).is_empty();
        state.done && (place == mine || joins)
    })
}

fn family_rides(rules: &Rules, hand: &Hand, wager: &Wager) -> bool {
    let mut trackers = rules.trackers.iter().zip(&hand.trackers);
    trackers.any(|(rule, tracker)| {
        Tracker::is_standing(*tracker)
            && rules.wager_at(rule.spot).shared.family == wager.shared.family
    })
}

/// The number a line bet or its odds stand on.
pub(crate) fn number_of(rules: &Rules, hand: &Hand, spot: Spot) -> Option<Total> {
    let rule = rules.spot_rule(spot);
    let line = rule.flat.unwrap_or(spot);
    match rules.wager_at(line).shape {
        Shape::Line { travels: false, .. } => hand.puck.point(),
        _ => rule.number,
    }
}

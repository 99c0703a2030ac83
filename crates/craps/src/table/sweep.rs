//! Side bets whose run ends when the dice go to another before the seven-out: they come down,
//! returned or lost as their house has it.

use super::{Event, Parts, Swept, Table};
use crate::account::Seat;
use crate::fate::Fate;
use crate::hand::Begun;
use crate::money::Cents;
use crate::rules::Rules;
use crate::settle::{SeatFate, Settlement, settle};
use crate::spot::Spot;
use crate::tracker::Riding;
use crate::wager::DicePass;

/// What the dice going to another does, where it does anything.
pub(super) fn swept(table: &Table, rules: &Rules) -> Option<Event> {
    let mut hand = table.parts.hand;
    if hand.begun == Begun::Yes {
        hand.begun = Begun::ByAnother;
    }
    for (place, spot) in rules.tracked().enumerate() {
        if rules.wager_at(spot).shared.dice_pass != DicePass::Stays {
            hand.trackers[place] = hand.trackers[place].swept();
        }
    }
    // Where no die has been thrown on a bet, it is one on whoever throws next.
    let fate = |spot| match rules.wager_at(spot).shared.dice_pass {
        DicePass::Returned if !is_fresh(table, rules, spot) => Some(Fate::Return),
        DicePass::Lost if !is_fresh(table, rules, spot) => Some(Fate::Lose),
        _ => None,
    };
    let bets = table
        .players()
        .flat_map(|(seat, player)| player.layout.bets().iter().map(move |bet| (seat, *bet)));
    let fates: Vec<SeatFate> =
        bets.filter_map(|(seat, bet)| Some((seat, bet, fate(bet.spot)?))).collect();
    if fates.is_empty() && hand == table.parts.hand {
        return None;
    }
    let mut settlement = Settlement::default();
    settle(rules, fates, Cents::ZERO, &mut settlement);
    Some(Event::Swept(Box::new(Swept { hand, settlement })))
}

fn is_fresh(table: &Table, rules: &Rules, spot: Spot) -> bool {
    let tracker = rules.tracker_at(spot).map(|place| table.parts.hand.trackers[place]);
    tracker.is_some_and(|tracker| tracker.riding == Riding::Fresh)
}

/// What a sweep changes. The roll before it can no longer be taken back.
pub(super) fn sweep(table: &mut Parts, swept: &Swept) {
    let Swept { hand, settlement } = swept;
    table.accounts.book(&settlement.postings);
    for (place, player) in table.seats.iter_mut().enumerate() {
        let Some(player) = player else { continue };
        let seat = Seat(place as u8);
        player.layout.settle(settlement.lines.iter().filter(|line| line.seat == seat));
    }
    table.hand = *hand;
    table.before_roll = None;
}

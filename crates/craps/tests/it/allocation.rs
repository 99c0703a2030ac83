//! The three steps of a roll allocate nothing once their buffers have grown.

use craps::{Bet, Call, Cents, Hand, Layout, Rules, Seat, Settlement, call, put, resolve, settle};

use crate::{Lehmer, everything};

fn spots(rules: &Rules, names: &[&str]) -> Vec<craps::Spot> {
    names.iter().map(|name| rules.spot(name).unwrap()).collect()
}

#[test]
fn a_roll_allocates_nothing() {
    let rules = everything();
    let held = spots(
        &rules,
        &[
            "pass",
            "odds pass",
            "place 6",
            "buy 4",
            "hard 8",
            "all-small",
            "make-em-all",
            "fired-up",
        ],
    );
    let mut hand = Hand::default();
    let mut layout = Layout::default();
    let mut settlement = Settlement::default();
    let mut dice = Lehmer(7);
    let mut step = |dice: &mut Lehmer| {
        for &spot in &held {
            if layout.bet(spot).is_none() && rules.spot_rule(spot).flat.is_none() {
                put(&rules, &mut hand, &mut layout, spot, Cents::dollars(12));
            }
        }
        if !hand.puck.is_off() {
            let (spot, stake) = (held[1], Cents::dollars(12));
            layout.set(Bet { spot, call: Call::House, stake, vig: Cents::ZERO });
        }
        let called = call(&rules, &hand, dice.roll());
        let fates = resolve(&rules, &called, &layout).map(|(bet, fate)| (Seat(0), bet, fate));
        settle(&rules, fates, Cents::ZERO, &mut settlement);
        layout.settle(settlement.lines.iter());
        hand = called.hand;
    };
    (0..20_000).for_each(|_| step(&mut dice));
    let counted = allocation_counter::measure(|| (0..20_000).for_each(|_| step(&mut dice)));
    assert_eq!(counted.count_total, 0);
}

//! The three steps of a roll allocate nothing once their buffers have grown.

use craps::{Cents, Rules, Settlement, State};

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
    let mut state = State::default();
    let mut settlement = Settlement::default();
    let mut dice = Lehmer(7);
    let mut step = |dice: &mut Lehmer| {
        for &spot in &held {
            if state.layout.bet(spot).is_none() && rules.spot_rule(spot).flat.is_none() {
                state.put(&rules, spot, Cents::dollars(12));
            }
        }
        if !state.hand.puck.is_off() {
            state.put(&rules, held[1], Cents::dollars(12));
        }
        state.roll_into(&rules, dice.roll(), &mut settlement);
    };
    (0..20_000).for_each(|_| step(&mut dice));
    let counted = allocation_counter::measure(|| (0..20_000).for_each(|_| step(&mut dice)));
    assert_eq!(counted.count_total, 0);
}

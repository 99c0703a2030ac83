//! Samples seen as a session: shares in place of chances, so that both are drawn by one hand.

use craps_math::session::{FAN, Outcome, Over};

use super::PlanSim;
use crate::session::PlanSession;

/// A sample as a session; nothing where there is none.
pub(super) fn view(it: &PlanSim) -> Option<PlanSession> {
    let size = it.sessions();
    let of_all = |times: u64| times as f64 / size as f64;
    (size > 0).then_some(())?;
    let finals = it.finals.each_ref().map(|sample| {
        let counts = sample.counts().iter();
        counts.map(|(equity, times)| (craps::Cents(*equity), of_all(*times))).collect()
    });
    let inputs = &it.inputs;
    let outcome = Outcome {
        finals,
        by_roll: by_roll(it),
        fan: it
            .along
            .fan
            .iter()
            .filter_map(|(rolls, sample)| {
                let at = |share| sample.at(share).map(craps::Cents);
                let [a, b, c, d, e, f, g] = FAN.map(at);
                Some((*rolls, [a?, b?, c?, d?, e?, f?, g?]))
            })
            .collect(),
        action: it.exact.as_ref().map_or(0.0, |exact| exact.action),
        rolls: it.lasted().mean()?.value,
        stayed: None,
        bankroll: inputs.session.bankroll,
        memory: 0,
        unit: inputs.unit,
        rounding: 0.0,
        trimmed: 0.0,
        alive: 0.0,
    };
    Some(PlanSession {
        plan: inputs.plan.clone(),
        played: inputs.played.clone(),
        positions: inputs.positions,
        session: inputs.session,
        pace: inputs.pace,
        found: None,
        outcome,
    })
}

/// The share that was over by each reason at each roll.
fn by_roll(it: &PlanSim) -> Vec<[f64; Over::ALL.len()]> {
    let size = it.sessions() as f64;
    let last = it.rolls.iter().filter_map(|sample| sample.counts().last());
    let last = last.map(|(rolls, _)| *rolls).max().unwrap_or(0);
    let mut by_roll = vec![[0.0; Over::ALL.len()]; last as usize];
    for (reason, sample) in it.rolls.iter().enumerate() {
        // Who was over before the first roll is in none of them.
        for (rolls, times) in sample.counts().iter().filter(|(rolls, _)| *rolls > 0) {
            by_roll[*rolls as usize - 1][reason] = *times as f64 / size;
        }
    }
    by_roll
}

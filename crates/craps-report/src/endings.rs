//! How a wager ends, row by row: every award, then the push, then no award.

use craps_math::{Par, ParAward, Ratio, whole};

use crate::markup::dollars;

/// One way a wager ends.
pub(crate) struct Ending {
    /// What has to happen.
    pub(crate) event: String,
    /// What it pays, where it is an award.
    pub(crate) pays: Option<String>,
    /// What a jackpot comes to at this meter.
    pub(crate) here: Option<String>,
    /// What the dealers get.
    pub(crate) envy: Option<String>,
    /// How often it comes.
    pub(crate) chance: Ratio,
    /// Its part of the return.
    pub(crate) share: Ratio,
}

/// Every way a wager ends, the highest award first. The chances sum to one.
pub(crate) fn endings(par: &Par) -> Vec<Ending> {
    let mut endings: Vec<Ending> = par.awards.iter().map(|award| of_award(par, award)).collect();
    let plain = |event: &str, chance: &Ratio, share: &Ratio| Ending {
        event: event.to_owned(),
        pays: None,
        here: None,
        envy: None,
        chance: chance.clone(),
        share: share.clone(),
    };
    let mut lost = Ratio::ONE - &par.hit_chance;
    if par.push_chance > Ratio::ZERO {
        endings.push(plain("Push", &par.push_chance, &par.push_chance));
        lost -= &par.push_chance;
    }
    endings.push(plain("No award", &lost, &Ratio::ZERO));
    endings
}

fn of_award(par: &Par, award: &ParAward) -> Ending {
    let each = dollars(&(&award.back * whole(par.unit.0)));
    let here = match par.bettors {
        1 => format!("here {each}"),
        _ => format!("here {each} a bettor"),
    };
    Ending {
        event: award.event.clone(),
        pays: Some(award.pays.clone()),
        here: award.jackpot.then_some(here),
        envy: award.envy.map(|envy| envy.to_string()),
        chance: award.chance.clone(),
        share: award.share(),
    }
}

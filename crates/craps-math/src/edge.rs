//! What a wager costs: its edge, its spread and how long it takes, for one bet at any stake.

use craps::{Cents, Rules, Spot, Total};

use crate::chance::{Ratio, float, whole};
use crate::odds;
use crate::price::{Endings, Terms};
use crate::stake::{check_stake, exact_stake};
use crate::starts::OtherStarts;
use crate::target::{Odds, Target, Unpriced, solved};

/// What a wager is worth.
#[derive(Clone, Debug)]
pub struct Edge {
    /// What was priced.
    pub target: Target,
    /// The paytable it is paid by, where there is a choice.
    pub paytable: Option<String>,
    /// The real stake it was priced at; exact ratios where there is none.
    pub stake: Option<Cents>,
    /// What the meter it is paid from shows, where it has one.
    pub meter: Option<Cents>,
    /// The mean result divided by the mean stake, commission counted in the result.
    pub ev: Ratio,
    /// The mean result divided by the mean outlay, commission included.
    pub ev_of_outlay: Ratio,
    /// The variance of the result for a stake of one.
    pub variance: Ratio,
    /// Every result for a stake of one (the flat bet's), with its chance, lowest first.
    pub outcomes: Vec<(Ratio, Ratio)>,
    /// The mean number of rolls on which the bet worked.
    pub rolls: Ratio,
    /// The chance of an award: whatever is paid by the pays, if it is the stake alone (1 for 1, or
    /// the seven of a world bet). A push is none.
    pub hit: Ratio,
    /// The part of it that is no gain: awards that bring the stake back and no more.
    pub no_gain: Ratio,
    /// The chance of a push.
    pub push: Ratio,
    /// How else it may begin than as it is priced.
    pub starts: OtherStarts,
    ev_without_pushes: Ratio,
}

impl Edge {
    /// Prices a bet: at `stake` with rounding and breakage, or in exact ratios.
    pub fn of(
        rules: &Rules,
        target: &Target,
        stake: Option<Cents>,
        terms: Terms,
    ) -> Result<Edge, Unpriced> {
        if rules.spot_rule(target.spot).flat.is_some() {
            return Edge::of_odds(rules, target.spot, None, stake);
        }
        if let Some(stake) = stake {
            check_stake(rules, target, stake)?;
        }
        check_odds(rules, target)?;
        // Ratios know no rounding and no cap, which depend on the stake.
        let unrounded = stake.is_none().then(|| rules.unrounded());
        let rules = unrounded.as_ref().unwrap_or(rules);
        let put_up = stake.map_or_else(|| exact_stake(rules, target), Ok)?;
        let (chain, solution) = solved(rules, target, put_up)?;
        let endings = Endings::of(rules, &chain, &solution, terms);
        let edge = Edge::summed(rules, target, stake, put_up, &endings, solution.rolls);
        let starts = OtherStarts::of(rules, target, put_up, terms)?;
        Ok(Edge { meter: target.seed(rules).map(|_| terms.meter), starts, ..edge })
    }

    /// Prices odds by themselves, from the moment they are put up: on `number`, or on whatever
    /// number their flat bet comes to stand on.
    pub fn of_odds(
        rules: &Rules,
        spot: Spot,
        number: Option<Total>,
        stake: Option<Cents>,
    ) -> Result<Edge, Unpriced> {
        let name = rules.spot_rule(spot).notation.clone();
        let target = Target { spot, odds: None, name };
        if let Some(stake) = stake {
            check_stake(rules, &target, stake)?;
        }
        let unrounded = stake.is_none().then(|| rules.unrounded());
        let rules = unrounded.as_ref().unwrap_or(rules);
        let (put_up, endings, rolls) = odds::alone(rules, &target, number, stake)?;
        Ok(Edge::summed(rules, &target, stake, put_up, &endings, rolls))
    }

    /// What endings come to, for a flat bet of `put_up`.
    fn summed(
        rules: &Rules,
        target: &Target,
        stake: Option<Cents>,
        put_up: Cents,
        endings: &Endings,
        rolls: Ratio,
    ) -> Edge {
        let rounded = endings.iter().any(|(price, _)| price.broken);
        assert!(stake.is_some() || !rounded, "{} was rounded in a ratio", target.name);
        let flat = whole(put_up.0);
        let result = endings.mean(|price| price.net.clone());
        let staked = endings.mean(|price| whole(price.staked.0));
        let pushed = endings.mean(|p| if p.push { whole(p.staked.0) } else { Ratio::ZERO });
        let vig = endings.mean(|price| whole(price.vig.0));
        Edge {
            target: target.clone(),
            paytable: rules.wager_at(target.spot).paytable.clone(),
            stake,
            meter: None,
            ev: &result / &staked,
            ev_of_outlay: &result / (&staked + &vig),
            // One that always pushes comes to nothing however it is counted.
            ev_without_pushes: match staked == pushed {
                true => Ratio::ZERO,
                false => &result / (&staked - &pushed),
            },
            variance: endings.variance() / (&flat * &flat),
            outcomes: endings.outcomes(&flat),
            rolls,
            hit: endings.chance(|price| price.award.is_some()),
            no_gain: endings.chance(|price| price.award.is_some() && price.net <= Ratio::ZERO),
            push: endings.chance(|price| price.push),
            starts: OtherStarts::default(),
        }
    }

    /// The house's share of each dollar put up, commission included.
    pub fn edge_of_outlay(&self) -> Ratio {
        -self.ev_of_outlay.clone()
    }

    /// The house's share of each dollar bet.
    pub fn edge(&self) -> Ratio {
        -self.ev.clone()
    }

    /// The edge if pushes are not counted as decisions.
    pub fn edge_without_pushes(&self) -> Ratio {
        -self.ev_without_pushes.clone()
    }

    /// The edge for each roll on which the bet works.
    pub fn edge_per_roll(&self) -> Ratio {
        self.edge() / &self.rolls
    }

    /// What to know of the price, in sentences: other ways in which the bet may begin.
    pub fn notes(&self) -> Vec<String> {
        self.starts.sentences(&self.target.name)
    }

    /// The standard deviation of the result for a stake of one.
    pub fn deviation(&self) -> f64 {
        float(&self.variance).sqrt()
    }
}

fn check_odds(rules: &Rules, target: &Target) -> Result<(), Unpriced> {
    let Some(Odds::Times(times)) = target.odds else { return Ok(()) };
    let wager = rules.spot_rule(target.spot).wager;
    let flat = Cents::dollars(1_000);
    for odds in rules.spots() {
        let behind = rules.spot_rule(odds).flat.map(|flat| rules.spot_rule(flat).wager);
        for number in rules.points.iter().filter(|_| behind == Some(wager)) {
            let most = rules.odds_most(odds, number, flat);
            if rules.odds_stake(odds, number, flat, times) > most {
                return Err(Unpriced::TooMuchOdds(times));
            }
        }
    }
    Ok(())
}

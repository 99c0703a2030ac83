//! Other ways in which a bet may begin than the one it is priced for, which is a come-out and no
//! lammers: with a point on, where that is something to it, or on lammers that lie already.

use craps::{Cents, Chain, Rules, Total};

use crate::chance::{Ratio, percent, whole};
use crate::price::{Endings, Terms};
use crate::solve::Solution;
use crate::target::{Target, Unpriced, solved_from};

/// How else a bet may begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OtherStarts {
    /// What its edge is where it is made with this point on.
    pub points: Vec<(Total, Ratio)>,
    /// Whether it may begin with lammers that lie already.
    pub joins: bool,
}

/// The chains of a bet that is made with a point on, where that may be and tells.
pub(crate) fn with_points(
    rules: &Rules,
    target: &Target,
    stake: Cents,
) -> Result<Vec<(Total, Chain, Solution)>, Unpriced> {
    let notation = &rules.spot_rule(target.spot).notation;
    let points = rules.points_to_begin_on(target.spot).into_iter();
    let explored = |point| {
        let chain = Chain::of_bet_with_point(rules, notation, stake, point);
        solved_from(chain, target).map(|(chain, solution)| (point, chain, solution))
    };
    points.map(explored).collect()
}

impl OtherStarts {
    pub(crate) fn of(
        rules: &Rules,
        target: &Target,
        stake: Cents,
        terms: Terms,
    ) -> Result<OtherStarts, Unpriced> {
        let edge = |(point, chain, solution): (Total, Chain, Solution)| {
            let endings = Endings::of(rules, &chain, &solution, terms);
            let staked = endings.mean(|price| whole(price.staked.0));
            (point, -endings.mean(|price| price.net.clone()) / staked)
        };
        let points = with_points(rules, target, stake)?.into_iter().map(edge).collect();
        Ok(OtherStarts { points, joins: rules.may_join_lammers(target.spot) })
    }

    /// The start that is best for the player, where it has a point on.
    pub(crate) fn best(&self) -> Option<&(Total, Ratio)> {
        self.points.iter().min_by(|(_, one), (_, other)| one.cmp(other))
    }

    /// What to know of a price, in sentences.
    pub fn sentences(&self, name: &str) -> Vec<String> {
        let mut said = Vec::new();
        let worst = self.points.iter().rev().max_by(|(_, one), (_, other)| one.cmp(other));
        if let (Some((low, least)), Some((high, most))) = (self.best(), worst) {
            let then = match least == most {
                true => format!("{} %", percent(least, 4)),
                false => format!(
                    "from {} % (with the point on {low}) to {} % (on {high})",
                    percent(least, 4),
                    percent(most, 4)
                ),
            };
            said.push(format!(
                "{name} is priced as a bet on a come-out; it may be bet with a point on too, and \
                 its edge is then {then}"
            ));
        }
        if self.joins {
            said.push(format!(
                "{name} is priced as a bet that starts without lammers; it may join some that lie \
                 already, and is worth more then"
            ));
        }
        said
    }
}

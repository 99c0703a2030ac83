//! The player's advantage: wagers a house should think about before it offers them, because they
//! return more than is put up, or because they cannot lose. Told by the edge the engine itself
//! comes to, never by a formula of its own.

use craps::{Cents, Rules};

use crate::chance::{Ratio, fraction, percent};
use crate::edge::Edge;
use crate::par::Par;
use crate::price::Terms;
use crate::target::Target;

/// A fraction longer than this says less than its percentage.
const FRACTION_LETTERS: usize = 32;

impl Edge {
    /// A sentence where players have the edge, or cannot lose.
    ///
    /// ```
    /// use craps::{Library, Rules};
    /// use craps_math::{Edge, Target, Terms};
    ///
    /// let rules = Rules::named(&Library::embedded(), &["presque-isle"]).unwrap();
    /// let pass = Target::parse(&rules, "pass").unwrap();
    /// let edge = Edge::of(&rules, &pass, None, Terms::default()).unwrap();
    /// assert_eq!(edge.warning(), None);
    /// ```
    pub fn warning(&self) -> Option<String> {
        let name = &self.target.name;
        let own = warning(name, self.meter, &self.edge(), &self.outcomes);
        let best =
            self.starts.best().filter(|(_, edge)| *edge < Ratio::ZERO && *edge < self.edge());
        let with_point = |(point, edge): &(craps::Total, Ratio)| {
            let name = format!("{name} with the point on {point}");
            favours(&name, self.meter, edge)
        };
        best.map(with_point).or(own)
    }
}

impl Par {
    /// A sentence where players have the edge at this meter, or cannot lose.
    pub fn warning(&self) -> Option<String> {
        let name = format!("{} {}", self.paytable, self.wager);
        warning(&name, self.meter, &self.edge(), &self.outcomes)
    }
}

/// A sentence for each of these bets that favours the player, meters at their seeds. What cannot
/// be priced is nobody's advantage.
pub fn advantages<'a>(rules: &Rules, targets: impl IntoIterator<Item = &'a Target>) -> Vec<String> {
    let sentence = |target: &Target| {
        let meter = target.seed(rules).unwrap_or(Cents::ZERO);
        let edge = Edge::of(rules, target, None, Terms { meter, bettors: 1 }).ok()?;
        edge.warning()
    };
    targets.into_iter().filter_map(sentence).collect()
}

fn warning(
    name: &str,
    meter: Option<Cents>,
    edge: &Ratio,
    outcomes: &[(Ratio, Ratio)],
) -> Option<String> {
    let loses = outcomes.iter().any(|(net, _)| *net < Ratio::ZERO);
    match loses {
        true if *edge >= Ratio::ZERO => None,
        true => Some(favours(name, meter, edge)),
        false if edge.is_zero() => Some(format!("{name} neither wins nor loses: it always pushes")),
        false => Some(format!("{name}{} cannot lose: players win {}", shown(meter), won(edge))),
    }
}

fn favours(name: &str, meter: Option<Cents>, edge: &Ratio) -> String {
    format!("players have the edge on {name}{}: they win {}", shown(meter), won(edge))
}

fn shown(meter: Option<Cents>) -> String {
    meter.map_or(String::new(), |meter| format!(" with its meter at ${meter}"))
}

/// What players win of what they bet, exactly where that is short.
fn won(edge: &Ratio) -> String {
    let exactly = fraction(edge);
    let exactly = match exactly.chars().count() <= FRACTION_LETTERS {
        true => format!(" (edge {exactly})"),
        false => String::new(),
    };
    let won = match percent(&-edge.clone(), 4) {
        nothing if nothing.trim_matches(['0', '.']).is_empty() => "less than 0.0001".to_owned(),
        won => won,
    };
    format!("{won} % of what they bet{exactly}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ratio;

    #[track_caller]
    fn check(meter: Option<Cents>, outcomes: &[(i64, i64)], expected: Option<&str>) {
        let outcomes: Vec<(Ratio, Ratio)> =
            outcomes.iter().map(|(net, of_ten)| (ratio(*net, 1), ratio(*of_ten, 10))).collect();
        let mean = crate::sum(outcomes.iter().map(|(net, chance)| net * chance));
        assert_eq!(warning("place 6", meter, &-mean, &outcomes).as_deref(), expected);
    }

    #[test]
    fn only_what_favours_the_player_is_warned_of() {
        check(None, &[(-1, 5), (1, 5)], None);
        check(None, &[(-1, 6), (1, 4)], None);
        check(
            None,
            &[(-1, 4), (1, 6)],
            Some(
                "players have the edge on place 6: they win 20.0000 % of what they bet (edge -1/5)",
            ),
        );
        check(
            Some(Cents::dollars(1_000)),
            &[(0, 9), (1, 1)],
            Some(
                "place 6 with its meter at $1000.00 cannot lose: players win 10.0000 % of what \
                 they bet (edge -1/10)",
            ),
        );
        check(None, &[(0, 10)], Some("place 6 neither wins nor loses: it always pushes"));
        let tiny = -(Ratio::ONE / crate::whole(1_000_000_000));
        assert_eq!(won(&tiny), "less than 0.0001 % of what they bet (edge -1/1000000000)");
    }
}

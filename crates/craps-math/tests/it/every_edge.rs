//! Every wager of every table as a golden file: edge, rolls, variance and results.

use craps_math::{Ratio, fraction, sum};
use expect_test::expect_file;

use crate::{Offer, crapless, every_side_bet, everything, priced, strip};

fn edges(offer: &Offer) -> String {
    let mut text = String::from("wager: edge; rolls; variance; net at chance …\n\n");
    for target in &offer.targets {
        let edge = priced(&offer.rules, &target.name, None);
        let total = sum(edge.outcomes.iter().map(|(_, chance)| chance.clone()));
        assert_eq!(fraction(&total), "1", "{}", target.name);
        let outcome =
            |(net, chance): &(Ratio, Ratio)| format!("{} at {}", fraction(net), fraction(chance));
        let outcomes: Vec<String> = edge.outcomes.iter().map(outcome).collect();
        text += &format!(
            "{}: {}; {}; {}\n  {}\n",
            target.name,
            fraction(&edge.edge()),
            fraction(&edge.rolls),
            fraction(&edge.variance),
            outcomes.join(", ")
        );
    }
    text
}

#[test]
fn of_the_first_rulebooks() {
    expect_file!["../golden/edges.txt"].assert_eq(&edges(&Offer::of(everything())));
}

#[test]
fn of_the_strip() {
    expect_file!["../golden/edges-strip.txt"].assert_eq(&edges(&strip()));
}

#[test]
fn of_crapless_craps() {
    expect_file!["../golden/edges-crapless.txt"].assert_eq(&edges(&crapless()));
}

#[test]
fn of_side_bets() {
    expect_file!["../golden/edges-side.txt"].assert_eq(&edges(&every_side_bet()));
}

//! The catalogue: every wager on offer in words, straight from the rules.
//!
//! One list drives the command line, the README and whoever else has to explain the felt.

mod tracked;

use serde::Serialize;

pub use self::tracked::{Lammer, Progress, progress};
use crate::commission::{Commission, CommissionWhen, Measure, Vig, VigStep};
use crate::dice::Totals;
use crate::money::Multiple;
use crate::rules::Rules;
use crate::spot::WagerId;
use crate::wager::{
    Board, Cap, CapPaidIn, CapPer, DicePass, Due, Item, Lammers, Limits, OnceSet, Opens, PaysBy,
    PaysKey, PuckMust, Rebet, Shape, Side, Take, Wager, Window, Working,
};

/// One wager in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The name on the felt: `place`.
    pub wager: String,
    /// How its spots are written: `place 4`, `place 5`, …
    pub notation: Vec<String>,
    /// The name in a sentence: "Place".
    pub title: String,
    /// The rulebook it comes from.
    pub rulebook: String,
    /// The paytable it is paid by, where there is a choice.
    pub paytable: Option<String>,
    /// What wins.
    pub wins: String,
    /// What loses.
    pub loses: String,
    /// What it pays.
    pub pays: Vec<Pay>,
    /// When it may be bet, taken down, and whether it works on a come-out.
    pub when: String,
    /// How much may be bet.
    pub limits: Limits,
    /// Where its lammers lie, for a wager whose progress the table keeps.
    pub board: Option<Board>,
    /// The most it may win together with others, where the house has posted that: `$25000 a roll`.
    pub cap: Option<String>,
}

/// One line of what a wager pays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pay {
    /// For which numbers or rungs; empty where it is the same for all.
    pub on: String,
    /// The same as numbers: totals or rungs. A pair of faces is in `on` alone.
    pub numbers: Vec<u8>,
    /// What is paid.
    pub pays: String,
    /// What the dealers are paid.
    pub envy: Option<String>,
}

/// Every wager on offer, in the order of the rulebooks.
pub fn catalogue(rules: &Rules) -> Vec<Entry> {
    let entry = |(place, wager): (usize, &Wager)| {
        let spots = rules.spots_of(WagerId(place as u8));
        let (wins, loses) = outcomes(rules, wager);
        Entry {
            wager: wager.name.clone(),
            notation: spots.map(|spot| rules.spot_rule(spot).notation.clone()).collect(),
            title: wager.title.clone(),
            rulebook: wager.rulebook.clone(),
            paytable: wager.paytable.clone(),
            wins,
            loses,
            pays: pays(wager),
            when: when(wager),
            limits: wager.limits,
            board: wager.shape.is_tracked().then_some(wager.shared.board),
            cap: wager.shared.cap.map(cap),
        }
    };
    rules.wagers().iter().enumerate().map(entry).collect()
}

fn cap(Cap { amount, per, paid_in }: Cap) -> String {
    let per = match per {
        CapPer::Roll => "a roll",
        CapPer::Hand => "a hand",
    };
    let shares = match paid_in {
        CapPaidIn::Cents => "",
        CapPaidIn::PayoutUnit => ", in whole payout units",
    };
    format!("${} {per}{shares}", amount.plain())
}

/// The aggregate cap as the house posts it: whom it binds, and to how much.
///
/// ```
/// use craps::{Library, Rules, catalogue};
/// let options = [("aggregate-cap", "25000"), ("make-em-all.capped", "off")];
/// let rules = Rules::with_options(&Library::embedded(), &["presque-isle"], &options).unwrap();
/// let posted = catalogue::posted_cap(&rules).unwrap();
/// assert_eq!(posted, "All Small and All Tall win at most $25000 a roll together");
/// ```
pub fn posted_cap(rules: &Rules) -> Option<String> {
    let bound = cap(rules.cap?);
    let capped = rules.wagers().iter().filter(|wager| wager.shared.cap.is_some());
    let titles: Vec<&str> = capped.map(|wager| wager.title.as_str()).collect();
    Some(match titles.as_slice() {
        [rest @ .., last] if !rest.is_empty() => {
            format!("{} and {last} win at most {bound} together", rest.join(", "))
        }
        [one] => format!("{one} wins at most {bound} at the whole table"),
        _ => return None,
    })
}

fn outcomes(rules: &Rules, wager: &Wager) -> (String, String) {
    match &wager.shape {
        Shape::OneRoll { wins, .. } => {
            let wins = if wins.is_empty() { keys(wager) } else { list(wins) };
            (wins, "anything else".to_owned())
        }
        Shape::Race { wins, loses } => (list(wins), list(loses)),
        Shape::Line { side, wins, loses, bar, .. } => {
            let wins = bar.map_or(*wins, |bar| wins.without(bar));
            let (first, then) = match side {
                Side::Right => ("the number before 7", "7 before the number"),
                Side::Wrong => ("7 before the number", "the number before 7"),
            };
            let push = bar.map_or(String::new(), |bar| format!("; first roll {bar} pushes"));
            (first_roll(wins, first), first_roll(*loses, then) + &push)
        }
        Shape::Odds { behind, .. } => {
            let line = rules.wager_named(behind).map(|line| &rules.wager(line).shape);
            match line {
                Some(Shape::Line { side: Side::Wrong, .. }) => {
                    ("7 before the number".to_owned(), "the number before 7".to_owned())
                }
                _ => ("the number before 7".to_owned(), "7 before the number".to_owned()),
            }
        }
        Shape::Count(counted) => tracked::count(rules, wager, counted),
        Shape::Sequence { lists } => tracked::lists(lists),
    }
}

/// What a first roll decides, and what does then; a line may have no first roll of a kind.
fn first_roll(decides: Totals, then: &str) -> String {
    match decides.is_empty() {
        true => then.to_owned(),
        false => format!("first roll {}; then {then}", commas(decides)),
    }
}

fn commas(totals: Totals) -> String {
    let all: Vec<String> = totals.iter().map(|total| total.to_string()).collect();
    all.join(", ")
}

/// One of what `unit` names several of: `roll`, `point made`.
fn singular(unit: &str) -> String {
    match unit.split_once("s ") {
        Some((noun, rest)) => format!("{noun} {rest}"),
        None => unit.trim_end_matches('s').to_owned(),
    }
}

fn list(items: &[Item]) -> String {
    let all: Vec<String> = items.iter().map(Item::to_string).collect();
    all.join(", ")
}

fn keys(wager: &Wager) -> String {
    let PaysBy::Key(dues) = &wager.pays else { return String::new() };
    let all: Vec<String> = dues.iter().map(|(key, _)| key.to_string()).collect();
    all.join(", ")
}

/// Lines that pay alike are joined: `4 10` at 9 to 5.
fn pays(wager: &Wager) -> Vec<Pay> {
    let envy_of = |key: u8| {
        wager.shared.envy.iter().find(|(rung, _)| *rung == key).map(|(_, envy)| envy.to_string())
    };
    let line =
        |on: String, due: &Due| Pay { on, numbers: Vec::new(), pays: due.to_string(), envy: None };
    match &wager.pays {
        PaysBy::List(dues) => dues.iter().map(|(name, due)| line(name.clone(), due)).collect(),
        PaysBy::Each(each) => {
            let mut lines = Vec::new();
            for (place, (_, dues)) in each.iter().enumerate() {
                if each[..place].iter().any(|(_, earlier)| earlier == dues) {
                    continue;
                }
                let alike = each.iter().filter(|(_, other)| other == dues);
                let names: Vec<String> = alike.map(|(number, _)| number.to_string()).collect();
                let names = names.join(" ");
                let rung = |(key, due): &(PaysKey, Due)| line(format!("{names}: {key} times"), due);
                lines.extend(dues.iter().map(rung));
            }
            lines
        }
        PaysBy::Same(due) => {
            let (on, numbers) = (String::new(), Vec::new());
            vec![Pay { on, numbers, pays: due.to_string(), envy: envy_of(0) }]
        }
        PaysBy::Key(dues) => {
            let mut lines: Vec<(Due, Option<String>, Vec<PaysKey>)> = Vec::new();
            for (key, due) in dues {
                let envy = key.number().and_then(envy_of);
                match lines.iter_mut().find(|(known, same, _)| known == due && *same == envy) {
                    Some((_, _, keys)) => keys.push(*key),
                    None => lines.push((*due, envy, vec![*key])),
                }
            }
            let line = |(due, envy, keys): (Due, Option<String>, Vec<PaysKey>)| {
                let names: Vec<String> = keys.iter().map(PaysKey::to_string).collect();
                let numbers = keys.iter().filter_map(|key| key.number()).collect();
                Pay { on: names.join(" "), numbers, pays: due.to_string(), envy }
            };
            lines.into_iter().map(line).collect()
        }
    }
}

/// The vig as a sign would post it.
fn commission(commission: &Commission) -> String {
    let of = match commission.of {
        Measure::Stake => "the bet",
        Measure::Win => "the win",
    };
    let due = match commission.when {
        CommissionWhen::Placed => "when placed",
        CommissionWhen::Won => "when won",
    };
    match &commission.vig {
        Vig::Share { rate, .. } => format!("commission {rate} of {of} {due}"),
        Vig::Steps(steps) => {
            let steps: Vec<String> = steps.iter().map(VigStep::to_string).collect();
            format!("commission by {of}, {due}: {}", steps.join(", "))
        }
    }
}

fn when(wager: &Wager) -> String {
    let Window { puck, opens, line_bet } = wager.window;
    let mut words = vec![match (opens, puck, &wager.shape) {
        (Opens::Always, PuckMust::LieAnywhere, Shape::Odds { multiples, of, .. }) => {
            let multiples: Vec<String> = multiples.iter().map(Multiple::to_string).collect();
            let what = match of {
                Measure::Stake => "",
                Measure::Win => " in winnings",
            };
            format!("once the number is set, up to {}x the flat bet{what}", multiples.join("-"))
        }
        (Opens::Always, PuckMust::LieAnywhere, _) => "any time".to_owned(),
        (Opens::Always, PuckMust::BeOff, shape) if shape.is_tracked() => {
            "before a come-out, also while bets ride on it".to_owned()
        }
        (Opens::Always, PuckMust::BeOff, _) => "before a come-out".to_owned(),
        (Opens::Always, PuckMust::BeOn, _) => "while a point is on".to_owned(),
        (Opens::Idle, PuckMust::BeOff, _) => {
            "before a come-out while no bet rides on it".to_owned()
        }
        (Opens::Idle, ..) => "while no bet rides on it".to_owned(),
        (Opens::AfterSeven { rebet: Rebet::OneRoll }, ..) => {
            "right after a seven or its completion".to_owned()
        }
        (Opens::AfterSeven { rebet: Rebet::UntilSeven }, ..) => {
            "right after a seven, or from its completion to a seven".to_owned()
        }
        (Opens::AfterSeven { rebet: Rebet::No }, ..) => "right after a seven".to_owned(),
        (Opens::NewShooter, ..) => "before a new shooter's first roll".to_owned(),
        (Opens::FamilyIdle, ..) => "while no bet of its family rides".to_owned(),
    }];
    let said = matches!(opens, Opens::Always | Opens::Idle | Opens::NewShooter);
    if puck == PuckMust::BeOff && !said {
        words.push("puck off".to_owned());
    }
    if line_bet {
        words.push("with a line bet up".to_owned());
    }
    match wager.take {
        Take::AnyTime => {}
        Take::UntilSet => words.push(match wager.once_set {
            OnceSet::Nothing => "stays once its number is set".to_owned(),
            OnceSet::More => "stays once its number is set, and may be added to".to_owned(),
            OnceSet::New => "stays once its number is set, and may be put there".to_owned(),
        }),
        Take::UntilRiding => words.push("stays until decided".to_owned()),
    }
    match wager.shared.dice_pass {
        DicePass::Stays => {}
        DicePass::Returned => words.push("returned when the dice pass".to_owned()),
        DicePass::Lost => words.push("lost when the dice pass".to_owned()),
    }
    if wager.shared.lammers == Lammers::Always {
        words.push("its lammers are moved on every roll".to_owned());
    }
    if wager.standing.come_out == Working::Off {
        let call = if wager.standing.callable { " unless called on" } else { "" };
        words.push(format!("off on a come-out{call}"));
    }
    words.extend(wager.standing.commission.as_ref().map(commission));
    words.join("; ")
}

//! `boxman edge`: what each wager costs.

use craps::{Cents, Library, Rules};
use craps_math::{Edge, Target, Terms, Unpriced};
use craps_report::WagerEdge;

use crate::shelf::RulesArgs;
use crate::{Stop, say, say_error, say_warning};

/// Exact edges: what each wager costs, per decision and per roll, straight from the engine
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boxman edge\n  \
    boxman edge pass place 6 'pass+odds 2x' dont-pass+odds max\n  \
    boxman edge 'place 6' --stake 5 --option payout-unit=1\n  \
    boxman edge --rules super-shooter --csv\n\n\
    A wager without its number means all its numbers. Edges of line bets with odds are for each\n\
    dollar put up, flat bet and odds together. A hit is an award, one of 1 for 1 among them; a\n\
    push is none. A wager that favours the player is warned about on standard error.")]
pub(crate) struct Args {
    /// The wagers to price, all of them if none is named
    #[arg(value_name = "WAGER")]
    wagers: Vec<String>,
    #[command(flatten)]
    rules: RulesArgs,
    /// Price a real bet of this many dollars, with its rounding and breakage
    #[arg(long, value_name = "DOLLARS", allow_negative_numbers = true)]
    stake: Option<Cents>,
    /// What a progressive meter shows, in dollars (its seed if left out)
    #[arg(long, value_name = "DOLLARS", allow_negative_numbers = true)]
    meter: Option<Cents>,
    /// One JSON object a wager, in an array; fractions as strings
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// One row a wager, exact figures as numerator and denominator
    #[arg(long)]
    csv: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Stop> {
    let library = Library::embedded();
    let picked = args.rules.pick(&library).map_err(Stop::Misuse)?;
    let rules = &picked.rules;
    if args.meter.is_some_and(|meter| meter < Cents::ZERO) {
        return Err(Stop::Misuse("a meter shows no less than nothing".to_owned()));
    }
    if args.meter.is_some() && rules.meters().is_empty() {
        let reason = "no wager on this table has a meter, leave --meter out";
        return Err(Stop::Misuse(reason.to_owned()));
    }
    // Programs get one object a wager; people also see line bets with all their odds.
    let listed = args.json || args.csv;
    let named = |target: &Target| {
        picked.named.contains(&rules.wager_at(target.spot).rulebook)
            && (target.odds.is_none() || !listed)
    };
    let targets = match args.wagers.is_empty() {
        true => Target::all(rules).into_iter().filter(named).collect(),
        false => parse(rules, &args.wagers)
            .map_err(|reason| Stop::Misuse(reason + elsewhere(&library, &args.wagers).as_str()))?,
    };
    let mut edges = Vec::new();
    for target in &targets {
        let meter = args.meter.or_else(|| target.seed(rules)).unwrap_or(Cents::ZERO);
        match Edge::of(rules, target, args.stake, Terms { meter, bettors: 1 }) {
            Ok(edge) => edges.push(edge),
            // With every wager asked for, those that cannot be bet at this stake are left out.
            Err(Unpriced::Stake(_)) if args.wagers.is_empty() => {}
            Err(error @ (Unpriced::NeverDecided(_) | Unpriced::TooManyStates { .. }))
                if args.wagers.is_empty() =>
            {
                say_error(&error.to_string());
            }
            Err(error) => return Err(Stop::Misuse(error.to_string())),
        }
    }
    if edges.is_empty() {
        let reason = match args.stake {
            Some(_) => "no wager can be bet at this stake",
            None => "these rulebooks offer no wager, name a paytable after the colon",
        };
        return Err(Stop::Misuse(reason.to_owned()));
    }
    say(&match (args.json, args.csv) {
        (true, _) => json(rules, args, &edges),
        (_, true) => craps_report::edge_csv(&edges).trim_end().to_owned(),
        _ => craps_report::edge_text(&edges),
    });
    edges.iter().filter_map(Edge::warning).for_each(|sentence| say_warning(&sentence));
    edges.iter().flat_map(Edge::notes).for_each(|sentence| say_warning(&sentence));
    Ok(())
}

fn json(rules: &Rules, args: &Args, edges: &[Edge]) -> String {
    let one = |edge: &Edge| {
        let meter = edge.target.seed(rules).map(|seed| args.meter.unwrap_or(seed));
        WagerEdge::of(rules, &edge.target, edge.stake, meter, Ok(edge))
    };
    craps_report::edge_json(&edges.iter().map(one).collect::<Vec<_>>())
}

/// Where a wager that is not on this table can be found.
fn elsewhere(library: &Library, words: &[String]) -> String {
    for rulebook in library.rulebooks() {
        let named = |name: &str| words.iter().any(|word| word == name);
        for wager in rulebook.wagers.iter().filter(|wager| named(&wager.name)) {
            let prices = |table: &&craps::rulebook::Paytable| {
                table.entries.iter().any(|entry| entry.wager == wager.name)
            };
            if let Some(table) = rulebook.paytables.iter().find(prices) {
                let (book, table) = (&rulebook.name, &table.name);
                return format!("\n`{}` is in a rulebook: add --rules {book}:{table}", wager.name);
            }
        }
    }
    String::new()
}

/// Reads wagers from words that a shell may have split: `place 6 pass+odds 2x`.
fn parse(rules: &Rules, words: &[String]) -> Result<Vec<Target>, String> {
    let mut targets = Vec::new();
    let mut rest = words;
    while let Some((first, after)) = rest.split_first() {
        let joined = after.first().map(|next| format!("{first} {next}"));
        if let Some(Ok(target)) = joined.map(|text| Target::parse(rules, &text)) {
            targets.push(target);
            rest = &after[1..];
            continue;
        }
        match (Target::parse(rules, first), rules.wager_named(first)) {
            (Ok(target), _) => targets.push(target),
            (Err(_), Some(wager)) => {
                for spot in rules.spots_of(wager) {
                    let name = &rules.spot_rule(spot).notation;
                    targets.push(Target::parse(rules, name).map_err(|error| error.to_string())?);
                }
            }
            (Err(error), None) => return Err(error.to_string()),
        }
        rest = after;
    }
    Ok(targets)
}

//! `boxman wagers`: the catalogue.

use comfy_table::{ContentArrangement, Table, presets};
use craps::catalogue::{Entry as CatalogueEntry, posted_cap};
use craps::wager::Board;
use craps::{Library, catalogue};
use craps_math::Target;

use crate::shelf::RulesArgs;
use crate::{Stop, say, say_warning};

/// List every wager: how it is written, what wins, what it pays, when and how much may be bet
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boxman wagers\n  \
    boxman wagers --rules super-shooter:SS-LB-2,SS-ALL-3\n  \
    boxman wagers --rules my-rules.toml --json\n\n\
    A wager that favours the player is warned about on standard error, meters at their seeds.")]
pub(crate) struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    /// One JSON object a wager, in an array
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Stop> {
    let picked = args.rules.pick(&Library::embedded()).map_err(Stop::Misuse)?;
    let entries: Vec<CatalogueEntry> = catalogue(&picked.rules)
        .into_iter()
        .filter(|entry| picked.named.contains(&entry.rulebook))
        .collect();
    let capped = entries.iter().any(|entry| entry.cap.is_some());
    if args.json {
        say(&serde_json::to_string_pretty(&entries).expect("the catalogue is plain data"));
    } else {
        say(&table(&entries));
        if let Some(cap) = posted_cap(&picked.rules).filter(|_| capped) {
            say(&format!("Posted: {cap}."));
        }
    }
    let rules = &picked.rules;
    let plain = |target: &Target| {
        target.odds.is_none() && picked.named.contains(&rules.wager_at(target.spot).rulebook)
    };
    let targets: Vec<Target> = Target::every_spot(rules).into_iter().filter(plain).collect();
    craps_math::advantages(rules, &targets).iter().for_each(|sentence| say_warning(sentence));
    Ok(())
}

fn table(entries: &[CatalogueEntry]) -> String {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    if !table.is_tty() {
        table.set_width(160);
    }
    table.set_header(["wager", "wins", "loses", "pays", "when", "limits"]);
    for entry in entries {
        table.add_row([
            format!("{}\n{}", notation(entry), entry.title),
            entry.wins.clone(),
            entry.loses.clone(),
            pays(entry),
            when(entry),
            limits(entry),
        ]);
    }
    table.to_string()
}

/// `place 4 5 6 8 9 10` for the spots of one wager.
fn notation(entry: &CatalogueEntry) -> String {
    let number = |spot: &String| {
        spot.strip_prefix(&entry.wager).map(|number| number.trim().to_owned()).unwrap_or_default()
    };
    let numbers: Vec<String> =
        entry.notation.iter().map(number).filter(|n| !n.is_empty()).collect();
    let travels = entry.notation.contains(&entry.wager) && !numbers.is_empty();
    match (numbers.is_empty(), travels) {
        (true, _) => entry.wager.clone(),
        (_, true) => format!("{} (then {})", entry.wager, numbers.join(" ")),
        _ => format!("{} {}", entry.wager, numbers.join(" ")),
    }
}

fn when(entry: &CatalogueEntry) -> String {
    match entry.board {
        Some(Board::Bonus) => format!("{}; lammers on the bonus board", entry.when),
        _ => entry.when.clone(),
    }
}

fn pays(entry: &CatalogueEntry) -> String {
    let mut lines = Vec::new();
    for pay in &entry.pays {
        let on = if pay.on.is_empty() { String::new() } else { format!("{}: ", pay.on) };
        let envy = pay.envy.as_ref().map_or(String::new(), |envy| format!(", envy {envy}"));
        lines.push(format!("{on}{}{envy}", pay.pays));
    }
    if let Some(paytable) = &entry.paytable {
        lines.push(format!("({paytable})"));
    }
    if let Some(cap) = &entry.cap {
        lines.push(format!("(together {cap})"));
    }
    lines.join("\n")
}

fn limits(entry: &CatalogueEntry) -> String {
    let limits = entry.limits;
    let max = limits.max.map_or("by the multiple".to_owned(), |max| max.to_string());
    if limits.max == Some(limits.min) {
        return limits.min.to_string();
    }
    format!("{} to {max}\nin {}", limits.min, limits.unit)
}

//! How a table is set up, in the words of the people who set it up: what another configuration
//! would change, as the second person reads it.

use craps::Cents;

use crate::config::{DiceMode, LimitKind, TableConfig, WagerLimits};
use crate::line::{Facts, Line, dollars, plain};
use crate::log::{PlayersMoney, Queued};

/// What the rulebooks say holds where an option or a limit is not set.
const OF_RULEBOOK: &str = "as the rulebook says";

/// Everything that one configuration has otherwise than another. Where nothing is set it is what
/// applies then.
pub(crate) fn configured(before: &Queued, after: &Queued) -> Vec<Line> {
    let of_rules = |queued: &Queued| {
        let mut facts = options(&queued.config);
        limits(&mut facts, &queued.config);
        facts
    };
    let mut lines = facts(before).changes(&facts(after));
    for mut line in of_rules(before).changes(&of_rules(after)) {
        for side in [&mut line.before, &mut line.after] {
            if side.is_empty() {
                OF_RULEBOOK.clone_into(side);
            }
        }
        lines.push(line);
    }
    if lines.is_empty() && before.rules != after.rules {
        lines.push(Line::new("rules as compiled", short(&before.rules), short(&after.rules)));
    }
    lines
}

fn facts(queued: &Queued) -> Facts {
    let config = &queued.config;
    // Every field is named, so that a new one cannot be forgotten.
    let TableConfig {
        name,
        rules,
        options: _,
        limits: _,
        dice,
        practice,
        betting_seconds,
        confirm_jackpots: _,
        confirm_over: _,
        betting_during_claims,
        two_people_over: _,
        fills_over: _,
        credits_over: _,
        cash_outs_over: _,
        cash_over: _,
        markers_over: _,
        hold_buy_ins,
        seats,
        meters,
        new_meters,
        empty_meters,
        procedures,
        paying: _,
    } = config;
    let mut facts = Facts::default();
    let yes = |yes: bool| if yes { "yes" } else { "no" };
    let money = |amount: Option<Cents>| amount.map(dollars).unwrap_or_default();
    facts.add("name of the table", name);
    facts.add("rulebooks", rules.join(", "));
    let texts: Vec<String> = queued.library.iter().map(short).collect();
    facts.add("the rulebooks' text", texts.join(", "));
    let thrown = match dice {
        DiceMode::House => "by the house's generator",
        DiceMode::Dealer => "real ones, keyed by the crew",
    };
    facts.add("dice", thrown);
    facts.add("play money", yes(*practice));
    let closes = betting_seconds.map(|seconds| format!("after {seconds} seconds"));
    facts.add("betting closes by itself", closes.unwrap_or_else(|| "no".to_owned()));
    facts.add("seats", seats.to_string());
    facts.add("jackpots wait to be confirmed", yes(config.confirms_jackpots()));
    facts.add("awards wait above", money(config.held_above()));
    facts.add("bets and dice while a claim waits", yes(*betting_during_claims));
    facts.add("last roll is paid before betting opens", yes(config.pays_first()));
    facts.add("two people for fills above", money(config.limit(LimitKind::Fills)));
    facts.add("two people for credits above", money(config.limit(LimitKind::Credits)));
    facts.add("two people for cash-outs above", money(config.limit(LimitKind::CashOuts)));
    let all_kinds = "two people for chips above, all kinds together";
    facts.add(all_kinds, money(config.two_people_above()));
    facts.add("identity asked above, cash", money(config.limit(LimitKind::Cash)));
    facts.add("identity asked above, markers", money(config.limit(LimitKind::Markers)));
    facts.add("buy-ins above that wait for a second person", yes(*hold_buy_ins));
    facts.add("opens on a meter that starts at nothing", yes(*empty_meters));
    let dealt = if *procedures == 0 { "of the time before the tray" } else { "today's" };
    facts.add("dealing procedures", dealt);
    for (paytable, meter) in meters {
        facts.add(format!("shared meter of {paytable}"), meter.to_string());
    }
    let new: Vec<String> = new_meters.iter().map(ToString::to_string).collect();
    facts.add("new shared meters", new.join(", "));
    for (paytable, players) in &queued.old_meters {
        let goes = match players {
            PlayersMoney::Meter { to } => format!("goes to meter {to}"),
            PlayersMoney::Kept => "is kept for them".to_owned(),
        };
        facts.add(format!("players' money of {paytable}"), goes);
    }
    facts
}

/// The options of the rulebooks: `fired-up.meter.seed` is `Fired Up: seed of the meter`.
fn options(config: &TableConfig) -> Facts {
    let mut facts = Facts::default();
    for (name, value) in &config.options {
        let (wager, key) = match name.split_once('.') {
            Some((wager, key)) => (Some(titled(wager)), key),
            None => (None, name.as_str()),
        };
        let (words, is_money) = match key {
            "meter.seed" => ("seed of the meter", true),
            "meter.seed-per" => ("what the seed of the meter is for", false),
            "meter.increment" => ("share of each bet for the meter", false),
            "meter.reserve" => ("share of each bet for the reserve", false),
            "meter.ceiling" => ("ceiling of the meter", true),
            "meter.winners" => ("several winners of the meter", false),
            "min" => ("minimum", true),
            "max" => ("maximum", true),
            "unit" => ("step of the stakes", true),
            "payout-unit" => ("winnings are paid in steps of", true),
            "aggregate-cap" => ("aggregate cap", true),
            _ => ("", false),
        };
        let words = if words.is_empty() { plain(key) } else { words.to_owned() };
        let value = match value.as_str() {
            "true" => "yes".to_owned(),
            "false" => "no".to_owned(),
            text => match text.parse::<Cents>() {
                Ok(amount) if is_money => dollars(amount),
                _ => plain(text),
            },
        };
        facts.add(wager.map_or(words.clone(), |wager| format!("{wager}: {words}")), value);
    }
    facts
}

fn limits(facts: &mut Facts, config: &TableConfig) {
    for (wager, WagerLimits { min, max, unit }) in &config.limits {
        for (words, amount) in [("minimum", min), ("maximum", max), ("step of the stakes", unit)] {
            if let Some(amount) = amount {
                facts.add(format!("{}: {words}", titled(wager)), dollars(*amount));
            }
        }
    }
}

/// A wager of a rulebook as a title: `fired-up` is `Fired Up`.
fn titled(wager: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>())
    };
    plain(wager).split(' ').filter_map(capital).collect::<Vec<_>>().join(" ")
}

/// Enough of a hash to tell two apart.
fn short(hash: &crate::hash::Hash) -> String {
    hash.to_string().chars().take(8).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::hash::Hash;

    #[test]
    fn what_changes_is_said_in_plain_words() {
        let queued = |config| Queued {
            config,
            library: vec![Hash([1; 32])],
            rules: Hash([2; 32]),
            old_meters: BTreeMap::new(),
        };
        let before = queued(TableConfig::practice());
        let mut after = before.clone();
        after.config.options.insert("fired-up.meter.seed".into(), "2000.00".into());
        after.config.options.remove("place-may-be-called-on");
        after.library = vec![Hash([3; 32])];
        let players = PlayersMoney::Kept;
        after.old_meters.insert("PT-BJS-FUP-01".into(), players);
        let words: Vec<String> = configured(&before, &after).iter().map(Line::in_words).collect();
        assert_eq!(
            words,
            [
                "the rulebooks' text: 01010101 → 03030303",
                "players' money of PT-BJS-FUP-01: nothing → is kept for them",
                "Fired Up: seed of the meter: $1,000 → $2,000",
                "place may be called on: on → as the rulebook says",
            ]
        );
        // Rules may change though nothing was set: then their hashes are all there is to say.
        after = Queued { rules: Hash([4; 32]), ..before.clone() };
        let words: Vec<String> = configured(&before, &after).iter().map(Line::in_words).collect();
        assert_eq!(words, ["rules as compiled: 02020202 → 04040404"]);
    }
}

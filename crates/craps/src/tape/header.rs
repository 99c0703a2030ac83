//! What a tape says before anybody sits down, and again where its table goes over to other rules:
//! rulebooks, options, what meters show and what waits to be confirmed.

use std::sync::Arc;

use super::parse::parse_amount;
use super::{BadLine, Setup, TapeError};
use crate::did_you_mean::suggestion;
use crate::floor::Confirm;
use crate::library::Library;
use crate::money::{Cents, Rate};
use crate::rulebook::{At, Fault, Faults};
use crate::rules::{Chosen, Rules};
use crate::table::Shooter;
use crate::terms::MeterTerms;

const METER: &str = "expected: meter PAYTABLE AMOUNT, or meter PAYTABLE AMOUNT fixed";
const CONFIRM: &str = "expected: confirm jackpots, or confirm over AMOUNT";

/// Whether a line belongs to the header, if none before it belongs to the play.
pub(super) fn is_header(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    ["rules", "option", "meter", "confirm", "shooter"].contains(&first)
}

/// Whether a line after `configure` belongs to it. `confirm 1` is a step, the first of many.
pub(super) fn is_configuration(line: &str) -> bool {
    let mut words = line.split_whitespace();
    match words.next() {
        Some("rules" | "option" | "meter") => true,
        Some("confirm") => matches!(words.next(), Some("jackpots" | "over")),
        _ => false,
    }
}

/// `put on`, `odds come.come-out off`, `pass.pays 2 to 1`: a name ends with its dotted word.
fn split_option(text: &str) -> (String, String) {
    let words: Vec<&str> = text.split_whitespace().collect();
    let dotted = |word: &&str| {
        word.split_once('.').is_some_and(|(_, key)| key.starts_with(|c: char| c.is_alphabetic()))
    };
    let name_ends = words.iter().position(dotted).unwrap_or(0) + 1;
    (words[..name_ends].join(" "), words[name_ends..].join(" "))
}

/// What a tape says before anybody sits down, or after `configure`.
pub(super) struct Header {
    pub(super) setup: Setup,
    /// Whether a meter pays the same on every hit.
    pub(super) fixed: bool,
    pub(super) shooter: Shooter,
}

impl Header {
    /// Reads the header that begins at a line.
    pub(super) fn read(
        at: usize,
        lines: &[(usize, &str)],
        library: &Library,
        instead: &[String],
        choose: &impl Fn(&str) -> Result<Chosen, Faults>,
        bad: &impl Fn(usize, String) -> BadLine,
    ) -> Result<Header, TapeError> {
        let mut names: Vec<(usize, String)> = Vec::new();
        let mut options: Vec<(usize, (String, String))> = Vec::new();
        let mut presets: Vec<Preset> = Vec::new();
        let (mut confirm, mut shooter) = (Confirm::default(), Shooter::default());
        let mut faults = Vec::new();
        for (line, text) in lines {
            let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
            let last = rest.trim().rsplit_once(char::is_whitespace);
            match (word, last) {
                ("rules", _) if !rest.trim().is_empty() => {
                    names.extend(rest.split_whitespace().map(|name| (*line, name.to_owned())));
                }
                ("option", Some(_)) => options.push((*line, split_option(rest))),
                ("meter", Some(_)) => match Preset::read(*line, rest, &presets) {
                    Ok(preset) => presets.push(preset),
                    Err(reason) => faults.push(bad(*line, reason)),
                },
                ("shooter", _) if rest.trim() == "any" => shooter = Shooter::Any,
                ("shooter", _) => faults.push(bad(*line, "expected: shooter any".to_owned())),
                ("confirm", _) => match read_confirm(rest, &mut confirm) {
                    Ok(()) => {}
                    Err(reason) => faults.push(bad(*line, reason)),
                },
                ("rules", _) => faults.push(bad(*line, "expected: rules RULEBOOK …".to_owned())),
                ("option", _) => faults.push(bad(*line, "expected: option NAME VALUE".to_owned())),
                _ => faults.push(bad(*line, METER.to_owned())),
            }
        }
        let own = instead.is_empty();
        if !own {
            names = instead.iter().map(|name| (0, name.clone())).collect();
        }
        if names.is_empty() {
            names.push((0, Library::DEFAULT_BASE.to_owned()));
        }
        let mut named = Named { names, options };
        let compile = |named: &Named| {
            named.rules(library, choose).map_err(|faults| match own {
                true => {
                    let bad = |(line, fault): (usize, Fault)| bad(line.max(at), fault.to_string());
                    TapeError::Lines(faults.into_iter().map(bad).collect())
                }
                false => {
                    TapeError::Rules(Faults(faults.into_iter().map(|(_, fault)| fault).collect()))
                }
            })
        };
        let mut rules = compile(&named)?;
        for Preset { line, name, .. } in &presets {
            if !rules.meters().iter().any(|meter| meter.name == *name) {
                let hint = suggestion(name, rules.meters().iter().map(|meter| meter.name.as_str()));
                faults.push(bad(*line, format!("there is no meter `{name}` on this table{hint}")));
            }
        }
        if !faults.is_empty() {
            return Err(TapeError::Lines(faults));
        }
        let options = named.options.iter().map(|(_, option)| option.clone()).collect();
        named.options.extend(presets.iter().flat_map(|preset| preset.options(&rules)));
        let fixed = presets.iter().any(|preset| preset.fixed);
        if fixed {
            rules = compile(&named)?;
        }
        let presets = presets.into_iter().map(|preset| (preset.name, preset.amount)).collect();
        let rulebooks = named.names.into_iter().map(|(_, name)| name).collect();
        let rules = Arc::new(rules);
        let setup = Setup { rules, rulebooks, options, presets, confirm };
        Ok(Header { setup, fixed, shooter })
    }
}

/// What a meter shows before play, or on every hit.
struct Preset {
    line: usize,
    name: String,
    amount: Cents,
    fixed: bool,
}

impl Preset {
    /// Reads `PAYTABLE AMOUNT` and `PAYTABLE AMOUNT fixed`, after those before it.
    fn read(line: usize, text: &str, before: &[Preset]) -> Result<Preset, String> {
        let (name, amount, fixed) = match text.split_whitespace().collect::<Vec<_>>().as_slice() {
            [name, amount] => (*name, *amount, false),
            [name, amount, "fixed"] => (*name, *amount, true),
            _ => return Err(METER.to_owned()),
        };
        if before.iter().any(|known| known.name == name && (fixed || known.fixed)) {
            return Err(format!("a fixed meter is set once, and `{name}` is set twice"));
        }
        let shown = amount.parse::<Cents>().ok().filter(|amount| *amount >= Cents::ZERO);
        let shown = shown.ok_or_else(|| format!("`{amount}` is not what a meter can show"))?;
        Ok(Preset { line, name: name.to_owned(), amount: shown, fixed })
    }

    /// A fixed meter is one that starts anew at its amount and is never fed.
    fn options(&self, rules: &Rules) -> Vec<(usize, (String, String))> {
        let meter = rules.meters().iter().find(|meter| self.fixed && meter.name == self.name);
        meter.map_or(Vec::new(), |meter| {
            let (increment, reserve) = (Rate::ZERO, Rate::ZERO);
            let fixed = MeterTerms { seed: self.amount, increment, reserve, ..meter.terms };
            let fixed = MeterTerms { ceiling: None, ..fixed };
            let options = fixed.options(&rules.wager(meter.wager).name);
            options.into_iter().map(|option| (self.line, option)).collect()
        })
    }
}

/// The rulebooks and options a tape names, each with its line.
struct Named {
    names: Vec<(usize, String)>,
    options: Vec<(usize, (String, String))>,
}

impl Named {
    /// The rules they compile to; where they do not, every fault with the line it comes from.
    fn rules(
        &self,
        library: &Library,
        choose: impl Fn(&str) -> Result<Chosen, Faults>,
    ) -> Result<Rules, Vec<(usize, Fault)>> {
        let mut chosen = Vec::new();
        let mut faults = Vec::new();
        for (line, name) in &self.names {
            match choose(name) {
                Ok(choice) => chosen.push((*line, choice)),
                Err(found) => faults.extend(found.0.into_iter().map(|fault| (*line, fault))),
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let choices = chosen.iter().map(|(_, choice)| choice.clone()).collect();
        let options: Vec<(String, String)> =
            self.options.iter().map(|(_, option)| option.clone()).collect();
        let first = self.names.first().map_or(0, |(line, _)| *line);
        let line = |fault: &Fault| {
            let option =
                self.options.iter().rev().find(
                    |(_, (name, _))| matches!(&fault.at, Some(At::Option(set)) if set == name),
                );
            let rulebook = chosen.iter().find(|(_, choice)| choice.rulebook.file() == fault.file);
            let line = option.map(|(line, _)| *line).or(rulebook.map(|(line, _)| *line));
            line.unwrap_or(first)
        };
        let rules = Rules::compile(library, &library.over_base(choices), &options);
        rules.map_err(|faults| faults.0.into_iter().map(|fault| (line(&fault), fault)).collect())
    }
}

fn read_confirm(text: &str, confirm: &mut Confirm) -> Result<(), String> {
    match text.split_whitespace().collect::<Vec<_>>().as_slice() {
        ["jackpots"] => confirm.jackpots = true,
        ["over", amount] => {
            let over = parse_amount(amount)?;
            confirm.over = Some(over).filter(|over| *over >= Cents::ZERO);
            confirm.over.ok_or_else(|| format!("`{amount}` is not what winnings can be above"))?;
        }
        _ => return Err(CONFIRM.to_owned()),
    }
    Ok(())
}

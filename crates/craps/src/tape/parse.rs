//! Reading a tape: every bad line is reported with what was expected instead.

use std::str::FromStr;
use std::sync::Arc;

use super::{BadLine, Expect, Kind, Step, Tape, TapeError};
use crate::account::Seat;
use crate::dice::{Roll, Total, Totals};
use crate::did_you_mean::suggestion;
use crate::floor::Confirm;
use crate::library::Library;
use crate::money::{Cents, Fraction, Rate};
use crate::puck::Puck;
use crate::refusal::Refusal;
use crate::rulebook::{At, Fault, Faults, Listed};
use crate::rules::{Chosen, Rules};
use crate::spot::OnOff;
use crate::table::{ClaimId, Command, NotAKind, Shooter};
use crate::terms::MeterTerms;
use crate::wager::{PaysKey, Shape};

/// Words that start a line or name an account, so that no player may be called so.
const RESERVED: [&str; 35] = [
    "rules",
    "option",
    "meter",
    "confirm",
    "seat",
    "roll",
    "no-roll",
    "pass-dice",
    "close-betting",
    "paying",
    "open-betting",
    "void",
    "correct",
    "deny",
    "return",
    "pause",
    "resume",
    "close",
    "fill",
    "credit",
    "house",
    "envy",
    "breakage",
    "puck",
    "shooter",
    "cage",
    "bank",
    "tray",
    "clearing",
    "held",
    "claims",
    "reserve",
    "lammers",
    "progress",
    "memo",
];

const SEAT: &str = "expected: seat NAME, seat NAME AMOUNT, or seat NAME AMOUNT at 3";
const METER: &str = "expected: meter PAYTABLE AMOUNT, or meter PAYTABLE AMOUNT fixed";
const CONFIRM: &str = "expected: confirm jackpots, or confirm over AMOUNT";
const RETURN: &str = "expected: return NAME WAGER REASON";

pub(super) fn tape(
    file: &str,
    text: &str,
    library: &Library,
    rules: &[String],
    choose: impl Fn(&str) -> Result<Chosen, Faults>,
) -> Result<Tape, TapeError> {
    let lines: Vec<(usize, &str)> = text
        .trim_start_matches('\u{feff}')
        .lines()
        .enumerate()
        .map(|(place, line)| (place + 1, line.split('#').next().unwrap_or_default().trim()))
        .filter(|(_, line)| !line.is_empty())
        .collect();
    let header = lines.iter().take_while(|(_, line)| {
        let first = line.split_whitespace().next().unwrap_or_default();
        ["rules", "option", "meter", "confirm", "shooter"].contains(&first)
    });
    let header = header.count();
    let bad = |line, reason: String| BadLine { file: file.to_owned(), line, reason };
    let header_read = read_header(&lines[..header], library, rules, choose, &bad)?;
    let Header { rulebooks, options, rules, presets, fixed, confirm, shooter } = header_read;
    let mut reader = Reader { library, rules: &rules, names: Vec::new(), places: Vec::new() };
    let mut steps = Vec::new();
    let mut faults = Vec::new();
    for (line, text) in &lines[header..] {
        match reader.step(text) {
            Ok(kind) => steps.push(Step { line: *line, text: (*text).to_owned(), kind }),
            Err(reason) => faults.push(bad(*line, reason)),
        }
    }
    if !faults.is_empty() {
        return Err(TapeError::Lines(faults));
    }
    let names = reader.names;
    let file = file.to_owned();
    let rules = Arc::new(rules);
    Ok(Tape { file, rules, rulebooks, options, presets, fixed, confirm, shooter, names, steps })
}

/// Whether a player may be called so: one word that no line begins with.
pub(super) fn is_name(word: &str) -> bool {
    let odd = |c: char| c.is_whitespace() || "#:!=".contains(c);
    !word.is_empty() && !RESERVED.contains(&word) && !word.contains(odd)
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

/// What a tape says before anybody sits down.
struct Header {
    rulebooks: Vec<String>,
    options: Vec<(String, String)>,
    rules: Rules,
    presets: Vec<(String, Cents)>,
    fixed: bool,
    confirm: Confirm,
    shooter: Shooter,
}

fn read_header(
    lines: &[(usize, &str)],
    library: &Library,
    instead: &[String],
    choose: impl Fn(&str) -> Result<Chosen, Faults>,
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
        named.rules(library, &choose).map_err(|faults| match own {
            true => {
                let bad = |(line, fault): (usize, Fault)| bad(line.max(1), fault.to_string());
                TapeError::Lines(faults.into_iter().map(bad).collect())
            }
            false => TapeError::Rules(Faults(faults.into_iter().map(|(_, fault)| fault).collect())),
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
    Ok(Header { rulebooks, options, rules, presets, fixed, confirm, shooter })
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

struct Reader<'a> {
    library: &'a Library,
    rules: &'a Rules,
    names: Vec<String>,
    /// Where each of them sits.
    places: Vec<Seat>,
}

impl Reader<'_> {
    fn step(&mut self, text: &str) -> Result<Kind, String> {
        if let Some(rest) = text.strip_prefix('!') {
            // A reason may have a colon of its own; a code is one word after the last.
            let (rest, code) = match rest.rsplit_once(':') {
                Some((rest, code)) if !code.trim().contains(' ') => {
                    (rest, Some(code.trim().to_owned()))
                }
                _ => (rest, None),
            };
            if let Some(code) = &code
                && !Refusal::CODES.contains(&code.as_str())
            {
                let hint = suggestion(code, Refusal::CODES);
                return Err(format!("there is no refusal `{code}`{hint}"));
            }
            let commands = self.commands(rest.trim())?;
            return Ok(Kind::Refuse { commands, code });
        }
        if let Some(rest) = text.strip_prefix('=') {
            return self.expect(rest.trim()).map(Kind::Expect);
        }
        self.commands(text).map(Kind::Do)
    }

    fn commands(&mut self, text: &str) -> Result<Vec<Command>, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let reason = |rest: &[&str]| match rest.is_empty() {
            true => "no reason given".to_owned(),
            false => rest.join(" "),
        };
        let one = match words.as_slice() {
            ["seat", name, rest @ ..] => return self.seat(name, rest),
            ["roll", roll] => Command::Roll { roll: parse_roll(roll)? },
            ["no-roll"] => Command::NoRoll,
            ["pass-dice"] => Command::PassDice,
            ["close-betting"] => Command::CloseBetting,
            ["void", rest @ ..] => Command::Void { reason: reason(rest) },
            ["correct", roll, rest @ ..] => {
                Command::Correct { roll: parse_roll(roll)?, reason: reason(rest) }
            }
            ["confirm", "jackpots" | "over", ..] => {
                let header = words[..2].join(" ");
                return Err(format!("`{header}` comes before the first player sits down"));
            }
            ["confirm", claim] => Command::Release { claim: parse_claim(claim)? },
            ["deny", claim, rest @ ..] => {
                Command::DenyClaim { claim: parse_claim(claim)?, reason: reason(rest) }
            }
            ["return", name, rest @ ..] => {
                let (wager, rest) = self.wager_before(rest)?;
                Command::Return { seat: self.seat_of(name)?, wager, reason: reason(rest) }
            }
            ["paying"] => Command::BeginPaying,
            ["open-betting"] => Command::OpenBetting,
            ["pause"] => Command::Pause,
            ["resume"] => Command::Resume,
            ["close"] => Command::Close,
            ["fill", amount] => Command::Fill { amount: parse_amount(amount)? },
            ["credit", amount] => Command::Credit { amount: parse_amount(amount)? },
            ["rules" | "option" | "meter" | "shooter", ..] => {
                return Err(format!("`{}` comes before the first player sits down", words[0]));
            }
            ["seat"] => return Err(SEAT.to_owned()),
            ["confirm", ..] => return Err("expected: confirm 1".to_owned()),
            ["deny"] => return Err("expected: deny 1 REASON".to_owned()),
            ["return"] => return Err(RETURN.to_owned()),
            ["fill" | "credit", ..] => return Err(format!("expected: {} AMOUNT", words[0])),
            ["roll", ..] => return Err("expected: roll 3-4".to_owned()),
            [name, rest @ ..] if self.names.iter().any(|known| known == name) => {
                self.player(self.seat_of(name)?, rest)?
            }
            [word, ..] => {
                let known = RESERVED.iter().copied().chain(self.names.iter().map(String::as_str));
                let hint = suggestion(word, known);
                return Err(format!(
                    "`{word}` is neither a step nor a player who has sat down{hint}"
                ));
            }
            [] => return Err("expected a step".to_owned()),
        };
        Ok(vec![one])
    }

    /// Somebody sits down where they sat before, at the place named, or at the first that no
    /// other player of the tape has had.
    fn seat(&mut self, name: &str, rest: &[&str]) -> Result<Vec<Command>, String> {
        let (amount, place) = match rest {
            [] => (None, None),
            ["at", place] => (None, Some(*place)),
            [amount] => (Some(*amount), None),
            [amount, "at", place] => (Some(*amount), Some(*place)),
            _ => return Err(SEAT.to_owned()),
        };
        let amount = amount.map(parse_amount).transpose()?;
        let place = place.map(parse_place).transpose()?;
        if !is_name(name) {
            return Err(format!("a player cannot be called `{name}`"));
        }
        let seat = match (place, self.seat_of(name)) {
            (Some(place), _) => place,
            (None, Ok(seat)) => seat,
            (None, Err(_)) => Seat::all()
                .find(|seat| !self.places.contains(seat))
                .ok_or_else(|| format!("a tape seats at most {} players", Seat::COUNT))?,
        };
        match self.names.iter().position(|known| known == name) {
            Some(known) => self.places[known] = seat,
            None => {
                self.names.push(name.to_owned());
                self.places.push(seat);
            }
        }
        let sit = Command::Sit { seat, name: name.to_owned() };
        let buy_in = amount.map(|amount| Command::buy_in(seat, amount));
        Ok([sit].into_iter().chain(buy_in).collect())
    }

    fn seat_of(&self, name: &str) -> Result<Seat, String> {
        let place = self.names.iter().position(|known| known == name).ok_or_else(|| {
            let hint = suggestion(name, self.names.iter().map(String::as_str));
            format!("no player `{name}` has sat down{hint}")
        })?;
        Ok(self.places[place])
    }

    fn player(&self, seat: Seat, words: &[&str]) -> Result<Command, String> {
        match words {
            ["leave"] => Ok(Command::leave(seat)),
            ["leave", kind] => Ok(Command::Leave { seat, kind: parse_kind(kind)? }),
            ["buy-in", amount] => Ok(Command::buy_in(seat, parse_amount(amount)?)),
            ["buy-in", amount, kind] => {
                let (amount, kind) = (parse_amount(amount)?, parse_kind(kind)?);
                Ok(Command::BuyIn { seat, amount, kind })
            }
            ["cash-out", amount] => Ok(Command::cash_out(seat, parse_amount(amount)?)),
            ["cash-out", amount, kind] => {
                let (amount, kind) = (parse_amount(amount)?, parse_kind(kind)?);
                Ok(Command::CashOut { seat, amount, kind })
            }
            ["take", wager @ .., "by", amount] => {
                let amount = Some(parse_amount(amount)?);
                Ok(Command::Take { seat, wager: self.wager(wager)?, amount })
            }
            ["take", wager @ ..] => {
                Ok(Command::Take { seat, wager: self.wager(wager)?, amount: None })
            }
            ["on", wager @ ..] => {
                Ok(Command::Call { seat, wager: self.wager(wager)?, call: OnOff::On })
            }
            ["off", wager @ ..] => {
                Ok(Command::Call { seat, wager: self.wager(wager)?, call: OnOff::Off })
            }
            ["house", wager @ ..] => {
                Ok(Command::Call { seat, wager: self.wager(wager)?, call: OnOff::House })
            }
            [wager @ .., amount] if !wager.is_empty() => {
                // `place 6` lacks its amount; `come 6` is six dollars on come.
                let whole = words.join(" ");
                let wager = self.wager(wager);
                if wager.is_err() && self.rules.spot(&whole).is_some() {
                    return Err(format!("expected an amount after `{whole}`"));
                }
                let wager = wager?;
                Ok(Command::Put { seat, wager, amount: parse_amount(amount)? })
            }
            [wager] => {
                self.wager(&[wager])?;
                Err(format!("expected an amount after `{wager}`"))
            }
            _ => {
                Err("expected a wager and an amount, take, on, off, buy-in or cash-out".to_owned())
            }
        }
    }

    /// A wager of this table, or of any rulebook: one that is not offered is for play to refuse.
    fn wager(&self, words: &[&str]) -> Result<String, String> {
        let text = words.join(" ");
        if self.rules.spot(&text).is_some() || text == "odds" {
            return Ok(text);
        }
        let (name, on) = match text.rsplit_once(' ') {
            Some((name, on)) => (name, on.parse().ok().filter(|on| *on != PaysKey::NONE)),
            None => (text.as_str(), None),
        };
        let everywhere = || self.library.rulebooks().iter().flat_map(|book| &book.wagers);
        // Come bets and odds stand on the points, other wagers on the numbers they list.
        let is_point = |on: PaysKey| {
            let number = on.number().and_then(Total::new);
            number.is_some_and(|number| self.rules.points.contains(number))
        };
        let stands_on = |wager: &Listed, on: PaysKey| match wager.shape {
            Shape::Line { travels, .. } => travels && is_point(on),
            Shape::Odds { .. } => is_point(on),
            _ => wager.stands_on().contains(&on),
        };
        let fits = |wager: &Listed| match on {
            Some(on) => wager.name == name && stands_on(wager, on),
            None => wager.name == text && wager.stands_on() == [PaysKey::NONE],
        };
        if everywhere().any(fits) {
            return Ok(text);
        }
        let spots = self.rules.spots().map(|spot| self.rules.spot_rule(spot).notation.as_str());
        let others = everywhere().map(|wager| wager.name.as_str());
        let hint = suggestion(&text, spots.chain(others));
        Err(format!("there is no wager `{text}`{hint}"))
    }

    /// A wager and the words after it: `come 6` is the bet on its number, whatever comes then.
    fn wager_before<'a>(&self, words: &'a [&'a str]) -> Result<(String, &'a [&'a str]), String> {
        let longest = (1..=words.len().min(3)).rev();
        let mut split = longest.map(|count| words.split_at(count));
        let found = split.find_map(|(wager, rest)| Some((self.wager(wager).ok()?, rest)));
        match (found, words) {
            (Some(found), _) => Ok(found),
            (None, []) => Err(RETURN.to_owned()),
            (None, [first, rest @ ..]) => self.wager(&[*first]).map(|wager| (wager, rest)),
        }
    }

    fn expect(&self, text: &str) -> Result<Expect, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        Ok(match words.as_slice() {
            ["house", amount] => Expect::House(parse_amount(amount)?),
            ["envy", amount] => Expect::Envy(parse_amount(amount)?),
            ["breakage", amount] => Expect::Breakage(parse_amount(amount)?),
            ["cage", amount] => Expect::Cage(parse_amount(amount)?),
            ["bank", amount] => Expect::Bank(parse_amount(amount)?),
            ["tray", amount] => Expect::Tray(parse_amount(amount)?),
            ["clearing", amount] => Expect::Clearing(parse_amount(amount)?),
            ["held", amount] => Expect::Held(parse_amount(amount)?),
            ["claims", count] => {
                let count = count.parse().map_err(|_| "expected: claims 2, or claims 0")?;
                Expect::Claims(count)
            }
            ["memo", fraction] => Expect::Memo(parse_fraction(fraction)?),
            ["meter", name, amount] => Expect::Meter(self.meter(name)?, parse_amount(amount)?),
            ["reserve", name, amount] => Expect::Reserve(self.meter(name)?, parse_amount(amount)?),
            ["puck", "off"] => Expect::Puck(Puck::Off),
            ["puck", point] => {
                let point = point.parse().ok().and_then(Total::new);
                Expect::Puck(Puck::On(point.ok_or("expected: puck off, or puck 6")?))
            }
            ["shooter", name] => Expect::Shooter(self.seat_of(name)?),
            ["lammers", wager, "none"] => Expect::Lammers(self.wager(&[wager])?, Totals::NONE),
            ["lammers", wager, totals @ ..] => {
                let total = |text: &&str| text.parse().ok().and_then(Total::new);
                let totals: Option<Totals> = totals.iter().map(total).collect();
                let totals = totals.ok_or("expected totals from 2 to 12, or none")?;
                Expect::Lammers(self.wager(&[wager])?, totals)
            }
            ["progress", words @ ..] => {
                let (wager, words) = self.wager_before(words)?;
                Expect::Progress(wager, words.join(" "))
            }
            [name, amount] => Expect::Rack(self.seat_of(name)?, parse_amount(amount)?),
            [name, wager @ .., amount] => {
                let seat = self.seat_of(name)?;
                Expect::Bet(seat, self.wager(wager)?, parse_amount(amount)?)
            }
            _ => return Err("expected: = NAME AMOUNT, = house AMOUNT, = puck off …".to_owned()),
        })
    }

    fn meter(&self, name: &str) -> Result<String, String> {
        let mut meters = self.rules.meters().iter().map(|meter| meter.name.as_str());
        if meters.any(|known| known == name) {
            return Ok(name.to_owned());
        }
        let hint = suggestion(name, self.rules.meters().iter().map(|meter| meter.name.as_str()));
        Err(format!("there is no meter `{name}` on this table{hint}"))
    }
}

fn parse_amount(text: &str) -> Result<Cents, String> {
    text.parse().map_err(|error: crate::money::NotMoney| error.to_string())
}

/// How chips come or go.
fn parse_kind<K: FromStr<Err = NotAKind>>(text: &str) -> Result<K, String> {
    text.parse().map_err(|error: NotAKind| error.to_string())
}

/// A claim of the table, counted from one.
fn parse_claim(text: &str) -> Result<ClaimId, String> {
    let claim = text.parse().ok().filter(|claim| *claim > 0).map(ClaimId);
    claim.ok_or_else(|| format!("`{text}` is not the number of a claim, expected 1 or more"))
}

/// A place at the rail, counted from one as [`Seat`] shows it.
fn parse_place(text: &str) -> Result<Seat, String> {
    let place = text.parse().ok().filter(|place| (1..=Seat::COUNT as u8).contains(place));
    let wrong = || format!("`{text}` is not a place at the rail, expected 1 to {}", Seat::COUNT);
    place.map(|place| Seat(place - 1)).ok_or_else(wrong)
}

fn parse_roll(text: &str) -> Result<Roll, String> {
    text.parse().map_err(|error: crate::dice::NotARoll| error.to_string())
}

fn parse_fraction(text: &str) -> Result<Fraction, String> {
    let (num, den) = text.split_once('/').unwrap_or((text, "1"));
    match (num.parse(), den.parse()) {
        (Ok(num), Ok(den)) if den > 0 => Ok(Fraction::new(num, den)),
        _ => Err(format!("`{text}` is not a fraction such as 2/3")),
    }
}

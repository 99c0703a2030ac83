//! Reading a tape: every bad line is reported with what was expected instead.

use std::str::FromStr;
use std::sync::Arc;

use super::header::{Header, is_configuration, is_header};
use super::{BadLine, Expect, Kind, Setup, Step, Tape, TapeError};
use crate::account::Seat;
use crate::dice::{Roll, Total, Totals};
use crate::did_you_mean::suggestion;
use crate::library::Library;
use crate::money::{Cents, Fraction};
use crate::puck::Puck;
use crate::refusal::Refusal;
use crate::rulebook::{Faults, Listed};
use crate::rules::{Chosen, Rules};
use crate::spot::OnOff;
use crate::table::{ClaimId, Command, NotAKind};
use crate::wager::{PaysKey, Shape};

/// Words that start a line or name an account, so that no player may be called so.
const RESERVED: [&str; 36] = [
    "rules",
    "option",
    "meter",
    "confirm",
    "configure",
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
const CONFIGURE: &str =
    "expected: configure, and on the lines after it rules, option, meter or confirm";
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
    let bad = |line, reason: String| BadLine { file: file.to_owned(), line, reason };
    let header = lines.iter().take_while(|(_, line)| is_header(line)).count();
    let read = |at, lines| Header::read(at, lines, library, rules, &choose, &bad);
    let Header { setup, fixed, shooter } = read(1, &lines[..header])?;
    let mut reader = Reader::new(library, &setup);
    let mut steps = Vec::new();
    let mut faults = Vec::new();
    let mut rest = &lines[header..];
    while let [(line, text), after @ ..] = rest {
        rest = after;
        let kind = match *text {
            "configure" => {
                let block = after.iter().take_while(|(_, line)| is_configuration(line)).count();
                let (block, after) = after.split_at(block);
                rest = after;
                match read(*line, block) {
                    Ok(header) => reader.configure(header),
                    Err(TapeError::Lines(lines)) => {
                        faults.extend(lines);
                        continue;
                    }
                    Err(error) => return Err(error),
                }
            }
            text => reader.step(text),
        };
        match kind {
            Ok(kind) => steps.push(Step { line: *line, text: (*text).to_owned(), kind }),
            Err(reason) => faults.push(bad(*line, reason)),
        }
    }
    if !faults.is_empty() {
        return Err(TapeError::Lines(faults));
    }
    let names = reader.names;
    let (file, rules) = (file.to_owned(), Arc::clone(&setup.rules));
    Ok(Tape { file, rules, setup, fixed, shooter, names, steps })
}

/// Whether a player may be called so: one word that no line begins with.
pub(super) fn is_name(word: &str) -> bool {
    let odd = |c: char| c.is_whitespace() || "#:!=".contains(c);
    !word.is_empty() && !RESERVED.contains(&word) && !word.contains(odd)
}

struct Reader<'a> {
    library: &'a Library,
    rules: Arc<Rules>,
    /// Every meter the table has had so far.
    meters: Vec<String>,
    names: Vec<String>,
    /// Where each of them sits.
    places: Vec<Seat>,
}

impl<'a> Reader<'a> {
    fn new(library: &'a Library, setup: &Setup) -> Reader<'a> {
        let rules = Arc::clone(&setup.rules);
        let meters = rules.meters().iter().map(|meter| meter.name.clone()).collect();
        Reader { library, rules, meters, names: Vec::new(), places: Vec::new() }
    }

    /// The table goes over to other rules.
    fn configure(&mut self, header: Header) -> Result<Kind, String> {
        if header.fixed {
            return Err("a meter is fixed before the first player sits down".to_owned());
        }
        let setup = header.setup;
        if let Some((running, _)) = setup.presets.iter().find(|(name, _)| self.knows_meter(name)) {
            return Err(format!(
                "meter `{running}` runs already: only one that begins here is set to an amount"
            ));
        }
        self.rules = Arc::clone(&setup.rules);
        for rule in setup.rules.meters() {
            if !self.knows_meter(&rule.name) {
                self.meters.push(rule.name.clone());
            }
        }
        Ok(Kind::Configure(Box::new(setup)))
    }

    fn knows_meter(&self, name: &str) -> bool {
        self.meters.iter().any(|known| known == name)
    }

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
                return Err(only_in_header(&words[..2].join(" ")));
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
            ["shooter", ..] => {
                return Err("`shooter` comes before the first player sits down".to_owned());
            }
            [word @ ("rules" | "option" | "meter"), ..] => return Err(only_in_header(word)),
            ["configure", ..] => return Err(CONFIGURE.to_owned()),
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
    fn wager_before<'w>(&self, words: &'w [&'w str]) -> Result<(String, &'w [&'w str]), String> {
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
        if self.knows_meter(name) {
            return Ok(name.to_owned());
        }
        let hint = suggestion(name, self.meters.iter().map(String::as_str));
        Err(format!("there is no meter `{name}` on this table{hint}"))
    }
}

fn only_in_header(what: &str) -> String {
    format!("`{what}` comes before the first player sits down, or after `configure`")
}

pub(super) fn parse_amount(text: &str) -> Result<Cents, String> {
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

//! Every formula of a sheet: what stands in which cell, written from the cells it rests on.
//! Winnings are rounded down as the engine does it; a sum of dollars is rounded to a millionth
//! first, so that a float just below a whole number of cents is not cut down to the one before.

use craps::wager::Envy;
use craps_math::{Par, ParAward, Ratio, decimal, ratio, whole};

use super::inputs::{Holds, Inputs, MeterInputs, SHARE};
use crate::figures::NO_TERMS;

/// A spreadsheet holds whole numbers of so many digits exactly.
pub(super) const DIGITS: usize = 15;

/// Where the endings of a wager stand: awards from the first line to `won`, then the push, then
/// what wins nothing.
pub(super) struct Endings {
    pub(super) first: u32,
    pub(super) won: u32,
    pub(super) push: u32,
    pub(super) none: u32,
    /// The award that takes the meter.
    pub(super) jackpot: Option<u32>,
}

impl Endings {
    pub(super) fn of(par: &Par, first: u32) -> Endings {
        let won = first + par.awards.len() as u32 - 1;
        let jackpot = par.awards.iter().position(|award| award.jackpot);
        let jackpot = jackpot.map(|place| first + place as u32);
        Endings { first, won, push: won + 1, none: won + 2, jackpot }
    }

    fn sum(&self, column: char) -> String {
        format!("SUM({column}{}:{column}{})", self.first, self.none)
    }
}

/// Whether every input is what it was.
pub(super) fn as_written(inputs: &Inputs) -> String {
    let same = |(line, holds): (u32, &Holds)| match holds {
        Holds::Number(number) => Some(format!("B{line}={}", double(number))),
        Holds::Word(word) => Some(format!("B{line}={}", quoted(word))),
        Holds::Same(_) => None,
    };
    let same: Vec<String> =
        inputs.lines().filter_map(|(line, input)| same((line, &input.holds))).collect();
    format!("=AND({})", same.join(","))
}

/// A text that is told as long as every input is what it was.
pub(super) fn while_as_written(inputs: &Inputs, text: &str) -> String {
    format!("=IF({},{},\"\")", inputs.as_written, quoted(text))
}

/// What never changes.
pub(super) const NOTHING: &str = "=0";

/// A number that no input moves.
pub(super) fn constant(value: &Ratio) -> String {
    format!("={}", double(value))
}

/// Another cell's.
pub(super) fn same(cell: &str) -> String {
    format!("={cell}")
}

/// The chance of an ending: a fraction in two cells.
pub(super) fn chance(line: u32, chance: &Ratio) -> String {
    format!("={}", over(line, 'D', 'E', chance))
}

/// Once in how many decisions.
pub(super) fn one_in(line: u32) -> String {
    format!("=1/F{line}")
}

/// What an ending adds to the return.
pub(super) fn share(line: u32) -> String {
    format!("=F{line}*J{line}")
}

/// What an ending adds to the mean of the squares.
pub(super) fn square(line: u32) -> String {
    format!("=F{line}*(J{line}-1)^2")
}

/// What comes back for each unit, where no formula follows the unit: a fraction in two cells.
pub(super) fn back_as_written(line: u32, back: &Ratio) -> String {
    format!("={}", over(line, 'H', 'I', back))
}

/// The fraction in two cells of a line as a number, where the cells hold it.
fn over(line: u32, above: char, below: char, value: &Ratio) -> String {
    match fits(value) {
        true => format!("{above}{line}/{below}{line}"),
        false => double(value),
    }
}

/// Whether two cells hold a fraction exactly.
pub(super) fn fits(value: &Ratio) -> bool {
    let digits = [value.numerator().to_string(), value.denominator().to_string()];
    digits.iter().all(|digits| digits.trim_start_matches('-').len() <= DIGITS)
}

/// Whether what comes back for an award is what its pay makes of the unit, so that a formula can
/// follow the unit. Commission and split bets are settled in more steps than a cell can show.
pub(super) fn follows(par: &Par, award: &ParAward) -> bool {
    let Some(rate) = award.rate() else { return true };
    let (unit, bettors) = (whole(par.unit.0), whole(i64::from(par.bettors)));
    let floor = |value: Ratio| Ratio::from(value.floor());
    let winnings = floor(&unit * &rate) - &unit;
    let payout_unit = whole(par.payout_unit.0);
    let covers = rate >= Ratio::ONE;
    let won = if covers { floor(winnings / &payout_unit) * &payout_unit } else { winnings };
    let mut all = won * &bettors;
    if let (Some(cap), true) = (par.cap, covers) {
        all = all.min(whole(cap.0));
    }
    !par.has_commission && Ratio::ONE + all / bettors / unit == award.back
}

/// What comes back for each unit: a jackpot.
pub(super) fn back_of_meter(inputs: &Inputs, meter: &MeterInputs) -> String {
    format!("={}/{}/{}", meter.shows, sharers(inputs, meter), inputs.unit)
}

/// What comes back for each unit: an award of so much for each, in the cells of `line`.
pub(super) fn back_of_pay(inputs: &Inputs, line: u32, rate: &Ratio) -> String {
    let unit = &inputs.unit;
    format!("=1+{}/{unit}", won(inputs, unit, line, rate))
}

/// One winner's winnings for a bet of `stake`.
fn won(inputs: &Inputs, stake: &str, line: u32, rate: &Ratio) -> String {
    let (bettors, rounded) = (&inputs.bettors, rounded_down(inputs, stake, line, rate));
    match (&inputs.cap, *rate >= Ratio::ONE) {
        (Some(cap), true) => {
            format!("MIN({rounded}*{bettors},IF(ISNUMBER({cap}),{cap},9E+99))/{bettors}")
        }
        _ => rounded,
    }
}

/// Winnings rounded down to the payout unit; a pay below the stake has none to round.
fn rounded_down(inputs: &Inputs, stake: &str, line: u32, rate: &Ratio) -> String {
    let payout = &inputs.payout_unit;
    match *rate >= Ratio::ONE {
        true => format!("INT(ROUND({stake}*(H{line}/I{line}-1)/{payout},6))*{payout}"),
        false => to_the_cent(stake, line),
    }
}

/// Winnings rounded down to the cent.
fn to_the_cent(stake: &str, line: u32) -> String {
    format!("(INT(ROUND(100*{stake}*H{line}/I{line},6))/100-{stake})")
}

/// What the dealers get once, and for each winner, for each unit bet.
pub(super) fn envy(envy: Option<Envy>, inputs: &Inputs) -> [String; 2] {
    envy_of(envy, &inputs.unit).map(|amount| format!("={amount}"))
}

/// What the dealers get once, and for each winner, for a bet of `stake`.
fn envy_of(envy: Option<Envy>, stake: &str) -> [String; 2] {
    let of = |cents: i64| {
        let amount = decimal(&ratio(cents, 100), 2);
        format!("INT(ROUND(100*{amount}*{stake},6))/100")
    };
    let nothing = || "0".to_owned();
    match envy {
        None => [nothing(), nothing()],
        Some(Envy::Multiple(multiple)) => [nothing(), format!("{multiple}*{stake}")],
        Some(Envy::Once(amount)) => [of(amount.0), nothing()],
        Some(Envy::Each(amount)) => [nothing(), of(amount.0)],
    }
}

/// What the dealers cost for each dollar bet by all the players together.
pub(super) fn envy_cost(inputs: &Inputs, line: u32) -> String {
    format!("=F{line}*(M{line}/{}+N{line})/{}", inputs.bettors, inputs.unit)
}

/// What the house loses on an award with every bettor at the maximum.
pub(super) fn loss(inputs: &Inputs, line: u32, award: &ParAward) -> String {
    let Inputs { bettors, maximum, .. } = inputs;
    let [once, each] = envy_of(award.envy, maximum);
    let paid = match (award.rate(), &inputs.meter) {
        // What is rounded away leaves the house too, for the account of breakage.
        (Some(rate), _) if inputs.cap.is_none() || rate < Ratio::ONE => {
            format!("{bettors}*{}", to_the_cent(maximum, line))
        }
        (Some(rate), _) => {
            let broken = format!(
                "{}-{}",
                to_the_cent(maximum, line),
                rounded_down(inputs, maximum, line, &rate)
            );
            format!("{bettors}*({}+{broken})", won(inputs, maximum, line, &rate))
        }
        (None, Some(meter)) => {
            let (winners, shows) = (&meter.winners, &meter.shows);
            let full = format!("({bettors}-1)*{shows}");
            format!("IF({winners}=\"{SHARE}\",0,{full})-{bettors}*{maximum}")
        }
        (None, None) => format!("-{bettors}*{maximum}"),
    };
    format!("={paid}+{once}+{bettors}*{each}")
}

/// What the house takes in where nobody wins, as a loss.
pub(super) fn loss_of_nothing(inputs: &Inputs) -> String {
    format!("=-{}*{}", inputs.bettors, inputs.maximum)
}

/// The names of the figures formulas refer to each other by.
pub(super) mod name {
    pub(crate) const HIT: &str = "hit chance";
    pub(crate) const PUSH: &str = "push chance";
    pub(crate) const FIXED: &str = "fixed return";
    pub(crate) const RETURN: &str = "return at this meter";
    pub(crate) const EDGE: &str = "edge";
    pub(crate) const ENVY: &str = "envy cost";
    pub(crate) const AFTER_ENVY: &str = "edge after envy";
    pub(crate) const VARIANCE: &str = "variance";
    pub(crate) const DEVIATION: &str = "standard deviation";
    pub(crate) const VOLATILITY: &str = "volatility index";
    pub(crate) const ROLLS_OVER: &str = "rolls to decide, numerator";
    pub(crate) const ROLLS_UNDER: &str = "rolls to decide, denominator";
    pub(crate) const ROLLS: &str = "rolls to decide";
    pub(crate) const PER_ROLL: &str = "edge per roll";
    pub(crate) const DECISIONS: &str = "decisions an hour";
    pub(crate) const CYCLE: &str = "cycle, decisions";
    pub(crate) const FED: &str = "fed by each decision";
    pub(crate) const TO_CEILING: &str = "decisions to the ceiling";
    pub(crate) const AT_CEILING: &str = "chance to get there";
    pub(crate) const MEAN: &str = "mean meter when hit";
    pub(crate) const LONG_RUN: &str = "long-run return";
    pub(crate) const ASIDE: &str = "set aside for jackpots";
    pub(crate) const BREAK_EVEN: &str = "break-even meter";
    pub(crate) const HOLD: &str = "hold per hour";
    pub(crate) const EXPOSURE: &str = "exposure on one roll";
}

/// The formula of a figure; `at` says where another one stands. Nothing for those that are
/// written down.
pub(super) fn figure(
    figure: &str,
    inputs: &Inputs,
    endings: &Endings,
    at: &impl Fn(&str) -> String,
) -> Option<String> {
    let Inputs { unit, bettors, rolls_per_hour, .. } = inputs;
    let Endings { first, won, push, none, .. } = endings;
    Some(match figure {
        name::HIT => format!("=SUM(F{first}:F{won})"),
        name::PUSH => format!("=F{push}"),
        name::FIXED => match endings.jackpot {
            Some(jackpot) => format!("={}-K{jackpot}", endings.sum('K')),
            None => format!("={}", endings.sum('K')),
        },
        name::RETURN => format!("={}", endings.sum('K')),
        name::EDGE => format!("=1-{}", at(name::RETURN)),
        name::ENVY => format!("=SUM(O{first}:O{won})"),
        name::AFTER_ENVY => format!("={}-{}", at(name::EDGE), at(name::ENVY)),
        name::VARIANCE => format!("={}-({}-1)^2", endings.sum('L'), at(name::RETURN)),
        name::DEVIATION => format!("=SQRT({})", at(name::VARIANCE)),
        name::VOLATILITY => format!("={}*{}", Par::NINE_IN_TEN, at(name::DEVIATION)),
        name::ROLLS => format!("={}/{}", at(name::ROLLS_OVER), at(name::ROLLS_UNDER)),
        name::PER_ROLL => format!("={}/{}", at(name::EDGE), at(name::ROLLS)),
        name::DECISIONS => format!("={rolls_per_hour}/{}", at(name::ROLLS)),
        name::HOLD => {
            let kept = match &inputs.meter {
                None => at(name::EDGE),
                Some(_) => format!("1-{}-{}", at(name::FIXED), at(name::ASIDE)),
            };
            let staked = format!("{unit}*{bettors}*{}", at(name::DECISIONS));
            let hold = format!("({kept}-{})*{staked}", at(name::ENVY));
            match &inputs.meter {
                None => format!("={hold}"),
                Some(_) => if_known(&at(name::ASIDE), &hold),
            }
        }
        name::EXPOSURE => format!("=MAX(P{first}:P{none})"),
        _ => return of_meter(figure, inputs, endings, at),
    })
}

/// The formula of a figure of a progressive.
fn of_meter(
    figure: &str,
    inputs: &Inputs,
    endings: &Endings,
    at: &impl Fn(&str) -> String,
) -> Option<String> {
    let (meter, jackpot) = (inputs.meter.as_ref()?, endings.jackpot?);
    let Inputs { unit, bettors, .. } = inputs;
    let MeterInputs { seed, increment, reserve, ceiling, winners, .. } = meter;
    let (chance, fed) = (format!("F{jackpot}"), at(name::FED));
    let sharers = sharers(inputs, meter);
    Some(match figure {
        name::CYCLE => format!("=1/{chance}"),
        name::FED => format!("={unit}*{bettors}*{increment}"),
        name::TO_CEILING => {
            let steps = format!("INT(ROUND(({ceiling}-{seed})/{fed},6))");
            format!("=IF(AND(ISNUMBER({ceiling}),{fed}>0),{steps},\"no ceiling\")")
        }
        name::AT_CEILING => {
            let steps = at(name::TO_CEILING);
            format!("=IF(ISNUMBER({steps}),(1-{chance})^{steps},0)")
        }
        name::MEAN => {
            let (steps, reached) = (at(name::TO_CEILING), at(name::AT_CEILING));
            let cut =
                format!("{fed}*(1-{reached})/{chance}+({ceiling}-{seed}-{fed}*{steps})*{reached}");
            let grown = format!("IF(ISNUMBER({steps}),{cut},{fed}/{chance})");
            format!("=IF({},\"{NO_TERMS}\",{seed}+{grown})", no_terms(meter))
        }
        name::LONG_RUN => {
            let won = format!("{}+{chance}*{}", at(name::FIXED), at(name::MEAN));
            if_known(&at(name::MEAN), &format!("{won}/{unit}/{sharers}"))
        }
        name::ASIDE => {
            let jackpots = format!("({}-{})", at(name::LONG_RUN), at(name::FIXED));
            let paid = format!("{jackpots}/IF({winners}=\"{SHARE}\",1,{bettors})");
            let aside = format!("MAX({increment}+{reserve},{paid})+{jackpots}-{paid}");
            if_known(&at(name::LONG_RUN), &aside)
        }
        name::BREAK_EVEN => {
            let fixed = at(name::FIXED);
            let meter = format!("(1-{fixed})/{chance}*{unit}*{sharers}");
            format!("=IF({fixed}<1,{meter},\"none\")")
        }
        _ => return None,
    })
}

/// By how many the meter is divided.
fn sharers(inputs: &Inputs, meter: &MeterInputs) -> String {
    format!("IF({}=\"{SHARE}\",{},1)", meter.winners, inputs.bettors)
}

/// Whether nobody has set terms.
fn no_terms(meter: &MeterInputs) -> String {
    format!("AND({}=0,{}=0)", meter.seed, meter.increment)
}

/// What rests on a figure that may be unknown.
fn if_known(cell: &str, formula: &str) -> String {
    format!("=IF(ISNUMBER({cell}),{formula},\"{NO_TERMS}\")")
}

/// What a manager should not overlook about a figure, where there is anything: the words of
/// [`Par::flags`], told by the cells as they are.
pub(super) fn flag(
    figure: &str,
    par: &Par,
    inputs: &Inputs,
    at: &impl Fn(&str) -> String,
) -> Option<String> {
    let percent = |of: &str| format!("TEXT(100*{of},\"0.00\")");
    let returns = |cell: &str, over: &str| {
        let words = quoted(&format!(" % {over}: players have the edge"));
        format!("\"returns \"&{}&{words}", percent(cell))
    };
    let (when, words) = match figure {
        name::RETURN => {
            let cell = at(name::RETURN);
            (format!("{cell}>1"), returns(&cell, "at this meter"))
        }
        name::AFTER_ENVY => {
            let when = format!("AND({}>0,{}<=0)", at(name::EDGE), at(name::AFTER_ENVY));
            (when, quoted("the house loses once envy is paid"))
        }
        name::FIXED if inputs.meter.is_some() => {
            let cell = at(name::FIXED);
            let words = format!(
                "\"the fixed pays alone return \"&{}&\" %, which leaves \"&{}&{}",
                percent(&cell),
                percent(&format!("(1-{cell})")),
                quoted(" % for meter, envy and house")
            );
            (format!("{cell}>0.75"), words)
        }
        name::LONG_RUN => {
            let cell = at(name::LONG_RUN);
            let over = format!("IF(ISNUMBER({cell}),{cell}>1,FALSE)");
            (over, returns(&cell, "in the long run"))
        }
        name::MEAN => (no_terms(inputs.meter.as_ref()?), quoted(&par.no_terms_flag())),
        _ => return None,
    };
    Some(format!("=IF({when},{words},\"\")"))
}

/// Why a figure does not follow the inputs, told where they have changed.
pub(super) fn stays_behind(inputs: &Inputs, why: &str) -> String {
    format!("=IF({},\"\",{})", inputs.as_written, quoted(why))
}

/// A number as a cell holds it.
pub(super) fn double(value: &Ratio) -> String {
    let text = decimal(value, 30);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A text in a formula: its quotes doubled, and in pieces, for none may have more than 255
/// letters.
fn quoted(text: &str) -> String {
    const PIECE: usize = 120;
    let letters: Vec<char> = text.chars().collect();
    let piece = |letters: &[char]| {
        format!("\"{}\"", letters.iter().collect::<String>().replace('"', "\"\""))
    };
    let pieces: Vec<String> = letters.chunks(PIECE).map(piece).collect();
    if pieces.is_empty() { "\"\"".to_owned() } else { pieces.join("&") }
}

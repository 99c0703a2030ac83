//! What somebody has published about a wager, held against what the engine comes to.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use craps::library::split_option;
use craps::{Cents, Library, Rules};
use dashu_int::{IBig, UBig};

use crate::atlas::Atlas;
use crate::chance::{Ratio, decimal, fraction, percent, ratio, whole};
use crate::edge::Edge;
use crate::par::{Par, ParTerms};
use crate::price::Terms;
use crate::target::{Target, Unpriced};

/// A figure of a wager, by the words it is asked for with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Figure {
    /// `edge`: the house's share of each dollar bet.
    Edge,
    /// `edge of outlay`: the same, commission counted as put up.
    EdgeOfOutlay,
    /// `edge without pushes`: the same, pushes not counted as decisions.
    EdgeWithoutPushes,
    /// `edge per roll`: the same for each roll on which the bet works.
    EdgePerRoll,
    /// `edge after envy`: what is left once the dealers have been paid, with one bettor.
    EdgeAfterEnvy,
    /// `envy`: what the dealers cost for each dollar bet, with one bettor.
    Envy,
    /// `deviation`: the standard deviation for a stake of one.
    Deviation,
    /// `hit`: the chance of an award, one of 1 for 1 among them; a push is none.
    Hit,
    /// `push`: the chance of a push.
    Push,
    /// `top`: the chance of the highest award.
    Top,
    /// `chance of 24`: the chance of this net result for a stake of one.
    Chance(Ratio),
    /// `return`: what comes back for each dollar, with nothing on the meter.
    Return,
    /// `break-even`: the meter at which a single bettor's return is everything.
    BreakEven,
    /// `rolls`: the mean number of rolls to a decision.
    Rolls,
}

const FIGURES: [(&str, Figure); 13] = [
    ("edge", Figure::Edge),
    ("edge of outlay", Figure::EdgeOfOutlay),
    ("edge without pushes", Figure::EdgeWithoutPushes),
    ("edge per roll", Figure::EdgePerRoll),
    ("edge after envy", Figure::EdgeAfterEnvy),
    ("envy", Figure::Envy),
    ("deviation", Figure::Deviation),
    ("hit", Figure::Hit),
    ("push", Figure::Push),
    ("top", Figure::Top),
    ("return", Figure::Return),
    ("break-even", Figure::BreakEven),
    ("rolls", Figure::Rolls),
];

impl FromStr for Figure {
    type Err = String;

    fn from_str(text: &str) -> Result<Figure, String> {
        if let Some(net) = text.strip_prefix("chance of ").and_then(parse_ratio) {
            return Ok(Figure::Chance(net));
        }
        let found = FIGURES.iter().find(|(name, _)| *name == text);
        let names = || FIGURES.map(|(name, _)| name).join("`, `");
        let unknown = || format!("`{text}` is no figure, there are `{}`, `chance of N`", names());
        found.map(|(_, figure)| figure.clone()).ok_or_else(unknown)
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Figure::Chance(net) = self {
            return write!(f, "chance of {}", fraction(net));
        }
        let (name, _) = FIGURES.iter().find(|(_, figure)| figure == self).expect("it has a name");
        f.write_str(name)
    }
}

/// How a published value is written: `7/495`, `1.41%`, `$37,790.93`, `1 in 37.945`, `0.98592`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Fraction,
    Percent,
    Dollars,
    OneIn,
    Number,
}

/// What somebody says of a wager.
#[derive(Clone, Debug)]
pub struct Published {
    /// The rulebook and its paytables, as a tape names them.
    pub rules: String,
    /// Options of it, `NAME=VALUE`.
    pub options: Vec<String>,
    /// The wager, as written: `place 6`, `pass+odds 2x`.
    pub wager: String,
    /// Which figure.
    pub figure: Figure,
    /// The value, as it is printed.
    pub value: String,
}

/// What was published beside what the engine comes to.
#[derive(Clone, Debug)]
pub struct Compared {
    /// Ours, exactly; a deviation to nine places.
    pub ours: Ratio,
    /// Ours as the other is written, with two more places.
    pub shown: String,
    /// How far ours is from theirs, in the same form; empty where they agree to its last place.
    pub difference: String,
}

impl Published {
    /// Compares all of these, pricing each wager once; those of the atlas are not priced again.
    /// What cannot be compared says why.
    pub fn compare(
        library: &Library,
        atlas: &Atlas,
        all: &[Published],
    ) -> Vec<Result<Compared, String>> {
        let mut known = HashMap::new();
        all.iter().map(|one| one.compared(library, atlas, &mut known)).collect()
    }

    fn compared(
        &self,
        library: &Library,
        atlas: &Atlas,
        known: &mut HashMap<Priced, Known>,
    ) -> Result<Compared, String> {
        let (form, theirs, places) = read(&self.value)
            .ok_or_else(|| format!("`{}` is not a value such as 7/495 or 1.41%", self.value))?;
        let ours = self.ours(library, atlas, known)?;
        let scale = match form {
            Form::Percent => ratio(1, 100),
            // A meter is in cents.
            Form::Dollars => whole(100),
            Form::Fraction | Form::Number | Form::OneIn => Ratio::ONE,
        };
        let written = match form {
            Form::OneIn => Ratio::ONE / &ours,
            _ => &ours / &scale,
        };
        let away = &written - &theirs;
        let half = ratio(1, 2) / whole(10_i64.pow(places as u32));
        let near = match form {
            Form::Fraction => away == Ratio::ZERO,
            _ => away <= half && -away.clone() <= half,
        };
        let shown = |value: &Ratio| match form {
            Form::Fraction => fraction(value),
            Form::Percent => decimal(value, places + 2) + "%",
            Form::Dollars => format!("${}", decimal(value, places)),
            Form::OneIn => format!("1 in {}", decimal(value, places + 2)),
            Form::Number => decimal(value, places + 2),
        };
        let difference = match (near, form) {
            (true, _) => String::new(),
            (false, Form::Fraction) => percent(&away, 4) + "%",
            (false, Form::OneIn) => decimal(&away, places + 2),
            (false, _) => shown(&away),
        };
        Ok(Compared { shown: shown(&written), ours, difference })
    }

    /// Our own figure.
    fn ours(
        &self,
        library: &Library,
        atlas: &Atlas,
        known: &mut HashMap<Priced, Known>,
    ) -> Result<Ratio, String> {
        let said = |error: Unpriced| error.to_string();
        if let Some(edge) = self.charted(atlas)
            && let Some(figure) = of_edge(edge, &self.figure)
        {
            return Ok(figure);
        }
        let key = (self.rules.clone(), self.options.clone(), self.wager.clone());
        if !known.contains_key(&key) {
            let rules = self.compile(library)?;
            let target = spot(&rules, &self.wager).map_err(said)?;
            let terms = Terms { meter: Cents::ZERO, bettors: 1 };
            let edge = Edge::of(&rules, &target, None, terms).map_err(said)?;
            known.insert(key.clone(), Known { rules, target, edge, par: None });
        }
        let known = known.get_mut(&key).expect("it was priced");
        match of_edge(&known.edge, &self.figure) {
            Some(figure) => Ok(figure),
            None => of_par(known.sheet()?, &self.figure),
        }
    }

    /// The same wager in the atlas, where it is priced as here: without options or a meter.
    fn charted<'a>(&self, atlas: &'a Atlas) -> Option<&'a Edge> {
        let (book, paytable) = match self.rules.split_once(':') {
            Some((book, paytable)) => (book, Some(paytable)),
            None => (self.rules.as_str(), None),
        };
        let same = |charted: &&crate::atlas::Charted| {
            charted.rulebook == book
                && charted.paytable.as_deref() == paytable
                && charted.wager == self.wager
        };
        let charted = atlas.wagers.iter().find(same).filter(|_| self.options.is_empty())?;
        charted.edge.as_ref().ok().filter(|edge| edge.meter.is_none())
    }

    fn compile(&self, library: &Library) -> Result<Rules, String> {
        let options: Result<Vec<_>, _> = self.options.iter().map(|o| split_option(o)).collect();
        let chosen = library.choose(&self.rules).map_err(|faults| faults.to_string())?;
        Rules::compile(library, &library.over_base(vec![chosen]), &options?)
            .map_err(|faults| faults.to_string())
    }
}

/// What an edge is remembered by: rules, options and wager.
type Priced = (String, Vec<String>, String);

/// What has been worked out for a wager.
struct Known {
    rules: Rules,
    target: Target,
    edge: Edge,
    par: Option<Par>,
}

impl Known {
    /// The sheet for one bettor and an empty meter.
    fn sheet(&mut self) -> Result<&Par, String> {
        if self.par.is_none() {
            let terms = ParTerms { meter: Some(Cents::ZERO), ..ParTerms::default() };
            let par = Par::of(&self.rules, &self.target.name, terms);
            self.par = Some(par.map_err(|error| error.to_string())?);
        }
        Ok(self.par.as_ref().expect("it was just made"))
    }
}

/// A bet, or odds by themselves.
fn spot(rules: &Rules, wager: &str) -> Result<Target, Unpriced> {
    let mut spots = Target::every_spot(rules).into_iter();
    match spots.find(|target| target.name == wager) {
        Some(target) => Ok(target),
        None => Target::parse(rules, wager),
    }
}

/// The figures that an edge has.
fn of_edge(edge: &Edge, figure: &Figure) -> Option<Ratio> {
    Some(match figure {
        Figure::Edge => edge.edge(),
        Figure::EdgeOfOutlay => edge.edge_of_outlay(),
        Figure::EdgeWithoutPushes => edge.edge_without_pushes(),
        Figure::EdgePerRoll => edge.edge_per_roll(),
        Figure::Deviation => parse_ratio(&format!("{:.9}", edge.deviation()))?,
        Figure::Hit => edge.hit.clone(),
        Figure::Push => edge.push.clone(),
        Figure::Chance(net) => {
            let found = edge.outcomes.iter().find(|(known, _)| known == net);
            found.map_or(Ratio::ZERO, |(_, chance)| chance.clone())
        }
        Figure::Return => Ratio::ONE - edge.edge(),
        Figure::Rolls => edge.rolls.clone(),
        Figure::Top | Figure::BreakEven | Figure::Envy | Figure::EdgeAfterEnvy => return None,
    })
}

/// The figures that only a sheet has.
fn of_par(par: &Par, figure: &Figure) -> Result<Ratio, String> {
    match figure {
        Figure::Top => Ok(par.top_chance.clone()),
        Figure::Envy => Ok(par.envy_cost.clone()),
        Figure::EdgeAfterEnvy => Ok(par.edge_after_envy()),
        Figure::BreakEven => {
            par.breakeven(1).ok_or_else(|| format!("`{}` has no meter", par.wager))
        }
        _ => Err(format!("`{figure}` is not on a sheet")),
    }
}

/// The form of a value, the value in that form, and its places after the point.
fn read(text: &str) -> Option<(Form, Ratio, usize)> {
    let (form, number) = if text.contains('/') {
        (Form::Fraction, text)
    } else if let Some(number) = text.strip_suffix('%') {
        (Form::Percent, number)
    } else if let Some(number) = text.strip_prefix('$') {
        (Form::Dollars, number)
    } else if let Some(number) = text.strip_prefix("1 in ") {
        (Form::OneIn, number)
    } else {
        (Form::Number, text)
    };
    let number = number.trim().replace(',', "");
    let places = number.split_once('.').map_or(0, |(_, after)| after.len());
    Some((form, parse_ratio(&number)?, places))
}

/// `-1/66`, `0.98592`, `24`.
fn parse_ratio(text: &str) -> Option<Ratio> {
    if let Some((num, den)) = text.split_once('/') {
        let den: UBig = den.parse().ok()?;
        let num: IBig = num.parse().ok()?;
        return (den != UBig::ZERO).then(|| Ratio::from_parts(num, den));
    }
    let (before, after) = text.split_once('.').unwrap_or((text, ""));
    let digits: IBig = format!("{before}{after}").parse().ok()?;
    Some(Ratio::from_parts(digits, UBig::from(10u8).pow(after.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(wager: &str, figure: &str, value: &str) -> Result<Compared, String> {
        let published = Published {
            rules: "presque-isle".to_owned(),
            options: Vec::new(),
            wager: wager.to_owned(),
            figure: figure.parse()?,
            value: value.to_owned(),
        };
        let atlas = Atlas { wagers: Vec::new() };
        Published::compare(&Library::embedded(), &atlas, &[published]).remove(0)
    }

    #[test]
    fn values_agree_to_their_last_place_or_say_how_far_off_they_are() {
        for (wager, figure, value, shown, difference) in [
            ("pass", "edge", "7/495", "7/495", ""),
            ("pass", "edge", "1.41%", "1.4141%", ""),
            ("pass", "edge", "1.42%", "1.4141%", "-0.0059%"),
            ("pass", "edge", "1/70", "7/495", "-0.0144%"),
            ("pass", "deviation", "0.99990", "0.9999000", ""),
            ("pass", "chance of 1", "244/495", "244/495", ""),
            ("any-seven", "hit", "1 in 6", "1 in 6.00", ""),
            ("place 6", "edge per roll", "0.46%", "0.4630%", ""),
            ("dont-pass", "edge without pushes", "1.40%", "1.4026%", ""),
            ("odds pass", "edge", "0%", "0.00%", ""),
        ] {
            let compared = compare(wager, figure, value).unwrap();
            assert_eq!((&*compared.shown, &*compared.difference), (shown, difference), "{wager}");
        }
    }

    #[test]
    fn what_cannot_be_compared_says_why() {
        let said = |wager, figure, value| compare(wager, figure, value).unwrap_err();
        assert!(said("pas", "edge", "1%").contains("there is no wager `pas`"));
        assert!(said("pass", "edges", "1%").contains("`edges` is no figure"));
        assert!(said("pass", "edge", "little").contains("is not a value"));
        assert!(said("pass", "edge", "1/0").contains("is not a value"));
        assert!(said("pass", "break-even", "$1").contains("has no meter"));
    }
}

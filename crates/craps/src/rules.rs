//! Rules: rulebooks compiled for a table. Immutable, shared by every seat, hashed.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::felt::{self, Felt, TrackerRule};
use crate::library::Library;
use crate::rulebook::{Cap, Fault, Faults, Kind, Rulebook, price, suggestion};
use crate::{
    Cents, Due, Envy, Hand, Measure, MeterTerms, Pays, PaysBy, PaysKey, Shape, Spot, Total, Totals,
    Wager, notation,
};

/// A wager of some [`Rules`], by its place in [`Rules::wagers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WagerId(pub(crate) u8);

/// A line of a paytable of some [`Rules`], by its place in [`Rules::awards`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AwardId(pub(crate) u16);

impl AwardId {
    /// The place of this award in [`Rules::awards`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A meter of some [`Rules`], by its place in [`Rules::meters`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MeterId(pub(crate) u8);

impl MeterId {
    /// The place of this meter in [`Rules::meters`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One thing a wager can win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Award {
    /// The wager.
    pub wager: WagerId,
    /// What has to happen, as a paytable words it: `6`, `9 numbers`, `4 rolls`.
    pub event: String,
    /// What the winner is owed.
    pub due: Due,
    /// What the dealers are owed.
    pub envy: Option<Envy>,
}

/// A spot on the felt and what the engine needs to know of it.
#[derive(Clone, Debug)]
pub struct SpotRule {
    /// As it is written on a tape: `place 6`.
    pub notation: String,
    /// The wager.
    pub wager: WagerId,
    /// The number it stands on, if it has one.
    pub number: Option<Total>,
    /// Its tracker, if the table keeps its progress.
    pub tracker: Option<u8>,
    /// The flat bet it stands behind, for odds.
    pub flat: Option<Spot>,
    /// The odds behind it, for a line bet.
    pub odds: Option<Spot>,
    /// Whether a player may bet on it directly: a come bet reaches its number only by travelling.
    pub direct: bool,
}

/// A progressive meter the rules call for.
#[derive(Clone, Debug)]
pub struct MeterRule {
    /// The paytable it belongs to, which is its name.
    pub name: String,
    /// The wager that feeds it.
    pub wager: WagerId,
    /// How it is funded and paid.
    pub terms: MeterTerms,
}

/// A rulebook put on a table, with the paytables chosen from it.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The rulebook.
    pub rulebook: Rulebook,
    /// The paytables on offer; the rulebook's own choice where nothing was said.
    pub paytables: Option<Vec<String>>,
}

/// Everything a table plays by.
///
/// ```
/// use craps::{Library, Rules};
/// let rules = Rules::named(&Library::embedded(), &["presque-isle"]).unwrap();
/// let place_six = rules.spot("place 6").unwrap();
/// assert_eq!(rules.wager_at(place_six).title, "Place");
/// ```
#[derive(Clone)]
pub struct Rules {
    /// The rulebooks and paytables, as `--rules` would name them.
    pub name: String,
    /// The rulebooks by name, with the SHA-256 of the text each was read from.
    pub rulebooks: Vec<(String, [u8; 32])>,
    /// SHA-256 over the texts, paytables and options, so that a roll can record what it was
    /// paid under.
    pub hash: [u8; 32],
    /// The numbers the puck can rest on.
    pub points: Totals,
    /// Winnings are rounded down to a multiple of this.
    pub payout_unit: Cents,
    /// The most the capped wagers may win together.
    pub cap: Option<Cap>,
    /// Whether some betting window asks which totals came since the last seven.
    pub(crate) remembers: bool,
    wagers: Vec<Wager>,
    spots: Vec<SpotRule>,
    awards: Vec<Award>,
    meters: Vec<MeterRule>,
    pub(crate) trackers: Vec<TrackerRule>,
    pub(crate) felt: Felt,
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Rules").field(&self.name).finish()
    }
}

impl Rules {
    /// Compiles rulebooks, given as `name` or `name:PAYTABLE,PAYTABLE`.
    pub fn named(library: &Library, names: &[&str]) -> Result<Rules, Faults> {
        Rules::with_options(library, names, &[])
    }

    /// Compiles rulebooks with options set by name.
    pub fn with_options(
        library: &Library,
        names: &[&str],
        options: &[(&str, &str)],
    ) -> Result<Rules, Faults> {
        let chosen: Result<Vec<Chosen>, Faults> =
            names.iter().map(|name| library.choose(name)).collect();
        let options: Vec<(String, String)> =
            options.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        Rules::compile(library, &chosen?, &options)
    }

    /// Compiles a base game and its side bets. A later rulebook replaces wagers of the same name
    /// in an earlier one. The library lends the paytables a rulebook borrows.
    pub fn compile(
        library: &Library,
        chosen: &[Chosen],
        options: &[(String, String)],
    ) -> Result<Rules, Faults> {
        let chosen = apply_options(chosen, options)?;
        let base = match chosen.iter().filter(|c| c.rulebook.kind == Kind::Base).count() {
            1 => chosen.iter().find(|c| c.rulebook.kind == Kind::Base).expect("counted"),
            0 => return Err(Faults::one("rules", "no base game, add one such as presque-isle")),
            _ => return Err(Faults::one("rules", "a table has one base game, these name two")),
        };
        let mut faults = Vec::new();
        let mut wagers: Vec<Wager> = Vec::new();
        let mut names = Vec::new();
        let mut digest = Sha256::new();
        for choice in &chosen {
            let paytables = choose_paytables(library, choice, &mut faults);
            names.push(match &choice.paytables {
                Some(paytables) => format!("{}:{}", choice.rulebook.name, paytables.join(",")),
                None => choice.rulebook.name.clone(),
            });
            digest.update(choice.rulebook.hash());
            for (wager, paytable_hash) in offered(&choice.rulebook, &paytables, &mut faults) {
                digest.update(paytable_hash);
                match wagers.iter_mut().find(|earlier| earlier.name == wager.name) {
                    Some(earlier) => *earlier = wager,
                    None => wagers.push(wager),
                }
            }
        }
        digest.update(names.join(" "));
        for (name, value) in options {
            digest.update(format!("\n{name}={value}"));
        }
        let mut caps = wagers.iter().filter_map(|wager| wager.cap.map(|cap| (wager, cap)));
        let cap = caps.next().map(|(_, cap)| cap);
        if let Some((wager, _)) = caps.find(|(_, other)| Some(*other) != cap) {
            let reason = format!("wager `{}` has another aggregate cap than the rest", wager.name);
            faults.push(Fault { file: "rules".to_owned(), at: None, reason });
        }
        check_sizes(&wagers, base.rulebook.points, &mut faults);
        if !faults.is_empty() {
            return Err(Faults(faults));
        }
        let (points, payout_unit) = (base.rulebook.points, base.rulebook.payout_unit);
        let mut rules = Rules {
            name: names.join(" "),
            rulebooks: chosen
                .iter()
                .map(|choice| (choice.rulebook.name.clone(), choice.rulebook.hash()))
                .collect(),
            hash: digest.finalize().into(),
            points,
            payout_unit,
            cap,
            remembers: wagers.iter().any(|wager| wager.when == crate::When::AfterSeven),
            spots: spots(&wagers, points),
            wagers,
            awards: Vec::new(),
            meters: Vec::new(),
            trackers: Vec::new(),
            felt: Felt::default(),
        };
        rules.meters = meters(&rules.wagers);
        felt::lay(&mut rules);
        Ok(rules)
    }

    /// The same rules paying to the cent and without a cap: what ratios are made of.
    #[must_use]
    pub fn unrounded(&self) -> Rules {
        let mut rules = self.clone();
        rules.payout_unit = Cents(1);
        rules.cap = None;
        rules.wagers.iter_mut().for_each(|wager| wager.cap = None);
        rules
    }

    /// Every wager on offer, in the order of the rulebooks.
    pub fn wagers(&self) -> &[Wager] {
        &self.wagers
    }

    /// A wager.
    pub fn wager(&self, id: WagerId) -> &Wager {
        &self.wagers[usize::from(id.0)]
    }

    /// The wager of this name.
    pub fn wager_named(&self, name: &str) -> Option<WagerId> {
        let place = self.wagers.iter().position(|wager| wager.name == name)?;
        Some(WagerId(place as u8))
    }

    /// The wager a spot belongs to.
    #[inline]
    pub fn wager_at(&self, spot: Spot) -> &Wager {
        self.wager(self.spot_rule(spot).wager)
    }

    /// Every spot of the felt, in order.
    pub fn spots(&self) -> impl Iterator<Item = Spot> + Clone + use<> {
        (0..self.spots.len() as u8).map(Spot)
    }

    /// What there is to know of a spot.
    #[inline]
    pub fn spot_rule(&self, spot: Spot) -> &SpotRule {
        &self.spots[spot.index()]
    }

    /// The spot written as `notation`.
    pub fn spot(&self, notation: &str) -> Option<Spot> {
        let place = self.spots.iter().position(|spot| spot.notation == notation)?;
        Some(Spot(place as u8))
    }

    /// The spots of one wager.
    pub fn spots_of(&self, wager: WagerId) -> impl Iterator<Item = Spot> + '_ {
        self.spots().filter(move |spot| self.spot_rule(*spot).wager == wager)
    }

    /// Every award, in the order of the wagers.
    pub fn awards(&self) -> &[Award] {
        &self.awards
    }

    /// An award.
    #[inline]
    pub fn award(&self, id: AwardId) -> &Award {
        &self.awards[id.index()]
    }

    pub(crate) fn add_award(&mut self, award: Award) -> AwardId {
        let same = self.awards.iter().position(|known| *known == award);
        let place = same.unwrap_or_else(|| {
            self.awards.push(award);
            self.awards.len() - 1
        });
        AwardId(u16::try_from(place).expect("there are fewer awards than spots and rungs"))
    }

    /// Every progressive meter.
    pub fn meters(&self) -> &[MeterRule] {
        &self.meters
    }

    /// The meter that `wager` feeds.
    pub fn meter_of(&self, wager: WagerId) -> Option<MeterId> {
        let place = self.meters.iter().position(|meter| meter.wager == wager)?;
        Some(MeterId(place as u8))
    }

    /// The tracked wagers, in the order of [`Hand::trackers`](crate::Hand::trackers).
    pub fn tracked(&self) -> impl Iterator<Item = WagerId> + '_ {
        self.trackers.iter().map(|tracker| tracker.wager)
    }

    /// The tracker of a wager.
    pub fn tracker_of(&self, wager: WagerId) -> Option<usize> {
        self.trackers.iter().position(|tracker| tracker.wager == wager)
    }

    /// The most that may be put on odds at `spot`, standing on `number` behind a flat bet of
    /// `flat`. Nothing for other wagers.
    pub fn odds_most(&self, spot: Spot, number: Total, flat: Cents) -> Option<Cents> {
        let Shape::Odds { multiples, .. } = &self.wager_at(spot).shape else { return None };
        // Outermost numbers first: 4 and 10, then 5 and 9, then 6 and 8.
        let distance = |total: Total| total.number().abs_diff(7);
        let outer = |away: &u8| self.points.iter().any(|point| distance(point) == *away);
        let further = (distance(number) + 1..=5).filter(outer).count();
        let multiple = multiples.get(further).or(multiples.last())?;
        self.odds_stake(spot, number, flat, *multiple)
    }

    /// The odds at `spot` that are `multiple` times a flat bet of `flat`, in stake or in what
    /// they would win, as the wager counts it, in whole units.
    pub fn odds_stake(
        &self,
        spot: Spot,
        number: Total,
        flat: Cents,
        multiple: u32,
    ) -> Option<Cents> {
        let wager = self.wager_at(spot);
        let Shape::Odds { of, .. } = &wager.shape else { return None };
        let Due::Pays(pays) = wager.pays.as_ref()?.due(PaysKey::Number(number.number()))? else {
            return None;
        };
        let (times, num, den) = (i64::from(multiple), i64::from(pays.num), i64::from(pays.den));
        let (stake, _) = match of {
            Measure::Stake => flat.share(times, 1),
            Measure::Win => flat.share(times * den, num),
        };
        Some(stake.floor_to(wager.limits.unit))
    }
}

/// Every rulebook takes the options it has; one that no rulebook has is a fault.
fn apply_options(chosen: &[Chosen], options: &[(String, String)]) -> Result<Vec<Chosen>, Faults> {
    let mut applied = Vec::new();
    let mut faults: Vec<Fault> = Vec::new();
    let mut unknown: Vec<usize> = (0..options.len()).collect();
    for choice in chosen {
        let (rulebook, missing) = choice.rulebook.with_options(options);
        unknown.retain(|place| missing.contains(place));
        match rulebook {
            Ok(rulebook) => applied.push(Chosen { rulebook, ..choice.clone() }),
            Err(found) => faults.extend(found.0),
        }
    }
    for place in unknown {
        let name = &options[place].0;
        let names = chosen.iter().flat_map(|choice| choice.rulebook.options());
        let names: Vec<String> = names.map(|(name, _)| name.to_owned()).collect();
        let hint = suggestion(name, names.iter().map(String::as_str));
        let reason = format!("no rulebook on the table has the option `{name}`{hint}");
        faults.push(Fault { file: "rules".to_owned(), at: None, reason });
    }
    faults.dedup();
    if faults.is_empty() { Ok(applied) } else { Err(Faults(faults)) }
}

/// The paytables a choice names, its own or borrowed, with the hash of the text they stand in.
fn choose_paytables(
    library: &Library,
    choice: &Chosen,
    faults: &mut Vec<Fault>,
) -> Vec<(crate::rulebook::Paytable, [u8; 32])> {
    let rulebook = &choice.rulebook;
    let names = choice.paytables.as_ref().unwrap_or(&rulebook.default_paytables);
    let mut lenders: Vec<&Rulebook> = Vec::new();
    for name in &rulebook.paytables_from {
        match library.rulebook(name) {
            Some(lender) => lenders.push(lender),
            None => {
                let names = library.rulebooks().iter().map(|book| book.name.as_str());
                let hint = suggestion(name, names);
                let reason = format!("`paytables-from` names `{name}`, no rulebook we have{hint}");
                faults.push(Fault { file: rulebook.file().to_owned(), at: None, reason });
            }
        }
    }
    let mut found = Vec::new();
    for name in names {
        let own = rulebook.paytable(name).map(|paytable| (paytable, rulebook.hash()));
        let lent = || {
            let lenders = lenders.iter();
            lenders.clone().find_map(|book| book.paytable(name).map(|table| (table, book.hash())))
        };
        if let Some((paytable, hash)) = own.or_else(lent) {
            let priced = |wager: &Wager| paytable.entries.iter().any(|e| e.wager == wager.name);
            if !rulebook.wagers.iter().any(priced) {
                let reason = format!("paytable {name} prices no wager of {}", rulebook.name);
                faults.push(Fault { file: rulebook.file().to_owned(), at: None, reason });
            }
            found.push((paytable.clone(), hash));
            continue;
        }
        let all = std::iter::once(rulebook).chain(lenders.iter().copied());
        let known = all.flat_map(|book| book.paytables.iter().map(|table| table.name.as_str()));
        let hint = suggestion(name, known);
        let reason = format!("there is no paytable `{name}` for {}{hint}", rulebook.name);
        faults.push(Fault { file: rulebook.file().to_owned(), at: None, reason });
    }
    found
}

/// The wagers a rulebook offers once its paytables are filled in.
fn offered(
    rulebook: &Rulebook,
    paytables: &[(crate::rulebook::Paytable, [u8; 32])],
    faults: &mut Vec<Fault>,
) -> Vec<(Wager, [u8; 32])> {
    let mut fault = |reason: String| {
        faults.push(Fault { file: rulebook.file().to_owned(), at: None, reason });
    };
    let mut offered = Vec::new();
    for wager in rulebook.wagers.iter().filter(|wager| wager.offered) {
        let mut wager = wager.clone();
        let covers = |table: &crate::rulebook::Paytable| {
            table.entries.iter().any(|entry| entry.wager == wager.name)
        };
        let pricing: Vec<_> = paytables.iter().filter(|(table, _)| covers(table)).collect();
        if let [(one, _), (two, _), ..] = pricing[..] {
            fault(format!("{} and {} both price `{}`, choose one", one.name, two.name, wager.name));
        }
        let mut hash = [0; 32];
        for (table, text_hash) in pricing {
            hash = *text_hash;
            for reason in price(&mut wager, table).err().unwrap_or_default() {
                fault(format!("{}: {reason}", table.name));
            }
        }
        if wager.pays.is_some() {
            offered.push((wager, hash));
        }
    }
    offered
}

/// What the compiled tables can hold, and odds that miss a number.
fn check_sizes(wagers: &[Wager], points: Totals, faults: &mut Vec<Fault>) {
    let mut fault = |reason: String| {
        faults.push(Fault { file: "rules".to_owned(), at: None, reason });
    };
    let spots = spots(wagers, points);
    if spots.len() > 250 {
        fault(format!("the wagers take {} spots, a felt has room for 250", spots.len()));
    }
    for (place, spot) in spots.iter().enumerate() {
        if spots[..place].iter().any(|earlier| earlier.notation == spot.notation) {
            fault(format!("two wagers are written `{}`", spot.notation));
        }
    }
    let trackers = wagers.iter().filter(|wager| wager.shape.is_tracked()).count();
    if trackers > Hand::TRACKERS {
        fault(format!("there are {trackers} tracked wagers, room for {}", Hand::TRACKERS));
    }
    for wager in wagers {
        if let Shape::Odds { behind, .. } = &wager.shape {
            let pays = wager.pays.as_ref().expect("only priced wagers are offered");
            for point in points.iter() {
                let due = pays.due(PaysKey::Number(point.number()));
                if !matches!(due, Some(Due::Pays(Pays { num: 1.., .. }))) {
                    fault(format!("`{}` needs a pay for {point}", wager.name));
                }
            }
            if !wagers.iter().any(|line| line.name == *behind) {
                fault(format!("`{}` is offered but `{behind}` is not", wager.name));
            }
        }
    }
    // The memo of broken cents is kept over a common denominator; keep it small.
    let dens = wagers.iter().filter_map(|wager| wager.pays.as_ref()).flat_map(PaysBy::dues);
    let lcm = dens.fold(1u64, |lcm, due| match due {
        Due::Pays(pays) => num_lcm(lcm, u64::from(pays.den)),
        _ => lcm,
    });
    if lcm > 1_000_000_000 {
        fault("the pays divide by too many different numbers to be summed exactly".to_owned());
    }
}

fn num_lcm(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a.saturating_mul(b / x)
}

fn spots(wagers: &[Wager], points: Totals) -> Vec<SpotRule> {
    let mut spots: Vec<SpotRule> = Vec::new();
    let mut tracker = 0;
    for (place, wager) in wagers.iter().enumerate() {
        let id = WagerId(place as u8);
        let mut add = |number: Option<Total>, direct: bool, tracker: Option<u8>| {
            let notation = notation::spot(&wager.name, number);
            spots.push(SpotRule {
                notation,
                wager: id,
                number,
                tracker,
                flat: None,
                odds: None,
                direct,
            });
        };
        let travels_behind = |behind: &str| {
            wagers.iter().any(|line| {
                line.name == *behind && matches!(line.shape, Shape::Line { travels: true, .. })
            })
        };
        match &wager.shape {
            Shape::OneRoll { .. } | Shape::Race { .. } if wager.numbers.is_empty() => {
                add(None, true, None);
            }
            Shape::OneRoll { .. } | Shape::Race { .. } => {
                wager.numbers.iter().for_each(|number| add(Some(*number), true, None));
            }
            Shape::Line { travels, .. } => {
                add(None, true, None);
                if *travels {
                    points.iter().for_each(|point| add(Some(point), false, None));
                }
            }
            Shape::Odds { behind, .. } if travels_behind(behind) => {
                points.iter().for_each(|point| add(Some(point), true, None));
            }
            Shape::Odds { .. } => add(None, true, None),
            Shape::Collect { .. } | Shape::Distinct { .. } | Shape::Sequence { .. } => {
                add(None, true, Some(tracker));
                tracker += 1;
            }
        }
    }
    tie_odds(wagers, &mut spots);
    spots
}

/// Joins each odds spot with the flat bet it stands behind.
fn tie_odds(wagers: &[Wager], spots: &mut [SpotRule]) {
    for place in 0..spots.len() {
        let Shape::Odds { behind, .. } = &wagers[usize::from(spots[place].wager.0)].shape else {
            continue;
        };
        let number = spots[place].number;
        let flat = spots.iter().position(|spot| {
            wagers[usize::from(spot.wager.0)].name == *behind && spot.number == number
        });
        if let Some(flat) = flat {
            spots[place].flat = Some(Spot(flat as u8));
            spots[flat].odds = Some(Spot(place as u8));
        }
    }
}

fn meters(wagers: &[Wager]) -> Vec<MeterRule> {
    let mut meters = Vec::new();
    for (place, wager) in wagers.iter().enumerate() {
        let pays = wager.pays.as_ref().expect("only priced wagers are offered");
        let Some(terms) = wager.meter else { continue };
        if pays.dues().any(|due| due == Due::Meter) {
            let name = wager.paytable.clone().unwrap_or_else(|| wager.name.clone());
            meters.push(MeterRule { name, wager: WagerId(place as u8), terms });
        }
    }
    meters
}

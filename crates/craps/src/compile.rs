//! From rulebooks to rules: options set, paytables filled in, wagers replaced, spots named, the
//! felt laid. Every fault is reported, not only the first.

use sha2::{Digest, Sha256};

use crate::dice::{Total, Totals};
use crate::did_you_mean::suggestion;
use crate::fate::{self, Awards, Plan};
use crate::hand::Hand;
use crate::library::Library;
use crate::money::Pays;
use crate::notation;
use crate::rulebook::{At, Fault, Faults, Kind, Listed, Paytable, Rulebook, check_pays};
use crate::rules::{Chosen, MeterRule, Rules};
use crate::spot::{Spot, SpotRule, WagerId};
use crate::tracker::{self, TrackerRule};
use crate::wager::{Cap, Due, Game, OnceSet, Opens, PaysKey, Shape, Side, Wager};

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
        compile(library, chosen, options)
    }
}

/// Compiles a base game and its side bets.
fn compile(
    library: &Library,
    chosen: &[Chosen],
    options: &[(String, String)],
) -> Result<Rules, Faults> {
    let chosen = apply_options(chosen, options)?;
    let base = base_game(&chosen)?;
    named_once(&chosen)?;
    let mut faults = Vec::new();
    let gathered = gather(library, &chosen, base.points, options, &mut faults);
    let wagers = gathered.wagers;
    let cap = one_cap(&wagers, &mut faults);
    let points = base.points;
    check_sizes(&wagers, points, &mut faults);
    let as_written = |wager: &&Wager| wager.shape.is_tracked() && wager.paytable.is_none();
    for wager in wagers.iter().filter(as_written) {
        let rulebook = rulebook_of(&chosen, wager);
        for reason in check_pays(wager, points) {
            faults.push(pays_fault(rulebook, wager, format!("{}: {reason}", wager.name)));
        }
    }
    if !faults.is_empty() {
        return Err(Faults(faults));
    }
    let after_seven = |wager: &Wager| matches!(wager.window.opens, Opens::AfterSeven { .. });
    let hashed = |choice: &Chosen| (choice.rulebook.name.clone(), choice.rulebook.hash());
    let spots = spots(&wagers, points);
    let mut awards = Awards::default();
    let game = Game { points, naturals: naturals(&wagers) };
    let trackers = tracker::lay(&wagers, &spots, game, &mut awards);
    let warnings = look_over(&chosen, &wagers, &spots, &trackers, (game, &awards))?;
    let felt = fate::lay(&Plan { wagers: &wagers, spots: &spots, points }, &mut awards);
    Ok(Rules {
        name: gathered.name,
        rulebooks: chosen.iter().map(hashed).collect(),
        hash: gathered.hash,
        points,
        payout_unit: base.payout_unit,
        cap,
        warnings,
        remembers: wagers.iter().any(after_seven),
        counts_hands: wagers.iter().any(|wager| wager.window.opens == Opens::NewShooter),
        spots,
        meters: meters(&wagers),
        wagers,
        awards: awards.0,
        trackers,
        felt,
    })
}

/// Side bets that the game they are put on makes impossible are faults; what is only odd about them
/// comes back.
fn look_over(
    chosen: &[Chosen],
    wagers: &[Wager],
    spots: &[SpotRule],
    trackers: &[TrackerRule],
    (game, awards): (Game, &Awards),
) -> Result<Vec<Fault>, Faults> {
    let (mut faults, mut warnings) = (Vec::new(), Vec::new());
    for rule in trackers {
        let wager = &wagers[usize::from(spots[rule.spot.index()].wager.0)];
        let rulebook = rulebook_of(chosen, wager);
        let fault = |reason: String| pays_fault(rulebook, wager, reason);
        // A wager on several numbers is looked over for each of them, and told of once.
        let found = tracker::look(rule, wager, game, awards);
        for (reasons, told) in [(found.faults, &mut faults), (found.warnings, &mut warnings)] {
            for fault in reasons.into_iter().map(fault) {
                if !told.contains(&fault) {
                    told.push(fault);
                }
            }
        }
    }
    if faults.is_empty() { Ok(warnings) } else { Err(Faults(faults)) }
}

/// The rulebook that a wager was offered by.
fn rulebook_of<'a>(chosen: &'a [Chosen], wager: &Wager) -> &'a Rulebook {
    let mut rulebooks = chosen.iter().map(|choice| &choice.rulebook);
    let own = rulebooks.find(|rulebook| rulebook.name == wager.rulebook);
    own.expect("a wager comes from one of the rulebooks")
}

/// What is wrong with a wager, told where its pays are written.
fn pays_fault(rulebook: &Rulebook, wager: &Wager, reason: String) -> Fault {
    let at = rulebook.pays_at(&wager.name, wager.paytable.as_deref());
    Fault { file: rulebook.file().to_owned(), at, reason }
}

/// The come-out totals that win the pass line at once.
fn naturals(wagers: &[Wager]) -> Totals {
    let pass = wagers.iter().find_map(|wager| match wager.shape {
        Shape::Line { side: Side::Right, wins, travels: false, .. } => Some(wins),
        _ => None,
    });
    pass.unwrap_or(Totals::NONE)
}

/// The one base game among the rulebooks.
fn base_game(chosen: &[Chosen]) -> Result<&Rulebook, Faults> {
    let mut bases = chosen.iter().filter(|choice| choice.rulebook.kind == Kind::Base);
    match (bases.next(), bases.next()) {
        (Some(base), None) => Ok(&base.rulebook),
        (None, _) => Err(Faults::one("rules", "no base game, add one such as presque-isle")),
        _ => Err(Faults::one("rules", "a table has one base game, these name two")),
    }
}

/// Naming a rulebook twice is a slip: the second would only replace the first.
fn named_once(chosen: &[Chosen]) -> Result<(), Faults> {
    for (place, choice) in chosen.iter().enumerate() {
        let name = &choice.rulebook.name;
        if chosen[..place].iter().any(|earlier| earlier.rulebook.name == *name) {
            let reason = format!("the rulebook `{name}` is named twice");
            return Err(Faults::one("rules", reason));
        }
    }
    Ok(())
}

/// What the rulebooks offer together.
struct Gathered {
    wagers: Vec<Wager>,
    name: String,
    hash: [u8; 32],
}

/// Every wager on offer; a later rulebook replaces those of the same name in an earlier one.
fn gather(
    library: &Library,
    chosen: &[Chosen],
    points: Totals,
    options: &[(String, String)],
    faults: &mut Vec<Fault>,
) -> Gathered {
    let mut wagers: Vec<Wager> = Vec::new();
    let mut names = Vec::new();
    let mut digest = Sha256::new();
    for choice in chosen {
        let paytables = choose_paytables(library, choice, faults);
        names.push(match &choice.paytables {
            Some(paytables) => format!("{}:{}", choice.rulebook.name, paytables.join(",")),
            None => choice.rulebook.name.clone(),
        });
        digest.update(choice.rulebook.hash());
        for (wager, paytable_hash) in offered(&choice.rulebook, &paytables, points, faults) {
            digest.update(paytable_hash);
            match wagers.iter_mut().find(|earlier| earlier.name == wager.name) {
                Some(earlier) => *earlier = wager,
                None => wagers.push(wager),
            }
        }
    }
    let name = names.join(" ");
    digest.update(&name);
    for (name, value) in options {
        digest.update(format!("\n{name}={value}"));
    }
    Gathered { wagers, name, hash: digest.finalize().into() }
}

/// The aggregate cap of the wagers, which must be the same for all that have one.
fn one_cap(wagers: &[Wager], faults: &mut Vec<Fault>) -> Option<Cap> {
    let mut caps = wagers.iter().filter_map(|wager| wager.shared.cap.map(|cap| (wager, cap)));
    let (_, cap) = caps.next()?;
    if let Some((wager, _)) = caps.find(|(_, other)| *other != cap) {
        let reason = format!("wager `{}` has another aggregate cap than the rest", wager.name);
        faults.push(Fault { file: "rules".to_owned(), at: None, reason });
    }
    Some(cap)
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
        let at = Some(At::Option(name.clone()));
        faults.push(Fault { file: "rules".to_owned(), at, reason });
    }
    faults.dedup();
    if faults.is_empty() { Ok(applied) } else { Err(Faults(faults)) }
}

/// The paytables a choice names, its own or borrowed, with the hash of the text they stand in.
fn choose_paytables(
    library: &Library,
    choice: &Chosen,
    faults: &mut Vec<Fault>,
) -> Vec<(Paytable, [u8; 32])> {
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
            let priced = |wager: &Listed| paytable.entry(&wager.name).is_some();
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
    paytables: &[(Paytable, [u8; 32])],
    points: Totals,
    faults: &mut Vec<Fault>,
) -> Vec<(Wager, [u8; 32])> {
    let mut offered = Vec::new();
    for wager in rulebook.wagers.iter().filter(|wager| wager.offered) {
        let mut pricing = paytables.iter().filter_map(|(table, hash)| {
            table.entry(&wager.name).map(|entry| (wager.priced(entry, &table.name), table, *hash))
        });
        let Some((priced, table, hash)) = pricing.next() else {
            offered.extend(wager.as_written().map(|wager| (wager, [0; 32])));
            continue;
        };
        if let Some((_, other, _)) = pricing.next() {
            let (one, two) = (&table.name, &other.name);
            let reason = format!("{one} and {two} both price `{}`, choose one", wager.name);
            faults.push(Fault { file: rulebook.file().to_owned(), at: None, reason });
        }
        for reason in check_pays(&priced, points) {
            let reason = format!("{}: {reason}", table.name);
            faults.push(pays_fault(rulebook, &priced, reason));
        }
        offered.push((priced, hash));
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
    let trackers = spots.iter().filter(|spot| spot.tracker.is_some()).count();
    if trackers > Hand::TRACKERS {
        let most = Hand::TRACKERS;
        fault(format!(
            "the side bets need lammers on {trackers} spots, a table has room for {most}"
        ));
    }
    for wager in wagers {
        if let Shape::Odds { behind, .. } = &wager.shape {
            let pays = &wager.pays;
            for point in points.iter() {
                let due = pays.due(PaysKey::Number(point.number()));
                if !matches!(due, Some(Due::Pays(Pays { num: 1.., .. }))) {
                    fault(format!("`{}` needs a pay for {point}", wager.name));
                }
            }
            match wagers.iter().find(|line| line.name == *behind) {
                Some(Wager { shape: Shape::Line { .. }, .. }) => {}
                Some(_) => fault(format!(
                    "`{}` stands behind `{behind}`, which is no line bet here: a later rulebook \
                     has put another in its place",
                    wager.name
                )),
                None => fault(format!("`{}` is offered but `{behind}` is not", wager.name)),
            }
        }
    }
    // The memo of broken cents is kept over a common denominator; keep it small.
    let dens = wagers.iter().flat_map(|wager| wager.pays.dues());
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
    let number = |point: Total| PaysKey::Number(point.number());
    for (place, wager) in wagers.iter().enumerate() {
        let id = WagerId(place as u8);
        let mut add = |on: PaysKey, direct: bool, tracker: Option<u8>| {
            let (number, faces) = match on {
                PaysKey::Number(number) => (Total::new(number), None),
                PaysKey::Combination(faces) => (None, Some(faces)),
                PaysKey::Range(..) => (None, None),
            };
            spots.push(SpotRule {
                notation: notation::spot(&wager.name, on),
                wager: id,
                number,
                faces,
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
            Shape::OneRoll { .. } | Shape::Race { .. } => {
                wager.stands_on().into_iter().for_each(|on| add(on, true, None));
            }
            Shape::Line { travels, .. } => {
                add(PaysKey::NONE, true, None);
                let put = wager.once_set == OnceSet::New;
                if *travels {
                    points.iter().for_each(|point| add(number(point), put, None));
                }
            }
            Shape::Odds { behind, .. } if travels_behind(behind) => {
                points.iter().for_each(|point| add(number(point), true, None));
            }
            Shape::Odds { .. } => add(PaysKey::NONE, true, None),
            Shape::Count(_) | Shape::Sequence { .. } => {
                for on in wager.stands_on() {
                    add(on, true, Some(tracker));
                    tracker += 1;
                }
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
        let Some(terms) = wager.shared.meter else { continue };
        if wager.pays.dues().any(|due| due == Due::Meter) {
            let name = wager.paytable.clone().unwrap_or_else(|| wager.name.clone());
            meters.push(MeterRule { name, wager: WagerId(place as u8), terms });
        }
    }
    meters
}

//! How a table is set up: its rules and limits, how its dice are thrown, who may sit down.

use std::collections::BTreeMap;

use craps::rulebook::Faults;
use craps::{Cents, Library, MeterTerms, Rules, Seat};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::id::{MeterId, TableId};
use crate::names;

/// No table's name has more letters.
const NAME: usize = 60;

/// Everything an operator chooses about a table, in one piece.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TableConfig {
    /// The name on the lobby's list.
    #[schema(max_length = 60, example = "Craps 3")]
    pub name: String,
    /// The rulebooks, each with the paytables on offer after a colon, as `--rules` takes them.
    #[serde(default = "default_rules")]
    #[schema(example = json!(["presque-isle", "bonus-craps-nevada:PT-FLT-BC-03"]))]
    pub rules: Vec<String>,
    /// Options of those rulebooks, such as `payout-unit` or `hard.come-out`.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// Limits by wager, where the house has its own.
    #[serde(default)]
    pub limits: BTreeMap<String, WagerLimits>,
    /// Who throws the dice.
    #[serde(default)]
    pub dice: DiceMode,
    /// Play money: guests may sit down and buy in by themselves.
    #[serde(default)]
    pub practice: bool,
    /// Betting closes by itself so many seconds after it opened and somebody can shoot.
    #[serde(default)]
    #[schema(minimum = 3, maximum = 600)]
    pub betting_seconds: Option<u32>,
    /// Jackpots are paid only when a supervisor has confirmed the claim: so at real tables unless
    /// it is false, never at practice tables.
    #[serde(default)]
    #[ts(optional = nullable)]
    pub confirm_jackpots: Option<bool>,
    /// Awards of a side bet above this wait to be confirmed the same way, at real tables: $5,000
    /// where it is left out.
    #[serde(default)]
    #[ts(optional = nullable, as = "Option<i64>")]
    #[schema(value_type = Option<i64>)]
    pub confirm_over: Option<Cents>,
    /// Whether bets are taken and dice thrown while something waits to be confirmed.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub betting_during_claims: bool,
    /// The limit of fills, of credits and of cash-outs, each by itself, where they have none of
    /// their own: $10,000 if it is left out. At a table of procedures 0, fills, credits, buy-ins
    /// and cash-outs that bring the sum of all four above this take two people.
    #[serde(default)]
    #[ts(optional = nullable, as = "Option<i64>")]
    #[schema(value_type = Option<i64>)]
    pub two_people_over: Option<Cents>,
    /// Fills that bring the table's sum of the day above this take two people.
    #[serde(default)]
    #[ts(optional = nullable, as = "Option<i64>")]
    #[schema(value_type = Option<i64>)]
    pub fills_over: Option<Cents>,
    /// Credits that bring the table's sum of the day above this take two people.
    #[serde(default)]
    #[ts(optional = nullable, as = "Option<i64>")]
    #[schema(value_type = Option<i64>)]
    pub credits_over: Option<Cents>,
    /// Cash-outs that bring a player's sum of the day at this table above this take two people.
    #[serde(default)]
    #[ts(optional = nullable, as = "Option<i64>")]
    #[schema(value_type = Option<i64>)]
    pub cash_outs_over: Option<Cents>,
    /// The crew is asked for the identity of a player whose cash buy-ins of the day, over all
    /// tables, come to more than this: $10,000 if it is left out.
    #[serde(default)]
    #[ts(optional = nullable, as = "Option<i64>")]
    #[schema(value_type = Option<i64>)]
    pub cash_over: Option<Cents>,
    /// The same for buy-ins with markers, which are summed apart.
    #[serde(default)]
    #[ts(optional = nullable, as = "Option<i64>")]
    #[schema(value_type = Option<i64>)]
    pub markers_over: Option<Cents>,
    /// Whether a buy-in above `cash_over` or `markers_over` waits for a second person.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub hold_buy_ins: bool,
    /// How many may sit down.
    #[serde(default = "default_seats")]
    #[schema(minimum = 1, maximum = 24)]
    pub seats: u8,
    /// Meters shared with other tables, by paytable; other paytables have a meter of their own.
    #[serde(default)]
    #[ts(as = "BTreeMap<String, String>")]
    #[schema(value_type = BTreeMap<String, String>)]
    pub meters: BTreeMap<String, MeterId>,
    /// Those of them that are opened with the table if they do not exist yet. At a real table of
    /// today's procedures any other name that no meter has is refused as `unknown-meter`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    #[schema(value_type = Vec<String>)]
    pub new_meters: Vec<MeterId>,
    /// A real table opens though a meter starts at nothing or never grows.
    #[serde(default)]
    pub empty_meters: bool,
    /// Which dealing procedures a real table follows. 0: those of tables opened before there were
    /// rounds, a tray and work lists. 1: today's. The house fills it in when a table opens; a
    /// configuration that leaves it out keeps what the table has, and one that says 1 takes
    /// today's.
    #[serde(default)]
    #[ts(optional, as = "Option<u8>")]
    pub procedures: u8,
    /// Whether the last roll is paid before betting opens again: so at real tables of today's
    /// procedures unless it is false, never at practice tables.
    #[serde(default)]
    #[ts(optional = nullable)]
    pub paying: Option<bool>,
}

/// The dealing procedures of a real table that opens today.
pub(crate) const PROCEDURES: u8 = 1;

/// Awards of a side bet above this are held where the operator has said nothing else.
const CONFIRM_OVER: Cents = Cents::dollars(5_000);
/// Chips that are moved by one person in a day, where the operator has said nothing else.
const TWO_PEOPLE_OVER: Cents = Cents::dollars(10_000);
/// What a player buys in for on one day before the crew is asked for their identity, where the
/// operator has said nothing else.
const IDENTITY_OVER: Cents = Cents::dollars(10_000);

/// What has a limit of its own for each day at a real table of today's procedures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LimitKind {
    /// Chips brought to the table.
    Fills,
    /// Chips taken away from it.
    Credits,
    /// Chips that leave a player's rack for the cage.
    CashOuts,
    /// Chips bought with cash.
    Cash,
    /// Chips bought with markers.
    Markers,
}

fn default_rules() -> Vec<String> {
    vec![Library::DEFAULT_BASE.to_owned()]
}

fn default_seats() -> u8 {
    16
}

/// Who throws the dice.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum DiceMode {
    /// The house's generator, committed to before betting opens.
    #[default]
    House,
    /// Real dice, keyed in by a dealer.
    Dealer,
}

/// Limits of one wager; what is left out is as the rulebook has it. Cents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WagerLimits {
    /// The least.
    #[ts(type = "number | null")]
    #[schema(value_type = Option<i64>)]
    pub min: Option<Cents>,
    /// The most.
    #[ts(type = "number | null")]
    #[schema(value_type = Option<i64>)]
    pub max: Option<Cents>,
    /// The step.
    #[ts(type = "number | null")]
    #[schema(value_type = Option<i64>)]
    pub unit: Option<Cents>,
}

impl TableConfig {
    /// The practice table that a first start opens.
    pub fn practice() -> TableConfig {
        let meters = ["make-em-all-progressive", "fired-up"].map(MeterTerms::suggested);
        let callable = ("place-may-be-called-on".to_owned(), "on".to_owned());
        TableConfig {
            name: "Practice".to_owned(),
            rules: vec![
                Library::DEFAULT_BASE.to_owned(),
                "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03,PT-BJS-FUP-01".to_owned(),
            ],
            options: meters.into_iter().flatten().chain([callable]).collect(),
            limits: BTreeMap::new(),
            dice: DiceMode::House,
            practice: true,
            betting_seconds: None,
            confirm_jackpots: None,
            confirm_over: None,
            betting_during_claims: false,
            two_people_over: None,
            fills_over: None,
            credits_over: None,
            cash_outs_over: None,
            cash_over: None,
            markers_over: None,
            hold_buy_ins: false,
            seats: default_seats(),
            meters: BTreeMap::new(),
            new_meters: Vec::new(),
            empty_meters: false,
            procedures: 0,
            paying: None,
        }
    }

    /// Whether a crew deals here by today's procedures: with rounds, a tray and work lists.
    pub fn has_procedures(&self) -> bool {
        !self.practice && self.procedures >= 1
    }

    /// Whether betting opens only after the crew has paid the last roll.
    pub fn pays_first(&self) -> bool {
        self.has_procedures() && self.paying.unwrap_or(true)
    }

    /// Whether jackpots wait for a supervisor.
    pub fn confirms_jackpots(&self) -> bool {
        !self.practice && self.confirm_jackpots.unwrap_or(true)
    }

    /// Above what an award of a side bet waits for a supervisor.
    pub fn held_above(&self) -> Option<Cents> {
        (!self.practice).then(|| self.confirm_over.unwrap_or(CONFIRM_OVER))
    }

    /// Above what it takes two people to move chips between the cage and a real table of
    /// procedures 0, all kinds summed up.
    pub fn two_people_above(&self) -> Option<Cents> {
        let sums_up = !self.practice && !self.has_procedures();
        sums_up.then(|| self.two_people_over.unwrap_or(TWO_PEOPLE_OVER))
    }

    /// The limit of one kind for each day; none at practice tables, nor at tables of procedures 0,
    /// which sum all kinds up.
    pub fn limit(&self, kind: LimitKind) -> Option<Cents> {
        let (own, otherwise) = match kind {
            LimitKind::Fills => (self.fills_over, self.two_people_over),
            LimitKind::Credits => (self.credits_over, self.two_people_over),
            LimitKind::CashOuts => (self.cash_outs_over, self.two_people_over),
            LimitKind::Cash => (self.cash_over, Some(IDENTITY_OVER)),
            LimitKind::Markers => (self.markers_over, Some(IDENTITY_OVER)),
        };
        self.has_procedures().then(|| own.or(otherwise).unwrap_or(TWO_PEOPLE_OVER))
    }

    /// The limits that an operator has set for each kind by itself.
    fn own_limits(&self) -> [Option<Cents>; 5] {
        let TableConfig { fills_over, credits_over, cash_outs_over, .. } = self;
        [*fills_over, *credits_over, *cash_outs_over, self.cash_over, self.markers_over]
    }

    /// The meter that serves a paytable at a table so set up.
    pub fn meter(&self, table: TableId, paytable: &str) -> MeterId {
        let shared = self.meters.get(paytable).cloned();
        shared.unwrap_or_else(|| MeterId::local(table, paytable))
    }

    /// Whether it may make a meter of this name, if there is none.
    pub fn may_make(&self, paytable: &str, meter: &MeterId) -> bool {
        let shared = self.meters.contains_key(paytable);
        !shared || !self.has_procedures() || self.new_meters.contains(meter)
    }

    /// Compiles the rules, or says every fault there is.
    pub fn compile(&self, library: &Library) -> Result<Rules, Faults> {
        let mut chosen = Vec::new();
        for text in &self.rules {
            chosen.push(library.choose(text)?);
        }
        let rules = Rules::compile(library, &library.over_base(chosen), &self.all_options())?;
        for paytable in self.meters.keys() {
            if !rules.meters().iter().any(|meter| meter.name == *paytable) {
                let reason = format!("meters: no wager on offer is paid by paytable `{paytable}`");
                return Err(Faults::one("table", reason));
            }
        }
        Ok(rules)
    }

    /// The options, those the limits come to included.
    pub(crate) fn all_options(&self) -> Vec<(String, String)> {
        let mut options: Vec<(String, String)> =
            self.options.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        for (wager, limits) in &self.limits {
            let named = [("min", limits.min), ("max", limits.max), ("unit", limits.unit)];
            for (key, amount) in named {
                if let Some(amount) = amount {
                    options.push((format!("{wager}.{key}"), amount.to_string()));
                }
            }
        }
        options
    }

    /// Brings the options to the terms a meter runs on, for the wager that feeds it.
    pub fn follow_meter(&mut self, wager: &str, terms: MeterTerms) {
        self.options.extend(terms.options(wager));
    }

    /// The name as it is shown.
    pub(crate) fn tidy(mut self) -> TableConfig {
        self.name = names::line(&self.name, NAME).unwrap_or_default();
        self
    }

    /// What is wrong with it apart from its rules.
    pub fn check(&self) -> Result<(), String> {
        if names::line(&self.name, NAME).is_none() {
            return Err(format!("a table needs a name of 1 to {NAME} characters that show"));
        }
        if !(1..=Seat::COUNT).contains(&usize::from(self.seats)) {
            return Err(format!("a table has 1 to {} seats", Seat::COUNT));
        }
        if self.betting_seconds.is_some_and(|seconds| !(3..=600).contains(&seconds)) {
            return Err("betting_seconds lies between 3 and 600".to_owned());
        }
        if self.procedures > PROCEDURES {
            return Err(format!("procedures lies between 0 and {PROCEDURES}"));
        }
        if self.practice && (self.procedures > 0 || self.paying.is_some()) {
            return Err(
                "a practice table has no procedures: leave out procedures and paying".into()
            );
        }
        let thresholds = [self.confirm_over, self.two_people_over];
        let all = thresholds.into_iter().chain(self.own_limits());
        if all.flatten().any(|threshold| threshold < Cents::ZERO) {
            return Err("a threshold is nothing or more".to_owned());
        }
        let by_kind = self.hold_buy_ins || self.own_limits().iter().any(Option::is_some);
        if by_kind && !self.has_procedures() {
            return Err("fills_over, credits_over, cash_outs_over, cash_over, markers_over and \
                        hold_buy_ins are for real tables of procedures 1: leave them out"
                .to_owned());
        }
        let confirms = self.confirm_jackpots == Some(true) || self.betting_during_claims;
        if self.practice && (confirms || thresholds.iter().any(Option::is_some)) {
            return Err("at a practice table nothing waits to be confirmed: leave out \
                        confirm_jackpots, confirm_over, betting_during_claims and \
                        two_people_over"
                .to_owned());
        }
        let stray = self.new_meters.iter().find(|new| !self.meters.values().any(|id| id == *new));
        if let Some(stray) = stray {
            return Err(format!("new_meters names {stray}, which feeds no paytable: see meters"));
        }
        if self.practice && !self.meters.is_empty() {
            return Err("a practice table cannot feed a shared meter".to_owned());
        }
        Ok(())
    }
}

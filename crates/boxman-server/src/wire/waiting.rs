//! What waits for a person of the crew: requests that they may agree to, and claims that they may
//! confirm. The bell in the header of every page counts them.

use craps::ClaimId;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use super::MeterView;
use crate::access::{Deed, Person};
use crate::ask::Verb;
use crate::line::Line;
use crate::log::{Pending, Withdrawn};
use crate::table::LiveTable;
use crate::two_people;

/// Something that waits for you.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct WaitingView {
    /// Where it waits.
    pub at: WaitingAt,
    /// The name of the table or meter in addresses.
    pub id: String,
    /// The name of the table, or the paytable of the meter.
    pub name: String,
    /// What you can do about it.
    pub kind: WaitingKind,
    /// The number of the request or of the claim.
    #[ts(type = "number")]
    pub number: u64,
    /// What was asked for, in the words of the request, or what was won.
    pub what: String,
    /// What a request would change, line by line.
    #[serde(default)]
    pub lines: Vec<Line>,
    /// Why it was asked for.
    pub reason: Option<String>,
    /// The name of the person who asked, or who withdrew what you had asked for; none where nobody
    /// agreed in time.
    pub by: Option<String>,
    /// How much is held, in cents. A jackpot's amount is told by its meter.
    #[ts(type = "number | null")]
    pub amount: Option<i64>,
    /// When the request lapses, or is no longer told of, in milliseconds since 1970.
    #[ts(type = "number | null")]
    pub until: Option<u64>,
}

/// Where something waits.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS, ToSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum WaitingAt {
    /// At a table.
    Table,
    /// At a meter.
    Meter,
}

/// What a person can do about something that waits.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS, ToSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum WaitingKind {
    /// Confirm or deny what was won.
    Claim,
    /// Agree to what another person asked for.
    Request,
    /// Take note that what you asked for came to nothing. It is told for ten minutes.
    Withdrawn,
}

/// A request that another person than the one who asked has withdrawn, or that lapsed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct WithdrawnView {
    /// The number of the request.
    #[ts(type = "number")]
    pub proposal: u64,
    /// What was asked for, in the words of the request.
    pub what: String,
    /// Who had asked: compare with `GET /api/me`.
    pub asked_by: String,
    /// The name of the person who withdrew it; none where nobody agreed in time.
    pub by: Option<String>,
    /// Why it was withdrawn.
    pub reason: Option<String>,
    /// When, in milliseconds since 1970.
    #[ts(type = "number")]
    pub at: u64,
}

impl WithdrawnView {
    pub(super) fn of(withdrawn: &Withdrawn) -> WithdrawnView {
        let Withdrawn { proposal, what, asked_by, by, reason, at } = withdrawn.clone();
        WithdrawnView { proposal, what, asked_by, by, reason, at }
    }
}

/// Something that waits, and who must leave it to others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingItem {
    /// What the others see of it.
    pub shown: WaitingView,
    /// The people who may not settle it: the one who asked, those who keyed in the roll, players.
    pub not_for: Vec<String>,
    /// The only person whom it is told, if there is one.
    #[serde(default)]
    pub only_for: Option<String>,
}

impl WaitingItem {
    /// What waits at a table. At a practice table one person is enough for everything.
    pub fn of_table(state: &LiveTable) -> Vec<WaitingItem> {
        if state.config().practice {
            return Vec::new();
        }
        let requests =
            state.proposals.iter().map(|(id, pending)| WaitingItem::request(state, *id, pending));
        let mut all: Vec<WaitingItem> = requests.collect();
        let withdrawn = state.withdrawn.iter().map(WithdrawnView::of);
        all.extend(withdrawn.map(|withdrawn| {
            let empty = WaitingItem::at_table(state, WaitingKind::Withdrawn, 0, String::new());
            empty.withdrawn(withdrawn)
        }));
        // Nothing is paid while the roll itself is in question.
        if !state.proposals.values().any(|pending| pending.proposal.is_about_the_roll()) {
            all.extend(WaitingItem::claims(state));
        }
        all
    }

    fn at_table(state: &LiveTable, kind: WaitingKind, number: u64, what: String) -> WaitingItem {
        let shown = WaitingView {
            at: WaitingAt::Table,
            id: state.id.to_string(),
            name: state.config().name.clone(),
            kind,
            number,
            what,
            lines: Vec::new(),
            reason: None,
            by: None,
            amount: None,
            until: None,
        };
        // Crew with a seat at a real table are players there.
        let not_for = state.owners.values().cloned().collect();
        WaitingItem { shown, not_for, only_for: None }
    }

    /// The one who asked is told that it came to nothing, and why.
    fn withdrawn(mut self, withdrawn: WithdrawnView) -> WaitingItem {
        let WithdrawnView { proposal, what, asked_by, by, reason, at } = withdrawn;
        let until = Some(two_people::until(at));
        let kind = WaitingKind::Withdrawn;
        self.shown = WaitingView { kind, number: proposal, what, by, reason, until, ..self.shown };
        WaitingItem { only_for: Some(asked_by), not_for: Vec::new(), ..self }
    }

    fn request(state: &LiveTable, id: u64, pending: &Pending) -> WaitingItem {
        let (what, reason) = pending.proposal.in_words();
        let mut waiting = WaitingItem::at_table(state, WaitingKind::Request, id, what);
        waiting.shown.lines.clone_from(&pending.lines);
        waiting.shown.reason = Some(reason.to_owned());
        waiting.shown.by.clone_from(&pending.name);
        waiting.shown.until = Some(pending.until);
        waiting.not_for.push(pending.by.clone());
        waiting
    }

    /// The claims that nobody has settled. One that another person asks to deny waits as that
    /// request, and a jackpot that needs no confirmation is paid by itself.
    fn claims(state: &LiveTable) -> impl Iterator<Item = WaitingItem> + '_ {
        let rules = state.rules();
        let confirms = state.config().confirms_jackpots();
        let jackpots = state.table.claims().iter().filter(move |_| confirms);
        let jackpot =
            |claim: &craps::table::Claim| (claim.id, format!("jackpot of {}", claim.meter), None);
        let held = |award: &craps::table::HeldAward| {
            let wager = &rules.spot_rule(award.spot).notation;
            (award.id, format!("award on {wager}"), Some(award.amount.0))
        };
        let all = jackpots.map(jackpot).chain(state.table.held().iter().map(held));
        let waits = |(id, what, amount): (ClaimId, String, Option<i64>)| {
            let mut waiting = WaitingItem::at_table(state, WaitingKind::Claim, id.0, what);
            waiting.shown.amount = amount;
            let keyed = state.claimed.get(&id.0).map(|claimed| claimed.keyed_by.clone());
            waiting.not_for.extend(keyed.unwrap_or_default());
            waiting
        };
        let all: Vec<_> = all.filter(|(id, ..)| !state.is_denied(id.0)).map(waits).collect();
        all.into_iter()
    }

    /// What waits at a meter.
    pub fn of_meter(meter: &MeterView) -> Vec<WaitingItem> {
        let empty = || WaitingView {
            at: WaitingAt::Meter,
            id: meter.meter.clone(),
            name: meter.paytable.clone(),
            kind: WaitingKind::Request,
            number: 0,
            what: String::new(),
            lines: Vec::new(),
            reason: None,
            by: None,
            amount: None,
            until: None,
        };
        let waiting = |proposal: &super::ProposalView| WaitingItem {
            shown: WaitingView {
                number: proposal.proposal,
                what: proposal.what.clone(),
                lines: proposal.lines.clone(),
                reason: Some(proposal.reason.clone()),
                by: proposal.name.clone(),
                until: Some(proposal.until),
                ..empty()
            },
            not_for: vec![proposal.by.clone()],
            only_for: None,
        };
        let withdrawn = |withdrawn: &WithdrawnView| {
            let item = WaitingItem { shown: empty(), not_for: Vec::new(), only_for: None };
            item.withdrawn(withdrawn.clone())
        };
        let requests = meter.proposals.iter().map(waiting);
        requests.chain(meter.withdrawn.iter().map(withdrawn)).collect()
    }

    /// Whether this person may settle it, or is told of it at this time.
    pub fn is_for(&self, who: &Person, now: u64) -> bool {
        if let Some(only) = &self.only_for {
            return *only == who.id && self.shown.until.is_some_and(|until| until > now);
        }
        let deed = match (self.shown.at, self.shown.kind) {
            (WaitingAt::Meter, _) => Deed::ApproveMeter,
            (WaitingAt::Table, WaitingKind::Request) => Deed::Table(Verb::Approve),
            (WaitingAt::Table, WaitingKind::Claim) => Deed::Table(Verb::ConfirmClaim),
            (_, WaitingKind::Withdrawn) => return false,
        };
        !self.not_for.contains(&who.id) && who.may(deed, false, None)
    }
}

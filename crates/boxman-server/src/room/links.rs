//! The room and its meters: what they are told, what they answer, and whose terms it follows.

use std::collections::{BTreeMap, BTreeSet};

use craps::{MeterTerms, MicroCents, Rules};

use super::Room;
use crate::ask::{Command, OldMeter};
use crate::config::TableConfig;
use crate::id::MeterId;
use crate::line::dollars;
use crate::log::{FixedAward, KeptMeter, PlayersMoney, Proposal, Queued};
use crate::meters::{MeterHandle, MeterMessage, News};
use crate::problem::Problem;
use crate::remains::{Remains, RemainsKind};
use crate::table::Order;
use crate::wire::{FromServer, MeterView};

/// So many letters may wait to be heard before bets that make more are refused.
const UNHEARD: usize = 512;

impl Room {
    pub(super) fn show_meters(&mut self) {
        for meter in &mut self.meters {
            if meter.view.has_changed().unwrap_or(false) {
                // Whoever comes next would not hear of it again.
                self.said.forget_view();
                self.office.note_change(self.state.id);
                let meter = meter.view.borrow_and_update().clone();
                self.clients.announce(FromServer::Meter { meter });
            }
        }
    }

    /// A bet that feeds a jackpot is taken while the jackpot hears of it: not while it is out of
    /// reach, nor while too much of what it was told is unanswered.
    pub(super) fn check_reached(&self, wager: &str) -> Result<(), Problem> {
        let rules = self.state.rules();
        let fed = rules.meters().iter().zip(&self.meters);
        let mut fed = fed.filter(|(rule, _)| rules.wager(rule.wager).name == wager);
        let Some((_, meter)) = fed.next() else { return Ok(()) };
        match meter.is_reached() && self.state.outbox.len() < UNHEARD {
            true => Ok(()),
            false => {
                let silent = "the jackpot of this wager is out of reach, it is open again in a \
                              moment";
                Err(Problem::unavailable("meter-silent", silent))
            }
        }
    }

    pub(super) async fn take_news(&mut self, news: News) {
        self.commit().await;
        match news {
            News::Heard { meter, through } => {
                let heard = self.state.heard(&meter, through);
                self.posted = self.posted.saturating_sub(heard);
            }
            News::Award(award) => self.awarded(award),
            News::Terms { meter, terms } => self.follow_terms(&meter, terms).await,
        }
    }

    /// A meter's answer is paid at once, or kept until the crew has confirmed the claim.
    pub(super) fn awarded(&mut self, fixed: FixedAward) {
        let FixedAward { award, .. } = &fixed;
        let waiting = self.state.table.claims().iter().any(|claim| claim.id == award.claim.id);
        if !waiting || self.trouble.is_some() {
            return;
        }
        if self.state.config().confirms_jackpots() {
            if !self.awards.iter().any(|known| known.award.claim == award.claim) {
                self.awards.push(fixed);
            }
        } else if let Err(problem) = self.decide(&Order::Pay(award), "boxman", None, None) {
            tracing::error!(table = %self.state.id, %problem, "an award was not paid");
        }
    }

    /// A configuration may wait for minutes, and a meter it names may be closed meanwhile or come
    /// to other terms, or the table may have other meters.
    pub(super) async fn check_proposed(&self, proposal: u64) -> Result<(), Problem> {
        let pending = self.state.proposals.get(&proposal).map(|pending| &pending.proposal);
        let Some(proposal @ Proposal::Configure { queued, .. }) = pending else { return Ok(()) };
        self.state.check_up_to_date(proposal)?;
        let rules = self.office.shelf.recall(&*self.office.store, queued).await?;
        self.office.check_meters(self.state.id, &queued.config, &rules).await?;
        self.check_old_meters(queued, &rules).await
    }

    /// Whether a command closes the table for good, or agrees to that.
    pub(super) fn closes(&self, command: &Command) -> bool {
        let pending = |proposal: &u64| self.state.proposals.get(proposal);
        match command {
            Command::Close { .. } => !self.state.config().practice,
            Command::Approve { proposal } => {
                pending(proposal).is_some_and(|pending| pending.proposal.closes())
            }
            _ => false,
        }
    }

    /// What is left at the meters: letters that they have not heard, and players' money.
    pub(super) async fn money_at_meters(&self) -> Result<Vec<Remains>, Problem> {
        let unheard: BTreeSet<&MeterId> =
            self.state.outbox.iter().map(|letter| &letter.meter).collect();
        let todo = "it has not heard of the last bets yet, try again in a moment";
        let letter = |id: &&MeterId| Remains::new(RemainsKind::Meter, format!("meter {id}"), todo);
        let mut remains: Vec<Remains> = unheard.iter().map(letter).collect();
        let state = &self.state;
        let fed = state.rules().meters().iter().map(|rule| state.meter(&rule.name));
        let fed: Vec<MeterId> = fed.collect();
        remains.extend(self.office.money_of_own_meters(state.id, &fed).await?);
        Ok(remains)
    }

    /// A configuration with its rules compiled, and where the money of meters it drops goes.
    pub(super) async fn compile(
        &self,
        config: &TableConfig,
        old_meters: &BTreeMap<String, OldMeter>,
    ) -> Result<Queued, Problem> {
        let mut config = config.clone();
        if config.procedures == 0 && !config.practice {
            config.procedures = self.state.last_setup().config.procedures;
        }
        let (mut queued, rules) = self.office.shelf.choose(&*self.office.store, config).await?;
        self.office.check_meters(self.state.id, &queued.config, &rules).await?;
        queued.old_meters = self.old_meters(&queued.config, &rules, old_meters).await?;
        Ok(queued)
    }

    /// Where the players' money goes of meters of the table's own that a configuration drops. It
    /// has to say so of each that holds any.
    async fn old_meters(
        &self,
        config: &TableConfig,
        rules: &Rules,
        said: &BTreeMap<String, OldMeter>,
    ) -> Result<BTreeMap<String, PlayersMoney>, Problem> {
        let dropped = self.state.dropped_meters(config, rules);
        if let Some(kept) = said.keys().find(|paytable| !dropped.contains(paytable)) {
            let why = format!(
                "this configuration keeps the meter of {kept}: do not say where its money goes \
                 (`old_meters`)"
            );
            return Err(Problem::invalid("bad-config", why));
        }
        let mut old_meters = BTreeMap::new();
        if !self.state.config().has_procedures() && said.is_empty() {
            return Ok(old_meters);
        }
        for paytable in dropped {
            let Some(state) = self.own_meter(paytable).await? else { continue };
            let players = self.goes(&state, (config, rules), said.get(paytable)).await?;
            old_meters.insert(paytable.clone(), players);
        }
        Ok(old_meters)
    }

    /// The table's own meter of a paytable, if there is one.
    async fn own_meter(&self, paytable: &str) -> Result<Option<KeptMeter>, Problem> {
        let id = MeterId::local(self.state.id, paytable);
        match self.office.find_meter(&id).await? {
            Some(meter) => Ok(Some(meter.ask(MeterMessage::Look).await?)),
            None => Ok(None),
        }
    }

    /// Where the players' money of one dropped meter goes.
    async fn goes(
        &self,
        from: &KeptMeter,
        (config, rules): (&TableConfig, &Rules),
        said: Option<&OldMeter>,
    ) -> Result<PlayersMoney, Problem> {
        match said {
            Some(OldMeter::Kept {}) => Ok(PlayersMoney::Kept),
            Some(OldMeter::Meter { to, other_paytable }) => {
                self.office.check_goal(from, to, *other_paytable).await?;
                Ok(PlayersMoney::Meter { to: to.clone() })
            }
            Some(OldMeter::Paytable { paytable: next }) => {
                if !rules.meters().iter().any(|rule| rule.name == *next) {
                    let why = format!("no meter serves a paytable {next} in this configuration");
                    return Err(Problem::invalid("bad-config", why));
                }
                Ok(PlayersMoney::Meter { to: config.meter(self.state.id, next) })
            }
            // What comes in until the configuration applies is the players' too.
            None if from.meter.of_players() == MicroCents::ZERO => Ok(PlayersMoney::Kept),
            None => {
                let (theirs, id) = (dollars(from.meter.of_players().whole_cents()), &from.id);
                let paytable = from.meter.name();
                let say = format!(
                    "{theirs} in the meter of {paytable} ({id}) is the players', and this \
                     configuration drops that paytable: say where the money goes (`old_meters`), \
                     to the meter of another paytable here, to another meter, or kept for them"
                );
                Err(Problem::conflict("players-money", say))
            }
        }
    }

    /// Refuses a request that no longer says of each meter that it drops, and of no other, where
    /// the players' money goes: a configuration that waited may have applied since it was made.
    async fn check_old_meters(&self, queued: &Queued, rules: &Rules) -> Result<(), Problem> {
        let said = &queued.old_meters;
        let dropped = self.state.dropped_meters(&queued.config, rules);
        let mut fits = said.keys().all(|paytable| dropped.contains(&paytable));
        if self.state.config().has_procedures() {
            for paytable in dropped.iter().filter(|paytable| !said.contains_key(**paytable)) {
                fits &= self.own_meter(paytable).await?.is_none();
            }
        }
        let since = "the configuration that waited is in force now, and with it the table has \
                     other meters: withdraw this request and ask again";
        if !fits {
            return Err(Problem::conflict("out-of-date", since));
        }
        let config = &queued.config;
        let fed = rules.meters().iter().map(|rule| config.meter(self.state.id, &rule.name));
        let fed: Vec<MeterId> = fed.collect();
        for (paytable, players) in said {
            // Whether it serves another paytable was settled when somebody asked.
            if let Some(to) = players.to().filter(|to| !fed.contains(to))
                && let Some(from) = self.own_meter(paytable).await?
            {
                self.office.check_goal(&from, to, true).await?;
            }
        }
        Ok(())
    }

    /// Finds the meters the rules call for.
    pub(super) async fn link(&mut self) -> Result<(), Problem> {
        let mut meters = Vec::new();
        for rule in self.state.rules().meters() {
            let id = self.state.meter(&rule.name);
            let practice = self.state.config().practice;
            meters.push(self.office.meter(&id, &rule.name, rule.terms, practice).await?);
        }
        self.meters = meters;
        Ok(())
    }

    /// Asks the meters what they have said while the table was not open: what they owe it, and
    /// whether they were reset on other terms.
    pub(super) async fn ask_meters(&mut self) -> Result<(), Problem> {
        for meter in self.meters.clone() {
            // One on another node says so by itself, once it can be reached.
            let (table, table_hears) = (self.state.id, self.letterbox.clone());
            meter.send(MeterMessage::Hello { table, table_hears }).await;
            // One that is damaged knows neither its terms nor what it owes.
            if meter.is_elsewhere() || meter.view.borrow().damaged {
                continue;
            }
            let state = meter.ask(MeterMessage::Look).await?;
            let terms = *state.meter.terms();
            for award in state.unpaid_of(self.state.id) {
                self.awarded(award);
            }
            let _ = self.letterbox.send(News::Terms { meter: state.id, terms });
        }
        Ok(())
    }

    /// A meter that was reset on other terms: bets from the next come-out on feed it by them.
    async fn follow_terms(&mut self, meter: &MeterId, terms: MeterTerms) {
        let rules = self.state.rules();
        let rule = rules.meters().iter().find(|rule| self.state.meter(&rule.name) == *meter);
        let Some(rule) = rule.filter(|rule| rule.terms != terms) else { return };
        let wager = rules.wager(rule.wager).name.clone();
        if self.goes_over_without(meter).await {
            return;
        }
        let before = &self.state.queued.as_ref().unwrap_or(&self.state.setup).config;
        let mut config = before.clone();
        config.follow_meter(&wager, terms);
        if config == *before {
            // They wait already for a come-out with nothing on the layout.
            return;
        }
        let chosen = self.office.shelf.choose(&*self.office.store, config).await;
        let followed = match chosen {
            Ok((mut queued, _)) => {
                let before = self.state.queued.as_ref();
                queued.old_meters =
                    before.map(|before| before.old_meters.clone()).unwrap_or_default();
                self.decide(&Order::Follow(&queued), "boxman", None, None)
            }
            Err(problem) => Err(problem),
        };
        if let Err(problem) = followed {
            tracing::error!(table = %self.state.id, %meter, %problem, "terms were not followed");
        }
    }

    /// Whether a configuration waits that does not feed this meter: then its terms are no matter.
    async fn goes_over_without(&self, meter: &MeterId) -> bool {
        let Some(queued) = &self.state.queued else { return false };
        let feeds = |rules: &Rules| {
            let mut fed = rules.meters().iter().map(|rule| &rule.name);
            fed.any(|name| queued.config.meter(self.state.id, name) == *meter)
        };
        let rules = self.office.shelf.recall(&*self.office.store, queued).await;
        rules.is_ok_and(|rules| !feeds(&rules))
    }

    /// Letters go out once their records are durable, in order.
    pub(super) async fn send_letters(&mut self) {
        let silent = self.trouble.is_some() || self.lost;
        if silent || self.posted >= self.state.outbox.len() {
            return;
        }
        for letter in &self.state.outbox[self.posted..] {
            let meter = self.office.open_meter(&letter.meter).await;
            // What a damaged one has not heard waits in the outbox.
            let Some(meter) = meter.filter(|meter| !meter.view.borrow().damaged) else { continue };
            let (table, table_hears) = (self.state.id, self.letterbox.clone());
            let letter = letter.clone();
            meter.post(MeterMessage::Letter { table, letter, table_hears }).await;
        }
        self.posted = self.state.outbox.len();
    }
}

pub(super) fn meter_views(meters: &[MeterHandle]) -> Vec<MeterView> {
    meters.iter().map(|meter| meter.view.borrow().clone()).collect()
}

//! Every meter: found, founded, and checked before a table is linked to it.

use std::sync::Arc;
use std::time::Duration;

use craps::{MeterTerms, Refusal, Rules};
use futures_util::stream::{self, StreamExt};
use tokio::task::JoinHandle;

use super::{Office, lock};
use crate::config::TableConfig;
use crate::empty_meters;
use crate::id::{MeterId, TableId};
use crate::log::{Head, HouseEntry, KeptMeter, Stream};
use crate::meters::{self, Founding, MeterHandle, MeterMessage, MeterTask, RemoteMeter};
use crate::pit::Pit;
use crate::problem::Problem;
use crate::store::{StoreError, Stored};
use crate::wire::MeterView;

/// So many are opened at once.
pub(super) const AT_ONCE: usize = 32;
/// Whoever asks for a meter on another node waits so long for its first answer.
const FIRST_ANSWER: Duration = Duration::from_secs(1);

impl Office {
    /// Whether the meters a table needs could serve it: open, for that paytable, on those terms,
    /// and at a real table a jackpot.
    pub async fn check_meters(
        &self,
        table: TableId,
        config: &TableConfig,
        rules: &Rules,
    ) -> Result<(), Problem> {
        for rule in rules.meters() {
            let id = config.meter(table, &rule.name);
            let jackpot = !config.practice && !config.empty_meters;
            let Some(meter) = self.find_meter(&id).await? else {
                self.check_not_of_other(table, &id).await?;
                if !config.may_make(&rule.name, &id) {
                    let Problem { code, detail, .. } = self.unknown_meter(&id).await;
                    let meant = format!("{detail} (to open a new one, name it in new_meters too)");
                    return Err(Problem::conflict(&code, meant));
                }
                if jackpot {
                    empty_meters::check_new(rules, rule)?;
                }
                continue;
            };
            if let Some(reason) = self.damage_of(&Stream::Meter(id.clone())) {
                return Err(Problem::unavailable("meter-damaged", reason));
            }
            let state = meter.ask(MeterMessage::Look).await?;
            if state.meter.name() != rule.name {
                let served = state.meter.name();
                let other = format!("meter {id} serves paytable {served}, not {}", rule.name);
                return Err(Problem::conflict("other-paytable", other));
            }
            if state.practice && !config.practice {
                let play = format!("meter {id} holds play money, a real table cannot share it");
                return Err(Problem::conflict("practice-meter", play));
            }
            self.check_not_of_other(table, &id).await?;
            if state.meter.is_closed() {
                return Err(Refusal::MeterClosed { meter: id.to_string() }.into());
            }
            let fits =
                *state.meter.terms() == rule.terms || state.meter.next_terms() == Some(&rule.terms);
            if !fits {
                return Err(Refusal::OtherTerms { meter: id.to_string() }.into());
            }
            if jackpot {
                empty_meters::check_own(rules, rule, &id, state.meter.terms())?;
            }
        }
        Ok(())
    }

    /// Refuses a meter that is another table's own. That table's crew decides where the meter's
    /// money goes, and must not decide about the bets of this table.
    async fn check_not_of_other(&self, table: TableId, id: &MeterId) -> Result<(), Problem> {
        let Some(owner) = id.owner().filter(|owner| *owner != table) else { return Ok(()) };
        // If no such table exists, the name only looks like a table's, and is free.
        if self.store.head(&Stream::Table(owner)).await? == Head::default() {
            return Ok(());
        }
        let own = format!(
            "meter {id} is table {owner}'s own, and no other table feeds it: name one that tables \
             share (a new one in new_meters too)"
        );
        Err(Problem::conflict("own-meter", own))
    }

    /// Whether a meter may take in players' money of another: it is there and open, holds the same
    /// kind of money, and serves the same paytable unless somebody has said that it need not.
    pub async fn check_goal(
        &self,
        from: &KeptMeter,
        to: &MeterId,
        other_paytable: bool,
    ) -> Result<(), Problem> {
        if from.id == *to {
            return Err(Problem::conflict("same-meter", "the money is on that meter already"));
        }
        let Some(goal) = self.open_meter(to).await else {
            return Err(self.unknown_meter(to).await);
        };
        if let Some(reason) = self.damage_of(&Stream::Meter(to.clone())) {
            return Err(Problem::unavailable("meter-damaged", reason));
        }
        let goal = goal.ask(MeterMessage::Look).await?;
        if goal.meter.is_closed() {
            return Err(Refusal::MeterClosed { meter: to.to_string() }.into());
        }
        if goal.practice != from.practice {
            let mixed = format!("play money and real money never meet: meter {to} holds the other");
            return Err(Problem::conflict("practice-meter", mixed));
        }
        let (served, paid) = (goal.meter.name(), from.meter.name());
        if served != paid && !other_paytable {
            let other = format!(
                "meter {to} serves paytable {served}, not {paid}: say other_paytable if that is \
                 meant"
            );
            return Err(Problem::conflict("other-paytable", other));
        }
        Ok(())
    }

    /// There is no meter of that name; those with names like it are named.
    async fn unknown_meter(&self, id: &MeterId) -> Problem {
        let streams = self.store.streams().await.unwrap_or_default();
        let names: Vec<String> = streams
            .into_iter()
            .filter_map(|stream| match stream {
                Stream::Meter(id) => Some(id.to_string()),
                _ => None,
            })
            .collect();
        let mut close: Vec<&str> = Vec::new();
        while let Some(next) = craps::did_you_mean::nearest(
            id.as_str(),
            names.iter().map(String::as_str).filter(|name| !close.contains(name)),
        ) {
            close.push(next);
            if close.len() == 3 {
                break;
            }
        }
        let hint = craps::did_you_mean::hint(close);
        Problem::conflict("unknown-meter", format!("there is no meter `{id}`{hint}"))
    }

    /// A meter that exists and can be opened. The first request for it reads its log.
    pub async fn open_meter(&self, id: &MeterId) -> Option<MeterHandle> {
        let found = self.find_meter(id).await;
        found.inspect_err(|error| tracing::error!(meter = %id, %error, "no meter")).ok()?
    }

    /// A meter that exists; an error if it may, and cannot be opened.
    pub(crate) async fn find_meter(&self, id: &MeterId) -> Stored<Option<MeterHandle>> {
        self.forget_gone(id);
        let known = lock(&self.meters).contains_key(id);
        // A name that somebody made up leaves no trace.
        if !known && self.store.head(&Stream::Meter(id.clone())).await? == Head::default() {
            return Ok(None);
        }
        let slot = lock(&self.meters).entry(id.clone()).or_default().clone();
        let found = slot.get_or_try_init(|| async {
            if let Some(remote) = self.elsewhere(id, None) {
                remote.wait_for(FIRST_ANSWER).await;
                return Ok(remote);
            }
            match self.load_meter(id).await {
                Err(StoreError::Damaged(reason)) => {
                    let state = meters::founded(&*self.store, id).await?;
                    Ok(self.start_damaged(state, &reason))
                }
                loaded => loaded.map(|loaded| self.start_meter(loaded)),
            }
        });
        let found: Stored<&MeterHandle> = found.await;
        Ok(Some(self.reminded(id, found?.clone())))
    }

    /// A meter whose log may have been found damaged while it was being opened.
    fn reminded(&self, id: &MeterId, meter: MeterHandle) -> MeterHandle {
        if let Some(reason) = self.lasting_damage(&Stream::Meter(id.clone())) {
            meter.tell(MeterMessage::Damaged(reason));
        }
        meter
    }

    /// A meter, opened on these terms where it does not exist yet.
    pub async fn meter(
        &self,
        id: &MeterId,
        paytable: &str,
        terms: MeterTerms,
        practice: bool,
    ) -> Result<MeterHandle, Problem> {
        self.forget_gone(id);
        let slot = lock(&self.meters).entry(id.clone()).or_default().clone();
        let opened = slot.get_or_try_init(|| async {
            // Only whoever has its pit founds it.
            let founding = Founding { paytable: paytable.to_owned(), terms, practice };
            if let Some(remote) = self.elsewhere(id, Some(founding)) {
                return Ok(remote);
            }
            if let Some(reason) = self.lasting_damage(&Stream::Meter(id.clone())) {
                let state = KeptMeter::open(id.clone(), paytable, terms, practice);
                return Ok(self.start_damaged(state, &reason));
            }
            if self.store.head(&Stream::Meter(id.clone())).await?.seq == 0 {
                let founded = self.found_meter(id, paytable, terms, practice).await?;
                return Ok(self.start_meter(founded));
            }
            match self.load_meter(id).await {
                // Its tables play on, and claims on it wait.
                Err(StoreError::Damaged(reason)) => {
                    let state = KeptMeter::open(id.clone(), paytable, terms, practice);
                    Ok(self.start_damaged(state, &reason))
                }
                loaded => Ok::<MeterHandle, Problem>(self.start_meter(loaded?)),
            }
        });
        Ok(self.reminded(id, opened.await?.clone()))
    }

    /// A way to talk to a meter that another node runs.
    fn elsewhere(&self, id: &MeterId, founding: Option<Founding>) -> Option<MeterHandle> {
        let link = self.link().filter(|_| !self.owns(&Stream::Meter(id.clone())))?;
        Some(self.keep_task(RemoteMeter::start(Arc::clone(link), id.clone(), founding)))
    }

    /// A meter that has gone to another node, or come from one, is found anew.
    fn forget_gone(&self, id: &MeterId) {
        let mut meters = lock(&self.meters);
        if meters.get(id).and_then(|slot| slot.get()).is_some_and(MeterHandle::is_gone) {
            meters.remove(id);
        }
    }

    /// The meters of a pit, which are not found here any more.
    pub(crate) fn take_meters(&self, pit: Pit) -> Vec<MeterHandle> {
        let mut meters = lock(&self.meters);
        let is_there = |id: &MeterId| Pit::of(&Stream::Meter(id.clone())) == pit;
        let there: Vec<MeterId> = meters.keys().filter(|id| is_there(id)).cloned().collect();
        let slots = there.iter().filter_map(|id| meters.remove(id));
        slots.filter_map(|slot| slot.get().cloned()).collect()
    }

    async fn load_meter(&self, id: &MeterId) -> Stored<meters::Loaded> {
        let (store, meter) = (Arc::clone(&self.store), id.clone());
        // A log that makes the engine panic is damaged too.
        let loaded = tokio::spawn(async move { meters::load(&*store, &meter).await });
        loaded.await.unwrap_or_else(|panic| {
            Err(StoreError::Damaged(format!("meter/{id} cannot be replayed: {panic}")))
        })
    }

    async fn found_meter(
        &self,
        id: &MeterId,
        paytable: &str,
        terms: MeterTerms,
        practice: bool,
    ) -> Result<meters::Loaded, Problem> {
        let (state, record) = meters::opening(id, "boxman", paytable, terms, practice);
        let head = record.head();
        let opened = HouseEntry::MeterOpened { meter: id.clone() };
        let fence = self.store.fence(&Stream::Meter(id.clone()))?;
        self.write_opening("boxman", opened, record).await?;
        Ok(meters::Loaded { state, head, fence, snapshot_at: 0, damaged: None })
    }

    fn start_meter(&self, loaded: meters::Loaded) -> MeterHandle {
        let store = Arc::clone(&self.store);
        let courier = self.courier.sender();
        self.keep_task(MeterTask::start(loaded, store, self.writer.clone(), courier))
    }

    fn keep_task(&self, (meter, task): (MeterHandle, JoinHandle<()>)) -> MeterHandle {
        let mut tasks = lock(&self.meter_tasks);
        tasks.retain(|(_, task)| !task.is_finished());
        tasks.push((meter.stop(), task));
        meter
    }

    /// A meter whose log is damaged answers no claim; what it shows is what it began with.
    fn start_damaged(&self, state: KeptMeter, reason: &str) -> MeterHandle {
        self.note_damage(Stream::Meter(state.id.clone()), reason, true);
        let (head, damaged) = (Head::default(), Some(reason.to_owned()));
        // Whoever has lost it by now says nothing, as with any other.
        let fence = self.store.fence(&Stream::Meter(state.id.clone())).unwrap_or_default();
        self.start_meter(meters::Loaded { state, head, fence, snapshot_at: 0, damaged })
    }

    /// What the meters show that run in this process and have something to say to its people.
    pub(crate) fn meters_here(&self) -> Vec<MeterView> {
        let meters = lock(&self.meters);
        let open = meters.values().filter_map(|slot| slot.get());
        let here = open.filter(|meter| !meter.is_elsewhere() && !meter.is_gone());
        let asked = here.filter(|meter| {
            let view = meter.view.borrow();
            !view.proposals.is_empty() || !view.withdrawn.is_empty()
        });
        asked.map(|meter| meter.view.borrow().clone()).collect()
    }

    /// Every meter in the store.
    pub async fn meters(&self) -> Result<Vec<MeterHandle>, Problem> {
        let streams = self.store.streams().await?;
        let ids = streams.into_iter().filter_map(|stream| match stream {
            Stream::Meter(id) => Some(id),
            _ => None,
        });
        let open = async |id: MeterId| self.open_meter(&id).await;
        // Some may be on nodes that do not answer: nobody waits for one after the other.
        let opened = stream::iter(ids).map(open).buffered(AT_ONCE);
        Ok(opened.filter_map(async |meter| meter).collect().await)
    }

    /// Has a meter know that its log is damaged, where it is open.
    pub(crate) fn tell_meter_damage(&self, id: &MeterId, reason: &str) {
        let meter = lock(&self.meters).get(id).and_then(|slot| slot.get().cloned());
        meter.inspect(|meter| meter.tell(MeterMessage::Damaged(reason.to_owned())));
    }

    /// Has every meter finish what is under way.
    pub(crate) async fn stop_meters(&self) {
        // First of all, so that no meter is opened any more to bring it something.
        self.courier.stop().await;
        let meters = std::mem::take(&mut *lock(&self.meter_tasks));
        for (stop, task) in meters {
            stop.now().await;
            let _ = task.await;
        }
    }
}

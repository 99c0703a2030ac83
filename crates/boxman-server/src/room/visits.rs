//! Visits: people who look at a table. What one was sent is kept for the next who asks, so that a
//! crowd costs the room little more than one person does.

use std::sync::Arc;
use std::time::Duration;

use craps::Seat;
use tokio::time::Instant;

use super::clients::Forms;
use super::clock::RunClock;
use super::links::meter_views;
use super::{Client, Room, Visit};
use crate::access::Sight;
use crate::log::now;
use crate::meters::MeterHandle;
use crate::problem::Problem;
use crate::shelf::Shelf;
use crate::table::LiveTable;
use crate::wire::{FromServer, IfRolledView, OfferView, TableView, WaitingItem};

/// So many visits are served before commands are looked at again.
const A_TURN: usize = 8;
/// A snapshot tells the time. It is not shown when it is older than this.
const FRESH: Duration = Duration::from_millis(100);

/// What has been said about a table as it stands after one record.
#[derive(Default)]
pub(super) struct Said {
    seq: u64,
    view: Option<Arc<TableView>>,
    snapshot: Option<(Instant, Forms)>,
    offers: Vec<(Seat, Forms)>,
    if_it_rolls: Vec<(Seat, Forms)>,
}

impl Said {
    /// Forgets what was said after another record.
    pub(super) fn after(&mut self, seq: u64) -> &mut Said {
        if self.seq != seq {
            *self = Said { seq, ..Said::default() };
        }
        self
    }

    fn view(&mut self, state: &LiveTable, meters: &[MeterHandle], shelf: &Shelf) -> Arc<TableView> {
        let seq = self.seq;
        // A meter has moved, and nobody has been told yet.
        if meters.iter().any(|meter| meter.view.has_changed().unwrap_or(false)) {
            self.view = None;
        }
        let view = || {
            let warnings = shelf.warnings(state.rules());
            Arc::new(TableView::of(state, seq, meter_views(meters), warnings))
        };
        Arc::clone(self.view.get_or_insert_with(view))
    }

    pub(super) fn snapshot(
        &mut self,
        state: &LiveTable,
        meters: &[MeterHandle],
        shelf: &Shelf,
        clock: &RunClock,
    ) -> &mut Forms {
        let view = self.view(state, meters, shelf);
        let fresh = self.snapshot.take().filter(|(made, _)| made.elapsed() < FRESH);
        let made = || (Instant::now(), Forms::of(snapshot(&view, clock)));
        &mut self.snapshot.insert(fresh.unwrap_or_else(made)).1
    }

    /// A meter has moved, which is no record.
    pub(super) fn forget_view(&mut self) {
        (self.view, self.snapshot) = (None, None);
        self.if_it_rolls.clear();
    }

    fn offers(&mut self, state: &LiveTable, seat: Seat) -> &mut Forms {
        let known = self.offers.iter().position(|(known, _)| *known == seat);
        let place = known.unwrap_or_else(|| {
            let offers = OfferView::all(state, seat);
            let offers = FromServer::Offers { seat: seat.0, seq: self.seq, offers };
            self.offers.push((seat, Forms::of(offers)));
            self.offers.len() - 1
        });
        &mut self.offers[place].1
    }

    fn if_it_rolls(&mut self, state: &LiveTable, meters: &[MeterHandle], seat: Seat) -> &mut Forms {
        let known = self.if_it_rolls.iter().position(|(known, _)| *known == seat);
        let place = known.unwrap_or_else(|| {
            let (rolls, why_not) = match IfRolledView::all(state, &meter_views(meters), seat) {
                Ok(rolls) => (rolls, None),
                Err(problem) => (Vec::new(), Some(problem)),
            };
            let told = FromServer::IfItRolls { seat: seat.0, seq: self.seq, rolls, why_not };
            self.if_it_rolls.push((seat, Forms::of(told)));
            self.if_it_rolls.len() - 1
        });
        &mut self.if_it_rolls[place].1
    }
}

fn snapshot(view: &TableView, clock: &RunClock) -> FromServer {
    FromServer::Snapshot { table: Box::new(view.clone()), at: now(), now: clock.now() }
}

impl Room {
    /// Serves a few of those who wait. Nothing here waits for anything.
    pub(super) fn serve_visits(&mut self) {
        for _ in 0..A_TURN {
            let Ok(visit) = self.visits.try_recv() else { break };
            self.serve(visit);
        }
    }

    pub(super) fn serve(&mut self, visit: Visit) {
        // Nobody is shown a table that may have gone on elsewhere.
        if self.lost || !self.stands() {
            self.lost = true;
            return;
        }
        match visit {
            Visit::Join { client, after } => self.join(client, after),
            // Nobody is answered out of a state that may not be so.
            _ if self.blind => {}
            // Nor is anybody shown one that a damaged log does not give.
            Visit::Resume { client, .. }
            | Visit::OffersTo { client, .. }
            | Visit::IfItRollsTo { client, .. }
            | Visit::Tick { client, .. }
            | Visit::WorstRollTo { client, .. }
            | Visit::Cheer { client, .. }
                if self.is_damaged() =>
            {
                self.tell_trouble(client);
            }
            Visit::Resume { client, after, .. } => {
                self.catch_up(client, Some(after));
                self.show_work_to(client);
                self.show_limits_to(client);
            }
            Visit::Tick { client, who, ticks, .. } => self.tick(client, who.as_ref(), &ticks),
            Visit::WorstRollTo { client, .. } => self.tell_worst_roll(client),
            Visit::SuggestMend { roll, question, reply } => {
                let at = self.moment();
                let _ = reply.send(self.state.suggestion(roll.as_deref(), &question, at));
            }
            Visit::Work(reply) => {
                let _ = reply.send(self.work());
            }
            Visit::Limits(reply) => {
                let _ = reply.send(self.limits());
            }
            Visit::OffersTo { client, seat, .. } => {
                let offers = self.said.after(self.head.seq).offers(&self.state, seat);
                self.clients.tell(client, offers);
            }
            Visit::IfItRollsTo { client, seat, .. } => {
                let said = self.said.after(self.head.seq);
                let told = said.if_it_rolls(&self.state, &self.meters, seat);
                self.clients.tell(client, told);
            }
            Visit::Cheer { client, who, cheer, .. } => self.cheer(client, who.as_deref(), cheer),
            Visit::Look(reply) => {
                let _ = reply.send(self.view());
            }
            Visit::Offers { who, seat, reply } => {
                let offers = match self.state.sight_of(who.as_deref()) {
                    Sight::Table => Ok(OfferView::all(&self.state, seat)),
                    Sight::Stranger => Err(Problem::stranger()),
                };
                let _ = reply.send(offers);
            }
            Visit::IfItRolls { who, seat, reply } => {
                let told = match self.state.sight_of(who.as_deref()) {
                    Sight::Table => {
                        IfRolledView::all(&self.state, &meter_views(&self.meters), seat)
                    }
                    Sight::Stranger => Err(Problem::stranger()),
                };
                let _ = reply.send(told);
            }
            Visit::Books(reply) => {
                let _ = reply.send(self.state.books.clone());
            }
            Visit::Inspect(reply) => {
                let _ = reply.send((self.state.clone(), self.head));
            }
        }
    }

    fn join(&mut self, client: Client, after: Option<u64>) {
        let id = client.id;
        self.clients.join(client);
        self.tell_trouble(id);
        if !self.blind && !self.is_damaged() {
            self.catch_up(id, after);
            self.show_work_to(id);
            self.show_limits_to(id);
            if self.shooter_away {
                let away = FromServer::ShooterAway { away: true };
                self.clients.tell(id, &mut Forms::of(away));
            }
        }
    }

    fn tell_trouble(&mut self, client: u64) {
        if let Err(problem) = self.check_trouble() {
            self.clients.tell(client, &mut Forms::of(FromServer::Problem { problem }));
        }
    }

    pub(super) fn show_anew(&mut self) {
        let Room { state, meters, said, head, clients, office, clock, .. } = self;
        clients.show_anew(|| {
            snapshot(&said.after(head.seq).view(state, meters, &office.shelf), clock)
        });
    }

    pub(super) fn view(&mut self) -> Arc<TableView> {
        self.said.after(self.head.seq).view(&self.state, &self.meters, &self.office.shelf)
    }

    /// Shows everybody the table as it is now.
    pub(super) fn show_all(&mut self) {
        let snapshot = snapshot(&self.view(), &self.clock);
        self.clients.announce(snapshot);
    }

    /// Shows what there is to say of the rules, now that they have been looked over.
    pub(super) fn show_warnings(&mut self) {
        self.said.forget_view();
        if !self.view().warnings.is_empty() {
            self.show_all();
            self.office.note_change(self.state.id);
        }
    }

    /// Shows the rest of the server who has a seat.
    pub(super) fn show_seats(&self) {
        let owners = &self.state.owners;
        self.seated.send_if_modified(|seated| {
            let changed = !seated.iter().eq(owners.values());
            if changed {
                *seated = owners.values().cloned().collect();
            }
            changed
        });
    }

    /// Shows the rest of the server what waits here for a person, once it is durable.
    pub(super) fn show_waiting(&self) {
        if self.lost || self.trouble.is_some() || !self.decided.is_empty() {
            return;
        }
        let now = WaitingItem::of_table(&self.state);
        let changed = self.waits.send_if_modified(|shown| {
            let changed = *shown != now;
            if changed {
                *shown = now;
            }
            changed
        });
        if changed {
            self.office.note_change(self.state.id);
        }
    }

    /// Shows the lobby how many look on.
    pub(super) fn show_lookers_on(&self) {
        if !self.state.config().practice {
            return;
        }
        let now = self.clients.looking_on(&self.state.owners);
        if self.looking_on.send_if_modified(|before| std::mem::replace(before, now) != now) {
            self.office.note_change(self.state.id);
        }
    }
}

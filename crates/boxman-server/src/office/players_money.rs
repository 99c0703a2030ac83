//! Players' money in meters and between them, which keeps a table or a meter from being closed.

use craps::MicroCents;
use futures_util::stream::{self, StreamExt};

use super::Office;
use super::meters::AT_ONCE;
use crate::id::{MeterId, TableId};
use crate::log::{KeptMeter, Sent, Stream};
use crate::meters::MeterMessage;
use crate::problem::Problem;
use crate::remains::{Remains, RemainsKind};
use crate::store::Stored;

impl Office {
    /// What the meters of a table's own still have of players' money, and what is on its way to
    /// them or from them. Once the table is closed, no player could win it. A closed meter
    /// is not named: two people have decided that it keeps its money for players.
    pub(crate) async fn money_of_own_meters(
        &self,
        table: TableId,
        fed: &[MeterId],
    ) -> Result<Vec<Remains>, Problem> {
        let own = |id: &MeterId| id.owner() == Some(table);
        let mut remains = Vec::new();
        for id in self.meter_names().await?.into_iter().filter(own) {
            match self.look_at(&id).await {
                Ok(state) => {
                    let money = state.meter.of_players();
                    if !state.meter.is_closed() && money > MicroCents::ZERO {
                        let paytable = state.meter.name();
                        let what = format!("players' money in the meter of {paytable} ({id})");
                        let todo = how_to_close(paytable, fed.contains(&id));
                        let money = money.whole_cents();
                        remains.push(Remains::new(RemainsKind::Meter, what, todo).of(money));
                    }
                }
                Err(problem) => remains.push(silent(&id, &problem)),
            }
        }
        remains.extend(self.money_under_way(own).await?);
        Ok(remains)
    }

    /// Refuses to close a meter while players' money is on its way to it or from it.
    pub async fn check_no_money_under_way(&self, meter: &MeterId) -> Result<(), Problem> {
        let remains = self.money_under_way(|id| id == meter).await?;
        match remains.is_empty() {
            true => Ok(()),
            false => Err(Problem::not_empty("the meter cannot be closed yet", remains)),
        }
    }

    /// Players' money on its way to or from some meters. A damaged meter of another table is passed
    /// over: what it has sent arrives once its log is mended, and a closed meter keeps it for the
    /// players.
    async fn money_under_way(
        &self,
        concerns: impl Fn(&MeterId) -> bool,
    ) -> Result<Vec<Remains>, Problem> {
        // Play money is never sent to a real meter.
        let plays = |id: &MeterId| id.owner().is_some_and(|it| self.practice.opener(it).is_some());
        let names = self.meter_names().await?;
        let real = names.into_iter().filter(|id| concerns(id) || !plays(id));
        let look = async |id: MeterId| {
            let state = self.look_at(&id).await;
            (id, state)
        };
        let looked: Vec<_> = stream::iter(real).map(look).buffered(AT_ONCE).collect().await;
        let mut remains = Vec::new();
        for (id, state) in looked {
            let state = match state {
                Ok(state) => state,
                Err(_) if self.damage_of(&Stream::Meter(id.clone())).is_some() => continue,
                Err(problem) => {
                    remains.push(silent(&id, &problem));
                    continue;
                }
            };
            for Sent { to, transfer } in &state.sent {
                if concerns(&id) || concerns(to) {
                    let what = format!("players' money on its way from meter {id} to meter {to}");
                    let money = (transfer.amount + transfer.reserve).whole_cents();
                    let todo = "try again in a moment, once it has arrived";
                    remains.push(Remains::new(RemainsKind::Meter, what, todo).of(money));
                }
            }
        }
        Ok(remains)
    }

    /// A meter as it is now; an error if it is damaged or out of reach.
    async fn look_at(&self, id: &MeterId) -> Result<KeptMeter, Problem> {
        let meter = self.find_meter(id).await?;
        let meter = meter.ok_or_else(|| Problem::not_found(format!("meter {id}")))?;
        let state = meter.ask(MeterMessage::Look).await?;
        let known = meter.is_reached() && !meter.view.borrow().damaged;
        let silent = || Problem::unavailable("meter-silent", "it is damaged, or out of reach");
        known.then_some(state).ok_or_else(silent)
    }

    async fn meter_names(&self) -> Stored<Vec<MeterId>> {
        let streams = self.store.streams().await?.into_iter();
        let names = streams.filter_map(|stream| match stream {
            Stream::Meter(id) => Some(id),
            _ => None,
        });
        Ok(names.collect())
    }
}

/// What to do about players' money in a meter of the table's own, in the order that works: a meter
/// that a table feeds is not closed.
fn how_to_close(paytable: &str, is_fed: bool) -> String {
    let close = "close the meter on the page Meters, which asks where the players' money goes, and \
                 then close the table";
    match is_fed {
        true => format!("first change the configuration to one without {paytable}, then {close}"),
        false => close.to_owned(),
    }
}

/// Nobody knows what such a meter holds.
fn silent(id: &MeterId, problem: &Problem) -> Remains {
    let what = format!("meter {id}, which does not answer ({})", problem.detail);
    Remains::new(RemainsKind::Meter, what, "try again once it can be asked")
}

//! What players buy on one day over all tables of the house, and whose identity was taken. It is
//! made of the books of every table, and so of their logs, whichever node runs them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use axum::extract::State;
use craps::Cents;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Json, Query, Who};
use super::reports::{day, look, with_folded};
use super::{App, Shared};
use crate::access::Deed;
use crate::books::DayBook;
use crate::config::{LimitKind, TableConfig};
use crate::id::TableId;
use crate::log::{PlayerDay, Stream};
use crate::problem::{Problem, Problems};
use crate::reports::LeftOut;
use crate::table::{PlayerKey, key_of};
use crate::wire::NotedView;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(buy_ins))
}

/// Which day and which players.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Which {
    /// The day, `YYYY-MM-DD` (UTC); today if it is left out.
    #[param(pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
    day: Option<String>,
    /// Every player who has bought or cashed out chips; only those who have crossed a limit on
    /// buy-ins if it is left out.
    #[serde(default)]
    all: bool,
}

/// What players have bought on one day.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct BuyInsView {
    /// `YYYY-MM-DD`, UTC.
    pub day: String,
    /// The players, those who have bought most with cash and markers first.
    pub players: Vec<PlayerBuyIns>,
    /// Tables that could not be looked at.
    pub left_out: Vec<LeftOut>,
}

/// What one player has bought and cashed out.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct PlayerBuyIns {
    /// Who, the same at every table: an account, a person whom the crew has named, or else one
    /// sitting, which counts alone.
    pub player: String,
    /// The name they had at the table where they sat down last.
    pub name: String,
    /// The account, if it is one.
    pub account: Option<String>,
    /// The person whom the crew has named.
    pub person: Option<String>,
    /// The sums over all tables.
    pub sums: BuyInSums,
    /// The lowest limit on cash buy-ins at their tables.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub cash_limit: Cents,
    /// The lowest limit on buy-ins with markers at their tables.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub markers_limit: Cents,
    /// The limits that are crossed: `cash`, `markers`.
    pub over: Vec<LimitKind>,
    /// Who has taken their identity on that day.
    pub identity: Option<NotedView>,
    /// The same sums, sitting by sitting.
    pub sittings: Vec<SittingView>,
}

/// What was bought and cashed out, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, TS, ToSchema)]
pub struct BuyInSums {
    /// Bought with cash.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub cash: Cents,
    /// Bought with markers.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub markers: Cents,
    /// Bought with coupons.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub coupons: Cents,
    /// Chips brought along.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub chips: Cents,
    /// Cashed out.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub cashed_out: Cents,
}

/// One sitting of a player at one table.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct SittingView {
    /// The table.
    pub table: String,
    /// Its name on the lobby's list.
    pub table_name: String,
    /// The seat.
    pub seat: u8,
    /// The name at the table.
    pub name: String,
    /// The record by which the player sat down: `link` and `identify` name it.
    #[ts(type = "number")]
    pub sitting: u64,
    /// What was bought and cashed out in it.
    pub sums: BuyInSums,
    /// Who has said who it is.
    pub linked: Option<NotedView>,
    /// Who has taken the player's identity there.
    pub identity: Option<NotedView>,
}

impl BuyInSums {
    fn of(day: &PlayerDay) -> BuyInSums {
        let PlayerDay { cash, markers, coupons, chips, cashed_out, .. } = day;
        let (cash, markers, coupons) = (*cash, *markers, *coupons);
        BuyInSums { cash, markers, coupons, chips: *chips, cashed_out: *cashed_out }
    }

    fn add(&mut self, other: &BuyInSums) {
        self.cash += other.cash;
        self.markers += other.markers;
        self.coupons += other.coupons;
        self.chips += other.chips;
        self.cashed_out += other.cashed_out;
    }
}

/// What players have bought on one day over all tables of today's procedures, and whose identity
/// was taken: those who have crossed a limit on buy-ins, or everybody. For supervisors, auditors
/// and administrators.
#[utoipa::path(get, path = "/api/office/buy-ins", tag = "reports", params(Which), responses(
    (status = 200, body = BuyInsView),
    Problems,
))]
async fn buy_ins(
    State(app): Shared,
    who: Who,
    Query(which): Query<Which>,
) -> Result<Json<BuyInsView>, Problem> {
    who.may(Deed::ReadPlayers, false)?;
    let day = day(which.day.as_deref())?;
    let (tables, left_out) = tables(&app, &day).await?;
    let mut players: BTreeMap<PlayerKey, PlayerBuyIns> = BTreeMap::new();
    for (table, config, book) in &tables {
        for (sitting, entry) in &book.players {
            note(&mut players, *table, config, *sitting, entry);
        }
    }
    let mut players: Vec<PlayerBuyIns> = players.into_values().map(PlayerBuyIns::judged).collect();
    players.retain(|player| which.all || !player.over.is_empty());
    players.sort_by_key(|player| std::cmp::Reverse(player.sums.cash + player.sums.markers));
    Ok(Json(BuyInsView { day, players, left_out }))
}

type TableBook = (TableId, TableConfig, DayBook);

/// The day at every table that lists its players.
async fn tables(app: &Arc<App>, day: &str) -> Result<(Vec<TableBook>, Vec<LeftOut>), Problem> {
    let mut kept: HashMap<TableId, BTreeMap<String, String>> = HashMap::new();
    for row in app.house.store.days(day, day).await? {
        if let Stream::Table(table) = row.stream {
            kept.entry(table).or_default().insert(row.day, row.body);
        }
    }
    let (mut tables, mut left_out) = (Vec::new(), Vec::new());
    for table in app.house.all_tables().await? {
        let (config, books) = match look(app, table).await {
            Ok(looked) => looked,
            Err(problem) => {
                left_out.push(LeftOut { table: table.to_string(), reason: problem.detail });
                continue;
            }
        };
        if config.practice {
            continue;
        }
        let kept = kept.remove(&table).unwrap_or_default();
        let days = with_folded(app, table, books, &kept, day, day).await?;
        let book = days.into_iter().find(|(known, _)| known == day);
        tables.extend(book.map(|(_, book)| (table, config, book)));
    }
    Ok((tables, left_out))
}

fn note(
    players: &mut BTreeMap<PlayerKey, PlayerBuyIns>,
    table: TableId,
    config: &TableConfig,
    sitting: u64,
    day: &PlayerDay,
) {
    let key = key_of(table, sitting, day);
    let limit = |kind| config.limit(kind).unwrap_or(Cents::MOST);
    let (cash_limit, markers_limit) = (limit(LimitKind::Cash), limit(LimitKind::Markers));
    let player = players.entry(key.clone()).or_insert_with(|| PlayerBuyIns {
        player: key.to_string(),
        name: String::new(),
        account: match &key {
            PlayerKey::Account(account) => Some(account.clone()),
            _ => None,
        },
        person: None,
        sums: BuyInSums::default(),
        cash_limit,
        markers_limit,
        over: Vec::new(),
        identity: None,
        sittings: Vec::new(),
    });
    let sums = BuyInSums::of(day);
    player.name.clone_from(&day.name);
    if let Some(linked) = &day.person {
        player.person = Some(linked.person.clone());
    }
    player.sums.add(&sums);
    player.cash_limit = player.cash_limit.min(cash_limit);
    player.markers_limit = player.markers_limit.min(markers_limit);
    let identity = day.identity.as_ref().map(NotedView::of);
    let first = player.identity.as_ref().map_or(u64::MAX, |noted| noted.at);
    if identity.as_ref().is_some_and(|noted| noted.at < first) {
        player.identity.clone_from(&identity);
    }
    player.sittings.push(SittingView {
        table: table.to_string(),
        table_name: config.name.clone(),
        seat: day.seat,
        name: day.name.clone(),
        sitting,
        sums,
        linked: day.person.as_ref().map(|linked| NotedView::of(&linked.noted)),
        identity,
    });
}

impl PlayerBuyIns {
    /// The same, with the limits that are crossed.
    fn judged(mut self) -> PlayerBuyIns {
        let BuyInSums { cash, markers, .. } = self.sums;
        if cash > self.cash_limit {
            self.over.push(LimitKind::Cash);
        }
        if markers > self.markers_limit {
            self.over.push(LimitKind::Markers);
        }
        self
    }
}

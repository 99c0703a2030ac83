//! The limits of the day, as a crew is shown them.

use craps::Cents;
use serde::Serialize;
use ts_rs::TS;
use utoipa::ToSchema;

use crate::config::LimitKind;
use crate::log::Noted;
use crate::table::{BoughtElsewhere, LiveTable, Usage};

/// The limits of a table for one day, and how much of each is left.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct LimitsView {
    /// `YYYY-MM-DD`, UTC.
    pub day: String,
    /// Fills above it take two people.
    pub fills: LimitView,
    /// Credits above it take two people.
    pub credits: LimitView,
    /// Whether buy-ins above their limit wait for a second person.
    pub hold_buy_ins: bool,
    /// The players at the table.
    pub seats: Vec<SeatLimitsView>,
}

/// How much of a limit is used.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct LimitView {
    /// The limit.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub limit: Cents,
    /// What is used, at other tables too.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub used: Cents,
    /// What of it was bought at other tables, as far as this one has heard.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub elsewhere: Cents,
    /// What is left.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub left: Cents,
    /// Whether more than the limit is used.
    pub over: bool,
    /// Whose limit it is, what is used and what is left, in words.
    #[schema(example = "Ann's cash buy-ins today: $9,500 of $10,000, $500 left")]
    pub says: String,
}

/// The limits of one player, and who that is.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct SeatLimitsView {
    /// The seat.
    pub seat: u8,
    /// The record by which the player sat down: `link` and `identify` name it.
    #[ts(type = "number")]
    pub sitting: u64,
    /// Who plays, the same at every table: an account, a person whom the crew has named, or else
    /// this sitting alone.
    pub player: String,
    /// The person whom the crew has named.
    pub person: Option<String>,
    /// Who has named them.
    pub linked: Option<NotedView>,
    /// Cash buy-ins, over all tables.
    pub cash: LimitView,
    /// Buy-ins with markers, over all tables.
    pub markers: LimitView,
    /// Cash-outs at this table: above the limit they take two people.
    pub cash_outs: LimitView,
    /// Who has taken the player's identity today, at whichever table.
    pub identity: Option<NotedView>,
    /// Whether the house asks for it: a limit on buy-ins is crossed, and nobody has taken it.
    pub ask_identity: bool,
}

/// Who noted something, and when.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct NotedView {
    /// Who.
    pub by: String,
    /// Their name at tables.
    pub name: Option<String>,
    /// When, in milliseconds since 1970.
    #[ts(type = "number")]
    pub at: u64,
}

impl NotedView {
    /// What is noted.
    pub fn of(noted: &Noted) -> NotedView {
        NotedView { by: noted.by.clone(), name: noted.name.clone(), at: noted.at }
    }
}

impl LimitView {
    fn of(usage: &Usage) -> LimitView {
        LimitView {
            limit: usage.limit,
            used: usage.used(),
            elsewhere: usage.elsewhere,
            left: usage.left(),
            over: usage.is_over(),
            says: usage.in_words(),
        }
    }
}

impl LimitsView {
    /// The limits of a table at a moment; none where it sums all kinds up, or has none.
    pub fn of(state: &LiveTable, at: u64, elsewhere: &BoughtElsewhere) -> Option<LimitsView> {
        let usage =
            |kind, seat| state.usage(at, kind, seat, elsewhere).map(|usage| LimitView::of(&usage));
        let seats = state.table.players().filter_map(|(seat, _)| {
            let (sitting, player) = state.player_at(seat)?;
            let linked = state.sittings.get(&seat.0).and_then(|known| known.person.as_ref());
            let cash = usage(LimitKind::Cash, Some(seat))?;
            let markers = usage(LimitKind::Markers, Some(seat))?;
            let identity = state.identity(at, seat, elsewhere);
            Some(SeatLimitsView {
                seat: seat.0,
                sitting,
                player: player.to_string(),
                person: linked.map(|linked| linked.person.clone()),
                linked: linked.map(|linked| NotedView::of(&linked.noted)),
                ask_identity: (cash.over || markers.over) && identity.is_none(),
                cash,
                markers,
                cash_outs: usage(LimitKind::CashOuts, Some(seat))?,
                identity: identity.as_ref().map(NotedView::of),
            })
        });
        Some(LimitsView {
            day: state.books.day_for(at),
            fills: usage(LimitKind::Fills, None)?,
            credits: usage(LimitKind::Credits, None)?,
            hold_buy_ins: state.config().hold_buy_ins,
            seats: seats.collect(),
        })
    }
}

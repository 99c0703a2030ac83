//! Meters: what they show, and what two people may change about them.

use std::sync::Arc;

use axum::extract::State;
use craps::meter::AdjustKind;
use craps::terms::Winners;
use craps::{Cents, MeterTerms, Rate};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Anyone, Json, Path, Who};
use super::{App, Shared, floor};
use crate::access::{Deed, Sight};
use crate::id::{MeterId, TableId};
use crate::log::{MeterProposal, PlayersMoney};
use crate::meters::{MeterHandle, MeterMessage};
use crate::problem::{Problem, Problems};
use crate::wire::MeterView;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(meter)).routes(routes!(ask))
}

/// What is asked of a meter.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AskMeter {
    /// What.
    pub command: MeterCommandView,
}

/// What people ask of a meter. Amounts are cents, shares millionths.
#[derive(Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case", tag = "command", deny_unknown_fields)]
pub enum MeterCommandView {
    /// Ask that it be adjusted. It never shows less than its seed.
    Adjust {
        /// By how much.
        #[ts(type = "number")]
        #[schema(value_type = i64)]
        amount: Cents,
        /// What brings it about.
        kind: AdjustWord,
        /// The table it is about.
        #[serde(default)]
        #[ts(optional = nullable, as = "Option<String>")]
        #[schema(value_type = Option<String>, pattern = "^[0-9a-z]{7}$")]
        table: Option<TableId>,
        /// The record there.
        #[serde(default)]
        #[ts(optional = nullable, type = "number")]
        record: Option<u64>,
        /// Why.
        reason: String,
    },
    /// Ask that players' money go to another meter.
    Move {
        /// Which.
        #[ts(type = "string")]
        #[schema(value_type = String)]
        to: MeterId,
        /// How much of the amount shown, or of what a closed meter keeps; everything above the seed
        /// where it is left out, with what is set aside.
        #[serde(default)]
        #[ts(optional = nullable, as = "Option<i64>")]
        #[schema(value_type = Option<i64>)]
        amount: Option<Cents>,
        /// It may serve another paytable.
        #[serde(default)]
        #[ts(optional, as = "Option<bool>")]
        other_paytable: bool,
        /// Why.
        reason: String,
    },
    /// Ask for other terms from its next reset on.
    SetTerms {
        /// What it restarts at.
        #[ts(type = "number")]
        #[schema(value_type = i64)]
        seed: Cents,
        /// The share of each wager added to it.
        #[schema(maximum = 1_000_000)]
        increment: u32,
        /// The share of each wager set aside for the next seed.
        #[schema(maximum = 1_000_000)]
        reserve: u32,
        /// The most it shows.
        #[serde(default)]
        #[ts(optional = nullable, as = "Option<i64>")]
        #[schema(value_type = Option<i64>)]
        ceiling: Option<Cents>,
        /// Why.
        reason: String,
    },
    /// Ask that it be closed; no table may be linked to it. The house has back what is left of the
    /// seed that it put in, and nothing that is the players'.
    Close {
        /// Where the players' money goes, where there is any.
        #[serde(default)]
        #[ts(optional = nullable)]
        players: Option<PlayersMoneyView>,
        /// Why.
        reason: String,
    },
    /// Agree to what somebody else has asked for.
    Approve {
        /// The number of the record that asked.
        #[ts(type = "number")]
        proposal: u64,
    },
    /// Withdraw it.
    Withdraw {
        /// The number of the record that asked.
        #[ts(type = "number")]
        proposal: u64,
        /// Why: needed if another person asked. They are told.
        #[serde(default)]
        #[ts(optional = nullable)]
        #[schema(min_length = 1, max_length = 200)]
        reason: Option<String>,
    },
}

/// What brings an adjustment about.
#[derive(Clone, Copy, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "AdjustKind")]
#[schema(as = AdjustKind)]
pub enum AdjustWord {
    /// A jackpot was paid that the meter knows nothing of.
    PaidOutside,
    /// The sign or the meter had failed.
    Malfunction,
    /// More was shown than the ceiling allows: it waits for the next reset.
    OverCeiling,
    /// The house changes what it has put in for the seed.
    Seed,
}

impl From<AdjustWord> for AdjustKind {
    fn from(word: AdjustWord) -> AdjustKind {
        match word {
            AdjustWord::PaidOutside => AdjustKind::PaidOutside,
            AdjustWord::Malfunction => AdjustKind::Malfunction,
            AdjustWord::OverCeiling => AdjustKind::OverCeiling,
            AdjustWord::Seed => AdjustKind::Seed,
        }
    }
}

/// Where the players' money of a meter that closes goes.
#[derive(Clone, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case", tag = "goes", deny_unknown_fields)]
pub enum PlayersMoneyView {
    /// To another meter.
    Meter {
        /// Which.
        #[ts(type = "string")]
        #[schema(value_type = String)]
        to: MeterId,
        /// It may serve another paytable.
        #[serde(default)]
        #[ts(optional, as = "Option<bool>")]
        other_paytable: bool,
    },
    /// Nowhere: it is kept for them, and listed with the meter.
    Kept {},
}

impl MeterCommandView {
    /// What is done, for the table of who may.
    pub fn deed(&self) -> Deed {
        match self {
            MeterCommandView::Adjust { .. }
            | MeterCommandView::Move { .. }
            | MeterCommandView::SetTerms { .. }
            | MeterCommandView::Close { .. } => Deed::ChangeMeter,
            MeterCommandView::Approve { .. } | MeterCommandView::Withdraw { .. } => {
                Deed::ApproveMeter
            }
        }
    }
}

/// Something became a record.
#[derive(Serialize, TS, ToSchema)]
pub struct Recorded {
    /// Which.
    #[ts(type = "number")]
    pub seq: u64,
}

async fn find(app: &App, id: &str) -> Result<(MeterId, MeterHandle), Problem> {
    let id: MeterId = id.parse().map_err(|error| Problem::not_found(format!("meter: {error}")))?;
    let meter = app.house.open_meter(&id).await;
    let meter = meter.ok_or_else(|| Problem::not_found(format!("meter {id}")))?;
    Ok((id, meter))
}

/// Every meter.
#[utoipa::path(get, path = "/api/meters", tag = "meters", operation_id = "meters", responses(
    (status = 200, body = Vec<MeterView>),
    Problems,
))]
async fn list(State(app): Shared, anyone: Anyone) -> Result<Json<Vec<MeterView>>, Problem> {
    let sight = sight(anyone);
    let meters = app.house.meters().await?;
    let view = |meter: &MeterHandle| sight.show(meter.view.borrow().clone());
    Ok(Json(meters.iter().map(view).collect()))
}

/// A meter has no seats: what waits for a second person is for those who see every table's.
fn sight(anyone: Anyone) -> Sight {
    Sight::of(anyone.person().as_deref(), false, false)
}

/// A meter as it is now.
#[utoipa::path(get, path = "/api/meters/{id}", tag = "meters",
    params(("id" = String, Path, description = "the meter")), responses(
    (status = 200, body = MeterView),
    Problems,
))]
async fn meter(
    State(app): Shared,
    anyone: Anyone,
    Path(id): Path<String>,
) -> Result<Json<MeterView>, Problem> {
    let (_, meter) = find(&app, &id).await?;
    let view = meter.view.borrow().clone();
    Ok(Json(sight(anyone).show(view)))
}

/// Ask something of a meter. A change takes two people: one asks, another approves.
#[utoipa::path(post, path = "/api/meters/{id}/commands", tag = "meters",
    operation_id = "ask_meter", request_body = AskMeter,
    params(("id" = String, Path, description = "the meter")), responses(
    (status = 200, body = Recorded),
    Problems,
))]
async fn ask(
    State(app): Shared,
    who: Who,
    Path(id): Path<String>,
    Json(AskMeter { command }): Json<AskMeter>,
) -> Result<Json<Recorded>, Problem> {
    let (id, meter) = find(&app, &id).await?;
    who.may(command.deed(), false)?;
    app.house.check_no_player_of(&id, &who.person).await?;
    floor::check_no_player_elsewhere(&app, &id, &who.person).await?;
    let person = || Arc::clone(&who.person);
    let proposal = match command {
        MeterCommandView::Approve { proposal } => {
            let state = meter.ask(MeterMessage::Look).await?;
            let pending = state.proposals.get(&proposal).map(|pending| &pending.proposal);
            // A table may have been linked to it since somebody asked.
            if matches!(pending, Some(MeterProposal::Close { .. })) {
                app.house.check_unlinked(&id).await?;
                app.house.check_no_money_under_way(&id).await?;
            }
            // And the meter it sends money to may have been closed; whether it serves another
            // paytable was settled when it was asked for.
            if let Some(to) = pending.and_then(MeterProposal::to) {
                app.house.check_goal(&state, to, true).await?;
            }
            let who = person();
            let approve = |reply| MeterMessage::Approve { who, proposal, reply };
            return meter.ask(approve).await?.map(|seq| Json(Recorded { seq }));
        }
        MeterCommandView::Withdraw { proposal, reason } => {
            let who = person();
            let withdraw = |reply| MeterMessage::Withdraw { who, proposal, reason, reply };
            return meter.ask(withdraw).await?.map(|seq| Json(Recorded { seq }));
        }
        MeterCommandView::Adjust { amount, kind, table, record, reason } => {
            let kind = Some(kind.into());
            MeterProposal::Adjust { amount, reason, kind, table, record }
        }
        MeterCommandView::Move { to, amount, other_paytable, reason } => {
            let state = meter.ask(MeterMessage::Look).await?;
            app.house.check_goal(&state, &to, other_paytable).await?;
            MeterProposal::Move { to, amount, reason }
        }
        MeterCommandView::SetTerms { seed, increment, reserve, ceiling, reason } => {
            let winners = meter.ask(MeterMessage::Look).await?.meter.terms().winners;
            let terms = terms(seed, increment, reserve, ceiling, winners)?;
            MeterProposal::SetTerms { terms, reason }
        }
        MeterCommandView::Close { players, reason } => {
            app.house.check_unlinked(&id).await?;
            app.house.check_no_money_under_way(&id).await?;
            let players = match players {
                None => None,
                Some(PlayersMoneyView::Kept {}) => Some(PlayersMoney::Kept),
                Some(PlayersMoneyView::Meter { to, other_paytable }) => {
                    let state = meter.ask(MeterMessage::Look).await?;
                    app.house.check_goal(&state, &to, other_paytable).await?;
                    Some(PlayersMoney::Meter { to })
                }
            };
            MeterProposal::Close { reason, players }
        }
    };
    let who = person();
    let seq = meter.ask(|reply| MeterMessage::Propose { who, proposal, reply }).await??;
    Ok(Json(Recorded { seq }))
}

fn terms(
    seed: Cents,
    increment: u32,
    reserve: u32,
    ceiling: Option<Cents>,
    winners: Winners,
) -> Result<MeterTerms, Problem> {
    let whole = 1_000_000;
    let most = Cents::MOST;
    let fits = increment.saturating_add(reserve) <= whole
        && (Cents::ZERO..=most).contains(&seed)
        && ceiling.is_none_or(|ceiling| (seed..=most).contains(&ceiling));
    match fits {
        true => {
            let (increment, reserve) = (Rate(increment), Rate(reserve));
            Ok(MeterTerms { seed, increment, reserve, ceiling, winners })
        }
        false => {
            let expected = "the shares come to at most 1,000,000, and the seed lies between \
                            nothing and the ceiling";
            Err(Problem::invalid("bad-terms", expected))
        }
    }
}

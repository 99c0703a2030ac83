//! What a mend moved, as it is told.

use craps::Cents;
use craps::table::MendMove;
use serde::Serialize;
use ts_rs::TS;
use utoipa::ToSchema;

use crate::mend::MendPlace;

/// Money that moved with a mend, or a bet that came down.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct MendMoveView {
    /// Whose rack or bet; none for the dealers, and for players who have left.
    pub seat: Option<u8>,
    /// The player's name, for those who have left.
    pub name: String,
    /// The bet that came down; empty for money.
    pub wager: String,
    /// Where it went.
    pub place: MendPlace,
    /// How much: of a bet that came down all of it, otherwise less than zero if the house got it.
    pub amount: i64,
    /// Whether a bet that came down was lost, at least in part.
    pub lost: bool,
}

pub(super) fn mend_move_view(one: &MendMove) -> MendMoveView {
    let view = |place, amount: &Cents| MendMoveView {
        seat: None,
        name: String::new(),
        wager: String::new(),
        place,
        amount: amount.0,
        lost: false,
    };
    match one {
        MendMove::Rack { seat, amount } => {
            MendMoveView { seat: Some(seat.0), ..view(MendPlace::Rack, amount) }
        }
        MendMove::Felt { seat, wager, amount, lost } => MendMoveView {
            seat: Some(seat.0),
            wager: wager.clone(),
            lost: *lost > Cents::ZERO,
            ..view(MendPlace::Felt, amount)
        },
        MendMove::Cage { name, amount } => {
            MendMoveView { name: name.clone(), ..view(MendPlace::Cage, amount) }
        }
        MendMove::Walked { name, amount } => {
            MendMoveView { name: name.clone(), ..view(MendPlace::Walked, amount) }
        }
        MendMove::Dealers { amount } => view(MendPlace::Dealers, amount),
    }
}

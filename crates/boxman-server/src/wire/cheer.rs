//! What players may say to each other: a fixed set, so that nobody can be hurt by it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// A call or a cheer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Cheer {
    /// Good luck!
    GoodLuck,
    /// Come on, dice!
    ComeOnDice,
    /// Nice roll!
    NiceRoll,
    /// Hot hand!
    HotHand,
    /// Yo-leven!
    Yo,
    /// The hard way!
    HardWay,
    /// Press it!
    PressIt,
    /// Ouch!
    Ouch,
    /// Well played!
    WellPlayed,
    /// Thank you!
    ThankYou,
}

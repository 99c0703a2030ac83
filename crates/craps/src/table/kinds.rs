//! How chips come to a player and how they go: what it means for the tray and the drop.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What a player buys chips with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BuyInKind {
    /// Cash, which goes into the box.
    #[default]
    Cash,
    /// A marker: the player's signature for credit, which goes into the box.
    Marker,
    /// A coupon, which goes into the box.
    Coupon,
    /// Chips that the player has brought along: none leave the tray.
    Chips,
}

/// Where chips go that leave a player's rack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CashOutKind {
    /// The player walks away with them.
    #[default]
    Walk,
    /// None move: the cage pays a jackpot against a slip.
    Jackpot,
    /// Back into the tray, for cash.
    Redeem,
    /// To the dealers.
    Toke,
    /// Kept for a player who has left without them.
    LeftBehind,
}

impl BuyInKind {
    /// Every kind.
    pub const ALL: [BuyInKind; 4] =
        [BuyInKind::Cash, BuyInKind::Marker, BuyInKind::Coupon, BuyInKind::Chips];

    /// How it is written.
    pub const fn word(self) -> &'static str {
        match self {
            BuyInKind::Cash => "cash",
            BuyInKind::Marker => "marker",
            BuyInKind::Coupon => "coupon",
            BuyInKind::Chips => "chips",
        }
    }

    /// Whether it goes into the box, and so is part of the drop.
    pub const fn is_drop(self) -> bool {
        !matches!(self, BuyInKind::Chips)
    }
}

impl CashOutKind {
    /// Every kind.
    pub const ALL: [CashOutKind; 5] = [
        CashOutKind::Walk,
        CashOutKind::Jackpot,
        CashOutKind::Redeem,
        CashOutKind::Toke,
        CashOutKind::LeftBehind,
    ];

    /// How it is written.
    pub const fn word(self) -> &'static str {
        match self {
            CashOutKind::Walk => "walk",
            CashOutKind::Jackpot => "jackpot",
            CashOutKind::Redeem => "redeem",
            CashOutKind::Toke => "toke",
            CashOutKind::LeftBehind => "left-behind",
        }
    }
}

/// A word that names no kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAKind {
    word: String,
    known: String,
}

impl fmt::Display for NotAKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NotAKind { word, known } = self;
        write!(f, "expected one of {known}, not `{word}`")
    }
}

impl std::error::Error for NotAKind {}

macro_rules! words {
    ($($kind:ident),*) => { $(
        impl fmt::Display for $kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.word())
            }
        }

        impl FromStr for $kind {
            type Err = NotAKind;

            fn from_str(text: &str) -> Result<$kind, NotAKind> {
                let found = $kind::ALL.into_iter().find(|kind| kind.word() == text);
                found.ok_or_else(|| NotAKind {
                    word: text.to_owned(),
                    known: $kind::ALL.map($kind::word).join(", "),
                })
            }
        }
    )* };
}

words!(BuyInKind, CashOutKind);

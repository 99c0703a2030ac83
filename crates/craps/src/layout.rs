//! One seat's bets on the felt.

use serde::{Deserialize, Serialize};

use crate::{Cents, Line};

/// A place on the felt where a bet can stand: `pass`, `come 6`, `odds come 6`, `hard 8`.
/// Travelling changes a bet's spot, so there is no hidden state in a bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Spot(pub(crate) u8);

impl Spot {
    /// The place of this spot in [`Rules::spots`](crate::Rules::spots).
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a player has called about a bet.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Call {
    /// Nothing: the house's rule for the come-out holds.
    #[default]
    House,
    /// On, also on a come-out.
    On,
    /// Off until called on again.
    Off,
}

impl Call {
    /// How many calls there are.
    pub const COUNT: usize = 3;

    /// All of them.
    pub const ALL: [Call; Call::COUNT] = [Call::House, Call::On, Call::Off];
}

/// One bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Bet {
    /// Where it stands.
    pub spot: Spot,
    /// Whether the player called it on or off.
    pub call: Call,
    /// The amount at risk.
    pub stake: Cents,
    /// Commission paid for its next decision and not yet earned.
    pub vig: Cents,
}

impl Bet {
    /// The bet with its commission: all of it that is the player's until decided.
    pub fn outlay(self) -> Cents {
        self.stake + self.vig
    }
}

/// The bets of one seat, sorted by spot, at most one on each.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Layout(Vec<Bet>);

impl Layout {
    /// The bet on `spot`.
    pub fn bet(&self, spot: Spot) -> Option<Bet> {
        self.0.binary_search_by_key(&spot, |bet| bet.spot).ok().map(|place| self.0[place])
    }

    /// Every bet, in the order of the felt.
    pub fn bets(&self) -> &[Bet] {
        &self.0
    }

    /// Whether nothing is up.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All stakes and unearned commission together.
    pub fn outlay(&self) -> Cents {
        self.0.iter().map(|bet| bet.outlay()).sum()
    }

    /// Puts `bet` on its spot in place of what stood there; a stake of zero takes it down.
    pub fn set(&mut self, bet: Bet) {
        match (self.0.binary_search_by_key(&bet.spot, |bet| bet.spot), bet.stake) {
            (Ok(place), Cents::ZERO) => {
                self.0.remove(place);
            }
            (Ok(place), _) => self.0[place] = bet,
            (Err(_), Cents::ZERO) => {}
            (Err(place), _) => self.0.insert(place, bet),
        }
    }

    /// Brings the bets of one seat to where its settled lines left them. Bets that came down go
    /// first, so that a come bet can travel to the spot an older one has just won on.
    pub fn settle<'a>(&mut self, lines: impl Iterator<Item = &'a Line> + Clone) {
        // The lines are in the order of the bets, so one pass over both is enough.
        let mut settled = lines.clone().peekable();
        if settled.peek().is_none() {
            return;
        }
        self.0.retain_mut(|bet| {
            let Some(line) = settled.next_if(|line| line.bet.spot == bet.spot) else { return true };
            match line.left {
                Some(left) if left.spot == bet.spot => {
                    *bet = left;
                    true
                }
                _ => false,
            }
        });
        for bet in lines.filter_map(|line| line.left.filter(|left| left.spot != line.bet.spot)) {
            assert!(self.bet(bet.spot).is_none(), "a bet travelled onto another");
            self.set(bet);
        }
    }
}

//! A model of the chips themselves: what goes into a tray and out of it, told by what is seen to
//! happen on the felt and never by the books.

use craps::table::{HeldEnvy, Rolled};
use craps::{
    Bet, BuyInKind, CashOutKind, Cents, ClaimId, Event, Fate, Settlement, settle::Settled,
};

/// One table's tray.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tray {
    /// What lies in it.
    pub(crate) chips: Cents,
    /// Envy that waits in it, with the claims it waits for.
    envy: Vec<HeldEnvy>,
    last: Option<LastRoll>,
}

/// What the last roll brought the tray, with all that came of it since.
#[derive(Clone, Debug)]
struct LastRoll {
    brought: Cents,
    /// Claims that the roll has made.
    claims: Vec<ClaimId>,
    /// Envy that had waited before it, less what was answered since.
    envy: Vec<HeldEnvy>,
}

impl Tray {
    pub(crate) fn holding(chips: Cents) -> Tray {
        Tray { chips, ..Tray::default() }
    }

    pub(crate) fn follow(&mut self, event: &Event) {
        match event {
            Event::Filled { postings } => self.chips += of_cage(postings),
            Event::Credited { postings } => self.chips += of_cage(postings),
            Event::BoughtIn { kind, postings, .. } => match kind {
                BuyInKind::Cash | BuyInKind::Marker | BuyInKind::Coupon => {
                    self.chips -= of_cage(postings);
                }
                BuyInKind::Chips => {}
            },
            Event::CashedOut { kind, postings, .. } | Event::Left { kind, postings, .. } => {
                match kind {
                    // A jackpot that the cage pays has never left the tray.
                    CashOutKind::Redeem | CashOutKind::Jackpot => self.chips -= of_cage(postings),
                    CashOutKind::Walk | CashOutKind::Toke | CashOutKind::LeftBehind => {}
                }
            }
            Event::Rolled(rolled) => self.roll(rolled),
            Event::Swept(swept) => {
                self.chips += taken(&swept.settlement);
                self.last = None;
            }
            Event::Voided(_) => self.void(),
            Event::Corrected { rolled, .. } => {
                self.void();
                self.roll(rolled);
            }
            Event::Held { award, .. } => {
                self.last.as_mut().unwrap().claims.push(award.id);
                self.comes_of(award.id, award.amount);
            }
            Event::EnvyHeld { envy, .. } => {
                self.envy.push(envy.clone());
                self.comes_of(envy.claims[0], envy.amount);
            }
            Event::Released { award, .. } => {
                let envy = self.answer(award.id, true);
                self.comes_of(award.id, Cents::ZERO - award.amount - envy);
            }
            Event::ClaimPaid { claim, shares, .. } => {
                let paid: Cents = shares.iter().map(|(_, share)| *share).sum();
                let envy = self.answer(*claim, true);
                self.comes_of(*claim, Cents::ZERO - paid - envy);
            }
            // What was held stays where it lies; the stakes of a jackpot go back to the racks.
            Event::ClaimDenied { claim, seats, postings, .. } => {
                self.answer(*claim, false);
                let stakes: Cents =
                    seats.iter().map(|seat| postings.gain(craps::Account::Rack(*seat))).sum();
                self.comes_of(*claim, Cents::ZERO - stakes);
            }
            // Chips go to racks, to the dealers or away with a player; the cage pays by itself.
            Event::Mended(mended) => {
                self.chips += mended.postings.gain(craps::Account::House);
                for one in &mended.mending.moves {
                    if let craps::table::MendMove::Cage { amount, .. } = one {
                        self.chips += *amount;
                    }
                }
            }
            Event::Configured { .. } => self.last = None,
            Event::Sat { .. }
            | Event::Renamed { .. }
            | Event::Put(_)
            | Event::Took(_)
            | Event::Called(_)
            | Event::Returned { .. }
            | Event::BettingClosed
            | Event::NoRoll
            | Event::DicePassed { .. }
            | Event::PayingBegun
            | Event::BettingOpened
            | Event::Paused
            | Event::Resumed
            | Event::Closed => {}
        }
    }

    fn roll(&mut self, rolled: &Rolled) {
        let envy: Cents = rolled.settlement.envies.iter().map(|(_, amount)| *amount).sum();
        let brought = taken(&rolled.settlement) - envy;
        self.chips += brought;
        let claims = rolled.claims.iter().map(|claim| claim.id).collect();
        self.last = Some(LastRoll { brought, claims, envy: self.envy.clone() });
    }

    fn void(&mut self) {
        let LastRoll { brought, envy, .. } = self.last.take().unwrap();
        self.chips -= brought;
        self.envy = envy;
    }

    /// Chips move because of a claim: one of the last roll is taken back with it.
    fn comes_of(&mut self, claim: ClaimId, chips: Cents) {
        self.chips += chips;
        if let Some(last) = self.last.as_mut().filter(|last| last.claims.contains(&claim)) {
            last.brought += chips;
        }
    }

    /// A claim waits no longer. Says what envy goes to the dealers.
    fn answer(&mut self, claim: ClaimId, paid: bool) -> Cents {
        let before = self.last.iter_mut().map(|last| &mut last.envy);
        let gone = [&mut self.envy].into_iter().chain(before).map(|waiting| {
            let mut gone = Cents::ZERO;
            waiting.retain_mut(|envy| {
                let of_it = envy.claims.contains(&claim);
                if of_it && paid {
                    gone += envy.amount;
                    return false;
                }
                envy.claims.retain(|id| *id != claim);
                !envy.claims.is_empty()
            });
            gone
        });
        gone.collect::<Vec<_>>()[0]
    }
}

/// What the cage gives; less than nothing where it takes.
fn of_cage(postings: &craps::Postings) -> Cents {
    Cents::ZERO - postings.gain(craps::Account::Cage)
}

/// What the dealers take off the felt into the tray, less what they pay out of it.
fn taken(settlement: &Settlement) -> Cents {
    settlement.lines.iter().map(taken_of).sum()
}

fn taken_of(line: &Settled) -> Cents {
    let felt = |bet: Bet| bet.stake + bet.vig;
    let came_down = felt(line.bet) - line.left.map_or(Cents::ZERO, felt);
    let handed = match (line.fate, line.left) {
        (Fate::Win { .. }, Some(_)) => line.won - line.charged,
        (Fate::Win { .. }, None) => line.bet.stake + line.won - line.charged,
        (Fate::Return, _) => felt(line.bet),
        _ => Cents::ZERO,
    };
    came_down - handed
}

//! What strangers are shown of a real table. Every view is made whole, and this is the one place
//! where things are left out of it: names, chips, payouts, and who asked for what. Each part is
//! named here, so that a new one does not compile until somebody has decided who sees it.
//!
//! A list that is hidden is empty; anything else that is hidden is nothing.

use super::board::TrackerView;
use super::claim::ClaimView;
use super::view::{HandView, MeterView, TableView};
use super::{FromServer, Happened, PastHand, RolledView, Update};
use crate::access::Sight;

/// Something of which strangers see less.
pub trait Shown {
    /// What is left of it for strangers.
    #[must_use]
    fn to_strangers(self) -> Self;
}

impl Sight {
    /// What somebody of this sight is shown.
    pub fn show<T: Shown>(self, whole: T) -> T {
        match self {
            Sight::Table => whole,
            Sight::Stranger => whole.to_strangers(),
        }
    }
}

impl Shown for FromServer {
    fn to_strangers(self) -> FromServer {
        match self {
            FromServer::Snapshot { table, at, now } => {
                FromServer::Snapshot { table: Box::new(table.to_strangers()), at, now }
            }
            FromServer::Update(update) => FromServer::Update(update.to_strangers()),
            FromServer::Meter { meter } => FromServer::Meter { meter: meter.to_strangers() },
            // How much a seat may bet tells how much it has.
            FromServer::Offers { seat, seq, offers: _ } => {
                FromServer::Offers { seat, seq, offers: Vec::new() }
            }
            FromServer::IfItRolls { seat, seq, rolls: _, why_not } => {
                FromServer::IfItRolls { seat, seq, rolls: Vec::new(), why_not }
            }
            FromServer::Work { seq, lists: _ } => FromServer::Work { seq, lists: Vec::new() },
            FromServer::Limits { seq, limits: _ } => FromServer::Limits { seq, limits: None },
            FromServer::WorstRoll { seq, worst: _ } => FromServer::WorstRoll { seq, worst: None },
            FromServer::Cheer { .. }
            | FromServer::ShooterAway { .. }
            | FromServer::Resumed { .. }
            | FromServer::Ack { .. }
            | FromServer::Refused { .. }
            | FromServer::Problem { .. } => self,
        }
    }
}

impl Shown for TableView {
    fn to_strangers(self) -> TableView {
        let TableView {
            id,
            sight: _,
            seq,
            config,
            rules,
            wagers,
            cap,
            seats: _,
            hand,
            recent,
            meters,
            warnings,
        } = self;
        TableView {
            id,
            sight: Sight::Stranger,
            seq,
            config,
            rules,
            wagers,
            cap,
            seats: Vec::new(),
            hand: hand.to_strangers(),
            recent,
            meters: meters.into_iter().map(Shown::to_strangers).collect(),
            warnings,
        }
    }
}

impl Shown for HandView {
    fn to_strangers(self) -> HandView {
        let HandView {
            status,
            betting,
            phase,
            round,
            last_roll: _,
            tray: _,
            fill_needed: _,
            closes_at,
            puck,
            players,
            shooter,
            rolls,
            hand_rolls,
            commitment,
            trackers,
            claims,
            proposals: _,
            change_waits,
            configuration,
            dice_wait,
        } = self;
        HandView {
            status,
            betting,
            phase,
            round,
            last_roll: None,
            tray: None,
            fill_needed: None,
            closes_at,
            puck,
            players,
            shooter,
            rolls,
            hand_rolls,
            commitment,
            trackers: trackers.into_iter().map(Shown::to_strangers).collect(),
            claims: claims.into_iter().map(Shown::to_strangers).collect(),
            proposals: Vec::new(),
            change_waits,
            configuration,
            dice_wait,
        }
    }
}

impl Shown for TrackerView {
    fn to_strangers(self) -> TrackerView {
        let TrackerView { wager, marks, matched, progress, count, of, lammers, bets: _, riding } =
            self;
        TrackerView { wager, marks, matched, progress, count, of, lammers, bets: 0, riding }
    }
}

impl Shown for ClaimView {
    fn to_strangers(self) -> ClaimView {
        let ClaimView { claim, paytable, wager: _, amount: _, seats: _, checklist: _ } = self;
        let (seats, checklist) = (Vec::new(), Vec::new());
        ClaimView { claim, paytable, wager: None, amount: None, seats, checklist }
    }
}

impl Shown for MeterView {
    fn to_strangers(self) -> MeterView {
        let MeterView {
            meter,
            paytable,
            practice,
            amount,
            seed,
            increment,
            reserve,
            ceiling,
            set_aside: _,
            of_players: _,
            kept: _,
            terms_wait,
            closed,
            damaged,
            hits,
            proposals: _,
            withdrawn: _,
        } = self;
        MeterView {
            meter,
            paytable,
            practice,
            amount,
            seed,
            increment,
            reserve,
            ceiling,
            set_aside: None,
            of_players: None,
            kept: None,
            terms_wait,
            closed,
            damaged,
            hits,
            proposals: Vec::new(),
            withdrawn: Vec::new(),
        }
    }
}

impl Shown for Update {
    fn to_strangers(self) -> Update {
        let Update { seq, at, by: _, name: _, events, seats: _, hand } = self;
        Update {
            seq,
            at,
            by: None,
            name: None,
            events: events.into_iter().filter_map(happened).collect(),
            seats: Vec::new(),
            hand: hand.map(Shown::to_strangers),
        }
    }
}

/// What strangers hear of something that happened.
fn happened(event: Happened) -> Option<Happened> {
    Some(match event {
        Happened::Sat { .. }
        | Happened::Renamed { .. }
        | Happened::GivenUp { .. }
        | Happened::Left { .. }
        | Happened::BoughtIn { .. }
        | Happened::CashedOut { .. }
        | Happened::Filled { .. }
        | Happened::Credited { .. }
        | Happened::Put { .. }
        | Happened::Took { .. }
        | Happened::Called { .. }
        | Happened::Held { .. }
        | Happened::EnvyHeld { .. }
        | Happened::Checked { .. }
        | Happened::Confirmed { .. }
        | Happened::WorkDone { .. }
        | Happened::Linked { .. }
        | Happened::Identified { .. }
        | Happened::Released { .. }
        | Happened::ClaimDenied { .. }
        | Happened::Returned { .. }
        | Happened::Swept { .. }
        | Happened::Proposed { .. }
        | Happened::Withdrawn { .. }
        | Happened::Agreed { .. } => return None,
        Happened::Rolled(rolled) => Happened::Rolled(rolled.to_strangers()),
        Happened::Voided { dice, reason: _, undone: _ } => {
            Happened::Voided { dice, reason: None, undone: Vec::new() }
        }
        Happened::Corrected { was, reason: _, undone: _, rolled } => {
            let (undone, rolled) = (Vec::new(), rolled.to_strangers());
            Happened::Corrected { was, reason: None, undone, rolled }
        }
        Happened::Mended { of, number, keyed, what, reason: _, moves: _ } => {
            Happened::Mended { of, number, keyed, what, reason: None, moves: Vec::new() }
        }
        // The meter has shown what it comes to; whose it is it has not.
        Happened::ClaimPaid { claim, amount, shares: _ } => {
            Happened::ClaimPaid { claim, amount, shares: Vec::new() }
        }
        Happened::BettingClosed
        | Happened::NoRoll
        | Happened::DicePassed { .. }
        | Happened::PayingBegun
        | Happened::BettingOpened
        | Happened::Configured { .. }
        | Happened::Paused
        | Happened::Resumed
        | Happened::Closed
        | Happened::Committed { .. }
        | Happened::ChangeQueued => event,
    })
}

impl Shown for RolledView {
    fn to_strangers(self) -> RolledView {
        let RolledView {
            dice,
            total,
            number,
            shooter,
            call,
            point,
            lines: _,
            envy: _,
            claims,
            thrown,
        } = self;
        let unnamed = |(claim, paytable, _): (u64, String, Vec<u8>)| (claim, paytable, Vec::new());
        RolledView {
            dice,
            total,
            number,
            shooter,
            call,
            point,
            lines: Vec::new(),
            envy: None,
            claims: claims.into_iter().map(unnamed).collect(),
            thrown,
        }
    }
}

impl Shown for PastHand {
    fn to_strangers(self) -> PastHand {
        let PastHand {
            hand,
            shooter,
            name: _,
            from,
            to,
            started_at,
            ended_at,
            end,
            open,
            rolls,
            net: _,
            jackpots,
            voided,
            corrected,
            mended,
        } = self;
        PastHand {
            hand,
            shooter,
            name: None,
            from,
            to,
            started_at,
            ended_at,
            end,
            open,
            rolls,
            net: None,
            jackpots,
            voided,
            corrected,
            mended,
        }
    }
}

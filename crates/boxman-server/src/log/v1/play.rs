//! What happens at a table: commands, events, and what they are made of.

use craps::{Hand as CrapsHand, Layout};

use crate::hash::Hash;
use crate::log::stored::{Stored, Wrong, stored};

stored! {
    enum Command = craps::Command {
        Sit { seat: u8, name: String },
        Leave { seat: u8; kind: CashOutKind },
        Rename { seat: u8, name: String },
        BuyIn { seat: u8, amount: i64; kind: BuyInKind },
        CashOut { seat: u8, amount: i64; kind: CashOutKind },
        Fill { amount: i64 },
        Credit { amount: i64 },
        Put { seat: u8, wager: String, amount: i64 },
        Take { seat: u8, wager: String; amount: Option<i64> },
        Call { seat: u8, wager: String, call: OnOff },
        CloseBetting,
        Roll { roll: String },
        NoRoll,
        PassDice,
        Void { reason: String },
        Correct { roll: String, reason: String },
        PayClaim { claim: u64, shares: Vec<(u8, i64)>, from_house: i64 },
        Hold { seat: u8, wager: String, amount: i64 },
        HoldEnvy { claims: Vec<u64>, amount: i64 },
        Release { claim: u64 },
        DenyClaim { claim: u64, reason: String },
        Return { seat: u8, wager: String, reason: String },
        Mend(mending: Box<Mending>),
        BeginPaying,
        OpenBetting,
        Configure,
        Pause,
        Resume,
        Close,
    }

    enum Event = craps::Event {
        Sat { seat: u8, name: String },
        Left { seat: u8; kind: CashOutKind, postings: Vec<(String, i64)> },
        Renamed { seat: u8, name: String },
        BoughtIn { seat: u8, postings: Vec<(String, i64)>; kind: BuyInKind },
        CashedOut { seat: u8, postings: Vec<(String, i64)>; kind: CashOutKind },
        Filled { postings: Vec<(String, i64)> },
        Credited { postings: Vec<(String, i64)> },
        Put(betting: Betting),
        Took(betting: Betting),
        Called(betting: Betting),
        BettingClosed,
        Rolled(rolled: Box<Rolled>),
        NoRoll,
        DicePassed { to: u8 },
        Swept(swept: Box<Swept>),
        Voided(voided: Box<Voided>),
        Corrected { voided: Box<Voided>, rolled: Box<Rolled> },
        ClaimPaid { claim: u64, shares: Vec<(u8, i64)>, postings: Vec<(String, i64)> },
        Held { award: HeldAward, postings: Vec<(String, i64)> },
        EnvyHeld { envy: HeldEnvy, postings: Vec<(String, i64)> },
        Released { award: HeldAward, postings: Vec<(String, i64)> },
        ClaimDenied {
            claim: u64,
            spot: u8,
            seats: Vec<u8>,
            reason: String;
            envy: i64,
            postings: Vec<(String, i64)>
        },
        Returned { betting: Betting, reason: String },
        Mended(mended: Box<Mended>),
        PayingBegun,
        BettingOpened,
        Configured { rules: Hash },
        Paused,
        Resumed,
        Closed,
    }

    struct Mending = craps::table::Mending {
        of: u64,
        number: u64,
        keyed: String,
        what: String,
        reason: String;
        moves: Vec<MendMove>,
        last: bool
    }

    enum MendMove = craps::table::MendMove {
        Rack { seat: u8, amount: i64 },
        Felt { seat: u8, wager: String, amount: i64; lost: i64 },
        Cage { name: String, amount: i64 },
        Walked { name: String, amount: i64 },
        Dealers { amount: i64 },
    }

    struct Mended = craps::table::Mended {
        mending: Mending;
        down: Option<Box<CameDown>>,
        postings: Vec<(String, i64)>
    }

    struct CameDown = craps::table::CameDown {
        bets: Vec<(u8, Bet)>;
        hand: Hand,
        before: Option<Hand>
    }

    struct Betting = craps::table::Betting {
        seat: u8,
        spot: u8;
        bets: Vec<Bet>,
        hand: Hand,
        postings: Vec<(String, i64)>,
        fed: Option<Fed>
    }

    struct Fed = craps::table::Fed {
        meter: String,
        stake: i64;
        increment: i128,
        reserve: i128,
        carry: i128
    }

    struct Rolled = craps::table::Rolled {
        roll: String,
        shooter: u8,
        number: u64,
        rules: Hash,
        dice: Dice;
        puck: u8,
        hand: Hand,
        settlement: Settlement,
        cap_used: i64,
        claims: Vec<Claim>
    }

    struct Swept = craps::table::Swept { ; hand: Hand, settlement: Settlement }

    struct Voided = craps::table::Voided {
        reason: String,
        roll: String;
        postings: Vec<(String, i64)>,
        claims: Vec<Claim>,
        undone: Vec<Undone>
    }

    struct Undone = craps::table::Undone {
        seat: u8,
        spot: u8;
        postings: Vec<(String, i64)>,
        fed: Option<Fed>
    }

    #[derive(Default)]
    enum BuyInKind = craps::BuyInKind { #[default] Cash, Marker, Coupon, Chips }

    #[derive(Default)]
    enum CashOutKind = craps::CashOutKind { #[default] Walk, Jackpot, Redeem, Toke, LeftBehind }

    #[derive(Default)]
    struct Settlement = craps::settle::Settlement {
        ;
        lines: Vec<Settled>,
        envies: Vec<(u16, i64)>,
        claims: Vec<Winner>,
        capped: i64,
        memo: Option<(i64, i64)>,
        postings: Vec<(String, i64)>
    }

    struct Settled = craps::settle::Settled {
        seat: u8,
        bet: Bet,
        fate: Fate;
        won: i64,
        broken: i64,
        withheld: i64,
        charged: i64,
        left: Option<Bet>
    }

    enum Fate = craps::Fate {
        Stand,
        Win { award: u16; stays: bool },
        Lose,
        Push,
        Return,
        Travel(spot: u8),
    }

    struct Winner = craps::settle::Winner { meter: u8, seat: u8, units: u32 }

    struct Bet = craps::Bet { spot: u8, stake: i64; call: OnOff, vig: i64 }

    #[derive(Default)]
    enum OnOff = craps::OnOff { #[default] House, On, Off }

    enum Dice = craps::table::Dice { Offered(seat: u8), Held(seat: u8) }

    struct Claim = craps::table::Claim { id: u64, meter: String, winners: Vec<(u8, u32)> }

    struct HeldEnvy = craps::table::HeldEnvy { claims: Vec<u64>, amount: i64 }

    struct HeldAward = craps::table::HeldAward { id: u64, seat: u8, spot: u8, amount: i64 }

    #[derive(Default)]
    struct Tracker = craps::tracker::Laid {
        ;
        marks: Vec<u8>,
        run: Run,
        places: Vec<u8>,
        counts: Vec<u8>,
        count: u32,
        bets: u8,
        riding: Riding,
        done: bool
    }

    #[derive(Default)]
    struct Run = craps::tracker::Run { ; sequence: u8, matched: u8, others: Vec<u8> }

    #[derive(Default)]
    enum Riding = craps::tracker::Riding { #[default] Idle, Fresh, Standing }

    #[derive(Default)]
    enum Begun = craps::Begun { #[default] No, ByAnother, Yes }

    #[derive(Default)]
    struct Hand = Trackers { ; puck: u8, seen: Vec<u8>, begun: Begun, trackers: Vec<Tracker> }
}

/// A tracker as what lies on its board.
impl Stored<craps::tracker::Tracker> for Tracker {
    fn keep(tracker: &craps::tracker::Tracker) -> Tracker {
        Stored::keep(&tracker.laid())
    }

    fn recall(self) -> Result<craps::tracker::Tracker, Wrong> {
        let laid: craps::tracker::Laid = self.recall()?;
        let tracker = craps::tracker::Tracker::from_laid(&laid);
        tracker.ok_or_else(|| Wrong("no tracker has lammers like that".into()))
    }
}

/// A hand with only the trackers in use.
pub(in crate::log) struct Trackers {
    puck: craps::Puck,
    seen: craps::dice::Totals,
    begun: craps::Begun,
    trackers: Vec<craps::tracker::Tracker>,
}

impl Stored<CrapsHand> for Hand {
    fn keep(hand: &CrapsHand) -> Hand {
        let CrapsHand { puck, seen, begun, trackers } = *hand;
        let idle = craps::tracker::Tracker::default();
        let used = trackers.iter().rposition(|tracker| *tracker != idle).map_or(0, |last| last + 1);
        Stored::keep(&Trackers { puck, seen, begun, trackers: trackers[..used].to_vec() })
    }

    fn recall(self) -> Result<CrapsHand, Wrong> {
        let Trackers { puck, seen, begun, trackers } = self.recall()?;
        let mut hand = CrapsHand { puck, seen, begun, ..CrapsHand::default() };
        let room = hand.trackers.get_mut(..trackers.len());
        room.ok_or_else(|| Wrong("a hand has fewer trackers".into()))?.copy_from_slice(&trackers);
        Ok(hand)
    }
}

/// Bets in the order of their spots.
impl Stored<Layout> for Vec<Bet> {
    fn keep(layout: &Layout) -> Vec<Bet> {
        layout.bets().iter().map(Bet::keep).collect()
    }

    fn recall(self) -> Result<Layout, Wrong> {
        let mut layout = Layout::default();
        for bet in self {
            layout.set(bet.recall()?);
        }
        Ok(layout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use craps::{Cents, Library, Roll, Rules, State};

    /// Whatever lies on the boards, a hand is read as it was written.
    #[test]
    fn hands_with_every_side_bet_come_back() {
        let library = Library::embedded();
        let names: Vec<&str> = library.rulebooks()[4..]
            .iter()
            .filter(|book| book.kind == craps::rulebook::Kind::Side)
            .map(|book| book.name.as_str())
            .collect();
        let names: Vec<&str> = ["presque-isle:none"].into_iter().chain(names).collect();
        let rules = Rules::named(&library, &names).unwrap_or_else(|faults| panic!("{faults}"));
        let spots: Vec<craps::Spot> = rules.tracked().collect();
        let mut state = State::default();
        let mut dice = 1usize;
        let mut written = String::new();
        for _ in 0..2_000 {
            for spot in &spots {
                if state.layout.bet(*spot).is_none() {
                    state.put(&rules, *spot, Cents::dollars(1));
                }
            }
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state.roll(&rules, Roll::from_index(dice >> 33));
            let text = serde_json::to_string(&Hand::keep(&state.hand)).unwrap();
            let read: Hand = serde_json::from_str(&text).unwrap();
            assert_eq!(Stored::<CrapsHand>::recall(read), Ok(state.hand), "{text}");
            written += &text;
        }
        for field in ["marks", "run", "matched", "places", "counts", "count", "begun"] {
            assert!(written.contains(&format!("\"{field}\":")), "{field} was never written");
        }
    }

    /// Lists that start alike are followed together, and that is written too.
    #[test]
    fn a_run_along_several_lists_comes_back() {
        let text = r#"{"marks":[6],"run":{"matched":1,"others":[2]},"bets":1,"riding":"standing"}"#;
        let read: Tracker = serde_json::from_str(text).unwrap();
        let tracker: craps::tracker::Tracker = read.recall().unwrap();
        assert_eq!(tracker.laid().run.others, [2]);
        assert_eq!(serde_json::to_string(&Tracker::keep(&tracker)).unwrap(), text);
    }

    #[test]
    fn lammers_that_no_tracker_has_are_wrong() {
        let read: Tracker = serde_json::from_str(r#"{"counts":[9]}"#).unwrap();
        let wrong = Stored::<craps::tracker::Tracker>::recall(read);
        assert_eq!(wrong, Err(Wrong("no tracker has lammers like that".into())));
    }
}

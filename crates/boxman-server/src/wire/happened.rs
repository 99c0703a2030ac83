//! What happened, as it is broadcast: the story for people, and the parts that changed.

use craps::settle::Settled;
use craps::table::{Betting, HeldAward, Mending, Rolled, Voided};
use craps::wager::Due;
use craps::{Account, BuyInKind, CashOutKind, Cents, Event, Fate, Postings, Rules, Seat};
use serde::Serialize;
use ts_rs::TS;
use utoipa::ToSchema;

use super::mended::{MendMoveView, mend_move_view};
use super::view::{HandView, SeatView};
use crate::ask::{BuyInWord, CashOutWord};
use crate::line::Line;
use crate::log::{Entry, TableEntry, Thrown};
use crate::payout::{CheckItem, PaidBy, Payout};
use crate::table::LiveTable;

/// One record, as it is broadcast.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct Update {
    /// Its number: the next update has the next.
    #[ts(type = "number")]
    pub seq: u64,
    /// When, in milliseconds since 1970.
    #[ts(type = "number")]
    pub at: u64,
    /// Who asked, as in `GET /api/me`; the house itself is `boxman`; none for strangers.
    pub by: Option<String>,
    /// Their name at tables, where no seat of theirs tells it; none for strangers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    /// What happened.
    pub events: Vec<Happened>,
    /// The seats that changed, as they are now; none for strangers.
    pub seats: Vec<SeatView>,
    /// What everybody shares, as it is now, where it changed.
    pub hand: Option<HandView>,
}

/// Something that happened at a table. Amounts are cents. Strangers hear of the dice and of what
/// is everybody's, without reasons and shares.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case", tag = "event")]
#[expect(missing_docs, reason = "the fields say what they are")]
pub enum Happened {
    /// A player took a seat.
    Sat { seat: u8, name: String },
    /// A player goes by another name.
    Renamed { seat: u8, name: String },
    /// A seat is given up: what its player had on the layout comes down or is handed back, as far
    /// as the events that follow say.
    GivenUp { seat: u8, reason: String },
    /// A player left with this much.
    Left {
        seat: u8,
        amount: i64,
        #[ts(as = "CashOutWord")]
        #[schema(value_type = CashOutWord)]
        kind: CashOutKind,
    },
    /// A player bought in.
    BoughtIn {
        seat: u8,
        amount: i64,
        #[ts(as = "BuyInWord")]
        #[schema(value_type = BuyInWord)]
        kind: BuyInKind,
    },
    /// A player cashed out.
    CashedOut {
        seat: u8,
        amount: i64,
        #[ts(as = "CashOutWord")]
        #[schema(value_type = CashOutWord)]
        kind: CashOutKind,
    },
    /// Chips were brought to the table.
    Filled { amount: i64 },
    /// Chips were taken from it.
    Credited { amount: i64 },
    /// A player put chips down.
    Put { seat: u8, wager: String, amount: i64 },
    /// A player took chips up.
    Took { seat: u8, wager: String, amount: i64 },
    /// A player called a bet on or off.
    Called { seat: u8, wager: String, call: String },
    /// No more bets.
    BettingClosed,
    /// The dice were thrown.
    Rolled(RolledView),
    /// The throw did not count.
    NoRoll,
    /// The dice go on.
    DicePassed { to: u8 },
    /// Side bets came down because the dice went on before the seven-out; none for strangers.
    Swept { lines: Vec<SettledView> },
    /// The last roll does not count, and bets made since are undone; none of those for strangers.
    Voided { dice: String, reason: Option<String>, undone: Vec<UndoneView> },
    /// The last roll was misread; this is what it was. Bets made since are undone.
    Corrected { was: String, reason: Option<String>, undone: Vec<UndoneView>, rolled: RolledView },
    /// A jackpot was paid: in all, and to each winner.
    ClaimPaid { claim: u64, amount: i64, shares: Vec<(u8, i64)> },
    /// Winnings wait to be confirmed.
    Held { claim: u64, seat: u8, wager: String, amount: i64 },
    /// What the dealers are paid waits with the awards it is paid for.
    EnvyHeld { claims: Vec<u64>, amount: i64 },
    /// They were confirmed.
    Released { claim: u64, seat: u8, wager: String, amount: i64 },
    /// A claim was denied: winnings held, which the house has again, or a jackpot. Shares are what
    /// each seat got back.
    ClaimDenied { claim: u64, wager: String, amount: i64, shares: Vec<(u8, i64)>, reason: String },
    /// A bet was handed back to its player.
    Returned { seat: u8, wager: String, amount: i64, reason: String },
    /// An earlier roll was mended: its record and number, the dice as they were keyed, what was
    /// wrong, and what moved; why, and what moved, not for strangers.
    Mended {
        of: u64,
        number: u64,
        keyed: String,
        what: String,
        reason: Option<String>,
        moves: Vec<MendMoveView>,
    },
    /// The crew pays the last roll; no bets are taken.
    PayingBegun,
    /// The last roll was paid, and bets are taken again.
    BettingOpened,
    /// The crew has checked one thing before it pays what was won.
    Checked { claim: u64, item: CheckItem },
    /// What was won is confirmed: who pays it, against which slip and form, and what the meter
    /// showed when a jackpot was won.
    Confirmed {
        claim: u64,
        paid_by: PaidBy,
        slip: Option<String>,
        form: Option<String>,
        shown: Option<i64>,
    },
    /// The crew has moved the chips of a work list.
    WorkDone { list: u64 },
    /// The crew said who the player is that sat down by this record, or took that back.
    Linked { sitting: u64, name: String, person: Option<String> },
    /// The crew took that player's identity, or took that back.
    Identified { sitting: u64, name: String, taken: bool },
    /// The table went over to other rules: ask for the table anew.
    Configured { rules: String },
    /// The table waits.
    Paused,
    /// It plays on.
    Resumed,
    /// It closed for good.
    Closed,
    /// The house committed to the next roll.
    Committed { commitment: String },
    /// Somebody asked for something that takes two people.
    Proposed { proposal: u64, what: String, lines: Vec<Line>, reason: String },
    /// It was withdrawn, or lapsed. The reason is there where another person withdrew it.
    Withdrawn {
        proposal: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        reason: Option<String>,
    },
    /// The other person agreed.
    Agreed { proposal: u64 },
    /// Another configuration waits for a come-out with nothing on the layout.
    ChangeQueued,
}

/// A bet made after a roll and undone with it.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct UndoneView {
    /// Whose.
    pub seat: u8,
    /// Where.
    pub wager: String,
    /// The chips that go back to the rack; less than zero where they go back on the felt.
    pub amount: i64,
}

/// A roll.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct RolledView {
    /// The dice: `3-4`.
    pub dice: String,
    /// Their total.
    pub total: u8,
    /// Which roll of the table it was.
    #[ts(type = "number")]
    pub number: u64,
    /// Who threw them.
    pub shooter: u8,
    /// What the stick calls.
    pub call: String,
    /// The point before; none for a come-out.
    pub point: Option<u8>,
    /// Every bet that did not simply stand, by seat and then by spot; none for strangers.
    pub lines: Vec<SettledView>,
    /// What the dealers were paid; not for strangers.
    pub envy: Option<i64>,
    /// Jackpots won: claim, paytable, seats; no seats for strangers.
    pub claims: Vec<(u64, String, Vec<u8>)>,
    /// How the house threw the dice, to be checked against its commitment.
    pub thrown: Option<ThrownView>,
}

/// How the house threw the dice.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct ThrownView {
    /// The secret it had committed to.
    pub secret: String,
    /// The shooter's part.
    pub shooter_bytes: String,
}

/// What became of one bet.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct SettledView {
    /// Whose.
    pub seat: u8,
    /// Where it stood.
    pub wager: String,
    /// How much it was.
    pub stake: i64,
    /// `win`, `lose`, `push`, `return` or `travel`.
    pub fate: String,
    /// Winnings, before commission.
    pub won: i64,
    /// Winnings that the posted aggregate cap has kept from it.
    pub withheld: i64,
    /// Commission taken out of them.
    pub commission: i64,
    /// Commission paid in advance that this decision has used up.
    pub vig: i64,
    /// What goes to the player's rack.
    pub to_rack: i64,
    /// Where what is left of it stands now.
    pub left: Option<String>,
}

impl Update {
    /// A record that `state` has just taken in. `hand` is what everybody shared before, and is
    /// brought up to date.
    pub fn of(
        state: &LiveTable,
        seq: u64,
        entry: &Entry<TableEntry>,
        hand: &mut HandView,
    ) -> Update {
        let events = happened(state, seq, entry);
        let mut seats: Vec<Seat> = Vec::new();
        for event in entry.what.steps().iter().flat_map(|step| &step.events) {
            touched(state, event, &mut seats);
        }
        seats.sort();
        seats.dedup();
        let now = HandView::of(state);
        let changed = now != *hand;
        if changed {
            hand.clone_from(&now);
        }
        Update {
            seq,
            at: entry.at,
            by: Some(entry.by.clone()),
            name: entry.name.clone(),
            events,
            seats: seats.into_iter().map(|seat| SeatView::of(state, seat)).collect(),
            hand: changed.then_some(now),
        }
    }
}

/// The seats an event changes.
fn touched(state: &LiveTable, event: &Event, seats: &mut Vec<Seat>) {
    let mut everybody = || seats.extend(state.table.players().map(|(seat, _)| seat));
    let postings = match event {
        Event::Sat { seat, .. } | Event::Renamed { seat, .. } | Event::Left { seat, .. } => {
            return seats.push(*seat);
        }
        Event::Put(betting)
        | Event::Took(betting)
        | Event::Called(betting)
        | Event::Returned { betting, .. } => return seats.push(betting.seat),
        Event::ClaimDenied { seats: denied, .. } => return seats.extend(denied),
        // A puck that turns has bets work or rest, everybody's.
        Event::Rolled(rolled) if rolled.puck.is_off() != rolled.hand.puck.is_off() => {
            return everybody();
        }
        Event::Rolled(rolled) => {
            seats.extend(rolled.settlement.lines.iter().map(|line| line.seat));
            &rolled.settlement.postings
        }
        Event::Swept(swept) => &swept.settlement.postings,
        Event::Mended(mended) => &mended.postings,
        Event::Voided(_) | Event::Corrected { .. } | Event::Configured { .. } => {
            return everybody();
        }
        Event::BoughtIn { postings, .. }
        | Event::CashedOut { postings, .. }
        | Event::ClaimPaid { postings, .. }
        | Event::Held { postings, .. }
        | Event::Released { postings, .. } => postings,
        Event::EnvyHeld { .. }
        | Event::PayingBegun
        | Event::BettingOpened
        | Event::Filled { .. }
        | Event::Credited { .. }
        | Event::BettingClosed
        | Event::NoRoll
        | Event::DicePassed { .. }
        | Event::Paused
        | Event::Resumed
        | Event::Closed => return,
    };
    for posting in postings.iter() {
        if let Account::Rack(seat) | Account::Action(seat) = posting.account {
            seats.push(seat);
        }
    }
}

fn happened(state: &LiveTable, seq: u64, entry: &Entry<TableEntry>) -> Vec<Happened> {
    let rules = state.rules();
    let mut all = Vec::new();
    let thrown = match &entry.what {
        TableEntry::Played { thrown, .. } => thrown.as_ref(),
        TableEntry::Committed { commitment } => {
            all.push(Happened::Committed { commitment: commitment.to_string() });
            None
        }
        TableEntry::Proposed { proposal, lines, .. } => {
            let (what, reason) = proposal.in_words();
            let (lines, reason) = (lines.clone(), reason.to_owned());
            all.push(Happened::Proposed { proposal: seq, what, lines, reason });
            None
        }
        TableEntry::Withdrawn { proposal, reason, .. } => {
            let (proposal, reason) = (*proposal, reason.clone());
            all.push(Happened::Withdrawn { proposal, reason });
            None
        }
        TableEntry::Agreed { proposal, queued, .. } => {
            all.push(Happened::Agreed { proposal: *proposal });
            all.extend(queued.as_ref().map(|_| Happened::ChangeQueued));
            None
        }
        TableEntry::Queued { .. } => {
            all.push(Happened::ChangeQueued);
            None
        }
        TableEntry::GivenUp { seat, reason, .. } => {
            all.push(Happened::GivenUp { seat: seat.0, reason: reason.clone() });
            None
        }
        TableEntry::Checked { claim, item } => {
            all.push(Happened::Checked { claim: *claim, item: *item });
            None
        }
        TableEntry::Confirmed { claim, payout, .. } => {
            let Payout { paid_by, slip, form, shown } = payout.clone();
            let (claim, shown) = (*claim, shown.map(|shown| shown.0));
            all.push(Happened::Confirmed { claim, paid_by, slip, form, shown });
            None
        }
        TableEntry::Done { list } => {
            all.push(Happened::WorkDone { list: *list });
            None
        }
        TableEntry::Linked { sitting, person } => {
            let name = state.name_of(*sitting).unwrap_or_default();
            all.push(Happened::Linked { sitting: *sitting, name, person: person.clone() });
            None
        }
        TableEntry::Identified { sitting, taken } => {
            let name = state.name_of(*sitting).unwrap_or_default();
            all.push(Happened::Identified { sitting: *sitting, name, taken: *taken });
            None
        }
        TableEntry::Opened { .. } => None,
    };
    let events = entry.what.steps().iter().flat_map(|step| &step.events);
    all.extend(events.map(|event| event_view(rules, event, thrown)));
    all
}

fn event_view(rules: &Rules, event: &Event, thrown: Option<&Thrown>) -> Happened {
    let gain = |postings: &Postings, account| postings.gain(account).0;
    match event {
        Event::Sat { seat, name } => Happened::Sat { seat: seat.0, name: name.clone() },
        Event::Renamed { seat, name } => Happened::Renamed { seat: seat.0, name: name.clone() },
        Event::Left { seat, kind, postings } => {
            Happened::Left { seat: seat.0, amount: gain(postings, Account::Cage), kind: *kind }
        }
        Event::BoughtIn { seat, kind, postings } => {
            let amount = gain(postings, Account::Rack(*seat));
            Happened::BoughtIn { seat: seat.0, amount, kind: *kind }
        }
        Event::CashedOut { seat, kind, postings } => {
            Happened::CashedOut { seat: seat.0, amount: gain(postings, Account::Cage), kind: *kind }
        }
        Event::Filled { postings } => Happened::Filled { amount: gain(postings, Account::Bank) },
        Event::Credited { postings } => {
            Happened::Credited { amount: gain(postings, Account::Cage) }
        }
        Event::Put(betting) => {
            let (seat, wager, amount) = moved(rules, betting);
            Happened::Put { seat, wager, amount }
        }
        Event::Took(betting) => {
            let (seat, wager, amount) = moved(rules, betting);
            Happened::Took { seat, wager, amount: -amount }
        }
        Event::Called(betting) => {
            let (seat, wager, _) = moved(rules, betting);
            let call = betting.bets.first().map(|bet| bet.call).unwrap_or_default();
            Happened::Called { seat, wager, call: call.word().to_owned() }
        }
        Event::BettingClosed => Happened::BettingClosed,
        Event::Rolled(rolled) => Happened::Rolled(rolled_view(rules, rolled, thrown)),
        Event::NoRoll => Happened::NoRoll,
        Event::DicePassed { to } => Happened::DicePassed { to: to.0 },
        Event::Swept(swept) => {
            let lines = swept.settlement.lines.iter().map(|line| line_view(rules, line));
            Happened::Swept { lines: lines.collect() }
        }
        Event::Voided(voided) => {
            let (dice, reason, undone) = undone(rules, voided);
            Happened::Voided { dice, reason: Some(reason), undone }
        }
        Event::Corrected { voided, rolled } => {
            let (was, reason, undone) = undone(rules, voided);
            let rolled = rolled_view(rules, rolled, None);
            Happened::Corrected { was, reason: Some(reason), undone, rolled }
        }
        Event::ClaimPaid { claim, shares, .. } => Happened::ClaimPaid {
            claim: claim.0,
            amount: shares.iter().map(|(_, share)| *share).sum::<Cents>().0,
            shares: shares.iter().map(|(seat, share)| (seat.0, share.0)).collect(),
        },
        Event::Held { award, .. } => {
            let (claim, seat, wager, amount) = award_view(rules, award);
            Happened::Held { claim, seat, wager, amount }
        }
        Event::EnvyHeld { envy, .. } => Happened::EnvyHeld {
            claims: envy.claims.iter().map(|claim| claim.0).collect(),
            amount: envy.amount.0,
        },
        Event::Released { award, .. } => {
            let (claim, seat, wager, amount) = award_view(rules, award);
            Happened::Released { claim, seat, wager, amount }
        }
        Event::ClaimDenied { claim, spot, seats, reason, envy, postings } => {
            Happened::ClaimDenied {
                claim: claim.0,
                wager: rules.spot_rule(*spot).notation.clone(),
                amount: -gain(postings, Account::Held) - envy.0,
                shares: seats
                    .iter()
                    .map(|seat| (seat.0, gain(postings, Account::Rack(*seat))))
                    .collect(),
                reason: reason.clone(),
            }
        }
        Event::Returned { betting, reason } => {
            let (seat, wager, amount) = moved(rules, betting);
            Happened::Returned { seat, wager, amount: -amount, reason: reason.clone() }
        }
        Event::Mended(mended) => {
            let Mending { of, number, keyed, what, reason, moves, .. } = &mended.mending;
            Happened::Mended {
                of: *of,
                number: *number,
                keyed: keyed.to_string(),
                what: what.clone(),
                reason: Some(reason.clone()),
                moves: moves.iter().map(mend_move_view).collect(),
            }
        }
        Event::PayingBegun => Happened::PayingBegun,
        Event::BettingOpened => Happened::BettingOpened,
        Event::Configured { rules } => {
            Happened::Configured { rules: crate::hash::Hash(*rules).to_string() }
        }
        Event::Paused => Happened::Paused,
        Event::Resumed => Happened::Resumed,
        Event::Closed => Happened::Closed,
    }
}

fn moved(rules: &Rules, betting: &Betting) -> (u8, String, i64) {
    let wager = rules.spot_rule(betting.spot).notation.clone();
    (betting.seat.0, wager, betting.postings.gain(Account::Action(betting.seat)).0)
}

fn award_view(rules: &Rules, award: &HeldAward) -> (u64, u8, String, i64) {
    let wager = rules.spot_rule(award.spot).notation.clone();
    (award.id.0, award.seat.0, wager, award.amount.0)
}

fn undone(rules: &Rules, voided: &Voided) -> (String, String, Vec<UndoneView>) {
    let undone = |undone: &craps::table::Undone| UndoneView {
        seat: undone.seat.0,
        wager: rules.spot_rule(undone.spot).notation.clone(),
        amount: undone.postings.gain(Account::Rack(undone.seat)).0,
    };
    let bets = voided.undone.iter().map(undone).collect();
    (voided.roll.to_string(), voided.reason.clone(), bets)
}

fn rolled_view(rules: &Rules, rolled: &Rolled, thrown: Option<&Thrown>) -> RolledView {
    let settlement = &rolled.settlement;
    let claim = |claim: &craps::table::Claim| {
        let seats = claim.winners.iter().map(|(seat, _)| seat.0).collect();
        (claim.id.0, claim.meter.clone(), seats)
    };
    RolledView {
        dice: rolled.roll.to_string(),
        total: rolled.roll.total().number(),
        number: rolled.number,
        shooter: rolled.shooter.0,
        call: craps::call::stick_call(rolled.puck, rolled.roll, rules.points),
        point: rolled.puck.point().map(craps::Total::number),
        lines: settlement.lines.iter().map(|line| line_view(rules, line)).collect(),
        envy: Some(settlement.envies.iter().map(|(_, amount)| *amount).sum::<Cents>().0),
        claims: rolled.claims.iter().map(claim).collect(),
        thrown: thrown.map(|thrown| ThrownView {
            secret: thrown.secret.clone(),
            shooter_bytes: thrown.shooter.to_string(),
        }),
    }
}

pub(super) fn line_view(rules: &Rules, line: &Settled) -> SettledView {
    let fate = match line.fate {
        Fate::Win { award, .. } if rules.award(award).due == Due::Push => "push",
        Fate::Win { .. } => "win",
        Fate::Lose => "lose",
        Fate::Push => "push",
        Fate::Return => "return",
        Fate::Travel(_) => "travel",
        Fate::Stand => "stand",
    };
    SettledView {
        seat: line.seat.0,
        wager: rules.spot_rule(line.bet.spot).notation.clone(),
        stake: line.bet.stake.0,
        fate: fate.to_owned(),
        won: line.won.0,
        withheld: line.withheld.0,
        commission: line.charged.0,
        vig: used_up(line).0,
        to_rack: line.to_rack().0,
        left: line.left.map(|bet| rules.spot_rule(bet.spot).notation.clone()),
    }
}

/// What of the commission paid in advance is gone: all that a bet cost beyond its result.
fn used_up(line: &Settled) -> Cents {
    let result = match line.fate {
        Fate::Win { .. } => line.won - line.charged,
        Fate::Lose => -line.bet.stake,
        _ => Cents::ZERO,
    };
    result - line.net()
}

//! What a command does, or why it may not.

use super::mend::mended;
use super::sweep::swept;
use super::void::{correct, voided};
use super::{
    Betting, BuyInKind, CashOutKind, Claim, ClaimId, Command, CreditLimit, Dealing, Dice, Event,
    Fed, HeldAward, Phase, Rolled, Shooter, Status, Table, claim,
};
use crate::account::{Account, Postings, Seat};
use crate::action::{Action, Change, act, give_back};
use crate::dice::Roll;
use crate::layout::Layout;
use crate::money::{Cents, MicroCents};
use crate::notation;
use crate::notation::NoSuchSpot;
use crate::puck::Puck;
use crate::refusal::Refusal;
use crate::rules::{MeterPlace, Rules};
use crate::settle::Settlement;
use crate::spot::Spot;
use crate::state::throw;
use crate::table::Player;
use crate::window::has_line_bet;

pub(super) type Decision = Result<Vec<Event>, Refusal>;

pub(super) fn decide(
    table: &Table,
    rules: &Rules,
    command: &Command,
    dealing: Dealing,
) -> Decision {
    let may = dealing.shooter;
    let configuring = matches!(command, Command::Configure);
    assert!(configuring || rules.hash == table.parts.rules, "decided under the wrong rules");
    check_status(table, command)?;
    match command {
        Command::Sit { seat, name } => sit(table, *seat, name),
        Command::Leave { seat, kind } => leave(table, rules, *seat, *kind),
        Command::Rename { seat, name } => rename(table, *seat, name),
        Command::BuyIn { seat, amount, kind } => buy_in(table, *seat, *amount, *kind),
        Command::CashOut { seat, amount, kind } => cash_out(table, *seat, *amount, *kind),
        Command::Fill { amount } => fill(*amount),
        Command::Credit { amount } => credit(table, *amount, dealing.credit),
        Command::Put { seat, wager, amount } => {
            let amount = *amount;
            bet(table, rules, *seat, wager, |spot| Action::Put { spot, amount })
        }
        Command::Take { seat, wager, amount } => {
            let amount = *amount;
            bet(table, rules, *seat, wager, |spot| Action::Take { spot, amount })
        }
        Command::Call { seat, wager, call } => {
            let call = *call;
            bet(table, rules, *seat, wager, |spot| Action::Call { spot, call })
        }
        Command::CloseBetting => shooter(table, rules, may).map(|_| vec![Event::BettingClosed]),
        Command::Roll { roll } => {
            Ok(vec![Event::Rolled(Box::new(rolled(table, rules, *roll, may)?))])
        }
        Command::NoRoll => Ok(vec![Event::NoRoll]),
        Command::PassDice => pass_dice(table, rules),
        Command::Void { reason } => {
            Ok(vec![Event::Voided(Box::new(voided(table, rules, reason)?))])
        }
        Command::Correct { roll, reason } => correct(table, rules, *roll, reason, may),
        Command::PayClaim { claim, shares, from_house } => {
            claim::pay(table, *claim, shares, *from_house)
        }
        Command::Hold { seat, wager, amount } => claim::hold(table, rules, *seat, wager, *amount),
        Command::HoldEnvy { claims, amount } => claim::hold_envy(table, claims, *amount),
        Command::Release { claim } => claim::release(table, *claim),
        Command::DenyClaim { claim, reason } => claim::deny(table, rules, *claim, reason),
        Command::Return { seat, wager, reason } => hand_back(table, rules, *seat, wager, reason),
        Command::Mend(mending) => Ok(vec![Event::Mended(Box::new(mended(table, rules, mending)?))]),
        Command::BeginPaying => Ok(vec![Event::PayingBegun]),
        Command::OpenBetting => Ok(vec![Event::BettingOpened]),
        Command::Configure => {
            let idle = table.parts.hand.puck.is_off() && is_bare(table);
            let events = || vec![Event::Configured { rules: rules.hash }];
            idle.then(events).ok_or(Refusal::BetsRiding)
        }
        Command::Pause => Ok(vec![Event::Paused]),
        Command::Resume => Ok(vec![Event::Resumed]),
        Command::Close => is_bare(table).then(|| vec![Event::Closed]).ok_or(Refusal::BetsRiding),
    }
}

/// Nothing on the layout, no claim waiting and nothing held.
fn is_bare(table: &Table) -> bool {
    let answered = table.parts.claims.is_empty() && table.parts.held.is_empty();
    answered && table.players().all(|(_, player)| player.layout.is_empty())
}

/// The table's own state comes first: closed, paused, no more bets.
pub(super) fn check_status(table: &Table, command: &Command) -> Result<(), Refusal> {
    use Command::{
        BeginPaying, Call, CashOut, Close, CloseBetting, Configure, Leave, NoRoll, OpenBetting,
        PassDice, Pause, Put, Resume, Return, Roll, Take,
    };
    match (table.parts.status, command) {
        (Status::Closed, Leave { .. } | CashOut { .. }) => {}
        (Status::Closed, _) => return Err(Refusal::TableClosed),
        (
            Status::Paused,
            Put { .. }
            | Take { .. }
            | Call { .. }
            | CloseBetting
            | Roll { .. }
            | NoRoll
            | PassDice
            | OpenBetting
            | Pause,
        ) => return Err(Refusal::TablePaused),
        (Status::Running, Resume) => return Err(Refusal::NotPaused),
        _ => {}
    }
    match (table.parts.betting, command) {
        // The dice are out, and somebody may know what they show.
        (
            Phase::Closed,
            Put { .. } | Take { .. } | Call { .. } | Return { .. } | CloseBetting | PassDice,
        ) => Err(Refusal::BettingClosed),
        (Phase::Open, Roll { .. } | NoRoll) => Err(Refusal::BettingOpen),
        // Winnings may not have reached the rack yet, and the cage pays jackpots by itself.
        (Phase::Paying, CashOut { kind: CashOutKind::Jackpot, .. }) => Ok(()),
        (
            Phase::Paying,
            Put { .. }
            | Take { .. }
            | Call { .. }
            | Return { .. }
            | CloseBetting
            | Roll { .. }
            | NoRoll
            | PassDice
            | Leave { .. }
            | CashOut { .. }
            | BeginPaying
            | Configure
            | Close,
        ) => Err(Refusal::BeingPaid),
        (Phase::Closed, BeginPaying) => Err(Refusal::BettingClosed),
        (Phase::Open | Phase::Closed, OpenBetting) => Err(Refusal::NotPaying),
        _ => Ok(()),
    }
}

fn player(table: &Table, seat: Seat) -> Result<&Player, Refusal> {
    table.player(seat).ok_or(Refusal::NotSeated)
}

fn sit(table: &Table, seat: Seat, name: &str) -> Decision {
    match table.parts.seats.get(seat.index()) {
        None => Err(Refusal::NoSuchSeat),
        Some(Some(_)) => Err(Refusal::SeatTaken),
        Some(None) => Ok(vec![Event::Sat { seat, name: name.to_owned() }]),
    }
}

fn rename(table: &Table, seat: Seat, name: &str) -> Decision {
    player(table, seat)?;
    Ok(vec![Event::Renamed { seat, name: name.to_owned() }])
}

fn leave(table: &Table, rules: &Rules, seat: Seat, kind: CashOutKind) -> Decision {
    let claims = |claim: &Claim| claim.winners.iter().any(|(winner, _)| *winner == seat);
    let held = |award: &HeldAward| award.seat == seat;
    let waits = table.parts.claims.iter().any(claims) || table.parts.held.iter().any(held);
    if !player(table, seat)?.layout.is_empty() || waits {
        return Err(Refusal::BetsUp);
    }
    let postings = Postings::transfer(Account::Rack(seat), Account::Cage, table.rack(seat));
    let left = Event::Left { seat, kind, postings };
    let passes = table.parts.dice == Dice::Held(seat);
    Ok(std::iter::once(left).chain(passes.then(|| swept(table, rules)).flatten()).collect())
}

fn buy_in(table: &Table, seat: Seat, amount: Cents, kind: BuyInKind) -> Decision {
    player(table, seat)?;
    if amount <= Cents::ZERO {
        return Err(Refusal::ZeroAmount);
    }
    let room = Cents::MOST - table.rack(seat) - table.balance(Account::Action(seat));
    if amount > room {
        return Err(Refusal::OverLimit { max: room });
    }
    let postings = Postings::transfer(Account::Cage, Account::Rack(seat), amount);
    Ok(vec![Event::BoughtIn { seat, kind, postings }])
}

fn cash_out(table: &Table, seat: Seat, amount: Cents, kind: CashOutKind) -> Decision {
    player(table, seat)?;
    let rack = table.rack(seat);
    if amount <= Cents::ZERO {
        return Err(Refusal::ZeroAmount);
    }
    if amount > rack {
        return Err(Refusal::ShortRack { rack, needs: amount });
    }
    let postings = Postings::transfer(Account::Rack(seat), Account::Cage, amount);
    Ok(vec![Event::CashedOut { seat, kind, postings }])
}

fn fill(amount: Cents) -> Decision {
    if amount <= Cents::ZERO {
        return Err(Refusal::ZeroAmount);
    }
    if amount > Cents::MOST {
        return Err(Refusal::OverLimit { max: Cents::MOST });
    }
    Ok(vec![Event::Filled { postings: Postings::transfer(Account::Cage, Account::Bank, amount) }])
}

fn credit(table: &Table, amount: Cents, limit: CreditLimit) -> Decision {
    if amount <= Cents::ZERO {
        return Err(Refusal::ZeroAmount);
    }
    match limit {
        CreditLimit::Tray if amount > table.tray() => {
            return Err(Refusal::ShortTray { tray: table.tray() });
        }
        CreditLimit::Bank if amount > table.bank() => {
            return Err(Refusal::ShortBank { bank: table.bank() });
        }
        _ => {}
    }
    let postings = Postings::transfer(Account::Bank, Account::Cage, amount);
    Ok(vec![Event::Credited { postings }])
}

fn bet(
    table: &Table,
    rules: &Rules,
    seat: Seat,
    wager: &str,
    action: impl Fn(Spot) -> Action,
) -> Decision {
    let (layout, spot) = spot_of(table, rules, seat, wager)?;
    let action = action(spot);
    let change = act(rules, &table.parts.hand, layout, table.rack(seat), action)?;
    let betting = betting(table, rules, seat, spot, change);
    Ok(vec![match action {
        Action::Put { .. } => Event::Put(betting),
        Action::Take { .. } => Event::Took(betting),
        Action::Call { .. } => Event::Called(betting),
    }])
}

/// A bet goes back to its player with all that a take would bring back, locked or not.
fn hand_back(table: &Table, rules: &Rules, seat: Seat, wager: &str, reason: &str) -> Decision {
    let (layout, spot) = spot_of(table, rules, seat, wager)?;
    let change = give_back(rules, &table.parts.hand, layout, spot)?;
    let betting = betting(table, rules, seat, spot, change);
    Ok(vec![Event::Returned { betting, reason: reason.to_owned() }])
}

/// A seat's bets, and the spot it means by `wager`.
pub(super) fn spot_of<'a>(
    table: &'a Table,
    rules: &Rules,
    seat: Seat,
    wager: &str,
) -> Result<(&'a Layout, Spot), Refusal> {
    let layout = &player(table, seat)?.layout;
    let spot = notation::parse_spot(rules, layout, wager).map_err(|error| match error {
        NoSuchSpot::WhichOdds(_) => Refusal::WhichOdds,
        NoSuchSpot::Unknown { text, .. } => Refusal::NotOffered { wager: text },
    })?;
    Ok((layout, spot))
}

fn betting(table: &Table, rules: &Rules, seat: Seat, spot: Spot, change: Change) -> Betting {
    let Change { bets, chips, hand } = change;
    let mut postings = Postings::transfer(Account::Rack(seat), Account::Action(seat), chips);
    let layout = &table.player(seat).expect("a bettor is seated").layout;
    let fed = feed(table, rules, spot, layout, &bets, &mut postings);
    Betting { seat, spot, bets, hand, postings, fed }
}

/// A progressive wager feeds its meter when it is placed, and takes that back if it is taken
/// back. Whole cents move to clearing; the part below a cent is carried.
fn feed(
    table: &Table,
    rules: &Rules,
    spot: Spot,
    layout: &Layout,
    bets: &[crate::layout::Bet],
    postings: &mut Postings,
) -> Option<Fed> {
    let before = layout.bet(spot).map_or(Cents::ZERO, |bet| bet.stake);
    let stake = bets.iter().find(|bet| bet.spot == spot)?.stake - before;
    let contribution = contribution(rules, spot, stake, table.parts.carry, postings)?;
    let Contribution { meter, increment, reserve, carry } = contribution;
    let meter = rules.meters()[meter.index()].name.clone();
    Some(Fed { meter, stake, increment, reserve, carry })
}

/// What a wager that grows by `stake` feeds its meter.
pub(crate) struct Contribution {
    pub(crate) meter: MeterPlace,
    pub(crate) increment: MicroCents,
    pub(crate) reserve: MicroCents,
    /// The part of a cent that its table still owes.
    pub(crate) carry: MicroCents,
}

/// What a wager that grows by `stake` feeds its meter, booked; nothing where it has none.
pub(crate) fn contribution(
    rules: &Rules,
    spot: Spot,
    stake: Cents,
    carry: MicroCents,
    postings: &mut Postings,
) -> Option<Contribution> {
    let meter = rules.meter_of(rules.spot_rule(spot).wager)?;
    let (increment, reserve) = rules.meters()[meter.index()].terms.shares(stake);
    let owed = carry + increment + reserve;
    let whole = owed.whole_cents();
    postings.post(Account::House, -whole);
    postings.post(Account::Clearing, whole);
    let carry = owed - MicroCents::from(whole);
    (stake != Cents::ZERO).then_some(Contribution { meter, increment, reserve, carry })
}

/// Who would throw the dice now. A shooter keeps them through the hand; on a come-out a line bet
/// is needed, unless anybody may.
fn shooter(table: &Table, rules: &Rules, may: Shooter) -> Result<Seat, Refusal> {
    let seat = table.shooter(rules).ok_or(Refusal::NoShooter)?;
    let layout = &player(table, seat)?.layout;
    let come_out = table.parts.hand.puck.is_off() && may == Shooter::WithLineBet;
    if come_out && !has_line_bet(rules, layout) {
        return Err(Refusal::NoShooter);
    }
    Ok(seat)
}

pub(super) fn rolled(
    table: &Table,
    rules: &Rules,
    roll: Roll,
    may: Shooter,
) -> Result<Rolled, Refusal> {
    let shooter = shooter(table, rules, may)?;
    let seats = table.players().map(|(seat, player)| (seat, &player.layout));
    let mut settlement = Settlement::default();
    let called =
        throw(rules, &table.parts.hand, seats, roll, table.parts.cap_used, &mut settlement);
    let seven_out = called.is_seven_out();
    let cap_used = rules.cap_used(table.parts.cap_used, settlement.capped, seven_out);
    let dice = if seven_out { Dice::Offered(shooter.next()) } else { Dice::Held(shooter) };
    Ok(Rolled {
        roll,
        shooter,
        puck: called.puck,
        number: table.parts.rolls + 1,
        rules: rules.hash,
        hand: called.hand,
        dice,
        cap_used,
        claims: claims(rules, &settlement, table.parts.claims_made),
        settlement,
    })
}

/// Winners of the same meter share one claim; `made` have been made before.
pub(crate) fn claims(rules: &Rules, settlement: &Settlement, made: u64) -> Vec<Claim> {
    let mut claims: Vec<Claim> = Vec::new();
    for winner in &settlement.claims {
        let meter = &rules.meters()[winner.meter.index()].name;
        let seat = (winner.seat, winner.units);
        match claims.iter_mut().find(|claim| claim.meter == *meter) {
            Some(claim) => claim.winners.push(seat),
            None => {
                let id = ClaimId(made + claims.len() as u64 + 1);
                claims.push(Claim { id, meter: meter.clone(), winners: vec![seat] });
            }
        }
    }
    claims
}

fn pass_dice(table: &Table, rules: &Rules) -> Decision {
    let shooter = table.shooter(rules).ok_or(Refusal::NoShooter)?;
    if table.parts.hand.puck != Puck::Off {
        return Err(Refusal::PuckOn);
    }
    let passed = Event::DicePassed { to: shooter.next() };
    Ok(std::iter::once(passed).chain(swept(table, rules)).collect())
}

impl Table {
    /// What a seat may do now, spot by spot, as [`Table::decide`] would answer it.
    pub fn offers(&self, rules: &Rules, seat: Seat) -> Vec<crate::action::Offer> {
        match self.player(seat) {
            Some(player) => {
                crate::action::offers(rules, &self.parts.hand, &player.layout, self.rack(seat))
            }
            None => Vec::new(),
        }
    }
}

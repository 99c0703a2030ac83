//! Money that goes after a roll once play has gone on. What the roll should have brought is worked
//! out by settling that one roll again; the bets, the puck and the lammers of today stay.

use serde::Serialize;

use super::decide::spot_of;
use super::{Parts, Phase, Table};
use crate::account::{Account, Postings, Seat};
use crate::action::{Change, give_back};
use crate::dice::Roll;
use crate::hand::Hand;
use crate::layout::{Bet, Layout};
use crate::money::Cents;
use crate::refusal::Refusal;
use crate::rules::Rules;
use crate::settle::{Settled, Settlement, Winner};
use crate::spot::{OnOff, Spot};
use crate::state::throw;

/// One movement of money by which a roll is mended. What a player or the dealers get comes from
/// the house; less than zero goes to the house.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "move")]
pub enum MendMove {
    /// Into a player's rack, or out of it.
    Rack {
        /// Whose.
        seat: Seat,
        /// How much.
        amount: Cents,
    },
    /// A bet on the felt comes down.
    Felt {
        /// Whose.
        seat: Seat,
        /// Which.
        wager: String,
        /// All of it, with commission paid in advance.
        amount: Cents,
        /// How much of it the house takes; the rest goes to the rack.
        lost: Cents,
    },
    /// Payable at the cage, for a player who has left.
    Cage {
        /// The player's name.
        name: String,
        /// How much.
        amount: Cents,
    },
    /// A player who has left walked away with so much more than was booked.
    Walked {
        /// The player's name.
        name: String,
        /// How much.
        amount: Cents,
    },
    /// To the dealers.
    Dealers {
        /// How much.
        amount: Cents,
    },
}

/// What goes after which roll, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mending {
    /// The roll, by the record of it in the table's log.
    pub of: u64,
    /// Which roll of the table it was.
    pub number: u64,
    /// The dice as they were keyed.
    pub keyed: Roll,
    /// What was wrong, such as `showed 5-1`.
    pub what: String,
    /// Why.
    pub reason: String,
    /// What moves.
    pub moves: Vec<MendMove>,
    /// Whether it is the last roll: it cannot be taken back any more.
    pub last: bool,
}

/// An earlier roll mended: money, and bets that come down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mended {
    /// What was asked for.
    pub mending: Mending,
    /// The bets that came down, where any did.
    pub down: Option<Box<CameDown>>,
    /// Every movement of money.
    pub postings: Postings,
}

/// Bets that came down with a mend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CameDown {
    /// The bets as they now stand; a stake of zero is a bet taken down.
    pub bets: Vec<(Seat, Bet)>,
    /// The hand afterwards: side bets may be without bets.
    pub hand: Hand,
    /// The same for the table before its last roll; without it that roll stays.
    pub before: Option<Hand>,
}

pub(super) fn mended(table: &Table, rules: &Rules, mending: &Mending) -> Result<Mended, Refusal> {
    let mut postings = Postings::default();
    let mut felt = Felt::new(table);
    for one in &mending.moves {
        let (account, amount) = match one {
            MendMove::Rack { seat, amount } => {
                table.player(*seat).ok_or(Refusal::NotSeated)?;
                (Account::Rack(*seat), *amount)
            }
            MendMove::Felt { seat, wager, amount, lost } => {
                felt.take_down(table, rules, (*seat, wager), (*amount, *lost), &mut postings)?;
                continue;
            }
            MendMove::Cage { amount, .. } if *amount < Cents::ZERO => {
                return Err(Refusal::ZeroAmount);
            }
            MendMove::Cage { amount, .. } | MendMove::Walked { amount, .. } => {
                (Account::Cage, *amount)
            }
            MendMove::Dealers { amount } => (Account::Envy, *amount),
        };
        if amount == Cents::ZERO {
            return Err(Refusal::ZeroAmount);
        }
        let paid = table.balance(Account::Envy) + postings.gain(Account::Envy);
        if account == Account::Envy && paid + amount < Cents::ZERO {
            return Err(Refusal::ShortRack { rack: paid, needs: -amount });
        }
        if amount > Cents::MOST || amount < -Cents::MOST {
            return Err(Refusal::OverLimit { max: Cents::MOST });
        }
        postings.extend(&Postings::transfer(Account::House, account, amount));
    }
    for (seat, _) in table.players() {
        let gain = postings.gain(Account::Rack(seat));
        let rack = table.rack(seat);
        if rack + gain < Cents::ZERO {
            return Err(Refusal::ShortRack { rack, needs: -gain });
        }
        let room = Cents::MOST - rack - table.balance(Account::Action(seat));
        if gain > room.max(Cents::ZERO) {
            return Err(Refusal::OverLimit { max: room.max(Cents::ZERO) });
        }
    }
    Ok(Mended { mending: mending.clone(), down: felt.came_down(), postings })
}

/// The felt while bets come down, now and as it was before the last roll.
struct Felt {
    layouts: Vec<Layout>,
    hand: Hand,
    before: Option<(Vec<Layout>, Hand)>,
    bets: Vec<(Seat, Bet)>,
}

impl Felt {
    fn new(table: &Table) -> Felt {
        let layout = |seat: Seat| table.player(seat).map(|player| player.layout.clone());
        let before = table.parts().before_roll.as_ref();
        Felt {
            layouts: Seat::all().map(|seat| layout(seat).unwrap_or_default()).collect(),
            hand: table.parts().hand,
            before: before.map(|before| (before.layouts.clone(), before.hand)),
            bets: Vec::new(),
        }
    }

    /// Takes a bet down that carries no odds.
    fn take_down(
        &mut self,
        table: &Table,
        rules: &Rules,
        (seat, wager): (Seat, &str),
        (amount, lost): (Cents, Cents),
        postings: &mut Postings,
    ) -> Result<(), Refusal> {
        if table.phase() == Phase::Closed {
            return Err(Refusal::BettingClosed);
        }
        let (_, spot) = spot_of(table, rules, seat, wager)?;
        let layout = &mut self.layouts[seat.index()];
        let change = give_back(rules, &self.hand, layout, spot)?;
        // Odds on it come down first, by a movement of their own.
        let up = -change.chips;
        if up != amount || lost < Cents::ZERO || lost > amount {
            return Err(Refusal::NotThatMuch { up });
        }
        // A roll that is taken back later must find the same bets gone.
        let same = |(layouts, _): &(Vec<Layout>, Hand)| {
            let then = &layouts[seat.index()];
            change.bets.iter().all(|bet| then.bet(bet.spot) == layout.bet(bet.spot))
        };
        self.before = self.before.take().filter(same).and_then(|(mut layouts, hand)| {
            let then = give_back(rules, &hand, &layouts[seat.index()], spot).ok()?;
            (then.bets == change.bets).then(|| {
                then.bets.iter().for_each(|bet| layouts[seat.index()].set(*bet));
                (layouts, then.hand)
            })
        });
        let Change { bets, chips, hand } = change;
        bets.iter().for_each(|bet| layout.set(*bet));
        self.hand = hand;
        self.bets.extend(bets.into_iter().map(|bet| (seat, bet)));
        postings.post(Account::Action(seat), chips);
        postings.post(Account::Rack(seat), -chips - lost);
        postings.post(Account::House, lost);
        Ok(())
    }

    fn came_down(self) -> Option<Box<CameDown>> {
        let Felt { hand, before, bets, .. } = self;
        let before = before.map(|(_, hand)| hand);
        (!bets.is_empty()).then(|| Box::new(CameDown { bets, hand, before }))
    }
}

/// What a mend changes: money and the bets that come down, and nothing else.
pub(super) fn mend(table: &mut Parts, mended: &Mended) {
    table.accounts.book(&mended.postings);
    for one in &mended.mending.moves {
        if let MendMove::Cage { amount, .. } = one {
            table.paid_by_cage += *amount;
        }
    }
    if mended.mending.last {
        table.before_roll = None;
    }
    let Some(down) = &mended.down else { return };
    for (seat, bet) in &down.bets {
        let player = table.seats[seat.index()].as_mut().expect("a bettor is seated");
        player.layout.set(*bet);
    }
    table.hand = down.hand;
    table.before_roll = match (table.before_roll.take(), down.before) {
        (Some(mut before), Some(hand)) => {
            down.bets.iter().for_each(|(seat, bet)| before.layouts[seat.index()].set(*bet));
            before.hand = hand;
            Some(before)
        }
        _ => None,
    };
}

/// A roll that was booked, with the table as it stood before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastRoll {
    /// What was keyed.
    pub roll: Roll,
    /// The hand before it.
    pub hand: Hand,
    /// The players at the table then, and their bets.
    pub seats: Vec<(Seat, Layout)>,
    /// Winnings of the hand that counted towards an aggregate cap.
    pub cap_used: Cents,
    /// What was booked.
    pub booked: Settlement,
}

/// How a roll should have been booked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Showed {
    /// What the dice showed; none where the throw did not count.
    pub roll: Option<Roll>,
    /// Bets that were not as they were booked: what they were; nothing is no bet.
    pub bets: Vec<(Seat, Spot, Cents)>,
}

/// What a roll has still to bring, less than zero where it brought too much.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dues {
    /// Bet by bet, as they lay when the dice were thrown.
    pub bets: Vec<BetDue>,
    /// What the dealers get.
    pub envy: Cents,
    /// Jackpots that were won and not claimed, each with what a mend has paid of it.
    pub jackpots: Vec<(Winner, Cents)>,
}

/// What one bet of a roll has still to bring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BetDue {
    /// Whose.
    pub seat: Seat,
    /// Where it lay when the dice were thrown.
    pub spot: Spot,
    /// Winnings less commission.
    pub winnings: Cents,
    /// A stake that was taken or left wrongly.
    pub stake: Cents,
    /// A bet that is still up and should have come down or moved.
    pub open: Option<OpenStake>,
}

/// A bet that is up as it was booked, and should not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenStake {
    /// Where it is.
    pub spot: Spot,
    /// All of it, with commission paid in advance.
    pub amount: Cents,
    /// What of it the house should have won.
    pub lost: Cents,
}

/// What earlier mends of a roll, and the answers to its claims, have moved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// To and from players.
    pub bets: Vec<MovedBet>,
    /// To the dealers, by mends.
    pub envy: Cents,
    /// To the dealers, because awards of a wager were denied.
    pub denied_envy: Vec<(Spot, Cents)>,
}

/// What was moved for one bet of a roll after it was booked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovedBet {
    /// Whose.
    pub seat: Seat,
    /// Where it lay when the dice were thrown.
    pub spot: Spot,
    /// Winnings.
    pub winnings: Cents,
    /// Stake.
    pub stake: Cents,
    /// What for.
    pub why: MovedFor,
}

/// What money was moved for after a roll was booked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MovedFor {
    /// A mend of what the bet brings.
    #[default]
    Bet,
    /// A jackpot, paid when it was claimed or by a mend. It is right as long as the roll wins it.
    Jackpot,
    /// A bet that a mend took down. It is not up any more, whatever the roll should have left.
    Down,
    /// A claim that was denied. That stands as long as the roll brings the bet what was booked.
    Denied,
}

impl Moved {
    /// Winnings and stake that were moved for a bet, as far as a mend has to consider them, and
    /// whether the bet was taken down.
    fn of(&self, seat: Seat, spot: Spot, right: &Outcome, booked: &Outcome) -> Done {
        let same = self.bets.iter().filter(|moved| (moved.seat, moved.spot) == (seat, spot));
        let counts = same.filter(|moved| match moved.why {
            MovedFor::Bet | MovedFor::Down => true,
            MovedFor::Jackpot => !right.jackpot,
            MovedFor::Denied => !right.brings_the_same(booked),
        });
        counts.fold(Done::default(), |done, moved| Done {
            winnings: done.winnings + moved.winnings,
            stake: done.stake + moved.stake,
            is_down: done.is_down || moved.why == MovedFor::Down,
        })
    }

    /// What of a jackpot was paid.
    fn of_jackpot(&self, rules: &Rules, winner: &Winner) -> Cents {
        let wager = rules.meters()[winner.meter.index()].wager;
        let same = self.bets.iter().filter(|moved| {
            let is_it = moved.why == MovedFor::Jackpot && moved.seat == winner.seat;
            is_it && rules.spot_rule(moved.spot).wager == wager
        });
        same.map(|moved| moved.winnings).sum()
    }

    /// What the dealers still get, had the roll been booked so.
    fn envy_due(&self, rules: &Rules, right: &Settlement, booked: &Settlement) -> Cents {
        let of = |settlement: &Settlement, wager| -> Cents {
            let envies = settlement.envies.iter();
            let own = envies.filter(|(award, _)| rules.award(*award).wager == wager);
            own.map(|(_, amount)| *amount).sum()
        };
        let denied = self.denied_envy.iter().filter(|(spot, _)| {
            let wager = rules.spot_rule(*spot).wager;
            of(right, wager) != of(booked, wager)
        });
        let denied: Cents = denied.map(|(_, amount)| *amount).sum();
        envy(right) - envy(booked) - denied - self.envy
    }
}

impl PastRoll {
    /// What the roll has still to bring, had it been booked so: what is right, less what was
    /// booked, less what has been `moved` since. `is_up` says whether a bet that the roll left up
    /// is up still and untouched: one decided since is not decided twice.
    pub fn dues(
        &self,
        rules: &Rules,
        showed: &Showed,
        moved: &Moved,
        is_up: impl Fn(Seat, Spot) -> bool,
    ) -> Result<Dues, Refusal> {
        let (seats, hand) = self.with(rules, &showed.bets)?;
        let mut right = Settlement::default();
        if let Some(roll) = showed.roll {
            let layouts = seats.iter().map(|(seat, layout)| (*seat, layout));
            throw(rules, &hand, layouts, roll, self.cap_used, &mut right);
        }
        let envy = moved.envy_due(rules, &right, &self.booked);
        let mut dues = Dues { envy, ..Dues::default() };
        for ((seat, layout), (_, then)) in seats.iter().zip(&self.seats) {
            let mut spots: Vec<Spot> =
                layout.bets().iter().chain(then.bets()).map(|bet| bet.spot).collect();
            spots.sort_unstable();
            spots.dedup();
            for spot in spots {
                let due = Outcome::of(rules, *seat, layout.bet(spot), &right);
                let booked = Outcome::of(rules, *seat, then.bet(spot), &self.booked);
                let up = |left: Spot| is_up(*seat, left);
                let moved = moved.of(*seat, spot, &due, &booked);
                let due = bet_due(*seat, spot, (&due, &booked), &moved, up);
                if due.winnings != Cents::ZERO || due.stake != Cents::ZERO || due.open.is_some() {
                    dues.bets.push(due);
                }
            }
        }
        let claimed = |winner: &Winner| {
            let same = |other: &&Winner| (other.meter, other.seat) == (winner.meter, winner.seat);
            self.booked.claims.iter().any(|other| same(&other))
        };
        let missed = right.claims.into_iter().filter(|winner| !claimed(winner));
        dues.jackpots = missed.map(|winner| (winner, moved.of_jackpot(rules, &winner))).collect();
        Ok(dues)
    }

    /// The bets as they should have been.
    fn with(
        &self,
        rules: &Rules,
        bets: &[(Seat, Spot, Cents)],
    ) -> Result<(Vec<(Seat, Layout)>, Hand), Refusal> {
        let (mut seats, mut hand) = (self.seats.clone(), self.hand);
        for (seat, spot, stake) in bets {
            let known = seats.iter_mut().find(|(whose, _)| whose == seat);
            let (_, layout) = known.ok_or(Refusal::NotSeated)?;
            let limits = rules.wager_at(*spot).limits;
            let max = limits.max.unwrap_or(Cents::MOST);
            if *stake < Cents::ZERO || *stake > max {
                return Err(Refusal::OverLimit { max });
            }
            if !stake.is_multiple_of(limits.unit) {
                return Err(Refusal::NotAMultiple { unit: limits.unit });
            }
            let before = layout.bet(*spot);
            if let Some(tracker) = rules.spot_rule(*spot).tracker {
                let tracker = &mut hand.trackers[usize::from(tracker)];
                match (before, *stake > Cents::ZERO) {
                    (None, true) => *tracker = tracker.joined(),
                    (Some(_), false) => {
                        *tracker = tracker.left(rules.wager_at(*spot).shared.lammers);
                    }
                    _ => {}
                }
            }
            let call = before.map_or(OnOff::House, |bet| bet.call);
            let vig = match *stake {
                Cents::ZERO => Cents::ZERO,
                stake => rules.vig(*spot, stake),
            };
            layout.set(Bet { spot: *spot, call, stake: *stake, vig });
        }
        Ok((seats, hand))
    }
}

fn envy(settlement: &Settlement) -> Cents {
    settlement.envies.iter().map(|(_, amount)| *amount).sum()
}

/// What a roll made of one bet.
struct Outcome {
    /// Won or lost beside the stake.
    winnings: Cents,
    /// What the house took of the bet.
    lost: Cents,
    /// Whether it won a jackpot.
    jackpot: bool,
    /// The bet as it is left.
    left: Option<Bet>,
}

impl Outcome {
    fn of(rules: &Rules, seat: Seat, bet: Option<Bet>, settlement: &Settlement) -> Outcome {
        let (winnings, lost) = (Cents::ZERO, Cents::ZERO);
        let nothing = Outcome { winnings, lost, jackpot: false, left: bet };
        let Some(bet) = bet else { return nothing };
        let is_it = |line: &&Settled| line.seat == seat && line.bet.spot == bet.spot;
        let Some(line) = settlement.lines.iter().find(is_it) else { return nothing };
        let taken = line.left.is_none() && line.to_rack() == Cents::ZERO;
        let lost = if taken { bet.outlay() } else { Cents::ZERO };
        let meter = rules.meter_of(rules.spot_rule(bet.spot).wager);
        let won = |winner: &Winner| Some(winner.meter) == meter && winner.seat == seat;
        let jackpot = settlement.claims.iter().any(won);
        Outcome { winnings: line.net() + lost, lost, jackpot, left: line.left }
    }

    fn brings_the_same(&self, other: &Outcome) -> bool {
        let all = |outcome: &Outcome| (outcome.winnings, outcome.lost, outcome.jackpot);
        all(self) == all(other)
    }
}

/// What has been moved for one bet of a roll.
#[derive(Default)]
struct Done {
    winnings: Cents,
    stake: Cents,
    is_down: bool,
}

fn bet_due(
    seat: Seat,
    spot: Spot,
    (right, booked): (&Outcome, &Outcome),
    done: &Done,
    is_up: impl Fn(Spot) -> bool,
) -> BetDue {
    let winnings = right.winnings - booked.winnings - done.winnings;
    let mut stake = booked.lost - right.lost - done.stake;
    // A stake may still be on the felt where it should have come down or moved.
    let stays = |left: &Bet| right.left.is_some_and(|right| right.spot == left.spot);
    let mut open = None;
    if let Some(left) = booked.left.filter(|left| !stays(left) && !done.is_down) {
        let lost = (-stake).max(Cents::ZERO).min(left.outlay());
        stake += lost;
        if is_up(left.spot) {
            open = Some(OpenStake { spot: left.spot, amount: left.outlay(), lost });
        }
    }
    BetDue { seat, spot, winnings, stake, open }
}

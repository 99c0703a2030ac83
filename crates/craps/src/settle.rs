//! From fates to money: winnings, commission, envy and caps. Envy and caps look across seats and
//! are settled here, and only here.

use serde::Serialize;

use crate::account::{Account, Postings, Seat};
use crate::commission::Charge;
use crate::fate::Fate;
use crate::layout::{Bet, Layout};
use crate::money::{Basis, Cents, Fraction, Pays};
use crate::rules::{MeterPlace, Rules};
use crate::spot::AwardId;
use crate::wager::{Cap, CapPaidIn, Due, Envy};

/// A bet, whose it is, and what the roll did to it.
pub type SeatFate = (Seat, Bet, Fate);

/// What one roll moved. Reused from roll to roll so that settling allocates nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Settlement {
    /// One line for each bet that did not simply stand, by seat and then by spot.
    pub lines: Vec<Settled>,
    /// What the dealers were paid, award by award.
    pub envies: Vec<(AwardId, Cents)>,
    /// Top awards to be paid by a meter.
    pub claims: Vec<Winner>,
    /// Winnings that count towards the aggregate cap.
    pub capped: Cents,
    /// Parts of a cent rounded away, beside the ledger.
    pub memo: Fraction,
    /// Every movement of money.
    pub postings: Postings,
}

/// What became of one bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Settled {
    /// Whose bet.
    pub seat: Seat,
    /// The bet as it was.
    pub bet: Bet,
    /// Its fate.
    pub fate: Fate,
    /// Winnings paid, before commission; less than zero where a pay "for 1" is below the stake.
    pub won: Cents,
    /// Whole cents of winnings rounded away.
    pub broken: Cents,
    /// Winnings withheld by the aggregate cap.
    pub withheld: Cents,
    /// Commission taken out of the winnings: for this win, or for the next decision of a bet
    /// that stays up.
    pub charged: Cents,
    /// The bet as it stands now, here or where it travelled.
    pub left: Option<Bet>,
}

impl Settled {
    /// By how much the player's money has changed, on the felt and in the rack: commission paid in
    /// advance is in it, a jackpot that a meter pays is not.
    pub fn net(&self) -> Cents {
        self.to_rack() + self.left.map_or(Cents::ZERO, Bet::outlay) - self.bet.outlay()
    }

    /// What goes to the player's rack.
    pub fn to_rack(&self) -> Cents {
        match self.fate {
            Fate::Win { .. } if self.left.is_some() => self.won - self.charged,
            Fate::Win { .. } => self.bet.stake + self.won - self.charged,
            Fate::Return => self.bet.outlay(),
            Fate::Stand | Fate::Lose | Fate::Push | Fate::Travel(_) => Cents::ZERO,
        }
    }
}

/// A seat that has won the top award of a meter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Winner {
    /// The meter.
    pub meter: MeterPlace,
    /// The seat.
    pub seat: Seat,
    /// How many base wagers it had up.
    pub units: u32,
}

impl Settlement {
    /// Forgets the last roll but keeps the room it took.
    pub fn clear(&mut self) {
        self.lines.clear();
        self.envies.clear();
        self.claims.clear();
        self.capped = Cents::ZERO;
        self.memo = Fraction::ZERO;
        self.postings.clear();
    }
}

impl Layout {
    /// Brings the bets of one seat to where its settled lines left them. Bets that came down go
    /// first, so that a come bet can travel to the spot an older one has just won on.
    pub fn settle<'a>(&mut self, lines: impl Iterator<Item = &'a Settled> + Clone) {
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

/// Settles the fates of all seats, given in seat order, into `out`. `cap_used` is what this hand
/// has already won towards an aggregate cap.
pub fn settle(
    rules: &Rules,
    fates: impl IntoIterator<Item = SeatFate>,
    cap_used: Cents,
    out: &mut Settlement,
) {
    out.clear();
    // One loop for each seat: asking for the next of all seats' bets takes more time than settling.
    fates.into_iter().for_each(|(seat, bet, fate)| {
        if !matches!(fate, Fate::Stand) {
            settle_bet(rules, seat, bet, fate, out);
        }
    });
    if let Some(cap) = rules.cap {
        apply_cap(rules, cap, cap_used, out);
    }
    let Settlement { lines, postings, .. } = out;
    for line in lines.iter_mut() {
        if let Fate::Win { .. } = line.fate {
            charge_commission(rules, line);
        }
        post(line, postings);
    }
}

#[inline]
fn settle_bet(rules: &Rules, seat: Seat, bet: Bet, fate: Fate, out: &mut Settlement) {
    let mut paid = Paid { won: Cents::ZERO, broken: Cents::ZERO };
    let left = match fate {
        Fate::Stand | Fate::Push => Some(bet),
        Fate::Lose | Fate::Return => None,
        Fate::Travel(spot) => Some(Bet { spot, ..bet }),
        Fate::Win { award, stays } => {
            paid = win(rules, seat, bet.stake, award, out);
            stays.then_some(bet)
        }
    };
    out.lines.push(Settled {
        seat,
        bet,
        fate,
        won: paid.won,
        broken: paid.broken,
        withheld: Cents::ZERO,
        charged: Cents::ZERO,
        left,
    });
}

/// Winnings, and the whole cents of them that were rounded away.
#[derive(Clone, Copy)]
struct Paid {
    won: Cents,
    broken: Cents,
}

/// What a winning bet is owed, rounded down to the payout unit.
fn win(rules: &Rules, seat: Seat, stake: Cents, award_id: AwardId, out: &mut Settlement) -> Paid {
    let award = rules.award(award_id);
    let mut owed = |(exact, rest): (Cents, i64), den: i64| {
        if rest != 0 {
            out.memo += Fraction::new(rest, den);
        }
        exact
    };
    let winnings = match award.due {
        Due::Pays(pays @ Pays { den, basis: Basis::To, .. }) => {
            owed(pays.on(stake), i64::from(den))
        }
        Due::Pays(pays @ Pays { den, basis: Basis::For, .. }) => {
            owed(pays.on(stake), i64::from(den)) - stake
        }
        Due::Dollars(amount) => owed(stake.share(amount.0, 100), 100) - stake,
        Due::Push => Cents::ZERO,
        Due::Meter => {
            let meter = rules.meter_of(award.wager).expect("checked by the rulebook");
            let base = rules.wager(award.wager).limits.unit;
            let units = u32::try_from(stake.0 / base.0).expect("a progressive is one base wager");
            out.claims.push(Winner { meter, seat, units });
            -stake
        }
    };
    if let Some(envy) = award.envy {
        pay_envy(award_id, envy, stake, out);
    }
    let (won, broken) = winnings.rounded_to(rules.payout_unit);
    Paid { won, broken }
}

/// The dealers' share: a multiple or an amount for each winner, or an amount once for the table.
fn pay_envy(award: AwardId, envy: Envy, stake: Cents, out: &mut Settlement) {
    let paid_already = out.envies.iter().any(|(paid, _)| *paid == award);
    if matches!(envy, Envy::Once(_)) && paid_already {
        return;
    }
    let amount = envy_due(envy, stake);
    match out.envies.iter_mut().find(|(paid, _)| *paid == award) {
        Some((_, sum)) => *sum += amount,
        None => out.envies.push((award, amount)),
    }
    out.postings.post(Account::House, -amount);
    out.postings.post(Account::Envy, amount);
}

/// What one winner's stake brings the dealers.
pub(crate) fn envy_due(envy: Envy, stake: Cents) -> Cents {
    match envy {
        Envy::Multiple(multiple) => stake.share(i64::from(multiple), 1).0,
        Envy::Each(amount) | Envy::Once(amount) => amount.share(stake.0, 100).0,
    }
}

/// Pays capped winners pro rata where together they are owed more than the cap leaves: down to
/// the cent or the payout unit, leftover ones in seat order.
fn apply_cap(rules: &Rules, cap: Cap, used: Cents, out: &mut Settlement) {
    let capped = |line: &Settled| {
        matches!(line.fate, Fate::Win { .. })
            && line.won > Cents::ZERO
            && rules.wager_at(line.bet.spot).shared.cap.is_some()
    };
    let due: Cents = out.lines.iter().filter(|line| capped(line)).map(|line| line.won).sum();
    let left = (cap.amount - used).max(Cents::ZERO);
    if due <= left {
        out.capped = due;
        return;
    }
    let unit = match cap.paid_in {
        CapPaidIn::Cents => Cents(1),
        CapPaidIn::PayoutUnit => rules.payout_unit,
    };
    let left = left.floor_to(unit);
    out.capped = left;
    let mut spare = left;
    for line in out.lines.iter_mut().filter(|line| capped(line)) {
        let share = line.won.share(left.0, due.0).0.floor_to(unit);
        line.withheld = line.won - share;
        line.won = share;
        spare -= share;
    }
    for line in out.lines.iter_mut().filter(|line| line.withheld > Cents::ZERO) {
        let one = spare.min(unit);
        line.won += one;
        line.withheld -= one;
        spare -= one;
    }
}

/// Takes commission out of the winnings of a line.
fn charge_commission(rules: &Rules, line: &mut Settled) {
    let Some(commission) = &rules.wager_at(line.bet.spot).standing.commission else { return };
    let next = line.left.map(|bet| rules.vig(bet.spot, bet.stake));
    let Charge { charged, stays } = commission.on_win(line.bet.stake, line.won, next);
    line.charged = charged;
    line.left = line.left.filter(|_| stays).map(|bet| Bet { vig: next.unwrap_or(bet.vig), ..bet });
}

/// Books one line.
fn post(line: &Settled, postings: &mut Postings) {
    let (rack, action) = (Account::Rack(line.seat), Account::Action(line.seat));
    let left = line.left.map_or(Cents::ZERO, Bet::outlay);
    let from_action = line.bet.outlay() - left;
    let to_rack = line.to_rack();
    postings.post(action, -from_action);
    postings.post(rack, to_rack);
    postings.post(Account::Breakage, line.broken);
    postings.post(Account::House, from_action - to_rack - line.broken);
}

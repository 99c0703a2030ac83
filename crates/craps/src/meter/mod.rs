//! A progressive meter: its own aggregate with its own log, so that one meter can serve many
//! tables. A table never reads it; it claims, and the meter answers.

mod command;
mod event;

pub use self::command::{AdjustKind, MeterCommand, Moving, TableClaim};
pub use self::event::{Award, MeterEvent, Moved};
use crate::account::Seat;
use crate::money::{Cents, MicroCents};
use crate::refusal::Refusal;
use crate::terms::{MeterTerms, Winners};

/// A progressive meter.
///
/// ```
/// use craps::{Cents, Meter, MeterTerms, Rate};
/// use craps::meter::{MeterCommand};
/// use craps::terms::{Winners};
/// let terms = MeterTerms {
///     seed: Cents::dollars(1000),
///     increment: Rate(125_000),
///     reserve: Rate(50_000),
///     ceiling: None,
///     winners: Winners::Share,
/// };
/// let mut meter = Meter::open("jackpot", terms, None);
/// meter.obey(&MeterCommand::feed(&terms, Cents(100))).unwrap();
/// assert_eq!(meter.amount().to_string(), "1000.125");
/// assert_eq!(meter.payable(), Cents(100_012));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meter {
    parts: Parts,
}

/// All that a [`Meter`] is, in plain sight: what is written down where a meter is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The paytable it serves.
    pub name: String,
    /// Its terms.
    pub terms: MeterTerms,
    /// Those that hold from its next reset.
    pub next_terms: Option<MeterTerms>,
    /// Whether it was closed.
    pub closed: bool,
    /// The amount shown.
    pub amount: MicroCents,
    /// What is set aside for the next seed.
    pub reserve: MicroCents,
    /// What has gone over the ceiling since the last reset.
    pub overflow: MicroCents,
    /// What wagers have put in.
    pub contributed: MicroCents,
    /// What the house has put in.
    pub funded: MicroCents,
    /// What it has paid.
    pub paid: MicroCents,
    /// What other meters have sent it.
    pub moved_in: MicroCents,
    /// What it has sent to other meters.
    pub moved_out: MicroCents,
    /// Players' money set aside for them, which no sign shows.
    pub kept: MicroCents,
    /// Awards that can still be reversed.
    pub awards: Vec<Paid>,
}

/// An award that can still be reversed by its deltas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paid {
    /// The claim.
    pub claim: TableClaim,
    /// What the meter paid.
    pub from_meter: MicroCents,
    /// Overflow that became reserve.
    pub overflow: MicroCents,
    /// What the reserve paid of the new seed.
    pub from_reserve: MicroCents,
    /// What the house paid of it.
    pub from_house: MicroCents,
    /// The terms that ended with it, and those that began.
    pub replaced: Option<(MeterTerms, MeterTerms)>,
}

impl Meter {
    /// A meter that starts at its seed, or at `amount`; the house funds it.
    pub fn open(name: impl Into<String>, terms: MeterTerms, amount: Option<Cents>) -> Meter {
        let amount = MicroCents::from(amount.unwrap_or(terms.seed));
        let parts = Parts {
            name: name.into(),
            terms,
            next_terms: None,
            closed: false,
            amount,
            reserve: MicroCents::ZERO,
            overflow: MicroCents::ZERO,
            contributed: MicroCents::ZERO,
            funded: amount,
            paid: MicroCents::ZERO,
            moved_in: MicroCents::ZERO,
            moved_out: MicroCents::ZERO,
            kept: MicroCents::ZERO,
            awards: Vec::new(),
        };
        Meter { parts }
    }

    /// Everything it is made of.
    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    /// A meter made of the parts of one.
    pub fn from_parts(parts: Parts) -> Meter {
        Meter { parts }
    }

    /// The paytable it belongs to.
    pub fn name(&self) -> &str {
        &self.parts.name
    }

    /// How it is funded and paid.
    pub fn terms(&self) -> &MeterTerms {
        &self.parts.terms
    }

    /// The terms that hold from the next reset, where others have been set.
    pub fn next_terms(&self) -> Option<&MeterTerms> {
        self.parts.next_terms.as_ref()
    }

    /// Whether it neither grows nor pays any more.
    pub fn is_closed(&self) -> bool {
        self.parts.closed
    }

    /// What it holds, with the part of a cent it carries.
    pub fn amount(&self) -> MicroCents {
        self.parts.amount
    }

    /// What it would pay now, and what a sign may show.
    pub fn payable(&self) -> Cents {
        self.parts.amount.whole_cents()
    }

    /// What is set aside for the next seed, overflow included.
    pub fn reserve(&self) -> MicroCents {
        self.parts.reserve + self.parts.overflow
    }

    /// Players' money set aside for them: the meter owes it, and no sign shows it.
    pub fn kept(&self) -> MicroCents {
        self.parts.kept
    }

    /// What of the amount shown is the house's own: the part of the present seed that it has put
    /// in. What wagers have fed, here or at another meter, what a reserve has paid of the seed,
    /// and whatever else a sign has shown is the players'.
    pub fn of_house(&self) -> MicroCents {
        let opened = MicroCents::from(self.parts.terms.seed);
        let put_in = self.parts.awards.last().map_or(opened, |paid| paid.from_house);
        put_in.min(self.parts.amount).max(MicroCents::ZERO)
    }

    /// What the meter holds for the players: shown, set aside for the next seed, and kept.
    pub fn of_players(&self) -> MicroCents {
        self.parts.amount + self.reserve() + self.parts.kept - self.of_house()
    }

    /// Contributions less what has been paid out of them: what tables have in clearing.
    pub fn cleared(&self) -> MicroCents {
        self.parts.contributed - self.parts.paid
    }

    /// Whether every contribution is accounted for:
    /// contributed + funded + moved in = paid + shown + reserve + overflow + kept + moved out.
    pub fn is_conserved(&self) -> bool {
        let Parts { amount, reserve, overflow, kept, .. } = self.parts;
        let Parts { contributed, funded, moved_in, paid, moved_out, .. } = self.parts;
        contributed + funded + moved_in == paid + amount + reserve + overflow + kept + moved_out
    }

    /// What a command would do, or why it may not.
    pub fn decide(&self, command: &MeterCommand) -> Result<Vec<MeterEvent>, Refusal> {
        // What a closed meter keeps for players may still leave it, and what was on its way to it
        // still comes.
        let moves = matches!(
            command,
            MeterCommand::MoveOut(_) | MeterCommand::TakeIn { .. } | MeterCommand::Keep(_)
        );
        if self.parts.closed && !moves {
            return Err(Refusal::MeterClosed { meter: self.parts.name.clone() });
        }
        match command {
            MeterCommand::Feed { increment, reserve } => Ok(vec![self.feed(*increment, *reserve)]),
            MeterCommand::Claim { claim, winners } => self.claim(*claim, winners),
            MeterCommand::Reverse { claim } => {
                let known = self.parts.awards.iter().any(|paid| paid.claim == *claim);
                let events = || vec![MeterEvent::Reversed { claim: *claim }];
                known.then(events).ok_or(Refusal::NoSuchClaim)
            }
            MeterCommand::Adjust { amount, kind, reason } => self.adjust(*amount, *kind, reason),
            MeterCommand::MoveOut(moving) => {
                let moved = self.money(*moving)?;
                let some = moved.total() > MicroCents::ZERO;
                Ok(some.then_some(MeterEvent::MovedOut(moved)).into_iter().collect())
            }
            MeterCommand::TakeIn { amount, reserve } => Ok(vec![self.moved_in(*amount, *reserve)]),
            MeterCommand::Keep(moving) => {
                let kept = Moved { kept: MicroCents::ZERO, ..self.money(*moving)? };
                let some = kept.total() > MicroCents::ZERO;
                Ok(some.then_some(MeterEvent::Kept(kept)).into_iter().collect())
            }
            MeterCommand::SetTerms { terms } => Ok(vec![MeterEvent::TermsSet { terms: *terms }]),
            MeterCommand::Close => {
                Ok(vec![MeterEvent::Closed { returned: self.parts.amount + self.reserve() }])
            }
        }
    }

    fn feed(&self, share: MicroCents, reserve: MicroCents) -> MeterEvent {
        if share < MicroCents::ZERO || reserve < MicroCents::ZERO {
            return self.take_back(-share, -reserve);
        }
        let ceiling = self.parts.terms.ceiling.unwrap_or(Cents::MOST).min(Cents::MOST);
        let room = (MicroCents::from(ceiling) - self.parts.amount).max(MicroCents::ZERO);
        let amount = share.min(room);
        let from_house = MicroCents::ZERO;
        MeterEvent::Fed { amount, reserve, overflow: share - amount, from_house }
    }

    /// With a kind the amount never falls below the seed, and what is over the ceiling stays the
    /// players'.
    fn adjust(
        &self,
        amount: Cents,
        kind: Option<AdjustKind>,
        reason: &str,
    ) -> Result<Vec<MeterEvent>, Refusal> {
        let after = self.parts.amount + MicroCents::from(amount);
        let seed = self.parts.terms.seed;
        if after < MicroCents::ZERO || after > MicroCents::from(Cents::MOST) {
            return Err(Refusal::OverLimit { max: self.payable() });
        }
        if kind.is_some() && amount == Cents::ZERO {
            return Err(Refusal::ZeroAmount);
        }
        if kind.is_some() && amount < Cents::ZERO && after < MicroCents::from(seed) {
            return Err(Refusal::BelowSeed { seed });
        }
        let amount = MicroCents::from(amount);
        let overflow = match kind {
            Some(AdjustKind::OverCeiling) => -amount,
            _ => MicroCents::ZERO,
        };
        let ceiling = self.parts.terms.ceiling.map_or(self.parts.amount, MicroCents::from);
        let over = (self.parts.amount - ceiling).max(MicroCents::ZERO);
        let takes_it = overflow >= MicroCents::ZERO && overflow <= over;
        if !takes_it {
            return Err(Refusal::OverLimit { max: over.whole_cents() });
        }
        Ok(vec![MeterEvent::Adjusted { amount, overflow, reason: reason.to_owned() }])
    }

    /// Every cent of the players, by where it lies.
    fn all_of_players(&self) -> Moved {
        Moved {
            amount: self.parts.amount - self.of_house(),
            reserve: self.parts.reserve,
            overflow: self.parts.overflow,
            kept: self.parts.kept,
        }
    }

    /// So much of the players' money, by where it lies.
    fn money(&self, moving: Moving) -> Result<Moved, Refusal> {
        let seed = MicroCents::from(self.parts.terms.seed);
        let above_seed = (self.parts.amount - seed.max(self.of_house())).max(MicroCents::ZERO);
        match moving {
            Moving::Amount(amount) if amount <= Cents::ZERO => Err(Refusal::ZeroAmount),
            Moving::Amount(amount) if self.parts.closed => {
                let (kept, most) = (MicroCents::from(amount), self.parts.kept);
                match kept <= most {
                    true => Ok(Moved { kept, ..Moved::default() }),
                    false => Err(Refusal::OverLimit { max: most.whole_cents() }),
                }
            }
            Moving::Amount(amount) => {
                let amount = MicroCents::from(amount);
                match amount <= above_seed {
                    true => Ok(Moved { amount, ..Moved::default() }),
                    false => Err(Refusal::BelowSeed { seed: self.parts.terms.seed }),
                }
            }
            Moving::AboveSeed => Ok(Moved { amount: above_seed, ..self.all_of_players() }),
            Moving::All => Ok(self.all_of_players()),
        }
    }

    /// What comes is shown up to the ceiling; the rest waits for the next reset. A closed meter
    /// keeps it for the players.
    fn moved_in(&self, shown: MicroCents, reserve: MicroCents) -> MeterEvent {
        if self.parts.closed {
            return MeterEvent::MovedIn(Moved { kept: shown + reserve, ..Moved::default() });
        }
        let ceiling = self.parts.terms.ceiling.unwrap_or(Cents::MOST).min(Cents::MOST);
        let room = (MicroCents::from(ceiling) - self.parts.amount).max(MicroCents::ZERO);
        let amount = shown.min(room);
        let kept = MicroCents::ZERO;
        MeterEvent::MovedIn(Moved { amount, reserve, overflow: shown - amount, kept })
    }

    /// Takes in what a wager feeds it, as [`MeterCommand::Feed`] says, where nobody keeps a log.
    pub(crate) fn take_in(&mut self, increment: MicroCents, reserve: MicroCents) {
        assert!(!self.parts.closed, "a closed meter is not fed");
        let event = self.feed(increment, reserve);
        self.evolve(&event);
    }

    /// A wager taken back leaves the overflow first, which was the last to come in. What another
    /// table has won of it meanwhile the house puts in: a meter never falls below its seed.
    fn take_back(&self, share: MicroCents, reserve: MicroCents) -> MeterEvent {
        let overflow = share.min(self.parts.overflow);
        let above_seed = self.parts.amount - MicroCents::from(self.parts.terms.seed);
        let amount = (share - overflow).min(above_seed.max(MicroCents::ZERO));
        let kept = reserve.min(self.parts.reserve);
        MeterEvent::Fed {
            amount: -amount,
            reserve: -kept,
            overflow: -overflow,
            from_house: share - overflow - amount + reserve - kept,
        }
    }

    fn claim(
        &self,
        claim: TableClaim,
        winners: &[(Seat, u32)],
    ) -> Result<Vec<MeterEvent>, Refusal> {
        let units: u32 = winners.iter().map(|(_, units)| units).sum();
        if units == 0 || self.parts.awards.iter().any(|paid| paid.claim == claim) {
            return Err(Refusal::ClaimMismatch);
        }
        let payable = self.payable();
        // Cents that do not divide stay on the meter.
        let each_unit = match self.parts.terms.winners {
            Winners::Share => Cents(payable.0 / i64::from(units)),
            Winners::InFull => payable,
        };
        let share = |(seat, units): &(Seat, u32)| (*seat, Cents(each_unit.0 * i64::from(*units)));
        let shares: Vec<(Seat, Cents)> = winners.iter().map(share).collect();
        let paid: Cents = shares.iter().map(|(_, share)| *share).sum();
        let from_meter = paid.min(payable);
        let seed = MicroCents::from(self.parts.next_terms.unwrap_or(self.parts.terms).seed);
        let from_reserve = seed.min(self.reserve());
        Ok(vec![
            MeterEvent::Claimed { claim, winners: winners.to_vec() },
            MeterEvent::Awarded(Award { claim, shares, from_meter, from_house: paid - from_meter }),
            MeterEvent::Reseeded {
                claim,
                overflow: self.parts.overflow,
                from_reserve,
                from_house: seed - from_reserve,
            },
        ])
    }

    /// Applies an event and checks that nothing was lost.
    pub fn evolve(&mut self, event: &MeterEvent) {
        match event {
            MeterEvent::Fed { amount, reserve, overflow, from_house } => {
                self.parts.amount += *amount;
                self.parts.reserve += *reserve;
                self.parts.overflow += *overflow;
                self.parts.contributed += *amount + *reserve + *overflow - *from_house;
                self.parts.funded += *from_house;
            }
            MeterEvent::Claimed { claim, .. } => self.parts.awards.push(Paid {
                claim: *claim,
                from_meter: MicroCents::ZERO,
                overflow: MicroCents::ZERO,
                from_reserve: MicroCents::ZERO,
                from_house: MicroCents::ZERO,
                replaced: None,
            }),
            MeterEvent::Awarded(award) => {
                let from_meter = MicroCents::from(award.from_meter);
                self.parts.amount -= from_meter;
                self.parts.paid += from_meter;
                self.award_mut(award.claim).from_meter = from_meter;
            }
            MeterEvent::Reseeded { claim, overflow, from_reserve, from_house } => {
                self.parts.amount += *from_reserve + *from_house;
                self.parts.overflow -= *overflow;
                self.parts.reserve += *overflow - *from_reserve;
                self.parts.funded += *from_house;
                let replaced = self.parts.next_terms.take().map(|next| (self.parts.terms, next));
                if let Some((_, next)) = replaced {
                    self.parts.terms = next;
                }
                let paid = self.award_mut(*claim);
                paid.replaced = replaced;
                paid.overflow = *overflow;
                paid.from_reserve = *from_reserve;
                paid.from_house = *from_house;
            }
            MeterEvent::Reversed { claim } => {
                let paid = self.award_mut(*claim).clone();
                self.parts.amount += paid.from_meter - paid.from_reserve - paid.from_house;
                self.parts.paid -= paid.from_meter;
                self.parts.overflow += paid.overflow;
                self.parts.reserve += paid.from_reserve - paid.overflow;
                self.parts.funded -= paid.from_house;
                self.parts.awards.retain(|paid| paid.claim != *claim);
                // The reset did not happen, so the terms that waited for it wait again.
                if let Some((before, next)) =
                    paid.replaced.filter(|(_, next)| *next == self.parts.terms)
                {
                    self.parts.terms = before;
                    self.parts.next_terms.get_or_insert(next);
                }
            }
            MeterEvent::Adjusted { amount, overflow, .. } => {
                self.parts.amount += *amount;
                self.parts.overflow += *overflow;
                self.parts.funded += *amount + *overflow;
            }
            MeterEvent::MovedOut(Moved { amount, reserve, overflow, kept }) => {
                self.parts.amount -= *amount;
                self.parts.reserve -= *reserve;
                self.parts.overflow -= *overflow;
                self.parts.kept -= *kept;
                self.parts.moved_out += *amount + *reserve + *overflow + *kept;
            }
            MeterEvent::MovedIn(Moved { amount, reserve, overflow, kept }) => {
                self.parts.amount += *amount;
                self.parts.reserve += *reserve;
                self.parts.overflow += *overflow;
                self.parts.kept += *kept;
                self.parts.moved_in += *amount + *reserve + *overflow + *kept;
            }
            MeterEvent::Kept(Moved { amount, reserve, overflow, .. }) => {
                self.parts.amount -= *amount;
                self.parts.reserve -= *reserve;
                self.parts.overflow -= *overflow;
                self.parts.kept += *amount + *reserve + *overflow;
            }
            MeterEvent::TermsSet { terms } => self.parts.next_terms = Some(*terms),
            MeterEvent::Closed { returned } => {
                self.parts.closed = true;
                self.parts.funded -= *returned;
                self.parts.amount = MicroCents::ZERO;
                self.parts.reserve = MicroCents::ZERO;
                self.parts.overflow = MicroCents::ZERO;
            }
        }
        assert!(self.is_conserved(), "meter {} lost money: {self:?}", self.parts.name);
    }

    fn award_mut(&mut self, claim: TableClaim) -> &mut Paid {
        let mut awards = self.parts.awards.iter_mut();
        awards.find(|paid| paid.claim == claim).expect("an award answers a claim")
    }

    /// Decides a command and applies what it does.
    pub fn obey(&mut self, command: &MeterCommand) -> Result<Vec<MeterEvent>, Refusal> {
        let events = self.decide(command)?;
        events.iter().for_each(|event| self.evolve(event));
        Ok(events)
    }
}

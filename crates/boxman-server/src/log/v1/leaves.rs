//! The smallest things: amounts, places, dice, names.

use craps::account::{Account, Posting, Postings};
use craps::dice::{Total, Totals};
use craps::money::Fraction;
use craps::rules::MeterPlace;
use craps::spot::AwardId;
use craps::{Cents, ClaimId, MicroCents, Puck, Rate, Roll, Seat, Spot};

use crate::dice::{Commitment, ShooterBytes};
use crate::hash::Hash;
use crate::id::{MeterId, TableId};
use crate::log::stored::{Stored, Wrong, stored};

stored! {
    struct Line = crate::line::Line { what: String; before: String, after: String }
}

/// Numbers with a name.
macro_rules! as_number {
    ($($type:ident in $number:ty),* $(,)?) => { $(
        impl Stored<$type> for $number {
            fn keep(value: &$type) -> $number {
                value.0
            }

            fn recall(self) -> Result<$type, Wrong> {
                Ok($type(self))
            }
        }
    )* };
}

as_number!(Cents in i64, MicroCents in i128, Rate in u32, ClaimId in u64);

/// Places in the lists of the rules: their order is part of the format.
macro_rules! as_place {
    ($($type:ident in $number:ty),* $(,)?) => { $(
        impl Stored<$type> for $number {
            fn keep(value: &$type) -> $number {
                <$number>::try_from(value.index()).expect("the rules have no more")
            }

            fn recall(self) -> Result<$type, Wrong> {
                Ok($type::at(self))
            }
        }
    )* };
}

as_place!(Spot in u8, AwardId in u16, MeterPlace in u8);

/// What has a text of its own.
macro_rules! as_text {
    ($($type:ident),* $(,)?) => { $(
        impl Stored<$type> for String {
            fn keep(value: &$type) -> String {
                value.to_string()
            }

            fn recall(self) -> Result<$type, Wrong> {
                self.parse().map_err(|error| Wrong(format!("`{self}`: {error}")))
            }
        }
    )* };
}

as_text!(Roll, TableId, MeterId, Commitment, ShooterBytes);

/// Seats are counted from nought.
impl Stored<Seat> for u8 {
    fn keep(seat: &Seat) -> u8 {
        seat.0
    }

    fn recall(self) -> Result<Seat, Wrong> {
        match usize::from(self) < Seat::COUNT {
            true => Ok(Seat(self)),
            false => Err(Wrong(format!("there is no seat {self}"))),
        }
    }
}

/// The point, or nought where the puck is off.
impl Stored<Puck> for u8 {
    fn keep(puck: &Puck) -> u8 {
        puck.point().map_or(0, Total::number)
    }

    fn recall(self) -> Result<Puck, Wrong> {
        match self {
            0 => Ok(Puck::Off),
            point => point.recall().map(Puck::On),
        }
    }
}

impl Stored<Total> for u8 {
    fn keep(total: &Total) -> u8 {
        total.number()
    }

    fn recall(self) -> Result<Total, Wrong> {
        Total::new(self).ok_or_else(|| Wrong(format!("two dice do not show {self}")))
    }
}

impl Stored<Totals> for Vec<u8> {
    fn keep(totals: &Totals) -> Vec<u8> {
        totals.iter().map(Total::number).collect()
    }

    fn recall(self) -> Result<Totals, Wrong> {
        self.into_iter().map(<u8 as Stored<Total>>::recall).collect()
    }
}

impl Stored<[u8; 32]> for Hash {
    fn keep(bytes: &[u8; 32]) -> Hash {
        Hash(*bytes)
    }

    fn recall(self) -> Result<[u8; 32], Wrong> {
        Ok(self.0)
    }
}

/// Nothing is not written.
impl Stored<Fraction> for Option<(i64, i64)> {
    fn keep(fraction: &Fraction) -> Option<(i64, i64)> {
        (*fraction != Fraction::ZERO).then_some((fraction.num, fraction.den))
    }

    fn recall(self) -> Result<Fraction, Wrong> {
        match self {
            None => Ok(Fraction::ZERO),
            Some((num, den)) if den > 0 => Ok(Fraction { num, den }),
            Some((num, den)) => Err(Wrong(format!("{num}/{den} is no fraction"))),
        }
    }
}

/// Each account with what it gains.
impl Stored<Postings> for Vec<(String, i64)> {
    fn keep(postings: &Postings) -> Vec<(String, i64)> {
        postings.iter().map(|posting| (name(posting.account), posting.amount.0)).collect()
    }

    fn recall(self) -> Result<Postings, Wrong> {
        let posting = |(name, amount): (String, i64)| {
            let account = account(&name)?;
            Ok(Posting { account, amount: Cents(amount) })
        };
        self.into_iter().map(posting).collect()
    }
}

fn name(account: Account) -> String {
    match account {
        Account::Cage => "cage".to_owned(),
        Account::Bank => "bank".to_owned(),
        Account::House => "house".to_owned(),
        Account::Envy => "envy".to_owned(),
        Account::Breakage => "breakage".to_owned(),
        Account::Clearing => "clearing".to_owned(),
        Account::Held => "held".to_owned(),
        Account::Rack(Seat(seat)) => format!("rack {seat}"),
        Account::Action(Seat(seat)) => format!("action {seat}"),
    }
}

fn account(name: &str) -> Result<Account, Wrong> {
    let wrong = || Wrong(format!("there is no account `{name}`"));
    let seat = |seat: &str| seat.parse::<u8>().map_err(|_| wrong())?.recall();
    Ok(match name.split_once(' ') {
        None => match name {
            "cage" => Account::Cage,
            "bank" => Account::Bank,
            "house" => Account::House,
            "envy" => Account::Envy,
            "breakage" => Account::Breakage,
            "clearing" => Account::Clearing,
            "held" => Account::Held,
            _ => return Err(wrong()),
        },
        Some(("rack", of)) => Account::Rack(seat(of)?),
        Some(("action", of)) => Account::Action(seat(of)?),
        Some(_) => return Err(wrong()),
    })
}

impl<const N: usize> Stored<[Cents; N]> for Vec<i64> {
    fn keep(amounts: &[Cents; N]) -> Vec<i64> {
        amounts.iter().map(|amount| amount.0).collect()
    }

    fn recall(self) -> Result<[Cents; N], Wrong> {
        let amounts: Vec<Cents> = self.into_iter().map(Cents).collect();
        let wrong = |amounts: Vec<Cents>| Wrong(format!("{} amounts, not {N}", amounts.len()));
        amounts.try_into().map_err(wrong)
    }
}

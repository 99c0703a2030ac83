//! What a session is played for, as it is asked for: money, time, goal and floor.

#![expect(clippy::float_arithmetic, reason = "hours are told in parts, and played in rolls")]

use craps::Cents;
use craps::machine::{Length, Session};

/// What sessions are played for.
#[derive(clap::Args)]
pub(crate) struct StopArgs {
    /// What the player sits down with
    #[arg(long, allow_negative_numbers = true, value_name = "DOLLARS", default_value = "1000")]
    bankroll: Cents,
    /// Play so many rolls
    #[arg(long, group = "length", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    rolls: Option<u32>,
    /// Play so many shooters
    #[arg(long, group = "length", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    shooters: Option<u32>,
    /// Play so many hours, such as 2.5
    #[arg(long, group = "length", value_parser = hours)]
    hours: Option<f64>,
    /// How many rolls make an hour
    #[arg(long, default_value_t = 144, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) pace: u32,
    /// Stop once this much is there
    #[arg(long, allow_negative_numbers = true, value_name = "DOLLARS")]
    pub(crate) goal: Option<Cents>,
    /// Stop once no more than this is left
    #[arg(long, allow_negative_numbers = true, value_name = "DOLLARS")]
    floor: Option<Cents>,
    /// Give an open session up after so many rolls
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) most_rolls: u32,
}

impl StopArgs {
    /// Whether it says when time is up.
    pub(crate) fn is_timed(&self) -> bool {
        self.rolls.is_some() || self.hours.is_some() || self.shooters.is_some()
    }

    /// The session asked for; goal and floor have to lie on their sides of the bankroll.
    pub(crate) fn session(&self) -> Result<Session, String> {
        let session = self.for_any_bankroll()?;
        let bankroll = session.bankroll;
        if let Some(goal) = self.goal.filter(|goal| *goal <= bankroll) {
            return Err(format!(
                "a goal of ${goal} is reached before the first roll with ${bankroll}"
            ));
        }
        if let Some(floor) = self.floor.filter(|floor| *floor >= bankroll) {
            return Err(format!(
                "a floor of ${floor} is reached before the first roll with ${bankroll}"
            ));
        }
        Ok(session)
    }

    /// The session asked for, whose bankroll may still change.
    pub(crate) fn for_any_bankroll(&self) -> Result<Session, String> {
        let bankroll = self.bankroll;
        if bankroll <= Cents::ZERO {
            return Err("nobody sits down with nothing, say --bankroll 300".to_owned());
        }
        let length = match (self.rolls, self.shooters, self.hours) {
            (Some(rolls), ..) => Length::Rolls(rolls),
            (_, Some(shooters), _) => Length::Shooters(shooters),
            (.., Some(hours)) => {
                let rolls = (hours * f64::from(self.pace)).round();
                if rolls < 1.0 {
                    return Err("that is less than a roll, say --hours 1".to_owned());
                }
                Length::Rolls(rolls as u32)
            }
            _ => Length::Open,
        };
        Ok(Session { bankroll, length, goal: self.goal, floor: self.floor })
    }
}

/// Hours, whole or in part.
fn hours(text: &str) -> Result<f64, String> {
    let hours = text.parse::<f64>().ok().filter(|hours| *hours > 0.0 && *hours <= 10_000.0);
    hours.ok_or_else(|| "hours are a number up to 10,000, such as 4 or 2.5".to_owned())
}

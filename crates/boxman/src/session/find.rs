//! `boxman session --find`: the bankroll, goal or length that gives a wanted chance.

use craps::Cents;
use craps::machine::End;
use craps_math::session::{Length, Outcome, Over, Session};

/// The largest bankroll or goal tried, in dollars.
const MOST_DOLLARS: i64 = 10_000_000;
/// The first length tried, in rolls.
const FIRST_ROLLS: u32 = 64;

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Find {
    /// The least bankroll, in whole dollars
    Bankroll,
    /// The highest goal, in whole dollars
    Goal,
    /// The longest session within a chance of ruin, or the shortest to reach the goal
    Length,
}

/// The chance wanted.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    /// No more than this are ruined, sink to the floor or have too little to bet.
    Ruin(f64),
    /// At least this many reach the goal.
    Reach(f64),
}

impl Wanted {
    /// What counts: whoever stops betting for want of money is ruined too, though the plan only
    /// looked at its rack and never asked.
    fn counted(self, outcome: &Outcome) -> Vec<Over> {
        let idle = Over::Ended(End::Idle);
        let broke = outcome.finals[idle.index()].iter().all(|(left, _)| *left < outcome.bankroll);
        match self {
            Wanted::Ruin(_) if broke => vec![Over::Ended(End::Ruined), Over::Floor, idle],
            Wanted::Ruin(_) => vec![Over::Ended(End::Ruined), Over::Floor],
            Wanted::Reach(_) => vec![Over::Goal],
        }
    }

    fn chance(self, outcome: &Outcome) -> f64 {
        self.counted(outcome).into_iter().map(|over| outcome.chance(over)).sum()
    }

    fn is_met(self, chance: f64) -> bool {
        match self {
            Wanted::Ruin(most) => chance <= most,
            Wanted::Reach(least) => chance >= least,
        }
    }

    fn words(self, chance: f64) -> String {
        let percent = craps_report::share(chance);
        match self {
            Wanted::Ruin(_) => format!("ruined {percent}"),
            Wanted::Reach(_) => format!("reached {percent}"),
        }
    }
}

/// A session found, and a sentence about it.
pub(super) struct Found {
    pub(super) session: Session,
    pub(super) outcome: Outcome,
    pub(super) words: String,
}

/// Looks for it, with a plan that may leave or does not; `play` plays a session.
pub(super) fn find(
    what: Find,
    wanted: Wanted,
    session: &Session,
    leaves: bool,
    mut play: impl FnMut(&Session) -> Result<Outcome, String>,
) -> Result<Found, String> {
    if matches!(wanted, Wanted::Reach(_)) && session.goal.is_none() && what != Find::Goal {
        return Err("--reach is about a goal: say --goal".to_owned());
    }
    match what {
        Find::Bankroll if session.length == Length::Open && session.goal.is_none() && !leaves => {
            Err("without a length or a goal every session goes on to its ruin: say --rolls, \
                 --hours, --shooters or --goal"
                .to_owned())
        }
        Find::Bankroll => bankroll(wanted, session, &mut play),
        Find::Goal => goal(wanted, session, &mut play),
        Find::Length => length(wanted, session, &mut play),
    }
}

/// The least of 1, 2, 3 … for which it holds, where it holds for all above; none up to `most`.
/// By doubling, then halving.
fn least(
    most: i64,
    mut holds: impl FnMut(i64) -> Result<bool, String>,
) -> Result<Option<i64>, String> {
    let (mut below, mut tried) = (0, 1.min(most));
    while !holds(tried)? {
        if tried == most {
            return Ok(None);
        }
        (below, tried) = (tried, (tried * 2).min(most));
    }
    while tried - below > 1 {
        let middle = below + (tried - below) / 2;
        (below, tried) = if holds(middle)? { (below, middle) } else { (middle, tried) };
    }
    Ok(Some(tried))
}

type Player<'a> = &'a mut dyn FnMut(&Session) -> Result<Outcome, String>;

fn bankroll(wanted: Wanted, session: &Session, play: Player<'_>) -> Result<Found, String> {
    let with = |dollars: i64| Session { bankroll: Cents::dollars(dollars), ..*session };
    let most = session.goal.map_or(MOST_DOLLARS, |goal| (goal.0 - 1) / 100);
    let met = |outcome: &Outcome| match outcome.rolls > 0.0 {
        true => wanted.is_met(wanted.chance(outcome)),
        // With too little nobody plays; with so much that the plan leaves at once it is enough.
        false => outcome.chance(Over::Ended(End::Left)) > 0.0,
    };
    let least = least(most, |dollars| Ok(met(&play(&with(dollars))?)))?;
    let words = |outcome: &Outcome| wanted.words(wanted.chance(outcome));
    let Some(dollars) = least else {
        let outcome = play(&with(most))?;
        return Err(format!("even with ${most} it is {}", words(&outcome)));
    };
    let session = with(dollars);
    let outcome = play(&session)?;
    if outcome.rolls <= 0.0 {
        return Err(format!(
            "with ${dollars} it leaves before the first roll, and less is too little"
        ));
    }
    let mut said = format!("${dollars} is the least bankroll: {}", words(&outcome));
    if dollars > 1 {
        let less = play(&with(dollars - 1))?;
        said += &format!("; with a dollar less {}", words(&less));
    }
    Ok(Found { session, outcome, words: said })
}

fn goal(wanted: Wanted, session: &Session, play: Player<'_>) -> Result<Found, String> {
    let base = session.bankroll.0.div_euclid(100);
    let for_goal = |more: i64| Session { goal: Some(Cents::dollars(base + more)), ..*session };
    let chance = |outcome: &Outcome| wanted.chance(outcome);
    let missed = least(MOST_DOLLARS, |more| Ok(!wanted.is_met(chance(&play(&for_goal(more))?))))?;
    let more = missed.map_or(MOST_DOLLARS, |missed| missed - 1);
    if more == 0 {
        let words = wanted.words(chance(&play(&for_goal(1))?));
        return Err(format!("even with a goal one dollar away it is {words}"));
    }
    let session = for_goal(more);
    let outcome = play(&session)?;
    let words = wanted.words(chance(&outcome));
    let mut said = format!("${} is the highest goal: {words}", base + more);
    if missed.is_some() {
        let words = wanted.words(chance(&play(&for_goal(more + 1))?));
        said += &format!("; for a dollar more {words}");
    }
    Ok(Found { session, outcome, words: said })
}

/// The longest session within a chance of ruin, or the shortest that reaches the goal often
/// enough. What has happened by a roll does not depend on how long the session is.
fn length(wanted: Wanted, session: &Session, play: Player<'_>) -> Result<Found, String> {
    let of = |rolls: u32| Session { length: Length::Rolls(rolls), ..*session };
    let mut rolls = FIRST_ROLLS;
    let (rolls, chance) = loop {
        let outcome = play(&of(rolls))?;
        let counted = wanted.counted(&outcome);
        // Who cannot even begin is over before the first roll.
        let begun = outcome.rolls > 0.0;
        let mut sum = if begun { 0.0 } else { wanted.chance(&outcome) };
        let mut by_roll = vec![sum];
        for ended in &outcome.by_roll {
            sum += counted.iter().map(|over| ended[over.index()]).sum::<f64>();
            by_roll.push(sum);
        }
        let found = match wanted {
            Wanted::Ruin(_) => by_roll.iter().position(|chance| !wanted.is_met(*chance)),
            Wanted::Reach(_) => by_roll.iter().position(|chance| wanted.is_met(*chance)),
        };
        match (found, wanted) {
            (Some(0), Wanted::Ruin(_)) => break (0, sum),
            (Some(passed), Wanted::Ruin(_)) => break (passed - 1, by_roll[passed - 1]),
            (Some(reached), Wanted::Reach(_)) => break (reached, by_roll[reached]),
            (None, _) => {}
        }
        if outcome.chance(Over::Time) < 1e-12 {
            return Err(format!("however long it lasts, it is {}", wanted.words(sum)));
        }
        rolls = rolls.checked_mul(2).ok_or("no length was found")?;
    };
    if rolls == 0 {
        return Err("more than that are ruined by the first roll: bring more".to_owned());
    }
    let session = of(rolls as u32);
    let outcome = play(&session)?;
    let most = match wanted {
        Wanted::Ruin(_) => "most",
        Wanted::Reach(_) => "fewest",
    };
    let words = format!("{rolls} rolls is the {most}: {}", wanted.words(chance));
    Ok(Found { session, outcome, words })
}

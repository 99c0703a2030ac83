//! `boxman sim --show`: one session of many as a tape.

use craps::machine::Over;
use craps_plan::Last;
use craps_sim::dice::Dice;

use crate::plan::play::tape;
use crate::sim::seat::SimSeat;

/// A session as a tape, to where it ended.
pub(super) fn tape_of(seat: &SimSeat, seed: u64, number: u64) -> Result<String, String> {
    let shown = seat.course.show(Dice { seed }, number);
    // A goal or a floor comes before the plan is asked again.
    let last = match shown.over {
        Over::Goal | Over::Floor => Last::Settled,
        Over::Ended(_) | Over::Time => Last::Asked,
    };
    let tape = tape(&seat.seated, &shown.rolls, seat.session.bankroll, last)?;
    let why = match shown.over {
        Over::Goal => "the goal is reached".to_owned(),
        Over::Floor => "the floor is reached".to_owned(),
        Over::Ended(end) => end.to_string(),
        Over::Time => "time is up".to_owned(),
    };
    let rolls = shown.rolls.len();
    Ok(format!(
        "# Session {number} of seed {seed}: {why} after {rolls} roll{} with ${} in all.\n{tape}",
        if rolls == 1 { "" } else { "s" },
        shown.equity
    ))
}

//! `boxman plan play`: a plan roll by roll.

use craps::library::split_option;
use craps::machine::{Asked, Play, Table};
use craps::{Action, Cents, Fate, Roll, Rules};
use craps_plan::{Last, Plan, Session, situation};
use craps_sim::dice::Dice;

use crate::plans::Seated;
use crate::say;

/// Plays a plan with these dice and shows every ask, refusal and cent.
pub(super) fn play(seated: &Seated, dice: &[Roll], bankroll: Cents) -> Result<(), String> {
    let Seated { plan, rules, meters, .. } = seated;
    let (mut play, asked) = Play::start(rules, plan, meters, bankroll)
        .map_err(|fault| fault.with_situation(situation(rules, &Table::default())).to_string())?;
    say(&format!("{} sits down with ${bankroll}", plan.name()));
    tell(rules, &asked);
    for (number, roll) in (1..).zip(dice) {
        let puck = match play.now() {
            Ok(position) => position.table.state.hand.puck,
            Err(end) => {
                say(&format!("It is over: {end}."));
                return Ok(());
            }
        };
        let before = play.equity();
        let turn = play.roll(*roll);
        let change = play.equity() - before;
        let called = craps::call::stick_call(puck, *roll, rules.points);
        let sign = if change < Cents::ZERO { "-" } else { "+" };
        let change = Cents(change.0.abs());
        say(&format!("{number:>4}. {roll} {called}: {sign}${change}, ${} in all", play.equity()));
        settled(rules, &play);
        // A fault is told with the table as the roll left it, which is what the plan saw.
        let turn = turn.map_err(|fault| match play.now() {
            Ok(after) => fault.with_situation(situation(rules, &after.table)).to_string(),
            Err(_) => fault.to_string(),
        })?;
        tell(rules, &turn.map_or(Vec::new(), |turn| turn.asked));
    }
    if let Err(end) = play.now() {
        say(&format!("It is over: {end}."));
    }
    Ok(())
}

/// Says what became of each bet.
fn settled(rules: &Rules, play: &Play<'_, Plan>) {
    for line in &play.settlement().lines {
        let spot = &rules.spot_rule(line.bet.spot).notation;
        let what = match line.fate {
            Fate::Win { .. } => {
                format!("{spot} wins ${}", line.won + play.jackpot(line.bet.spot))
            }
            Fate::Lose => format!("{spot} loses ${}", line.bet.outlay()),
            Fate::Push => format!("{spot} pushes"),
            Fate::Return => format!("{spot} comes back"),
            Fate::Travel(to) => format!("{spot} goes to {}", rules.spot_rule(to).notation),
            Fate::Stand => continue,
        };
        say(&format!("        {what}"));
    }
}

/// The same as a tape, with what the plan is at the top.
pub(crate) fn tape(
    seated: &Seated,
    dice: &[Roll],
    bankroll: Cents,
    last: Last,
) -> Result<String, String> {
    let Seated { plan, rules, meters, rulebooks, options } = seated;
    if let Some(odd) = rulebooks.iter().find(|name| name.contains([' ', '\t', '#'])) {
        return Err(format!("a tape cannot name `{odd}`: rename the file to one word"));
    }
    let options = options.iter().map(|set| split_option(set)).collect::<Result<Vec<_>, _>>()?;
    let options = options.as_slice();
    let session = Session { rulebooks, options, rules, meters, bankroll };
    let tape = session.tape_to(plan, dice, last).map_err(|fault| fault.to_string())?;
    let about = plan.header().about.iter().map(|line| format!("# {line}\n"));
    let about: String = about.collect();
    let about = if about.is_empty() { format!("# {}\n", plan.name()) } else { about };
    Ok(format!("{about}{tape}"))
}

fn tell(rules: &Rules, asked: &[Asked]) {
    for (action, answer) in asked {
        let spot = &rules.spot_rule(action.spot()).notation;
        let what = match action {
            Action::Put { amount, .. } => format!("${amount} on {spot}"),
            Action::Take { amount: Some(amount), .. } => format!("${amount} off {spot}"),
            Action::Take { .. } => format!("{spot} down"),
            Action::Call { call, .. } => format!("{spot} {}", call.word()),
        };
        match answer {
            Ok(_) => say(&format!("        asks for {what}")),
            Err(refusal) => say(&format!("        asks for {what}: no, {refusal}")),
        }
    }
}

/// Rolls from a seed: the dice of the simulator's first session.
pub(super) fn random(seed: u64, count: u32) -> Vec<Roll> {
    Dice { seed }.rolls(0).take(count as usize).collect()
}

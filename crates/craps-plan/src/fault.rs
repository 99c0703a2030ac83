//! What is wrong with a plan, and where: the line, a caret, and the situation at the table.

use std::fmt;

use craps::machine::Table;
use craps::{Puck, Rules};

/// What is wrong with a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The plan's file or name.
    pub plan: String,
    /// The line, from one; none where the whole plan is at fault.
    pub line: Option<usize>,
    /// The column, from one.
    pub column: usize,
    /// The text of that line.
    pub text: String,
    /// What is wrong, and what to do.
    pub message: String,
    /// What stood on the table when it was asked.
    pub situation: Option<String>,
}

impl Fault {
    pub(crate) fn at(plan: &str, source: &str, place: rhai::Position, message: String) -> Fault {
        let line = place.line();
        let text = line.and_then(|line| source.lines().nth(line - 1)).unwrap_or_default();
        Fault {
            plan: plan.to_owned(),
            line,
            column: place.position().unwrap_or(1),
            text: text.to_owned(),
            message,
            situation: None,
        }
    }

    /// The fault, found in this situation.
    #[must_use]
    pub fn with_situation(self, situation: String) -> Fault {
        Fault { situation: Some(situation), ..self }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { plan, line, column, text, message, situation } = self;
        match line {
            None => write!(f, "{plan}: {message}")?,
            Some(line) => {
                let margin = " ".repeat(line.to_string().len());
                let before = " ".repeat(column - 1);
                writeln!(f, "{plan}:{line}:{column}: {message}")?;
                write!(f, "  {line} | {text}\n  {margin} | {before}^")?;
            }
        }
        match situation {
            Some(situation) => write!(f, "\n  {situation}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Fault {}

/// What stands on a table, in words: `with the puck on 6 and $12.00 on place 8`.
pub fn situation(rules: &Rules, table: &Table) -> String {
    let puck = match table.state.hand.puck {
        Puck::Off => "with the puck off".to_owned(),
        Puck::On(point) => format!("with the puck on {point}"),
    };
    let bets: Vec<String> = table
        .state
        .layout
        .bets()
        .iter()
        .map(|bet| format!("${} on {}", bet.stake, rules.spot_rule(bet.spot).notation))
        .collect();
    match bets.as_slice() {
        [] => format!("{puck} and nothing up"),
        [one] => format!("{puck} and {one}"),
        [most @ .., last] => format!("{puck}, {} and {last}", most.join(", ")),
    }
}

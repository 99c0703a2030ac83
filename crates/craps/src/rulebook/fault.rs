//! What is wrong with a rulebook: all faults at once, each with its place and reason.

use std::fmt;

/// Where something was written: a line of the file, or an option given from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    /// A line and column of the rulebook, counted from one.
    Place {
        /// Line.
        line: usize,
        /// Column.
        column: usize,
    },
    /// The option of this name, set by an operator or a tape.
    Option(String),
}

/// One thing wrong with a rulebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file, as it was named when it was read.
    pub file: String,
    /// Where in it, if the fault has a place.
    pub at: Option<At>,
    /// What is wrong, and what to do about it.
    pub reason: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.at {
            Some(At::Place { line, column }) => write!(f, "{}:{line}:{column}: ", self.file)?,
            Some(At::Option(name)) => write!(f, "option {name}: ")?,
            None => write!(f, "{}: ", self.file)?,
        }
        f.write_str(&self.reason)
    }
}

/// Everything found wrong, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults(pub Vec<Fault>);

impl Faults {
    /// A single fault that belongs to no line.
    pub fn one(file: impl Into<String>, reason: impl Into<String>) -> Faults {
        Faults(vec![Fault { file: file.into(), at: None, reason: reason.into() }])
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, fault) in self.0.iter().enumerate() {
            if place > 0 {
                f.write_str("\n")?;
            }
            fault.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}

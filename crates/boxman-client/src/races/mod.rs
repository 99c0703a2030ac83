//! Races at a real table: people of a crew, and players, who act on the same moment without
//! knowing of each other. Each race is data: how the table is prepared, what each person does,
//! which refusals are right, and what may be done only once. A harness brings a [`Line`] to the
//! server, real or simulated, plays a race with delays and duplicates that a seed chooses, and
//! holds the log to the laws in this module.

mod laws;
mod list;
mod play;

use serde_json::{Value, json};

pub use self::laws::{Log, Record, at_the_table, of_answers};
pub use self::list::races;
pub use self::play::{Answered, Known, Line, go_on, play, prepare};

/// Everybody who takes part, with their roles.
pub const PEOPLE: [(&str, &[&str]); 6] = [
    ("dan", &["dealer"]),
    ("dee", &["dealer"]),
    ("sue", &["supervisor"]),
    ("sam", &["supervisor"]),
    ("sid", &["supervisor"]),
    ("ann", &["player"]),
];

/// People who act on the same moment.
#[derive(Clone, Debug)]
pub struct Race {
    /// What it is called.
    pub name: &'static str,
    /// How its table is set up.
    pub config: Value,
    /// What is done before the race begins, one act after the other.
    pub setup: Vec<Act>,
    /// What each person does, all at the same time.
    pub people: Vec<Vec<Act>>,
    /// The codes with which the table may refuse something.
    pub codes: Vec<&'static str>,
    /// How often each deed may be done.
    pub deeds: Vec<(&'static str, Times)>,
}

/// How often a deed may be done, however many people ask for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// Exactly once.
    Once,
    /// Once or not at all.
    AtMostOnce,
}

/// Which betting round a command names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// None: the command means something that has a number of its own.
    Unnamed,
    /// The round that the person sees before sending.
    Seen,
    /// The round in which the race began: the person decided then, and is late.
    Held,
}

/// Something that one person does.
#[derive(Clone, Debug)]
pub struct Act {
    /// Who does it.
    pub who: &'static str,
    /// The command. A text that starts with `$` stands for the record noted under that name, and
    /// `$config` for the table's configuration.
    pub command: Value,
    /// The round that it names.
    pub round: Moment,
    /// The name under which its record is noted.
    pub noted: Option<&'static str>,
    /// What it does, where others ask for the same.
    pub deed: Option<&'static str>,
    /// It is not sent before the act of this name has been answered.
    pub after: Option<&'static str>,
    /// It is sent so many milliseconds later: at least, and at most.
    pub delay: (u64, u64),
}

impl Act {
    /// Somebody asks for something, in the round they see if it depends on the moment.
    pub fn new(who: &'static str, command: Value) -> Act {
        let depends = [
            "put",
            "take",
            "call",
            "close-betting",
            "key-roll",
            "no-roll",
            "pass-dice",
            "open-betting",
        ];
        let word = command["command"].as_str().unwrap_or_default();
        let round = if depends.contains(&word) { Moment::Seen } else { Moment::Unnamed };
        let (noted, deed, after) = (None, None, None);
        Act { who, command, round, noted, deed, after, delay: (0, 300) }
    }

    /// It names the round in which the race began.
    pub fn held(self) -> Act {
        Act { round: Moment::Held, ..self }
    }

    /// Its record is noted.
    pub fn noted(self, name: &'static str) -> Act {
        Act { noted: Some(name), ..self }
    }

    /// It does what others may ask for, too.
    pub fn deed(self, name: &'static str) -> Act {
        Act { deed: Some(name), ..self }
    }

    /// It waits for the answer to another act.
    pub fn after(self, name: &'static str) -> Act {
        Act { after: Some(name), ..self }
    }

    /// It is sent so many milliseconds later.
    pub fn late(self, least: u64, most: u64) -> Act {
        Act { delay: (least, most), ..self }
    }
}

fn close(who: &'static str) -> Act {
    Act::new(who, json!({ "command": "close-betting" }))
}

fn open(who: &'static str) -> Act {
    Act::new(who, json!({ "command": "open-betting" }))
}

fn key(who: &'static str, dice: &str) -> Act {
    Act::new(who, json!({ "command": "key-roll", "dice": dice }))
}

fn no_roll(who: &'static str) -> Act {
    Act::new(who, json!({ "command": "no-roll" }))
}

fn pass_dice(who: &'static str) -> Act {
    Act::new(who, json!({ "command": "pass-dice" }))
}

fn put(who: &'static str, seat: u8, wager: &str, amount: i64) -> Act {
    let put = json!({ "command": "put", "seat": seat, "wager": wager, "amount": amount });
    Act::new(who, put)
}

fn void(who: &'static str) -> Act {
    Act::new(who, json!({ "command": "void", "of": "$roll", "reason": "a die was cocked" }))
}

fn correct(who: &'static str, dice: &str) -> Act {
    let correct = json!({ "command": "correct", "of": "$roll", "dice": dice, "reason": "misread" });
    Act::new(who, correct)
}

fn approve(who: &'static str, proposal: &str) -> Act {
    Act::new(who, json!({ "command": "approve", "proposal": format!("${proposal}") }))
}

fn withdraw(who: &'static str, proposal: &str) -> Act {
    Act::new(who, json!({ "command": "withdraw", "proposal": format!("${proposal}") }))
}

//! Tapes: a session of bets and dice as plain text, one step a line.
//!
//! ```text
//! rules presque-isle bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03
//! option payout-unit 1.00            # any option of those rulebooks, by name
//! meter PT-BJS-MEA-03 25000.00       # what a meter shows before play
//! seat ann 500                       # a player sits down and buys in
//! ann pass 10                        # amounts are what is added
//! roll 3-3                           # closes the betting by itself
//! ann odds 20
//! ! ann come 6000 : over-limit       # must be refused; the code is optional
//! ann take odds by 5                 # `ann take odds` takes all of it
//! ann off hard 6                     # call a bet off; and: on
//! no-roll                            # also: pass-dice, close-betting, pause, resume
//! roll 2-4
//! void a die hit the rail            # also: correct 2-3 misread die
//! = ann 518.00                       # a rack; see the assertions below
//! configure                          # the table goes over to other rules, between hands
//! rules presque-isle bonus-craps-nevada:PT-BJS-MEA-02
//! ```
//!
//! `configure` stands on a line of its own. The lines after it say how the table plays from there
//! on, as the header says it of the beginning: `rules`, `option`, `confirm jackpots`,
//! `confirm over` and, for a meter that begins here, `meter PAYTABLE AMOUNT`. What they do not say
//! is as if it had never been said. Players, racks and the numbers of rolls stay; the table goes
//! over only on a come-out with nothing on the layout. A meter that the new rules leave out is fed
//! no more and keeps what it shows.
//!
//! Two more headers write down what is played without a crew: `shooter any` (a come-out needs no
//! line bet) and `meter PT-BJS-MEA-03 25000 fixed` (every hit pays that; no bet feeds it). No live
//! table is run so.
//!
//! Everything is paid at once unless the tape says otherwise. After `confirm jackpots` in its
//! header jackpots wait, after `confirm over 5000` winnings of a side bet above that, until
//! `confirm 1` or `deny 1 the dice were switched`: claims are counted from one. `return ann pass
//! her cruise sails` hands a bet back that she could not take down.
//!
//! Chips come and go by kind: `ann buy-in 100` is for cash, `ann buy-in 100 marker`, `coupon` or
//! `chips` (her own) say otherwise; `ann cash-out 50` and `ann leave` walk away with them, and
//! `redeem`, `jackpot` (the cage pays), `toke` or `left-behind` after them say otherwise. After
//! `paying` the crew pays the last roll and takes no bets until `open-betting`.
//!
//! Assertions: `= ann 518.00`, `= ann hard 6 10` (a bet), `= house -18.00` (net since opening),
//! `= envy 5.00`, `= breakage 0.50`, `= memo 2/3` (parts of a cent), `= cage -500.00`,
//! `= bank 100.00`, `= tray 100.00` (the house's chips at the table), `= clearing 0.20`,
//! `= held 150.00`, `= claims 1` (waiting), `= meter PT-… 25000.00`, `= reserve PT-… 10.00`,
//! `= puck off`, `= shooter ann`, `= lammers all-small 2 3` (or `none`), `= progress repeater 6
//! 2 of 6 times` (how far any side bet has come, in the words of the catalogue).

mod header;
mod parse;
mod play;

use std::fmt;
use std::sync::Arc;

pub use self::play::{Entry, Failure, Played};
use crate::account::Seat;
use crate::floor::Confirm;
use crate::library::Library;
use crate::money::{Cents, Fraction};
use crate::puck::Puck;
use crate::rulebook::Faults;
use crate::rules::{Chosen, Rules};
use crate::table::{Command, Shooter};

/// A tape that has been read: its rules, its players and its steps.
#[derive(Clone, Debug)]
pub struct Tape {
    /// The file it was read from.
    pub file: String,
    /// The rules it plays by.
    pub rules: Arc<Rules>,
    setup: Setup,
    fixed: bool,
    shooter: Shooter,
    names: Vec<String>,
    steps: Vec<Step>,
}

/// How a table on a tape plays: from the beginning, or from a `configure` on.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The rules.
    pub rules: Arc<Rules>,
    /// The rulebooks it names, each as it is written.
    pub rulebooks: Vec<String>,
    /// The options it sets, in order.
    pub options: Vec<(String, String)>,
    /// What meters show before they are played for.
    pub presets: Vec<(String, Cents)>,
    /// What waits until it is confirmed.
    pub confirm: Confirm,
}

/// Something that is done on a tape.
#[derive(Clone, Copy, Debug)]
pub enum Act<'a> {
    /// The table obeys commands.
    Obey(&'a [Command]),
    /// The table goes over to other rules.
    Configure(&'a Setup),
}

#[derive(Clone, Debug)]
struct Step {
    line: usize,
    text: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Do(Vec<Command>),
    Configure(Box<Setup>),
    Refuse { commands: Vec<Command>, code: Option<String> },
    Expect(Expect),
}

/// Something a tape says must be so.
#[derive(Clone, Debug)]
enum Expect {
    Rack(Seat, Cents),
    Bet(Seat, String, Cents),
    House(Cents),
    Envy(Cents),
    Breakage(Cents),
    Cage(Cents),
    Bank(Cents),
    Tray(Cents),
    Clearing(Cents),
    Held(Cents),
    Claims(usize),
    Memo(Fraction),
    Meter(String, Cents),
    Reserve(String, Cents),
    Puck(Puck),
    Shooter(Seat),
    Lammers(String, crate::dice::Totals),
    Progress(String, String),
}

/// Why a tape could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TapeError {
    /// Lines that say nothing a tape can say.
    Lines(Vec<BadLine>),
    /// The rulebooks it names have faults.
    Rules(Faults),
}

/// A line that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// The file.
    pub file: String,
    /// The line, counted from one.
    pub line: usize,
    /// What was expected.
    pub reason: String,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.reason)
    }
}

impl fmt::Display for TapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TapeError::Rules(faults) => faults.fmt(f),
            TapeError::Lines(lines) => {
                for (place, line) in lines.iter().enumerate() {
                    if place > 0 {
                        f.write_str("\n")?;
                    }
                    line.fmt(f)?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for TapeError {}

impl Tape {
    /// Reads a tape whose rulebooks are all in the library.
    pub fn parse(file: &str, text: &str, library: &Library) -> Result<Tape, TapeError> {
        Tape::parse_with(file, text, library, &[], |name| library.choose(name))
    }

    /// Reads a tape, fetching rulebooks with `choose`, which may look further than the library.
    /// Where `rules` names any, they replace the tape's own.
    pub fn parse_with(
        file: &str,
        text: &str,
        library: &Library,
        rules: &[String],
        choose: impl Fn(&str) -> Result<Chosen, Faults>,
    ) -> Result<Tape, TapeError> {
        parse::tape(file, text, library, rules, choose)
    }

    /// The names of the players, in the order they sat down.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether a player on a tape may be called so.
    pub fn is_name(word: &str) -> bool {
        parse::is_name(word)
    }

    /// The rulebooks it names, each as it is written.
    pub fn rulebooks(&self) -> &[String] {
        &self.setup.rulebooks
    }

    /// The options it sets, in order.
    pub fn options(&self) -> &[(String, String)] {
        &self.setup.options
    }

    /// What meters show before play.
    pub fn presets(&self) -> &[(String, Cents)] {
        &self.setup.presets
    }

    /// What waits on it until it is confirmed.
    pub fn confirm(&self) -> Confirm {
        self.setup.confirm
    }

    /// How it plays from the beginning.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The rules it plays by in the end.
    pub fn last_rules(&self) -> &Arc<Rules> {
        let changes = self.steps.iter().rev();
        let mut changes = changes.filter_map(|step| match &step.kind {
            Kind::Configure(setup) => Some(&setup.rules),
            _ => None,
        });
        changes.next().unwrap_or(&self.rules)
    }

    /// The header that no live table can follow, where it has one.
    pub fn only_on_tape(&self) -> Option<&'static str> {
        match (self.shooter, self.fixed) {
            (Shooter::Any, _) => Some("shooter any"),
            (_, true) => Some("meter … fixed"),
            _ => None,
        }
    }

    /// What is done, line by line. Assertions and what must be refused are left out, and betting
    /// that closes by itself before a throw is not written down.
    pub fn script(&self) -> impl Iterator<Item = (usize, Act<'_>)> {
        self.steps.iter().filter_map(|step| match &step.kind {
            Kind::Do(commands) => Some((step.line, Act::Obey(commands))),
            Kind::Configure(setup) => Some((step.line, Act::Configure(setup))),
            Kind::Refuse { .. } | Kind::Expect(_) => None,
        })
    }

    /// Plays it from the first line to the last.
    pub fn play(&self) -> Played {
        play::play(self)
    }
}

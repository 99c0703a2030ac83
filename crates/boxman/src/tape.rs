//! `boxman tape`: play a script of bets and dice and check what it asserts.

mod json;
mod text;

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use craps::floor::FloorEvent;
use craps::tape::{Entry, Played};
use craps::{Event, Library, Rules, Seat, Spot, Tape};

use crate::{Stop, say, say_error, shelf};

/// What seats and spots are called on a tape. A seat is called by whoever sits in it.
struct Names {
    rules: Arc<Rules>,
    players: Vec<String>,
}

impl Names {
    fn of(tape: &Tape) -> Names {
        Names { rules: Arc::clone(&tape.rules), players: vec![String::new(); Seat::COUNT] }
    }

    /// Notes by which rules a step and those after it are told.
    fn go_over(&mut self, entry: &Entry) {
        if let Some(rules) = &entry.rules {
            self.rules = Arc::clone(rules);
        }
    }

    /// Notes who has sat down, before that is told.
    fn follow(&mut self, event: &FloorEvent) {
        if let FloorEvent::Table { event, .. } = event
            && let Event::Sat { seat, name } | Event::Renamed { seat, name } = event
        {
            self.players[seat.index()].clone_from(name);
        }
    }

    fn name(&self, seat: Seat) -> &str {
        &self.players[seat.index()]
    }

    fn spot(&self, spot: Spot) -> &str {
        &self.rules.spot_rule(spot).notation
    }
}

/// Play a script of bets and dice, pay every bet, and check what the script asserts
#[derive(clap::Args)]
#[command(after_help = "A tape is plain text, one step a line:\n  \
    rules presque-isle            the rulebooks (this one if left out)\n  \
    seat ann 500                  a player sits down and buys in\n  \
    ann pass 10                   chips go down; amounts are what is added\n  \
    roll 3-3                      closes the betting and throws\n  \
    ! ann come 6000 : over-limit  must be refused, with this code\n  \
    = ann 490.00                  must be so\n  \
    configure                     other rules from here on, as the lines after it say\n\n\
    The README lists every step and assertion. Exit codes: 0 all held, 1 an assertion failed,\n\
    2 a tape could not be read.")]
pub(crate) struct Args {
    /// The tapes to play; - reads standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Play by these rulebooks instead of the tape's own
    #[arg(long = "rules", value_name = "RULEBOOK[:PAYTABLE,…]")]
    rules: Vec<String>,
    /// One event a line as JSON, and a summary last; amounts are cents
    #[arg(long)]
    json: bool,
    /// Only say whether each tape held
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Stop> {
    let library = Library::embedded();
    let mut failed = false;
    let mut unreadable = false;
    for file in &args.files {
        match read(file, &library, &args.rules) {
            Ok(tape) => failed |= !play(args, &tape),
            Err(reason) => {
                say_error(&reason);
                unreadable = true;
            }
        }
    }
    match (unreadable, failed) {
        (true, _) => Err(Stop::Unreadable),
        (_, true) => Err(Stop::Failed),
        _ => Ok(()),
    }
}

fn read(file: &str, library: &Library, rules: &[String]) -> Result<Tape, String> {
    let text = match file {
        "-" => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map(|_| text)
        }
        path => std::fs::read_to_string(path),
    };
    let text = text.map_err(|error| format!("{file}: cannot be read: {error}"))?;
    let beside = Path::new(file).parent();
    let choose = |name: &str| shelf::choose(library, name, beside);
    Tape::parse_with(file, &text, library, rules, choose).map_err(|error| error.to_string())
}

/// Plays a tape and returns whether all of it held.
fn play(args: &Args, tape: &Tape) -> bool {
    let played: Played = tape.play();
    match (args.json, args.quiet) {
        (true, _) => json::lines(tape, &played).iter().for_each(|line| say(line)),
        (_, true) => {}
        _ => text::lines(tape, &played).iter().for_each(|line| say(line)),
    }
    for failure in &played.failures {
        say_error(&format!(
            "{}:{}: {}\n  expected {}\n  got      {}",
            tape.file, failure.line, failure.text, failure.expected, failure.got
        ));
    }
    let held = played.failures.is_empty();
    if !args.json && held {
        say(&format!("{}: every line held", tape.file));
    }
    held
}

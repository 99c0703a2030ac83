//! The boxman command: one file a subcommand.

mod atlas;
mod best;
mod check;
mod copy;
mod ctrl_c;
mod edge;
mod export;
mod import;
mod migrate;
mod nodes;
mod par;
mod plan;
mod plans;
mod serve;
mod session;
mod shelf;
mod sim;
mod sim_table;
mod stops;
mod stores;
mod tape;
mod verify;
mod wagers;
mod waiting;

use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Craps from one set of rules: run live tables and verify their logs, price every wager
/// exactly, play sessions from text.
///
/// Exit codes: 0 fine, 1 a check failed, 2 misuse.
#[derive(Parser)]
#[command(version, arg_required_else_help = true, max_term_width = 100)]
struct Boxman {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Wagers(wagers::Args),
    Edge(edge::Args),
    Par(par::Args),
    Atlas(atlas::Args),
    Check(check::Args),
    Plan(plan::Args),
    Session(session::Args),
    Sim(sim::Args),
    Best(best::Args),
    Tape(tape::Args),
    Serve(serve::Args),
    Verify(verify::Args),
    Export(export::Args),
    Import(import::Args),
    Copy(copy::Args),
    Migrate(migrate::Args),
    Nodes(nodes::Args),
    Evict(nodes::EvictArgs),
}

/// Why a command did not end well.
enum Stop {
    /// A check failed; what failed has been said.
    Failed,
    /// Something could not be read; what has been said.
    Unreadable,
    /// The command was misused.
    Misuse(String),
}

fn main() -> ExitCode {
    let result = match Boxman::parse().command {
        Command::Wagers(args) => wagers::run(&args),
        Command::Edge(args) => edge::run(&args),
        Command::Par(args) => par::run(&args),
        Command::Atlas(args) => atlas::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Plan(args) => plan::run(&args),
        Command::Session(args) => session::run(&args),
        Command::Sim(args) => sim::run(&args),
        Command::Best(args) => best::run(&args),
        Command::Tape(args) => tape::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Copy(args) => copy::run(&args),
        Command::Migrate(args) => migrate::run(&args),
        Command::Nodes(args) => nodes::run(&args),
        Command::Evict(args) => nodes::evict(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Stop::Failed) => ExitCode::from(1),
        Err(Stop::Unreadable) => ExitCode::from(2),
        Err(Stop::Misuse(reason)) => {
            say_error(&reason);
            ExitCode::from(2)
        }
    }
}

/// Prints an error the way all commands do.
fn say_error(reason: &str) {
    let red = anstyle::AnsiColor::Red.on_default().bold();
    anstream::eprintln!("{red}error:{red:#} {reason}");
}

/// Tells what somebody should think about, beside the output and the exit code.
fn say_warning(sentence: &str) {
    let yellow = anstyle::AnsiColor::Yellow.on_default().bold();
    anstream::eprintln!("{yellow}warning:{yellow:#} {sentence}");
}

/// Prints a line of output. A reader that has gone away hears no more, but the exit code stands.
fn say(line: &str) {
    use std::io::Write;
    match writeln!(anstream::stdout().lock(), "{line}") {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            say_error(&format!("the output cannot be written: {error}"));
            std::process::exit(2);
        }
        _ => {}
    }
}

/// Writes a report to a file.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Stop> {
    let unwritten = |error| Stop::Misuse(format!("{}: cannot be written: {error}", path.display()));
    std::fs::write(path, bytes).map_err(unwritten)
}

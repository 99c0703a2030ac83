//! `cargo xtask`: everything the project does to itself, in Rust.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool prints")]

mod assure;
mod bench;
mod crapssim;
mod dice;
mod full;
mod fuzz;
mod gpu;
mod load;
mod shell;
mod simulate;
mod soak;
mod test;

use std::process::ExitCode;

const HELP: &str = "\
Usage: cargo xtask TASK

  test    format, lints, docs and all tests, a browser's among them; closes with
          `N passed, N failed`; or: test --full, which then plays every longer run below for a
          while (everywhere, days, simulate, assure, soak, fuzz), some 70 minutes on two cores,
          and closes with how long each took
  everywhere
          what the pages promise, played in a browser by mouse, touch and keyboard at three
          widths; takes a quarter of an hour
  days    a pit crew's days at real tables, in a browser, with chips moved by what the screens say;
          or: days N
  bench   rolls a second, instructions a roll, exact sessions, and the simulator against a loop
          written by hand, each checking its answer
  load    a live server with 500 tables of 8 players, killed in the middle, and a log of a
          million records opened again; or: load TABLES PLAYERS SECONDS RATE
  soak    a live server with everybody in it for an hour: random commands of every role, crews
          with two consoles and a model of their chips, kills, hostile sockets; says what it
          answered wrongly; or: soak MINUTES SEED
  assure  three nodes on a PostgreSQL with a standby, killed, frozen, cut off and restarted while
          people play, and so is the database; nothing acknowledged is lost; or: assure SCENARIO
          --trials N, of kill, stop, link, database, restart, promote, roll and meter; without
          one, a thousand simulated seeds and every mutant come first
  simulate
          three nodes in one thread, in a world that a seed makes up: crashes, pauses, lost, late
          and cut replies, fail-overs, upgrades; every second seed plays races of a crew at real
          tables; or: simulate --seeds N --from SEED,
          simulate --seed SEED to play one again, simulate --mutants for faults built in
  fuzz    fuzz the readers of tapes, rulebooks, plans and socket frames for a minute each
  gpu     on a machine with an NVIDIA card: compiles the simulator's kernels, holds them against
          the processor's over every ready plan and prints how fast they are
  crapssim
          plans and the same strategies of PyPI's crapssim on the same dice, in an environment of
          its own: both end with the same money; or: crapssim TAPES SEED
          crapssim speed: how many rolls a second each of them plays of one plan
  dice    the simulator's dice through tests of our own, four of NIST's and dieharder; takes some
          minutes; or: dice ROLLS SEED

CI=true, or --install, lets a task install what it needs and this machine lacks; otherwise it
says what it left out.";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let install = args.iter().any(|arg| arg == "--install")
        || std::env::var("CI").is_ok_and(|value| value == "true");
    let words: Vec<&str> =
        args.iter().map(String::as_str).filter(|arg| *arg != "--install").collect();
    let result = match words.as_slice() {
        ["test"] => test::run(install),
        ["test", "--full"] => full::run(install),
        ["everywhere"] => test::everywhere(),
        ["days"] => test::days(8),
        ["days", many] => match many.parse() {
            Ok(many) => test::days(many),
            Err(_) => Err(format!("`{many}` is no number of days")),
        },
        ["bench"] => bench::run(install),
        ["load", sizes @ ..] => load::run(sizes),
        ["soak", sizes @ ..] => soak::run(sizes),
        ["assure", scenario @ ..] => assure::run(scenario),
        ["simulate", seeds @ ..] => simulate::run(seeds),
        ["crapssim", sizes @ ..] => crapssim::run(sizes),
        ["dice", sizes @ ..] => dice::run(sizes, install),
        ["fuzz"] => fuzz::run(install).map(|_| ()),
        ["gpu", every @ ..] => gpu::run(every),
        ["help" | "--help" | "-h"] => {
            println!("{HELP}");
            Ok(())
        }
        _ => {
            eprintln!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("error: {reason}");
            ExitCode::FAILURE
        }
    }
}

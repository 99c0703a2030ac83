//! What `cargo xtask gpu` runs on a machine with a graphics card: compiles the kernels, holds them
//! against the processor's over every ready plan, and prints how fast they are.

#![allow(clippy::print_stdout, clippy::float_arithmetic, reason = "a program that measures")]

use std::sync::Arc;

use craps::machine::{Length, Machine, Session, explore};
use craps::{Cents, Library, Rules};
use craps_plan::{Plan, READY, ready};
use craps_sim::dice::Dice;
use craps_sim::{Course, Gpu, Job, Kernel, Lookup, Tally, run};
use cudarc::nvrtc::{CompileOptions, compile_ptx_with_opts};

/// Sessions compared for each plan and each length.
const COMPARED: u64 = 20_000;
/// Sessions timed.
const TIMED: u64 = 1 << 25;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [source, target, ..] = args.as_slice() else {
        panic!("expected: gpu SOURCE.cu TARGET.ptx [every]");
    };
    let source = std::fs::read_to_string(source).expect("the source of the kernels is read");
    let compiled = compile(&source);
    std::fs::write(target, &compiled).expect("the kernels are written");
    let gpu = match Gpu::with_kernels(&compiled) {
        Ok(gpu) => gpu,
        Err(why) => panic!("{why}"),
    };
    println!("{}", gpu.name());
    let compared = identity(&gpu);
    println!("{compared} runs of {COMPARED} sessions: every count as on the processor\n");
    figures(&gpu);
}

/// The kernels, with the SHA-256 of their source in the first line.
fn compile(source: &str) -> String {
    let options = CompileOptions { arch: Some("compute_80"), ..CompileOptions::default() };
    let compiled = match compile_ptx_with_opts(source, options) {
        Ok(compiled) => compiled.to_src(),
        Err(why) => panic!("{why}"),
    };
    let text = compiled.trim_end_matches(['\0', '\n']);
    format!("// sha256 {}\n{text}\n", craps::hex::encode(&craps_sim::source_hash(source)))
}

fn machine(name: &str, text: &str) -> Machine {
    let plan = Plan::parse(name, text, &[]).expect("a ready plan");
    let library = Library::embedded();
    let mut options = vec![("payout-unit".to_owned(), "1.00".to_owned())];
    for option in &plan.header().options {
        let (name, value) = option.split_once('=').expect("an option");
        options.push((name.to_owned(), value.to_owned()));
    }
    let chosen = plan.header().rules.iter().map(|name| library.choose(name).expect("a rulebook"));
    let chosen = library.over_base(chosen.collect());
    let rules = Arc::new(Rules::compile(&library, &chosen, &options).expect("rules"));
    let meters: Vec<Cents> = rules.meters().iter().map(|meter| meter.terms.seed).collect();
    explore(&rules, &plan, &meters, 200_000).ok().expect("a sound plan").machine
}

fn session(bankroll: i64, rolls: u32, goal: Option<i64>) -> Session {
    Session {
        bankroll: Cents::dollars(bankroll),
        length: Length::Rolls(rolls),
        goal: goal.map(Cents::dollars),
        floor: None,
    }
}

/// Compares every plan, poor and rich, with and without a goal, in every layout that fits.
fn identity(gpu: &Gpu) -> u32 {
    let mut compared = 0;
    let dice = Dice { seed: 20_261_117 };
    for (name, text) in READY {
        let machine = machine(name, text);
        let sessions = [
            session(300, 200, None),
            session(1_000, 500, None),
            session(1_000, 333, Some(1_300)),
            session(60, 1_000, Some(120)),
        ];
        for session in &sessions {
            let course = Course::new(&machine, session, 1_000).expect("within bounds");
            let threads = std::thread::available_parallelism().map_or(1, usize::from);
            let kernel = Kernel::best();
            let job = Job { course: &course, dice, sessions: 0..COMPARED, kernel, threads };
            let expected = run(&job, |_| true).0;
            for lookup in Lookup::ALL {
                let mut loaded = match gpu.load(&course, Some(lookup)) {
                    Ok(loaded) => loaded,
                    Err(why) => {
                        println!("{name}: {why}");
                        continue;
                    }
                };
                let mut tally = Tally::new(&course);
                loaded.run(dice, 0..COMPARED, &mut tally, |_| true).expect("it runs");
                assert!(tally == expected, "{name}, {session:?}, {:?}", loaded.lookup());
                compared += 1;
                if loaded.lookup().is_none() {
                    break;
                }
            }
        }
    }
    compared
}

fn figures(gpu: &Gpu) {
    println!("| plan | session | rich positions are looked up | T rolls/s |");
    println!("|---|---|---|---|");
    let works = [
        ("pass", 1_000, 500, None),
        ("pass-six-eight", 1_000, 500, None),
        ("iron-cross", 1_000, 500, None),
        ("three-point-molly", 1_000, 500, None),
        ("come-every-roll", 1_000, 500, None),
        ("small-tall-all", 1_000, 500, None),
        ("dalembert", 1_000, 500, None),
        ("labouchere", 1_000, 500, None),
        ("half-press", 1_000, 500, None),
        ("iron-cross", 300, 200, None),
        ("pass-six-eight", 300, 200, None),
        ("pass-six-eight", 1_000, 500, Some(1_500)),
    ];
    for (name, bankroll, rolls, goal) in works {
        let machine = machine(name, ready(name).expect("a ready plan"));
        let course = Course::new(&machine, &session(bankroll, rolls, goal), 1_000).expect("bounds");
        // With another word, in every way there is.
        let every = std::env::args().nth(3).is_some();
        let all = Lookup::ALL.map(Some);
        let lookups = if every { all.as_slice() } else { &[None] };
        let mut told = Vec::new();
        for lookup in lookups {
            let Ok(mut loaded) = gpu.load(&course, *lookup) else { continue };
            let used = loaded.lookup();
            if told.contains(&used) {
                continue;
            }
            told.push(used);
            let mut best = 0.0f64;
            for _ in 0..3 {
                let mut tally = Tally::new(&course);
                loaded.kernel_ms = 0.0;
                loaded.run(Dice { seed: 1 }, 0..TIMED, &mut tally, |_| true).expect("it runs");
                best = best.max(tally.rolled() as f64 / loaded.kernel_ms / 1e9);
            }
            let used = used.map_or("-".to_owned(), |used| format!("{used:?}"));
            let goal = goal.map_or(String::new(), |goal| format!(", goal ${goal}"));
            println!("| {name} | ${bankroll}/{rolls}{goal} | {used} | {best:.2} |");
        }
    }
}

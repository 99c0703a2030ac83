//! What came of it, on one screen.

use std::time::Duration;

use crate::house::{House, Mood};
use crate::pulse::Beat;

/// The least that p99 under attack may be, in microseconds.
const FLOOR: u64 = 50_000;
/// Memory is level where its last third is at most so much of its second ten minutes, in percent.
const LEVEL: u64 = 125;
/// A server's caches fill in its first ten minutes.
const WARM: Duration = Duration::from_secs(600);

/// What the server used at one moment.
#[derive(Clone, Copy)]
pub(crate) struct Memory {
    /// How long the soak had run.
    pub(crate) at: Duration,
    /// How long this server had.
    pub(crate) age: Duration,
    pub(crate) kb: u64,
    pub(crate) descriptors: usize,
}

/// What was found at the end.
pub(crate) struct Ending {
    pub(crate) beats: Vec<Beat>,
    pub(crate) memory: Vec<Memory>,
    pub(crate) verdict: Result<String, String>,
    pub(crate) panics: Vec<String>,
    pub(crate) errors: Vec<String>,
    pub(crate) damaged: Vec<String>,
}

/// One thing that must hold.
struct Criterion {
    holds: bool,
    what: String,
}

/// Prints everything; says whether all of it holds.
pub(crate) fn print(house: &House, ending: &Ending) -> bool {
    let counts = house.counts();
    let count = |what: &str| counts.get(what).copied().unwrap_or(0);
    println!("\n== soak, seed {}, {} ==", house.seed, house.clock());
    println!(
        "commands {}, acknowledged {}, updates {}, records read {}, guests {}, tables {}",
        count("commands"),
        house.acks.len(),
        count("updates"),
        count("records read"),
        count("guests"),
        count("tables opened"),
    );
    println!(
        "kills {}, stops {}; verified {} times between; doubts settled {}",
        count("kills"),
        count("stops"),
        count("verified"),
        count("doubts settled"),
    );
    println!(
        "acknowledgements: asked again {}, read {}, found in the logs at the end {}; \
         ids refused {}",
        count("acks asked again"),
        count("acks read"),
        count("acks found"),
        count("ids refused"),
    );
    println!(
        "money: ledgers added up {}, racks foretold {}, tables balanced {}; views compared {}, \
         offers taken up {}, told to strangers {}",
        count("ledgers added up"),
        count("racks foretold"),
        count("tables balanced"),
        count("views compared"),
        count("offers taken up"),
        count("told to strangers"),
    );
    println!(
        "drill: rounds {}, commands that had to succeed {}, voids {}, configurations {}, jackpots \
         {}, denials {}",
        count("drills"),
        count("musts"),
        count("voids"),
        count("configurations"),
        count("jackpots"),
        count("denials"),
    );
    println!(
        "crews: tables {}, turns {}, throws of two consoles {}, dice passed {}, told too late {}, \
         rolls taken back {}, claims confirmed {}, denied {}; chips counted {} times, and again \
         {} times after ticks were lost",
        count("tables of crews"),
        count("turns of crews"),
        count("throws of two consoles"),
        count("dice passed by two consoles"),
        count("told too late"),
        count("rolls taken back by crews"),
        count("claims confirmed by crews"),
        count("denials of crews"),
        count("chips counted"),
        count("chips counted again"),
    );
    println!(
        "hostile: frames {} sent, {} received, turned away {}; pests {}, half-sent requests held \
         at most {} s, never let go {}; sockets lost {}",
        count("frames from raiders"),
        count("frames to raiders"),
        count("raiders turned away"),
        count("pests"),
        count("half-sent request held, seconds"),
        count("half-sent requests never let go"),
        count("sockets lost"),
    );
    print_codes(house);
    let criteria = criteria(house, ending);
    println!();
    for criterion in &criteria {
        println!("{} {}", if criterion.holds { "  ok " } else { "FAIL " }, criterion.what);
    }
    for (kind, count) in house.faults() {
        println!("      {count} x {kind}");
    }
    let holds = criteria.iter().all(|criterion| criterion.holds);
    if !holds {
        println!("to repeat it: cargo xtask soak MINUTES {}", house.seed);
    }
    holds
}

fn print_codes(house: &House) {
    let mut line = String::from("answers:");
    for (code, count) in house.codes() {
        let next = format!(" {code} {count},");
        if line.len() + next.len() > 110 {
            println!("{line}");
            line = String::from("        ");
        }
        line += &next;
    }
    println!("{}", line.trim_end_matches(','));
}

fn criteria(house: &House, ending: &Ending) -> Vec<Criterion> {
    let faults = house.fault_count();
    let none = |what: &str, found: &[String]| Criterion {
        holds: found.is_empty(),
        what: match found.first() {
            None => format!("no {what}"),
            Some(first) => format!("{what}: {} such as {first}", found.len()),
        },
    };
    vec![
        Criterion { holds: faults == 0, what: format!("{faults} wrong answers") },
        match &ending.verdict {
            Ok(line) => Criterion { holds: true, what: format!("verify: {line}") },
            Err(line) => Criterion { holds: false, what: format!("verify: {line}") },
        },
        none("panic in the log", &ending.panics),
        none("error in the log", &ending.errors),
        none("room damaged", &ending.damaged),
        Criterion {
            holds: house.count("half-sent requests never let go") == 0,
            what: format!(
                "half-sent requests held at most {} s",
                house.count("half-sent request held, seconds")
            ),
        },
        latency(&ending.beats),
        memory(&ending.memory),
    ]
}

fn latency(beats: &[Beat]) -> Criterion {
    let of = |mood: Mood| {
        let mut waits: Vec<u64> =
            beats.iter().filter(|beat| beat.mood == mood).map(|beat| beat.micros).collect();
        waits.sort_unstable();
        waits
    };
    let at = |waits: &[u64], percent: usize| {
        waits.get((waits.len() * percent / 100).min(waits.len().saturating_sub(1))).copied()
    };
    let tell = |waits: &[u64]| {
        let ms = |percent: usize| tenths(at(waits, percent).unwrap_or(0));
        let count = waits.len();
        match count {
            0 => "not measured".to_owned(),
            _ => format!("p50 {}, p99 {}, longest {} ms of {count} bets", ms(50), ms(99), ms(100)),
        }
    };
    let (quiet, attacked) = (of(Mood::Quiet), of(Mood::Attacked));
    let bound = FLOOR.max(10 * at(&quiet, 99).unwrap_or(0));
    let holds = at(&attacked, 99).is_none_or(|p99| p99 <= bound);
    let what = format!("a bet: quiet {}; attacked {}", tell(&quiet), tell(&attacked));
    Criterion { holds, what }
}

/// Microseconds as milliseconds with one place.
fn tenths(micros: u64) -> String {
    format!("{}.{}", micros / 1_000, micros % 1_000 / 100)
}

/// The longest life of a server is judged: after its first ten minutes it takes no more.
fn memory(samples: &[Memory]) -> Criterion {
    let mb = |kb: u64| kb / 1024;
    let most = samples.iter().map(|sample| sample.kb).max().unwrap_or(0);
    let files = samples.iter().map(|sample| sample.descriptors).max().unwrap_or(0);
    let most = format!("at most {} MB and {files} descriptors", mb(most));
    let longest = samples.iter().max_by_key(|sample| sample.age);
    let Some(last) = longest.filter(|last| last.age >= 2 * WARM) else {
        return Criterion { holds: true, what: format!("memory: {most} (too short to judge)") };
    };
    // Every sample of that one life has the same time of birth.
    let born = |sample: &Memory| sample.at.saturating_sub(sample.age).as_secs();
    let life: Vec<&Memory> =
        samples.iter().filter(|sample| born(sample).abs_diff(born(last)) < 3).collect();
    let mean = |from: Duration, to: Duration| {
        let kb: Vec<u64> = life
            .iter()
            .filter(|sample| (from..=to).contains(&sample.age))
            .map(|sample| sample.kb)
            .collect();
        kb.iter().sum::<u64>() / (kb.len() as u64).max(1)
    };
    let (early, late) = (mean(WARM, 2 * WARM), mean(last.age * 2 / 3, last.age));
    let what = format!(
        "memory: {} MB in minutes 10 to 20 of a life of {}, {} MB in its last third, {most}",
        mb(early),
        last.age.as_secs() / 60,
        mb(late),
    );
    Criterion { holds: late * 100 <= early * LEVEL, what }
}

//! `boxman sim --table FILE`: days at a table of several plans, by the simulator's dice.

#![expect(clippy::float_arithmetic, reason = "time left is told, not paid")]

mod file;

use std::path::Path;
use std::sync::Arc;

use craps::did_you_mean::{hint, nearest};
use craps::{Library, Rules};
use craps_plan::{Fault, Plan};
use craps_report::{TableDays, TableMeter, TableSeats};
use craps_sim::Progress;
use craps_sim::day::{Afterwards, Day, DaySeat, Days, run_days};
use craps_sim::dice::{Dice, GENERATOR};

use self::file::{AFTERWARDS_AGAIN, AFTERWARDS_AWAY, SeatTable, TableFile};
use crate::ctrl_c::CtrlC;
use crate::session::report::{Format, ReportArgs};
use crate::shelf::RulesArgs;
use crate::waiting::Waiting;
use crate::{Stop, plans, say_warning};

/// How many days are played where nobody says.
const DAYS: u64 = 10_000;

/// What is asked of a table.
pub(crate) struct Args<'a> {
    /// The file it is written in.
    pub(crate) table: &'a Path,
    /// The seed of the dice.
    pub(crate) seed: u64,
    /// The first day's number.
    pub(crate) from: u64,
    /// How many days; as the file says without.
    pub(crate) days: Option<u64>,
    /// By how many threads; by all there are without.
    pub(crate) threads: Option<usize>,
    /// How they are told, and where.
    pub(crate) report: &'a ReportArgs,
}

pub(crate) fn run(args: &Args<'_>) -> Result<(), Stop> {
    let format = match args.report.format().map_err(Stop::Misuse)? {
        Format::Html | Format::Xlsx => {
            let only = "days at a table are written as .txt, .csv or .json";
            return Err(Stop::Misuse(only.to_owned()));
        }
        format => format,
    };
    let shown = args.table.display();
    let text = std::fs::read_to_string(args.table)
        .map_err(|error| Stop::Misuse(format!("{shown}: cannot be read: {error}")))?;
    let file = TableFile::parse(args.table, &text).map_err(Stop::Misuse)?;
    let laid = Laid::new(args.table, &file).map_err(Stop::Misuse)?;
    let count = args.days.or(file.days).unwrap_or(DAYS);
    let until = args.from.checked_add(count);
    let until =
        until.ok_or_else(|| Stop::Misuse("there are no days with such numbers".to_owned()))?;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.unwrap_or_else(cores);
    let (dice, days) = (Dice { seed: args.seed }, args.from..until);
    let job = Days { day: &laid.day, dice, days, threads };
    let (waiting, ctrl_c) = (Waiting::new(), CtrlC::listen());
    let tell = |progress: Progress| {
        waiting.tell(|gone| {
            let done = progress.sessions.max(1) as f64;
            let left = gone.as_secs_f64() * (count as f64 - done) / done;
            format!("{} of {count} days, about {left:.0} s left", progress.sessions)
        });
        !ctrl_c.is_pressed()
    };
    let played = run_days(&job, || laid.plans(), tell);
    drop(waiting);
    let (books, days) = played.map_err(|fault| Stop::Misuse(fault.to_string()))?;
    let done = days.end;
    let report = TableDays {
        table: shown.to_string(),
        rules: laid.day.rules.name.clone(),
        rules_hash: laid.day.rules.hash,
        options: laid.options,
        rolls: file.rolls,
        pace: file.pace,
        generator: GENERATOR,
        seed: args.seed,
        days,
        meters: meters(&laid.day),
        seats: seats(&file),
        books,
    };
    let text = match format {
        Format::Json => craps_report::table_days_json(&report),
        Format::Csv => {
            let version = concat!("boxman ", env!("CARGO_PKG_VERSION"));
            craps_report::table_days_csv(&report, version)
        }
        _ => craps_report::table_days_text(&report),
    };
    args.report.put((text.trim_end().to_owned() + "\n").as_bytes())?;
    if done < until {
        let (played, left) = (done - args.from, until - done);
        say_warning(&format!(
            "stopped after {played} of {count} days: --from {done} --days {left} goes on"
        ));
    }
    Ok(())
}

/// A table laid out as its file says.
struct Laid {
    day: Day,
    options: Vec<String>,
    /// The plan of each row of seats.
    plans: Vec<PlanText>,
}

/// A plan that can be read again.
struct PlanText {
    name: String,
    text: String,
    params: Vec<(String, String)>,
}

impl PlanText {
    fn parse(&self) -> Result<Plan, Fault> {
        Plan::parse(&self.name, &self.text, &self.params)
    }
}

impl Laid {
    fn new(path: &Path, file: &TableFile) -> Result<Laid, String> {
        let at = |line: usize, why: String| format!("{}:{line}: {why}", path.display());
        let mut options: Vec<String> = Vec::new();
        let mut rules = pick(file, &options)?;
        // An option by itself, so that what is wrong with it is told with its line.
        for option in &file.options {
            options.push(option.value.clone());
            rules = pick(file, &options).map_err(|why| at(option.line, why))?;
        }
        let mut amounts = vec![None; rules.meters().len()];
        for meter in &file.meters {
            let name = &meter.name.value;
            let place = rules.meters().iter().position(|known| known.name == *name);
            let place = place.ok_or_else(|| {
                let near = nearest(name, rules.meters().iter().map(|known| known.name.as_str()));
                let near = hint(near);
                at(meter.name.line, format!("no meter `{name}` hangs at this table{near}"))
            })?;
            let wager = rules.wager(rules.meters()[place].wager).name.clone();
            let terms = meter.terms.iter();
            options.extend(terms.map(|(key, value)| format!("{wager}.meter.{key}={value}")));
            rules = pick(file, &options).map_err(|why| at(meter.name.line, why))?;
            amounts[place] = meter.start;
        }
        let mut plans = Vec::new();
        for seat in &file.seats {
            let name = &seat.plan.value;
            // A plan may lie beside the table that names it.
            let beside = path.parent().map(|folder| folder.join(name));
            let beside = beside.filter(|path| name.ends_with(".rhai") && path.is_file());
            let found = beside.map_or_else(|| name.clone(), |path| path.display().to_string());
            let text = plans::source(&found).map_err(|why| at(seat.plan.line, why))?;
            let plan = PlanText { name: name.clone(), text, params: seat.params.clone() };
            plan.parse().map_err(|fault| at(seat.plan.line, fault.to_string()))?;
            plans.push(plan);
        }
        let rows = file.seats.iter().enumerate();
        let seats = rows.flat_map(|(plan, row)| std::iter::repeat_n(seated(plan, row), row.count));
        let (seats, rolls) = (seats.collect(), file.rolls);
        let day = Day { rules: Arc::new(rules), meters: amounts, seats, rolls };
        Ok(Laid { day, options, plans })
    }

    /// The plans, read anew: each thread has its own.
    fn plans(&self) -> Result<Vec<Plan>, Fault> {
        self.plans.iter().map(PlanText::parse).collect()
    }
}

fn pick(file: &TableFile, options: &[String]) -> Result<Rules, String> {
    let picked = RulesArgs { rules: file.rules.clone(), options: options.to_vec() };
    Ok(picked.pick(&Library::embedded())?.rules)
}

fn seated(plan: usize, row: &SeatTable) -> DaySeat {
    let [ruined, left] = row.again.map(|again| match again {
        true => Afterwards::BuysIn,
        false => Afterwards::StaysAway,
    });
    DaySeat { plan, bankroll: row.bankroll, ruined, left }
}

fn meters(day: &Day) -> Vec<TableMeter> {
    let meters = day.rules.meters().iter().zip(&day.meters);
    let meter = meters.map(|(meter, start)| TableMeter {
        name: meter.name.clone(),
        terms: meter.terms,
        start: start.unwrap_or(meter.terms.seed),
    });
    meter.collect()
}

fn seats(file: &TableFile) -> Vec<TableSeats> {
    let mut from = 0;
    let row = |row: &SeatTable| {
        let seats = from..from + row.count;
        from = seats.end;
        TableSeats {
            name: row.name.clone().unwrap_or_else(|| row.plan.value.clone()),
            plan: row.plan.value.clone(),
            params: row.params.clone(),
            bankroll: row.bankroll,
            afterwards: row
                .again
                .map(|again| if again { AFTERWARDS_AGAIN } else { AFTERWARDS_AWAY }),
            seats,
        }
    };
    file.seats.iter().map(row).collect()
}

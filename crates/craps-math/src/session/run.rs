//! A session carried from roll to roll.

use std::thread;

use craps::Cents;
use craps::dice::Combination;
use craps::machine::{Machine, Then};

use super::flow::{Flow, unit};
use super::rows::{Row, width};
use super::stay::LastRoll;
use super::{FAN, Length, Outcome, Over, Progress, Session, Stay, Unfinished, quantile};

/// An open session is followed until no more chance than this is alive.
const ENDED: f64 = 1e-12;
/// Chances by roll are kept for so many rolls.
const BY_ROLL: usize = 20_000_000;
/// The fan has about so many points in time.
const FAN_POINTS: u32 = 100;
/// With fewer cells than this in a roll, a second thread costs more than it does.
const WORTH_A_THREAD: usize = 200_000;

/// The most cells a session may take; a core does about a thousand million a second.
pub const MOST_CELLS: u64 = 100_000_000_000;
/// The most bytes it may take at once.
const MOST_BYTES: u64 = 4 << 30;

/// Runs a session, through `most` rolls at most where its length does not say; `progress` is told
/// how far it has come, and says whether to go on.
pub fn run(
    machine: &Machine,
    session: &Session,
    most: u32,
    progress: impl FnMut(&Progress) -> bool,
) -> Result<Outcome, Unfinished> {
    run_with(machine, None, session, most, progress)
}

/// Runs a session that also looks at what has to stay when time is up. After shooters nothing has
/// to: their seven-out decides every bet that could not come down.
pub fn run_with(
    machine: &Machine,
    stay: Option<Stay<'_>>,
    session: &Session,
    most: u32,
    mut progress: impl FnMut(&Progress) -> bool,
) -> Result<Outcome, Unfinished> {
    let by_shooter = matches!(session.length, Length::Shooters(_));
    let unit = unit([machine].into_iter().chain(stay.map(|stay| &stay.run_out.machine)));
    let flow = Flow::new(machine, session, unit, by_shooter);
    let mut table = Carried::new(&flow, machine.len());
    let mut shooters = match session.length {
        Length::Shooters(shooters) => shooters,
        _ => 1,
    };
    let rolls = match session.length {
        Length::Rolls(rolls) => rolls,
        Length::Shooters(_) => u32::MAX,
        Length::Open => most,
    };
    let every = (rolls / FAN_POINTS).max(1);
    let timed = matches!(session.length, Length::Rolls(_));
    // An open session without a goal lasts as long as it takes to lose the money.
    let least = match session.length {
        Length::Rolls(rolls) => Some(rolls),
        Length::Shooters(_) => None,
        Length::Open => Some(at_least(machine, session).min(rolls)),
    };
    let mut fan = vec![(0, table.fan(session))];
    let mut stayed = None;
    while table.rolled < rolls && shooters > 0 {
        if !timed && table.alive() < ENDED {
            shooters -= 1;
            if shooters == 0 || !by_shooter {
                break;
            }
            table.next_shooter();
            continue;
        }
        let bytes = table.next_bytes();
        if bytes > MOST_BYTES {
            return Err(Unfinished::TooWide(bytes));
        }
        let last = stay.filter(|_| timed && table.rolled + 1 == rolls);
        let played = last.and_then(|stay| {
            let last = LastRoll::new(machine, stay.run_out, session, unit);
            let ahead = last.stayed(&table.rows);
            if !stay.played {
                stayed = Some(ahead);
                return None;
            }
            table.action += ahead.action;
            Some(last.played(&table.rows))
        });
        let cells = table.roll();
        if let Some(played) = played {
            table.roundings += played.roundings;
            table.trimmed += played.undecided;
            table.rows = vec![played.equity];
        }
        if timed && (table.rolled.is_multiple_of(every) || table.rolled == rolls) {
            fan.push((table.rolled, table.fan(session)));
        }
        let left = least.filter(|least| timed || *least > table.rolled);
        let left = left.map(|least| cells.saturating_mul((least - table.rolled).into()));
        let whole = table.done.saturating_add(left.unwrap_or(0));
        if whole > MOST_CELLS {
            return Err(Unfinished::TooLong(whole));
        }
        if !progress(&Progress { rolls: table.rolled, done: table.done, left }) {
            return Err(Unfinished::Stopped);
        }
    }
    let alive = if timed { 0.0 } else { table.alive() + table.dropped };
    table.time_is_up(by_shooter);
    table.roundings += u64::from(table.rolled) * (flow.widest() as u64 + 1);
    let rounding = rounding(table.roundings + table.adding_up());
    Ok(Outcome {
        finals: table.ended.each_ref().map(|row| table.amounts(session, row)),
        by_roll: table.by_roll,
        fan,
        action: table.action,
        rolls: table.lasted,
        stayed,
        bankroll: session.bankroll,
        memory: table.memory,
        unit: Cents(unit),
        rounding,
        trimmed: table.trimmed,
        alive,
    })
}

/// The rolls that a session takes at least until the money is lost, on average and so for some:
/// as though every roll cost as much as the dearest does. Nothing is known where it may end with
/// more than it began with.
fn at_least(machine: &Machine, session: &Session) -> u32 {
    let dearest = (0..machine.len() as u32).map(|position| {
        let edges = Combination::all().zip(machine.edges(position));
        let won: i64 = edges.map(|(roll, edge)| i64::from(roll.ways()) * edge.change.0).sum();
        -won
    });
    let dearest = dearest.max().unwrap_or(0);
    // The most that is left where it ends; beyond the highest branch there is no end to it.
    let mut left = session.floor.unwrap_or(Cents::ZERO);
    for arrival in machine.arrivals() {
        let mut below = Cents(i64::MAX);
        for branch in &arrival.branches {
            if matches!(branch.then, Then::End(_)) {
                left = left.max(below);
            }
            below = branch.from;
        }
    }
    if dearest <= 0 || session.goal.is_some() || left >= session.bankroll {
        return 0;
    }
    let lost = (session.bankroll.0 - left.0).saturating_mul(36);
    u32::try_from(lost / dearest).unwrap_or(u32::MAX)
}

/// A bound on the relative error of a sum of products of positive numbers, each of which went
/// through so many roundings.
fn rounding(roundings: u64) -> f64 {
    let all = roundings as f64 * f64::EPSILON / 2.0;
    all / (1.0 - all)
}

/// Chance on its way.
struct Carried<'a> {
    flow: &'a Flow,
    rows: Vec<Row>,
    /// The rows of the roll before, to be used again.
    spare: Vec<Row>,
    /// What the next shooter starts from.
    next: Vec<Row>,
    ended: [Row; Over::ALL.len()],
    by_roll: Vec<[f64; Over::ALL.len()]>,
    rolled: u32,
    action: f64,
    lasted: f64,
    trimmed: f64,
    /// Hands that had not ended when the next shooter was taken up.
    dropped: f64,
    /// How many threads there may be; asking the system for each roll takes longer than a roll.
    hands: usize,
    /// The cells moved so far.
    done: u64,
    /// The most bytes that rows and chances by roll took up.
    memory: u64,
    /// The roundings that a chance may have gone through besides those of each roll.
    roundings: u64,
}

impl<'a> Carried<'a> {
    fn new(flow: &'a Flow, positions: usize) -> Carried<'a> {
        let mut carried = Carried {
            flow,
            rows: vec![Row::default(); positions],
            spare: vec![Row::default(); positions],
            next: vec![Row::default(); flow.next.len()],
            ended: Default::default(),
            by_roll: Vec::new(),
            rolled: 0,
            action: 0.0,
            lasted: 0.0,
            trimmed: 0.0,
            dropped: 0.0,
            hands: thread::available_parallelism().map_or(1, usize::from),
            done: 0,
            memory: 0,
            roundings: 0,
        };
        let whole = Row { low: 0, cells: vec![1.0] };
        match flow.start {
            Then::Roll(position) => carried.rows[position as usize] = whole,
            Then::End(end) => carried.ended[Over::Ended(end).index()] = whole,
        }
        carried
    }

    fn alive(&self) -> f64 {
        self.rows.iter().map(Row::sum).sum()
    }

    /// The bytes that the next roll takes up, at least.
    fn next_bytes(&self) -> u64 {
        let all = self.flow.into.iter().chain(&self.flow.next).chain(&self.flow.ends);
        let widths = all.map(|pulls| width(pulls, &self.rows).unwrap_or(u64::MAX));
        let cells = widths.fold(0, u64::saturating_add);
        cells.saturating_mul(size_of::<f64>() as u64).saturating_add(self.by_roll_bytes())
    }

    fn by_roll_bytes(&self) -> u64 {
        (self.by_roll.capacity() * size_of_val(&[0.0; Over::ALL.len()])) as u64
    }

    /// The roundings of adding up any of what has ended: cell by cell, the reasons together, or
    /// roll by roll.
    fn adding_up(&self) -> u64 {
        let cells: usize = self.ended.iter().map(|row| row.cells.len()).sum();
        (cells + Over::ALL.len()) as u64 + 2 * u64::from(self.rolled)
    }

    /// Throws the dice, and gives the cells that moved.
    fn roll(&mut self) -> u64 {
        let alive = self.rows.iter().zip(&self.flow.action);
        let (mut sum, mut action) = (0.0, 0.0);
        for (row, stakes) in alive {
            let chance = row.sum();
            sum += chance;
            action += chance * stakes;
        }
        self.lasted += sum;
        self.action += action;
        let before = self.ended.each_ref().map(Row::sum);
        for (end, pulls) in self.ended.iter_mut().zip(&self.flow.ends) {
            end.add(pulls, &self.rows);
        }
        let after = self.ended.each_ref().map(Row::sum);
        if self.by_roll.len() < BY_ROLL {
            self.by_roll.push(std::array::from_fn(|over| after[over] - before[over]));
        }
        for (row, pulls) in self.next.iter_mut().zip(&self.flow.next) {
            row.add(pulls, &self.rows);
        }
        let moved = self.fill();
        self.done += moved;
        let held = self.rows.iter().chain(&self.spare).chain(&self.next).chain(&self.ended);
        let held: usize = held.map(|row| row.cells.capacity()).sum();
        let held = (held * size_of::<f64>()) as u64 + self.by_roll_bytes();
        self.memory = self.memory.max(held);
        std::mem::swap(&mut self.rows, &mut self.spare);
        self.rolled += 1;
        moved
    }

    /// Fills the spare rows from the rows, by as many threads as it is worth, and gives the cells
    /// moved.
    fn fill(&mut self) -> u64 {
        let (flow, rows) = (self.flow, &self.rows);
        let work = |place: usize| -> usize {
            flow.into[place].iter().map(|pull| rows[pull.from as usize].cells.len()).sum()
        };
        let costs: Vec<usize> = (0..rows.len()).map(work).collect();
        let all: usize = costs.iter().sum();
        let hands = self.hands.min(all / WORTH_A_THREAD + 1);
        let fill = |first: usize, rows_out: &mut [Row]| -> f64 {
            let mut trimmed = 0.0;
            for (row, pulls) in rows_out.iter_mut().zip(&flow.into[first..]) {
                row.fill(pulls, rows);
                trimmed += row.trim();
            }
            trimmed
        };
        if hands == 1 {
            self.trimmed += fill(0, &mut self.spare);
            return all as u64;
        }
        self.trimmed += thread::scope(|scope| {
            let mut left: &mut [Row] = &mut self.spare;
            let mut first = 0;
            let mut working = Vec::new();
            for hand in 0..hands {
                let share = all / hands;
                let mut taken = 0;
                let mut cost = 0;
                while first + taken < costs.len() && (cost < share || hand + 1 == hands) {
                    cost += costs[first + taken];
                    taken += 1;
                }
                let (mine, rest) = std::mem::take(&mut left).split_at_mut(taken);
                left = rest;
                let (fill, begin) = (&fill, first);
                working.push(scope.spawn(move || fill(begin, mine)));
                first += taken;
            }
            // In the order of the rows, so that the sum is the same each time.
            let parts = working.into_iter().map(|hand| hand.join().expect("rows fill"));
            parts.sum::<f64>()
        });
        all as u64
    }

    fn next_shooter(&mut self) {
        self.dropped += self.alive();
        std::mem::swap(&mut self.rows, &mut self.next);
        self.next.iter_mut().for_each(|row| row.cells.clear());
    }

    /// What is alive stops because time is up.
    fn time_is_up(&mut self, by_shooter: bool) {
        let left = if by_shooter {
            self.rows.iter().chain(&self.next)
        } else {
            self.rows.iter().chain(&[])
        };
        let time = &mut self.ended[Over::Time.index()];
        let mut sum = 0.0;
        for row in left {
            time.join(row);
            sum += row.sum();
            self.roundings += 1;
        }
        if let Some(last) = self.by_roll.last_mut() {
            last[Over::Time.index()] += sum;
        }
    }

    fn amounts(&self, session: &Session, row: &Row) -> Vec<(Cents, f64)> {
        let unit = self.flow.unit;
        let amount = |cell: i32| Cents(session.bankroll.0 + i64::from(cell) * unit);
        let cells = (row.low..).zip(&row.cells).filter(|(_, chance)| **chance > 0.0);
        cells.map(|(cell, chance)| (amount(cell), *chance)).collect()
    }

    /// The quantiles of equity now, of what is over and what is not.
    fn fan(&self, session: &Session) -> [Cents; FAN.len()] {
        let mut all = Row::default();
        for row in self.rows.iter().chain(&self.ended) {
            all.join(row);
        }
        let amounts = self.amounts(session, &all);
        FAN.map(|share| quantile(&amounts, share))
    }
}

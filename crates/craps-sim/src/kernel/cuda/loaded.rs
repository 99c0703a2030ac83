//! A course on a card: its tables, its counts, and the launches that fill them.

use std::ops::Range;

use cudarc::driver::sys::CUevent_flags;
use cudarc::driver::{CudaFunction, CudaSlice, DeviceRepr, PushKernelArg, ValidAsZeroBits};

use craps::machine::Over;

use super::{Gpu, NoGpu};
use crate::course::{self, Course, Step, Then};
use crate::dice::{Dice, NO_ROLL, ROUNDS, SYMBOL_OF, SYMBOLS, round_keys};
use crate::table::{Band, Rich, by_symbol};
use crate::tally::Tally;

/// No more cells, and no more rolls, are counted on a card.
const MOST_COUNTS: i64 = 1 << 24;
/// The sessions of one launch at most: every one of them may be suspended.
const MOST_SESSIONS: u64 = 1 << 24;
/// The rolls of one launch, about, so that whoever waits hears of it.
const MOST_ROLLS: u64 = 1 << 37;
/// The cells that rich sessions count close by.
const NEAR: usize = 6144;
/// The bytes that counts close by are worth.
const LEAST_NEAR: usize = 16 << 10;

/// How a table of rich rows is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// By the byte, with no more than 127 rows and no stop above.
    Narrow,
    /// By the byte.
    Bytes,
    /// By its symbol.
    Symbols,
    /// By its symbol, in a table too large for shared memory.
    Far,
}

impl Lookup {
    /// All of them, the fastest first.
    pub const ALL: [Lookup; 4] = [Lookup::Narrow, Lookup::Bytes, Lookup::Symbols, Lookup::Far];

    /// The entries of a row.
    fn entries(self) -> usize {
        match self {
            Lookup::Narrow | Lookup::Bytes => 256,
            Lookup::Symbols | Lookup::Far => SYMBOLS,
        }
    }

    /// The most rows it can tell apart.
    fn rows(self) -> usize {
        match self {
            Lookup::Narrow => 127,
            Lookup::Bytes => 255,
            Lookup::Symbols | Lookup::Far => 4096,
        }
    }

    /// The word of a row and an equity above the brink.
    fn word(self, row: usize, equity: i64) -> i64 {
        match self {
            Lookup::Narrow => ((row as i64) << 24) + (equity << 8),
            Lookup::Bytes => (equity << 16) + ((row as i64) << 8),
            Lookup::Symbols | Lookup::Far => (equity << 16) + ((row as i64) << 4),
        }
    }

    /// The bytes of shared memory for so many rows.
    fn shared(self, rows: usize) -> usize {
        let map = 256 * 32 * 4;
        match self {
            Lookup::Narrow | Lookup::Bytes => rows * 256 * 4,
            Lookup::Symbols => map + rows * SYMBOLS * 4,
            Lookup::Far => map,
        }
    }

    /// The kernel that does it.
    fn kernel(self, stop: bool) -> &'static str {
        match (self, stop) {
            (Lookup::Narrow, _) => "rich_narrow",
            (Lookup::Bytes, false) => "rich_bytes",
            (Lookup::Bytes, true) => "rich_bytes_stop",
            (Lookup::Symbols, false) => "rich_symbols",
            (Lookup::Symbols, true) => "rich_symbols_stop",
            (Lookup::Far, false) => "rich_far",
            (Lookup::Far, true) => "rich_far_stop",
        }
    }
}

/// What a launch plays: `Game` in `kernels.cu`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
struct Game {
    first: u64,
    keys: [u32; 2 * ROUNDS],
    count: u32,
    per_block: u32,
    rolls: u32,
    cell: i32,
    start: u32,
    brink: i32,
    guard: i32,
    stop: u32,
    rows: u32,
    least: i32,
    cells: u32,
    near: u32,
    edges: u32,
    pieces: u32,
    position: u32,
    high: i32,
}

// SAFETY: plain numbers, laid out as in C.
unsafe impl DeviceRepr for Game {}

/// What a roll does: `Edge` in `kernels.cu`.
#[derive(Clone, Copy, Debug)]
struct Edge {
    change: i64,
    from: i64,
    next: u32,
    piece: u32,
}

/// An edge's `from` that no equity reaches in so many bits.
const TOO_HIGH: i64 = (1 << 14) - 1;

impl Edge {
    /// In 14, 14, 17 and 19 bits, where all fit: `Narrow` in `kernels.cu`.
    fn narrow(self) -> Option<u64> {
        let Edge { change, from, next, piece } = self;
        let fits = (-(1 << 13)..1 << 13).contains(&change) && next < 1 << 17 && piece < 1 << 19;
        // Whatever is higher is looked up among the pieces, and so is what cannot be told from it.
        let from = from.min(TOO_HIGH) as u64;
        let change = change.cast_unsigned() << 50;
        fits.then_some(change | from << 36 | u64::from(next) << 19 | u64::from(piece))
    }

    /// In 32 bits each: `Wide`.
    fn wide(self) -> [u32; 4] {
        let Edge { change, from, next, piece } = self;
        [(change as i32).cast_unsigned(), from.min(i32::MAX.into()) as u32, next, piece]
    }
}

/// What follows: `Piece` in `kernels.cu`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
struct Piece {
    from: i32,
    then: u32,
}

// SAFETY: plain numbers, laid out as in C.
unsafe impl DeviceRepr for Piece {}

/// A session that waits: `uint4` in `kernels.cu`.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default)]
struct Waiting([u32; 4]);

// SAFETY: plain numbers, laid out as in C.
unsafe impl DeviceRepr for Waiting {}
// SAFETY: all zeros are some.
unsafe impl ValidAsZeroBits for Waiting {}

/// A course on a card.
pub struct Loaded<'a> {
    gpu: &'a Gpu,
    course: &'a Course,
    game: Game,
    rich: Option<LoadedRich>,
    edge: LoadedEdge,
    symbols: CudaSlice<u32>,
    finals: CudaSlice<u64>,
    lasted: CudaSlice<u64>,
    queue: CudaSlice<Waiting>,
    queue_rolls: CudaSlice<u32>,
    queued: CudaSlice<u32>,
    /// The milliseconds that kernels have taken.
    pub kernel_ms: f64,
}

struct LoadedRich {
    function: CudaFunction,
    shared: usize,
    near: u32,
    table: CudaSlice<u32>,
    positions: CudaSlice<u32>,
    lookup: Lookup,
}

enum Edges {
    Narrow(CudaSlice<u64>),
    Wide(CudaSlice<u32>),
}

struct LoadedEdge {
    function: CudaFunction,
    shared: usize,
    near: u32,
    edges: Edges,
    pieces: CudaSlice<Piece>,
}

impl Gpu {
    /// Brings a course to the card, looked up in the fastest way that fits unless one is named.
    pub fn load<'a>(
        &'a self,
        course: &'a Course,
        lookup: Option<Lookup>,
    ) -> Result<Loaded<'a>, NoGpu> {
        let only_here = |what: &str| NoGpu(format!("{what}: only a processor plays that"));
        if course.shooters.is_some() {
            return Err(only_here("shooters are counted"));
        }
        let steps = by_symbol(course).ok_or_else(|| only_here("hops are bet on"))?;
        let rise = steps.iter().flatten().map(|step| step.change).max().unwrap_or(0);
        let least = -course.session.bankroll.0 / course.unit;
        let cells = rise.saturating_mul(course.rolls.into()).saturating_sub(least) + 1;
        if cells > MOST_COUNTS || i64::from(course.rolls) >= MOST_COUNTS {
            return Err(only_here("so many rolls of so much money are counted"));
        }
        let mut game = Game {
            rolls: course.rolls,
            least: least as i32,
            cells: cells as u32,
            edges: (steps.len() * SYMBOLS) as u32,
            pieces: course.pieces.len() as u32,
            ..Game::default()
        };
        if let Then::Roll(position) = course.start {
            game.position = position;
        }
        let high = Band::of(course).high.unwrap_or(i64::MAX).min(i32::MAX.into());
        game.high = high as i32;
        let stream = &self.stream;
        let rich = self.load_rich(course, &mut game, lookup)?;
        let edge = self.load_edge(course, &game)?;
        let symbols: Vec<u32> = SYMBOL_OF.iter().map(|symbol| u32::from(*symbol)).collect();
        let sessions = (MOST_ROLLS / u64::from(course.rolls.max(1))).clamp(1 << 20, MOST_SESSIONS);
        let reasons = Over::ALL.len();
        Ok(Loaded {
            gpu: self,
            course,
            rich,
            edge,
            symbols: stream.clone_htod(&symbols)?,
            finals: stream.alloc_zeros(reasons * cells as usize)?,
            lasted: stream.alloc_zeros(reasons * (course.rolls as usize + 1))?,
            queue: stream.alloc_zeros(sessions as usize)?,
            queue_rolls: stream.alloc_zeros(sessions as usize)?,
            queued: stream.alloc_zeros(self.blocks as usize)?,
            game,
            kernel_ms: 0.0,
        })
    }

    /// The rich rows, where the session starts in one and their equities fit.
    fn load_rich(
        &self,
        course: &Course,
        game: &mut Game,
        lookup: Option<Lookup>,
    ) -> Result<Option<LoadedRich>, NoGpu> {
        let Some(rich) = Rich::of(course, Lookup::Far.rows()) else { return Ok(None) };
        let band = rich.band;
        // A word's equity has fifteen bits, and a block may bring sixteen rises.
        let top = (1 << 15) - 1 - 16 * band.rise;
        let stop = band.high.map(|high| high - band.low).filter(|stop| *stop <= top);
        let inside = band.low <= 0 && -band.low < stop.unwrap_or(top) && band.fall < 1 << 11;
        let start = rich.positions.iter().position(|at| *at == game.position);
        let Some(start) = start.filter(|_| inside) else { return Ok(None) };
        let rows = rich.positions.len();
        let fits = |lookup: &Lookup| {
            let close = rows <= lookup.rows() && lookup.shared(rows) <= self.shared;
            close && !(*lookup == Lookup::Narrow && stop.is_some())
        };
        let lookup = lookup.filter(fits).or_else(|| Lookup::ALL.into_iter().find(fits));
        let Some(lookup) = lookup else { return Ok(None) };
        let entries = lookup.entries();
        let mut table = Vec::with_capacity(rows * entries);
        for (row, steps) in rich.steps.iter().enumerate() {
            let symbols: Vec<u8> = match entries {
                256 => SYMBOL_OF.to_vec(),
                _ => (0..SYMBOLS as u8).collect(),
            };
            for symbol in symbols {
                let entry = match steps[usize::from(symbol)] {
                    // A table by the byte counts what is no roll.
                    Some(_) if symbol == NO_ROLL => i64::from(entries == 256),
                    Some((to, change)) => lookup.word(to as usize, change) - lookup.word(row, 0),
                    // Whoever is over falls, and ends elsewhere.
                    None => lookup.word(0, -(1 << 15)),
                };
                table.push(entry as u32);
            }
        }
        game.rows = rows as u32;
        game.brink = band.low as i32;
        game.start = lookup.word(start, -band.low) as u32;
        game.guard = top as i32;
        game.stop = stop.map_or(u32::MAX, |stop| lookup.word(0, stop) as u32);
        let room = (self.shared - lookup.shared(rows)) / 4;
        let near = (game.cells as usize).min(NEAR).min(room);
        let shared = lookup.shared(rows) + near * 4;
        Ok(Some(LoadedRich {
            function: self.function(lookup.kernel(stop.is_some()), shared)?,
            shared,
            near: near as u32,
            table: self.stream.clone_htod(&table)?,
            positions: self.stream.clone_htod(&rich.positions)?,
            lookup,
        }))
    }

    fn load_edge(&self, course: &Course, game: &Game) -> Result<LoadedEdge, NoGpu> {
        let steps = by_symbol(course).expect("it was asked before");
        let edges = edges(course, &steps, game.least);
        let narrow: Option<Vec<u64>> = edges.iter().map(|edge| edge.narrow()).collect();
        let then = |then: Then| match then {
            Then::Roll(position) => position,
            Then::Over(over) => 1 << 31 | over.index() as u32,
        };
        let within = |cell: i64| cell.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        let pieces = course.pieces.iter();
        let pieces: Vec<Piece> = pieces
            .map(|piece| Piece { from: within(piece.from), then: then(piece.then) })
            .collect();
        let (reasons, map) = (Over::ALL.len(), 256);
        let tables = edges.len() * 8 + size_of_val(&pieces[..]);
        let here = narrow.is_some() && map + tables <= self.shared;
        // What the tables leave is for the counts: half of the memory where that will do, so that
        // two blocks of threads share it.
        let rolls = reasons * (course.rolls as usize + 1) * 4;
        let fixed = map + rolls + 8 + if here { tables } else { 0 };
        let half = self.shared / 2 - 1024;
        let budget = if fixed + LEAST_NEAR <= half { half } else { self.shared };
        let near = (budget.saturating_sub(fixed) / (reasons * 4)).min(game.cells as usize);
        let counts = if near == 0 { 0 } else { rolls + near * reasons * 4 };
        let shared = map + counts.next_multiple_of(8) + if here { tables } else { 0 };
        let (name, edges) = match narrow {
            Some(narrow) => {
                let name = if here { "edge_here" } else { "edge_far" };
                (name, Edges::Narrow(self.stream.clone_htod(&narrow)?))
            }
            None => {
                let wide: Vec<u32> = edges.into_iter().flat_map(Edge::wide).collect();
                ("edge_wide", Edges::Wide(self.stream.clone_htod(&wide)?))
            }
        };
        Ok(LoadedEdge {
            function: self.function(name, shared)?,
            shared,
            near: near as u32,
            edges,
            pieces: self.stream.clone_htod(&pieces)?,
        })
    }
}

/// The edges as they are looked up.
fn edges(course: &Course, steps: &[[Step; SYMBOLS]], least: i32) -> Vec<Edge> {
    let edge = |step: &Step| {
        let pieces = course.arrival(step.pieces);
        let usual = pieces.iter().find(|piece| matches!(piece.then, Then::Roll(_)));
        // Where no piece rolls on, no cell is high enough.
        let (from, next) = match usual {
            Some(&course::Piece { from, then: Then::Roll(next) }) => {
                (from.max(least.into()) - i64::from(least), next)
            }
            _ => (i64::MAX, 0),
        };
        Edge { change: step.change, from, next, piece: step.pieces }
    };
    steps.iter().flatten().map(edge).collect()
}

impl Loaded<'_> {
    /// How rich rows are looked up, where there are any.
    pub fn lookup(&self) -> Option<Lookup> {
        self.rich.as_ref().map(|rich| rich.lookup)
    }

    /// Plays these sessions and counts them; `progress` is told how many are done, and says
    /// whether to go on. Gives the sessions played: all from the first on.
    pub fn run(
        &mut self,
        dice: Dice,
        sessions: Range<u64>,
        tally: &mut Tally,
        mut progress: impl FnMut(u64) -> bool,
    ) -> Result<Range<u64>, NoGpu> {
        if let Err(ended) = self.course.begin(0) {
            for _ in sessions.clone() {
                tally.add(ended);
            }
            return Ok(sessions);
        }
        let mut from = sessions.start;
        while from < sessions.end {
            let count = (sessions.end - from).min(self.queue.len() as u64);
            self.launch(dice, from, count as u32)?;
            from += count;
            if !progress(from - sessions.start) {
                break;
            }
        }
        self.count(tally)?;
        Ok(sessions.start..from)
    }

    #[expect(clippy::float_arithmetic, reason = "times are told, not paid")]
    fn launch(&mut self, dice: Dice, first: u64, count: u32) -> Result<(), NoGpu> {
        let Loaded { gpu, game, rich, edge, .. } = self;
        let stream = &gpu.stream;
        game.first = first;
        game.count = count;
        game.per_block = count.div_ceil(gpu.blocks);
        for (round, keys) in round_keys(dice.key()).into_iter().enumerate() {
            game.keys[2 * round..][..2].copy_from_slice(&keys);
        }
        let timed = Some(CUevent_flags::CU_EVENT_DEFAULT);
        let begun = stream.record_event(timed)?;
        if let Some(rich) = rich {
            let game = Game { near: rich.near, ..*game };
            let mut launch = stream.launch_builder(&rich.function);
            launch.arg(&game).arg(&rich.table).arg(&self.symbols).arg(&rich.positions);
            launch.arg(&mut self.finals).arg(&mut self.queue);
            launch.arg(&mut self.queue_rolls).arg(&mut self.queued);
            // SAFETY: these are the kernel's arguments, and it stays within them: sessions and
            // cells were counted when they were made.
            unsafe { launch.launch(gpu.config(rich.shared)) }?;
        } else {
            let begin = gpu.function("begin", 0)?;
            let mut launch = stream.launch_builder(&begin);
            launch.arg(&*game).arg(&mut self.queue);
            launch.arg(&mut self.queue_rolls).arg(&mut self.queued);
            // SAFETY: as above.
            unsafe { launch.launch(gpu.config(0)) }?;
        }
        let game = Game { near: edge.near, ..*game };
        let mut launch = stream.launch_builder(&edge.function);
        launch.arg(&game);
        match &edge.edges {
            Edges::Narrow(edges) => launch.arg(edges),
            Edges::Wide(edges) => launch.arg(edges),
        };
        launch.arg(&edge.pieces).arg(&self.symbols);
        launch.arg(&self.queue).arg(&self.queue_rolls).arg(&self.queued);
        launch.arg(&mut self.finals).arg(&mut self.lasted);
        // SAFETY: as above.
        unsafe { launch.launch(gpu.config(edge.shared)) }?;
        let ended = stream.record_event(timed)?;
        stream.synchronize()?;
        self.kernel_ms += f64::from(begun.elapsed_ms(&ended)?);
        Ok(())
    }

    /// Brings the counts home, and leaves none behind.
    fn count(&mut self, tally: &mut Tally) -> Result<(), NoGpu> {
        let stream = &self.gpu.stream;
        let finals = stream.clone_dtoh(&self.finals)?;
        let lasted = stream.clone_dtoh(&self.lasted)?;
        stream.memset_zeros(&mut self.finals)?;
        stream.memset_zeros(&mut self.lasted)?;
        let cells = finals.chunks_exact(self.game.cells as usize);
        let rolls = lasted.chunks_exact(self.game.rolls as usize + 1);
        for (reason, (cells, rolls)) in cells.zip(rolls).enumerate() {
            for (cell, times) in (i64::from(self.game.least)..).zip(cells) {
                if *times > 0 {
                    tally.finals[reason].add(cell, *times);
                }
            }
            for (rolls, times) in (0..).zip(rolls) {
                if *times > 0 {
                    tally.rolls[reason].add(rolls, *times);
                }
            }
        }
        // Rich sessions whose time was up have all had as many rolls.
        let time = Over::Time.index();
        let cells = self.game.cells as usize;
        let all: u64 = finals[time * cells..][..cells].iter().sum();
        let rolls = self.game.rolls as usize + 1;
        let told: u64 = lasted[time * rolls..][..rolls].iter().sum();
        if all > told {
            tally.rolls[time].add(self.game.rolls.into(), all - told);
        }
        Ok(())
    }
}

//! A course packed for walking: one addition a step moves state and money at once.
//!
//! Where every ask can be paid and no stop is near, what a roll does depends on the position alone:
//! those positions are the *rich* rows. Below them, and near a stop above, a row stands for a
//! position and its equity, so that every threshold is in the table: the *poor* rows, where there
//! is room for them. A word is
//!
//! ```text
//! | above the brink: A | below the ceiling: B | blocks at rest: C | state |
//! ```
//!
//! and an entry is what is added to it. The sign of A says that a session has left the rich rows
//! below, the bit after it that it is over, the sign of B that it comes near a stop above: all are
//! looked at once a block.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::RangeInclusive;

use craps::dice::Combination;
use craps::machine::Over;

use crate::course::{Course, Piece, Step, Then};
use crate::dice::{NO_ROLL, SYMBOLS, symbol};

/// The bits that count the bytes since a session was over.
const REST_BITS: u32 = 6;

/// What a row stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Row {
    /// A position in which every ask can be paid.
    Rich(u32),
    /// A position with this equity.
    Poor(u32, i64),
    /// The session is over.
    Over(Over),
    /// A lane without a session.
    Nobody,
}

/// The symbols of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stride {
    One,
    Two,
}

impl Stride {
    /// The entries of a row.
    pub(crate) const fn entries(self) -> usize {
        match self {
            Stride::One => SYMBOLS,
            Stride::Two => SYMBOLS * SYMBOLS,
        }
    }
}

/// Between which cells a course is rich.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Band {
    /// From here every ask can be paid.
    pub(crate) low: i64,
    /// From here a stop is reached.
    pub(crate) high: Option<i64>,
    /// The most a roll takes.
    pub(crate) fall: i64,
    /// The most a roll brings.
    pub(crate) rise: i64,
}

impl Band {
    pub(crate) fn of(course: &Course) -> Band {
        // Nobody has less than nothing.
        let nothing = -course.session.bankroll.0 / course.unit;
        let mut band = Band { low: nothing, high: None, fall: 0, rise: 0 };
        for step in course.rows.iter().flatten() {
            band.fall = band.fall.max(-step.change);
            band.rise = band.rise.max(step.change);
        }
        let mut first = 0;
        while first < course.pieces.len() {
            let pieces = course.arrival(first as u32);
            first += pieces.len();
            let usual = usual(pieces);
            band.low = band.low.max(pieces[usual].from);
            if usual > 0 {
                let stop = pieces[usual - 1].from;
                band.high = Some(band.high.map_or(stop, |high: i64| high.min(stop)));
            }
        }
        band
    }

    /// A rich step ends no lower than this. Of two rolls at once only the second is seen: before
    /// it there must have been room for the first.
    fn brink(&self, stride: Stride) -> i64 {
        match stride {
            Stride::One => self.low,
            Stride::Two => self.low.saturating_add(self.fall),
        }
    }

    /// And no higher than this.
    fn ceiling(&self, stride: Stride) -> Option<i64> {
        let room = match stride {
            Stride::One => 1,
            Stride::Two => self.rise.saturating_add(1),
        };
        self.high.map(|high| high.saturating_sub(room))
    }

    /// Whether there is room in it.
    fn is_wide(&self) -> bool {
        let room = self.fall.saturating_add(self.rise).saturating_mul(4);
        self.high.is_none_or(|high| high > self.low.saturating_add(room))
    }
}

/// The piece that holds with enough money: the highest that rolls on, or the highest.
fn usual(pieces: &[Piece]) -> usize {
    pieces.iter().position(|piece| matches!(piece.then, Then::Roll(_))).unwrap_or(0)
}

/// Where the parts of a word lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    state_bits: u32,
    /// Where B begins, and the ceiling it counts from.
    below: Option<(u32, i64)>,
    /// Where A begins.
    above: u32,
    brink: i64,
    /// The least cell there is, and the highest.
    least: i64,
    most: i64,
}

impl Fields {
    /// Room for equities from `least` to `most`, or nothing.
    fn new(
        state_bits: u32,
        stride: Stride,
        band: &Band,
        (least, most): (i64, i64),
    ) -> Option<Fields> {
        let low = state_bits + REST_BITS;
        let (brink, ceiling) = (band.brink(stride), band.ceiling(stride));
        let ceiling = ceiling.filter(|_| band.is_wide());
        let (below, above) = match ceiling {
            Some(ceiling) => (Some((low, ceiling)), low + (64 - low) / 2),
            None => (None, low),
        };
        let fits = |bits: u32, origin: i64| {
            let room = 1i128 << (bits - 2);
            let furthest = |cell: i64| (i128::from(cell) - i128::from(origin)).abs();
            furthest(least) < room && furthest(most) < room
        };
        let fits_below = below
            .is_none_or(|(from, ceiling)| [ceiling, most].iter().all(|it| fits(above - from, *it)));
        let fits_above = fits(64 - above, brink) && fits(64 - above, least);
        let fields = Fields { state_bits, below, above, brink, least, most };
        (fits_below && fits_above).then_some(fields)
    }

    fn state(self, word: u64) -> usize {
        (word & ((1 << self.state_bits) - 1)) as usize
    }

    /// What A counts from: less than nothing only where a rich row has fallen.
    fn origin(self, row: Row) -> i64 {
        match row {
            Row::Rich(_) => self.brink,
            Row::Poor(..) | Row::Nobody => self.least,
            Row::Over(_) => self.least - (1 << (62 - self.above)),
        }
    }

    fn word(self, row: Row, state: usize, cell: i64) -> u64 {
        let above = (cell - self.origin(row)) << self.above;
        let below = self.below.map_or(0, |(from, ceiling)| {
            let top = if let Row::Rich(_) = row { ceiling } else { self.most };
            (top - cell) << from
        });
        above.wrapping_add(below).wrapping_add(state as i64) as u64
    }

    /// The equity of a word in this row.
    fn cell(self, row: Row, word: u64) -> i64 {
        let word = word as i64;
        // A part below that is less than nothing has borrowed from the one above.
        let borrowed = self.below.map_or(0, |(from, _)| {
            let below = word << (64 - self.above) >> (64 - self.above + from);
            below << from
        });
        (word.wrapping_sub(borrowed) >> self.above) + self.origin(row)
    }

    /// The bytes since it was over.
    pub(crate) fn rest(self, word: u64) -> u32 {
        (word >> self.state_bits) as u32 & ((1 << REST_BITS) - 1)
    }

    /// The bits that say that a session has left the rich rows, below or above.
    pub(crate) fn fell(self) -> u64 {
        1 << 63 | self.below.map_or(0, |_| 1 << (self.above - 1))
    }

    /// The bit that says that it is over.
    pub(crate) const OVER: u64 = 1 << 62;
}

/// A packed table.
pub(crate) struct Table {
    /// A power of two of them, so that no state leads out of it.
    pub(crate) entries: Vec<u64>,
    pub(crate) fields: Fields,
    pub(crate) stride: Stride,
    rows: Vec<Row>,
    band: Band,
    /// The rich row of each position.
    rich: Vec<Option<u32>>,
    /// The poor rows of each position, from a cell on.
    poor: Vec<(i64, Vec<Option<u32>>)>,
}

/// The steps of a position by symbol, the first for no roll; nothing where hops tell apart what
/// symbols do not.
pub(crate) fn by_symbol(course: &Course) -> Option<Vec<[Step; SYMBOLS]>> {
    let mut rows = vec![[Step::default(); SYMBOLS]; course.rows.len()];
    for (steps, row) in rows.iter_mut().zip(&course.rows) {
        let mut seen = [false; SYMBOLS];
        for combination in Combination::all() {
            let symbol = symbol(combination);
            let step = row[combination.index() + 1];
            if seen[symbol] && steps[symbol] != step {
                return None;
            }
            (steps[symbol], seen[symbol]) = (step, true);
        }
    }
    Some(rows)
}

/// Rows found so far.
struct Rows<'a> {
    course: &'a Course,
    steps: Vec<[Step; SYMBOLS]>,
    /// Below this, and above the other, rich sessions have left.
    brink: i64,
    ceiling: Option<i64>,
    /// Between these poor rows lead back to rich ones.
    safe: RangeInclusive<i64>,
    /// Whether poor rows are made.
    poor: bool,
    rows: Vec<Row>,
    places: Places,
}

/// The place of each row. Its keys are small numbers of our own, and there are many.
type Places = HashMap<Row, u32, BuildHasherDefault<Mixed>>;

/// A hash that is quick for small numbers.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }

    fn write_i64(&mut self, number: i64) {
        self.write_u64(number.cast_unsigned());
    }

    fn write_isize(&mut self, number: isize) {
        self.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
}

impl Rows<'_> {
    fn place(&mut self, row: Row) -> u32 {
        *self.places.entry(row).or_insert_with(|| {
            self.rows.push(row);
            self.rows.len() as u32 - 1
        })
    }

    /// What a roll does to a row with this equity: the row and the equity after it. A rich row
    /// stays rich whatever the equity: its words tell.
    fn step(&self, row: Row, cell: i64, symbol: usize) -> (Row, i64) {
        let position = match row {
            Row::Rich(position) | Row::Poor(position, _) => position,
            Row::Over(_) | Row::Nobody => return (row, cell),
        };
        if symbol == NO_ROLL as usize {
            return (row, cell);
        }
        let step = self.steps[position as usize][symbol];
        let after = cell + step.change;
        let then = match row {
            Row::Rich(_) => {
                let pieces = self.course.arrival(step.pieces);
                pieces[usual(pieces)].then
            }
            _ => self.course.follow(step, after),
        };
        let row = match (row, then) {
            (_, Then::Over(over)) => Row::Over(over),
            (Row::Rich(_), Then::Roll(position)) => Row::Rich(position),
            (_, Then::Roll(position)) if self.safe.contains(&after) => Row::Rich(position),
            (_, Then::Roll(position)) => Row::Poor(position, after),
        };
        (row, after)
    }

    /// Finds every row that can be reached, up to a limit.
    fn walk(&mut self, limit: usize) -> Option<()> {
        let mut walked = 0;
        let brink = self.brink;
        while let Some(row) = self.rows.get(walked).copied() {
            walked += 1;
            let cell = if let Row::Poor(_, cell) = row { cell } else { brink };
            for symbol in 1..SYMBOLS {
                let (next, _) = self.step(row, cell, symbol);
                self.place(next);
                if let (Row::Rich(position), true) = (row, self.poor) {
                    // Every way to fall off the brink, and to rise through the ceiling.
                    let step = self.steps[position as usize][symbol];
                    let fallen = brink + step.change.min(0)..brink;
                    let risen = self.ceiling.map(|top| top + 1..top + 1 + step.change.max(0));
                    for after in fallen.chain(risen.into_iter().flatten()) {
                        let next = match self.course.follow(step, after) {
                            Then::Roll(position) => Row::Poor(position, after),
                            Then::Over(over) => Row::Over(over),
                        };
                        self.place(next);
                    }
                }
                if self.rows.len() > limit {
                    return None;
                }
            }
        }
        Some(())
    }
}

impl Table {
    /// The rich rows alone; nothing where there are none, or too many.
    pub(crate) fn rich(course: &Course, stride: Stride, state_bits: u32) -> Option<Table> {
        Band::of(course).is_wide().then_some(())?;
        Table::new(course, stride, state_bits, None)
    }

    /// Rich rows, and poor ones up to so many falls above the brink; nothing where there are too
    /// many.
    pub(crate) fn whole(
        course: &Course,
        stride: Stride,
        state_bits: u32,
        falls: i64,
    ) -> Option<Table> {
        Table::new(course, stride, state_bits, Some(falls))
    }

    fn new(course: &Course, stride: Stride, state_bits: u32, falls: Option<i64>) -> Option<Table> {
        let band = Band::of(course);
        let steps = by_symbol(course)?;
        let Then::Roll(start) = course.start else { return None };
        let (brink, ceiling) = (band.brink(stride), band.ceiling(stride));
        let safe = match falls {
            Some(falls) if band.is_wide() => {
                let middle = ceiling.map_or(i64::MAX, |ceiling| brink / 2 + ceiling / 2);
                let low = brink.saturating_add(band.fall.saturating_mul(falls)).min(middle);
                let rises = band.rise.saturating_mul(falls);
                low..=ceiling.map_or(i64::MAX, |ceiling| (ceiling - rises).max(middle))
            }
            _ => i64::MAX..=i64::MIN,
        };
        let poor = falls.is_some() && band.is_wide();
        let (rows, places) = (Vec::new(), Places::default());
        let mut rows = Rows { course, steps, brink, ceiling, safe, poor, rows, places };
        rows.place(Row::Nobody);
        if band.is_wide() {
            rows.place(Row::Rich(start_above(course)?));
        }
        if falls.is_some() && !(band.is_wide() && brink <= 0) {
            rows.place(Row::Poor(start, 0));
        }
        rows.walk((1usize << state_bits) / stride.entries())?;
        let cells = rows.rows.iter().filter_map(|row| match row {
            Row::Poor(_, cell) => Some(*cell),
            _ => None,
        });
        let (mut least, mut most) = (-course.session.bankroll.0 / course.unit, 0);
        for cell in cells {
            (least, most) = (least.min(cell), most.max(cell));
        }
        // What may be reached within a block before anybody looks.
        let away = (band.fall + band.rise).saturating_mul(32);
        least = least.saturating_sub(away);
        if band.is_wide() {
            let furthest = band.rise.saturating_mul(course.rolls.into());
            most = most.max(band.high.unwrap_or(furthest)).max(brink);
        }
        most = most.saturating_add(away);
        let fields = Fields::new(state_bits, stride, &band, (least, most))?;
        let mut table = Table {
            entries: vec![0; 1 << state_bits],
            fields,
            stride,
            rows: rows.rows.clone(),
            band,
            rich: vec![None; course.rows.len()],
            poor: vec![(0, Vec::new()); course.rows.len()],
        };
        table.fill(&rows);
        table.index();
        Some(table)
    }

    fn fill(&mut self, rows: &Rows<'_>) {
        let entries = self.stride.entries();
        for (place, row) in self.rows.iter().copied().enumerate() {
            // Any equity will do for a row whose words carry it.
            let cell = if let Row::Poor(_, cell) = row { cell } else { rows.brink };
            let state = place * entries;
            let before = self.fields.word(row, state, cell);
            for pair in 0..entries {
                let symbols = match self.stride {
                    Stride::One => [Some(pair), None],
                    Stride::Two => [Some(pair % SYMBOLS), Some(pair / SYMBOLS)],
                };
                let (mut now, mut after, mut rest) = (row, cell, 0);
                for symbol in symbols.into_iter().flatten() {
                    rest += u64::from(matches!(now, Row::Over(_)));
                    (now, after) = rows.step(now, after, symbol);
                }
                let next = rows.places[&now] as usize * entries;
                let word = self.fields.word(now, next, after);
                let word = word.wrapping_add(rest << self.fields.state_bits);
                self.entries[state + pair] = word.wrapping_sub(before);
            }
        }
    }

    /// Finds rows by position and equity.
    fn index(&mut self) {
        for row in &self.rows {
            if let Row::Poor(position, cell) = *row {
                let (from, _) = &mut self.poor[position as usize];
                *from = cell.min(*from);
            }
        }
        for (place, row) in self.rows.iter().enumerate() {
            match *row {
                Row::Rich(position) => self.rich[position as usize] = Some(place as u32),
                Row::Poor(position, cell) => {
                    let (from, rows) = &mut self.poor[position as usize];
                    let at = (cell - *from) as usize;
                    rows.resize(rows.len().max(at + 1), None);
                    rows[at] = Some(place as u32);
                }
                Row::Over(_) | Row::Nobody => {}
            }
        }
    }

    /// The word of a session, where the table has a row for it.
    pub(crate) fn enter(&self, position: u32, cell: i64) -> Option<u64> {
        let Table { band, rich, poor, stride, .. } = self;
        // A poor row is the better place: nobody falls from it.
        let (from, rows) = &poor[position as usize];
        let poor = usize::try_from(cell - from).ok().and_then(|at| *rows.get(at)?);
        let place = poor.or_else(|| {
            let above = cell >= band.brink(*stride);
            let below = band.ceiling(*stride).is_none_or(|ceiling| cell <= ceiling);
            rich[position as usize].filter(|_| above && below)
        })?;
        let state = place as usize * self.stride.entries();
        Some(self.fields.word(self.rows[place as usize], state, cell))
    }

    /// The row and the equity of a word.
    pub(crate) fn read(&self, word: u64) -> (Row, i64) {
        let row = self.rows[self.fields.state(word) / self.stride.entries()];
        (row, self.fields.cell(row, word))
    }

    /// The word of a lane without a session.
    pub(crate) fn nobody(&self) -> u64 {
        self.fields.word(Row::Nobody, 0, 0)
    }

    /// How many rows it has.
    pub(crate) fn rows(&self) -> usize {
        self.rows.len()
    }
}

/// The rich rows of a course, for a device that keeps them its own way.
pub(crate) struct Rich {
    pub(crate) band: Band,
    /// The position of each row.
    pub(crate) positions: Vec<u32>,
    /// What a symbol does: the next row, and by how many cells equity changes; nothing where it
    /// ends the session.
    pub(crate) steps: Vec<[Option<(u32, i64)>; SYMBOLS]>,
}

impl Rich {
    /// Nothing where there are none, or more than `limit`.
    pub(crate) fn of(course: &Course, limit: usize) -> Option<Rich> {
        let band = Band::of(course);
        let start = Some(Row::Rich(start_above(course)?)).filter(|_| band.is_wide())?;
        let (steps, brink, ceiling) = (by_symbol(course)?, band.low, None);
        let (safe, poor) = (i64::MAX..=i64::MIN, false);
        let (rows, places) = (Vec::new(), Places::default());
        let mut found = Rows { course, steps, brink, ceiling, safe, poor, rows, places };
        found.place(start);
        // No more than the reasons to be over come to the rich ones.
        found.walk(limit + Over::ALL.len())?;
        let position = |row: &Row| match row {
            Row::Rich(position) => Some(*position),
            _ => None,
        };
        let positions: Vec<u32> = found.rows.iter().filter_map(position).collect();
        let place: HashMap<u32, u32> = positions.iter().copied().zip(0..).collect();
        let step = |from: u32, symbol: usize| match found.step(Row::Rich(from), 0, symbol) {
            (Row::Rich(to), change) => Some((place[&to], change)),
            _ => None,
        };
        let steps = positions.iter();
        let steps = steps.map(|from| std::array::from_fn(|symbol| step(*from, symbol))).collect();
        Some(Rich { band, positions, steps }).filter(|rich| rich.positions.len() <= limit)
    }
}

/// Where a course starts with enough money.
fn start_above(course: &Course) -> Option<u32> {
    match course.pieces[usual(course.arrival(0))].then {
        Then::Roll(position) => Some(position),
        Then::Over(_) => None,
    }
}

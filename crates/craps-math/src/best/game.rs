//! The game of one wish, laid out from the engine: for every state what may be chosen, and what
//! each roll then does.

use std::collections::HashMap;

use craps::action::offers;
use craps::dice::Combination;
use craps::{Cents, Puck, Roll, Rules, Spot, State};

use super::Wish;
use super::bets::{Bets, pucks};
use crate::stake::{common_unit, lcm};

/// The most amounts that one pass over all plays may look at for somebody who waits: a core does
/// about two hundred million a second, and a solution takes some passes.
pub const MOST_LOOKS: f64 = 3e9;
/// The most states.
pub const MOST_STATES: usize = 5_000_000;
/// The most steps to the goal.
const MOST_STEPS: i64 = 500;

/// A game: rows of states, one for each place of the puck without a line bet, then one for each
/// point and stake of the line bet. A row has a cell for each equity.
pub struct Game {
    pub(super) wish: Wish,
    pub(super) bets: Bets,
    /// What equity moves in, in cents, and the equity of the first cell.
    pub(super) unit: i64,
    pub(super) base: i64,
    pub(super) cells: usize,
    pub(super) pucks: Vec<Puck>,
    /// Whether the line bet has to stay.
    pub(super) locks: bool,
    pub(super) rows: Vec<Row>,
    pub(super) tables: Vec<PuckTable>,
}

/// What rolls and free bets do with the puck in one place. Rolls that do the same are one class.
pub(super) struct PuckTable {
    /// The chance of each class.
    pub(super) chances: Vec<f64>,
    pub(super) free: Vec<Choices>,
}

/// The stakes one bet may take.
#[derive(Default)]
pub(super) struct Choices {
    pub(super) stakes: Vec<Cents>,
    /// The chips each takes from the rack.
    pub(super) outlays: Vec<i64>,
    /// By how many cells it moves equity: stake by stake, class by class.
    pub(super) moves: Vec<i32>,
    /// Whether a class does anything to it.
    pub(super) acts: Vec<bool>,
}

/// The states with the puck in one place and one line bet.
pub(super) struct Row {
    pub(super) puck: usize,
    /// The place of the line stake plus one, or zero.
    pub(super) line: usize,
    pub(super) up: Cents,
    /// What the line bet will bring on average, in cents.
    pub(super) worth: f64,
    /// What may be done about line and odds; the first is nothing.
    pub(super) options: Options,
    /// The classes that the line bet feels.
    pub(super) touched: Vec<usize>,
}

/// Line bets on a come-out, or odds once the point is set: where each leads, option by option.
#[derive(Default)]
pub(super) struct Options {
    pub(super) stakes: Vec<Cents>,
    pub(super) outlays: Vec<i64>,
    /// The row that each class leads to: class by class, option by option.
    pub(super) rows: Vec<u32>,
    /// By how many cells equity moves then.
    pub(super) moves: Vec<i32>,
}

impl Game {
    /// Lays a game out; nothing where the steps are far too small for its goal.
    pub fn new(rules: &Rules, bets: &Bets, wish: &Wish) -> Option<Game> {
        assert!(wish.step > Cents::ZERO && wish.goal > wish.bankroll, "a goal to be reached");
        (wish.goal.0 / wish.step.0 <= MOST_STEPS).then(|| Layer { rules, bets, wish }.game())
    }

    /// What was asked for.
    pub fn wish(&self) -> &Wish {
        &self.wish
    }

    /// What equity moves in.
    pub fn unit(&self) -> Cents {
        Cents(self.unit)
    }

    /// How many states it has.
    pub fn states(&self) -> usize {
        self.rows.len() * self.cells
    }

    pub(super) fn equity(&self, cell: usize) -> i64 {
        self.base + cell as i64 * self.unit
    }

    /// Whether the goal is reached there.
    pub(super) fn is_done(&self, row: &Row, cell: usize) -> bool {
        let locked = if self.locks { row.up.0 } else { 0 };
        self.equity(cell) - locked >= self.wish.goal.0
    }

    pub(super) fn start(&self) -> usize {
        ((self.wish.bankroll.0 - self.base) / self.unit) as usize
    }

    /// How many amounts one pass over all plays looks at, about.
    pub fn looks(&self) -> f64 {
        let every = (self.cells / 16).max(1);
        let mut looks = 0.0;
        for row in &self.rows {
            for cell in (0..self.cells).step_by(every) {
                if !self.is_done(row, cell) {
                    looks += self.looks_at(row, cell);
                }
            }
        }
        looks * every as f64
    }

    fn looks_at(&self, row: &Row, cell: usize) -> f64 {
        let rack = self.rack(row, cell);
        let options = payable(&row.options.outlays, rack) as f64;
        let free = &self.tables[row.puck].free;
        let counts: Vec<f64> = free.iter().map(|bet| payable(&bet.outlays, rack) as f64).collect();
        let classes = self.tables[row.puck].chances.len() as f64;
        // What is bet together cannot be more than the rack: a corner of the whole block.
        let mut plays = options;
        let mut sums = 1.0;
        for (place, count) in counts.iter().enumerate() {
            plays += count * options / 2.0;
            sums += count;
            for other in &counts[..place] {
                plays += count * other * options / 6.0;
                sums += count * other / 2.0;
            }
        }
        plays * row.touched.len().max(1) as f64 + sums * classes
    }

    /// What may be bet in a state.
    pub(super) fn rack(&self, row: &Row, cell: usize) -> i64 {
        self.equity(cell) - row.up.0
    }
}

/// How many of these choices the rack can pay.
pub(super) fn payable(outlays: &[i64], rack: i64) -> usize {
    outlays.partition_point(|outlay| *outlay <= rack)
}

struct Layer<'a> {
    rules: &'a Rules,
    bets: &'a Bets,
    wish: &'a Wish,
}

/// A bet before cells are known: stake, outlay, and what each combination brings, in cents.
struct Raw {
    stake: Cents,
    outlay: i64,
    changes: [i64; Combination::COUNT],
}

impl Layer<'_> {
    fn game(&self) -> Game {
        let Layer { rules, bets, wish } = *self;
        let pucks: Vec<Puck> = pucks(rules).collect();
        let raw_free: Vec<Vec<Vec<Raw>>> = pucks
            .iter()
            .map(|puck| {
                bets.free.iter().map(|spot| self.stakes(&self.bare(*puck), *spot)).collect()
            })
            .collect();
        let raw_lines =
            bets.line.map_or(Vec::new(), |line| self.stakes(&self.bare(Puck::Off), line));
        let lines: Vec<Cents> = raw_lines.iter().map(|raw| raw.stake).collect();
        // Odds, with the line bet they stand behind.
        let raw_odds: HashMap<(usize, usize), (Raw, Vec<Raw>)> = (1..pucks.len())
            .flat_map(|puck| (0..lines.len()).map(move |line| (puck, line)))
            .map(|(puck, line)| ((puck, line), self.behind(pucks[puck], lines[line])))
            .collect();
        let unit = {
            let free = raw_free.iter().flatten().flatten();
            let odds = raw_odds.values().flat_map(|(line, odds)| odds.iter().chain([line]));
            let changes = free.chain(&raw_lines).chain(odds).flat_map(|raw| raw.changes);
            common_unit(changes)
        };
        let base = wish.bankroll.0.rem_euclid(unit);
        let locks = bets.line.is_some_and(|line| self.locks(line, &pucks));
        let most_locked = if locks { lines.last().map_or(0, |line| line.0) } else { 0 };
        let cells = (wish.goal.0 + most_locked - base).div_euclid(unit) as usize + 2;
        let mut tables = Vec::new();
        let mut rows: Vec<Row> = Vec::new();
        let mut line_rows = Vec::new();
        for (puck, on) in pucks.iter().enumerate() {
            let next: Vec<usize> = Combination::all()
                .map(|combination| {
                    let after = on.after(combination.roll().total(), rules.points);
                    pucks.iter().position(|puck| *puck == after).expect("every puck is listed")
                })
                .collect();
            let line = match puck {
                0 => raw_lines.first(),
                _ => raw_odds.get(&(puck, 0)).map(|(line, _)| line),
            };
            let odds = raw_odds.get(&(puck, 0)).and_then(|(_, odds)| odds.first());
            let classes = classes(|place| {
                let free = raw_free[puck].iter().flatten();
                let free: Vec<i64> = free.map(|raw| raw.changes[place]).collect();
                let flat = line.map(|raw| raw.changes[place]);
                (next[place], flat, odds.map(|raw| raw.changes[place]), free)
            });
            let cells_of = |changes: &[i64; Combination::COUNT]| {
                let first = classes.iter().map(|class| class.places[0]);
                first.map(|place| (changes[place] / unit) as i32).collect::<Vec<i32>>()
            };
            let free = raw_free[puck].iter().map(|raws| choices(raws, &cells_of)).collect();
            let chances: Vec<f64> =
                classes.iter().map(|class| f64::from(class.ways) / 36.0).collect();
            // Without a line bet, and on a come-out the line bets to choose from.
            let firsts: Vec<usize> = classes.iter().map(|class| class.places[0]).collect();
            let mut options = Options::default();
            let home: Vec<u32> = firsts.iter().map(|place| next[*place] as u32).collect();
            options.push(Cents::ZERO, 0, home.clone(), vec![0; firsts.len()]);
            if puck == 0 {
                for (place, raw) in raw_lines.iter().enumerate() {
                    let moves = cells_of(&raw.changes);
                    let to = firsts.iter().map(|first| {
                        // Where the puck goes on, the line bet goes with it.
                        match next[*first] {
                            0 => 0,
                            point => (pucks.len() + (point - 1) * lines.len() + place) as u32,
                        }
                    });
                    options.push(raw.stake, raw.outlay, to.collect(), moves);
                }
            }
            let touched = if puck == 0 && !lines.is_empty() {
                (0..firsts.len()).collect()
            } else {
                Vec::new()
            };
            let options = options.by_class();
            rows.push(Row { puck, line: 0, up: Cents::ZERO, worth: 0.0, options, touched });
            for (line, up) in lines.iter().enumerate().filter(|_| puck > 0) {
                let (flat, odds) = &raw_odds[&(puck, line)];
                let own = (pucks.len() + (puck - 1) * lines.len() + line) as u32;
                let decided = |place: usize| next[place] == 0;
                let to: Vec<u32> =
                    firsts.iter().map(|place| if decided(*place) { 0 } else { own }).collect();
                let mut options = Options::default();
                options.push(Cents::ZERO, 0, to.clone(), cells_of(&flat.changes));
                for raw in odds {
                    let together = std::array::from_fn(|at| flat.changes[at] + raw.changes[at]);
                    options.push(raw.stake, raw.outlay, to.clone(), cells_of(&together));
                }
                let touched = (0..firsts.len()).filter(|class| decided(firsts[*class])).collect();
                let worth = worth(flat);
                let options = options.by_class();
                line_rows.push(Row { puck, line: line + 1, up: *up, worth, options, touched });
            }
            tables.push(PuckTable { chances, free });
        }
        rows.extend(line_rows);
        let (wish, bets) = (*wish, bets.clone());
        Game { wish, bets, unit, base, cells, pucks, locks, rows, tables }
    }

    fn bare(&self, puck: Puck) -> State {
        let mut state = State::default();
        state.hand.puck = puck;
        state
    }

    /// Every stake a spot may take in a state, as far as it helps: multiples of the step that the
    /// wager takes and that win without rounding.
    fn stakes(&self, state: &State, spot: Spot) -> Vec<Raw> {
        let Layer { rules, wish, .. } = *self;
        let offers = offers(rules, &state.hand, &state.layout, Cents::MOST);
        let offer = offers.into_iter().find(|offer| offer.spot == spot);
        let Some((amounts, even)) = offer.and_then(|offer| Some((offer.put.ok()?, offer.even)))
        else {
            return Vec::new();
        };
        let before = changes(rules, state);
        let step = lcm(wish.step.0.into(), even.0.into()) as i64;
        let mut raws = Vec::new();
        let mut stake = step;
        while stake <= wish.goal.0.min(amounts.most.0) {
            if amounts.contains(Cents(stake)) {
                let mut with = state.clone();
                let put = craps::Action::Put { spot, amount: Cents(stake) };
                let outlay = with.act(rules, Cents::MOST, put).expect("it is offered").0;
                let after = changes(rules, &with);
                let changes = std::array::from_fn(|at| after[at] - before[at]);
                // A bet that is off does nothing: no choice.
                if changes != [0; Combination::COUNT] {
                    raws.push(Raw { stake: Cents(stake), outlay, changes });
                }
                // Where its own chips reach the goal whenever it wins, whatever else is lost, more
                // of it would only lose more.
                let wins = changes.iter().filter(|change| **change > 0);
                if wins.min().is_some_and(|win| win + outlay >= wish.goal.0) {
                    break;
                }
            }
            stake += step;
        }
        raws
    }

    /// A line bet on its number, and the odds behind it.
    fn behind(&self, puck: Puck, stake: Cents) -> (Raw, Vec<Raw>) {
        let line = self.bets.line.expect("there is a line bet");
        let mut state = self.bare(puck);
        state.put(self.rules, line, stake);
        let flat = Raw { stake, outlay: stake.0, changes: changes(self.rules, &state) };
        let odds = self.bets.odds.map_or(Vec::new(), |odds| self.stakes(&state, odds));
        (flat, odds)
    }

    fn locks(&self, line: Spot, pucks: &[Puck]) -> bool {
        let mut state = self.bare(pucks[pucks.len() - 1]);
        state.put(self.rules, line, self.rules.wager_at(line).limits.least());
        let offers = offers(self.rules, &state.hand, &state.layout, Cents::MOST);
        offers.iter().any(|offer| offer.spot == line && offer.take_all.is_err())
    }
}

impl Options {
    fn push(&mut self, stake: Cents, outlay: i64, rows: Vec<u32>, moves: Vec<i32>) {
        self.stakes.push(stake);
        self.outlays.push(outlay);
        self.rows.extend(rows);
        self.moves.extend(moves);
    }

    /// What was pushed option by option, class by class.
    fn by_class(mut self) -> Options {
        fn turned<T: Copy>(all: &[T], options: usize) -> Vec<T> {
            let classes = all.len() / options;
            (0..all.len()).map(|at| all[at % options * classes + at / options]).collect()
        }
        self.rows = turned(&self.rows, self.stakes.len());
        self.moves = turned(&self.moves, self.stakes.len());
        self
    }
}

fn choices(raws: &[Raw], cells_of: &impl Fn(&[i64; Combination::COUNT]) -> Vec<i32>) -> Choices {
    let mut all = Choices::default();
    for raw in raws {
        let moves = cells_of(&raw.changes);
        all.acts.resize(moves.len(), false);
        moves.iter().zip(&mut all.acts).for_each(|(moves, acts)| *acts |= *moves != 0);
        all.stakes.push(raw.stake);
        all.outlays.push(raw.outlay);
        all.moves.extend(moves);
    }
    all
}

/// What each combination does to the money on the felt and in the rack, in cents.
fn changes(rules: &Rules, state: &State) -> [i64; Combination::COUNT] {
    let rolls: Vec<Roll> = Combination::all().map(Combination::roll).collect();
    std::array::from_fn(|at| {
        let settled = state.clone().roll(rules, rolls[at]);
        settled.lines.iter().map(|line| line.net().0).sum()
    })
}

/// What a bet that only two things decide will bring on average.
fn worth(raw: &Raw) -> f64 {
    let (mut ways, mut sum) = (0, 0);
    for (combination, change) in Combination::all().zip(raw.changes) {
        if change != 0 {
            ways += i64::from(combination.ways());
            sum += i64::from(combination.ways()) * change;
        }
    }
    if ways == 0 { 0.0 } else { sum as f64 / ways as f64 }
}

struct Class {
    places: Vec<usize>,
    ways: u32,
}

/// Combinations that are alike, together.
fn classes<K: PartialEq>(key: impl Fn(usize) -> K) -> Vec<Class> {
    let mut classes: Vec<(K, Class)> = Vec::new();
    for (place, combination) in Combination::all().enumerate() {
        let key = key(place);
        match classes.iter_mut().find(|(known, _)| *known == key) {
            Some((_, class)) => {
                class.places.push(place);
                class.ways += combination.ways();
            }
            None => classes.push((key, Class { places: vec![place], ways: combination.ways() })),
        }
    }
    classes.into_iter().map(|(_, class)| class).collect()
}

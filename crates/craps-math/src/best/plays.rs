//! Every play in a state, and what it is worth by what its rolls lead to.

use super::game::{Choices, Game, PuckTable, Row, payable};

/// No free bet.
pub(super) const NONE: u16 = u16::MAX;

/// A play: what is done about the line, and up to two free bets with their stakes, all by their
/// places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Play {
    /// The option of the row: a line bet on a come-out, or odds.
    pub(super) option: u16,
    pub(super) free: [(u16, u16); 2],
}

impl Play {
    /// Nothing is bet.
    pub(super) const WAIT: Play = Play { option: 0, free: [(NONE, 0); 2] };
}

/// Values of every state.
pub(super) type Values = Vec<Vec<f64>>;

/// A row with every way to combine its free bets, to look at all plays of its cells.
pub(super) struct Board<'a> {
    game: &'a Game,
    row: &'a Row,
    pairs: Vec<Pair<'a>>,
}

/// Up to two free bets beside the line, and the classes of rolls that count with them.
struct Pair<'a> {
    bets: [Option<&'a Choices>; 2],
    names: [u16; 2],
    /// Those the line bet does not feel.
    beside: Vec<usize>,
    /// How likely they and those it feels are together.
    all: f64,
    /// Without a line bet: those it would have felt, and how likely all are together.
    alone: (Vec<usize>, f64),
}

/// What a class that the line bet feels leads to, option by option.
struct Felt<'a> {
    chance: f64,
    class: usize,
    /// Where the first option leads from.
    from: i32,
    moves: &'a [i32],
    rows: &'a [u32],
}

impl<'a> Board<'a> {
    /// Lays the plays of a row out, with at most so many free bets at once.
    ///
    /// Without `TIMED` a roll that changes nothing is no roll: what counts is where the next one
    /// that does leads. With it every roll counts.
    pub(super) fn new<const TIMED: bool>(game: &'a Game, row: &'a Row, most: usize) -> Board<'a> {
        let table = &game.tables[row.puck];
        let pairs = combined(table, most).into_iter().map(|named| {
            let bets = named.map(|bet| bet.map(|(_, bet)| bet));
            let names = named.map(|bet| bet.map_or(NONE, |(name, _)| name));
            let acts = |class: &usize| TIMED || bets.iter().flatten().any(|bet| bet.acts[*class]);
            let (felt, unfelt): (Vec<usize>, Vec<usize>) =
                (0..table.chances.len()).partition(|class| row.touched.contains(class));
            let beside: Vec<usize> = unfelt.into_iter().filter(acts).collect();
            let felt_alone: Vec<usize> = felt.iter().copied().filter(acts).collect();
            let chance =
                |classes: &[usize]| classes.iter().map(|at| table.chances[*at]).sum::<f64>();
            let all = chance(&beside) + chance(&felt);
            let alone = chance(&beside) + chance(&felt_alone);
            Pair { bets, names, beside, all, alone: (felt_alone, alone) }
        });
        Board { game, row, pairs: pairs.collect() }
    }

    /// Hears every play in a cell that is worth at least `floor`; what it answers is the floor
    /// from then on.
    pub(super) fn plays(
        &self,
        values: &Values,
        cell: usize,
        mut floor: f64,
        mut hear: impl FnMut(f64, Play) -> f64,
    ) {
        let Board { game, row, pairs } = self;
        let chances = &game.tables[row.puck].chances;
        let options = &row.options;
        let count = options.stakes.len();
        let rack = game.rack(row, cell);
        let mut moves = vec![0_i32; chances.len()];
        let mut felt: Vec<Felt<'_>> = row
            .touched
            .iter()
            .map(|class| Felt {
                chance: chances[*class],
                class: *class,
                from: 0,
                moves: &options.moves[class * count..][..count],
                rows: &options.rows[class * count..][..count],
            })
            .collect();
        // Without a line bet the first option is none, and what counts is different.
        let first = usize::from(row.line == 0);
        for pair in pairs {
            for one in 0..pair.count(0, rack) {
                let left = rack - pair.outlay(0, one);
                for other in 0..pair.count(1, left) {
                    let rest = left - pair.outlay(1, other);
                    pair.moves(one, other, &mut moves);
                    let led = |class: &usize| {
                        let values = &values[options.rows[class * count] as usize];
                        chances[*class] * at(values, cell as i32 + moves[*class])
                    };
                    let beside: f64 = pair.beside.iter().map(led).sum();
                    let play = |option: usize| Play {
                        option: option as u16,
                        free: [(pair.names[0], one as u16), (pair.names[1], other as u16)],
                    };
                    if first == 1 && pair.alone.1 > 0.0 {
                        let alone = beside + pair.alone.0.iter().map(led).sum::<f64>();
                        let value = alone / pair.alone.1;
                        if value >= floor {
                            floor = hear(value, play(0));
                        }
                    }
                    felt.iter_mut().for_each(|it| it.from = cell as i32 + moves[it.class]);
                    let payable = payable(&options.outlays, rest);
                    // A sum is compared, so that only what is heard is divided.
                    let mut least = floor * pair.all;
                    for option in first..payable {
                        let mut sum = beside;
                        for it in &felt {
                            let values = &values[it.rows[option] as usize];
                            sum += it.chance * at(values, it.from + it.moves[option]);
                        }
                        if sum >= least && sum / pair.all >= floor {
                            floor = hear(sum / pair.all, play(option));
                            least = floor * pair.all;
                        }
                    }
                }
            }
        }
    }
}

/// The value there; beyond the last cell the goal is reached.
#[inline]
fn at(values: &[f64], cell: i32) -> f64 {
    values.get(cell as usize).copied().unwrap_or(1.0)
}

impl Pair<'_> {
    /// How many stakes of a bet the rack can pay; one for no bet.
    fn count(&self, bet: usize, rack: i64) -> usize {
        self.bets[bet].map_or(1, |bet| payable(&bet.outlays, rack))
    }

    fn outlay(&self, bet: usize, stake: usize) -> i64 {
        self.bets[bet].map_or(0, |bet| bet.outlays[stake])
    }

    fn moves(&self, one: usize, other: usize, moves: &mut [i32]) {
        moves.fill(0);
        for (bet, stake) in self.bets.iter().zip([one, other]) {
            let Some(bet) = bet else { continue };
            let bet = &bet.moves[stake * moves.len()..][..moves.len()];
            moves.iter_mut().zip(bet).for_each(|(sum, by)| *sum += by);
        }
    }
}

/// A free bet by its place.
type Named<'a> = Option<(u16, &'a Choices)>;

/// No free bet, each alone, and every two together.
fn combined(table: &PuckTable, most: usize) -> Vec<[Named<'_>; 2]> {
    let bets: Vec<(u16, &Choices)> =
        (0..).zip(&table.free).filter(|(_, bet)| !bet.stakes.is_empty()).collect();
    let mut all = vec![[None, None]];
    for (place, bet) in bets.iter().enumerate() {
        all.push([Some(*bet), None]);
        if most > 1 {
            all.extend(bets[place + 1..].iter().map(|other| [Some(*bet), Some(*other)]));
        }
    }
    all
}

impl Game {
    /// Where a play leads: the chance, the row and the cell of each class.
    pub(super) fn leads<'a>(
        &'a self,
        row: &'a Row,
        cell: usize,
        play: Play,
    ) -> impl Iterator<Item = (f64, usize, usize)> + use<'a> {
        let table = &self.tables[row.puck];
        let classes = table.chances.len();
        let lead = move |class: usize| {
            let place = class * row.options.stakes.len() + usize::from(play.option);
            let mut by = row.options.moves[place];
            for (bet, stake) in play.free.iter().filter(|(bet, _)| *bet != NONE) {
                by += table.free[usize::from(*bet)].moves[usize::from(*stake) * classes + class];
            }
            let to = ((cell as i32 + by) as usize).min(self.cells - 1);
            (table.chances[class], row.options.rows[place] as usize, to)
        };
        (0..classes).map(lead)
    }

    /// The chips a play takes from the rack.
    pub(super) fn outlay(&self, row: &Row, play: Play) -> i64 {
        let free = &self.tables[row.puck].free;
        let bets = play.free.iter().filter(|(bet, _)| *bet != NONE);
        let bets = bets.map(|(bet, stake)| free[usize::from(*bet)].outlays[usize::from(*stake)]);
        row.options.outlays[usize::from(play.option)] + bets.sum::<i64>()
    }
}

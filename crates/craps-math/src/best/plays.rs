//! Every play in a state, and what it is worth by what its rolls lead to.

use super::game::{Choices, Game, PuckTable, Row, within};

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

/// The bets of a play beside the line, while it is looked at.
#[derive(Clone, Copy)]
struct Pair<'a> {
    bets: [Option<&'a Choices>; 2],
    names: [u16; 2],
}

impl Game {
    /// Hears every play in a state that is worth at least `floor`; what it answers is the floor
    /// from then on.
    ///
    /// Without `TIMED` a roll that changes nothing is no roll: what counts is where the next one
    /// that does leads. With it every roll counts.
    pub(super) fn plays<const TIMED: bool>(
        &self,
        values: &Values,
        row: &Row,
        cell: usize,
        mut floor: f64,
        mut hear: impl FnMut(f64, Play) -> f64,
    ) {
        let table = &self.tables[row.puck];
        let (rack, need) = self.rack(row, cell);
        for pair in pairs(table) {
            let live = Live::of::<TIMED>(table, row, &pair);
            let counts = |bet: Option<&Choices>, rack: i64| match bet {
                Some(bet) => within(&bet.outlays, &bet.reaches, rack, need),
                None => 1,
            };
            let mut moves = vec![0_i32; table.chances.len()];
            for first in 0..counts(pair.bets[0], rack) {
                let left = rack - pair.bets[0].map_or(0, |bet| bet.outlays[first]);
                for second in 0..counts(pair.bets[1], left) {
                    let rest = left - pair.bets[1].map_or(0, |bet| bet.outlays[second]);
                    pair.moves(first, second, &mut moves);
                    let play = |option: usize| Play {
                        option: option as u16,
                        free: [(pair.names[0], first as u16), (pair.names[1], second as u16)],
                    };
                    let options = &row.options;
                    let count = within(&options.outlays, &options.reaches, rest, need);
                    self.options(values, row, cell, &live, &moves, count, |value, option| {
                        if value >= floor {
                            floor = hear(value, play(option));
                        }
                    });
                }
            }
        }
    }

    /// Values the first `count` options of a row beside free bets that move equity like this.
    #[expect(clippy::too_many_arguments, reason = "the inside of the innermost loop")]
    #[inline]
    fn options(
        &self,
        values: &Values,
        row: &Row,
        cell: usize,
        live: &Live,
        moves: &[i32],
        count: usize,
        mut hear: impl FnMut(f64, usize),
    ) {
        let (options, classes) = (&row.options, moves.len());
        let chances = &self.tables[row.puck].chances;
        let top = self.cells - 1;
        let at = |values: &[f64], by: i32| values[((cell as i32 + by) as usize).min(top)];
        // What the line bet does not feel is the same for every option.
        let mut rest = 0.0;
        for class in &live.beside {
            let values = &values[options.rows[*class] as usize];
            rest += chances[*class] * at(values, moves[*class]);
        }
        let first = usize::from(row.line == 0);
        if first == 1 && live.alone > 0.0 {
            let felt = live.felt_alone.iter().map(|class| {
                let values = &values[options.rows[*class] as usize];
                chances[*class] * at(values, moves[*class])
            });
            hear((rest + felt.sum::<f64>()) / live.alone, 0);
        }
        for option in first..count {
            let place = option * classes;
            let mut sum = rest;
            for class in &row.touched {
                let values = &values[options.rows[place + class] as usize];
                sum += chances[*class] * at(values, options.moves[place + class] + moves[*class]);
            }
            hear(sum / live.all, option);
        }
    }

    /// Where a play leads: the chance, the row and the cell of each class.
    pub(super) fn leads(&self, row: &Row, cell: usize, play: Play) -> Vec<(f64, usize, usize)> {
        let table = &self.tables[row.puck];
        let classes = table.chances.len();
        let place = usize::from(play.option) * classes;
        let lead = |class: usize| {
            let mut by = row.options.moves[place + class];
            for (bet, stake) in play.free.iter().filter(|(bet, _)| *bet != NONE) {
                by += table.free[usize::from(*bet)].moves[usize::from(*stake) * classes + class];
            }
            let to = ((cell as i32 + by) as usize).min(self.cells - 1);
            (table.chances[class], row.options.rows[place + class] as usize, to)
        };
        (0..classes).map(lead).collect()
    }

    /// The chips a play takes from the rack.
    pub(super) fn outlay(&self, row: &Row, play: Play) -> i64 {
        let free = &self.tables[row.puck].free;
        let bets = play.free.iter().filter(|(bet, _)| *bet != NONE);
        let bets = bets.map(|(bet, stake)| free[usize::from(*bet)].outlays[usize::from(*stake)]);
        row.options.outlays[usize::from(play.option)] + bets.sum::<i64>()
    }
}

impl Pair<'_> {
    fn moves(&self, first: usize, second: usize, moves: &mut [i32]) {
        moves.fill(0);
        for (bet, stake) in self.bets.iter().zip([first, second]) {
            let Some(bet) = bet else { continue };
            let bet = &bet.moves[stake * moves.len()..][..moves.len()];
            moves.iter_mut().zip(bet).for_each(|(sum, by)| *sum += by);
        }
    }
}

/// The classes that count beside a pair of free bets, and how likely they are together.
struct Live {
    /// Those the line bet does not feel.
    beside: Vec<usize>,
    /// With a line bet: all of them.
    all: f64,
    /// Without one: those it would have felt, and all of them.
    felt_alone: Vec<usize>,
    alone: f64,
}

impl Live {
    fn of<const TIMED: bool>(table: &PuckTable, row: &Row, pair: &Pair<'_>) -> Live {
        let acts = |class: usize| TIMED || pair.bets.iter().flatten().any(|bet| bet.acts[class]);
        let all = 0..table.chances.len();
        let (felt, unfelt): (Vec<usize>, Vec<usize>) =
            all.partition(|class| row.touched.contains(class));
        let beside: Vec<usize> = unfelt.into_iter().filter(|class| acts(*class)).collect();
        let felt_alone: Vec<usize> = felt.iter().copied().filter(|class| acts(*class)).collect();
        let chance = |classes: &[usize]| classes.iter().map(|at| table.chances[*at]).sum::<f64>();
        let all = chance(&beside) + chance(&felt);
        let alone = chance(&beside) + chance(&felt_alone);
        Live { beside, all, felt_alone, alone }
    }
}

/// No free bet, each alone, and every two together.
fn pairs(table: &PuckTable) -> Vec<Pair<'_>> {
    let bets: Vec<(u16, &Choices)> =
        (0..).zip(&table.free).filter(|(_, bet)| !bet.stakes.is_empty()).collect();
    let mut pairs = vec![Pair { bets: [None; 2], names: [NONE; 2] }];
    for (place, (name, bet)) in bets.iter().enumerate() {
        pairs.push(Pair { bets: [Some(bet), None], names: [*name, NONE] });
        for (other_name, other) in &bets[place + 1..] {
            pairs.push(Pair { bets: [Some(bet), Some(other)], names: [*name, *other_name] });
        }
    }
    pairs
}

//! The best play within so many rolls: what it reaches, and how it opens.

use super::Stakes;
use super::game::Game;
use super::plays::{Board, Play, Values};
use super::solve::{TIE, TOGETHER, stakes};

/// How the best play within so many rolls opens.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// The chance to reach the goal in time.
    pub chance: f64,
    /// What is up at the first roll.
    pub stakes: Stakes,
}

/// Finds it, from the last roll back to the first; `progress` is told the rolls done, and says
/// whether to go on.
pub fn within(game: &Game, rolls: u32, mut progress: impl FnMut(u32) -> bool) -> Option<Opening> {
    let done = |row: usize, cell: usize| f64::from(u8::from(game.is_done(&game.rows[row], cell)));
    let mut values: Values = (0..game.rows.len())
        .map(|row| (0..game.cells).map(|cell| done(row, cell)).collect())
        .collect();
    let mut opening = Play::WAIT;
    for rolled in 1..=rolls {
        let mut next = values.clone();
        for (place, row) in game.rows.iter().enumerate() {
            let board = Board::new::<true>(game, row, TOGETHER);
            for cell in (0..game.cells).filter(|cell| !game.is_done(row, *cell)) {
                let (mut best, mut found) = (0.0, Play::WAIT);
                board.plays(&values, cell, 0.0, |value, play| {
                    // Whoever may as well bet now does, with as few chips as will do.
                    let chips = |play: Play| match play {
                        Play::WAIT => i64::MAX,
                        play => game.outlay(row, play),
                    };
                    if value > best + TIE || (value > best - TIE && chips(play) < chips(found)) {
                        found = play;
                    }
                    best = best.max(value);
                    best - TIE
                });
                // A line bet that may come down is worth no less than a smaller one.
                if row.line > 0 && !game.locks {
                    let less = if row.line == 1 { row.puck } else { place - 1 };
                    best = best.max(next[less][cell]);
                }
                next[place][cell] = best;
                if rolled == rolls && (place, cell) == (0, game.start()) {
                    opening = found;
                }
            }
        }
        values = next;
        if !progress(rolled) {
            return None;
        }
    }
    let chance = values[0][game.start()];
    Some(Opening { chance, stakes: stakes(game, 0, opening) })
}

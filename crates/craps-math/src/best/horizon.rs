//! The best play within so many rolls: what it reaches, and how it opens.

use craps::Cents;

use super::Stakes;
use super::game::{Game, Row};
use super::plays::{Board, Play, Values};
use super::solve::{TOGETHER, Turn};
use super::ties::{Contender, TIE, stakes};

/// How the best play within so many rolls opens.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// The chance to reach the goal in time.
    pub chance: f64,
    /// What is up at the first roll.
    pub stakes: Stakes,
    /// The same for other bankrolls, in steps from the start, and for every place of the puck
    /// where there is something to bet; without those that have no chance.
    pub turns: Vec<Turn>,
}

/// Finds it, from the last roll back to the first; `progress` is told the rolls done, and says
/// whether to go on.
pub fn within(game: &Game, rolls: u32, mut progress: impl FnMut(u32) -> bool) -> Option<Opening> {
    let mut ahead = Ahead::at_the_end(game);
    for rolled in 1..=rolls {
        ahead = ahead.one_more();
        if !progress(rolled) {
            return None;
        }
    }
    Some(ahead.opening())
}

/// What the best play comes to with some rolls to go.
struct Ahead<'a> {
    game: &'a Game,
    /// The chance to reach the goal in every state.
    chances: Values,
    /// The rolls it takes until that is decided, on average.
    lasts: Values,
    /// What is played in the rows without a line bet.
    plays: Vec<Vec<Play>>,
}

impl<'a> Ahead<'a> {
    /// No roll is left: whoever is not there yet has no chance.
    fn at_the_end(game: &'a Game) -> Ahead<'a> {
        let done = |row: &Row, cell| f64::from(u8::from(game.is_done(row, cell)));
        let done = |row: &Row| (0..game.cells).map(|cell| done(row, cell)).collect();
        Ahead {
            game,
            chances: game.rows.iter().map(done).collect(),
            lasts: vec![vec![0.0; game.cells]; game.rows.len()],
            plays: vec![vec![Play::WAIT; game.cells]; game.pucks.len()],
        }
    }

    /// The same with one roll more to go.
    fn one_more(&self) -> Ahead<'a> {
        let game = self.game;
        let (chances, lasts, plays) =
            (self.chances.clone(), self.lasts.clone(), self.plays.clone());
        let mut next = Ahead { game, chances, lasts, plays };
        for (place, row) in game.rows.iter().enumerate() {
            let board = Board::new::<true>(game, row, TOGETHER);
            for cell in (0..game.cells).filter(|cell| !game.is_done(row, *cell)) {
                let (mut chance, play) = self.best(&board, row, cell);
                let mut lasts = play.as_ref().map_or(0.0, |play| play.rolls);
                // A line bet that may come down is worth no less than a smaller one.
                if row.line > 0 && !game.locks {
                    let less = if row.line == 1 { row.puck } else { place - 1 };
                    let (other, other_lasts) = (next.chances[less][cell], next.lasts[less][cell]);
                    if other > chance + TIE || (other > chance - TIE && other_lasts < lasts) {
                        lasts = other_lasts;
                    }
                    chance = chance.max(other);
                }
                (next.chances[place][cell], next.lasts[place][cell]) = (chance, lasts);
                if let Some(plays) = next.plays.get_mut(place) {
                    plays[cell] = play.map_or(Play::WAIT, |play| play.play);
                }
            }
        }
        next
    }

    /// The best chance with one roll more in a state, and the play that counts; none where there
    /// is no chance.
    fn best(&self, board: &Board<'_>, row: &Row, cell: usize) -> (f64, Option<Contender>) {
        let (mut best, mut first): (f64, Option<Contender>) = (0.0, None);
        board.plays(&self.chances, cell, f64::MIN_POSITIVE, |chance, play| {
            let leads = self.game.leads(row, cell, play);
            let rolls: f64 = leads.map(|(chance, to, at)| chance * self.lasts[to][at]).sum();
            let other = Contender::new(self.game, row, play, 1.0 + rolls);
            let better = chance > best + TIE;
            if better || first.as_ref().is_none_or(|first| other.beats(first, self.game, row)) {
                first = Some(other);
            }
            best = best.max(chance);
            (best - TIE).max(f64::MIN_POSITIVE)
        });
        (best, first)
    }

    fn opening(&self) -> Opening {
        let Ahead { game, chances, .. } = self;
        let start = game.start();
        let stakes =
            |puck: usize, cell: usize| stakes(game, &game.rows[puck], self.plays[puck][cell]);
        let step = ((game.wish.step.0 / game.unit) as usize).max(1);
        let mut turns = Vec::new();
        for (puck, lies) in game.pucks.iter().enumerate().filter(|(puck, _)| self.matters(*puck)) {
            let steps = (start % step..game.cells).step_by(step);
            for cell in steps.filter(|cell| !game.is_done(&game.rows[puck], *cell)) {
                let chance = chances[puck][cell];
                if chance > 0.0 {
                    let (puck, stakes) = (*lies, stakes(puck, cell));
                    let (line, equity) = (Cents::ZERO, Cents(game.equity(cell)));
                    turns.push(Turn { puck, line, equity, stakes, chance });
                }
            }
        }
        Opening { chance: chances[0][start], stakes: stakes(0, start), turns }
    }

    /// Whether there is something to bet with the puck there and nothing up.
    fn matters(&self, puck: usize) -> bool {
        let free = &self.game.tables[puck].free;
        self.game.rows[puck].options.stakes.len() > 1
            || free.iter().any(|bet| !bet.stakes.is_empty())
    }
}

//! Which of plays that are equally good counts: the one that is over sooner, then the one with
//! fewer chips, then the one whose chips come first on the felt.

use craps::Cents;

use super::game::{Game, Row};
use super::plays::{NONE, Play};
use super::{Bets, Stakes};

/// Plays worth the same within this are equally good.
pub(super) const TIE: f64 = 1e-12;
/// Lengths within this, in rolls, are equally long.
const TIE_ROLLS: f64 = 1e-9;

/// A play among others that are equally good.
pub(super) struct Contender {
    pub(super) play: Play,
    /// How long it lasts, on average.
    pub(super) rolls: f64,
    outlay: i64,
}

impl Contender {
    pub(super) fn new(game: &Game, row: &Row, play: Play, rolls: f64) -> Contender {
        Contender { play, rolls, outlay: game.outlay(row, play) }
    }

    /// Whether it counts and not the other, in the same row.
    pub(super) fn beats(&self, other: &Contender, game: &Game, row: &Row) -> bool {
        if (self.rolls - other.rolls).abs() >= TIE_ROLLS {
            return self.rolls < other.rolls;
        }
        if self.outlay != other.outlay {
            return self.outlay < other.outlay;
        }
        let [own, others] =
            [self, other].map(|it| by_felt(&game.bets, &stakes(game, row, it.play)));
        own > others
    }
}

/// Stakes in the order of their spots on the felt: more on the first is more.
fn by_felt(bets: &Bets, stakes: &[Cents]) -> Stakes {
    let mut on_felt: Vec<_> = bets.spots().into_iter().zip(stakes.iter().copied()).collect();
    on_felt.sort_unstable();
    on_felt.into_iter().map(|(_, stake)| stake).collect()
}

/// What is up with a play, in the order of the bets.
pub(super) fn stakes(game: &Game, row: &Row, play: Play) -> Stakes {
    let option = row.options.stakes[usize::from(play.option)];
    let (line, odds) = if row.line == 0 { (option, Cents::ZERO) } else { (row.up, option) };
    let free = game.bets.free.iter().enumerate().map(|(place, _)| {
        let bet = play.free.iter().find(|(bet, _)| *bet != NONE && usize::from(*bet) == place);
        bet.map_or(Cents::ZERO, |(bet, stake)| {
            game.tables[row.puck].free[usize::from(*bet)].stakes[usize::from(*stake)]
        })
    });
    let line = game.bets.line.map(|_| line);
    let odds = game.bets.odds.map(|_| odds);
    line.into_iter().chain(odds).chain(free).collect()
}

#[cfg(test)]
mod tests {
    use craps::{Library, Rules};

    use super::super::Wish;
    use super::*;

    #[test]
    fn sooner_then_fewer_chips_then_first_on_the_felt() {
        let rules = Rules::named(&Library::embedded(), &["presque-isle"]).unwrap();
        let bets = Bets::parse(&rules, ["hard 10", "hard 4"]).unwrap();
        let [bankroll, goal, step] = [15, 1_000, 5].map(Cents::dollars);
        let game = Game::new(&rules, &bets, &Wish { bankroll, goal, step }).unwrap();
        let row = &game.rows[0];
        // Stakes by their places: the first is $5.
        let hards = |four: u16, ten: u16| Play { option: 0, free: [(0, four), (1, ten)] };
        let contender = |play: Play, rolls: f64| Contender::new(&game, row, play, rolls);
        let beats = |one: &Contender, other: &Contender| {
            (one.beats(other, &game, row), other.beats(one, &game, row))
        };
        let few = contender(hards(0, 0), 4.0);
        let many = contender(hards(1, 0), 4.0);
        let sooner = contender(hards(1, 0), 3.0);
        let mirrored = contender(hards(0, 1), 4.0);
        assert_eq!(beats(&sooner, &few), (true, false));
        assert_eq!(beats(&few, &many), (true, false));
        assert_eq!(beats(&many, &mirrored), (true, false));
        assert_eq!(beats(&many, &many), (false, false));
    }
}

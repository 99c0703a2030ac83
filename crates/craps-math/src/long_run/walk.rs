//! A walk among positions that it is sure to leave, and its visits in floats: each position in
//! turn is given what flows into it, until nothing moves. The flows only grow, so nothing cancels.

#![expect(clippy::float_arithmetic, reason = "the residual is part of the answer")]

/// A walk from `start`; each step is so many of 36 rolls, and those that are missing leave it.
pub(super) struct Walk {
    pub(super) steps: Vec<Vec<(usize, u32)>>,
    pub(super) start: usize,
}

/// Visits change by less than this part of them all when it is enough.
const SETTLED: f64 = 1e-15;
/// So many steps are followed at most; what is then left over is in the residual.
const WORK: usize = 2_000_000_000;

/// The mean number of visits to each position, and how far they are out of balance as a part of
/// them all.
pub(super) fn visits(walk: &Walk) -> (Vec<f64>, f64) {
    let size = walk.steps.len();
    let mut into: Vec<Vec<(usize, f64)>> = vec![Vec::new(); size];
    let mut stays = vec![0.0; size];
    for (from, steps) in walk.steps.iter().enumerate() {
        for (to, ways) in steps {
            let chance = f64::from(*ways) / 36.0;
            match *to == from {
                true => stays[from] = chance,
                false => into[*to].push((from, chance)),
            }
        }
    }
    let inflow = |visits: &[f64], place: usize| {
        let first = f64::from(u8::from(place == walk.start));
        into[place].iter().fold(first, |sum, (from, chance)| sum + visits[*from] * chance)
    };
    let mut visits = vec![0.0; size];
    let steps: usize = into.iter().map(Vec::len).sum::<usize>() + size;
    for _ in 0..WORK / steps.max(1) {
        let (mut moved, mut all) = (0.0, 0.0);
        for place in 0..size {
            let count = inflow(&visits, place) / (1.0 - stays[place]);
            moved += (count - visits[place]).abs();
            all += count;
            visits[place] = count;
        }
        if moved <= all * SETTLED {
            break;
        }
    }
    let all: f64 = visits.iter().sum();
    let off = |place: usize| (inflow(&visits, place) - visits[place] * (1.0 - stays[place])).abs();
    let residual: f64 = (0..size).map(off).sum();
    (visits, residual / all)
}

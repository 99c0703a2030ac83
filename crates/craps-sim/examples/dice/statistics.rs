//! What chance would bring: tests of rolls and of bits, each with the probability that fair dice
//! come out at least as odd, too even counted as odd.

#![allow(clippy::float_arithmetic, reason = "chances are told, not paid")]

use craps::Roll;

/// Of a hundred families of tests on fair dice, one is turned down.
pub(crate) const TURNED_DOWN: f64 = 0.01;

/// Gaps between sevens and runs on one side of seven, of this length and more, are counted as one.
const GAP_MAX: usize = 40;
const RUN_MAX: usize = 12;

/// One test's name and its probability.
pub(crate) struct Tested {
    /// What was tested.
    pub(crate) name: &'static str,
    /// The probability, of both sides.
    pub(crate) p: f64,
}

/// Whether a family of tests passes together.
pub(crate) fn all_pass(family: &[Tested]) -> bool {
    let least = TURNED_DOWN / family.len() as f64;
    family.iter().all(|tested| tested.p >= least)
}

/// Rolls, counted in every way that is tested.
pub(crate) struct Rolls {
    single: Vec<u64>,
    faces: [[u64; 6]; 2],
    pairs: Vec<u64>,
    openings: Vec<u64>,
    gaps: [u64; GAP_MAX + 1],
    runs: [u64; RUN_MAX],
    before: Option<usize>,
    opening_before: Option<usize>,
    gap: Option<usize>,
    side: Option<bool>,
    run: Option<usize>,
}

impl Rolls {
    /// No rolls yet.
    pub(crate) fn new() -> Rolls {
        Rolls {
            single: vec![0; Roll::COUNT],
            faces: [[0; 6]; 2],
            pairs: vec![0; Roll::COUNT * Roll::COUNT],
            openings: vec![0; Roll::COUNT * Roll::COUNT],
            gaps: [0; GAP_MAX + 1],
            runs: [0; RUN_MAX],
            before: None,
            opening_before: None,
            gap: None,
            side: None,
            run: None,
        }
    }

    /// The rolls of the next session.
    pub(crate) fn session(&mut self, rolls: impl Iterator<Item = Roll>) {
        for (place, roll) in rolls.enumerate() {
            if place == 0 {
                pair(&mut self.openings, &mut self.opening_before, roll);
            }
            self.roll(roll);
        }
    }

    fn roll(&mut self, roll: Roll) {
        self.single[roll.index()] += 1;
        let (first, second) = roll.faces();
        self.faces[0][usize::from(first) - 1] += 1;
        self.faces[1][usize::from(second) - 1] += 1;
        pair(&mut self.pairs, &mut self.before, roll);
        let total = roll.total().number();
        if total == 7 {
            // What came before the first seven has no beginning.
            if let Some(gap) = self.gap {
                self.gaps[gap.min(GAP_MAX)] += 1;
            }
            self.gap = Some(0);
            return;
        }
        self.gap = self.gap.map(|gap| gap + 1);
        let above = Some(total > 7);
        if self.side == above {
            self.run = self.run.map(|run| run + 1);
        } else {
            if let Some(run) = self.run {
                self.runs[run.min(RUN_MAX) - 1] += 1;
            }
            // Nobody saw where the first run began.
            self.run = self.side.map(|_| 1);
            self.side = above;
        }
    }

    /// How many there were.
    pub(crate) fn count(&self) -> u64 {
        self.single.iter().sum()
    }

    /// Every test of them.
    pub(crate) fn tests(&self) -> Vec<Tested> {
        let even = |counts: &[u64]| vec![1.0 / counts.len() as f64; counts.len()];
        let fair = |name, counts: &[u64]| Tested { name, p: fit(counts, &even(counts)) };
        let law = |name, counts: &[u64], chance| Tested {
            name,
            p: fit(counts, &geometric(chance, counts.len())),
        };
        vec![
            fair("the 36 rolls", &self.single),
            fair("faces of the first die", &self.faces[0]),
            fair("faces of the second die", &self.faces[1]),
            fair("pairs of consecutive rolls", &self.pairs),
            fair("first rolls of consecutive sessions", &self.openings),
            law("gaps between sevens", &self.gaps, 1.0 / 6.0),
            law("runs above and below seven", &self.runs, 0.5),
        ]
    }
}

/// Pairs do not overlap: those that do are not independent.
fn pair(pairs: &mut [u64], before: &mut Option<usize>, roll: Roll) {
    match before.take() {
        Some(first) => pairs[first * Roll::COUNT + roll.index()] += 1,
        None => *before = Some(roll.index()),
    }
}

/// The chances of a geometric law, the last cell taking all the rest.
fn geometric(chance: f64, cells: usize) -> Vec<f64> {
    let mut left = 1.0;
    let mut chances = Vec::with_capacity(cells);
    for _ in 1..cells {
        chances.push(left * chance);
        left *= 1.0 - chance;
    }
    chances.push(left);
    chances
}

/// Pearson's chi-square of counts against their chances.
fn fit(counts: &[u64], chances: &[f64]) -> f64 {
    assert_eq!(counts.len(), chances.len(), "a chance for each count");
    let all = counts.iter().sum::<u64>() as f64;
    let apart = counts.iter().zip(chances).map(|(count, chance)| {
        let expected = all * chance;
        (*count as f64 - expected).powi(2) / expected
    });
    let above = upper_gamma((counts.len() - 1) as f64 / 2.0, apart.sum::<f64>() / 2.0);
    2.0 * above.min(1.0 - above)
}

/// Bits of rolls: six are a number below 36^6, and one below 2^31 is 31 fair bits, the highest
/// first. The rest, 1.3 %, is thrown away.
pub(crate) fn bits(rolls: &[Roll; 6]) -> Option<u32> {
    let number = rolls.iter().fold(0, |number, roll| number * 36 + roll.index() as u64);
    (number < 1 << 31).then_some(number as u32)
}

/// The tests of NIST SP 800-22 (revision 1a) that are done here, by their sections.
pub(crate) const NIST: [&str; 5] = [
    "2.1 frequency",
    "2.2 frequency within blocks",
    "2.3 runs",
    "2.13 cumulative sums, forward",
    "2.13 cumulative sums, backward",
];

/// The five probabilities of a sequence of bits.
pub(crate) fn nist(bits: &[bool], block: usize) -> [f64; 5] {
    let backward: Vec<bool> = bits.iter().rev().copied().collect();
    [frequency(bits), block_frequency(bits, block), runs(bits), sums(bits), sums(&backward)]
}

/// What NIST makes of many sequences: probabilities of fair bits are spread evenly over ten cells.
pub(crate) fn spread(probabilities: &[f64]) -> f64 {
    let mut cells = [0; 10];
    for p in probabilities {
        cells[((p * 10.0) as usize).min(9)] += 1;
    }
    fit(&cells, &[0.1; 10])
}

fn ones(bits: &[bool]) -> f64 {
    bits.iter().filter(|bit| **bit).count() as f64
}

fn frequency(bits: &[bool]) -> f64 {
    let all = bits.len() as f64;
    erfc((2.0 * ones(bits) - all).abs() / (2.0 * all).sqrt())
}

fn block_frequency(bits: &[bool], block: usize) -> f64 {
    let blocks = bits.chunks_exact(block);
    let count = blocks.len() as f64;
    let apart = blocks.map(|bits| (ones(bits) / block as f64 - 0.5).powi(2)).sum::<f64>();
    upper_gamma(count / 2.0, 2.0 * block as f64 * apart)
}

fn runs(bits: &[bool]) -> f64 {
    let all = bits.len() as f64;
    let share = ones(bits) / all;
    if (share - 0.5).abs() >= 2.0 / all.sqrt() {
        return 0.0;
    }
    let seen = 1 + bits.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let even = share * (1.0 - share);
    erfc((seen as f64 - 2.0 * all * even).abs() / (2.0 * (2.0 * all).sqrt() * even))
}

fn sums(bits: &[bool]) -> f64 {
    let (mut sum, mut most) = (0i64, 0i64);
    for bit in bits {
        sum += if *bit { 1 } else { -1 };
        most = most.max(sum.abs());
    }
    let (all, z) = (bits.len() as i64, most as f64);
    let root = (all as f64).sqrt();
    let below = |factor: i64| normal(factor as f64 * z / root);
    // The bounds are whole numbers, cut towards zero as NIST's own program does.
    let (from, after, to) = ((-all / most + 1) / 4, (-all / most - 3) / 4, (all / most - 1) / 4);
    let within = (from..=to).map(|k| below(4 * k + 1) - below(4 * k - 1)).sum::<f64>();
    let beyond = (after..=to).map(|k| below(4 * k + 3) - below(4 * k + 1)).sum::<f64>();
    1.0 - within + beyond
}

fn normal(x: f64) -> f64 {
    let tail = erfc(x.abs() / std::f64::consts::SQRT_2) / 2.0;
    if x > 0.0 { 1.0 - tail } else { tail }
}

/// Of what is not negative.
fn erfc(x: f64) -> f64 {
    upper_gamma(0.5, x * x)
}

/// The upper incomplete gamma function as a share of the whole: by its series where that is short,
/// by its continued fraction (Lentz) elsewhere.
fn upper_gamma(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let scale = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 {
        let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
        while term > sum * 1e-16 {
            n += 1.0;
            term *= x / n;
            sum += term;
        }
        return (1.0 - scale * sum).max(0.0);
    }
    let mut b = x + 1.0 - a;
    let (mut c, mut d) = (1e300, 1.0 / b);
    let mut fraction = d;
    for n in 1..100_000 {
        let n = f64::from(n);
        let step = n * (a - n);
        b += 2.0;
        d = 1.0 / (step * d + b);
        c = b + step / c;
        fraction *= c * d;
        if (c * d - 1.0).abs() < 1e-15 {
            break;
        }
    }
    (scale * fraction).min(1.0)
}

/// Stirling's series, from where it is exact to the last digits.
fn ln_gamma(mut x: f64) -> f64 {
    let mut less = 0.0;
    while x < 12.0 {
        less += x.ln();
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    let series = (1.0 / 12.0 - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y / 1680.0))) / x;
    (x - 0.5) * x.ln() - x + (2.0 * std::f64::consts::PI).ln() / 2.0 + series - less
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hundred bits of NIST's longer examples: the first of pi.
    const PI: &str = "1100100100001111110110101010001000100001011010001100001000110100110001001100\
                      011001100010100010111000";

    fn of(bits: &str) -> Vec<bool> {
        bits.bytes().map(|bit| bit == b'1').collect()
    }

    #[track_caller]
    fn check(found: f64, published: f64) {
        assert!((found - published).abs() < 1e-6, "{found} is not {published}");
    }

    #[test]
    fn the_examples_of_nist_come_out() {
        check(frequency(&of("1011010101")), 0.527_089);
        check(frequency(&of(PI)), 0.109_599);
        check(block_frequency(&of("0110011010"), 3), 0.801_252);
        check(block_frequency(&of(PI), 10), 0.706_438);
        check(runs(&of("1001101011")), 0.147_232);
        check(runs(&of(PI)), 0.500_798);
        check(sums(&of("1011010111")), 0.411_658_8);
        check(nist(&of(PI), 10)[3], 0.219_194);
        check(nist(&of(PI), 10)[4], 0.114_866);
    }

    /// Printed tables of chi-square: 5 % and 1 % lie beyond these.
    #[test]
    fn chi_square_is_as_in_the_tables() {
        for (freedom, x, beyond) in
            [(1.0, 3.841, 0.05), (5.0, 11.070, 0.05), (35.0, 57.342, 0.01), (100.0, 124.342, 0.05)]
        {
            let found = upper_gamma(freedom / 2.0, x / 2.0);
            assert!((found - beyond).abs() < 2e-5, "{freedom}: {found}");
        }
        // Wide laws are nearly normal: half of it lies beyond the median.
        assert!((upper_gamma(647.5, 647.5 - 1.0 / 3.0) - 0.5).abs() < 1e-4);
    }

    #[test]
    fn too_even_is_as_odd_as_too_uneven() {
        assert!(fit(&[1_000_000; 36], &[1.0 / 36.0; 36]) < 1e-9);
        assert!(fit(&[1_000, 2_000], &[0.5; 2]) < 1e-9);
        check(fit(&[60, 40], &[0.5; 2]), 2.0 * 0.045_500_3);
    }

    #[test]
    fn chances_of_a_geometric_law_are_one_in_all() {
        assert_eq!(geometric(0.5, 4), [0.5, 0.25, 0.125, 0.125]);
        check(geometric(1.0 / 6.0, GAP_MAX + 1).iter().sum(), 1.0);
    }

    #[test]
    fn six_rolls_are_31_bits_or_none() {
        let all = |index| [Roll::from_index(index); 6];
        assert_eq!(bits(&all(0)), Some(0));
        assert_eq!(bits(&all(35)), None);
        let mut rolls = all(0);
        rolls[4] = Roll::from_index(1);
        assert_eq!(bits(&rolls), Some(36));
    }

    /// 7, 3, 4, 7, 7, 12, 10, 2, 7: gaps of 2, 0 and 3; a run of 2 above, seen from both ends.
    #[test]
    fn gaps_and_runs_are_counted() {
        let thrown = [(6, 1), (1, 2), (2, 2), (3, 4), (2, 5), (6, 6), (4, 6), (1, 1), (5, 2)];
        let mut rolls = Rolls::new();
        rolls.session(thrown.iter().map(|(one, other)| Roll::new(*one, *other).unwrap()));
        assert_eq!(rolls.count(), 9);
        assert_eq!(rolls.gaps[..4], [1, 0, 1, 1]);
        assert_eq!(rolls.runs[..3], [0, 1, 0]);
        assert_eq!(rolls.pairs.iter().sum::<u64>(), 4);
    }
}

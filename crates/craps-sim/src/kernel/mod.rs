//! Ways to walk sessions: one by one, or in lanes that vector units throw the dice for. All come
//! to the same whole numbers.

mod lanes;
mod portable;
#[allow(unsafe_code)]
pub(crate) mod cuda;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

use std::ops::Range;

use crate::course::{Course, Underway};
use crate::dice::Dice;
use crate::table::{Stride, Table};
use crate::tally::Tally;

/// A way to walk sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// One session after the other, every threshold looked at: what the others are held against.
    Scalar,
    /// Lanes, in plain code for any processor.
    Portable,
    /// Lanes whose dice are thrown by AVX2.
    Avx2,
    /// And by AVX-512.
    Avx512,
}

impl Kernel {
    /// Every kernel, the plainest first.
    pub const ALL: [Kernel; 4] = [Kernel::Scalar, Kernel::Portable, Kernel::Avx2, Kernel::Avx512];

    /// The fastest that this processor has.
    pub fn best() -> Kernel {
        let here = Kernel::ALL.into_iter().rev().find(|kernel| kernel.is_here());
        here.unwrap_or(Kernel::Portable)
    }

    /// Whether this processor has it.
    pub fn is_here(self) -> bool {
        match self {
            Kernel::Scalar | Kernel::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => avx2::is_here(),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => avx512::is_here(),
            #[cfg(not(target_arch = "x86_64"))]
            Kernel::Avx2 | Kernel::Avx512 => false,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Kernel::Scalar => "scalar",
            Kernel::Portable => "portable",
            Kernel::Avx2 => "avx2",
            Kernel::Avx512 => "avx512",
        }
    }
}

/// A course with the tables that lanes walk.
pub(crate) struct Tables {
    /// Where sessions are while they are rich.
    rich: Option<Table>,
    /// Where they go on when they are not.
    whole: Option<Table>,
}

impl Tables {
    pub(crate) fn new(course: &Course, kernel: Kernel) -> Tables {
        // The reference needs none, and shooters are counted roll by roll.
        if kernel == Kernel::Scalar || course.shooters.is_some() {
            return Tables { rich: None, whole: None };
        }
        let rich = [(Stride::Two, 16), (Stride::One, 16), (Stride::One, 20)];
        let rich = rich.into_iter().find_map(|(stride, bits)| Table::rich(course, stride, bits));
        // The more poor rows above the brink, the fewer fall off it again; but a small table is
        // closer by.
        let whole = Table::whole(course, Stride::One, 20, 1).map(|least| {
            let better = [(16, 8), (16, 4), (20, 8), (20, 4)].into_iter();
            let better = better.filter(|(bits, _)| *bits > 16 || least.rows() <= SMALL_ROWS);
            let mut better = better.filter_map(|(bits, falls)| {
                let table = Table::whole(course, Stride::One, bits, falls)?;
                (falls == 4 || table.rows() <= MANY_ROWS).then_some(table)
            });
            better.next().unwrap_or(least)
        });
        Tables { rich, whole }
    }

    /// Whether there is one that sessions start in.
    pub(crate) fn begin(&self, course: &Course) -> bool {
        let Ok(begun) = course.begin(0) else { return false };
        let tables = [&self.rich, &self.whole].into_iter().flatten();
        let mut tables = tables.map(|table| table.enter(begun.position, begun.cell));
        tables.any(|word| word.is_some())
    }
}

/// The rows of a table whose states have 16 bits.
const SMALL_ROWS: usize = 1 << 12;
/// With more rows than this fewer do better: 4 MB no longer lie close by.
const MANY_ROWS: usize = 1 << 15;

/// Plays these sessions and counts them.
pub(crate) fn walk(
    kernel: Kernel,
    course: &Course,
    tables: &Tables,
    dice: Dice,
    sessions: Range<u64>,
    tally: &mut Tally,
) {
    let Tables { rich, whole } = tables;
    if rich.is_none() && whole.is_none() {
        for number in sessions {
            tally.add(course.play(dice, number, ()));
        }
        return;
    }
    let mut poor: Vec<Underway> = Vec::new();
    if let Some(table) = rich {
        let mut sessions = sessions.map(|number| course.begin(number));
        let lent = whole.is_some().then_some(&mut poor);
        lanes::Walk::new(course, table, dice, lent, tally).go(kernel, &mut sessions);
        if let Some(table) = whole {
            let mut sessions = poor.into_iter().map(Ok);
            lanes::Walk::new(course, table, dice, None, tally).go(kernel, &mut sessions);
        }
    } else if let Some(table) = whole {
        let mut sessions = sessions.map(|number| course.begin(number));
        lanes::Walk::new(course, table, dice, None, tally).go(kernel, &mut sessions);
    }
}

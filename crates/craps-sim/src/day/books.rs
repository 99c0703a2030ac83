//! What days come to, in whole numbers: every figure of a day, its sum over days and the sums of
//! products, from which means, deviations and the errors of shares are made. They add up in any
//! order.

use craps::machine::End;
use craps::{Cents, MicroCents};

use crate::tally::Counts;

/// One day as it is counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Book {
    pub(super) rolls: i64,
    /// The base game and the side bets.
    pub(super) games: [Game; 2],
    pub(super) envy: Cents,
    pub(super) withheld: Cents,
    pub(super) meters: Vec<Watched>,
    pub(super) seats: Vec<SeatBook>,
}

/// What the house took in and kept of some bets.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Game {
    /// The stakes of bets decided.
    pub(super) handle: Cents,
    /// What the house won, after envy and what its meters have grown by.
    pub(super) win: Cents,
}

/// A meter through a day.
#[derive(Clone, Debug, Default)]
pub(super) struct Watched {
    /// What it held in the morning, reserve included.
    pub(super) held: MicroCents,
    /// The amount after each roll, all together.
    pub(super) shown: i128,
    pub(super) high: MicroCents,
    pub(super) end: MicroCents,
    pub(super) jackpots: Vec<Cents>,
}

/// A seat through a day.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SeatBook {
    pub(super) bought: Cents,
    pub(super) cashed: Cents,
    pub(super) handle: Cents,
    pub(super) ruined: i64,
    pub(super) left: i64,
    pub(super) away: bool,
}

impl SeatBook {
    pub(super) fn ended(&mut self, end: End) {
        match end {
            End::Left => self.left += 1,
            End::Ruined | End::Idle => self.ruined += 1,
        }
    }
}

impl Book {
    pub(super) fn new(meters: usize, seats: usize) -> Book {
        let meters = vec![Watched::default(); meters];
        Book { meters, seats: vec![SeatBook::default(); seats], ..Book::default() }
    }

    /// What the house won in all.
    pub(super) fn win(&self) -> Cents {
        self.games.iter().map(|game| game.win).sum()
    }

    /// The dealers have what was counted, or a roll was missed.
    pub(super) fn envy_check(&self, paid: Cents) {
        assert_eq!(self.envy, paid, "the dealers were paid what was not counted");
    }
}

/// A figure of a day at a table; money in cents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Rolls, those after closing included.
    Rolls,
    /// What was bought in for.
    Drop,
    /// The stakes of base bets decided.
    BaseHandle,
    /// The stakes of side bets decided.
    SideHandle,
    /// What the house won on the base game.
    BaseWin,
    /// What it won on side bets, less envy and what its meters have grown by.
    SideWin,
    /// What the dealers were paid.
    Envy,
    /// Winnings withheld by an aggregate cap.
    Withheld,
    /// How many jackpots were won.
    Jackpots,
    /// What the meters paid.
    JackpotsPaid,
}

impl Figure {
    /// Every figure, in order.
    pub const ALL: [Figure; 10] = [
        Figure::Rolls,
        Figure::Drop,
        Figure::BaseHandle,
        Figure::SideHandle,
        Figure::BaseWin,
        Figure::SideWin,
        Figure::Envy,
        Figure::Withheld,
        Figure::Jackpots,
        Figure::JackpotsPaid,
    ];
}

/// A figure of a meter's day; money in cents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeterFigure {
    /// Rolls, those after closing included.
    Rolls,
    /// The amount it showed after each roll, all together.
    Shown,
    /// The most it showed.
    High,
    /// What it showed in the end.
    End,
    /// How often it was won.
    Jackpots,
    /// What it paid.
    Paid,
}

impl MeterFigure {
    /// Every figure, in order.
    pub const ALL: [MeterFigure; 6] = [
        MeterFigure::Rolls,
        MeterFigure::Shown,
        MeterFigure::High,
        MeterFigure::End,
        MeterFigure::Jackpots,
        MeterFigure::Paid,
    ];
}

/// A figure of a seat's day; money in cents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatFigure {
    /// What was cashed out, less what was bought in for.
    Result,
    /// What was bought in for.
    Drop,
    /// The stakes of bets decided.
    Handle,
    /// How often the plan was ruined.
    Ruined,
    /// How often the plan left.
    Left,
}

impl SeatFigure {
    /// Every figure, in order.
    pub const ALL: [SeatFigure; 5] = [
        SeatFigure::Result,
        SeatFigure::Drop,
        SeatFigure::Handle,
        SeatFigure::Ruined,
        SeatFigure::Left,
    ];
}

/// Sums of some figures over days, and of the products of each two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sums<const N: usize> {
    /// The sum of each figure.
    pub sums: [i128; N],
    /// The sums of products.
    pub products: [[i128; N]; N],
}

impl<const N: usize> Default for Sums<N> {
    fn default() -> Sums<N> {
        Sums { sums: [0; N], products: [[0; N]; N] }
    }
}

impl<const N: usize> Sums<N> {
    fn add(&mut self, figures: [i64; N]) {
        for (one, figure) in figures.iter().enumerate() {
            self.sums[one] += i128::from(*figure);
            for (other, by) in figures.iter().enumerate() {
                self.products[one][other] += i128::from(*figure) * i128::from(*by);
            }
        }
    }

    fn merge(&mut self, others: &Sums<N>) {
        for one in 0..N {
            self.sums[one] += others.sums[one];
            for other in 0..N {
                self.products[one][other] += others.products[one][other];
            }
        }
    }
}

/// What came of many days.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Books {
    /// How many.
    pub days: u64,
    /// The figures of the table, in the order of [`Figure::ALL`].
    pub figures: Sums<{ Figure::ALL.len() }>,
    /// How many days the house won so many cents.
    pub wins: Counts,
    /// Each meter, in the order of the rules.
    pub meters: Vec<MeterBooks>,
    /// Each seat, in the order of [`SeatFigure::ALL`].
    pub seats: Vec<Sums<{ SeatFigure::ALL.len() }>>,
}

/// What a meter came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeterBooks {
    /// Its figures, in the order of [`MeterFigure::ALL`].
    pub figures: Sums<{ MeterFigure::ALL.len() }>,
    /// How many days had a jackpot.
    pub days: u64,
    /// How many jackpots paid so many cents.
    pub jackpots: Counts,
    /// The most it has ever shown, in cents.
    pub high: i64,
}

/// Days are won or lost around nothing.
const AROUND: i64 = 1 << 20;

impl Books {
    /// Nothing yet, of a table with so many meters and seats.
    pub fn new(meters: usize, seats: usize) -> Books {
        let meter =
            MeterBooks { figures: Sums::default(), days: 0, jackpots: Counts::default(), high: 0 };
        Books {
            days: 0,
            figures: Sums::default(),
            wins: Counts::from(-AROUND),
            meters: vec![meter; meters],
            seats: vec![Sums::default(); seats],
        }
    }

    pub(super) fn add(&mut self, book: &Book) {
        let [base, side] = book.games;
        let drop: Cents = book.seats.iter().map(|seat| seat.bought).sum();
        let jackpots = || book.meters.iter().flat_map(|meter| &meter.jackpots);
        let paid: Cents = jackpots().copied().sum();
        self.days += 1;
        self.figures.add([
            book.rolls,
            drop.0,
            base.handle.0,
            side.handle.0,
            base.win.0,
            side.win.0,
            book.envy.0,
            book.withheld.0,
            jackpots().count() as i64,
            paid.0,
        ]);
        self.wins.add(book.win().0, 1);
        for (meter, books) in book.meters.iter().zip(&mut self.meters) {
            let paid: Cents = meter.jackpots.iter().copied().sum();
            let count = meter.jackpots.len() as i64;
            let (high, end) = (meter.high.whole_cents().0, meter.end.whole_cents().0);
            let shown = MicroCents(meter.shown).whole_cents().0;
            books.figures.add([book.rolls, shown, high, end, count, paid.0]);
            books.days += u64::from(count > 0);
            books.high = books.high.max(high);
            meter.jackpots.iter().for_each(|paid| books.jackpots.add(paid.0, 1));
        }
        for (seat, sums) in book.seats.iter().zip(&mut self.seats) {
            let result = seat.cashed - seat.bought;
            sums.add([result.0, seat.bought.0, seat.handle.0, seat.ruined, seat.left]);
        }
    }

    /// Adds what came of other days at the same table.
    pub fn merge(&mut self, others: &Books) {
        self.days += others.days;
        self.figures.merge(&others.figures);
        self.wins.merge(&others.wins);
        for (meter, other) in self.meters.iter_mut().zip(&others.meters) {
            meter.figures.merge(&other.figures);
            meter.days += other.days;
            meter.jackpots.merge(&other.jackpots);
            meter.high = meter.high.max(other.high);
        }
        for (seat, other) in self.seats.iter_mut().zip(&others.seats) {
            seat.merge(other);
        }
    }
}

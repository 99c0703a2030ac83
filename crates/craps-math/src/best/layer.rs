//! A game laid out from the engine: every stake that may be bet is put up and rolled once.

use craps::action::offers;
use craps::dice::Combination;
use craps::{Cents, Puck, Roll, Rules, Spot, State};

use super::Wish;
use super::bets::{Bets, pucks};
use super::game::{Choices, Game, Options, PuckTable, Row};
use crate::stake::{common_unit, lcm};

/// The most steps to the goal.
const MOST_STEPS: i64 = 500;

impl Game {
    /// Lays a game out; nothing where the steps are far too small for its goal.
    pub fn new(rules: &Rules, bets: &Bets, wish: &Wish) -> Option<Game> {
        assert!(wish.step > Cents::ZERO && wish.goal > wish.bankroll, "a goal to be reached");
        (wish.goal.0 / wish.step.0 <= MOST_STEPS).then(|| Layer { rules, bets, wish }.game())
    }
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

/// A line bet on its number, and the odds that may go behind it.
struct Behind {
    line: Raw,
    odds: Vec<Raw>,
}

/// Everything that may be bet.
struct Menu {
    pucks: Vec<Puck>,
    /// The stakes of each free bet, puck by puck.
    free: Vec<Vec<Vec<Raw>>>,
    /// The stakes of the line bet on a come-out.
    lines: Vec<Raw>,
    /// The same line bets on each point.
    behind: Vec<Vec<Behind>>,
}

impl Menu {
    /// The largest amount that every change of equity is a multiple of.
    fn unit(&self) -> i64 {
        let free = self.free.iter().flatten().flatten();
        let behind = self.behind.iter().flatten();
        let behind = behind.flat_map(|behind| behind.odds.iter().chain([&behind.line]));
        common_unit(free.chain(&self.lines).chain(behind).flat_map(|raw| raw.changes))
    }

    /// The row with the puck on a point and the line bet of this place up: rows without a line bet
    /// come first.
    fn line_row(&self, point: usize, line: usize) -> u32 {
        (self.pucks.len() + (point - 1) * self.lines.len() + line) as u32
    }
}

impl Layer<'_> {
    fn game(&self) -> Game {
        let Layer { bets, wish, .. } = *self;
        let menu = self.menu();
        let unit = menu.unit();
        let base = wish.bankroll.0.rem_euclid(unit);
        let locks = bets.line.is_some_and(|line| self.locks(line, &menu.pucks));
        let most_locked = if locks { menu.lines.last().map_or(0, |line| line.stake.0) } else { 0 };
        let cells = (wish.goal.0 + most_locked - base).div_euclid(unit) as usize + 2;
        let (mut rows, mut line_rows, mut tables) = (Vec::new(), Vec::new(), Vec::new());
        for puck in 0..menu.pucks.len() {
            let laid = self.laid(&menu, unit, puck);
            rows.push(laid.bare_row());
            line_rows
                .extend((0..menu.lines.len()).filter(|_| puck > 0).map(|at| laid.line_row(at)));
            tables.push(laid.table());
        }
        rows.extend(line_rows);
        let (wish, bets, pucks) = (*wish, bets.clone(), menu.pucks);
        Game { wish, bets, unit, base, cells, pucks, locks, rows, tables }
    }

    /// Everything that may be bet, with the puck in each place.
    fn menu(&self) -> Menu {
        let Layer { rules, bets, .. } = *self;
        let pucks: Vec<Puck> = pucks(rules).collect();
        let free = pucks.iter().map(|puck| {
            let bare = self.bare(*puck);
            bets.free.iter().map(|spot| self.stakes(&bare, *spot)).collect()
        });
        let free = free.collect();
        let lines = bets.line.map_or(Vec::new(), |line| self.stakes(&self.bare(Puck::Off), line));
        let behind = pucks[1..]
            .iter()
            .map(|puck| lines.iter().map(|line| self.behind(*puck, line.stake)).collect());
        let behind = behind.collect();
        Menu { pucks, free, lines, behind }
    }

    /// The rolls with the puck in one place, those that do the same put together.
    fn laid<'a>(&self, menu: &'a Menu, unit: i64, puck: usize) -> Laid<'a> {
        let next: Vec<usize> = Combination::all()
            .map(|combination| {
                let after = menu.pucks[puck].after(combination.roll().total(), self.rules.points);
                menu.pucks.iter().position(|puck| *puck == after).expect("every puck is listed")
            })
            .collect();
        // Stakes of a line bet are alike: the first stands for all.
        let (line, odds) = match puck {
            0 => (menu.lines.first(), None),
            point => match menu.behind[point - 1].first() {
                Some(Behind { line, odds }) => (Some(line), odds.first()),
                None => (None, None),
            },
        };
        let classes = classes(|place| {
            let free = menu.free[puck].iter().flatten();
            let free: Vec<i64> = free.map(|raw| raw.changes[place]).collect();
            let [line, odds] = [line, odds].map(|raw| raw.map(|raw| raw.changes[place]));
            (next[place], line, odds, free)
        });
        let next = classes.iter().map(|class| next[class.first]).collect();
        Laid { menu, unit, puck, classes, next }
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
    fn behind(&self, puck: Puck, stake: Cents) -> Behind {
        let line = self.bets.line.expect("there is a line bet");
        let mut state = self.bare(puck);
        state.put(self.rules, line, stake);
        let up = Raw { stake, outlay: stake.0, changes: changes(self.rules, &state) };
        let odds = self.bets.odds.map_or(Vec::new(), |odds| self.stakes(&state, odds));
        Behind { line: up, odds }
    }

    fn locks(&self, line: Spot, pucks: &[Puck]) -> bool {
        let mut state = self.bare(pucks[pucks.len() - 1]);
        state.put(self.rules, line, self.rules.wager_at(line).limits.least());
        let offers = offers(self.rules, &state.hand, &state.layout, Cents::MOST);
        offers.iter().any(|offer| offer.spot == line && offer.take_all.is_err())
    }
}

/// What rolls do with the puck in one place.
struct Laid<'a> {
    menu: &'a Menu,
    unit: i64,
    puck: usize,
    classes: Vec<Class>,
    /// Where the puck goes with each class.
    next: Vec<usize>,
}

impl Laid<'_> {
    fn table(&self) -> PuckTable {
        let chances = self.classes.iter().map(|class| f64::from(class.ways) / 36.0).collect();
        let free = self.menu.free[self.puck].iter().map(|raws| self.choices(raws)).collect();
        PuckTable { chances, free }
    }

    /// The row without a line bet; on a come-out its options are the line bets to choose from.
    fn bare_row(&self) -> Row {
        let Laid { menu, puck, next, .. } = self;
        let mut options = Options::default();
        let home = next.iter().map(|next| *next as u32).collect();
        options.push(Cents::ZERO, 0, home, vec![0; next.len()]);
        let lines = if *puck == 0 { menu.lines.as_slice() } else { &[] };
        for (place, raw) in lines.iter().enumerate() {
            // Where the puck goes on, the line bet goes with it.
            let to = next.iter().map(|next| match next {
                0 => 0,
                point => menu.line_row(*point, place),
            });
            options.push(raw.stake, raw.outlay, to.collect(), self.cells(&raw.changes));
        }
        let touched = if lines.is_empty() { Vec::new() } else { (0..next.len()).collect() };
        let options = options.by_class();
        Row { puck: *puck, line: 0, up: Cents::ZERO, worth: 0.0, options, touched }
    }

    /// The row of a line bet on its point; its options are the odds behind it.
    fn line_row(&self, place: usize) -> Row {
        let Laid { menu, puck, next, .. } = self;
        let Behind { line, odds } = &menu.behind[puck - 1][place];
        let own = menu.line_row(*puck, place);
        let to: Vec<u32> = next.iter().map(|next| if *next == 0 { 0 } else { own }).collect();
        let mut options = Options::default();
        options.push(Cents::ZERO, 0, to.clone(), self.cells(&line.changes));
        for raw in odds {
            let together = std::array::from_fn(|at| line.changes[at] + raw.changes[at]);
            options.push(raw.stake, raw.outlay, to.clone(), self.cells(&together));
        }
        // What decides the line bet takes the puck off.
        let touched = (0..next.len()).filter(|class| next[*class] == 0).collect();
        let (up, worth, options) = (line.stake, worth(line), options.by_class());
        Row { puck: *puck, line: place + 1, up, worth, options, touched }
    }

    /// By how many cells each class moves equity.
    fn cells(&self, changes: &[i64; Combination::COUNT]) -> Vec<i32> {
        self.classes.iter().map(|class| (changes[class.first] / self.unit) as i32).collect()
    }

    fn choices(&self, raws: &[Raw]) -> Choices {
        let mut all = Choices::default();
        for raw in raws {
            let moves = self.cells(&raw.changes);
            all.acts.resize(moves.len(), false);
            moves.iter().zip(&mut all.acts).for_each(|(moves, acts)| *acts |= *moves != 0);
            all.stakes.push(raw.stake);
            all.outlays.push(raw.outlay);
            all.moves.extend(moves);
        }
        all
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

/// Combinations that do the same.
struct Class {
    /// The place of the first.
    first: usize,
    ways: u32,
}

/// Combinations that are alike, together.
fn classes<K: PartialEq>(key: impl Fn(usize) -> K) -> Vec<Class> {
    let mut classes: Vec<(K, Class)> = Vec::new();
    for (first, combination) in Combination::all().enumerate() {
        let (key, ways) = (key(first), combination.ways());
        match classes.iter_mut().find(|(known, _)| *known == key) {
            Some((_, class)) => class.ways += ways,
            None => classes.push((key, Class { first, ways })),
        }
    }
    classes.into_iter().map(|(_, class)| class).collect()
}

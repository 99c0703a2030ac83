//! A table with its books, and people who play at it.

use std::sync::{Arc, LazyLock};

use boxman_server::testing::books::{Books, DayBook, Figures};
use boxman_server::testing::hash::Hash;
use boxman_server::testing::id::TableId;
use boxman_server::testing::reports::{Expectations, Report, TableDay, report};
use craps::floor::{Confirm, FloorEvent};
use craps::rules::Chosen;
use craps::{Account, Cents, Command, Floor, Library, Roll, Rulebook, Rules, Seat};

/// 1 March 2026, a minute before midnight.
pub(super) const LATE: u64 = 1_772_409_540_000;
pub(super) const MINUTE: u64 = 60_000;

/// A table on a floor, with its books.
pub(super) struct Pit {
    pub(super) floor: Floor,
    pub(super) books: Books,
    pub(super) at: u64,
}

impl Pit {
    pub(super) fn open(rules: &Rules) -> Pit {
        Pit::confirming(rules, Confirm::default())
    }

    pub(super) fn confirming(rules: &Rules, confirm: Confirm) -> Pit {
        let mut floor = Floor::confirming(confirm);
        floor.open(rules.clone()).unwrap();
        let mut pit = Pit { floor, books: Books::default(), at: LATE - 60 * MINUTE };
        for seat in Seat::all().take(6) {
            pit.obey(&Command::Sit { seat, name: format!("p{}", seat.0) });
            pit.obey(&Command::buy_in(seat, Cents::dollars(5_000)));
        }
        pit
    }

    /// Does as asked where that is allowed, and says whether it was.
    pub(super) fn tries(&mut self, command: &Command) -> bool {
        let events = self.floor.obey(0, command);
        events.map(|events| self.enter(events)).is_ok()
    }

    pub(super) fn enter(&mut self, events: Vec<FloorEvent>) {
        for event in events {
            if let FloorEvent::Table { event, .. } = event {
                self.books.book(self.floor.rules(0), self.at, &event);
            }
        }
    }

    #[track_caller]
    pub(super) fn obey(&mut self, command: &Command) {
        assert!(self.tries(command), "{command:?} was refused");
    }

    #[track_caller]
    pub(super) fn put(&mut self, seat: u8, wager: &str, dollars: i64) {
        let amount = Cents::dollars(dollars);
        self.obey(&Command::Put { seat: Seat(seat), wager: wager.to_owned(), amount });
    }

    #[track_caller]
    pub(super) fn roll(&mut self, roll: &str) {
        self.obey(&Command::CloseBetting);
        self.obey(&Command::Roll { roll: roll.parse().unwrap() });
    }

    pub(super) fn balance(&self, account: Account) -> Cents {
        self.floor.table(0).balance(account)
    }

    /// All days as one.
    pub(super) fn book(&self) -> DayBook {
        let mut sum = DayBook::default();
        self.books.open_days().iter().for_each(|(_, day)| sum.add(day));
        sum
    }

    #[track_caller]
    pub(super) fn figures(&self, wager: &str) -> Figures {
        let book = self.book();
        let found = book.figures().find(|(_, name, _)| *name == wager);
        *found.unwrap_or_else(|| panic!("nothing was decided on {wager}: {book:?}")).2
    }

    /// The books explain every account to the cent.
    #[track_caller]
    pub(super) fn reconcile(&self) {
        let book = self.book();
        let away = book.mended_away.by_cage + book.mended_away.walked;
        let bought = book.drop + book.bought.chips;
        let cage = book.cashed_out + book.credited + away - bought - book.filled;
        assert_eq!(self.balance(Account::House), book.house());
        // What waits with an award is booked with its roll.
        let waits: Cents = self.floor.table(0).held_envy().iter().map(|envy| envy.amount).sum();
        assert_eq!(self.balance(Account::Envy) + waits, book.envy);
        assert_eq!(self.balance(Account::Breakage), book.breakage);
        assert_eq!(self.balance(Account::Clearing), book.fed - book.jackpots.from_meter);
        assert_eq!(self.balance(Account::Bank), book.filled - book.credited);
        assert_eq!(self.balance(Account::Cage), cage);
        let booked = book.filled - book.credited + book.house() + book.breakage + book.fed
            - book.jackpots.from_meter
            + self.balance(Account::Held);
        let by_cage = book.left.jackpots + book.mended_away.by_cage;
        let tray = booked - book.drop + book.left.redeemed + by_cage;
        assert_eq!(self.floor.table(0).tray(), tray);
        assert_eq!(self.floor.table(0).rolls(), book.rolls);
    }

    pub(super) fn report(&self) -> Report {
        let day = |(day, book)| TableDay {
            table: TableId(39),
            name: "Craps 3, \"the pit\"".to_owned(),
            day,
            book,
        };
        let days: Vec<TableDay> = self.books.open_days().into_iter().map(day).collect();
        let rules = Arc::new(self.floor.rules(0).clone());
        let find = |hash: Hash| (hash == Hash(rules.hash)).then(|| Arc::clone(&rules));
        report(&days, &EXPECTATIONS, find)
    }
}

/// What has been solved serves every test.
pub(super) static EXPECTATIONS: LazyLock<Expectations> = LazyLock::new(Expectations::default);

pub(super) fn rules_with(names: &[&str], options: &[(&str, &str)]) -> Rules {
    Rules::with_options(&Library::embedded(), names, options).unwrap()
}

pub(super) fn rules() -> Rules {
    rules_with(&["presque-isle"], &[])
}

/// A side bet whose meter is hit by every first six, seven or eight, with an envy and a
/// contribution that leaves parts of a cent.
pub(super) fn easy_jackpots() -> Rules {
    let text = r#"
        name = "easy"
        title = "Easy jackpots"
        kind = "side"
        default-paytables = ["EASY"]
        [limits]
        min = 1
        max = 100
        unit = 1
        [wager.easy]
        title = "Easy"
        shape = "sequence"
        when = "idle"
        base = 3
        [wager.easy.meter]
        seed = 33.33
        increment = "33.3333%"
        reserve = "7.7777%"
        ceiling = 120
        winners = "in-full"
        [paytable.EASY.easy]
        sequences = [[7], [6], [8]]
        pays = { 1 = "100%" }
        envy = { 1 = "$7 each" }
    "#;
    let library = Library::embedded();
    let rulebook = Rulebook::parse("easy.toml", text).unwrap();
    let chosen = library.over_base(vec![Chosen { rulebook, paytables: None }]);
    let options = [("payout-unit".to_owned(), "1".to_owned())];
    Rules::compile(&library, &chosen, &options).unwrap()
}

/// Numbers that are the same in every run (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        // 2^64 is so much larger that no number below a small bound is favoured.
        self.next() % bound
    }
}

/// What a player likes to bet, in dollars. Bets that are not allowed now are simply refused.
pub(super) type Likes = &'static [(&'static str, i64)];

/// Six who like different things.
pub(super) const MIXED: [Likes; 6] = [
    &[("pass", 10), ("odds pass", 20), ("come", 10), ("odds come 6", 20), ("odds come 4", 20)],
    &[("dont-pass", 15), ("odds dont-pass", 30), ("dont-come", 10), ("lay 4", 40)],
    &[("place 4", 5), ("place 5", 5), ("place 6", 6), ("place 8", 6), ("place 9", 5), ("pass", 5)],
    &[("field", 5), ("hard 6", 5), ("horn", 4), ("any-seven", 5), ("craps 12", 1), ("pass", 5)],
    &[("pass", 25), ("all-small", 5), ("make-em-all", 1), ("place 6", 30), ("easy", 3)],
    &[("buy 10", 20), ("buy 4", 25), ("come", 15), ("place 8", 10), ("eleven", 2), ("easy", 3)],
];

/// One who likes every number, which all lose together on a seven.
pub(super) const ACROSS: [Likes; 1] = [&[
    ("pass", 1),
    ("place 4", 10),
    ("place 5", 10),
    ("place 6", 12),
    ("place 8", 12),
    ("place 9", 10),
    ("place 10", 10),
]];

/// Plays `rolls` rolls: before each, every player makes some of the bets they like, and now and
/// then somebody buys in, cashes out or has the last roll taken back.
pub(super) fn play(pit: &mut Pit, likes: &[Likes], seed: u64, rolls: u32) {
    let mut random = Random(seed);
    for _ in 0..rolls {
        pit.at += MINUTE;
        for (seat, likes) in Seat::all().zip(likes) {
            if pit.floor.table(0).rack(seat) < Cents::dollars(1_000) {
                pit.obey(&Command::buy_in(seat, Cents::dollars(5_000)));
            }
            let layout = pit.floor.table(0).player(seat).unwrap().layout.clone();
            for (wager, dollars) in *likes {
                let up = |spot| layout.bet(spot).is_some();
                let missing = pit.floor.rules(0).spot(wager).is_some_and(|spot| !up(spot));
                if missing && random.below(3) > 0 {
                    let (wager, amount) = ((*wager).to_owned(), Cents::dollars(*dollars));
                    pit.tries(&Command::Put { seat, wager, amount });
                }
            }
        }
        let [roll, other] = [(); 2].map(|()| Roll::from_index(random.below(36) as usize));
        if pit.tries(&Command::CloseBetting) {
            pit.obey(&Command::Roll { roll });
        }
        let reason = || "it fell off the table".to_owned();
        match random.below(200) {
            0 => pit.tries(&Command::Void { reason: reason() }),
            1 => pit.tries(&Command::Correct { roll: other, reason: reason() }),
            2 => pit.tries(&Command::cash_out(Seat(2), Cents::dollars(300))),
            3 => pit.tries(&Command::Fill { amount: Cents::dollars(2_000) }),
            4 => pit.tries(&Command::Credit { amount: Cents::dollars(500) }),
            _ => false,
        };
    }
}

//! Any change at any moment: tables with every combination of options, played at random while
//! their configuration and their meters change and the house closes and opens again. A model
//! knows which configuration and which terms have to be in force.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use boxman_server::audit::{Options, Source, verify};
use boxman_server::testing::access::Person;
use boxman_server::testing::ask::{Ask, Command};
use boxman_server::testing::config::{DiceMode, TableConfig, WagerLimits};
use boxman_server::testing::house::House;
use boxman_server::testing::id::{MeterId, TableId};
use boxman_server::testing::log::MeterProposal;
use boxman_server::testing::meters::{MeterHandle, MeterMessage};
use boxman_server::testing::problem::Problem;
use boxman_server::testing::role::Role;
use boxman_server::testing::room::{Asked, Reply, RoomHandle, Visit};
use boxman_server::testing::shelf::Shelf;
use boxman_server::testing::store::{Sqlite, Store};
use boxman_server::testing::table::LiveTable;
use craps::meter::AdjustKind;
use craps::{Cents, Library, MeterTerms, Rate, Status};

use crate::chance::Lehmer;
use crate::live::{Folder, bytes, fresh_id};

const PAYTABLES: [&str; 3] = ["PT-BJS-FUP-05", "PT-FLT-BC-03,PT-BJS-MEA-03", "PT-FLT-BC-03"];
const SIDES: [&str; 10] = [
    "fire-bet",
    "repeater",
    "hot-hand",
    "different-doubles",
    "ride-the-line",
    "replay",
    "hot-shooter",
    "muggsys-corner",
    "point-seven",
    "low-high-dice",
];
/// Dice that make Fired Up's five numbers and Make 'Em All, and a seven now and then.
const DICE: [&str; 12] =
    ["4-4", "4-5", "5-5", "5-6", "6-6", "1-1", "1-2", "2-2", "2-3", "3-3", "3-4", "1-6"];

fn person(id: &str, role: Role) -> Arc<Person> {
    Arc::new(Person { id: id.to_owned(), name: id.to_owned(), roles: vec![role] })
}

struct Drive {
    folder: Folder,
    house: Arc<House>,
    table: TableId,
    chance: Lehmer,
    /// The configuration agreed to last: its name and the least on the pass line.
    agreed: (String, Cents),
    changes: u32,
    next_die: usize,
}

async fn open_house(folder: &Folder) -> Arc<House> {
    let store: Arc<dyn Store> = Arc::new(Sqlite::open(&folder.store()).await.unwrap());
    House::open(store, Shelf::new(Library::embedded())).await.unwrap()
}

impl Drive {
    async fn start(seed: u64) -> Drive {
        let folder = Folder::new();
        let house = open_house(&folder).await;
        let mut chance = Lehmer(seed);
        let practice = chance.below(2) == 0;
        let config = config(&mut chance, practice, 0);
        let agreed = (config.name.clone(), least(&config));
        let room = house.open_table(&person("boss", Role::Supervisor), config).await.unwrap();
        let table = room.table;
        Drive { folder, house, table, chance, agreed, changes: 0, next_die: 0 }
    }

    async fn room(&self) -> RoomHandle {
        self.house.room(self.table).await.unwrap()
    }

    async fn state(&self) -> LiveTable {
        self.room().await.query(Visit::Inspect).await.unwrap().0
    }

    async fn ask(&self, who: &str, role: Role, command: Command) -> Result<u64, Problem> {
        let (reply, answer) = Reply::once();
        let ask = Ask::new(fresh_id(), command);
        let asked = Asked { who: person(who, role), ask, roll: None, reply };
        self.room().await.ask(asked).map_err(|_| ()).expect("the room has room");
        answer.await.expect("the room answers")
    }

    /// Two people where it takes two.
    async fn agree(&self, command: Command) -> bool {
        let Ok(seq) = self.ask("boss", Role::Supervisor, command).await else { return false };
        let waits = self.state().await.proposals.contains_key(&seq);
        if waits {
            let approve = Command::Approve { proposal: seq };
            return self.ask("sue", Role::Supervisor, approve).await.is_ok();
        }
        true
    }

    async fn step(&mut self) {
        match self.chance.below(22) {
            0..8 => self.bet().await,
            8..14 => self.throw().await,
            14 => self.configure().await,
            15 => self.change_meter().await,
            16 => {
                let reason = "cocked".to_owned();
                self.agree(Command::Void { of: None, reason }).await;
            }
            17 => self.pause().await,
            18 => self.answer_claims().await,
            19 => drop(self.ask("dan", Role::Dealer, Command::PassDice {}).await),
            20 => {
                let seat = self.chance.below(2) as u8;
                let _ = self.ask("dan", Role::Dealer, Command::leave(seat)).await;
            }
            _ => self.restart().await,
        }
        assert_eq!(self.house.damaged(), [], "no table is damaged");
    }

    async fn bet(&mut self) {
        let seat = self.chance.below(2) as u8;
        if self.state().await.table.player(craps::Seat(seat)).is_none() {
            let name = Some(format!("P{seat}"));
            self.ask("dan", Role::Dealer, Command::Sit { seat: Some(seat), name }).await.unwrap();
            let amount = Cents::dollars(4_000);
            let buy = Command::buy_in(seat, amount);
            self.ask("dan", Role::Dealer, buy).await.unwrap();
        }
        let wagers = [
            ("pass", 2_000),
            ("pass", 2_000),
            ("dont-pass", 2_000),
            ("come", 2_000),
            ("field", 500),
            ("hard 8", 500),
            ("place 6", 1_200),
            ("fired-up", 100),
            ("make-em-all-progressive", 100),
            ("make-em-all", 5_000),
            ("all-tall", 500),
            ("fire", 500),
            ("repeater 6", 500),
            ("repeater 2", 500),
            ("hot-hand", 500),
            ("different-doubles", 500),
            ("ride-the-line", 500),
            ("replay", 500),
            ("hot-shooter", 500),
            ("muggsys-corner", 500),
            ("point-seven", 500),
            ("hop 3-5", 500),
        ];
        let (wager, amount) = *self.chance.one(&wagers);
        let put = Command::Put { seat, wager: wager.to_owned(), amount: Cents(amount) };
        // What may not be bet now is refused with a reason.
        let _ = self.ask("dan", Role::Dealer, put).await;
    }

    async fn throw(&mut self) {
        let state = self.state().await;
        if state.config().dice == DiceMode::House {
            let roll = Command::Roll { shooter_bytes: bytes(), commitment: None };
            let _ = self.ask("dan", Role::Dealer, Command::CloseBetting {}).await;
            let _ = self.ask("dan", Role::Dealer, roll).await;
            return;
        }
        let closed = self.ask("dan", Role::Dealer, Command::CloseBetting {}).await;
        if closed.is_err() && state.table.is_betting_open() {
            return;
        }
        self.next_die = (self.next_die + 1 + self.chance.below(2)) % DICE.len();
        let dice = DICE[self.next_die].parse().unwrap();
        let _ = self.ask("dan", Role::Dealer, Command::KeyRoll { dice }).await;
    }

    async fn configure(&mut self) {
        self.changes += 1;
        let practice = self.state().await.config().practice;
        let config = config(&mut self.chance, practice, self.changes);
        let agreed = (config.name.clone(), least(&config));
        let (config, reason) = (Box::new(config), "as it may be".to_owned());
        let old_meters = BTreeMap::new();
        if self.agree(Command::Configure { of: None, config, old_meters, reason }).await {
            self.agreed = agreed;
        }
    }

    async fn change_meter(&mut self) {
        let meters = self.meters().await;
        if meters.is_empty() {
            return;
        }
        let meter = self.chance.one(&meters).clone();
        let reason = "as it may be".to_owned();
        let proposal = match self.chance.below(2) {
            0 => MeterProposal::Adjust {
                amount: Cents(1_234),
                reason,
                kind: Some(AdjustKind::Malfunction),
                table: None,
                record: None,
            },
            _ => {
                let seed = Cents::dollars(100 + self.chance.below(50) as i64);
                let increment = Rate(100_000 + 10_000 * self.chance.below(5) as u32);
                let terms = meter.ask(MeterMessage::Look).await.unwrap().meter.terms().winners;
                let terms = MeterTerms {
                    seed,
                    increment,
                    reserve: Rate(50_000),
                    ceiling: None,
                    winners: terms,
                };
                MeterProposal::SetTerms { terms, reason }
            }
        };
        let who = person("boss", Role::Supervisor);
        let asked = meter.ask(|reply| MeterMessage::Propose { who, proposal, reply }).await;
        let proposal = asked.unwrap().unwrap();
        let who = person("sue", Role::Supervisor);
        // At a practice table it is done already.
        let _ = meter.ask(|reply| MeterMessage::Approve { who, proposal, reply }).await.unwrap();
    }

    async fn meters(&self) -> Vec<MeterHandle> {
        let state = self.state().await;
        let mut meters = Vec::new();
        for rule in state.rules().meters() {
            let id: MeterId = state.meter(&rule.name);
            meters.extend(self.house.open_meter(&id).await);
        }
        meters
    }

    async fn pause(&self) {
        let command = match self.state().await.table.status() {
            Status::Paused => Command::Resume {},
            _ => Command::Pause {},
        };
        let _ = self.ask("dan", Role::Dealer, command).await;
    }

    /// Confirms or denies what waits.
    async fn answer_claims(&mut self) {
        let state = self.state().await;
        let claims = state.table.claims().iter().map(|claim| claim.id.0);
        let held = state.table.held().iter().map(|held| held.id.0);
        for claim in claims.chain(held).collect::<Vec<u64>>() {
            if self.chance.below(2) == 0 {
                self.agree(Command::DenyClaim { claim, reason: "seen".to_owned() }).await;
            } else {
                let _ = self.ask("sue", Role::Supervisor, Command::confirm(claim)).await;
            }
        }
    }

    /// The house closes and opens again: everything is as it was.
    async fn restart(&mut self) {
        let before = self.calm().await;
        self.house.close().await;
        self.house = open_house(&self.folder).await;
        let after = self.state().await;
        assert_eq!(after.table, before.table);
        assert_eq!(after.setup, before.setup);
        assert_eq!(after.claimed, before.claimed);
        assert_eq!(after.moved, before.moved);
    }

    /// The table once its meters have answered and what follows from it is done.
    async fn calm(&self) -> LiveTable {
        for _ in 0..500 {
            let state = self.state().await;
            let pays_itself = !state.config().confirms_jackpots();
            let paid = !pays_itself || state.table.claims().is_empty();
            if state.outbox.is_empty() && paid && !(state.queued.is_some() && state.is_idle()) {
                return state;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("it never comes to rest: {:?}", self.state().await.kept());
    }

    /// What the model knows about the table.
    async fn check(&self) {
        let state = self.calm().await;
        let queued = state.queued.as_ref().map(|queued| &queued.config);
        let config = queued.unwrap_or(state.config());
        assert_eq!((&config.name, least(config)), (&self.agreed.0, self.agreed.1));
        if queued.is_some() {
            assert!(!state.is_idle(), "a change waits only for a bare layout");
            return;
        }
        let pass = state.rules().wagers().iter().find(|wager| wager.name == "pass").unwrap();
        assert_eq!(pass.limits.min, self.agreed.1, "the rules are those of the configuration");
        for rule in state.rules().meters() {
            let meter = self.house.open_meter(&state.meter(&rule.name)).await.unwrap();
            let meter = meter.ask(MeterMessage::Look).await.unwrap().meter;
            assert_eq!(*meter.terms(), rule.terms, "the table follows its meter");
        }
    }
}

fn least(config: &TableConfig) -> Cents {
    config.limits["pass"].min.unwrap()
}

/// Any configuration. The name says which it is.
fn config(chance: &mut Lehmer, practice: bool, number: u32) -> TableConfig {
    let paytables = chance.one(&PAYTABLES);
    let min = Some(Cents(500 * (1 + chance.below(4) as i64)));
    let pass = WagerLimits { min, max: None, unit: None };
    let mut config = TableConfig {
        name: format!("Craps {number}"),
        rules: vec!["presque-isle".to_owned(), format!("bonus-craps-nevada:{paytables}")],
        limits: [("pass".to_owned(), pass)].into(),
        dice: if chance.below(4) == 0 { DiceMode::House } else { DiceMode::Dealer },
        practice,
        betting_seconds: (chance.below(2) == 0).then_some(600),
        ..TableConfig::practice()
    };
    add_sides(chance, &mut config);
    let offered = |wager: &str| match wager {
        "fired-up" => paytables.contains("FUP"),
        _ => paytables.contains("MEA"),
    };
    let is_meter = |name: &str| name.contains(".meter.");
    let wager = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
    config.options.retain(|name, _| !is_meter(name) || offered(&wager(name)));
    if !practice {
        config.confirm_jackpots = [None, Some(true), Some(false)][chance.below(3)];
        config.confirm_over = [None, Some(Cents::ZERO)][chance.below(2)];
        config.betting_during_claims = chance.below(2) == 0;
        config.two_people_over = Some(Cents::MOST);
        // Now and then its meter is one that others could share.
        if paytables.contains("FUP") && chance.below(3) == 0 {
            config.meters = [("PT-BJS-FUP-05".to_owned(), "downtown".parse().unwrap())].into();
        }
    }
    config
}

/// Another base game now and then, some side bets, and what the house says of them.
fn add_sides(chance: &mut Lehmer, config: &mut TableConfig) {
    let base = *chance.one(&["presque-isle", "vegas-strip", "crapless"]);
    // Crapless craps has other points than these are paid for.
    let fits = |side: &&str| base != "crapless" || !["fire-bet", "replay"].contains(side);
    let some = chance.below(4);
    let sides = chance.some(SIDES.into_iter().filter(fits).collect(), some);
    config.rules[0] = base.to_owned();
    let window = ["repeater", "hot-hand", "different-doubles"];
    if sides.iter().any(|side| window.contains(side)) && chance.below(2) == 0 {
        config.options.insert("window".to_owned(), "come-out-idle".to_owned());
    }
    if base == "presque-isle" && chance.below(2) == 0 {
        config.options.insert("bonus-window".to_owned(), "come-out".to_owned());
    }
    if base == "presque-isle" || sides.contains(&"ride-the-line") {
        let pass = *chance.one(&["stays", "returned", "lost"]);
        config.options.insert("dice-pass".to_owned(), pass.to_owned());
    }
    config.rules.extend(sides.into_iter().map(str::to_owned));
}

async fn drive(seed: u64) {
    let mut drive = Drive::start(seed).await;
    for _ in 0..60 {
        drive.step().await;
    }
    // Whatever is still riding is played out or left where it is.
    let _ = drive.ask("dan", Role::Dealer, Command::Resume {}).await;
    drive.answer_claims().await;
    drive.restart().await;
    drive.check().await;
    drive.house.close().await;
    let store = Sqlite::read(&drive.folder.store()).await.unwrap();
    let verdict = verify(Source::Store(&store), &Options::default(), &mut |_, _| {}).await.unwrap();
    assert!(verdict.ok, "seed {seed}: {:?}", verdict.problems);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn any_change_at_any_moment_leaves_a_table_that_opens_and_holds() {
    for seed in 1..=16 {
        drive(seed).await;
    }
}

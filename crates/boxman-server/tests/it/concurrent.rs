//! Many people at once: nothing is lost, nothing is done twice, and everything replays.

use std::collections::HashMap;
use std::path::Path;

use boxman_client::{Client, Value, json};
use boxman_server::audit::{Options, Source, verify};
use boxman_server::testing::store::{Sqlite, Store};

use crate::live::{Folder, Live, join, put, roll};

/// A small generator, so that a failing run can be run again.
struct Lehmer(u64);

impl Lehmer {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

const WAGERS: [&str; 12] = [
    "pass",
    "dont-pass",
    "come",
    "odds",
    "place 6",
    "buy 4",
    "field",
    "hard 8",
    "horn",
    "all-small",
    "make-em-all-progressive",
    "fired-up",
];

fn command(random: &mut Lehmer, seat: u8) -> Value {
    let wager = WAGERS[random.below(WAGERS.len() as u64) as usize];
    let amount = [0, 100, 400, 500, 1000, 600_000, -100][random.below(7) as usize];
    match random.below(10) {
        0..=5 => put(seat, wager, amount),
        6 => json!({ "command": "take", "seat": seat, "wager": wager, "amount": null }),
        7 => json!({ "command": "call", "seat": seat, "wager": wager, "call": "off" }),
        // Somebody else's seat, now and then.
        8 => put((seat + 1) % 8, wager, amount),
        _ => roll(),
    }
}

async fn sound(store: &Path) {
    let store = Sqlite::read(store).await.unwrap();
    let verdict = verify(Source::Store(&store), &Options::default(), &mut |_, _| {}).await.unwrap();
    assert!(verdict.ok, "{}\n{:?}", verdict.line(), verdict.problems);
    store.close().await;
}

/// Eight players send whatever comes to mind, each command up to five times, over sockets and
/// requests, while a ninth connection watches.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_play_of_eight_conserves_money_and_applies_each_command_once() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let table = live.practice().await;
    let mut watcher = Client::anyone(&live.address).socket(&table, None).await.unwrap();
    let mut seq = watcher.next_of("snapshot").await.unwrap()["table"]["seq"].as_u64().unwrap();
    let mut players = Vec::new();
    for seat in 0..8 {
        let player = live.guest(&format!("P{seat}")).await;
        join(&player, &table, seat, 1_000_000).await;
        players.push((seat, player));
    }
    let mut playing = Vec::new();
    for (seat, player) in players.clone() {
        let table = table.clone();
        playing.push(tokio::spawn(async move {
            let mut random = Lehmer(u64::from(seat) + 11);
            let mut answers: HashMap<String, (u64, Value)> = HashMap::new();
            let mut socket = player.socket(&table, None).await.unwrap();
            for number in 0..60 {
                let id = format!("c-{number}");
                let command = command(&mut random, seat);
                for _ in 0..=random.below(4) {
                    let seq = match random.below(2) {
                        0 => socket.ask(&id, &command).await.unwrap()["seq"].as_u64(),
                        _ => player.command(&table, &id, &command).await.unwrap().json["seq"]
                            .as_u64(),
                    };
                    if let (Some(seq), Some((before, _))) = (seq, answers.get(&id)) {
                        assert_eq!(seq, *before, "{id} was answered twice, differently");
                    }
                    if let Some(seq) = seq {
                        answers.insert(id.clone(), (seq, command.clone()));
                    }
                }
            }
            answers
        }));
    }
    let mut answers = HashMap::new();
    for (seat, task) in playing.into_iter().enumerate() {
        for (id, (seq, command)) in task.await.unwrap() {
            let taken = answers.insert(seq, (seat, id.clone(), command));
            assert_eq!(taken, None, "{id} shares its record");
        }
    }
    // How many depends on whose bets come first; a table that takes hardly any is broken.
    assert!(answers.len() > 40, "only {} of 480 commands were accepted", answers.len());
    // Everybody hears everything, once and in order.
    let last = live.view(&table).await["seq"].as_u64().unwrap();
    while seq < last {
        let update = watcher.next_of("update").await.unwrap();
        seq += 1;
        assert_eq!(update["seq"].as_u64(), Some(seq));
    }
    let view = live.view(&table).await;
    live.stop().await;
    sound(&folder.store()).await;

    let live = Live::start(&folder.store()).await;
    let again = live.view(&table).await;
    assert_eq!(again["seats"], view["seats"]);
    for (seq, (seat, id, command)) in answers.iter().take(40) {
        let (_, player) = &players[*seat];
        let player = Client { address: live.address.clone(), ..player.clone() };
        // What was accepted is answered again as it was, and its id stands for nothing else.
        let answer = player.command(&table, id, command).await.unwrap();
        assert_eq!(answer.json["seq"].as_u64(), Some(*seq));
        let other = player.command(&table, id, &put(0, "field", 123)).await.unwrap();
        assert_eq!(other.code(), "id-reused");
    }
    live.stop().await;
}

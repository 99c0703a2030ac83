//! A session of side bets that count: lammers by place, counts of one thing and of each mark,
//! lists, and bets that come down when the dice pass or a shooter leaves.

use std::path::Path;

use boxman_client::{Client, Value, json};

use crate::live::{Live, ask, does, open, put, throw};

/// The Strip with every side bet that comes with the program; those on a hand are given back when
/// the dice pass.
fn strip() -> Value {
    json!({
        "name": "The Strip",
        "rules": [
            "vegas-strip",
            "fire-bet",
            "repeater",
            "hot-hand",
            "different-doubles",
            "ride-the-line",
            "replay",
            "hot-shooter",
            "muggsys-corner",
            "point-seven",
        ],
        "options": { "dice-pass": "returned" },
        "dice": "dealer",
        "betting_seconds": 600,
    })
}

/// Crapless craps, where the puck may lie on 2 and 12, and the house takes what rides when the dice
/// pass.
fn crapless() -> Value {
    json!({
        "name": "Crapless",
        "rules": ["crapless", "repeater", "ride-the-line"],
        "options": { "dice-pass": "lost" },
        "dice": "dealer",
        "betting_seconds": 600,
    })
}

/// Who is at work.
struct Crew {
    boss: Client,
    sue: Client,
    dan: Client,
}

impl Crew {
    /// Two people do something.
    async fn agree(&self, table: &str, command: Value) {
        let proposal = does(&self.boss, table, command).await;
        does(&self.sue, table, json!({ "command": "approve", "proposal": proposal })).await;
    }

    async fn sit(&self, table: &str, seat: u8, name: &str) {
        does(&self.dan, table, json!({ "command": "sit", "seat": seat, "name": name })).await;
        let buy_in = json!({ "command": "buy-in", "seat": seat, "amount": 500_000 });
        does(&self.dan, table, buy_in).await;
    }

    /// Five dollars on each of these.
    async fn bet(&self, table: &str, seat: u8, wagers: &[&str]) {
        for wager in wagers {
            let (status, code) = ask(&self.dan, table, put(seat, wager, 500)).await;
            assert_eq!(status, 200, "{wager} from seat {seat}: {code}");
        }
    }

    /// A point is set and made, or whatever else these throws are; on a come-out the shooter has a
    /// line bet.
    async fn throw(&self, table: &str, shooter: u8, dice: &[&str]) {
        self.bet(table, shooter, &["pass"]).await;
        for dice in dice {
            throw(&self.dan, table, dice).await;
        }
    }
}

/// Plays it into a store, which is closed again; gives the exports of its tables, the Strip's
/// first.
pub(super) async fn play(store: &Path) -> Vec<Vec<u8>> {
    let live = Live::start(store).await;
    let boss = live.boss().await;
    let sue = live.account(&boss, "sue", &["supervisor"]).await;
    let dan = live.account(&boss, "dan", &["dealer"]).await;
    let crew = Crew { boss, sue, dan };
    let first = open(&crew.boss, &strip()).await;
    passed_dice(&crew, &first).await;
    a_good_hand(&crew, &first).await;
    a_hand_under_way(&crew, &first).await;
    let second = open(&crew.boss, &crapless()).await;
    a_point_of_two(&crew, &second).await;
    let mut exports = Vec::new();
    for table in [first, second, live.practice().await] {
        let path = format!("/api/tables/{table}/export");
        exports.push(crew.boss.get(&path).await.unwrap().text.into_bytes());
    }
    live.stop().await;
    exports
}

/// A run that ends with the shooter: rolls taken back and read anew, then the dice pass.
async fn passed_dice(crew: &Crew, table: &str) {
    crew.sit(table, 0, "Walter").await;
    crew.sit(table, 1, "Wilma").await;
    let hand = ["fire", "ride-the-line", "replay", "hot-shooter"];
    crew.bet(table, 1, &hand).await;
    let others = ["different-doubles", "repeater 4", "flaming-four", "hot-hand", "hop 2-2"];
    crew.bet(table, 1, &others).await;
    crew.bet(table, 1, &["muggsys-corner", "point-seven", "seven-point"]).await;
    crew.bet(table, 0, &["pass"]).await;
    does(&crew.dan, table, json!({ "command": "close-betting" })).await;
    does(&crew.dan, table, json!({ "command": "no-roll" })).await;
    throw(&crew.dan, table, "2-2").await;
    throw(&crew.dan, table, "2-2").await;
    crew.agree(table, json!({ "command": "void", "reason": "a die hit the rail" })).await;
    throw(&crew.dan, table, "3-1").await;
    let correct = json!({ "command": "correct", "dice": "2-2", "reason": "misread" });
    crew.agree(table, correct).await;
    does(&crew.dan, table, json!({ "command": "pass-dice" })).await;
}

/// Lists completed, four different points, six line wins and twelve rolls, all paid with the
/// seven-out.
async fn a_good_hand(crew: &Crew, table: &str) {
    crew.bet(table, 1, &["fire", "ride-the-line", "replay", "hot-shooter"]).await;
    crew.throw(table, 1, &["5-6"]).await;
    crew.bet(table, 0, &["muggsys-corner", "seven-point"]).await;
    crew.throw(table, 1, &["3-4"]).await;
    for dice in ["2-2", "2-3", "3-3", "4-4"] {
        crew.throw(table, 1, &[dice, dice]).await;
    }
    crew.throw(table, 1, &["4-5", "3-4"]).await;
}

/// A shooter leaves in the middle of one; the next is left with lammers of every kind on the felt,
/// a roll that could be taken back, and somebody's wish to do so.
async fn a_hand_under_way(crew: &Crew, table: &str) {
    crew.bet(table, 1, &["replay", "fire"]).await;
    crew.throw(table, 0, &["3-3", "3-3"]).await;
    // With as much as he takes along it takes two.
    crew.agree(table, json!({ "command": "leave", "seat": 0 })).await;
    crew.bet(table, 1, &["fire", "ride-the-line", "replay", "hot-shooter"]).await;
    crew.bet(table, 1, &["different-doubles", "repeater 6", "sizzling-six"]).await;
    crew.throw(table, 1, &["3-3", "1-5"]).await;
    crew.bet(table, 1, &["point-seven"]).await;
    crew.throw(table, 1, &["5-5"]).await;
    does(&crew.boss, table, json!({ "command": "void", "reason": "a cocked die" })).await;
}

/// The puck on 2, a come bet on 12, two aces for a Repeater, and a ride that the house takes.
async fn a_point_of_two(crew: &Crew, table: &str) {
    crew.sit(table, 4, "Wes").await;
    crew.sit(table, 7, "Wanda").await;
    crew.bet(table, 4, &["repeater 2", "ride-the-line"]).await;
    crew.throw(table, 4, &["1-1"]).await;
    crew.bet(table, 4, &["come", "place 3"]).await;
    throw(&crew.dan, table, "6-6").await;
    throw(&crew.dan, table, "1-2").await;
    throw(&crew.dan, table, "1-1").await;
    does(&crew.dan, table, json!({ "command": "pass-dice" })).await;
    crew.bet(table, 4, &["ride-the-line"]).await;
    crew.throw(table, 7, &["5-6"]).await;
}

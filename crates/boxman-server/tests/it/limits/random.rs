//! Any mixture of kinds, seats and players at two tables, with a model that knows the sums: what
//! waits for a second person, what is left, and who is listed.

use std::collections::BTreeMap;

use boxman_client::{Value, json};

use super::{Pit, does, limits, listed, seats};
use crate::chance::Lehmer;

const CASH: usize = 0;
const MARKER: usize = 1;
const OUT: usize = 4;
const KINDS: [&str; 4] = ["cash", "marker", "coupon", "chips"];
const CASH_OVER: i64 = 3_000;
const MARKERS_OVER: i64 = 2_000;
const OUT_OVER: i64 = 2_500;
const FILLS_OVER: i64 = 51_000;
const CREDITS_OVER: i64 = 1_500;

/// One sitting as the model knows it, in dollars.
struct Sitting {
    table: usize,
    seat: u8,
    record: u64,
    account: Option<String>,
    person: Option<&'static str>,
    sums: [i64; 5],
    rack: i64,
    seated: bool,
    identity: bool,
}

struct Model {
    pit: Pit,
    tables: [String; 2],
    sittings: Vec<Sitting>,
    filled: [i64; 2],
    credited: [i64; 2],
    chance: Lehmer,
}

impl Model {
    fn key(&self, of: &Sitting) -> String {
        match (&of.account, of.person) {
            (Some(account), _) => format!("account:{account}"),
            (None, Some(person)) => format!("person:{}", person.to_lowercase()),
            (None, None) => format!("sitting:{}/{}", self.tables[of.table], of.record),
        }
    }

    /// What the player of a sitting has moved, at one table or at all.
    fn sum(&self, of: usize, what: usize, table: Option<usize>) -> i64 {
        let key = self.key(&self.sittings[of]);
        let same = |other: &&Sitting| {
            self.key(other) == key && table.is_none_or(|table| table == other.table)
        };
        self.sittings.iter().filter(same).map(|other| other.sums[what]).sum()
    }

    fn seated(&mut self) -> Option<usize> {
        let all: Vec<usize> =
            (0..self.sittings.len()).filter(|one| self.sittings[*one].seated).collect();
        (!all.is_empty()).then(|| *self.chance.one(&all))
    }

    /// Asks for chips to be moved. Whether it waits has to be as the model says; half of what
    /// waits is agreed to. Says whether it was done.
    async fn moves(&mut self, table: usize, command: Value, waits: bool) -> bool {
        let id = self.tables[table].clone();
        let asked = does(&self.pit.dan, &id, command.clone()).await;
        let waiting = self.pit.waits(&id).await;
        assert_eq!(waiting.len(), usize::from(waits), "{command}: {waiting:?}");
        if !waits {
            return true;
        }
        let agreed = self.chance.below(2) == 0;
        match agreed {
            true => self.pit.agrees(&id, asked).await,
            false => {
                does(&self.pit.dan, &id, json!({ "command": "withdraw", "proposal": asked })).await;
            }
        }
        agreed
    }

    async fn step(&mut self) {
        let table = self.chance.below(2);
        let dollars = 100 * (1 + self.chance.below(9) as i64);
        match self.chance.below(12) {
            0 | 1 => self.sit(table).await,
            2..=5 => self.buy(dollars).await,
            6 | 7 => self.cash_out(dollars).await,
            8 => self.say().await,
            9 => self.leave().await,
            10 => {
                let waits = self.filled[table] + dollars > FILLS_OVER;
                let fill = json!({ "command": "fill", "amount": dollars * 100 });
                if self.moves(table, fill, waits).await {
                    self.filled[table] += dollars;
                }
            }
            _ => {
                let waits = self.credited[table] + dollars > CREDITS_OVER;
                let credit = json!({ "command": "credit", "amount": dollars * 100 });
                if self.moves(table, credit, waits).await {
                    self.credited[table] += dollars;
                }
            }
        }
    }

    async fn sit(&mut self, table: usize) {
        let taken = |seat: &u8| {
            let here = |other: &Sitting| (other.table, other.seat) == (table, *seat);
            self.sittings.iter().any(|other| other.seated && here(other))
        };
        let Some(seat) = (0..3).find(|seat| !taken(seat)) else { return };
        let record = seats(&self.pit.dan, &self.tables[table], seat, "Walter").await;
        self.sittings.push(Sitting {
            table,
            seat,
            record,
            account: None,
            person: None,
            sums: [0; 5],
            rack: 0,
            seated: true,
            identity: false,
        });
    }

    async fn buy(&mut self, dollars: i64) {
        let Some(of) = self.seated() else { return };
        let kind = self.chance.below(4);
        let Sitting { table, seat, .. } = self.sittings[of];
        let limit = [CASH_OVER, MARKERS_OVER, i64::MAX, i64::MAX][kind];
        // Only the second table holds what crosses a limit.
        let over = kind <= MARKER && self.sum(of, kind, None) + dollars > limit;
        let command = json!({
            "command": "buy-in", "seat": seat, "amount": dollars * 100, "kind": KINDS[kind],
        });
        if self.moves(table, command, over && table == 1).await {
            self.sittings[of].sums[kind] += dollars;
            self.sittings[of].rack += dollars;
        }
    }

    async fn cash_out(&mut self, dollars: i64) {
        let Some(of) = self.seated() else { return };
        let Sitting { table, seat, rack, .. } = self.sittings[of];
        let dollars = dollars.min(rack);
        if dollars == 0 {
            return;
        }
        let waits = self.sum(of, OUT, Some(table)) + dollars > OUT_OVER;
        let command = json!({ "command": "cash-out", "seat": seat, "amount": dollars * 100 });
        if self.moves(table, command, waits).await {
            self.sittings[of].sums[OUT] += dollars;
            self.sittings[of].rack -= dollars;
        }
    }

    async fn leave(&mut self) {
        let Some(of) = self.seated() else { return };
        let Sitting { table, seat, rack, .. } = self.sittings[of];
        let waits = rack > 0 && self.sum(of, OUT, Some(table)) + rack > OUT_OVER;
        if self.moves(table, json!({ "command": "leave", "seat": seat }), waits).await {
            self.sittings[of].sums[OUT] += rack;
            (self.sittings[of].rack, self.sittings[of].seated) = (0, false);
        }
    }

    /// Who somebody is, or whether their identity was taken.
    async fn say(&mut self) {
        let Some(of) = self.seated() else { return };
        let Sitting { table, record, person, identity, .. } = self.sittings[of];
        if self.chance.below(3) == 0 {
            let taken = !identity;
            let command = json!({ "command": "identify", "sitting": record, "taken": taken });
            does(&self.pit.dan, &self.tables[table], command).await;
            self.sittings[of].identity = taken;
            return;
        }
        if self.sittings[of].account.is_some() {
            return;
        }
        let other = *self.chance.one(&[None, Some("Ann Lee"), Some("Bob"), Some("card 4711")]);
        if other == person {
            return;
        }
        let command = json!({ "command": "link", "sitting": record, "person": other });
        does(&self.pit.dan, &self.tables[table], command).await;
        self.sittings[of].person = other;
    }

    async fn check(&self) {
        for (table, id) in self.tables.iter().enumerate() {
            let shown = limits(&self.pit.dan, id).await;
            assert_eq!(shown["fills"]["used"], self.filled[table] * 100);
            assert_eq!(shown["credits"]["used"], self.credited[table] * 100);
            for seat in shown["seats"].as_array().unwrap() {
                let is = |one: &Sitting| one.table == table && seat["sitting"] == one.record;
                let of = self.sittings.iter().position(is).unwrap();
                let used = |what| self.sum(of, what, None) * 100;
                assert_eq!(seat["player"], self.key(&self.sittings[of]));
                assert_eq!(
                    (&seat["cash"]["used"], &seat["markers"]["used"]),
                    (&json!(used(CASH)), &json!(used(MARKER)),)
                );
                assert_eq!(seat["cash_outs"]["used"], self.sum(of, OUT, Some(table)) * 100);
                let left = (CASH_OVER * 100 - used(CASH)).max(0);
                assert_eq!(seat["cash"]["left"], left);
                assert_eq!(seat["identity"].is_null(), !self.is_identified(of), "{seat}");
            }
        }
        let mut sums: BTreeMap<String, [i64; 5]> = BTreeMap::new();
        for one in self.sittings.iter().filter(|one| one.sums != [0; 5] || one.identity) {
            let sum = sums.entry(self.key(one)).or_default();
            (0..5).for_each(|what| sum[what] += one.sums[what] * 100);
        }
        let shown = listed(&self.pit.boss, "?all=true").await;
        let shown = shown.iter().map(|player| {
            let sums = &player["sums"];
            let all = ["cash", "markers", "coupons", "chips", "cashed_out"];
            let all = all.map(|what| sums[what].as_i64().unwrap());
            (player["player"].as_str().unwrap().to_owned(), all)
        });
        let shown: BTreeMap<String, [i64; 5]> = shown.collect();
        // A seat that was only looked at for its identity has no sums.
        let bought = |all: BTreeMap<String, [i64; 5]>| -> BTreeMap<String, [i64; 5]> {
            all.into_iter().filter(|(_, sums)| *sums != [0; 5]).collect()
        };
        assert_eq!(bought(shown), bought(sums.clone()));
        let over = listed(&self.pit.boss, "").await.len();
        let is_over =
            |sums: &&[i64; 5]| sums[CASH] > CASH_OVER * 100 || sums[MARKER] > MARKERS_OVER * 100;
        assert_eq!(over, sums.values().filter(is_over).count());
    }

    fn is_identified(&self, of: usize) -> bool {
        let key = self.key(&self.sittings[of]);
        self.sittings.iter().any(|other| self.key(other) == key && other.identity)
    }
}

async fn play(seed: u64) {
    let pit = Pit::open().await;
    let config = |hold: bool| {
        json!({
            "cash_over": CASH_OVER * 100, "markers_over": MARKERS_OVER * 100,
            "cash_outs_over": OUT_OVER * 100, "fills_over": FILLS_OVER * 100,
            "credits_over": CREDITS_OVER * 100, "hold_buy_ins": hold,
        })
    };
    let tables = [pit.table("One", &config(false)).await, pit.table("Two", &config(true)).await];
    for table in &tables {
        pit.fills(table, 50_000).await;
    }
    let mut model = Model {
        pit,
        tables,
        sittings: Vec::new(),
        filled: [50_000; 2],
        credited: [0; 2],
        chance: Lehmer(seed),
    };
    // A player with a browser has a seat at each.
    let pam = model.pit.live.account(&model.pit.boss, "pam", &["player"]).await;
    let me = pam.get("/api/me").await.unwrap().ok().unwrap()["person"].clone();
    for table in 0..2 {
        let record = does(&pam, &model.tables[table], json!({ "command": "sit", "seat": 7 })).await;
        model.sittings.push(Sitting {
            table,
            seat: 7,
            record,
            account: me.as_str().map(str::to_owned),
            person: None,
            sums: [0; 5],
            rack: 0,
            seated: true,
            identity: false,
        });
    }
    for step in 0..120 {
        model.step().await;
        if step % 10 == 9 {
            model.check().await;
        }
        if step == 60 {
            let pit = model.pit.restart().await;
            model = Model { pit, ..model };
            // Each table tells the house what was bought there when it is opened again.
            for table in &model.tables {
                limits(&model.pit.dan, table).await;
            }
        }
    }
    model.check().await;
    model.pit.sound().await;
}

#[tokio::test]
async fn any_mixture_comes_to_what_the_model_says() {
    for seed in [3, 17] {
        play(seed).await;
    }
}

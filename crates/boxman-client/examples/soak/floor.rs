//! The floor: tables are opened as others close, meters are changed by two people, accounts are
//! kept, and those who only read do so.

use std::sync::Arc;
use std::time::Duration;

use boxman_client::{Random, Value, json};

use crate::configs;
use crate::house::{House, lock};
use crate::people::{Person, named, told, try_wrong};

/// So many tables are kept open for the crowd.
const TABLES: usize = 6;
/// No more are opened in one run, so that memory says something.
const MOST: usize = 90;

/// Looks at the lobby: which tables there are, and whether any is damaged.
pub(crate) async fn look(house: &House) -> Option<Vec<String>> {
    let answer = house.get(&named(house, "checks"), "/api/tables").await?;
    let mut open = Vec::new();
    for line in answer.json.as_array()? {
        let id = line["id"].as_str().unwrap_or_default();
        if line["status"] == "damaged" {
            house.fault(format!("table {id} is damaged: {}", line["problem"]));
        } else if lock(&house.opened).iter().any(|known| known == id) {
            open.push(id.to_owned());
        }
    }
    Some(open)
}

/// Keeps the crowd in tables.
pub(crate) async fn manager(house: Arc<House>) {
    let mut random = Random::new(house.seed, 2_000);
    loop {
        let mut pause = 4_000;
        if let Some(open) = look(&house).await {
            let short = open.len() < TABLES && lock(&house.opened).len() < MOST;
            *lock(&house.tables) = open;
            if short {
                open_one(&house, &mut random).await;
                pause = 500;
            }
        }
        if !house.rest(Duration::from_millis(pause)).await {
            return;
        }
    }
}

async fn open_one(house: &House, random: &mut Random) {
    let practice = random.chance(35);
    let names: &[&str] = match practice {
        true => &["pia", "dan", "sue", "ada"],
        false => &["sue", "sam", "ada", "boss"],
    };
    let name = names[random.below(names.len() as u64) as usize];
    let person = named(house, name);
    let config = configs::fresh(house, random, practice);
    if let Some(answer) = ask(house, &person, "POST", "/api/tables", &config).await
        && let Some(id) = answer["id"].as_str()
    {
        lock(&house.opened).push(id.to_owned());
        lock(&house.tables).push(id.to_owned());
        house.tick("tables opened");
    }
}

/// A request whose answer is counted; its JSON where it went well.
async fn ask(
    house: &House,
    person: &Arc<Person>,
    method: &str,
    path: &str,
    body: &Value,
) -> Option<Value> {
    if !person.be_in(house).await {
        return None;
    }
    let (open, client) = house.client(person).await?;
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let asked = client.request(method, path, &body);
    let answer = house.timely(&open, path, asked).await?;
    if answer.status == 401 {
        lock(&person.token).clear();
    }
    let what = path.split('/').nth(2).unwrap_or_default();
    house.code(&format!("{what} {}", told(&answer)));
    (answer.status < 300).then_some(answer.json)
}

/// Changes to meters: one asks, another agrees or not.
pub(crate) async fn meters(house: Arc<House>) {
    let mut random = Random::new(house.seed, 2_001);
    while house.rest(Duration::from_millis(random.between(500, 3_000))).await {
        let Some(answer) = house.get(&named(&house, "checks"), "/api/meters").await else { return };
        // A drill's own are left to the drill.
        let drills = lock(&house.drills).clone();
        let others = |meter: &&Value| {
            let id = meter["meter"].as_str().unwrap_or_default();
            !drills.iter().any(|drill| id.starts_with(drill))
        };
        let all = answer.json.as_array().into_iter().flatten();
        let all: Vec<&Value> = all.filter(others).collect();
        let Some(meter) = random.some(&all) else { continue };
        let Some(id) = meter["meter"].as_str() else { continue };
        let who = *random.pick(&["sue", "sam", "boss", "ada", "star", "dan", "pia"]);
        let command = match random.some(meter["proposals"].as_array().map_or(&[], Vec::as_slice)) {
            Some(proposal) if random.chance(80) => {
                let what = if random.chance(85) { "approve" } else { "withdraw" };
                match what {
                    "approve" => json!({ "command": what, "proposal": proposal["proposal"] }),
                    _ => {
                        let number = &proposal["proposal"];
                        json!({ "command": what, "proposal": number, "reason": "soak" })
                    }
                }
            }
            _ => change(&mut random),
        };
        let path = format!("/api/meters/{id}/commands");
        ask(&house, &named(&house, who), "POST", &path, &json!({ "command": command })).await;
    }
}

fn change(random: &mut Random) -> Value {
    match random.below(10) {
        0..=3 => {
            let amount = *random.pick(&[100, 5_000, -100, -2_000, 99_999_999]);
            let kind = *random.pick(&["paid-outside", "malfunction", "over-ceiling", "seed"]);
            json!({ "command": "adjust", "amount": amount, "kind": kind, "reason": "soak" })
        }
        4..=8 => {
            let seed = *random.pick(&[100_000, 25_000, 500_000, 100_000]);
            let increment = *random.pick(&[150_000, 100_000, 150_000]);
            let ceiling = *random.pick(&[None, None, Some(1_000_000), Some(1)]);
            json!({ "command": "set-terms", "seed": seed, "increment": increment,
                "reserve": 50_000, "ceiling": ceiling, "reason": "soak" })
        }
        _ => {
            let players = random.chance(70).then(|| json!({ "goes": "kept" }));
            json!({ "command": "close", "players": players, "reason": "soak" })
        }
    }
}

/// Accounts are kept, wrong passwords tried.
pub(crate) async fn clerk(house: Arc<House>) {
    let mut random = Random::new(house.seed, 2_002);
    let ada = named(&house, "ada");
    while house.rest(Duration::from_millis(random.between(2_000, 6_000))).await {
        match random.below(10) {
            0..=5 => try_wrong(&house, &mut random).await,
            6 | 7 => {
                let roles: &[&str] = match random.below(4) {
                    0 => &["dealer"],
                    1 => &["player", "dealer"],
                    2 => &["supervisor"],
                    _ => &["player"],
                };
                let body = json!({ "roles": roles });
                let path = "/api/accounts/swing";
                if ask(&house, &ada, "PATCH", path, &body).await.is_some() {
                    let swing = named(&house, "swing");
                    *lock(&swing.roles) = roles.iter().map(|role| (*role).to_owned()).collect();
                }
            }
            8 => {
                let body = json!({ "table_name": format!("Mark {}", random.below(100)) });
                ask(&house, &ada, "PATCH", "/api/accounts/mark", &body).await;
            }
            _ => drop(ask(&house, &ada, "GET", "/api/accounts", &Value::Null).await),
        }
    }
}

/// Whoever reads: reports, hands, history, ledgers, exports, verdicts, edges and sheets.
pub(crate) async fn reader(house: Arc<House>) {
    let mut random = Random::new(house.seed, 2_003);
    let audi = named(&house, "audi");
    while house.rest(Duration::from_millis(random.between(700, 2_500))).await {
        if !audi.be_in(&house).await {
            return;
        }
        let Some(table) = random.some(&lock(&house.opened)).cloned() else { continue };
        let paths = [
            "/api/reports?practice=true".to_owned(),
            format!("/api/tables/{table}/hands?limit=50"),
            format!("/api/tables/{table}/history?after={}&limit=100", random.below(3_000)),
            format!("/api/tables/{table}/ledger?seat={}", random.below(24)),
            format!("/api/tables/{table}/edges"),
            format!("/api/tables/{table}/offers?seat={}", random.below(24)),
            format!("/api/tables/{table}/records?after={}", random.below(3_000)),
            "/api/rulebooks".to_owned(),
            "/api/audit/house?after=10".to_owned(),
            "/api/edges?rules=presque-isle".to_owned(),
            "/readyz".to_owned(),
            "/metrics".to_owned(),
            format!("/api/tables/{table}/verify"),
            format!("/api/tables/{table}/export"),
        ];
        // What reads whole logs comes last and seldom.
        let most = if random.chance(8) { paths.len() } else { paths.len() - 2 };
        let path = &paths[random.below(most as u64) as usize];
        let Some(answer) = house.get(&audi, path).await else { return };
        house.code(&format!("read {}", told(&answer)));
        if path.ends_with("/verify") && answer.json["ok"] != json!(true) && answer.status == 200 {
            house.fault(format!("{path}: {}", answer.json["problems"]));
        }
    }
}

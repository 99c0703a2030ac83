//! Money: what a seat's ledger adds up to is its rack; and in the end every log is read, every
//! acknowledgement looked for, and every posting added up.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use boxman_client::{Random, Value};

use crate::acks::Ack;
use crate::house::{House, lock};
use crate::people::named;

/// A ledger longer than this is not read to its end each time.
const PAGES: usize = 60;

/// Adds up a ledger now and then.
pub(crate) async fn cashier(house: Arc<House>) {
    let mut random = Random::new(house.seed, 2_004);
    while house.rest(Duration::from_millis(random.between(1_500, 4_000))).await {
        let Some(table) = random.some(&lock(&house.opened)).cloned() else { continue };
        check_seat(&house, &table, random.below(16)).await;
    }
}

/// The amounts of a ledger add up to the rack, line by line and at its end.
async fn check_seat(house: &House, table: &str, seat: u64) {
    let checks = named(house, "checks");
    let (mut after, mut sum, mut head) = (0, 0, 0);
    for _ in 0..PAGES {
        let until = if head == 0 { String::new() } else { format!("&until={head}") };
        let path = format!("/api/tables/{table}/ledger?seat={seat}&after={after}&limit=500{until}");
        let Some(answer) = house.get(&checks, &path).await else { return };
        if answer.status != 200 {
            return house.fault(format!("{path}: {}", answer.text));
        }
        for movement in answer.json["movements"].as_array().into_iter().flatten() {
            sum += movement["amount"].as_i64().unwrap_or(0);
            if movement["rack"].as_i64() != Some(sum) {
                return house.fault(format!("{table} seat {seat}: {sum} is not {movement}"));
            }
        }
        if head == 0 {
            head = answer.json["head"].as_u64().unwrap_or(0);
        }
        match answer.json["next"].as_u64() {
            Some(next) => after = next,
            None => return compare_rack(house, table, seat, head, sum).await,
        }
    }
}

async fn compare_rack(house: &House, table: &str, seat: u64, head: u64, sum: i64) {
    let path = format!("/api/tables/{table}/history?after={head}&limit=1");
    let Some(answer) = house.get(&named(house, "checks"), &path).await else { return };
    if answer.json["table"]["seq"].as_u64() != Some(head) {
        return house.fault(format!("{path}: the table is not as it stood after {head}"));
    }
    let racks = racks(&answer.json["table"]);
    let rack = racks.get(&seat).copied().unwrap_or(0);
    match rack == sum {
        true => house.tick("ledgers added up"),
        false => house
            .fault(format!("{table} seat {seat} has {rack} after record {head}, its ledger {sum}")),
    }
}

fn racks(view: &Value) -> BTreeMap<u64, i64> {
    let seats = view["seats"].as_array().into_iter().flatten();
    seats.filter_map(|seat| Some((seat["seat"].as_u64()?, seat["rack"].as_i64()?))).collect()
}

/// Reads every log when everybody has gone home.
pub(crate) async fn walk(house: &House) {
    let acks = house.acks.by_table();
    let none = Vec::new();
    let tables: HashSet<String> = lock(&house.opened).iter().chain(acks.keys()).cloned().collect();
    for table in tables {
        walk_table(house, &table, acks.get(&table).unwrap_or(&none)).await;
    }
}

async fn walk_table(house: &House, table: &str, acks: &[Ack]) {
    let checks = named(house, "checks");
    let mut found: HashMap<(String, String), u64> = HashMap::new();
    let mut balances: BTreeMap<String, i64> = BTreeMap::new();
    let mut last = 0;
    loop {
        let path = format!("/api/tables/{table}/records?after={last}&limit=500");
        let Some(answer) = house.get(&checks, &path).await else { return };
        let Some(records) = answer.json.as_array().filter(|_| answer.status == 200) else {
            return house.fault(format!("{path}: {}", answer.text));
        };
        if records.is_empty() {
            break;
        }
        for record in records {
            let (seq, body) = (record["seq"].as_u64().unwrap_or(0), &record["body"]);
            if seq != last + 1 {
                house.fault(format!("{table}: record {seq} comes after {last}"));
            }
            last = seq;
            house.tick("records read");
            if let (Some(by), Some(id)) = (body["by"].as_str(), body["id"].as_str())
                && let Some(before) = found.insert((by.to_owned(), id.to_owned()), seq)
            {
                house.fault(format!("{table}: {id} of {by} is in records {before} and {seq}"));
            }
            book(house, table, seq, &body["what"], &mut balances);
        }
    }
    for ack in acks {
        match found.get(&(ack.person.clone(), ack.id.clone())) {
            Some(seq) if *seq == ack.seq => house.tick("acks found"),
            other => house.fault(format!("{ack:?} is in the log as {other:?}")),
        }
    }
    let Some(view) = house.get(&checks, &format!("/api/tables/{table}")).await else { return };
    compare_balances(house, table, &view.json, &balances);
}

/// Every list of postings comes to nothing; what each account gains is kept.
fn book(house: &House, table: &str, seq: u64, value: &Value, balances: &mut BTreeMap<String, i64>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let Some(postings) = value.as_array().filter(|_| name == "postings") else {
                    book(house, table, seq, value, balances);
                    continue;
                };
                let mut sum = 0;
                for posting in postings {
                    let account = posting[0].as_str().unwrap_or_default();
                    let amount = posting[1].as_i64().unwrap_or(0);
                    *balances.entry(account.to_owned()).or_default() += amount;
                    sum += amount;
                }
                if sum != 0 {
                    house.fault(format!("{table}: the postings of record {seq} come to {sum}"));
                }
            }
        }
        Value::Array(all) => {
            all.iter().for_each(|value| book(house, table, seq, value, balances));
        }
        _ => {}
    }
}

/// Racks and bets are what the accounts came to, and nobody owes.
fn compare_balances(house: &House, table: &str, view: &Value, balances: &BTreeMap<String, i64>) {
    let racks = racks(view);
    for seat in 0..24_u64 {
        let balance =
            |account: &str| balances.get(&format!("{account} {seat}")).copied().unwrap_or(0);
        let shown = racks.get(&seat).copied().unwrap_or(0);
        if balance("rack") != shown {
            let rack = balance("rack");
            house.fault(format!("{table} seat {seat} shows {shown}, its account has {rack}"));
        }
        let bets = view["seats"].as_array().into_iter().flatten();
        let bets = bets.filter(|line| line["seat"].as_u64() == Some(seat));
        let bets = bets.flat_map(|line| line["bets"].as_array().into_iter().flatten());
        let up: i64 = bets
            .map(|bet| bet["stake"].as_i64().unwrap_or(0) + bet["vig"].as_i64().unwrap_or(0))
            .sum();
        if balance("action") != up {
            let action = balance("action");
            house.fault(format!("{table} seat {seat} has {up} up, its account has {action}"));
        }
    }
    house.tick("tables balanced");
}

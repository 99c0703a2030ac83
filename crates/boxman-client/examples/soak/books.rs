//! Money: what a seat's ledger adds up to is its rack; and in the end every log is read, every
//! acknowledgement looked for, and every posting added up.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use boxman_client::races::{Log, Record};
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

/// A log breaks no law, holds every acknowledgement once, and comes to what the table shows.
async fn walk_table(house: &House, table: &str, acks: &[Ack]) {
    let checks = named(house, "checks");
    let mut log = Log::default();
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
            let seq = record["seq"].as_u64().unwrap_or(0);
            if seq != last + 1 {
                house.fault(format!("{table}: record {seq} comes after {last}"));
            }
            last = seq;
            house.tick("records read");
            log.take(&Record { seq, body: record["body"].clone() });
        }
    }
    for broken in log.broken() {
        house.fault(format!("{table}: {broken}"));
    }
    for ack in acks {
        match log.record_of(&ack.person, &ack.id) {
            Some(seq) if seq == ack.seq => house.tick("acks found"),
            other => house.fault(format!("{ack:?} is in the log as {other:?}")),
        }
    }
    let Some(view) = house.get(&checks, &format!("/api/tables/{table}")).await else { return };
    for differs in log.compare(&view.json) {
        house.fault(format!("{table}: {differs}"));
    }
    house.tick("tables balanced");
}

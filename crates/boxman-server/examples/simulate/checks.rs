//! What must hold when everything is mended: what was acknowledged is in the log, once and where
//! it was said to be; what was refused is not; every node shows the same; the auditor is content,
//! also with an anchor from the worst of it; and the meter holds what was put in.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic;

use boxman_client::Value;
use boxman_server::audit::{Anchor, Options, Source, verify};
use boxman_server::testing::log::Stream;

use crate::host::name;
use crate::image::{INCREMENT, Image, METER, SEED};
use crate::people::{Client, Notes, Sent};
use crate::run::Run;
use crate::store::Connection;

thread_local! {
    static PANICS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Notes every panic, wherever it is caught.
pub(crate) fn hear_panics() {
    panic::set_hook(Box::new(|info| {
        eprintln!("{info}");
        PANICS.with_borrow_mut(|panics| panics.push(info.to_string()));
    }));
}

/// What is wrong with how every node shows a table.
async fn compared(client: &Client, id: &str) -> Vec<String> {
    let (mut broken, mut shown) = (Vec::new(), Vec::new());
    for node in 0..3 {
        let mut said = String::new();
        for _ in 0..5 {
            match client.ask(node, "GET", &format!("/api/tables/{id}"), None).await {
                Ok((200, view)) => {
                    shown.push((view["seq"].clone(), view["seats"].clone()));
                    said.clear();
                    break;
                }
                Ok((status, problem)) => said = format!("{status} {problem}"),
                Err(error) => said = error.to_string(),
            }
        }
        if !said.is_empty() {
            broken.push(format!("table {id} at {}: {said}", name(node)));
        }
    }
    if shown.windows(2).any(|pair| pair[0] != pair[1]) {
        broken.push(format!("table {id} is not the same everywhere: {shown:?}"));
    }
    broken
}

/// Every node shows every table, and the same.
pub(crate) fn same_everywhere(run: &mut Run, token: &str, ids: &[String]) -> Vec<String> {
    let client = Client { world: run.world.clone(), token: token.to_owned() };
    let ids = ids.to_vec();
    let looking = run.spawn(async move {
        let mut broken = Vec::new();
        for id in &ids {
            // A table may write something down by itself between two looks, but not for ever.
            let mut last = Vec::new();
            for _ in 0..3 {
                last = compared(&client, id).await;
                if last.is_empty() {
                    break;
                }
            }
            broken.extend(last);
        }
        broken
    });
    match run.until(|_| looking.is_finished()) {
        true => run.result(looking).unwrap_or_else(|error| vec![error]),
        false => vec!["nobody shows a table".to_owned()],
    }
}

/// Every command in the logs of the tables, and where.
fn commands(run: &Run, image: &Image) -> BTreeMap<String, Vec<(usize, u64)>> {
    let mut log: BTreeMap<String, Vec<(usize, u64)>> = BTreeMap::new();
    for (table, id) in image.ids.iter().enumerate() {
        let Ok(stream) = format!("table/{id}").parse::<Stream>() else { continue };
        let world = run.world.lock();
        let records = world.database.primary.logs.get(&stream);
        for (seq, record) in records.into_iter().flat_map(|log| &log.records) {
            let body: Value = serde_json::from_str(&record.body).unwrap_or_default();
            if let Some(id) = body["id"].as_str() {
                log.entry(id.to_owned()).or_default().push((table, *seq));
            }
        }
    }
    log
}

/// What people remember and what the logs say.
pub(crate) fn of_the_log(run: &Run, image: &Image, notes: &Notes) -> (Vec<String>, usize) {
    let (log, late) = (commands(run, image), run.world.lock().late.clone());
    let (mut broken, mut late_copies) = (notes.contradictions.clone(), 0);
    let mut last: BTreeMap<&str, u64> = BTreeMap::new();
    for Sent { id, table, ack, refused, .. } in &notes.sent {
        let found = log.get(id).map(Vec::as_slice).unwrap_or_default();
        if found.len() > 1 {
            broken.push(format!("{id} is in the log as {found:?}"));
        }
        match (ack, refused) {
            (Some(seq), _) => {
                if !found.contains(&(*table, *seq)) {
                    broken.push(format!("{id} was acknowledged as {seq}, the log has {found:?}"));
                }
                let player = id.split('-').next().unwrap_or_default();
                let before = last.insert(player, *seq).unwrap_or(0);
                if *seq <= before {
                    broken.push(format!("{id} became {seq}, after {before}"));
                }
            }
            // Nothing tells a copy that comes late to another node from a new wish.
            (None, Some(_)) if !found.is_empty() && late.contains(id) => late_copies += 1,
            (None, Some(code)) if !found.is_empty() => {
                broken.push(format!("{id} was refused ({code}), the log has {found:?}"));
            }
            (None, Some(_)) => {}
            (None, None) => broken.push(format!("{id} was never answered")),
        }
    }
    for (table, seq) in notes.seen.keys() {
        let Ok(stream) = format!("table/{}", image.ids[*table]).parse::<Stream>() else { continue };
        let head = run.world.lock().database.primary.head(&stream);
        if head.seq < *seq {
            broken.push(format!("record {seq} of table {table} was seen, and is not there"));
        }
    }
    (broken, late_copies)
}

/// What the auditor says.
pub(crate) fn of_the_books(run: &Run, anchor: Option<Anchor>) -> Vec<String> {
    let store = Connection::new(&run.world, None);
    let verifying = run.spawn(async move {
        let options = Options { table: None, anchor };
        let verdict = verify(Source::Store(&store), &options, &mut |_, _| {}).await;
        match verdict {
            Ok(verdict) => verdict.problems.iter().map(ToString::to_string).collect(),
            Err(error) => vec![error.to_string()],
        }
    });
    run.result(verifying).unwrap_or_else(|error| vec![error])
}

/// What the meter has paid out and was seeded with anew, in cents, by its own log.
fn won(run: &Run) -> (u64, u64) {
    let Ok(stream) = format!("meter/{METER}").parse::<Stream>() else { return (0, 0) };
    let world = run.world.lock();
    let (mut paid, mut seeded) = (0, 0);
    for record in
        world.database.primary.logs.get(&stream).iter().flat_map(|log| log.records.values())
    {
        let body: Value = serde_json::from_str(&record.body).unwrap_or_default();
        let heard = body["what"]["heard"]["heard"].as_array().cloned().unwrap_or_default();
        let events = heard.iter().filter_map(|heard| heard["events"].as_array());
        for event in events.flatten() {
            paid += event["awarded"]["from_meter"].as_u64().unwrap_or(0);
            let reseeded = &event["reseeded"];
            let micro = ["from_house", "from_reserve"].map(|by| reseeded[by].as_u64().unwrap_or(0));
            seeded += micro.iter().sum::<u64>() / 1_000_000;
        }
    }
    (paid, seeded)
}

/// The meter holds what was put in at every node, less what was won.
pub(crate) fn of_the_meter(run: &mut Run, image: &Image, notes: &Notes) -> Vec<String> {
    // A copy that came late feeds it too, though its player was told otherwise.
    let log = commands(run, image);
    let fed: u64 = notes.sent.iter().filter(|sent| log.contains_key(&sent.id)).map(|s| s.fed).sum();
    let (paid, seeded) = won(run);
    let client = Client { world: run.world.clone(), token: image.token.clone() };
    let looking = run.spawn(async move {
        let mut broken = Vec::new();
        let holds = SEED + fed * INCREMENT / 100 + seeded - paid;
        for node in 0..3 {
            let path = format!("/api/meters/{METER}");
            let view = match client.ask(node, "GET", &path, None).await {
                Ok((200, view)) => view,
                other => {
                    broken.push(format!("{} does not show the meter: {other:?}", name(node)));
                    continue;
                }
            };
            if view["amount"].as_u64() != Some(holds) {
                let said = format!("{fed} cents were bet on the meter, {} shows", name(node));
                broken.push(format!("{said} {} and not {holds}", view["amount"]));
            }
        }
        broken
    });
    match run.until(|_| looking.is_finished()) {
        true => run.result(looking).unwrap_or_else(|error| vec![error]),
        false => vec!["nobody shows the meter".to_owned()],
    }
}

/// However many start for the first time, there is one link and one table.
pub(crate) fn of_the_first_start(run: &Run) -> Vec<String> {
    let links = run.hosts.iter().filter_map(|host| host.running()?.link.clone()).count();
    let world = run.world.lock();
    let logs = world.database.primary.logs.keys();
    let tables = logs.filter(|stream| matches!(stream, Stream::Table(_))).count();
    match (links, tables) {
        (1, 1) => Vec::new(),
        _ => vec![format!("{links} links and {tables} tables were made at the first start")],
    }
}

/// What nodes should never say or do.
pub(crate) fn of_the_nodes(run: &Run) -> Vec<String> {
    let mut broken: Vec<String> = PANICS.take();
    for (place, host) in run.hosts.iter().enumerate() {
        let Some(running) = host.running() else { continue };
        for (stream, reason) in running.app.house.damaged() {
            broken.push(format!("{} says that {stream} is damaged: {reason}", name(place)));
        }
    }
    broken
}

//! Races of a crew: each run plays some of them at once, each at its own table, while nodes are
//! killed, frozen and taken over. What a race is and what holds afterwards is in the client.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use boxman_client::races::{self, Answered, Known, Line, Log, PEOPLE, Race, Record};
use boxman_client::{Random, Value};
use boxman_server::testing::log::{Head, Key, Stream};
use boxman_server::testing::shelf::Shelf;
use boxman_server::testing::simulation::set_mutant;
use craps::Library;
use tokio::task::JoinHandle;

use crate::checks;
use crate::faults::Fault;
use crate::image::{BOSS, Entering};
use crate::mutants::Mutant;
use crate::people::Client;
use crate::run::{Outcome, Run, SETTLED, plan_anchor};
use crate::store::Connection;
use crate::tables::Tables;
use crate::world::Shared;

/// Things go wrong for so long after a race has begun, in milliseconds.
const TROUBLED: u64 = 6_000;
/// So many races are played at once.
const AT_ONCE: u64 = 6;

/// A house with a table prepared for each race.
pub(crate) struct Ready {
    tables: Tables,
    shelf: Arc<Shelf>,
    logins: Arc<BTreeMap<&'static str, Login>>,
    prepared: Vec<Prepared>,
}

/// Somebody of the crew.
struct Login {
    id: String,
    token: String,
}

/// A race, its table, and the records noted while the table was prepared.
#[derive(Clone)]
struct Prepared {
    race: Race,
    table: String,
    known: Known,
}

/// People's lines to the nodes, and what they have seen.
#[derive(Clone)]
struct Crew {
    world: Shared,
    logins: Arc<BTreeMap<&'static str, Login>>,
    nodes: u64,
    notes: Arc<Mutex<Notes>>,
}

/// What people remember.
#[derive(Default)]
struct Notes {
    /// What a table looked like after a record.
    seen: BTreeMap<(String, u64), String>,
    contradictions: Vec<String>,
}

impl Crew {
    fn new(world: &Shared, logins: &Arc<BTreeMap<&'static str, Login>>, nodes: u64) -> Crew {
        let (logins, notes) = (Arc::clone(logins), Arc::default());
        Crew { world: world.clone(), logins, nodes, notes }
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn client(&self, who: &str) -> Client {
        let token = self.logins.get(who).map_or(String::new(), |login| login.token.clone());
        Client { world: self.world.clone(), token }
    }

    /// The record of a command, if the log has one.
    fn written(&self, who: &str, table: &str, id: &str) -> Option<u64> {
        let stream: Stream = format!("table/{table}").parse().ok()?;
        let key = Key::of_command(&self.logins.get(who)?.id, id);
        Some(self.world.lock().database.primary.find(&stream, &key)?.seq)
    }

    /// Everybody of the crew who looks at the same record sees the same.
    fn saw(&self, table: &str, view: &Value) {
        let Some(seq) = view["seq"].as_u64() else { return };
        let shown = format!("{} {}", view["hand"], view["seats"]);
        let mut notes = self.notes();
        let known = notes.seen.entry((table.to_owned(), seq)).or_insert_with(|| shown.clone());
        if *known != shown {
            let said = format!("record {seq} of table {table} was seen as {known} and as {shown}");
            notes.contradictions.push(said);
        }
    }
}

impl Line for Crew {
    async fn ask(
        &self,
        random: &mut Random,
        who: &str,
        table: &str,
        ask: &Value,
    ) -> Option<(u16, Value)> {
        let node = random.below(self.nodes) as usize;
        let id = ask["id"].as_str().unwrap_or_default();
        let before = self.written(who, table, id);
        let path = format!("/api/tables/{table}/commands");
        let answer = self.client(who).ask(node, "POST", &path, Some(ask)).await;
        let said = match &answer {
            Ok((200, said)) => format!("record {}", said["seq"]),
            Ok((status, said)) => format!("{status} {}", said["code"]),
            Err(error) => error.to_string(),
        };
        let (round, command) = (&ask["round"], &ask["command"]);
        self.world.lock().note(&format!("{who} {id} {command} in {round} at {node}: {said}"));
        let (status, said) = answer.ok()?;
        if (400..500).contains(&status) && before.is_some() {
            let code = &said["code"];
            let said = format!("{who}'s {id} was refused ({code}) though it was in the log");
            self.notes().contradictions.push(said);
        }
        Some((status, said))
    }

    async fn look(&self, random: &mut Random, who: &str, table: &str) -> Option<Value> {
        let node = random.below(self.nodes) as usize;
        let path = format!("/api/tables/{table}");
        match self.client(who).ask(node, "GET", &path, None).await {
            Ok((200, view)) => {
                self.saw(table, &view);
                Some(view)
            }
            _ => None,
        }
    }
}

impl Ready {
    /// Prepares a table for each race with the real server, in a world where nothing goes wrong.
    pub(crate) fn make() -> Result<Ready, String> {
        let shelf = Arc::new(Shelf::new(Library::embedded()));
        let mut run = Run::new(0, &Tables::default(), &shelf, 1);
        let logins: BTreeMap<&'static str, Login> = people().collect();
        let logins = Arc::new(logins);
        let (store, entering) = (Connection::new(&run.world, None), Arc::clone(&logins));
        let accounts = run.spawn(async move { enter(&store, &entering).await });
        run.go_on(200);
        run.result(accounts)??;
        run.hosts[0].starts_at = Some(0);
        if !run.until(Run::all_open) {
            return Err("the first node did not start".to_owned());
        }
        let crew = Crew::new(&run.world, &logins, 1);
        let preparing = run.spawn(async move { prepare(&crew).await });
        run.until(|_| preparing.is_finished());
        let prepared = run.result(preparing)??;
        run.hosts[0].stop();
        run.until(|run| run.hosts[0].is_down());
        let tables = run.world.lock().database.primary.clone();
        Ok(Ready { tables, shelf, logins, prepared })
    }
}

fn people() -> impl Iterator<Item = (&'static str, Login)> {
    let boss = [("boss", BOSS.to_owned())].into_iter();
    let crew = PEOPLE.iter().zip(1..).map(|((name, _), place)| (*name, format!("p-{place:012x}")));
    boss.chain(crew).map(|(name, id)| (name, Login { id, token: format!("the token of {name}") }))
}

async fn enter(store: &Connection, logins: &BTreeMap<&'static str, Login>) -> Result<(), String> {
    let mut head = Entering::boss(&logins["boss"].token).enter(store, Head::default()).await?;
    for (name, roles) in PEOPLE {
        let Login { id, token } = &logins[name];
        let role = |role: &&str| role.parse().map_err(|error| format!("{role}: {error}"));
        let roles = roles.iter().map(role).collect::<Result<_, _>>()?;
        let entering =
            Entering { id: id.clone(), login: name.to_owned(), roles, token: token.clone() };
        head = entering.enter(store, head).await?;
    }
    Ok(())
}

/// Opens a table for each race and prepares it.
async fn prepare(crew: &Crew) -> Result<Vec<Prepared>, String> {
    let mut prepared = Vec::new();
    for race in races::races() {
        let opened = crew.client("boss").ask(0, "POST", "/api/tables", Some(&race.config)).await;
        let view = match opened {
            Ok((201, view)) => view,
            other => return Err(format!("{}: {other:?}", race.name)),
        };
        let table = view["id"].as_str().ok_or("a table has no id")?.to_owned();
        let known = races::prepare(&race, crew, &table).await?;
        prepared.push(Prepared { race, table, known });
    }
    Ok(prepared)
}

/// Plays some of the races in the world of a seed.
pub(crate) fn play(seed: u64, ready: &Ready, mutant: Option<Mutant>, told: bool) -> Outcome {
    set_mutant(mutant.and_then(Mutant::built_in));
    let mut random = Random::new(seed, 3);
    let mut run = Run::new(seed, &ready.tables, &ready.shelf, 3);
    {
        let mut world = run.world.lock();
        world.story = told.then(Vec::new);
        world.database.asynchronous = mutant == Some(Mutant::AsynchronousStandby);
    }
    let mut broken = Vec::new();
    run.start_all(&mut random);
    if !run.until(Run::all_open) {
        broken.push("not every node has started".to_owned());
    }
    let crew = Crew::new(&run.world, &ready.logins, 3);
    let chosen = chosen(ready, &mut random);
    let mut playing: Vec<JoinHandle<Vec<Answered>>> = Vec::new();
    for (Prepared { race, table, known }, place) in chosen.iter().cloned().zip(1..) {
        run.note(&format!("table {table}: {}", race.name));
        let (crew, seed) = (crew.clone(), Random::new(seed, 100 + place).next());
        playing
            .push(run.spawn(async move { races::play(&race, &crew, &table, known, seed).await }));
    }
    for fault in Fault::some(&mut random) {
        fault.plan(&run, run.now() + random.below(TROUBLED - 500));
    }
    let anchoring = plan_anchor(&run, random.below(TROUBLED));
    run.go_on(TROUBLED);
    run.heal();
    if !run.until(|_| playing.iter().all(JoinHandle::is_finished)) {
        broken.push("somebody was never answered".to_owned());
    }
    if !run.until(Run::all_open) {
        broken.push("not every node has come back".to_owned());
    }
    run.go_on(SETTLED);
    let mut acknowledged = 0;
    let mut late_copies = 0;
    for (prepared, playing) in chosen.iter().zip(playing) {
        let answers = match playing.is_finished() {
            true => run.result(playing).unwrap_or_default(),
            false => Vec::new(),
        };
        acknowledged += answers.iter().filter(|answer| answer.is_done()).count();
        let (found, late) = of_the_race(&mut run, &crew, prepared, &answers, seed);
        late_copies += late;
        broken.extend(found.into_iter().map(|one| format!("{}: {one}", prepared.race.name)));
    }
    broken.append(&mut crew.notes().contradictions);
    let anchor = match anchoring.is_finished() {
        true => run.result(anchoring).ok().flatten(),
        false => None,
    };
    broken.extend(checks::of_the_books(&run, anchor));
    broken.extend(checks::of_the_nodes(&run));
    let digest = run.world.lock().digest();
    let story = run.world.lock().story.take().unwrap_or_default();
    set_mutant(None);
    Outcome { seed, broken, acknowledged, late_copies, digest, story }
}

/// Some of the races, each at most once.
fn chosen(ready: &Ready, random: &mut Random) -> Vec<Prepared> {
    let mut places = BTreeSet::new();
    while places.len() < (AT_ONCE as usize).min(ready.prepared.len()) {
        places.insert(random.below(ready.prepared.len() as u64) as usize);
    }
    places.into_iter().map(|place| ready.prepared[place].clone()).collect()
}

/// What is wrong with a race, and how many copies of commands came late.
fn of_the_race(
    run: &mut Run,
    crew: &Crew,
    prepared: &Prepared,
    answers: &[Answered],
    seed: u64,
) -> (Vec<String>, usize) {
    let Prepared { race, table, .. } = prepared;
    let ids = [table.clone()];
    let mut broken = checks::same_everywhere(run, &crew.logins["dan"].token, &ids);
    let log = Log::read(&records(run, table));
    let late = run.world.lock().late.clone();
    let person = |who: &str| crew.logins[who].id.clone();
    broken.extend(races::of_answers(race, &log, answers, person, |id| late.contains(id)));
    let is_late = |answer: &&Answered| {
        !answer.is_done() && log.record_of(&person(answer.who), &answer.id).is_some()
    };
    let late_copies = answers.iter().filter(is_late).count();
    // The crew plays on, and what it sees is what the log says.
    let going = {
        let (crew, table) = (crew.clone(), table.clone());
        run.spawn(async move {
            races::go_on(&crew, &table, seed).await?;
            let mut random = Random::new(seed, 98);
            let mut views = Vec::new();
            for who in ["dan", "dee", "sue"] {
                views.extend(crew.look(&mut random, who, &table).await);
            }
            Ok::<Vec<Value>, String>(views)
        })
    };
    if !run.until(|_| going.is_finished()) {
        broken.push("the crew is not answered any more".to_owned());
        return (broken, late_copies);
    }
    match run.result(going).and_then(|views| views) {
        Ok(views) => {
            let log = Log::read(&records(run, table));
            broken.extend(races::at_the_table(&log, &views));
        }
        Err(error) => broken.push(error),
    }
    (broken, late_copies)
}

/// The log of a table.
fn records(run: &Run, table: &str) -> Vec<Record> {
    let Ok(stream) = format!("table/{table}").parse::<Stream>() else { return Vec::new() };
    let world = run.world.lock();
    let records = world.database.primary.logs.get(&stream).into_iter();
    let records = records.flat_map(|log| log.records.iter());
    let record = |(seq, record): (&u64, &Arc<boxman_server::testing::log::Record>)| Record {
        seq: *seq,
        body: serde_json::from_str(&record.body).unwrap_or_default(),
    };
    records.map(record).collect()
}

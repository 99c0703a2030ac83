//! What every run begins with: a house with an account, three tables, and people with chips.

use std::sync::Arc;

use boxman_client::{Value, json};
use boxman_server::testing::hash::Hash;
use boxman_server::testing::log::{Entry, Head, HouseEntry, Stream};
use boxman_server::testing::role::Role;
use boxman_server::testing::shelf::Shelf;
use boxman_server::testing::store::{Account, Session, Store};
use craps::Library;

use crate::people::Client;
use crate::run::Run;
use crate::store::{Connection, EPOCH};
use crate::tables::Tables;

/// The meter that two tables share.
pub(crate) const METER: &str = "downtown";
/// What it starts from, in cents.
pub(crate) const SEED: u64 = 100_000;
/// How much of a bet goes to it, in a hundred.
pub(crate) const INCREMENT: u64 = 15;
/// What stands for the one who plays for everybody.
pub(crate) const BOSS: &str = "p-0000000000b0";
/// Everybody has so much to begin with.
const CHIPS: u64 = 900_000_000;

/// A house that was closed properly.
pub(crate) struct Image {
    pub(crate) tables: Tables,
    pub(crate) shelf: Arc<Shelf>,
    pub(crate) token: String,
    pub(crate) ids: Arc<Vec<String>>,
    pub(crate) seats: Vec<(usize, u8)>,
}

impl Image {
    /// Makes one with the real server, in a world where nothing goes wrong.
    pub(crate) fn make() -> Result<Image, String> {
        let shelf = Arc::new(Shelf::new(Library::embedded()));
        let mut run = Run::new(0, &Tables::default(), &shelf, 1);
        let store = Connection::new(&run.world, None);
        let token = "a token that nobody has to guess".to_owned();
        let boss = Entering::boss(&token);
        let account = run.spawn(async move { boss.enter(&store, Head::default()).await });
        run.go_on(50);
        run.result(account)??;
        // Whoever plays here names no rounds: the tables are older than those. Races are played at
        // tables of today.
        run.hosts[0].procedures = 0;
        run.hosts[0].starts_at = Some(0);
        if !run.until(Run::all_open) {
            return Err("the first node did not start".to_owned());
        }
        let seats: Vec<(usize, u8)> =
            (0..3).flat_map(|table| [(table, 0), (table, 1), (table, 2)]).collect();
        let client = Client { world: run.world.clone(), token: token.clone() };
        let seated = seats.clone();
        let opening = run.spawn(async move { open(&client, &seated).await });
        run.until(|_| opening.is_finished());
        let ids = run.result(opening)??;
        run.hosts[0].stop();
        run.until(|run| run.hosts[0].is_down());
        let tables = run.world.lock().database.primary.clone();
        Ok(Image { tables, shelf, token, ids: Arc::new(ids), seats })
    }
}

/// Somebody with an account and a session already.
pub(crate) struct Entering {
    pub(crate) id: String,
    pub(crate) login: String,
    pub(crate) roles: Vec<Role>,
    pub(crate) token: String,
}

impl Entering {
    /// The one who may do everything.
    pub(crate) fn boss(token: &str) -> Entering {
        Entering {
            id: BOSS.to_owned(),
            login: "boss".to_owned(),
            roles: vec![Role::Supervisor, Role::Administrator],
            token: token.to_owned(),
        }
    }

    /// Writes the account after this record of the house, and says which is the last one now.
    pub(crate) async fn enter(self, store: &Connection, head: Head) -> Result<Head, String> {
        let Entering { id, login, roles, token } = self;
        let table_name = format!("Mx. {login}");
        let made = HouseEntry::AccountMade {
            account: id.clone(),
            login: login.clone(),
            table_name: table_name.clone(),
            roles: roles.clone(),
        };
        let record = Entry::new(EPOCH, "boxman", made).record(head, Stream::House);
        let head = record.head();
        let password = "nobody logs in".to_owned();
        let account = Account { id: id.clone(), login, table_name, roles, password };
        store.keep_account(&account, &[record]).await.map_err(|error| error.to_string())?;
        let (token, expires) = (Hash::of(token.as_bytes()), EPOCH + 1_000_000_000);
        let session = Session { token, person: id, name: None, expires };
        store.keep_session(&session).await.map_err(|error| error.to_string())?;
        Ok(head)
    }
}

/// Two real tables that share a meter and one for practice, with three people at each.
async fn open(client: &Client, seats: &[(usize, u8)]) -> Result<Vec<String>, String> {
    let mut ids = Vec::new();
    for number in 0..3 {
        let mut config = json!({
            "name": format!("Table {number}"),
            "rules": ["presque-isle", "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-FUP-01"],
            "options": {
                "fired-up.meter.seed": "1000",
                "fired-up.meter.increment": format!("{INCREMENT}%"),
            },
            "practice": number == 2,
        });
        if number < 2 {
            config["meters"] = json!({ "PT-BJS-FUP-01": METER });
            config["two_people_over"] = json!(1_000_000_000_000_u64);
            config["confirm_jackpots"] = json!(false);
        }
        let opened = ask(client, "/api/tables", &config).await?;
        ids.push(opened["id"].as_str().ok_or("a table has no id")?.to_owned());
    }
    for (place, (table, seat)) in seats.iter().enumerate() {
        let path = format!("/api/tables/{}/commands", ids[*table]);
        let name = format!("Player {place}");
        let sit = json!({ "command": "sit", "seat": seat, "name": name });
        let buy_in = json!({ "command": "buy-in", "seat": seat, "amount": CHIPS });
        for (id, command) in [("sit", sit), ("buy", buy_in)] {
            let body = json!({ "id": format!("{id}-{place}"), "command": command });
            ask(client, &path, &body).await?;
        }
    }
    Ok(ids)
}

async fn ask(client: &Client, path: &str, body: &Value) -> Result<Value, String> {
    match client.ask(0, "POST", path, Some(body)).await {
        Ok((200 | 201, answer)) => Ok(answer),
        Ok((status, answer)) => Err(format!("{path}: {status} {answer}")),
        Err(error) => Err(format!("{path}: {error}")),
    }
}

//! A server in this process, on a store in a folder of its own.

use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use boxman_client::{Client, Value, json};
use boxman_server::testing::http::Limits;
use boxman_server::testing::practice::PracticeLimits;
use boxman_server::testing::serve::{NodeOptions, ServeOptions, Started, StoreAddress, serve};
use boxman_server::testing::store::beside;
use craps::Library;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A folder that is removed when the test is over.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("boxman-test-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.0.join("test.db")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A running server.
pub(crate) struct Live {
    pub(crate) address: String,
    pub(crate) link: Option<String>,
    /// The first account, once somebody has it.
    pub(crate) first: OnceLock<Client>,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<()>,
}

/// Where a test keeps its logs: in the file it names or, with `BOXMAN_TEST_STORE=postgres`, in a
/// database named after it. So every test that knows a server only from outside can be told to
/// either.
fn kept_at(file: &Path) -> StoreAddress {
    if std::env::var("BOXMAN_TEST_STORE").as_deref() != Ok("postgres") {
        return StoreAddress::Sqlite(file.to_owned());
    }
    let server = boxman_client::postgres::Postgres::shared().expect("a PostgreSQL starts");
    let name = file.to_string_lossy();
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let name: String = name.chars().map(plain).collect::<String>().to_lowercase();
    // It is there already after a restart.
    let _ = server.sql(&format!("CREATE DATABASE {name}"));
    let url = server.url();
    let (place, _) = url.rsplit_once('/').expect("a database has a name");
    format!("{place}/{name}").parse().expect("an address")
}

pub(crate) fn generous() -> Limits {
    let many = NonZeroU32::new(1_000_000).unwrap();
    let practice = PracticeLimits {
        per_person: 1_000_000,
        per_address: 1_000_000,
        in_all: 1_000_000,
        per_minute: many,
        ..PracticeLimits::default()
    };
    Limits {
        requests: many,
        door: many,
        commands: many,
        watchers_per_address: many,
        watchers_per_table: many,
        // Most tests are about what every table does; those about crews have tables of today.
        procedures: 0,
        practice,
        ..Limits::default()
    }
}

fn options(store: StoreAddress, key: PathBuf, node: NodeOptions, limits: Limits) -> ServeOptions {
    ServeOptions {
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        store,
        key: Some(key),
        node,
        anchoring: None,
        library: Library::embedded(),
        limits,
        secure_cookies: false,
    }
}

impl Live {
    pub(crate) async fn start(store: &Path) -> Live {
        Live::with_limits(store, generous()).await
    }

    pub(crate) async fn with_limits(store: &Path, limits: Limits) -> Live {
        let key = beside(store, ".key");
        Live::serve(kept_at(store), key, NodeOptions::default(), limits).await
    }

    /// One of several nodes at a database.
    pub(crate) async fn node(store: StoreAddress, key: PathBuf, name: &str) -> Live {
        let node = NodeOptions { name: Some(name.to_owned()), ..NodeOptions::default() };
        Live::serve(store, key, node, generous()).await
    }

    /// One that does not start, and what it says.
    pub(crate) async fn refused(store: StoreAddress, key: PathBuf, name: &str) -> String {
        let node = NodeOptions { name: Some(name.to_owned()), ..NodeOptions::default() };
        let started = |_: &Started| panic!("it starts");
        let options = options(store, key, node, generous());
        serve(options, started, std::future::pending()).await.unwrap_err().to_string()
    }

    pub(crate) async fn serve(
        store: StoreAddress,
        key: PathBuf,
        node: NodeOptions,
        limits: Limits,
    ) -> Live {
        let options = options(store, key, node, limits);
        let (say, said) = oneshot::channel::<Started>();
        let (stop, stopped) = oneshot::channel::<()>();
        let started = |started: &Started| drop(say.send(started.clone()));
        let stopped = async move { drop(stopped.await) };
        let task = tokio::spawn(async move { serve(options, started, stopped).await.unwrap() });
        let Started { address, link, .. } = said.await.expect("the server starts");
        let (address, first) = (address.to_string(), OnceLock::new());
        Live { address, link, first, stop: Some(stop), task }
    }

    /// Stops it as its operator would.
    pub(crate) async fn stop(mut self) {
        self.stop.take().map(|stop| stop.send(()));
        self.task.await.expect("the server stops well");
    }

    /// The first account, a supervisor's and administrator's.
    pub(crate) async fn boss(&self) -> Client {
        let link = self.link.clone().expect("nobody has an account yet");
        let boss = Client::first(&self.address, &link, "boss", PASSWORD).await.unwrap();
        self.first.get_or_init(|| boss).clone()
    }

    /// Somebody who sees as much as anybody may: the first account, where there is one.
    pub(crate) fn eye(&self) -> Client {
        self.first.get().cloned().unwrap_or_else(|| Client::anyone(&self.address))
    }

    /// Another account.
    pub(crate) async fn account(&self, boss: &Client, name: &str, roles: &[&str]) -> Client {
        let account = json!({
            "name": name,
            "table_name": format!("Mx. {name}"),
            "password": PASSWORD,
            "roles": roles,
        });
        boss.post("/api/accounts", &account).await.unwrap().ok().unwrap();
        Client::login(&self.address, name, PASSWORD).await.unwrap()
    }

    pub(crate) async fn guest(&self, name: &str) -> Client {
        Client::guest(&self.address, name).await.unwrap()
    }

    /// The table a first start opens.
    pub(crate) async fn practice(&self) -> String {
        let tables = Client::anyone(&self.address).get("/api/tables").await.unwrap().json;
        tables[0]["id"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn view(&self, table: &str) -> Value {
        let path = format!("/api/tables/{table}");
        self.eye().get(&path).await.unwrap().ok().unwrap()
    }
}

pub(crate) const PASSWORD: &str = "correct horse battery";

/// Opens a table and gives its name.
pub(crate) async fn open(client: &Client, config: &Value) -> String {
    let view = client.post("/api/tables", config).await.unwrap().ok().unwrap();
    view["id"].as_str().unwrap().to_owned()
}

/// Asks under an id nobody has used, and gives the answer's status and code.
pub(crate) async fn ask(client: &Client, table: &str, command: Value) -> (u16, String) {
    let answer = client.command(table, &fresh_id(), &command).await.unwrap();
    (answer.status, answer.code().to_owned())
}

/// Asks for something that must be accepted, and gives the record's number.
#[track_caller]
pub(crate) fn accepted(answer: boxman_client::Fallible<boxman_client::Answer>) -> u64 {
    let answer = answer.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json["seq"].as_u64().unwrap()
}

/// Does something that must be accepted.
pub(crate) async fn does(client: &Client, table: &str, command: Value) -> u64 {
    accepted(client.command(table, &fresh_id(), &command).await)
}

/// Two people close a real table for good; before that its bank goes to the cage.
pub(crate) async fn close_for_good(asks: &Client, agrees: &Client, table: &str) -> u64 {
    let close = json!({ "command": "close", "reason": "nobody plays here" });
    let answer = asks.command(table, &fresh_id(), &close).await.unwrap();
    let remains = answer.json["remains"].as_array().into_iter().flatten();
    for tray in remains.filter(|remains| remains["kind"] == "tray") {
        does(asks, table, json!({ "command": "credit", "amount": tray["amount"] })).await;
    }
    let asked = match answer.status {
        200 => accepted(Ok(answer)),
        _ => does(asks, table, close).await,
    };
    does(agrees, table, json!({ "command": "approve", "proposal": asked })).await
}

pub(crate) fn fresh_id() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    format!("{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
}

/// Bytes of a shooter who does not care.
pub(crate) fn bytes() -> String {
    format!("{:064x}", 7)
}

pub(crate) fn roll() -> Value {
    json!({ "command": "roll", "shooter_bytes": bytes() })
}

pub(crate) fn put(seat: u8, wager: &str, amount: i64) -> Value {
    json!({ "command": "put", "seat": seat, "wager": wager, "amount": amount })
}

/// Sits down and buys in.
pub(crate) async fn join(client: &Client, table: &str, seat: u8, amount: i64) {
    does(client, table, json!({ "command": "sit", "seat": seat })).await;
    does(client, table, json!({ "command": "buy-in", "seat": seat, "amount": amount })).await;
}

/// A dealer closes betting and keys dice in.
pub(crate) async fn throw(dealer: &Client, table: &str, dice: &str) {
    does(dealer, table, json!({ "command": "close-betting" })).await;
    does(dealer, table, json!({ "command": "key-roll", "dice": dice })).await;
}

/// Looks at a table until it is as expected.
pub(crate) async fn until(eye: &Client, table: &str, found: impl Fn(&Value) -> bool) -> Value {
    let path = format!("/api/tables/{table}");
    let look = async || eye.get(&path).await.unwrap().ok().unwrap();
    for _ in 0..1_000 {
        let view = look().await;
        if found(&view) {
            return view;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("it never came: {}", look().await);
}

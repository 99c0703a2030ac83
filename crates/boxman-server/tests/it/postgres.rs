//! A PostgreSQL for a test, and what only it can show: pits, epochs and who may write.

use std::net::SocketAddr;
use std::slice::from_ref;
use std::sync::Arc;
use std::time::Duration;

use boxman_client::postgres::Postgres as Server;
use boxman_client::proxy::Proxy;
use boxman_server::testing::id::TableId;
use boxman_server::testing::log::{Head, Record, Stream};
use boxman_server::testing::pit::Pit;
use boxman_server::testing::store::{
    Batch, Durability, Identity, Peer, Pits, Postgres, PostgresAddress, SealKey, Store, StoreError,
    check_chain,
};

use crate::live::Folder;

/// A database of its own, which goes with the test.
pub(crate) struct Database {
    pub(crate) server: Server,
    pub(crate) folder: Folder,
}

impl Database {
    /// None where no PostgreSQL is installed, which is said; in CI it is.
    pub(crate) fn for_test() -> Option<Database> {
        let server = Server::for_test()?;
        Some(Database { server, folder: Folder::new() })
    }

    pub(crate) fn address(&self) -> PostgresAddress {
        self.server.url().parse().unwrap()
    }

    pub(crate) fn key(&self) -> SealKey {
        SealKey::open(&self.folder.store().with_extension("key")).unwrap()
    }

    pub(crate) async fn open(&self) -> Postgres {
        Postgres::open(&self.address(), Some(self.key()), Durability::Local).await.unwrap()
    }

    /// The same database as a node of this name sees it, with all pits that are free.
    pub(crate) async fn node(&self, name: &str) -> (Arc<dyn Pits>, Identity) {
        let store: Arc<dyn Pits> = Arc::new(self.open().await);
        let (address, certificate) = ("127.0.0.1:1".to_owned(), "none".to_owned());
        let peer = Peer { name: name.to_owned(), address, certificate };
        let identity = store.register(&peer).await.unwrap();
        (store, identity)
    }
}

fn record(head: Head, stream: &Stream, said: &str) -> Record {
    Record::after(head, stream.clone(), None, format!("{{\"said\":\"{said}\"}}"))
}

fn batch(store: &dyn Pits, record: &Record) -> Batch {
    let fence = store.fence(&record.stream).unwrap();
    Batch { records: vec![record.clone()], fence }
}

const TABLE: Stream = Stream::Table(TableId(7));

/// Whoever has lost a pit writes nothing there, though nobody has told them.
#[tokio::test]
async fn an_owner_that_lost_its_pit_cannot_append_whatever_it_believes() {
    let Some(database) = Database::for_test() else { return };
    let (one, _) = database.node("one").await;
    assert_eq!(one.claim(2_000).await.unwrap().len(), Pit::COUNT);
    let first = record(Head::default(), &TABLE, "one");
    let mine = batch(&*one, &first);
    assert_eq!(one.append_batches(from_ref(&mine)).await, [Ok(())]);
    // Another takes it over, as after a silence.
    let (two, _) = database.node("two").await;
    let gone = one.identity().unwrap();
    assert!(two.evict(&gone).await.unwrap());
    assert_eq!(two.claim(2_000).await.unwrap().len(), Pit::COUNT);
    let late = record(first.head(), &TABLE, "late");
    let mine = Batch { records: vec![late], fence: mine.fence };
    assert!(one.holds(Pit::of(&TABLE)), "it has not been told");
    assert_eq!(one.append_batches(from_ref(&mine)).await, [Err(StoreError::Lost)]);
    assert!(!one.holds(Pit::of(&TABLE)), "it knows now");
    assert_eq!(two.head(&TABLE).await.unwrap(), first.head());
    // The other's records go in, and those of both pits in one statement part by their owners.
    let next = record(first.head(), &TABLE, "two");
    assert_eq!(two.append_batches(&[batch(&*two, &next)]).await, [Ok(())]);
    assert_eq!(check_chain(&*two, &TABLE).await, Ok(None));
    one.close().await;
    two.close().await;
}

/// Of several batches in one statement those of a lost pit are left out, and the others written.
#[tokio::test]
async fn what_is_lost_takes_nothing_else_along() {
    let Some(database) = Database::for_test() else { return };
    let (one, _) = database.node("one").await;
    one.claim(2_000).await.unwrap();
    let (two, identity) = database.node("two").await;
    let other = Stream::Table(TableId(8));
    let (mine, lost) = (
        batch(&*one, &record(Head::default(), &TABLE, "mine")),
        record(Head::default(), &other, "lost"),
    );
    let lost = batch(&*one, &lost);
    // It is handed over behind the back of whoever writes.
    let pit = Pit::of(&other);
    let sql = format!(
        "UPDATE pit SET name = 'two', incarnation = {}, epoch = epoch + 1 WHERE pit = {pit}",
        identity.incarnation
    );
    database.server.sql(&sql).unwrap();
    let opened = Batch {
        records: vec![record(Head::default(), &Stream::House, "opened"), lost.records[0].clone()],
        fence: lost.fence,
    };
    let answers = one.append_batches(&[mine.clone(), opened]).await;
    assert_eq!(answers, [Ok(()), Err(StoreError::Lost)]);
    assert_eq!(one.head(&TABLE).await.unwrap().seq, 1);
    assert_eq!(one.head(&other).await.unwrap().seq, 0);
    assert_eq!(one.head(&Stream::House).await.unwrap().seq, 0, "nor what stood beside it");
    // A clash is nobody else's either.
    let fresh = batch(&*one, &record(Head { seq: 1, ..Head::default() }, &TABLE, "next"));
    let answers = one.append_batches(&[mine, fresh]).await;
    assert_eq!(answers, [Err(StoreError::Conflict), Ok(())]);
    one.close().await;
    two.close().await;
}

/// An answer that is lost on the way leaves a doubt, which only a new epoch ends.
#[tokio::test]
async fn in_doubt_the_pit_is_claimed_again_before_the_log_is_believed() {
    let Some(database) = Database::for_test() else { return };
    let proxy = Proxy::start(SocketAddr::from(([127, 0, 0, 1], database.server.port()))).unwrap();
    let address = format!("postgres://postgres@{}/boxman", proxy.address());
    let store = Postgres::open(&address.parse().unwrap(), None, Durability::Local).await.unwrap();
    let store: &dyn Pits = &store;
    let peer = Peer { name: "one".into(), address: "127.0.0.1:1".into(), certificate: "".into() };
    store.register(&peer).await.unwrap();
    store.claim(2_000).await.unwrap();
    let mut head = Head::default();
    let epoch = || {
        let sql = format!("SELECT epoch FROM pit WHERE pit = {}", Pit::of(&TABLE));
        database.server.sql(&sql).unwrap().trim().parse::<i64>().unwrap()
    };
    for round in 0..6 {
        let next = record(head, &TABLE, &format!("round {round}"));
        let fence = store.fence(&TABLE).unwrap();
        let batch = Batch { records: vec![next.clone()], fence };
        let before = epoch();
        // The statement arrives or not; its answer does not.
        match round % 2 {
            0 => proxy.swallow_answers(),
            _ => proxy.cut(),
        }
        let answer = store.append_batches(from_ref(&batch)).await.remove(0);
        assert!(matches!(answer, Err(StoreError::Down(_))), "{answer:?}");
        proxy.mend().unwrap();
        store.settle(&TABLE, fence).await.unwrap();
        assert!(epoch() > before);
        let found = store.head(&TABLE).await.unwrap();
        assert!(found == head || found == next.head(), "all of it or nothing");
        head = found;
        let next = record(head, &TABLE, "after");
        let batch = Batch { records: vec![next.clone()], fence };
        assert_eq!(store.append_batches(from_ref(&batch)).await, [Ok(())], "the same fence");
        head = next.head();
    }
    assert_eq!(check_chain(store, &TABLE).await, Ok(None));
    store.close().await;
}

/// Six owners steal a pit from each other as fast as they can, and each writes what it believes
/// comes next: every record that was answered is there, and none behind a newer owner's back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn owners_who_steal_from_each_other_leave_one_story() {
    let Some(database) = Database::for_test() else { return };
    let mut thieves = Vec::new();
    for number in 0..6 {
        thieves.push(database.node(&format!("thief-{number}")).await.0);
    }
    let until = std::time::Instant::now() + Duration::from_secs(4);
    let pit = Pit::of(&TABLE);
    let pool = sqlx::PgPool::connect(&database.server.url()).await.unwrap();
    let steal = async move |store: &dyn Pits, pool: sqlx::PgPool| {
        let me = store.identity().unwrap();
        let sql = "UPDATE pit SET name = $1, incarnation = $2, epoch = epoch + 1 WHERE pit = $3 \
                   RETURNING epoch";
        let epoch = sqlx::query_scalar::<_, i64>(sql)
            .bind(me.name)
            .bind(me.incarnation)
            .bind(i32::from(pit.0))
            .fetch_one(&pool)
            .await
            .unwrap();
        store.lose(pit);
        // Another may have stolen it since.
        let _ = store.reclaim(pit).await;
        epoch
    };
    let tasks = thieves.iter().enumerate().map(|(number, store)| {
        let (store, pool, steal) = (Arc::clone(store), pool.clone(), steal);
        tokio::spawn(async move {
            let (mut written, mut refused) = (Vec::new(), 0);
            while std::time::Instant::now() < until {
                let epoch = steal(&*store, pool.clone()).await;
                let mut head = store.head(&TABLE).await.unwrap();
                for step in 0..20 {
                    let said = format!("{epoch} {number} {step}");
                    let next = record(head, &TABLE, &said);
                    let batch = batch_if_held(&*store, &next);
                    let Some(batch) = batch else { break };
                    match store.append_batches(from_ref(&batch)).await.remove(0) {
                        Ok(()) => {
                            written.push(next.head());
                            head = next.head();
                        }
                        Err(StoreError::Lost | StoreError::Conflict) => {
                            refused += 1;
                            break;
                        }
                        Err(error) => panic!("{error}"),
                    }
                }
                // Somebody gets as far as writing a few.
                tokio::time::sleep(Duration::from_millis(4 * (number as u64 + 1))).await;
            }
            (written, refused)
        })
    });
    let mut answered = Vec::new();
    let mut refusals = 0;
    for task in tasks.collect::<Vec<_>>() {
        let (written, refused) = task.await.unwrap();
        answered.extend(written);
        refusals += refused;
    }
    let store = &thieves[0];
    assert_eq!(check_chain(&**store, &TABLE).await, Ok(None));
    let records = store.records(&TABLE, 0, 1_000_000).await.unwrap();
    assert_eq!(records.len(), answered.len(), "what was answered is there, and nothing else");
    assert!(answered.iter().all(|head| records[head.seq as usize - 1].head() == *head));
    let epoch = |record: &Record| -> i64 {
        let said = record.body.split('"').nth(3).unwrap();
        said.split(' ').next().unwrap().parse().unwrap()
    };
    assert!(records.is_sorted_by_key(epoch), "nobody writes behind a newer owner's back");
    assert!(refusals > 20 && records.len() > 50, "{refusals} refusals, {} records", records.len());
}

fn batch_if_held(store: &dyn Pits, record: &Record) -> Option<Batch> {
    let fence = store.fence(&record.stream).ok()?;
    Some(Batch { records: vec![record.clone()], fence })
}

/// Every one of these is one sentence, and nothing is half started.
#[tokio::test]
async fn a_database_that_will_not_do_is_refused_in_a_sentence() {
    let Some(database) = Database::for_test() else { return };
    let refused = async |url: &str, durability| {
        let store = Postgres::open(&url.parse().unwrap(), None, durability).await;
        store.err().expect("it is refused").to_string()
    };
    let said = refused(&database.server.url(), Durability::Replica).await;
    assert!(said.contains("needs synchronous_standby_names"), "{said}");
    let nowhere = "postgres://postgres@127.0.0.1:1/boxman";
    let said = refused(nowhere, Durability::Local).await;
    assert!(said.contains("127.0.0.1:1: "), "{said}");
    let url = database.server.fresh_database().unwrap();
    database.server.sql_at(&url, "CREATE TABLE customers (name TEXT)").unwrap();
    let said = refused(&url, Durability::Local).await;
    assert!(said.contains("another program's database"), "{said}");
    let tables = "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'";
    assert_eq!(database.server.sql_at(&url, tables).unwrap().trim(), "1");
    database.open().await.close().await;
    database.server.sql("UPDATE setting SET value = '99' WHERE name = 'schema'").unwrap();
    let said = refused(&database.server.url(), Durability::Local).await;
    assert!(said.contains("schema 99, this one knows 1"), "{said}");
    for typo in ["postgres:/localhost/boxman", "postgres://localhost", "postgres://@/x"] {
        assert!(typo.parse::<PostgresAddress>().is_err(), "{typo}");
    }
    let secret = "postgres://ann:sesame@db:99999/boxman".parse::<PostgresAddress>();
    assert!(!secret.unwrap_err().contains("sesame"));
    let shown: PostgresAddress = "postgres://ann:sesame@db,standby/boxman".parse().unwrap();
    assert_eq!(format!("{shown} {shown:?}"), ["postgres://ann@db,standby/boxman"; 2].join(" "));
}

/// A standby is promoted while the primary is still there, as by somebody who has lost sight of it:
/// the node goes over to the later one by itself, and never back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_goes_back_to_an_earlier_primary() {
    let Some(database) = Database::for_test() else { return };
    let mut later = database.server.standby("later").unwrap();
    let (first, second) = (database.server.port(), later.port());
    let url = format!("postgres://postgres@127.0.0.1:{first},127.0.0.1:{second}/boxman");
    let address: PostgresAddress = url.parse().unwrap();
    let store = Arc::new(Postgres::open(&address, None, Durability::Local).await.unwrap());
    let watching = tokio::spawn(Postgres::watch(Arc::downgrade(&store)));
    let node: Arc<dyn Pits> = store.clone();
    let peer = Peer { name: "one".into(), address: "127.0.0.1:1".into(), certificate: "".into() };
    node.register(&peer).await.unwrap();
    // It is on its way to the standby, which nobody waits for.
    let rows = "SELECT count(*) FROM node";
    until(|| later.sql(rows).is_ok_and(|count| count.trim() == "1")).await;
    later.promote().unwrap();
    let beats = |server: &Server| -> i64 {
        server.sql("SELECT max(beats) FROM node").unwrap().trim().parse().unwrap()
    };
    let begun = beats(&later);
    let beat = async || {
        let beaten = node.beat().await;
        tokio::time::sleep(Duration::from_millis(200)).await;
        beaten
    };
    for _ in 0..60 {
        let _ = beat().await;
        if beats(&later) > begun {
            break;
        }
    }
    assert!(beats(&later) > begun, "the node has gone over to the one that was promoted");
    let stood = beats(&database.server);
    later.stop().unwrap();
    let mut said = String::new();
    for _ in 0..3 {
        said = beat().await.map(|_| ()).unwrap_err().to_string();
    }
    assert!(said.contains("was the primary until another was promoted"), "{said}");
    assert_eq!(beats(&database.server), stood, "and nothing is said to the one before");
    later.restart().unwrap();
    until(|| later.sql(rows).is_ok()).await;
    assert!(beat().await.is_ok() || beat().await.is_ok());
    watching.abort();
    store.close().await;
}

async fn until(so: impl Fn() -> bool) {
    for _ in 0..200 {
        if so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it never came");
}

/// A name belongs to one node at a time; one that does not beat any more has to let go of it.
#[tokio::test]
async fn two_nodes_do_not_have_one_name() {
    let Some(database) = Database::for_test() else { return };
    let (one, _) = database.node("one").await;
    let beating = tokio::spawn(async move {
        loop {
            one.beat().await.unwrap();
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    let two: Arc<dyn Pits> = Arc::new(database.open().await);
    let peer = Peer { name: "one".into(), address: "127.0.0.1:1".into(), certificate: "".into() };
    let refused = two.register(&peer).await.unwrap_err().to_string();
    assert!(refused.contains("a node named one is up already"), "{refused}");
    let import = Postgres::open_alone(&database.address(), None).await.err().unwrap().to_string();
    assert!(import.contains("stop every node first"), "{import}");
    beating.abort();
    assert!(two.register(&peer).await.is_ok());
    two.close().await;
}

/// Of several who enter under one name in the same moment, one does at most, and whoever was
/// refused leaves nothing behind.
#[tokio::test]
async fn those_who_enter_at_once_do_not_have_one_name() {
    let Some(database) = Database::for_test() else { return };
    let mut entering = Vec::new();
    for place in 0..4 {
        let node: Arc<dyn Pits> = Arc::new(database.open().await);
        let address = format!("127.0.0.1:{place}");
        let peer = Peer { name: "one".into(), address, certificate: "".into() };
        entering.push(tokio::spawn(async move {
            let entered = node.register(&peer).await;
            // Whoever is in shows it for longer than the others wait.
            for _ in 0..30 {
                let _ = node.beat().await;
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            (entered, node)
        }));
    }
    let mut nodes = Vec::new();
    for node in entering {
        nodes.push(node.await.unwrap());
    }
    let count = nodes.iter().filter(|(entered, _)| entered.is_ok()).count();
    for (entered, node) in &nodes {
        let refused = entered.as_ref().err().map(ToString::to_string);
        let named = refused.is_none_or(|said| said.contains("a node named one is up already"));
        assert!(named, "{entered:?}");
        assert_eq!(node.nodes().await.unwrap().len(), count);
        node.close().await;
    }
    assert!(count <= 1, "{count} nodes have one name");
}

//! A PostgreSQL of our own is started, stopped, killed, paused and followed.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use boxman_client::postgres::{Fsync, Postgres};

/// Ends the test where PostgreSQL is not installed.
macro_rules! start {
    () => {
        match Postgres::for_test() {
            Some(server) => server,
            None => return,
        }
    };
}

fn rolls(server: &Postgres) -> String {
    server.sql("SELECT count(*) FROM rolls").unwrap()
}

#[track_caller]
fn eventually(what: &str, so: impl Fn() -> bool) {
    let start = Instant::now();
    while !so() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn one_starts_with_an_empty_database() {
    let server = start!();
    assert_eq!(server.url(), format!("postgres://postgres@127.0.0.1:{}/boxman", server.port()));
    let settings = "SELECT current_database(), current_setting('fsync'), \
                    current_setting('max_connections'), current_setting('server_encoding')";
    assert_eq!(server.sql(settings).unwrap(), "boxman|on|200|UTF8");
    assert_eq!(server.sql("SELECT count(*) FROM pg_stat_user_tables").unwrap(), "0");
    let error = server.sql("SELECT 7 / 0").unwrap_err().to_string();
    assert!(error.contains("division by zero"), "{error}");

    let careless = Postgres::start_with(Fsync::Off).unwrap();
    assert_ne!(careless.port(), server.port());
    assert_eq!(careless.sql("SHOW fsync").unwrap(), "off");
}

#[test]
fn every_fresh_database_is_another() {
    let server = start!();
    let [one, two] = [(), ()].map(|()| server.fresh_database().unwrap());
    server.sql_at(&one, "CREATE TABLE rolls (total int)").unwrap();
    assert!(server.sql_at(&one, "SELECT * FROM rolls").is_ok());
    assert!(server.sql_at(&two, "SELECT * FROM rolls").is_err());

    let [one, two] = [(), ()].map(|()| Postgres::shared().unwrap());
    assert_eq!(one.folder(), two.folder());
}

#[test]
fn what_is_committed_survives_a_stop_and_a_kill() {
    let mut server = start!();
    let port = server.port();
    server.sql("CREATE TABLE rolls (total int)").unwrap();
    server.sql("INSERT INTO rolls VALUES (7)").unwrap();
    server.stop().unwrap();
    assert!(server.sql("SELECT 1").is_err());
    server.restart().unwrap();
    assert_eq!((server.port(), rolls(&server).as_str()), (port, "1"));

    server.sql("INSERT INTO rolls VALUES (11)").unwrap();
    server.kill();
    assert!(server.sql("SELECT 1").is_err());
    server.restart().unwrap();
    assert_eq!((server.port(), rolls(&server).as_str()), (port, "2"));
    server.restart().unwrap();
    assert_eq!(rolls(&server), "2");
}

#[test]
fn a_paused_one_answers_when_it_goes_on() {
    let server = start!();
    server.pause();
    std::thread::scope(|scope| {
        let asking = scope.spawn(|| server.sql("SELECT 7").unwrap());
        std::thread::sleep(Duration::from_millis(200));
        assert!(!asking.is_finished());
        server.resume();
        assert_eq!(asking.join().unwrap(), "7");
    });
    // One that is paused goes like any other.
    server.pause();
}

#[test]
fn a_promoted_standby_has_every_commit() {
    let mut primary = start!();
    let mut standby = primary.standby("first").unwrap();
    primary.require_standbys(&["first", "second"]).unwrap();
    primary.sql("CREATE TABLE rolls (total int)").unwrap();
    let sync = "SELECT application_name, sync_state FROM pg_stat_replication";
    assert_eq!(primary.sql(sync).unwrap(), "first|quorum");

    // Nothing is committed while nobody else has it.
    standby.pause();
    std::thread::scope(|scope| {
        let inserting = scope.spawn(|| primary.sql("INSERT INTO rolls VALUES (7)").unwrap());
        std::thread::sleep(Duration::from_millis(200));
        assert!(!inserting.is_finished());
        standby.resume();
        inserting.join().unwrap();
    });

    primary.kill();
    standby.promote().unwrap();
    assert_eq!(rolls(&standby), "1");
    // It waits for nobody, although its primary did.
    standby.sql("INSERT INTO rolls VALUES (11)").unwrap();
    assert_eq!(rolls(&standby), "2");
}

#[test]
fn a_standby_that_is_not_required_may_be_away() {
    let primary = start!();
    let mut standby = primary.standby("away").unwrap();
    primary.require_standbys(&["away"]).unwrap();
    standby.kill();
    primary.require_standbys(&[]).unwrap();
    primary.sql("CREATE TABLE rolls (total int)").unwrap();
    primary.sql("INSERT INTO rolls VALUES (7)").unwrap();
    standby.restart().unwrap();
    let streaming = "SELECT state FROM pg_stat_replication";
    eventually("it catches up", || primary.sql(streaming).unwrap() == "streaming");
    eventually("it has the roll", || {
        standby.sql("SELECT total FROM rolls").is_ok_and(|t| t == "7")
    });
    let error = primary.standby("Not-a-name").err().unwrap().to_string();
    assert_eq!(error, "`Not-a-name` is no name for a standby: use a-z, 0-9 and _");
}

#[test]
#[expect(clippy::print_stdout, reason = "the one who kills it reads it")]
fn nothing_stays_behind() {
    let mut server = start!();
    let folder = server.folder().to_owned();
    if std::env::var_os("BOXMAN_VICTIM").is_some() {
        server.pause();
        println!("\nhere {}", folder.display());
        std::thread::sleep(Duration::from_secs(60));
        return;
    }
    server.kill();
    drop(server);
    assert!(!folder.exists());

    // The same in a process that is killed.
    let mut victim = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "postgres::nothing_stays_behind", "--nocapture"])
        .env("BOXMAN_VICTIM", "yes")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(victim.stdout.take().unwrap()).lines().map(Result::unwrap);
    let folder = lines.find_map(|line| Some(line.strip_prefix("here ")?.to_owned())).unwrap();
    assert!(Path::new(&folder).exists());
    victim.kill().unwrap();
    victim.wait().unwrap();
    eventually("the caretaker clears away", || !Path::new(&folder).exists());
}

//! A PostgreSQL as a store, from the command line: moved into and out of, brought up to date, and
//! refused in a sentence where it will not do.

use boxman_client::postgres::Postgres;

use crate::{House, Ran, boxman};

fn sound(store: &str, more: &[&str]) {
    let ran = boxman(&[&["verify", store], more].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.starts_with("sound: "), "{}", ran.out);
}

fn done(args: &[&str]) -> String {
    let Ran { code, out, err } = boxman(args);
    assert_eq!((code, err.as_str()), (0, ""), "{args:?}");
    out
}

fn refused(args: &[&str], expected: &str) {
    let ran = boxman(args);
    assert_eq!(ran.code, 2, "{args:?}: {}{}", ran.out, ran.err);
    assert!(ran.err.contains(expected), "{args:?}: {}", ran.err);
    assert!(ran.err.trim().lines().count() <= 2, "{args:?}: {}", ran.err);
}

/// A store goes to a PostgreSQL and back, and a table alone to a third; an anchor from before holds
/// for all of them.
#[test]
fn a_store_moves_in_and_out_with_every_hash() {
    let Some(server) = Postgres::for_test() else { return };
    let house = House::new("postgres-moves", "");
    let file = house.path("boxman.db");
    let out = done(&["import", &file, "tapes/example.tape", "--name", "The example"]);
    let table = out.strip_prefix("table ").unwrap()[..7].to_owned();
    done(&["import", &file, "tapes/a-hand.tape"]);
    let anchor = house.path("anchor.json");
    sound(&file, &["--write-anchor", &anchor]);

    let there = server.url();
    let copied = done(&["copy", &format!("sqlite:{file}"), &there]);
    assert!(copied.contains("the copy is sound"), "{copied}");
    sound(&there, &["--anchor", &anchor]);
    let hashes = "SELECT string_agg(stream || ' ' || seq || ' ' || hash, E'\n' \
                  ORDER BY stream, seq) FROM record";
    let here = format!("sqlite:{}", house.path("back.db"));
    done(&["copy", &there, &here]);
    sound(&here, &["--anchor", &anchor]);
    refused(&["copy", &format!("sqlite:{file}"), &there], "there is something in it already");

    // One table alone, by both of its forms.
    let (lines, tape) = (house.path("table.jsonl"), house.path("table.tape"));
    done(&["export", &there, "--table", &table, "-o", &lines]);
    done(&["export", &there, "--table", &table, "--format", "tape", "-o", &tape]);
    done(&["tape", "-q", &tape]);
    sound(&lines, &[]);
    let third = server.fresh_database().unwrap();
    done(&["migrate", &third]);
    done(&["migrate", &third]);
    done(&["import", &third, &lines]);
    done(&["import", &third, &tape, "--name", "Played again"]);
    sound(&third, &[]);
    refused(&["import", &third, &lines], "is in this store already");
    let own = format!("{hashes} WHERE stream = 'table/{table}'");
    assert_eq!(server.sql_at(&third, &own).unwrap(), server.sql_at(&there, &own).unwrap());

    // What somebody changes is found, and what is cut off is known by the anchor.
    let last = format!("(SELECT max(seq) FROM record WHERE stream = 'table/{table}')");
    let cut = format!("DELETE FROM record WHERE stream = 'table/{table}' AND seq = {last}");
    server.sql(&cut).unwrap();
    let ran = boxman(&["verify", &there, "--anchor", &anchor]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
}

/// Whatever is wrong with it, a node says so in a sentence and leaves nothing behind.
#[test]
fn a_database_that_will_not_do_is_refused_and_left_as_it_was() {
    let Some(server) = Postgres::for_test() else { return };
    let house = House::new("postgres-refused", "");
    let key = house.path("boxman.key");
    let serve = |store: &str, expected: &str| {
        refused(
            &["serve", "--store", store, "--key", &key, "--listen", "127.0.0.1:0", "--node", "one"],
            expected,
        );
    };
    let nobody = |store: &str| {
        let rows = "SELECT count(*) FROM node WHERE state <> 'gone'";
        assert_eq!(server.sql_at(store, rows).unwrap(), "0");
    };

    let copying = server.fresh_database().unwrap();
    done(&["migrate", &copying]);
    server.sql_at(&copying, "INSERT INTO setting VALUES ('copying', 'since noon')").unwrap();
    serve(&copying, "a copy into it was not finished");
    nobody(&copying);

    // The database's clock, five seconds off: its own function stands behind this one.
    let late = server.fresh_database().unwrap();
    done(&["migrate", &late]);
    let clock = "CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS \
                 'SELECT pg_catalog.clock_timestamp() - interval ''5 s'''";
    server.sql_at(&late, clock).unwrap();
    let name = late.rsplit('/').next().unwrap();
    server.sql(&format!("ALTER DATABASE {name} SET search_path = public, pg_catalog")).unwrap();
    serve(&late, "ms from the database's");
    nobody(&late);

    // As many connections as there may be are somebody else's.
    let full = server.fresh_database().unwrap();
    let name = full.rsplit('/').next().unwrap();
    server.sql("CREATE ROLE house LOGIN CONNECTION LIMIT 1").unwrap();
    server.sql(&format!("ALTER DATABASE {name} OWNER TO house")).unwrap();
    let few = full.replace("postgres@", "house@");
    serve(&few, "no connection to it is free");

    // Not this program's, and one that it does not know yet.
    let foreign = server.fresh_database().unwrap();
    server.sql_at(&foreign, "CREATE TABLE customers (name TEXT)").unwrap();
    serve(&foreign, "it is another program's database");
    refused(&["migrate", &foreign], "it is another program's database");
    server.sql_at(&late, "UPDATE setting SET value = '99' WHERE name = 'schema'").unwrap();
    refused(&["migrate", &late], "schema 99, this one knows");

    // Which edition of the log is written is raised for good, and only where there is another.
    let third = server.fresh_database().unwrap();
    done(&["migrate", &third]);
    server.sql_at(&third, "DELETE FROM setting WHERE name = 'edition'").unwrap();
    assert_eq!(done(&["migrate", &third, "--edition", "2"]), "edition 2 is written from now on\n");
    refused(&["migrate", &third, "--edition", "1"], "none is taken back");
    refused(&["migrate", &third, "--edition", "9"], "knows editions up to");
    refused(&["migrate", &house.path("boxman.db"), "--edition", "2"], "only a PostgreSQL");
}

/// Nobody believes in a standby that a file does not have.
#[test]
fn options_of_nodes_are_refused_without_a_postgresql() {
    let house = House::new("postgres-options", "");
    let store = format!("sqlite:{}", house.path("boxman.db"));
    let serve = |option: [&str; 2], expected: &str| {
        let [name, value] = option;
        refused(&["serve", "--store", &store, "--listen", "127.0.0.1:0", name, value], expected);
    };
    serve(["--durability", "replica"], "--durability replica is for nodes that share a PostgreSQL");
    serve(["--node", "one"], "--node is for nodes that share a PostgreSQL");
    serve(["--internal", "127.0.0.1:7788"], "--internal is for nodes that share a PostgreSQL");
    serve(["--node", " "], "it cannot be empty");
    assert!(!std::path::Path::new(&house.path("boxman.db")).exists());
}

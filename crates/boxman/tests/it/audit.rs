use crate::{House, Ran, boxman, boxman_with};

/// A store with one table, made of a tape.
struct Store {
    house: House,
    path: String,
    table: String,
}

impl Store {
    fn new(name: &str) -> Store {
        let house = House::new(name, "");
        let path = house.path("boxman.db");
        let ran = boxman(&["import", &path, "tapes/example.tape", "--name", "The example"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        let table = ran.out.strip_prefix("table ").unwrap()[..7].to_owned();
        assert!(ran.out.ends_with("records brought in\n"), "{}", ran.out);
        Store { house, path, table }
    }

    fn export(&self, format: &str) -> Ran {
        boxman(&["export", &self.path, "--table", &self.table, "--format", format])
    }
}

#[test]
fn a_tape_is_imported_verified_exported_and_imported_again() {
    let store = Store::new("audit");
    let ran = boxman(&["verify", &format!("sqlite:{}", store.path)]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.starts_with("sound: "), "{}", ran.out);
    let ran = boxman(&["verify", &store.path, "--json", "--table", &store.table]);
    let verdict: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, &verdict["ok"], &verdict["tables"]), (0, &true.into(), &1.into()));
    // As a tape it plays; as lines it goes into another store.
    let tape = store.export("tape");
    assert_eq!((tape.code, tape.err.as_str()), (0, ""));
    let played = boxman_with(&["tape", "-q", "-"], &tape.out);
    assert_eq!((played.code, played.out.as_str()), (0, "-: every line held\n"));
    let file = store.house.path("table.jsonl");
    let ran = boxman(&["export", &store.path, "--table", &store.table, "-o", &file]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    assert_eq!(boxman(&["verify", &file]).code, 0);
    let other = store.house.path("other.db");
    assert_eq!(boxman(&["import", &other, &file]).code, 0);
    assert_eq!(boxman(&["verify", &other]).code, 0);
    let again = boxman(&["import", &other, &file]);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("is in this store already"), "{}", again.err);
    let named = boxman(&["import", &other, &file, "--name", "x"]);
    assert!(named.code == 2 && named.err.contains("--name is for tapes"), "{}", named.err);
}

#[test]
fn nothing_that_is_written_takes_the_place_of_a_store_or_of_a_good_file() {
    let store = Store::new("outputs");
    let read = |path: &str| std::fs::read(path).unwrap();
    let before = read(&store.path);
    let key = format!("{}.key", store.path);
    std::fs::write(&key, "a key").unwrap();
    let dotted = store.path.replace("boxman.db", "./boxman.db");
    for output in [&store.path, &dotted, &key, &format!("{}-wal", store.path)] {
        for args in [
            ["export", &store.path, "--table", &store.table, "-o", output].as_slice(),
            &["verify", &store.path, "--write-anchor", output],
        ] {
            let ran = boxman(args);
            assert_eq!(ran.code, 2, "{args:?}");
            assert!(ran.err.contains("belongs to the store, name another file"), "{}", ran.err);
        }
    }
    assert!(read(&store.path) == before && read(&key) == b"a key");
    // An export that cannot be made leaves the one before.
    let file = store.house.path("table.jsonl");
    assert_eq!(boxman(&["export", &store.path, "--table", &store.table, "-o", &file]).code, 0);
    let good = read(&file);
    assert_eq!(boxman(&["export", &store.path, "--table", "0000000", "-o", &file]).code, 2);
    assert!(read(&file) == good);
    assert!(!std::fs::exists(format!("{file}.new")).unwrap());
}

#[test]
fn a_changed_export_and_a_cut_store_fail() {
    let store = Store::new("cut");
    let anchor = store.house.path("anchor.json");
    assert_eq!(boxman(&["verify", &store.path, "--write-anchor", &anchor]).code, 0);
    assert_eq!(boxman(&["verify", &store.path, "--anchor", &anchor]).code, 0);
    let empty = store.house.path("empty.db");
    assert_eq!(boxman(&["import", &empty, "tapes/a-hand.tape"]).code, 0);
    let ran = boxman(&["verify", &empty, "--anchor", &anchor]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("the anchor has seen"), "{}", ran.out);
    let file = store.house.path("table.jsonl");
    let lines = store.export("jsonl").out;
    std::fs::write(&file, lines.replacen("ann", "bob", 1)).unwrap();
    let another = store.house.path("another.json");
    let ran = boxman(&["verify", &file, "--write-anchor", &another]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.starts_with("not sound: record "), "{}", ran.out);
    assert!(ran.err.contains("no anchor was written"), "{}", ran.err);
    assert!(!std::path::Path::new(&another).exists());
    let ran = boxman(&["import", &empty, &file]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.starts_with("error: the log does not hold: record "), "{}", ran.err);
}

#[test]
fn what_cannot_be_read_is_misuse() {
    let store = Store::new("misuse");
    let (text, none) = (store.house.path("house.toml"), store.house.path("no-such.db"));
    std::fs::write(&text, "not a database, and not an export either\n").unwrap();
    let table = store.table.as_str();
    for args in [
        vec!["verify", &none],
        vec!["verify", &text],
        vec!["verify", &store.path, "--anchor", &text],
        vec!["verify", &store.path, "--table", "nobody"],
        vec!["export", &none, "--table", table],
        vec!["export", &text, "--table", table],
        vec!["export", &store.path, "--table", "0000000"],
        vec!["export", &store.path],
        vec!["import", &text, "tapes/example.tape"],
        vec!["import", &store.path, &none],
        vec!["import", &store.path, &store.path],
        vec!["import", &store.path, &text],
    ] {
        let ran = boxman(&args);
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.err);
        assert!(ran.err.starts_with("error: ") && ran.out.is_empty(), "{args:?}: {}", ran.err);
    }
    assert!(!std::path::Path::new(&none).exists(), "looking for a store made one");
}

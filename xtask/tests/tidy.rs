//! Tidy: what every file of the project keeps to.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// Every file that belongs to the project, whichever tool made it.
fn files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            match path.is_dir() {
                true if ["target", ".git", "node_modules", "corpus"].contains(&name.as_str()) => {}
                true => folders.push(path),
                false => found.push(path),
            }
        }
    }
    found.sort();
    found
}

fn with_extension(extension: &str) -> Vec<(String, String)> {
    let of = |path: &PathBuf| path.extension().is_some_and(|found| found == extension);
    let read = |path: PathBuf| {
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        (name, std::fs::read_to_string(&path).unwrap())
    };
    files().into_iter().filter(of).map(read).collect()
}

#[track_caller]
fn none(what: &str, found: &[String]) {
    assert!(found.is_empty(), "{what}:\n{}", found.join("\n"));
}

#[test]
fn lines_are_short_and_clean() {
    let mut found = Vec::new();
    for extension in ["rs", "toml", "md", "tape"] {
        for (name, text) in with_extension(extension) {
            for (place, line) in text.lines().enumerate() {
                let wide = extension == "rs" && line.chars().count() > 100;
                if wide || line.contains('\t') || line.ends_with(' ') {
                    found.push(format!("{name}:{}", place + 1));
                }
            }
            if !text.ends_with('\n') || text.ends_with("\n\n") {
                found.push(format!("{name}: ends without one line break"));
            }
        }
    }
    none("too wide, tabs or trailing spaces", &found);
}

#[test]
fn files_stay_readable() {
    let mut found = Vec::new();
    for (name, text) in with_extension("rs") {
        let lines = text.lines().count();
        if lines > 720 {
            found.push(format!("{name}: {lines} lines"));
        }
        let source = name.contains("/src/") || name.ends_with("main.rs");
        if source && !text.starts_with("//!") {
            found.push(format!("{name}: does not say what it is"));
        }
    }
    none("long or unexplained", &found);
}

#[test]
fn the_rules_crate_is_pure() {
    let banned = [
        "f32",
        "f64",
        "println!",
        "eprintln!",
        "std::fs",
        "std::net",
        "std::time",
        "std::thread",
        "async ",
        "rand::",
        "std::env",
    ];
    let mut found = Vec::new();
    for (name, text) in with_extension("rs") {
        if !name.starts_with("crates/craps/src/") {
            continue;
        }
        for (place, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap();
            let word = |banned: &&&str| {
                code.match_indices(**banned).any(|(at, _)| {
                    let before = code[..at].chars().next_back();
                    !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
                })
            };
            if let Some(banned) = banned.iter().find(word) {
                found.push(format!("{name}:{}: {banned}", place + 1));
            }
        }
    }
    none("floats, clocks or I/O in the rules", &found);
}

#[test]
fn nothing_is_left_unfinished() {
    // The words are put together here so that this file does not find itself.
    let words = [
        concat!("to", "do!("),
        concat!("unimple", "mented!("),
        concat!("FIX", "ME"),
        concat!("XX", "X"),
        concat!("#[ig", "nore"),
        concat!("db", "g!("),
    ];
    let mut found = Vec::new();
    for (name, text) in with_extension("rs") {
        for (place, line) in text.lines().enumerate() {
            if words.iter().any(|word| line.contains(word)) {
                found.push(format!("{name}:{}", place + 1));
            }
        }
    }
    none("unfinished", &found);
}

#[test]
fn every_tape_asserts_something_and_says_what() {
    let mut found = Vec::new();
    for (name, text) in with_extension("tape") {
        let asserts = text.lines().any(|line| line.starts_with(['=', '!']));
        if !asserts || !text.starts_with("# ") {
            found.push(name);
        }
    }
    none("tapes that show nothing", &found);
}

#[test]
fn the_code_map_names_every_module() {
    let map = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    assert!(map.lines().count() <= 200, "ARCHITECTURE.md has grown past 200 lines");
    let mut found = Vec::new();
    for (name, _) in with_extension("rs") {
        let Some((_, rest)) = name.split_once("/src/").filter(|_| name.starts_with("crates/"))
        else {
            continue;
        };
        let module = rest.split('/').next().unwrap().trim_end_matches(".rs");
        if !["lib", "main"].contains(&module) && !map.contains(&format!("`{module}`")) {
            found.push(module.to_owned());
        }
    }
    none("modules ARCHITECTURE.md does not mention", &found);
}

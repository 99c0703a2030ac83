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
        if lines > 600 {
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

/// Vector units and devices are spoken to in one place.
#[test]
fn only_kernels_are_unsafe() {
    // Put together here so that this file does not find itself.
    let banned = concat!("un", "safe");
    let mut found = Vec::new();
    for (name, text) in with_extension("rs") {
        for (place, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap();
            let words = code.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            let says = words.into_iter().any(|word| word == banned);
            if says && !name.starts_with("crates/craps-sim/src/kernel/") {
                found.push(format!("{name}:{}", place + 1));
            }
        }
    }
    none("outside the kernels", &found);
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

/// The part of the code map about one crate: from the line that begins with its name to the next.
fn part<'a>(map: &'a str, krate: &str) -> &'a str {
    let Some(begin) = map.find(&format!("\n`crates/{krate}` — ")) else { return "" };
    let rest = &map[begin + 1..];
    let end =
        ["\n`crates/", "\n`xtask", "\n`ui", "\n## "].iter().filter_map(|next| rest.find(next));
    &rest[..end.min().unwrap_or(rest.len())]
}

#[test]
fn the_code_map_names_every_module() {
    let map = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    assert!(map.lines().count() <= 200, "ARCHITECTURE.md has grown past 200 lines");
    let mut found = Vec::new();
    for (name, _) in with_extension("rs") {
        let Some((krate, rest)) = name.strip_prefix("crates/").and_then(|n| n.split_once("/src/"))
        else {
            continue;
        };
        let module = rest.split('/').next().unwrap().trim_end_matches(".rs");
        if !["lib", "main"].contains(&module) && !part(&map, krate).contains(&format!("`{module}`"))
        {
            found.push(format!("{krate}: {module}"));
        }
    }
    none("modules ARCHITECTURE.md does not mention in the part about their crate", &found);
}

/// The modules of a crate, in the order its `lib.rs` names them.
fn modules(krate: &str) -> Vec<String> {
    let lib = std::fs::read_to_string(root().join(format!("crates/{krate}/src/lib.rs"))).unwrap();
    let named = |line: &str| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        Some(line.strip_prefix("mod ")?.strip_suffix(';')?.to_owned())
    };
    lib.lines().filter_map(named).collect()
}

/// Whatever a module uses stands above it: there are no cycles, and the list can be read from the
/// top. Names are imported from where they are, not from the root.
#[test]
fn modules_use_only_those_above_them() {
    let mut found = Vec::new();
    for krate in
        ["craps", "craps-math", "craps-sim", "craps-report", "boxman-client", "boxman-server"]
    {
        let modules = modules(krate);
        assert!(modules.len() > 3, "{krate} has modules");
        let place = |module: &str| modules.iter().position(|known| known == module);
        for (name, text) in with_extension("rs") {
            let Some(rest) = name.strip_prefix(&format!("crates/{krate}/src/")) else { continue };
            let own = rest.split('/').next().unwrap().trim_end_matches(".rs");
            let Some(own) = place(own) else { continue };
            let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
            for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
                for after in line.split("crate::").skip(1) {
                    let used: String =
                        after.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                    if place(&used).is_none_or(|used| used > own) {
                        found.push(format!("{name}: {}", line.trim()));
                    }
                }
            }
        }
    }
    none("modules that use one below them, or the root", &found);
}

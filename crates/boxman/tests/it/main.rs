//! The command line as people and scripts see it. Golden files are rewritten by
//! `UPDATE_EXPECT=1 cargo test -p boxman` and reviewed as a diff.

mod atlas;
mod audit;
mod best;
mod check;
mod guide;
mod nodes;
mod plan;
mod postgres;
mod price;
mod readme;
mod serve;
mod session;
mod sim;
mod sim_table;
mod tape;
mod wagers;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a command printed and how it ended.
struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn boxman(args: &[&str]) -> Ran {
    boxman_with(args, "")
}

fn boxman_with(args: &[&str], input: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_boxman"))
        .args(args)
        .current_dir(root())
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("boxman starts");
    child.stdin.take().expect("it was piped").write_all(input.as_bytes()).expect("it is read");
    let output = child.wait_with_output().expect("boxman ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("boxman prints text");
    Ran {
        code: output.status.code().expect("boxman was not killed"),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

/// A rulebook in a folder of its own, gone again when the test ends.
struct House(PathBuf);

impl House {
    fn new(name: &str, text: &str) -> House {
        let folder = std::env::temp_dir().join(format!("boxman-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let house = House(folder);
        std::fs::write(house.path("house.toml"), text).expect("a file can be written");
        house
    }

    fn path(&self, file: &str) -> String {
        self.0.join(file).display().to_string()
    }
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn help_and_misuse() {
    assert_eq!(boxman(&["--help"]).code, 0);
    assert!(boxman(&["tape", "--help"]).out.contains("! ann come 6000 : over-limit"));
    assert!(boxman(&["--version"]).out.starts_with("boxman 0."));
    assert_eq!(boxman(&[]).code, 2);
    let wrong = boxman(&["wager"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("wagers"), "{}", wrong.err);
}

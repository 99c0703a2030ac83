//! `cargo xtask soak`: a house with everybody in it for an hour, kills and attacks among them.
//! Figures belong in docs/live.md.

use crate::shell;

pub(crate) fn run(args: &[&str]) -> Result<(), String> {
    shell::run("cargo build --release -p boxman", &[])?;
    let program = shell::target().join("release/boxman");
    let program = program.display();
    let args = args.join(" ");
    let soak = "cargo run --release -p boxman-client --example soak --";
    shell::run(&format!("{soak} {program} {args}"), &[])
}

//! `cargo xtask assure`: several nodes on a real PostgreSQL, broken in eight ways while people
//! play. Figures belong in docs/cluster.md.

use crate::{shell, simulate};

pub(crate) fn run(args: &[&str]) -> Result<(), String> {
    if args.is_empty() {
        simulate::run(&["--seeds", "1000"])?;
        simulate::run(&["--mutants"])?;
    }
    shell::run("cargo build --release -p boxman", &[])?;
    let program = shell::target().join("release/boxman");
    let (program, folder) = (program.display(), shell::target().join("assure"));
    let (folder, args) = (folder.display(), args.join(" "));
    let assure = "cargo run --release -p boxman-client --example assure --";
    shell::run(&format!("{assure} {program} {folder} {args}"), &[])
}

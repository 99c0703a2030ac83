//! `cargo xtask load`: how much a live server takes, and what a kill in the middle costs.
//! Figures belong in the commit that changes them.

use crate::shell;

pub(crate) fn run(args: &[&str]) -> Result<(), String> {
    shell::run("cargo build --release -p boxman", &[])?;
    let program = shell::target().join("release/boxman");
    let program = program.display();
    if let ["lobby", args @ ..] = args {
        let lobby = "cargo run --release -p boxman-client --example lobby --";
        return shell::run(&format!("{lobby} {program} {}", args.join(" ")), &[]);
    }
    let args = args.join(" ");
    let load = "cargo run --release -p boxman-server --example load --";
    shell::run(&format!("{load} {program} {args}"), &[])?;
    shell::run("cargo run --release -p boxman-server --example long_log", &[])
}

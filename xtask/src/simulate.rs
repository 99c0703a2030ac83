//! `cargo xtask simulate`: three nodes in a world that a seed makes up, again and again.

use crate::shell;

pub(crate) fn run(args: &[&str]) -> Result<(), String> {
    // Only there does tokio let its own choices be seeded, and all of it is built so.
    let target = shell::target().join("simulate");
    let env = [
        ("RUSTFLAGS", "--cfg tokio_unstable"),
        ("CARGO_TARGET_DIR", &target.to_string_lossy()),
        ("BOXMAN_UI", "off"),
    ];
    let simulate = "cargo run --release --quiet -p boxman-server --example simulate --";
    shell::run(&format!("{simulate} {}", args.join(" ")), &env)
}

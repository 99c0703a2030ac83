//! `cargo xtask fuzz`: look for input that breaks the readers. What it finds goes into
//! `fuzz/corpus/*/generated`; what is worth keeping is moved up by hand.

use crate::shell;

/// Says whether this machine could do it.
pub(crate) fn run(install: bool) -> Result<bool, String> {
    if install && !shell::works("cargo fuzz --version") {
        shell::run("cargo install --locked cargo-fuzz", &[])?;
    }
    if !shell::works("cargo fuzz --version") || !shell::works("cargo +nightly --version") {
        println!("LEFT OUT: fuzzing needs cargo-fuzz (see --install) and a nightly toolchain");
        return Ok(false);
    }
    for target in ["tape", "rulebook", "plan", "frame"] {
        let seeds = format!("fuzz/corpus/{target}");
        let found = format!("{seeds}/generated");
        std::fs::create_dir_all(shell::root().join(&found)).map_err(|error| error.to_string())?;
        let ready = if target == "plan" { "plans" } else { "" };
        let line = format!("cargo +nightly fuzz run {target} {found} {seeds} {ready}");
        shell::run(&format!("{line} -- -max_total_time=60"), &[])?;
    }
    Ok(true)
}

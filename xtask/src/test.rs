//! `cargo xtask test`: what must hold before anything lands.

use std::path::Path;

use crate::shell;

pub(crate) fn run(install: bool) -> Result<(), String> {
    if install && !has_postgres() {
        install_postgres()?;
    }
    shell::run("cargo fmt --all --check", &[])?;
    shell::run("cargo clippy --workspace --all-targets --quiet -- -D warnings", &[])?;
    // The program as people build it: tests turn on features of the server that it does not have.
    shell::run("cargo clippy --package boxman --quiet -- -D warnings", &[])?;
    let strict = [("RUSTDOCFLAGS", "-D warnings")];
    shell::run("cargo doc --workspace --no-deps --document-private-items --quiet", &strict)?;
    let mut tally = Tally::default();
    if shell::works("cargo nextest --version") {
        let all = "cargo nextest run --workspace --no-fail-fast --color never";
        tally.watch(all, &[], "Summary")?;
        tally.watch("cargo test --workspace --doc --no-fail-fast", &[], "test result:")?;
    } else {
        println!("cargo-nextest is not installed, using cargo test");
        tally.watch("cargo test --workspace --no-fail-fast", &[], "test result:")?;
    }
    // A few seeds, by what was built with the tests: `cargo xtask assure` plays a thousand, and
    // builds faults in.
    let simulate = shell::target().join("debug/examples/simulate");
    shell::run(&format!("{} --seeds 60", simulate.display()), &[])?;
    if has_postgres() {
        // What no test does with real processes: a small size of two of its eight ways.
        let built = |name: &str| shell::target().join("debug").join(name).display().to_string();
        let (assure, program) = (built("examples/assure"), built("boxman"));
        let ways = "restart meter --trials 1 --rate 100";
        shell::run(&format!("{assure} {program} {} {ways}", built("assure")), &[])?;
    }
    pages(&mut tally, install)?;
    if !has_postgres() {
        println!(
            "LEFT OUT: the tests with PostgreSQL need its server (see --install, or name the \
             folder of its programs in BOXMAN_PG_BIN)"
        );
    }
    println!("{} passed, {} failed", tally.passed, tally.failed);
    if tally.broken || tally.failed > 0 || tally.passed == 0 {
        return Err("the tests did not pass".to_owned());
    }
    Ok(())
}

/// Whether the tests find a PostgreSQL to start and to kill. They look in the same places.
pub(crate) fn has_postgres() -> bool {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    std::env::var_os("BOXMAN_PG_BIN").is_some()
        || shell::works("initdb --version")
        || versions
            .map(|version| version.path())
            .any(|version| version.join("bin/initdb").is_file())
}

fn install_postgres() -> Result<(), String> {
    // Debian would start a server of its own. The tests start theirs, so that one would only be
    // in the way of somebody who has the usual port.
    let folder = Path::new("/etc/postgresql-common/createcluster.d");
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(folder.join("boxman.conf"), "create_main_cluster = false\n"))
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    shell::run("apt-get update", &[])?;
    let quietly = [("DEBIAN_FRONTEND", "noninteractive")];
    shell::run("apt-get install -y --no-install-recommends postgresql", &quietly)
}

/// The pages: format, lints, types, the state of the client, and a real browser that plays.
fn pages(tally: &mut Tally, install: bool) -> Result<(), String> {
    if !shell::works("npm --version") {
        println!("LEFT OUT: the pages' tests need Node 20 or later");
        return Ok(());
    }
    // The tests above have built the program, and that has installed the packages and built the
    // pages.
    shell::run("npm --prefix ui run --silent format:check", &[])
        .map_err(|error| format!("{error}: `npm run format` in ui/ mends the files named above"))?;
    shell::run("npm --prefix ui run --silent lint", &[]).map_err(|error| {
        format!("{error}: mend what is named above; `npm run lint -- --fix` in ui/ can do some")
    })?;
    shell::run("npm --prefix ui run --silent check", &[])?;
    let plain = [("NO_COLOR", "1")];
    tally.watch("npm --prefix ui run --silent test", &plain, "Tests")?;
    if !shell::works("chromium --version") && install {
        shell::run("apt-get update", &[])?;
        shell::run("apt-get install -y --no-install-recommends chromium", &[])?;
    }
    if !has_browser() {
        println!(
            "LEFT OUT: the browser tests need Chromium (see --install, or name it in CHROMIUM)"
        );
        return Ok(());
    }
    let program = shell::target().join("debug/boxman");
    let env = [("NO_COLOR", "1"), ("BOXMAN_PROGRAM", &program.to_string_lossy())];
    tally.watch("npm --prefix ui run --silent test:browser", &env, "Tests")
}

/// Whether the tests find a browser.
pub(crate) fn has_browser() -> bool {
    shell::works("chromium --version") || std::env::var_os("CHROMIUM").is_some()
}

/// Every point of the pages in every way to play it.
pub(crate) fn everywhere() -> Result<(), String> {
    in_the_browser("test:everywhere", &[])
}

/// So many of a pit crew's days.
pub(crate) fn days(many: u32) -> Result<(), String> {
    in_the_browser("test:days", &[("BOXMAN_DAYS", &many.to_string())])
}

/// A script of the pages, against the program as it is now.
fn in_the_browser(script: &str, more: &[(&str, &str)]) -> Result<(), String> {
    shell::run("cargo build --package boxman", &[])?;
    let program = shell::target().join("debug/boxman");
    let program = program.to_string_lossy();
    let env = [&[("NO_COLOR", "1"), ("BOXMAN_PROGRAM", &program)], more].concat();
    shell::run(&format!("npm --prefix ui run --silent {script}"), &env)
}

#[derive(Default)]
struct Tally {
    passed: u32,
    failed: u32,
    broken: bool,
}

impl Tally {
    /// Runs the tests and reads the lines that start with `closing`.
    fn watch(&mut self, line: &str, env: &[(&str, &str)], closing: &str) -> Result<(), String> {
        let (succeeded, text) = shell::watch(line, env)?;
        self.broken |= !succeeded;
        for line in text.lines() {
            self.count(line, closing);
        }
        Ok(())
    }

    fn count(&mut self, line: &str, closing: &str) {
        let summary = line.trim_start();
        if !summary.starts_with(closing) {
            return;
        }
        let words: Vec<&str> = summary.split([' ', ';', ',', ':']).collect();
        for pair in words.windows(2) {
            let Ok(count) = pair[0].parse::<u32>() else { continue };
            match pair[1] {
                "passed" => self.passed += count,
                "failed" => self.failed += count,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn closing_lines_are_counted() {
        let mut tally = Tally::default();
        let nextest =
            "     Summary [   6.1s] 66 tests run: 65 passed (1 slow), 1 failed, 0 skipped";
        let cargo = "test result: ok. 13 passed; 0 failed; 0 ignored; 0 measured";
        tally.count(nextest, "Summary");
        tally.count(cargo, "Summary");
        tally.count(cargo, "test result:");
        tally.count("      Tests  2 failed | 4 passed (6)", "Tests");
        assert_eq!((tally.passed, tally.failed), (82, 3));
    }
}

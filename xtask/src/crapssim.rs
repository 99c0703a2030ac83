//! `cargo xtask crapssim`: plans that another simulator can play too end with the same money there,
//! on the same dice; and how fast each of them is. Not in CI: it needs Python and a package index.

use crate::shell;

/// The versions whose rules `same_money.py` was written for.
const PACKAGE: &str = "crapssim>=0.4,<0.5";

/// The seconds of its own that crapssim is timed for.
const SECONDS: u32 = 20;

pub(crate) fn run(args: &[&str]) -> Result<(), String> {
    let (tapes, seed) = match args {
        ["speed"] => return speed(),
        [] => ("150", "1"),
        [tapes] => (*tapes, "1"),
        [tapes, seed] => (*tapes, *seed),
        _ => return Err("expected: cargo xtask crapssim TAPES SEED".to_owned()),
    };
    for number in [tapes, seed] {
        number.parse::<u32>().map_err(|_| format!("`{number}` is not a whole number"))?;
    }
    let Some(python) = python() else { return Ok(()) };
    shell::run("cargo build -p boxman", &[("BOXMAN_UI", "off")])?;
    let boxman = shell::target().join("debug/boxman");
    let boxman = boxman.display();
    shell::run(&format!("{python} xtask/same_money.py {boxman} {tapes} {seed}"), &[])
}

/// Python with crapssim, or nothing where it could not be installed, and it is said why.
fn python() -> Option<String> {
    let folder = shell::target().join("crapssim");
    let python = folder.join("bin/python").display().to_string();
    let folder = folder.display();
    if !shell::works(&format!("{python} -m pip show --quiet crapssim")) {
        let made = shell::run(&format!("python3 -m venv {folder}"), &[]);
        let pip = format!("{python} -m pip install --quiet {PACKAGE}");
        if let Err(reason) = made.and_then(|()| shell::run(&pip, &[])) {
            println!("LEFT OUT: nothing was compared with crapssim, it could not be installed");
            println!("          ({reason})");
            return None;
        }
    }
    Some(python)
}

/// Ours is timed before and after crapssim's turn, so that a busy machine shows.
fn speed() -> Result<(), String> {
    let Some(python) = python() else { return Ok(()) };
    shell::run("cargo build --release -p craps-sim --example speed", &[])?;
    let ours = shell::target().join("release/examples/speed").display().to_string();
    let theirs = format!("{python} xtask/same_money.py speed {SECONDS}");
    let (before, there, after) = (rate(&ours)?, rate(&theirs)?, rate(&ours)?);
    let here = before.min(after);
    println!("pass with double odds and 6 and 8, $1000 and 500 rolls, one core's own time:");
    println!("  here      {here} rolls/s (the slower of {before} and {after})");
    println!("  crapssim  {there} rolls/s");
    println!("  ratio     {}", here / there.max(1));
    Ok(())
}

/// The bare number that a program prints last.
fn rate(line: &str) -> Result<u64, String> {
    let (done, said) = shell::watch(line, &[])?;
    let rate = said.lines().last().and_then(|last| last.trim().parse().ok());
    rate.filter(|_| done).ok_or_else(|| format!("`{line}` did not tell its rolls a second"))
}

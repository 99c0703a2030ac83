//! `cargo xtask crapssim`: plans that another simulator can play too end with the same money there,
//! on the same dice. Not in CI: it needs Python and a package index.

use crate::shell;

/// The versions whose rules `same_money.py` was written for.
const PACKAGE: &str = "crapssim>=0.4,<0.5";

pub(crate) fn run(args: &[&str]) -> Result<(), String> {
    let (tapes, seed) = match args {
        [] => ("150", "1"),
        [tapes] => (*tapes, "1"),
        [tapes, seed] => (*tapes, *seed),
        _ => return Err("expected: cargo xtask crapssim TAPES SEED".to_owned()),
    };
    for number in [tapes, seed] {
        number.parse::<u32>().map_err(|_| format!("`{number}` is not a whole number"))?;
    }
    let folder = shell::target().join("crapssim");
    let python = folder.join("bin/python").display().to_string();
    let folder = folder.display();
    if !shell::works(&format!("{python} -m pip show --quiet crapssim")) {
        let made = shell::run(&format!("python3 -m venv {folder}"), &[]);
        let pip = format!("{python} -m pip install --quiet {PACKAGE}");
        if let Err(reason) = made.and_then(|()| shell::run(&pip, &[])) {
            println!("LEFT OUT: nothing was compared with crapssim, it could not be installed");
            println!("          ({reason})");
            return Ok(());
        }
    }
    shell::run("cargo build -p boxman", &[("BOXMAN_UI", "off")])?;
    let boxman = shell::target().join("debug/boxman");
    let boxman = boxman.display();
    shell::run(&format!("{python} xtask/same_money.py {boxman} {tapes} {seed}"), &[])
}

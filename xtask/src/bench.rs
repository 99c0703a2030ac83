//! `cargo xtask bench`: how fast a roll is, an exact session and a simulated one. Figures belong in
//! the commit that changes them.

use crate::shell;

pub(crate) fn run(install: bool) -> Result<(), String> {
    shell::run("cargo bench -p craps --bench roll", &[])?;
    shell::run("cargo bench -p craps-math --bench price", &[])?;
    shell::run("cargo bench -p craps-math --bench session", &[])?;
    shell::run("cargo bench -p craps-sim --bench sim", &[])?;
    shell::run("cargo bench -p craps-sim --bench day", &[])?;
    if install {
        install_counters()?;
    }
    if !shell::works("valgrind --version") || !shell::works("gungraun-runner --version") {
        println!("LEFT OUT: instruction counts need valgrind and gungraun-runner (see --install)");
        return Ok(());
    }
    shell::run("cargo bench -p craps --bench instructions", &[])
}

fn install_counters() -> Result<(), String> {
    if !shell::works("valgrind --version") {
        shell::run("apt-get install -y --no-install-recommends valgrind", &[])?;
    }
    if !shell::works("gungraun-runner --version") {
        // The runner must have the version of the library in Cargo.lock.
        let lock = std::fs::read_to_string(shell::root().join("Cargo.lock"))
            .map_err(|error| format!("Cargo.lock cannot be read: {error}"))?;
        let version = lock
            .split("name = \"gungraun\"\nversion = \"")
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .ok_or("gungraun is not in Cargo.lock")?;
        shell::run(&format!("cargo install --locked gungraun-runner@{version}"), &[])?;
    }
    Ok(())
}

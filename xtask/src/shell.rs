//! Running other programs from the root of the project.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

/// The root of the project.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the root").to_path_buf()
}

/// Where cargo builds.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

fn command(line: &str, env: &[(&str, &str)]) -> Command {
    let mut words = line.split_whitespace();
    let mut command = Command::new(words.next().expect("a command has a program"));
    command.args(words).current_dir(root()).envs(env.iter().copied());
    command
}

/// Runs a command and fails if it does.
pub(crate) fn run(line: &str, env: &[(&str, &str)]) -> Result<(), String> {
    println!("$ {line}");
    match command(line, env).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{line}` ended with {status}")),
        Err(error) => Err(format!("`{line}` could not be started: {error}")),
    }
}

/// Whether a command runs at all.
pub(crate) fn works(line: &str) -> bool {
    let status = command(line, &[]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Runs a command, shows what it prints, and hands it back with whether it succeeded.
pub(crate) fn watch(line: &str, env: &[(&str, &str)]) -> Result<(bool, String), String> {
    fn copy(from: impl Read + Send + 'static) -> thread::JoinHandle<String> {
        thread::spawn(move || {
            let mut all = String::new();
            for line in BufReader::new(from).lines().map_while(Result::ok) {
                println!("{line}");
                all.push_str(&line);
                all.push('\n');
            }
            all
        })
    }
    println!("$ {line}");
    let mut child = command(line, env)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("`{line}` could not be started: {error}"))?;
    let out = copy(child.stdout.take().expect("it was piped"));
    let err = copy(child.stderr.take().expect("it was piped"));
    let status = child.wait().map_err(|error| error.to_string())?;
    let text = |thread: thread::JoinHandle<String>| thread.join().unwrap_or_default();
    Ok((status.success(), text(out) + &text(err)))
}

//! Builds the pages in `ui/` into the output folder, from where they are embedded. Where there
//! is no Node, a notice takes their place, so that nobody needs Node for anything else.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// What the pages are made of: a change of any of these builds them again.
const PARTS: [&str; 8] = [
    "src",
    "public",
    "index.html",
    "package.json",
    "package-lock.json",
    "svelte.config.js",
    "tsconfig.json",
    "vite.config.ts",
];

const NOTICE: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
<meta name=\"viewport\" content=\"width=device-width\"><title>Boxman</title><h1>Boxman</h1>\
<p>The tables are open, but this program was built without its pages: Node 20.19 or later was \
missing. Install it, <code>cargo clean -p boxman-server</code>, and build again. Programs play \
over the API all the same: \
<a href=\"/api/openapi.json\">its description</a>, \
<a href=\"/api/tables\">the tables</a>.</p></html>";

fn main() -> ExitCode {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names it")).join("ui");
    let crate_folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo names it"));
    let ui = crate_folder.join("../../ui");
    for part in PARTS {
        println!("cargo::rerun-if-changed={}", ui.join(part).display());
    }
    println!("cargo::rerun-if-changed={}", crate_folder.join("api/wire.ts").display());
    println!("cargo::rerun-if-env-changed=BOXMAN_UI");
    println!("cargo::rerun-if-env-changed=DOCS_RS");
    if is_checked_only() {
        notice(&out);
        return ExitCode::SUCCESS;
    }
    if let Err(reason) = has_node() {
        println!("cargo::rerun-if-env-changed=PATH");
        println!("cargo::warning={reason}: built with a notice instead of the pages");
        println!("cargo::warning=once Node is there: `cargo clean -p boxman-server`, build again");
        notice(&out);
        return ExitCode::SUCCESS;
    }
    match build(&ui, &out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            println!("cargo::error=the pages in ui/ could not be built: {reason}");
            println!("cargo::error=BOXMAN_UI=off builds without them");
            ExitCode::FAILURE
        }
    }
}

/// Lints and documentation need no pages; nor does whoever says so.
fn is_checked_only() -> bool {
    let wrapper = env::var("RUSTC_WORKSPACE_WRAPPER").unwrap_or_default();
    wrapper.contains("clippy")
        || env::var_os("DOCS_RS").is_some()
        || env::var("BOXMAN_UI").is_ok_and(|value| value == "off")
}

/// Vite runs on Node 20.19, on 22.12, and on whatever came later.
fn has_node() -> Result<(), String> {
    let output = Command::new("node").arg("--version").output();
    let output = output.map_err(|_| "Node is missing".to_owned())?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let mut parts = text.trim_start_matches('v').split('.').map(str::parse::<u32>);
    let fits = match (parts.next(), parts.next()) {
        (Some(Ok(20)), Some(Ok(minor))) => minor >= 19,
        (Some(Ok(22)), Some(Ok(minor))) => minor >= 12,
        (Some(Ok(major)), _) => major > 22,
        _ => false,
    };
    if !fits {
        return Err(format!("Node {text} is too old (20.19, 22.12 or later)"));
    }
    run(npm().arg("--version")).map_err(|_| "npm is missing".to_owned())
}

fn notice(out: &Path) {
    // Nothing of an earlier build is embedded beside it; where there was none, so much the better.
    let _ = fs::remove_dir_all(out);
    fs::create_dir_all(out).expect("the output folder can be written");
    fs::write(out.join("index.html"), NOTICE).expect("the output folder can be written");
}

fn build(ui: &Path, out: &Path) -> Result<(), String> {
    // Two builds with different target folders share one set of packages.
    let turn = File::create(ui.join(".npm.lock")).map_err(|error| error.to_string())?;
    turn.lock().map_err(|error| error.to_string())?;
    let lock = fs::read(ui.join("package-lock.json")).map_err(|error| error.to_string())?;
    let installed = ui.join("node_modules/.boxman-lock");
    // `npm ci` starts from nothing each time, so it runs only when the lock file has changed.
    if fs::read(&installed).ok().as_deref() != Some(&lock) {
        run(npm().args(["ci", "--no-audit", "--no-fund"]).current_dir(ui))?;
        fs::write(&installed, &lock).map_err(|error| error.to_string())?;
    }
    let vite = ui.join("node_modules/vite/bin/vite.js");
    let mut build = Command::new("node");
    build.arg(vite).args(["build", "--emptyOutDir", "--logLevel", "warn", "--outDir"]).arg(out);
    run(build.current_dir(ui))
}

fn npm() -> Command {
    Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" })
}

fn run(command: &mut Command) -> Result<(), String> {
    let name = format!("{command:?}");
    let output = command.output().map_err(|error| format!("{name}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let lines: Vec<&str> = said.lines().take(12).collect();
    Err(format!("{name}: {}", lines.join(" ⏎ ")))
}

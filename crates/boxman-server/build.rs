//! Builds the pages in `ui/` into the output folder, from where they are embedded. Where there
//! is no Node, a notice takes their place, so that nobody needs Node for anything else.

use std::env;
use std::fs;
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
<p>The tables are open, but this program was built without its pages: Node 20 or later was \
missing. Install it and build again. Programs play over the API all the same: \
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
    if !has_node() || !ui.join("package.json").exists() {
        println!("cargo::warning=Node 20 is missing: built with a notice instead of the pages");
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

fn has_node() -> bool {
    let version = Command::new("node").arg("--version").output();
    let major = |text: &str| text.trim().trim_start_matches('v').split('.').next()?.parse().ok();
    let node: Option<u32> =
        version.ok().and_then(|output| major(&String::from_utf8_lossy(&output.stdout)));
    node.is_some_and(|major| major >= 20) && run(npm().arg("--version")).is_ok()
}

fn notice(out: &Path) {
    fs::create_dir_all(out).expect("the output folder can be written");
    fs::write(out.join("index.html"), NOTICE).expect("the output folder can be written");
}

fn build(ui: &Path, out: &Path) -> Result<(), String> {
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

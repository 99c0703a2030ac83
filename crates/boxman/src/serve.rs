//! `boxman serve`: live tables over HTTP and sockets.

use std::future::Future;
use std::io::IsTerminal;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use boxman_server::Anchoring;
use boxman_server::Limits;
use boxman_server::PracticeLimits;
use boxman_server::{Durability, NodeOptions, ServeOptions, Started, StoreAddress, serve};
use clap::ValueEnum;
use craps::Library;
use tracing_subscriber::EnvFilter;

use crate::{Stop, say, say_error, shelf};

/// Run live tables: players in their browsers, house dice or real ones, every chip in a log.
///
/// A first start makes the store, opens a practice table, and prints a link with which the first
/// account can be made. Ctrl-C stops the server; everything acknowledged is durable.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Where to listen
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7777")]
    listen: SocketAddr,
    /// Where the logs are kept: sqlite:FILE for one process, postgres://USER@HOST/DATABASE for one
    /// or several nodes; a primary and its standbys as HOST:PORT,HOST:PORT
    #[arg(long, value_name = "STORE", default_value = "sqlite:boxman.db")]
    store: StoreAddress,
    /// The key that snapshots are sealed with, made at the first start; beside the store where this
    /// is left out (boxman.db.key), and boxman.key for a PostgreSQL, whose nodes share one. Keep it
    /// from whoever can write to the store
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// What other nodes call this one; the machine's name where it is left out (PostgreSQL)
    #[arg(long, value_name = "NAME")]
    node: Option<String>,
    /// Where other nodes reach this one, over TLS (PostgreSQL); a free port of 127.0.0.1 where it
    /// is left out, which is enough for one machine
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    internal: SocketAddr,
    /// What is acknowledged is on a standby's disk too, or only on the primary's (PostgreSQL)
    #[arg(long, value_name = "WHERE", default_value = "local")]
    durability: OnDisk,
    /// Write down here, at the start, every few minutes and at the end, where every log stands, for
    /// `boxman verify --anchor`; keep it where whoever can write to the store cannot reach it
    #[arg(long, value_name = "FILE")]
    anchor: Option<PathBuf>,
    /// How often, in minutes
    #[arg(long, value_name = "N", default_value = "5", requires = "anchor")]
    anchor_every: NonZeroU32,
    /// Another rulebook to choose from, read from a file; repeat it for more
    #[arg(long = "rulebook", value_name = "FILE")]
    rulebooks: Vec<PathBuf>,
    /// How log lines look; RUST_LOG chooses which are written
    #[arg(long, value_name = "FORM", default_value = "text")]
    log: LogForm,
    /// Send cookies over TLS only: for a server behind a proxy that speaks TLS
    #[arg(long)]
    secure_cookies: bool,
    /// A proxy in front names the client in X-Forwarded-For
    #[arg(long)]
    behind_proxy: bool,
    /// Requests a second from one address, with a burst of four times as many
    #[arg(long, value_name = "N", default_value = "100")]
    requests_per_second: NonZeroU32,
    /// Logins and guests a minute from one address
    #[arg(long, value_name = "N", default_value = "30")]
    door_per_minute: NonZeroU32,
    /// Commands a second on one socket, with a burst of twice as many
    #[arg(long, value_name = "N", default_value = "40")]
    commands_per_second: NonZeroU32,
    /// Practice tables that one guest may have open, or a player with an account
    #[arg(long, value_name = "N", default_value = "5")]
    tables_per_guest: u32,
    /// Practice tables that may be open from one address; the crew's do not count
    #[arg(long, value_name = "N", default_value = "20")]
    tables_per_address: u32,
    /// Practice tables in all, beyond which only the crew opens more
    #[arg(long, value_name = "N", default_value = "200")]
    practice_tables: u32,
    /// Practice tables that may be opened in a minute from one address
    #[arg(long, value_name = "N", default_value = "10")]
    tables_per_minute: NonZeroU32,
    /// A seat at a practice table is given up when its player has been away for so long
    #[arg(long, value_name = "MINUTES", default_value = "15")]
    idle_seat_minutes: NonZeroU32,
    /// A table that a guest opened is closed when nobody has been there for so long
    #[arg(long, value_name = "MINUTES", default_value = "60")]
    idle_table_minutes: NonZeroU32,
    /// Sockets from one address whose people only watch: nobody in particular, guests without a
    /// seat, signs
    #[arg(long, value_name = "N", default_value = "50")]
    watchers_per_address: NonZeroU32,
    /// Sockets at one table; players and crew always get in, a watcher making room
    #[arg(long, value_name = "N", default_value = "500")]
    watchers_per_table: NonZeroU32,
    /// Connections in all; fewer where the system allows fewer open files
    #[arg(long, value_name = "N", default_value = "10000")]
    connections: NonZeroU32,
    /// A connection that asks for nothing, or does not take the answer, for so many seconds is
    /// closed
    #[arg(long, value_name = "SECONDS", default_value = "30")]
    idle_seconds: NonZeroU32,
}

#[derive(Clone, Copy, ValueEnum)]
enum OnDisk {
    Replica,
    Local,
}

#[derive(Clone, Copy, ValueEnum)]
enum LogForm {
    Text,
    Json,
}

/// What is asked for has to be had with this store: nobody shall believe in a standby there is not.
fn check_nodes(args: &Args) -> Result<(), Stop> {
    if args.node.as_ref().is_some_and(|name| name.trim().is_empty()) {
        return Err(Stop::Misuse("--node names a node: it cannot be empty".to_owned()));
    }
    let told = [
        ("--node", args.node.is_some()),
        ("--internal", args.internal.port() != 0),
        ("--durability replica", matches!(args.durability, OnDisk::Replica)),
    ];
    let told = told.into_iter().find(|(_, told)| *told);
    match (&args.store, told) {
        (StoreAddress::Sqlite(_), Some((option, _))) => Err(Stop::Misuse(format!(
            "{option} is for nodes that share a PostgreSQL (--store postgres://…); a SQLite file \
             is one process's own"
        ))),
        _ => Ok(()),
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Stop> {
    check_nodes(args)?;
    start_log(args.log);
    let mut library = Library::embedded();
    for path in &args.rulebooks {
        let rulebook = shelf::read(path).map_err(|faults| Stop::Misuse(faults.to_string()))?;
        library = library.with(rulebook);
    }
    let options = ServeOptions {
        listen: args.listen,
        store: args.store.clone(),
        key: args.key.clone(),
        node: NodeOptions {
            name: args.node.clone(),
            internal: args.internal,
            durability: match args.durability {
                OnDisk::Replica => Durability::Replica,
                OnDisk::Local => Durability::Local,
            },
        },
        anchoring: args.anchor.clone().map(|file| Anchoring {
            file,
            every: Duration::from_secs(60 * u64::from(args.anchor_every.get())),
        }),
        library,
        limits: Limits {
            requests: args.requests_per_second,
            door: args.door_per_minute,
            commands: args.commands_per_second,
            practice: practice(args),
            watchers_per_address: args.watchers_per_address,
            watchers_per_table: args.watchers_per_table,
            connections: args.connections,
            idle: Duration::from_secs(args.idle_seconds.get().into()),
            behind_proxy: args.behind_proxy,
            ..Limits::default()
        },
        secure_cookies: args.secure_cookies,
    };
    let runtime = tokio::runtime::Runtime::new()
        .map_err(|error| Stop::Misuse(format!("the server cannot start: {error}")))?;
    let served = runtime.block_on(async { serve(options, announce, asked_to_stop()).await });
    served.map_err(|error| {
        say_error(&error.to_string());
        Stop::Unreadable
    })
}

fn practice(args: &Args) -> PracticeLimits {
    let minutes = |minutes: NonZeroU32| Duration::from_secs(60 * u64::from(minutes.get()));
    PracticeLimits {
        per_person: args.tables_per_guest,
        per_address: args.tables_per_address,
        in_all: args.practice_tables,
        per_minute: args.tables_per_minute,
        idle_seat: minutes(args.idle_seat_minutes),
        idle_table: minutes(args.idle_table_minutes),
    }
}

fn announce(started: &Started) {
    let Started { address, link, tables } = started;
    let tables = if *tables == 1 { "1 table".to_owned() } else { format!("{tables} tables") };
    if let Some(link) = link {
        say(&format!(
            "Make the first account, a supervisor's, once, at http://{address}/setup/{link}"
        ));
    }
    say(&format!("Boxman is open at http://{address} with {tables}"));
}

/// Ctrl-C, or a polite request from whoever runs the machine. The server listens for them from
/// the moment this is called, before anybody has been told that it is open.
#[cfg(unix)]
fn asked_to_stop() -> impl Future<Output = ()> + Send + 'static {
    use tokio::signal::unix::{SignalKind, signal};
    let heard = [SignalKind::interrupt(), SignalKind::terminate()].map(signal);
    async move {
        match heard {
            [Ok(mut interrupted), Ok(mut terminated)] => {
                tokio::select! {
                    _ = interrupted.recv() => {}
                    _ = terminated.recv() => {}
                }
            }
            // Where no signal can be had, the server runs until it is killed, which it survives.
            _ => std::future::pending().await,
        }
    }
}

/// Ctrl-C.
#[cfg(not(unix))]
fn asked_to_stop() -> impl Future<Output = ()> + Send + 'static {
    async { drop(tokio::signal::ctrl_c().await) }
}

fn start_log(form: LogForm) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(colour);
    match form {
        LogForm::Text => lines.init(),
        LogForm::Json => lines.json().init(),
    }
}

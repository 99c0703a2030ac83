//! A PostgreSQL with a synchronous standby, to try several nodes on: `cargo run -p boxman-client
//! --example database`. It says its address in one line, answers SQL line by line, and is gone
//! with its input.

#![expect(clippy::print_stdout, reason = "it answers")]

use boxman_client::Fallible;
use boxman_client::postgres::Postgres;

fn main() -> Fallible<()> {
    let primary = Postgres::start()?;
    let standby = primary.standby("s1")?;
    primary.require_standbys(&["s1"])?;
    let ports = [primary.port(), standby.port()].map(|port| format!("127.0.0.1:{port}"));
    println!("postgres://postgres@{}/boxman", ports.join(","));
    for statement in std::io::stdin().lines() {
        match primary.sql(&statement?) {
            Ok(answer) => println!("{}", answer.trim().replace('\n', " ")),
            Err(error) => println!("error: {}", error.to_string().replace('\n', " ")),
        }
    }
    Ok(())
}

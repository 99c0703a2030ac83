//! What is broken: nodes killed and frozen, lines to the database cut, databases restarted and
//! replaced.

use std::time::Duration;

use boxman_client::Fallible;
use rustix::process::Signal;
use tokio::task::block_in_place;
use tokio::time::sleep;

use crate::cluster::{Cluster, Reach};
use crate::players::Style;
use crate::session::{Ended, Session, Size};
use crate::{Args, link, meter, rolling};

/// Play goes on undisturbed for so long before a fault, and after it is mended.
const QUIET: Duration = Duration::from_secs(3);
/// A node that was killed stays away for so long: longer than it takes to be missed.
const AWAY: Duration = Duration::from_secs(3);

/// What can be asked for, in the order in which all are played.
pub(crate) const SCENARIOS: [&str; 8] =
    ["kill", "stop", "link", "database", "restart", "promote", "roll", "meter"];

/// Plays one scenario.
pub(crate) async fn play(name: &str, args: &Args) -> Fallible<Ended> {
    match name {
        "kill" => kill(args).await,
        "stop" => stop(args).await,
        "link" => link::play(args).await,
        "database" => database(args).await,
        "restart" => restart(args).await,
        "promote" => promote(args).await,
        "roll" => rolling::play(args).await,
        "meter" => meter::play(args).await,
        other => Err(format!("`{other}` is none of {}", SCENARIOS.join(", ")).into()),
    }
}

impl Args {
    /// A full floor.
    pub(crate) fn full(&self) -> Size {
        Size {
            tables: 60,
            players: 4,
            rate: self.rate,
            style: Style::Free,
            patience: Duration::from_secs(8),
            seed: self.seed,
        }
    }
}

/// The node with most pits is killed, and started again under its name.
async fn kill(args: &Args) -> Fallible<Ended> {
    let mut cluster = Cluster::open(&args.program, &args.folder("kill"), 3, Reach::Direct).await?;
    let mut session = Session::begin(&cluster, args.full(), None).await?;
    for _ in 0..args.trials {
        sleep(QUIET).await;
        let node = cluster.busiest()?;
        let tables = cluster.tables_of(node, &session.play.tables)?;
        block_in_place(|| cluster.nodes[node].kill());
        session.broken(tables);
        sleep(AWAY).await;
        block_in_place(|| cluster.nodes[node].start())?;
    }
    sleep(QUIET).await;
    session.end(&mut cluster).await
}

/// An owner is frozen for three seconds, and goes on as if nothing had happened.
async fn stop(args: &Args) -> Fallible<Ended> {
    let mut cluster = Cluster::open(&args.program, &args.folder("stop"), 3, Reach::Direct).await?;
    // Whoever has asked the frozen node asks another before it thaws.
    let size = Size { patience: Duration::from_secs(1), ..args.full() };
    let mut session = Session::begin(&cluster, size, None).await?;
    for _ in 0..args.trials {
        sleep(QUIET).await;
        let node = cluster.busiest()?;
        let tables = cluster.tables_of(node, &session.play.tables)?;
        cluster.nodes[node].signal(Signal::STOP);
        session.broken(tables);
        sleep(Duration::from_secs(3)).await;
        cluster.nodes[node].signal(Signal::CONT);
    }
    sleep(QUIET).await;
    session.end(&mut cluster).await
}

/// What is done to a line to the database.
const LINES: [&str; 5] = ["cut", "stall", "delay", "swallow", "swallow next"];

/// The lines to the database are cut, stalled, slowed and robbed of answers: one node's, and then
/// everybody's.
async fn database(args: &Args) -> Fallible<Ended> {
    let folder = args.folder("database");
    let mut cluster = Cluster::open(&args.program, &folder, 3, Reach::Lines).await?;
    let mut session = Session::begin(&cluster, args.full(), None).await?;
    for trial in 0..args.trials.max(2 * LINES.len()) {
        sleep(QUIET).await;
        let all = trial / LINES.len() % 2 == 1;
        let node = cluster.busiest()?;
        let tables = match all {
            true => (0..session.play.tables.len()).collect(),
            false => cluster.tables_of(node, &session.play.tables)?,
        };
        let lines = if all { &cluster.lines[..] } else { &cluster.lines[node..=node] };
        let what = LINES[trial % LINES.len()];
        println!("  {what}: {}", if all { "every line" } else { "the busiest node's line" });
        session.broken(tables);
        for line in lines {
            match what {
                "cut" => line.cut(),
                "stall" => line.stall(),
                "delay" => line.delay(Duration::from_millis(1)),
                "swallow" => line.swallow_answers(),
                _ => line.swallow_next_answer(),
            }
        }
        sleep(Duration::from_secs(3)).await;
        for line in lines {
            line.flow();
            line.delay(Duration::ZERO);
            line.mend()?;
        }
    }
    sleep(2 * QUIET).await;
    session.end(&mut cluster).await
}

/// The database is stopped in order, and started again.
async fn restart(args: &Args) -> Fallible<Ended> {
    let folder = args.folder("restart");
    let mut cluster = Cluster::open(&args.program, &folder, 3, Reach::Direct).await?;
    let mut session = Session::begin(&cluster, args.full(), None).await?;
    for trial in 0..args.trials {
        sleep(QUIET).await;
        session.broken((0..session.play.tables.len()).collect());
        match trial % 2 {
            0 => block_in_place(|| cluster.primary.stop())?,
            _ => block_in_place(|| cluster.primary.kill()),
        }
        sleep(Duration::from_secs(1)).await;
        block_in_place(|| cluster.primary.restart())?;
        sleep(QUIET).await;
    }
    sleep(QUIET).await;
    session.end(&mut cluster).await
}

/// The primary is killed, its standby promoted, and a new standby made.
async fn promote(args: &Args) -> Fallible<Ended> {
    let folder = args.folder("promote");
    let mut cluster = Cluster::open(&args.program, &folder, 3, Reach::Doors).await?;
    let mut session = Session::begin(&cluster, args.full(), None).await?;
    for trial in 0..args.trials {
        sleep(QUIET).await;
        session.broken((0..session.play.tables.len()).collect());
        block_in_place(|| {
            cluster.primary.kill();
            cluster.standby.promote()
        })?;
        sleep(QUIET).await;
        let name = format!("s{}", trial + 2);
        let fresh = block_in_place(|| {
            let fresh = cluster.standby.standby(&name)?;
            cluster.standby.require_standbys(&[&name])?;
            Fallible::Ok(fresh)
        })?;
        cluster.doors[trial % 2].lead_to(fresh.port());
        cluster.primary = std::mem::replace(&mut cluster.standby, fresh);
    }
    sleep(2 * QUIET).await;
    session.end(&mut cluster).await
}

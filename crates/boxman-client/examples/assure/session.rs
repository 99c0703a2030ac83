//! A crowd at the tables of a cluster, from the first chip to the last answer.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use boxman_client::{Fallible, Random};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::checks::{self, Verdict};
use crate::cluster::Cluster;
use crate::figures::{counts, spread};
use crate::players::{Play, Player, Style, Way};
use crate::recorder::Notes;

/// An acknowledgement that comes this soon after a fault may have been on its way before it.
const ON_ITS_WAY: Duration = Duration::from_millis(100);
/// Whoever plays has ended by then, however long commands are sent again.
const ENDS: Duration = Duration::from_secs(90);

/// How much is played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) tables: usize,
    pub(crate) players: usize,
    /// Commands a second, all players together.
    pub(crate) rate: usize,
    pub(crate) style: Style,
    pub(crate) patience: Duration,
    pub(crate) seed: u64,
}

/// People at their tables.
pub(crate) struct Session {
    pub(crate) play: Arc<Play>,
    players: JoinSet<Notes>,
    faults: Vec<Fault>,
    begun: Instant,
    epochs: u64,
}

/// Something that was broken, when, and which tables had to move for it.
struct Fault {
    at: Instant,
    tables: Vec<usize>,
}

impl Session {
    /// Opens tables, seats everybody, writes an anchor, and lets them play.
    pub(crate) async fn begin(
        cluster: &Cluster,
        size: Size,
        shared: Option<&str>,
    ) -> Fallible<Session> {
        let tables = cluster.open_tables(size.tables, shared).await?;
        let everybody = size.tables * size.players;
        let pace = Duration::from_micros((1_000_000 * everybody / size.rate.max(1)) as u64);
        let rounds = tables.iter().map(|_| AtomicU64::default()).collect();
        let play = Arc::new(Play {
            addresses: cluster.addresses(),
            tables,
            rounds,
            crew: shared.is_some().then(|| cluster.boss()).transpose()?,
            over: watch::Sender::new(false),
            patience: size.patience,
            pace,
        });
        let mut seated = Vec::new();
        for number in 0..everybody {
            let place = (number / size.players, number % size.players);
            let random = Random::new(size.seed, number as u64);
            let name = format!("p{number}");
            seated.push(Player::sit(&play, name, place, size.style, random).await?);
        }
        checks::anchor(cluster)?;
        let mut players = JoinSet::new();
        for (number, player) in seated.into_iter().enumerate() {
            // Where there are several at a table, some speak each way; else every second table.
            let turn = number / size.players + number % size.players;
            let way = if turn.is_multiple_of(2) { Way::Socket } else { Way::Requests };
            players.spawn(player.play(Arc::clone(&play), way));
        }
        let (begun, epochs) = (Instant::now(), cluster.epochs()?);
        Ok(Session { play, players, faults: Vec::new(), begun, epochs })
    }

    /// Something was broken just now, and these tables had to move for it.
    pub(crate) fn broken(&mut self, tables: Vec<usize>) {
        self.faults.push(Fault { at: Instant::now(), tables });
    }

    /// Lets everybody finish, and looks at everything.
    pub(crate) async fn end(mut self, cluster: &mut Cluster) -> Fallible<Ended> {
        let played = self.begun.elapsed();
        self.play.over.send_replace(true);
        let mut notes = Vec::new();
        let all = async {
            while let Some(ended) = self.players.join_next().await {
                notes.push(ended?);
            }
            Fallible::Ok(())
        };
        tokio::time::timeout(ENDS, all).await.map_err(|_| "some players did not end")??;
        let verdict = checks::check(cluster, &self.play.tables, &notes).await?;
        let epochs = cluster.epochs()? - self.epochs;
        Ok(Ended { faults: self.faults, notes, verdict, played, epochs })
    }
}

/// What came of it.
pub(crate) struct Ended {
    faults: Vec<Fault>,
    pub(crate) notes: Vec<Notes>,
    pub(crate) verdict: Verdict,
    played: Duration,
    epochs: u64,
}

/// A time without an acknowledgement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pause {
    pub(crate) table: usize,
    /// When it began, from when one began to look.
    pub(crate) after: Duration,
    pub(crate) took: Duration,
}

impl Ended {
    /// When each table was acknowledged something, in order.
    fn acks(&self) -> Vec<Vec<Instant>> {
        let mut acks: Vec<Vec<Instant>> = Vec::new();
        for sent in self.notes.iter().flat_map(|notes| &notes.sent) {
            let Some((_, at)) = sent.ack else { continue };
            if acks.len() <= sent.table {
                acks.resize(sent.table + 1, Vec::new());
            }
            acks[sent.table].push(at);
        }
        acks.iter_mut().for_each(|acks| acks.sort_unstable());
        acks
    }

    /// From each fault to the first acknowledgement of each table that had to move.
    fn waits(&mut self) -> Vec<Duration> {
        let (acks, mut waits, mut silent) = (self.acks(), Vec::new(), 0);
        for Fault { at, tables } in &self.faults {
            for table in tables {
                let acks = acks.get(*table).map(Vec::as_slice).unwrap_or_default();
                match acks.iter().find(|ack| **ack > *at + ON_ITS_WAY) {
                    Some(ack) => waits.push(*ack - *at),
                    None => silent += 1,
                }
            }
        }
        if silent > 0 {
            let said = format!("{silent} times a table was not played again after a fault");
            self.verdict.violations.push(said);
        }
        waits
    }

    /// The longest time without an acknowledgement at each table between these moments.
    pub(crate) fn pauses(&self, from: Instant, to: Instant) -> Vec<Pause> {
        let within = |at: &&Instant| **at >= from && **at <= to;
        let longest = |(table, acks): (usize, &Vec<Instant>)| {
            let acks: Vec<&Instant> = acks.iter().filter(within).collect();
            let gaps = acks.windows(2).map(|pair| (*pair[1] - *pair[0], *pair[0] - from));
            let (took, after) = gaps.max()?;
            Some(Pause { table, after, took })
        };
        self.acks().iter().enumerate().filter_map(longest).collect()
    }

    /// Says what came of it.
    pub(crate) fn report(&mut self, name: &str) {
        let mut waits = self.waits();
        let Verdict { acknowledged, lost, doubled, unanswered, repeated, .. } = self.verdict;
        println!(
            "{name}: {} faults in {} s; {acknowledged} acknowledged, {lost} lost, {doubled} \
             doubled, {unanswered} never answered; {repeated} sent twice and answered alike",
            self.faults.len(),
            self.played.as_secs()
        );
        let Verdict { refusals, troubles, audit, .. } = &self.verdict;
        if self.verdict.late_copies > 0 {
            println!(
                "  {} were sent again and refused, and their first copy arrived after that",
                self.verdict.late_copies
            );
        }
        println!("  refused by the rules: {}", counts(refusals));
        println!("  told to try again, or cut: {}", counts(troubles));
        println!("  first acknowledgement after a fault: {}", spread(&mut waits, "tables"));
        println!("  pits claimed or handed over: {}", self.epochs);
        println!("  {audit}");
        for violation in &self.verdict.violations {
            println!("VIOLATION in {name}: {violation}");
        }
    }
}

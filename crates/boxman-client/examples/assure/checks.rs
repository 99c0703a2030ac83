//! What must hold after every scenario: what was acknowledged is in the log, once and where it was
//! said to be; what was refused is not; every node shows the same tables; and the auditor is
//! content, also with the anchor from before.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use boxman_client::{Client, Fallible};
use tokio::time::timeout;

use crate::cluster::Cluster;
use crate::recorder::{Notes, Sent};

/// So many violations of a kind are told in words.
const TOLD: usize = 5;

/// Whoever lives says so by then.
const ALIVE: Duration = Duration::from_secs(5);

/// What came of a scenario.
#[derive(Default)]
pub(crate) struct Verdict {
    pub(crate) acknowledged: usize,
    pub(crate) lost: usize,
    pub(crate) doubled: usize,
    pub(crate) unanswered: usize,
    pub(crate) repeated: u64,
    /// Commands that were not answered, then sent again and refused, and whose first copy arrived
    /// after that and was accepted.
    pub(crate) late_copies: u64,
    pub(crate) refusals: BTreeMap<String, u64>,
    pub(crate) troubles: BTreeMap<String, u64>,
    pub(crate) violations: Vec<String>,
    /// What the auditor said.
    pub(crate) audit: String,
}

impl Verdict {
    /// Says that something does not hold, and counts what is not told.
    fn hold(&mut self, what: &str, broken: &[String]) {
        if broken.is_empty() {
            return;
        }
        for one in broken.iter().take(TOLD) {
            self.violations.push(format!("{what}: {one}"));
        }
        if broken.len() > TOLD {
            self.violations.push(format!("{what}: and {} more", broken.len() - TOLD));
        }
    }
}

/// Every record that came of somebody's command, by the command's id.
fn log(cluster: &Cluster, tables: &[String]) -> Fallible<HashMap<String, Vec<(usize, u64)>>> {
    let rows = cluster.sql(
        "SELECT substr(stream, 7), seq, body::json->>'id' FROM record \
         WHERE stream LIKE 'table/%' AND command IS NOT NULL",
    )?;
    let places: HashMap<&str, usize> =
        tables.iter().enumerate().map(|(place, table)| (table.as_str(), place)).collect();
    let mut log: HashMap<String, Vec<(usize, u64)>> = HashMap::new();
    for row in rows.lines() {
        let mut fields = row.split('|');
        let mut field = || fields.next().ok_or("a row of the log is too short");
        let (table, seq, id) = (field()?, field()?.parse()?, field()?);
        if let Some(table) = places.get(table) {
            log.entry(id.to_owned()).or_default().push((*table, seq));
        }
    }
    Ok(log)
}

/// Compares what players remember with the log.
fn compare(verdict: &mut Verdict, notes: &[Notes], log: &HashMap<String, Vec<(usize, u64)>>) {
    let (mut lost, mut doubled, mut written, mut disordered) = (vec![], vec![], vec![], vec![]);
    let (mut open, mut contradictions) = (vec![], vec![]);
    for notes in notes {
        let mut last = 0;
        for sent in &notes.sent {
            let Sent { id, table, ack, refused, in_doubt, .. } = sent;
            let found = log.get(id).map(Vec::as_slice).unwrap_or_default();
            if found.len() > 1 {
                doubled.push(format!("{id} is in the log as {found:?}"));
            }
            match (ack, refused) {
                (Some((seq, _)), _) => {
                    verdict.acknowledged += 1;
                    if !found.contains(&(*table, *seq)) {
                        lost.push(format!("{id} was acknowledged as {seq}, the log has {found:?}"));
                    }
                    if *seq < last && !in_doubt {
                        disordered.push(format!("{id} became {seq}, after {last}"));
                    }
                    if !in_doubt {
                        last = *seq;
                    }
                }
                (None, Some(_)) if !found.is_empty() && *in_doubt => verdict.late_copies += 1,
                (None, Some(code)) if !found.is_empty() => {
                    written.push(format!("{id} was refused ({code}), the log has {found:?}"));
                }
                (None, Some(_)) => {}
                (None, None) => open.push(id.clone()),
            }
        }
        contradictions.extend(notes.contradictions.iter().cloned());
        verdict.repeated += notes.repeated;
        for (sum, counts) in
            [(&mut verdict.refusals, &notes.refusals), (&mut verdict.troubles, &notes.troubles)]
        {
            for (code, count) in counts {
                *sum.entry(code.clone()).or_default() += count;
            }
        }
    }
    (verdict.lost, verdict.doubled, verdict.unanswered) = (lost.len(), doubled.len(), open.len());
    verdict.hold("acknowledged and lost", &lost);
    verdict.hold("in the log twice", &doubled);
    verdict.hold("refused and written", &written);
    verdict.hold("out of order", &disordered);
    verdict.hold("never answered", &open);
    verdict.hold("contradicted", &contradictions);
}

/// Every node shows every table, and the same.
async fn same_everywhere(cluster: &Cluster, tables: &[String]) -> Vec<String> {
    let mut broken = Vec::new();
    for node in &cluster.nodes {
        let alive = Client::anyone(&node.address);
        let asked = timeout(ALIVE, alive.get("/healthz")).await;
        if !matches!(asked, Ok(Ok(answer)) if answer.status == 200) {
            broken.push(format!("node {} does not even answer /healthz", node.name));
        }
    }
    for table in tables {
        // One that is dead will not come back.
        if broken.len() > TOLD {
            break;
        }
        let mut shown = HashSet::new();
        for node in 0..cluster.nodes.len() {
            match cluster.view(node, table).await {
                Ok(view) => {
                    shown.insert((view["seq"].to_string(), view["seats"].to_string()));
                }
                Err(error) => broken.push(format!("{table} at n{}: {error}", node + 1)),
            }
        }
        if shown.len() > 1 {
            broken.push(format!("{table} is shown in {} ways", shown.len()));
        }
    }
    broken
}

/// What nodes wrote that they never should.
fn said_by_nodes(cluster: &mut Cluster) -> Vec<String> {
    let mut broken = Vec::new();
    for node in &mut cluster.nodes {
        if !node.is_running() {
            broken.push(format!("node {} has ended by itself", node.name));
        }
        let log = std::fs::read_to_string(&node.log).unwrap_or_default();
        let bad = |line: &&str| line.contains("panicked") || line.contains("damaged");
        broken.extend(log.lines().filter(bad).map(|line| format!("{}: {line}", node.name)));
    }
    broken
}

/// Writes down where all logs stand, before anything is broken.
pub(crate) fn anchor(cluster: &Cluster) -> Fallible<()> {
    let file = cluster.folder.join("anchor.json").display().to_string();
    let _ = std::fs::remove_file(&file);
    match cluster.boxman("verify", &["--key", &cluster.key(), "--write-anchor", &file])? {
        (0, _) => Ok(()),
        (code, said) => Err(format!("no anchor was written, {code}: {said}").into()),
    }
}

/// Looks at everything, once nobody plays any more.
pub(crate) async fn check(
    cluster: &mut Cluster,
    tables: &[String],
    notes: &[Notes],
) -> Fallible<Verdict> {
    let mut verdict = Verdict::default();
    // Letters to meters, and snapshots, may still be on their way.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let broken = same_everywhere(cluster, tables).await;
    verdict.hold("not the same everywhere", &broken);
    compare(&mut verdict, notes, &log(cluster, tables)?);
    let file = cluster.folder.join("anchor.json").display().to_string();
    let (code, said) = cluster.boxman("verify", &["--key", &cluster.key(), "--anchor", &file])?;
    verdict.audit = said.lines().next().unwrap_or_default().to_owned();
    if code != 0 {
        verdict.violations.push(format!("boxman verify ended with {code}: {}", said.trim()));
    }
    let broken = said_by_nodes(cluster);
    verdict.hold("said by a node", &broken);
    Ok(verdict)
}

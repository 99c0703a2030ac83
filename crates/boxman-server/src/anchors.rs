//! Anchors on a schedule: a running house writes down where its logs stand, in a file that its
//! operator keeps where nobody who can write to the store can reach it.
//!
//! A newer anchor takes the place of an older one only where the logs still hold what the older
//! one has seen: a log that was cut does not wipe out the proof of it.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::MissedTickBehavior;

use crate::audit::{Anchor, anchor};
use crate::house::House;
use crate::store::{StoreError, beside};

/// Where anchors are written, and how often.
#[derive(Clone, Debug)]
pub struct Anchoring {
    /// The file.
    pub file: PathBuf,
    /// How often.
    pub every: Duration,
}

/// Why no anchor was written.
#[derive(Debug)]
enum NoAnchor {
    /// The store could not be read.
    Store(StoreError),
    /// The file could not be read or written.
    File(String),
    /// The anchor that is there has seen what is not in the store any more.
    Missed,
}

/// Writes anchors for as long as the house is open.
pub(crate) async fn keep(house: Arc<House>, anchoring: Anchoring) {
    let mut pace = tokio::time::interval(anchoring.every);
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        pace.tick().await;
        write(&house, &anchoring.file).await;
    }
}

/// Writes an anchor, or says why there is none.
pub(crate) async fn write(house: &House, file: &Path) {
    let reason = match try_write(house, file).await {
        Ok(()) => return,
        Err(NoAnchor::Store(error)) => error.to_string(),
        Err(NoAnchor::File(reason)) => reason,
        Err(NoAnchor::Missed) => {
            "the one that is there has seen what is missing, move it away to go on without".into()
        }
    };
    metrics::counter!("boxman_anchor_failures_total").increment(1);
    tracing::error!(file = %file.display(), reason, "no anchor was written");
}

async fn try_write(house: &House, file: &Path) -> Result<(), NoAnchor> {
    let store = &*house.store;
    if let Some(old) = read(file)? {
        if let Some(reason) = old.check_seal(store) {
            return Err(NoAnchor::File(format!("{reason}, move the file away to go on without")));
        }
        let missed = old.missed(store).await.map_err(NoAnchor::Store)?;
        for (stream, reason) in &missed {
            house.tell_damage(stream, reason);
        }
        if !missed.is_empty() {
            return Err(NoAnchor::Missed);
        }
    }
    let text = anchor(store).await.map_err(NoAnchor::Store)?.to_json() + "\n";
    replace(file, &text).map_err(|error| NoAnchor::File(error.to_string()))
}

fn read(file: &Path) -> Result<Option<Anchor>, NoAnchor> {
    match std::fs::read_to_string(file) {
        Ok(text) => Anchor::parse(&text).map(Some).map_err(NoAnchor::File),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(NoAnchor::File(error.to_string())),
    }
}

/// There is always a whole file, the old one or the new one.
fn replace(file: &Path, text: &str) -> io::Result<()> {
    let aside = beside(file, ".new");
    let mut new = File::create(&aside)?;
    new.write_all(text.as_bytes())?;
    new.sync_all()?;
    std::fs::rename(&aside, file)
}

//! Appends where several nodes share a store: every batch by the right of whoever has its pit.

use std::collections::BTreeSet;

use super::super::{Batch, Fence, StoreError, Stored};
use super::{Identity, Line, Pits};
use crate::log::{Record, Stream};
use crate::pit::Pit;
use crate::simulated::{self, Mutant};

/// The pit whose owner alone may write a batch; none for the house's own log.
fn guard(records: &[Record]) -> Option<Pit> {
    let owned = records.iter().find(|record| record.stream != Stream::House);
    owned.map(|record| Pit::of(&record.stream))
}

/// Writes batches with one wait for the disk; an answer for each.
pub async fn append(store: &dyn Pits, batches: &[Batch]) -> Vec<Stored<()>> {
    let Some(identity) = store.identity() else {
        let records: Vec<&Record> = batches.iter().flat_map(|batch| &batch.records).collect();
        let written = match records.is_empty() {
            true => Ok(()),
            false => store.put_alone(&records).await,
        };
        return vec![written; batches.len()];
    };
    let mut answers: Vec<Option<Stored<()>>> = vec![None; batches.len()];
    // Whoever still has a pit at another epoch than was named tries again with that one.
    for _ in 0..3 {
        let open: Vec<usize> =
            (0..batches.len()).filter(|place| answers[*place].is_none()).collect();
        if open.is_empty() {
            break;
        }
        try_once(store, &identity, batches, &open, &mut answers).await;
    }
    let lost = |(answer, batch): (Option<Stored<()>>, &Batch)| {
        answer.unwrap_or_else(|| {
            // Whatever this node believes of it, the database has said no again and again: it is
            // claimed anew or somebody else's.
            guard(&batch.records).into_iter().for_each(|pit| store.lose(pit));
            Err(StoreError::Lost)
        })
    };
    answers.into_iter().zip(batches).map(lost).collect()
}

async fn try_once(
    store: &dyn Pits,
    identity: &Identity,
    batches: &[Batch],
    open: &[usize],
    answers: &mut [Option<Stored<()>>],
) {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut asked: BTreeSet<(Pit, i64)> = BTreeSet::new();
    let mut sent = Vec::new();
    for place in open {
        let batch = &batches[*place];
        let guard = guard(&batch.records).filter(|_| !simulated::is(Mutant::NoFenceAndNoKey));
        if let Some(pit) = guard {
            match store.holding().epoch_of(pit, batch.fence) {
                Ok(epoch) => drop(asked.insert((pit, epoch))),
                Err(lost) => {
                    answers[*place] = Some(Err(lost));
                    continue;
                }
            }
        }
        lines.extend(batch.records.iter().map(|record| (record, guard)));
        sent.push((*place, guard));
    }
    if sent.is_empty() {
        return;
    }
    match store.put(identity, &asked, &lines).await {
        Ok(held) => {
            for (place, guard) in sent {
                match guard {
                    Some(pit) if !held.contains(&pit) => {
                        // It may be ours at another epoch; if not, it is somebody else's.
                        if let Err(error) = store.reclaim_held(pit).await {
                            answers[place] = Some(Err(error));
                        }
                    }
                    _ => answers[place] = Some(Ok(())),
                }
            }
        }
        Err(StoreError::Conflict) if sent.len() > 1 => {
            // Where somebody's record clashed, nobody else shall suffer for it.
            for (place, _) in sent {
                Box::pin(try_once(store, identity, batches, &[place], answers)).await;
            }
        }
        Err(error) => {
            sent.iter().for_each(|(place, _)| answers[*place] = Some(Err(error.clone())));
        }
    }
}

impl dyn Pits {
    /// Writes records by the right of whoever owns them now.
    pub async fn append_now(&self, records: &[Record]) -> Stored<()> {
        let fence = guard(records).map_or(Ok(Fence::default()), |pit| self.holding().fence(pit));
        let batch = Batch { records: records.to_vec(), fence: fence? };
        append(self, &[batch]).await.pop().unwrap_or(Ok(()))
    }
}

//! What players remember: every command they sent, what was answered first, and every answer that
//! contradicts another.

use std::collections::BTreeMap;
use std::time::Instant;

/// A command that was sent, as often as it took.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) id: String,
    pub(crate) table: usize,
    /// What it put on a progressive, in cents.
    pub(crate) fed: u64,
    /// The first acknowledgement: its record, and when it came.
    pub(crate) ack: Option<(u64, Instant)>,
    /// The code of a refusal that was final: nothing may have come of it.
    pub(crate) refused: Option<String>,
    /// Whether it was sent again, unanswered or told to try again: those sent after it may have
    /// overtaken it, and an early copy may arrive late.
    pub(crate) in_doubt: bool,
}

/// One player's notes.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub(crate) sent: Vec<Sent>,
    /// Answers that contradict another.
    pub(crate) contradictions: Vec<String>,
    /// How often this player was told to try again, by code; connections that broke as `cut`.
    pub(crate) troubles: BTreeMap<String, u64>,
    /// Final refusals by code.
    pub(crate) refusals: BTreeMap<String, u64>,
    /// Acknowledged commands that were sent once more, and answered as before.
    pub(crate) repeated: u64,
}

/// Codes that mean: not now, send it again.
const TRY_AGAIN: [&str; 10] = [
    "store-down",
    "table-moved",
    "table-silent",
    "shutting-down",
    "owner-unreachable",
    "node-silent",
    "meter-silent",
    "no-such-node",
    "busy",
    "too-many-requests",
];

impl Notes {
    /// Writes a command down before it leaves. Gives its place.
    pub(crate) fn send(&mut self, id: String, table: usize, fed: u64) -> usize {
        let sent = Sent { id, table, fed, ack: None, refused: None, in_doubt: false };
        self.sent.push(sent);
        self.sent.len() - 1
    }

    /// An acknowledgement came.
    pub(crate) fn acknowledged(&mut self, place: usize, seq: u64) {
        let Sent { id, ack, refused, .. } = &mut self.sent[place];
        if let Some(code) = refused {
            let said = format!("{id} was refused ({code}) and then acknowledged as {seq}");
            self.contradictions.push(said);
        }
        match ack {
            None => *ack = Some((seq, Instant::now())),
            Some((first, _)) if *first == seq => self.repeated += 1,
            Some((first, _)) => {
                let said = format!("{id} was acknowledged as {first}, and then as {seq}");
                self.contradictions.push(said);
            }
        }
    }

    /// A refusal came. Says whether it was final.
    pub(crate) fn refused(&mut self, place: usize, code: &str) -> bool {
        let sent = &mut self.sent[place];
        if TRY_AGAIN.contains(&code) {
            sent.in_doubt = true;
            self.trouble(code);
            return false;
        }
        if let Some((seq, _)) = sent.ack {
            let said = format!("{} was acknowledged as {seq}, and then refused ({code})", sent.id);
            self.contradictions.push(said);
        }
        sent.refused = Some(code.to_owned());
        *self.refusals.entry(code.to_owned()).or_default() += 1;
        true
    }

    /// No answer came: the command is sent again, and the first may still arrive.
    pub(crate) fn doubt(&mut self, place: usize) {
        self.sent[place].in_doubt = true;
    }

    /// Something else went wrong that is worth counting.
    pub(crate) fn trouble(&mut self, code: &str) {
        *self.troubles.entry(code.to_owned()).or_default() += 1;
    }
}

//! The people who watch a table. Each has a short queue; one who does not empty it is let go,
//! and nobody waits for anybody.

use std::collections::VecDeque;

use axum::extract::ws::Utf8Bytes;
use tokio::sync::{mpsc, oneshot};

use crate::log::now;
use crate::problem::Problem;
use crate::wire::{FromServer, MeterView};

/// So many updates are kept for people who come back.
const KEPT: usize = 128;

/// Somebody on a socket.
#[derive(Clone, Debug)]
pub struct Client {
    /// The connection.
    pub id: u64,
    /// Who it is, where they are logged in.
    pub person: Option<String>,
    /// Frames on their way out.
    pub frames: mpsc::Sender<Utf8Bytes>,
}

/// Where a command's answer goes.
#[derive(Debug)]
pub enum Reply {
    /// To a socket.
    Socket(mpsc::Sender<Utf8Bytes>, String),
    /// To whoever waits for it.
    Once(oneshot::Sender<Result<u64, Problem>>),
}

impl Reply {
    /// An answer that somebody waits for.
    pub fn once() -> (Reply, oneshot::Receiver<Result<u64, Problem>>) {
        let (reply, answer) = oneshot::channel();
        (Reply::Once(reply), answer)
    }

    /// Answers: the number of the record, or why not.
    pub fn send(self, answer: Result<u64, Problem>) {
        match self {
            Reply::Socket(frames, id) => {
                let answer = match answer {
                    Ok(seq) => FromServer::Ack { id, seq },
                    Err(problem) => FromServer::Refused { id, problem },
                };
                // Somebody who does not read has no use for an answer.
                let _ = frames.try_send(frame(&answer));
            }
            Reply::Once(reply) => drop(reply.send(answer)),
        }
    }
}

/// A frame as it goes out.
pub(super) fn frame(frame: &FromServer) -> Utf8Bytes {
    serde_json::to_string(frame).expect("a frame is plain data").into()
}

/// Everybody who watches, and what they may have missed.
#[derive(Default)]
pub(super) struct Clients {
    watching: Vec<Client>,
    kept: VecDeque<(u64, Utf8Bytes)>,
}

impl Clients {
    pub(super) fn join(&mut self, client: Client) {
        self.watching.push(client);
    }

    pub(super) fn leave(&mut self, id: u64) {
        self.watching.retain(|client| client.id != id);
    }

    /// Whether somebody has a connection.
    pub(super) fn has(&self, person: &str) -> bool {
        self.watching.iter().any(|client| client.person.as_deref() == Some(person))
    }

    /// Sends everybody an update and keeps it for those who come back.
    pub(super) fn publish(&mut self, seq: u64, update: Utf8Bytes) {
        self.send(&update);
        if self.kept.len() == KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back((seq, update));
    }

    /// Sends everybody a frame that is no record.
    pub(super) fn announce(&mut self, news: &FromServer) {
        if !self.watching.is_empty() {
            self.send(&frame(news));
        }
    }

    /// After a gap nobody knows: everybody starts anew from here.
    pub(super) fn restart(&mut self, snapshot: &FromServer) {
        self.kept.clear();
        self.announce(snapshot);
    }

    fn send(&mut self, frame: &Utf8Bytes) {
        let before = self.watching.len();
        self.watching.retain(|client| client.frames.try_send(frame.clone()).is_ok());
        let dropped = before - self.watching.len();
        if dropped > 0 {
            metrics::counter!("boxman_slow_clients_total").increment(dropped as u64);
        }
    }

    pub(super) fn tell(&mut self, id: u64, frame: &Utf8Bytes) {
        let heard = |client: &Client| client.frames.try_send(frame.clone()).is_ok();
        self.watching.retain(|client| client.id != id || heard(client));
    }

    /// Sends somebody what came after the record they saw last, or everything.
    pub(super) fn catch_up(
        &mut self,
        id: u64,
        after: Option<u64>,
        head: u64,
        meters: Vec<MeterView>,
        snapshot: impl FnOnce(Vec<MeterView>) -> Utf8Bytes,
    ) {
        let first = self.kept.front().map_or(head + 1, |(seq, _)| *seq);
        match after.filter(|after| *after <= head && after + 1 >= first) {
            Some(after) => {
                let missed: Vec<Utf8Bytes> = self
                    .kept
                    .iter()
                    .filter(|(seq, _)| *seq > after)
                    .map(|(_, update)| update.clone())
                    .collect();
                self.tell(id, &frame(&FromServer::Resumed { seq: head, at: now() }));
                missed.iter().for_each(|update| self.tell(id, update));
                // Meters are no records: what they showed then says nothing about now.
                for meter in meters {
                    self.tell(id, &frame(&FromServer::Meter { meter }));
                }
            }
            None => {
                let snapshot = snapshot(meters);
                self.tell(id, &snapshot);
            }
        }
    }
}

//! People who play, each through any node: whoever is in doubt sends the same command again under
//! its id, as the documentation says.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use boxman_client::{Random, Value, json};
use boxman_server::testing::log::{Key, Stream};
use boxman_server::testing::simulation::Unanswered;
use tokio::time::{Instant, sleep, timeout};

use crate::image::BOSS;
use crate::line::{Door, send};
use crate::world::Shared;

/// The place of those who play.
pub(crate) const PLACE: usize = 3;
/// Nobody waits longer for an answer.
const PATIENCE: Duration = Duration::from_secs(3);
/// Nobody asks longer than this.
const GIVE_UP: Duration = Duration::from_secs(60);
/// Somebody with a token.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) world: Shared,
    pub(crate) token: String,
}

impl Client {
    /// Asks a node for something. Gives the status and what it says.
    pub(crate) async fn ask(
        &self,
        node: usize,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<(u16, Value), Unanswered> {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", "boxman")
            .header("authorization", format!("Bearer {}", self.token))
            .header("content-type", "application/json")
            .body(body.map_or_else(Body::empty, |body| Body::from(body.to_string())));
        let unsent = |error: axum::http::Error| Unanswered::Unsent(error.to_string());
        let asked = send(&self.world, (PLACE, node), Door::Public, request.map_err(unsent)?);
        let late = |_| Unanswered::Cut("it took too long".to_owned());
        let answer = timeout(PATIENCE, asked).await.map_err(late)??;
        let said = serde_json::from_slice(answer.body()).unwrap_or(Value::Null);
        Ok((answer.status().as_u16(), said))
    }
}

/// A command that was sent, as often as it took.
pub(crate) struct Sent {
    pub(crate) id: String,
    pub(crate) table: usize,
    /// What it put on the progressive, in cents.
    pub(crate) fed: u64,
    pub(crate) ack: Option<u64>,
    pub(crate) refused: Option<String>,
}

/// What everybody remembers.
#[derive(Default)]
pub(crate) struct Notes {
    pub(crate) sent: Vec<Sent>,
    pub(crate) contradictions: Vec<String>,
    /// What was seen of a table after a record.
    pub(crate) seen: BTreeMap<(usize, u64), String>,
}

/// Somebody whose table name changes again and again, so that the house's own log is written to
/// from every node while things go wrong.
pub(crate) async fn rename(client: Client, mut random: Random, until: Duration) {
    let until = Instant::now() + until;
    while Instant::now() < until {
        sleep(Duration::from_millis(random.between(200, 900))).await;
        let name = json!({ "table_name": format!("Boss {}", random.below(1_000)) });
        let node = random.below(3) as usize;
        // Whether it was changed or not, what the log says of it must follow.
        let _ = client.ask(node, "PATCH", "/api/me", Some(&name)).await;
    }
}

/// A player, and where.
pub(crate) struct Player {
    pub(crate) client: Client,
    pub(crate) name: String,
    pub(crate) table: usize,
    pub(crate) seat: u8,
    pub(crate) progressive: bool,
    pub(crate) random: Random,
    pub(crate) tables: Arc<Vec<String>>,
    pub(crate) notes: Arc<Mutex<Notes>>,
}

impl Player {
    fn next(&mut self) -> (Value, u64) {
        let seat = self.seat;
        let put = |wager: &str, amount: u64| {
            let mut put = json!({ "command": "put", "seat": seat, "wager": wager });
            put["amount"] = json!(amount);
            put
        };
        let take = |wager: &str| json!({ "command": "take", "seat": seat, "wager": wager });
        match self.random.below(100) {
            0..35 if self.progressive => (put("fired-up", 100), 100),
            0..25 => (put("field", 500), 0),
            25..40 => (put("place 6", 600), 0),
            40..55 => (put("pass", 500), 0),
            55..65 => (take("place 6"), 0),
            65..72 => (take("field"), 0),
            72..80 => (json!({ "command": "buy-in", "seat": seat, "amount": 10_000 }), 0),
            _ => (json!({ "command": "roll", "shooter_bytes": self.random.hex(32) }), 0),
        }
    }

    /// Plays until it is over and everything is answered.
    pub(crate) async fn play(mut self, until: Duration) {
        let until = Instant::now() + until;
        let mut count = 0;
        while Instant::now() < until {
            sleep(Duration::from_millis(self.random.between(20, 250))).await;
            count += 1;
            let id = format!("{}-{count}", self.name);
            let (command, fed) = self.next();
            let mut sent =
                Sent { id: id.clone(), table: self.table, fed, ack: None, refused: None };
            self.ask(&command, &mut sent).await;
            // Some of it is sent once more, and answered as before.
            if sent.ack.is_some() && self.random.chance(5) {
                self.ask(&command, &mut sent).await;
            }
            self.notes().sent.push(sent);
            if self.random.chance(10) {
                self.look().await;
            }
        }
    }

    fn notes(&self) -> std::sync::MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    async fn ask(&mut self, command: &Value, sent: &mut Sent) {
        let body = json!({ "id": sent.id, "command": command });
        let path = format!("/api/tables/{}/commands", self.tables[self.table]);
        let until = Instant::now() + GIVE_UP;
        while Instant::now() < until {
            let (node, written) = (self.random.below(3) as usize, self.written(&sent.id));
            let answer = self.client.ask(node, "POST", &path, Some(&body)).await;
            let said = match &answer {
                Ok((200, said)) => format!("record {}", said["seq"]),
                Ok((status, said)) => format!("{status} {}", said["code"]),
                Err(error) => error.to_string(),
            };
            self.client.world.lock().note(&format!("{} at {node}: {said}", sent.id));
            match answer {
                Ok((200, said)) => return self.acknowledged(sent, said["seq"].as_u64()),
                Ok((400..500, said)) => {
                    let code = said["code"].as_str().unwrap_or("no-code").to_owned();
                    return self.refused(sent, code, written);
                }
                // Not now, or nobody knows: the same again.
                Ok(_) | Err(_) => {}
            }
            sleep(Duration::from_millis(50)).await;
        }
    }

    fn acknowledged(&self, sent: &mut Sent, seq: Option<u64>) {
        let Some(seq) = seq else {
            let said = format!("{} was acknowledged as nothing", sent.id);
            return self.notes().contradictions.push(said);
        };
        match sent.ack {
            Some(first) if first != seq => {
                let said = format!("{} was acknowledged as {first}, and then as {seq}", sent.id);
                self.notes().contradictions.push(said);
            }
            _ => sent.ack = Some(seq),
        }
    }

    fn refused(&self, sent: &mut Sent, code: String, written: Option<u64>) {
        // Whoever says no has to know of every yes before it was asked.
        if written.is_some() && self.written(&sent.id) == written {
            let said = format!("{} was refused ({code}) though it was in the log", sent.id);
            self.notes().contradictions.push(said);
        }
        if let Some(seq) = sent.ack {
            let said = format!("{} was acknowledged as {seq}, and then refused ({code})", sent.id);
            self.notes().contradictions.push(said);
        }
        sent.refused = Some(code);
    }

    /// The record of a command, where the log has one.
    fn written(&self, id: &str) -> Option<u64> {
        let stream: Stream = format!("table/{}", self.tables[self.table]).parse().ok()?;
        let world = self.client.world.lock();
        Some(world.database.primary.find(&stream, &Key::of_command(BOSS, id))?.seq)
    }

    /// Looks at a table through some node: whoever looked at the same record saw the same.
    async fn look(&mut self) {
        let (node, table) = (self.random.below(3) as usize, self.random.below(2) as usize);
        let path = format!("/api/tables/{}", self.tables[table]);
        let Ok((200, view)) = self.client.ask(node, "GET", &path, None).await else { return };
        let Some(seq) = view["seq"].as_u64() else { return };
        let shown = format!("{} {}", view["hand"]["puck"], view["seats"]);
        let mut notes = self.notes();
        let known = notes.seen.entry((table, seq)).or_insert_with(|| shown.clone());
        if *known != shown {
            let said = format!("record {seq} of table {table} was seen as {known} and as {shown}");
            notes.contradictions.push(said);
        }
    }
}

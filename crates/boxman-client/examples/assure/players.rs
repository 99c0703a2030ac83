//! Guests who play, some by requests and some on a socket, each through any node at random. They
//! do as the documentation says: whoever is in doubt sends the same command again under its id.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use boxman_client::{Client, Fallible, Random, TableSocket, Value, json};
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use crate::recorder::Notes;

/// So many commands of one player are under way on a socket at once.
const DEEP: usize = 3;
/// Whoever is told to try again does so after this.
const AGAIN: Duration = Duration::from_millis(50);
/// A command that is not answered by then, however often it was sent, never is.
const GIVE_UP: Duration = Duration::from_secs(60);
/// So many acknowledged commands in a hundred are sent once more.
const REPEATED: u64 = 3;

/// What all players share.
pub(crate) struct Play {
    pub(crate) addresses: Vec<String>,
    pub(crate) tables: Vec<String>,
    /// The person of the crew who plays for everybody, at real tables.
    pub(crate) crew: Option<Client>,
    /// The betting round of each table, as far as a player has heard; 0 before anything is known.
    pub(crate) rounds: Vec<AtomicU64>,
    pub(crate) over: watch::Sender<bool>,
    /// How long somebody waits for an answer before asking another node.
    pub(crate) patience: Duration,
    /// How often each player sends a command.
    pub(crate) pace: Duration,
}

/// What somebody plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// A bit of everything.
    Free,
    /// A bet put down and taken up in turn: no rule ever refuses it.
    Steady,
    /// The progressive, as often as it may be.
    Progressive,
}

/// By which way somebody plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Requests,
    Socket,
}

/// Somebody with a seat.
pub(crate) struct Player {
    pub(crate) name: String,
    pub(crate) client: Client,
    pub(crate) table: usize,
    pub(crate) seat: usize,
    pub(crate) style: Style,
    pub(crate) random: Random,
    sent: u64,
}

/// What is sent next.
#[derive(Clone)]
struct Next {
    id: String,
    /// The betting round it is meant for; the crew names it.
    round: Option<u64>,
    command: Value,
    fed: u64,
}

impl Next {
    /// The command as it is sent.
    fn ask(&self) -> Value {
        let mut ask = json!({ "id": self.id, "command": self.command });
        if let Some(round) = self.round {
            ask["round"] = json!(round);
        }
        ask
    }

    /// The command as a socket is told it.
    fn frame(&self) -> String {
        let mut frame = self.ask();
        frame["type"] = json!("command");
        frame.to_string()
    }

    /// A roll that was booked begins a round.
    fn begins_round(&self) -> bool {
        self.command["command"] == "roll"
    }
}

impl Play {
    /// The round that the crew names at a table, as far as it is known.
    fn round(&self, table: usize) -> Option<u64> {
        self.crew.as_ref().map(|_| self.rounds[table].load(Ordering::Relaxed))
    }

    /// A table is in this round, or in a later one.
    fn heard_round(&self, table: usize, round: Option<u64>) {
        if let Some(round) = round {
            self.rounds[table].fetch_max(round, Ordering::Relaxed);
        }
    }
}

impl Player {
    /// A guest takes a seat at a practice table, with chips enough for anything. At a real table
    /// the crew plays for somebody.
    pub(crate) async fn sit(
        play: &Play,
        name: String,
        (table, seat): (usize, usize),
        style: Style,
        mut random: Random,
    ) -> Fallible<Player> {
        let address = random.pick(&play.addresses).clone();
        let (client, called) = match &play.crew {
            Some(crew) => (crew.clone(), Some(&name)),
            None => (Client::guest(&address, &name).await?, None),
        };
        let sit = json!({ "command": "sit", "seat": seat, "name": called });
        let mut buy_in = json!({ "command": "buy-in", "seat": seat, "amount": 900_000_000 });
        if play.crew.is_some() {
            buy_in["kind"] = json!("chips");
        }
        let mut player = Player { name, client, table, seat, style, random, sent: 0 };
        for (id, command) in [("sit", sit), ("buy-in", buy_in)] {
            player.go_to_any(play);
            let id = format!("{}-{id}", player.name);
            player.client.command(&play.tables[table], &id, &command).await?.ok()?;
        }
        Ok(player)
    }

    fn go_to_any(&mut self, play: &Play) {
        self.client.address = self.random.pick(&play.addresses).clone();
    }

    fn next(&mut self, play: &Play) -> Next {
        self.sent += 1;
        let id = format!("{}-{}", self.name, self.sent);
        let seat = self.seat;
        let put = |wager: &str, amount: u64| {
            let mut put = json!({ "command": "put", "seat": seat, "wager": wager });
            put["amount"] = json!(amount);
            put
        };
        let take = |wager: &str| json!({ "command": "take", "seat": seat, "wager": wager });
        let mut fed = 0;
        let command = match (self.style, self.random.below(100)) {
            (Style::Steady, _) if self.sent % 2 == 1 => put("field", 500),
            (Style::Steady, _) => take("field"),
            (Style::Progressive, 0..45) => {
                fed = 100;
                put("fired-up", 100)
            }
            (_, 0..30) => put("field", 500),
            (_, 30..45) => put("place 6", 600),
            (_, 45..55) => put("pass", 500),
            (_, 55..65) => take("place 6"),
            (_, 65..75) => take("field"),
            (_, 75..80) => json!({ "command": "buy-in", "seat": seat, "amount": 10_000 }),
            _ => json!({ "command": "roll", "shooter_bytes": self.random.hex(32) }),
        };
        Next { id, round: play.round(self.table), command, fed }
    }

    /// Plays until it is over and everything is answered.
    pub(crate) async fn play(self, play: Arc<Play>, way: Way) -> Notes {
        match way {
            Way::Requests => self.by_requests(&play).await,
            Way::Socket => self.by_socket(&play).await,
        }
    }

    async fn by_requests(mut self, play: &Play) -> Notes {
        let mut notes = Notes::default();
        let mut pace = interval(play.pace);
        pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while !*play.over.borrow() {
            pace.tick().await;
            let next = self.next(play);
            let place = notes.send(next.id.clone(), self.table, next.fed);
            self.ask(play, &next, place, &mut notes).await;
            if notes.sent[place].ack.is_some() && self.random.chance(REPEATED) {
                self.ask(play, &next, place, &mut notes).await;
            }
        }
        notes
    }

    /// Asks one node after the other until one has the last word.
    async fn ask(&mut self, play: &Play, next: &Next, place: usize, notes: &mut Notes) {
        let until = Instant::now() + GIVE_UP;
        while Instant::now() < until {
            self.go_to_any(play);
            let path = format!("/api/tables/{}/commands", play.tables[self.table]);
            let ask = next.ask();
            let asked = self.client.post(&path, &ask);
            let mut wait = AGAIN;
            match timeout(play.patience, asked).await {
                Ok(Ok(answer)) => match answer.json["seq"].as_u64() {
                    Some(seq) if answer.status == 200 => {
                        play.heard_round(self.table, next.begins_round().then_some(seq));
                        notes.acknowledged(place, seq);
                        return;
                    }
                    _ => {
                        let code = match answer.code() {
                            "" => format!("status-{}", answer.status),
                            code => code.to_owned(),
                        };
                        play.heard_round(self.table, answer.json["round"].as_u64());
                        if notes.refused(place, &code) {
                            return;
                        }
                    }
                },
                Ok(Err(error)) => {
                    notes.doubt(place);
                    notes.trouble(kind(&*error));
                    wait = wait_after(&*error);
                }
                Err(_) => {
                    notes.doubt(place);
                    notes.trouble("late");
                }
            }
            sleep(wait).await;
        }
        notes.trouble("given-up");
    }

    async fn by_socket(mut self, play: &Play) -> Notes {
        let mut notes = Notes::default();
        let mut line = Line::default();
        let mut until = None;
        loop {
            let over = *play.over.borrow();
            if over && line.waiting.is_empty() {
                return notes;
            }
            if over && Instant::now() > *until.get_or_insert(Instant::now() + GIVE_UP) {
                notes.trouble("given-up");
                return notes;
            }
            self.go_to_any(play);
            let connecting = self.client.socket(&play.tables[self.table], line.seen);
            let wait = match timeout(play.patience, connecting).await {
                Ok(Ok(mut socket)) => {
                    if let Err(error) = self.talk(play, &mut socket, &mut line, &mut notes).await {
                        notes.trouble(kind(&*error));
                    }
                    // A page that was in comes back at once, too.
                    Duration::ZERO
                }
                Ok(Err(error)) => {
                    notes.trouble(kind(&*error));
                    wait_after(&*error)
                }
                Err(_) => {
                    notes.trouble("late");
                    AGAIN
                }
            };
            if !*play.over.borrow() {
                sleep(wait).await;
            }
        }
    }

    /// Speaks on a socket until it ends, or nothing is answered in time.
    async fn talk(
        &mut self,
        play: &Play,
        socket: &mut TableSocket,
        line: &mut Line,
        notes: &mut Notes,
    ) -> Fallible<()> {
        for (place, next) in &line.waiting {
            notes.doubt(*place);
            socket.text(&next.frame()).await?;
        }
        let mut pace = interval(play.pace);
        pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut answered = Instant::now();
        loop {
            let over = *play.over.borrow();
            if over && line.waiting.is_empty() {
                return Ok(());
            }
            tokio::select! {
                frame = socket.next() => {
                    let Some(frame) = frame? else { return Err("it was closed".into()) };
                    if line.hear(&frame, notes, play, self.table) {
                        answered = Instant::now();
                    }
                    if let Some(next) = line.again.take() {
                        sleep(AGAIN).await;
                        socket.text(&next.frame()).await?;
                    }
                }
                _ = pace.tick() => {
                    if line.waiting.is_empty() {
                        answered = Instant::now();
                    } else if answered.elapsed() > play.patience {
                        return Err("nothing was answered in time".into());
                    }
                    if line.waiting.len() < DEEP && !over {
                        let next = self.next(play);
                        let place = notes.send(next.id.clone(), self.table, next.fed);
                        line.waiting.push_back((place, next));
                        let next = &line.waiting[line.waiting.len() - 1].1;
                        socket.text(&next.frame()).await?;
                    }
                }
            }
        }
    }
}

/// What a player on a socket knows from one connection to the next.
#[derive(Default)]
struct Line {
    /// The last record seen.
    seen: Option<u64>,
    /// Commands without an answer, in the order they were sent.
    waiting: VecDeque<(usize, Next)>,
    /// One that is to be sent again.
    again: Option<Next>,
}

impl Line {
    /// Takes a frame in. Says whether it answered something.
    fn hear(&mut self, frame: &Value, notes: &mut Notes, play: &Play, table: usize) -> bool {
        let answers = |(_, next): &(usize, Next)| frame["id"] == *next.id;
        match frame["type"].as_str().unwrap_or_default() {
            "snapshot" => self.seen = frame["table"]["seq"].as_u64(),
            "update" => {
                let seq = frame["seq"].as_u64();
                if let (Some(seen), Some(seq)) = (self.seen, seq)
                    && seq != seen + 1
                {
                    let said = format!("table {table} sent update {seq} after {seen}");
                    notes.contradictions.push(said);
                }
                self.seen = seq.or(self.seen);
            }
            "ack" => {
                let Some(at) = self.waiting.iter().position(answers) else { return false };
                let Some(seq) = frame["seq"].as_u64() else { return false };
                if let Some((place, next)) = self.waiting.remove(at) {
                    play.heard_round(table, next.begins_round().then_some(seq));
                    notes.acknowledged(place, seq);
                }
                return true;
            }
            "refused" => {
                let Some(at) = self.waiting.iter().position(answers) else { return false };
                let code = frame["problem"]["code"].as_str().unwrap_or("no-code");
                play.heard_round(table, frame["problem"]["round"].as_u64());
                if notes.refused(self.waiting[at].0, code) {
                    self.waiting.remove(at);
                } else {
                    self.again = Some(self.waiting[at].1.clone());
                }
                return true;
            }
            "problem" => {
                let code = frame["problem"]["code"].as_str().unwrap_or("no-code");
                notes.trouble(&format!("problem-{code}"));
            }
            _ => {}
        }
        false
    }
}

/// Where nobody is there another is asked at once, as a proxy does; else after a moment.
fn wait_after(error: &(dyn std::error::Error + 'static)) -> Duration {
    if kind(error) == "nobody-there" { Duration::from_millis(1) } else { AGAIN }
}

/// What became of a connection, in a word.
fn kind(error: &(dyn std::error::Error + 'static)) -> &'static str {
    let text = error.to_string();
    if text.contains("refused") {
        "nobody-there"
    } else if text.contains("in time") {
        "late"
    } else if text.contains("closed") {
        "closed"
    } else if text.contains("503") {
        "socket-503"
    } else {
        "cut"
    }
}

//! Somebody at a table's socket: the table as the first frame told it, stepped by every update.
//! The numbers must have no gap, and the table so stepped must be the one the server shows.

use std::time::Duration;

use boxman_client::{Client, Fallible, TableSocket, Value, json};
use tokio::time::{Instant, timeout_at};

use crate::acks::{Ack, Doubt};
use crate::commands::round;
use crate::house::{House, Open, PATIENCE, Spoken};
use crate::people::Person;

/// A socket and what it has told.
pub(crate) struct Follow {
    pub(crate) table: String,
    /// The table as it is now.
    pub(crate) view: Value,
    open: Open,
    client: Client,
    socket: TableSocket,
}

impl Follow {
    /// Comes to a table, or back to it with what was known of it.
    pub(crate) async fn come(
        house: &House,
        person: &Person,
        table: &str,
        known: Option<Value>,
    ) -> Fallible<Option<Follow>> {
        let Some((open, client)) = house.client(person).await else { return Ok(None) };
        let after = known.as_ref().and_then(|view| view["seq"].as_u64());
        let socket = client.socket(table, after).await?;
        let view = known.unwrap_or_default();
        let mut follow = Follow { table: table.to_owned(), view, open, client, socket };
        let deadline = Instant::now() + PATIENCE;
        loop {
            let frame = timeout_at(deadline, follow.socket.next()).await;
            let frame = frame.map_err(|_| "a socket told nothing")??.ok_or("it ended at once")?;
            follow.take(house, &frame);
            match frame["type"].as_str() {
                Some("snapshot") => break,
                Some("resumed") => {
                    let head = frame["seq"].as_u64().unwrap_or(0);
                    if after.is_some_and(|after| after > head) {
                        house.fault(format!("{table} had told record {after:?}, and is at {head}"));
                    }
                    break;
                }
                _ => {}
            }
        }
        Ok(Some(follow))
    }

    fn seq(&self) -> u64 {
        self.view["seq"].as_u64().unwrap_or(0)
    }

    /// Takes a frame in.
    fn take(&mut self, house: &House, frame: &Value) {
        match frame["type"].as_str() {
            Some("snapshot") => {
                let (before, seq) = (self.seq(), frame["table"]["seq"].as_u64().unwrap_or(0));
                if seq < before {
                    let table = &self.table;
                    house.fault(format!("{table} had told record {before}, and is now at {seq}"));
                }
                self.view = frame["table"].clone();
                self.keep_dark(house, &frame["table"]);
            }
            Some("update") => {
                self.keep_dark(house, frame);
                self.step(house, frame);
            }
            Some("meter") => self.show(&frame["meter"]),
            Some("problem") => {
                if let Some(trouble) = frame.trouble() {
                    house.fault(format!("table {} said {trouble}", self.table));
                }
            }
            _ => {}
        }
    }

    /// Nobody in particular hears of anybody's chips at a real table.
    fn keep_dark(&self, house: &House, told: &Value) {
        let stranger = self.client.token.is_empty() && house.knows("sight");
        if !stranger || self.view["config"]["practice"] != json!(false) {
            return;
        }
        let seats = told["seats"].as_array().is_some_and(|seats| !seats.is_empty());
        if seats || !told["by"].is_null() {
            house.fault(format!("a stranger was told {told}"));
        }
        house.tick("told to strangers");
    }

    fn step(&mut self, house: &House, update: &Value) {
        house.tick("updates");
        let (table, before, seq) = (&self.table, self.seq(), update["seq"].as_u64().unwrap_or(0));
        if seq <= before {
            // A snapshot may overtake updates that were told already.
            return;
        }
        if seq != before + 1 {
            house.fault(format!("table {table} told record {seq} after {before}"));
        }
        self.view["seq"] = json!(seq);
        if update["hand"].is_object() {
            self.view["hand"] = update["hand"].clone();
        }
        let seats = self.view.get_mut("seats").and_then(Value::as_array_mut);
        let Some(seats) = seats else { return };
        for changed in update["seats"].as_array().into_iter().flatten() {
            seats.retain(|seat| seat["seat"] != changed["seat"]);
            if !changed["name"].is_null() {
                seats.push(changed.clone());
            }
        }
        seats.sort_by_key(|seat| seat["seat"].as_u64());
    }

    fn show(&mut self, meter: &Value) {
        let meters = self.view.get_mut("meters").and_then(Value::as_array_mut);
        for known in meters.into_iter().flatten() {
            if known["meter"] == meter["meter"] {
                *known = meter.clone();
            }
        }
    }

    /// Listens for a while.
    pub(crate) async fn listen(&mut self, house: &House, time: Duration) -> Fallible<()> {
        let deadline = Instant::now() + time;
        while let Ok(frame) = timeout_at(deadline, self.socket.next()).await {
            let frame = frame?.ok_or("the socket has ended")?;
            self.take(house, &frame);
        }
        Ok(())
    }

    /// Asks for something and waits for the answer: the record it became, or the code of why not.
    pub(crate) async fn ask(
        &mut self,
        house: &House,
        person: &Person,
        command: &Value,
        over_socket: bool,
    ) -> Fallible<Result<u64, String>> {
        let id = house.fresh_id();
        let round = round(&self.view, command);
        let asked = match over_socket {
            true => self.ask_socket(house, &id, round, command).await,
            false => self.ask_request(house, &id, round, command).await,
        };
        let (table, person) = (self.table.clone(), person.id());
        let Ok(answer) = asked else {
            let command = command.clone();
            house.acks.doubt(Doubt { table, person, id, round, command });
            return Err("no answer came".into());
        };
        house.tick("commands");
        match &answer {
            Ok(seq) => {
                let command = command.to_string().into();
                house.code("ack");
                house.acks.book(Ack { table, person, id, seq: *seq, command });
            }
            Err(code) => house.code(code),
        }
        Ok(answer)
    }

    async fn ask_request(
        &mut self,
        house: &House,
        id: &str,
        round: Option<u64>,
        command: &Value,
    ) -> Fallible<Result<u64, String>> {
        let asked = self.client.ask(&self.table, id, round, command);
        let answer = house.timely(&self.open, "a command", asked).await.ok_or("no answer")?;
        Ok(answer.json["seq"].as_u64().ok_or_else(|| answer.code().to_owned()))
    }

    async fn ask_socket(
        &mut self,
        house: &House,
        id: &str,
        round: Option<u64>,
        command: &Value,
    ) -> Fallible<Result<u64, String>> {
        self.socket.send(id, round, command).await?;
        let deadline = Instant::now() + PATIENCE;
        loop {
            let Ok(frame) = timeout_at(deadline, self.socket.next()).await else {
                if house.still(&self.open) && !house.is_over() {
                    house.fault(format!("{command} was not answered in {} s", PATIENCE.as_secs()));
                }
                return Err("no answer".into());
            };
            let frame = frame?.ok_or("the socket ended before the answer")?;
            self.take(house, &frame);
            if frame["id"] != id {
                continue;
            }
            if let Some(trouble) = frame.trouble() {
                house.fault(format!("{command}: {trouble}"));
            }
            let code = || frame["problem"]["code"].as_str().unwrap_or_default().to_owned();
            return Ok(frame["seq"].as_u64().ok_or_else(code));
        }
    }

    /// The table as a request shows it; nothing where the server wants us to wait.
    pub(crate) async fn look(&self, house: &House) -> Fallible<Option<Value>> {
        let path = format!("/api/tables/{}", self.table);
        let answer = house.timely(&self.open, &path, self.client.get(&path)).await;
        let answer = answer.ok_or("no answer")?;
        if house.must_wait(&answer) { Ok(None) } else { Ok(Some(answer.ok()?)) }
    }

    /// Looks at the table by a request and compares it with what the updates came to.
    pub(crate) async fn compare(&mut self, house: &House) -> Fallible<()> {
        let Some(shown) = self.look(house).await? else { return Ok(()) };
        let seq = shown["seq"].as_u64().unwrap_or(0);
        if seq < self.seq() {
            let (table, told) = (&self.table, self.seq());
            house.fault(format!("table {table} shows record {seq} and has told {told}"));
            return Ok(());
        }
        let deadline = Instant::now() + PATIENCE;
        while self.seq() < seq {
            let frame = timeout_at(deadline, self.socket.next()).await;
            let frame = frame.map_err(|_| "what is shown was not told")??;
            self.take(house, &frame.ok_or("the socket has ended")?);
        }
        if self.seq() > seq {
            // A snapshot came instead of updates.
            return Ok(());
        }
        if self.view["sight"] != shown["sight"] {
            // Whoever sits down or leaves is told the table anew right after.
            return Ok(());
        }
        house.tick("views compared");
        for part in ["seats", "hand"] {
            let (told, shown) = (steady(&self.view[part]), steady(&shown[part]));
            if told != shown {
                let table = &self.table;
                house.fault(format!("{part} of {table} at {seq}: told {told}, shown {shown}"));
            }
        }
        Ok(())
    }

    /// Asks what a seat may do, and after which record. Nothing where that is too much to ask.
    pub(crate) async fn offers(&mut self, house: &House, seat: u64) -> Fallible<Value> {
        let asked = json!({ "type": "offers", "seat": seat });
        self.socket.text(&asked.to_string()).await?;
        let deadline = Instant::now() + PATIENCE;
        loop {
            let frame = timeout_at(deadline, self.socket.next()).await;
            let frame = frame.map_err(|_| "no offers came")??.ok_or("the socket has ended")?;
            self.take(house, &frame);
            match frame["type"].as_str() {
                Some("offers") => return Ok(frame),
                Some("problem") => return Ok(Value::Null),
                _ => {}
            }
        }
    }

    /// What to come back with.
    pub(crate) fn leave(self) -> Value {
        self.view
    }
}

/// Without what the clock alone changes: windows and proposals run anew after a restart.
fn steady(part: &Value) -> Value {
    let mut part = part.clone();
    if let Some(fields) = part.as_object_mut() {
        fields.remove("closes_at");
    }
    let proposals = part.get_mut("proposals").and_then(Value::as_array_mut);
    for proposal in proposals.into_iter().flatten() {
        proposal["until"] = Value::Null;
    }
    part
}

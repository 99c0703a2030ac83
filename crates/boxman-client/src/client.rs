//! Requests, one connection each.

use std::net::{Ipv4Addr, SocketAddr};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::fallible::Fallible;

/// Somebody who talks to a server.
#[derive(Clone, Debug)]
pub struct Client {
    /// Where the server is: `127.0.0.1:7777`.
    pub address: String,
    /// The token that says who it is; nobody where it is empty.
    pub token: String,
    /// Which of this machine's addresses it comes from, where that matters: all of 127/8 are the
    /// loopback, and a server counts by address.
    pub from: Option<Ipv4Addr>,
}

/// What a server answered.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The headers, in lower case, as they came.
    pub head: String,
    /// The body as text.
    pub text: String,
    /// The body as JSON; null where it is none.
    pub json: Value,
}

impl Answer {
    /// The code of the problem it is.
    pub fn code(&self) -> &str {
        self.json["code"].as_str().unwrap_or_default()
    }

    /// The JSON, where the request went well.
    pub fn ok(self) -> Fallible<Value> {
        match self.status {
            200..300 => Ok(self.json),
            status => Err(format!("{status}: {}", self.text).into()),
        }
    }
}

impl Client {
    /// Nobody in particular.
    pub fn anyone(address: &str) -> Client {
        Client { address: address.to_owned(), token: String::new(), from: None }
    }

    /// The same from another address of this machine.
    pub fn coming_from(self, from: Ipv4Addr) -> Client {
        Client { from: Some(from), ..self }
    }

    /// A guest of this name.
    pub async fn guest(address: &str, name: &str) -> Fallible<Client> {
        Client::anyone(address).enter("/api/guest", &json!({ "name": name })).await
    }

    /// Somebody with a password.
    pub async fn login(address: &str, name: &str, password: &str) -> Fallible<Client> {
        let login = json!({ "name": name, "password": password });
        Client::anyone(address).enter("/api/login", &login).await
    }

    /// Whoever makes the first account with the one-time link.
    pub async fn first(address: &str, link: &str, name: &str, password: &str) -> Fallible<Client> {
        let redeem = json!({ "link": link, "name": name, "password": password });
        Client::anyone(address).enter("/api/setup", &redeem).await
    }

    async fn enter(&self, path: &str, body: &Value) -> Fallible<Client> {
        let me = self.post(path, body).await?.ok()?;
        let token = me["token"].as_str().ok_or("there is no token in the answer")?;
        Ok(Client { token: token.to_owned(), ..self.clone() })
    }

    /// Asks for something.
    pub async fn get(&self, path: &str) -> Fallible<Answer> {
        self.request("GET", path, "").await
    }

    /// Sends something.
    pub async fn post(&self, path: &str, body: &Value) -> Fallible<Answer> {
        self.request("POST", path, &body.to_string()).await
    }

    /// Asks a table for something, under an id.
    pub async fn command(&self, table: &str, id: &str, command: &Value) -> Fallible<Answer> {
        self.ask(table, id, None, command).await
    }

    /// Asks a table for something in a betting round, if one is named, under an id.
    pub async fn ask(
        &self,
        table: &str,
        id: &str,
        round: Option<u64>,
        command: &Value,
    ) -> Fallible<Answer> {
        let mut ask = json!({ "id": id, "command": command });
        if let Some(round) = round {
            ask["round"] = json!(round);
        }
        self.post(&format!("/api/tables/{table}/commands"), &ask).await
    }

    /// Any request with any body.
    pub async fn request(&self, method: &str, path: &str, body: &str) -> Fallible<Answer> {
        let kind = if body.is_empty() { "" } else { "content-type: application/json\r\n" };
        let bearer = match self.token.as_str() {
            "" => String::new(),
            token => format!("authorization: Bearer {token}\r\n"),
        };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\n{bearer}{kind}content-length: {}\r\n\
             connection: close\r\n\r\n{body}",
            self.address,
            body.len()
        );
        self.raw(request.as_bytes()).await
    }

    /// A bare connection.
    pub async fn connect(&self) -> Fallible<TcpStream> {
        let stream = match self.from {
            None => TcpStream::connect(&self.address).await?,
            Some(from) => {
                let socket = TcpSocket::new_v4()?;
                socket.bind(SocketAddr::from((from, 0)))?;
                socket.connect(self.address.parse()?).await?
            }
        };
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    /// Bytes as they are, for requests no decent client would make.
    pub async fn raw(&self, request: &[u8]) -> Fallible<Answer> {
        let mut stream = self.connect().await?;
        let written = stream.write_all(request).await;
        let mut answer = Vec::new();
        // A server that refuses may hang up before it has read everything.
        let read = stream.read_to_end(&mut answer).await;
        if answer.is_empty() {
            written?;
            read?;
        }
        let answer = String::from_utf8(answer)?;
        let (head, body) = answer.split_once("\r\n\r\n").ok_or("the answer has no end")?;
        let head = head.to_lowercase();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let text = match head.contains("transfer-encoding: chunked") {
            true => unchunk(body),
            false => body.to_owned(),
        };
        let json = serde_json::from_str(&text).unwrap_or(Value::Null);
        Ok(Answer { status: status.ok_or("the answer has no status")?, head, text, json })
    }
}

fn unchunk(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let Ok(size) = usize::from_str_radix(size.trim(), 16) else { break };
        let Some((chunk, next)) = rest.split_at_checked(size).filter(|_| size > 0) else { break };
        whole.push_str(chunk);
        body = next.trim_start_matches("\r\n");
    }
    whole
}

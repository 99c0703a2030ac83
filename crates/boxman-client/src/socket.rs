//! A table's socket, or a sign's.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use crate::client::Client;
use crate::fallible::Fallible;

/// A bare socket.
pub type Stream = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A socket at a table, or at a sign.
pub struct TableSocket {
    /// The bare socket, for whoever needs it.
    pub stream: Stream,
}

impl Client {
    /// A table's socket, from its present state on or from the record seen last.
    pub async fn socket(&self, table: &str, after: Option<u64>) -> Fallible<TableSocket> {
        let after = after.map(|after| format!("?after={after}")).unwrap_or_default();
        TableSocket::connect(self, &format!("/api/tables/{table}/socket{after}")).await
    }

    /// The lobby: what changes at any table.
    pub async fn lobby(&self) -> Fallible<TableSocket> {
        TableSocket::connect(self, "/api/lobby/socket").await
    }

    /// The bell: what waits for this person of the crew.
    pub async fn bell(&self) -> Fallible<TableSocket> {
        TableSocket::connect(self, "/api/waiting/socket").await
    }

    /// A sign that shows a meter.
    pub async fn sign(&self, meter: &str) -> Fallible<TableSocket> {
        TableSocket::connect(self, &format!("/api/meters/{meter}/socket")).await
    }
}

impl TableSocket {
    async fn connect(client: &Client, path: &str) -> Fallible<TableSocket> {
        let mut request = format!("ws://{}{path}", client.address).into_client_request()?;
        if !client.token.is_empty() {
            let bearer = format!("Bearer {}", client.token).parse()?;
            request.headers_mut().insert("authorization", bearer);
        }
        let config = WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(0);
        let stream = MaybeTlsStream::Plain(client.connect().await?);
        let connected =
            tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await?;
        Ok(TableSocket { stream: connected.0 })
    }

    /// Sends a command under an id.
    pub async fn command(&mut self, id: &str, command: &Value) -> Fallible<()> {
        self.send(id, None, command).await
    }

    /// Sends a command for a betting round, if one is named, under an id.
    pub async fn send(&mut self, id: &str, round: Option<u64>, command: &Value) -> Fallible<()> {
        let mut frame = json!({ "type": "command", "id": id, "command": command });
        if let Some(round) = round {
            frame["round"] = json!(round);
        }
        self.text(&frame.to_string()).await
    }

    /// Sends any text.
    pub async fn text(&mut self, text: &str) -> Fallible<()> {
        Ok(self.stream.send(Message::text(text)).await?)
    }

    /// The next frame; nothing once the socket has ended.
    pub async fn next(&mut self) -> Fallible<Option<Value>> {
        while let Some(message) = self.stream.next().await {
            match message? {
                Message::Text(text) => return Ok(Some(serde_json::from_str(&text)?)),
                Message::Close(_) => return Ok(None),
                _ => {}
            }
        }
        Ok(None)
    }

    /// The code and the reason the socket ends with; other frames are passed over. Nothing where
    /// it ends without a word.
    pub async fn ending(&mut self) -> Option<(u16, String)> {
        while let Some(Ok(message)) = self.stream.next().await {
            if let Message::Close(frame) = message {
                return frame.map(|frame| (frame.code.into(), frame.reason.to_string()));
            }
        }
        None
    }

    /// The next frame of this type; others are passed over.
    pub async fn next_of(&mut self, kind: &str) -> Fallible<Value> {
        loop {
            let frame = self.next().await?.ok_or_else(|| format!("no {kind} came"))?;
            if frame["type"] == kind {
                return Ok(frame);
            }
        }
    }

    /// Sends a command and waits for its answer; updates that come before it are passed over.
    pub async fn ask(&mut self, id: &str, command: &Value) -> Fallible<Value> {
        self.command(id, command).await?;
        loop {
            let frame = self.next().await?.ok_or("the socket ended before the answer")?;
            if frame["id"] == id {
                return Ok(frame);
            }
        }
    }
}

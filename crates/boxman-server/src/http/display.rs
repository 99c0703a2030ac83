//! A socket on which the server shows something and nobody has anything to say: a sign, the lobby.

use axum::extract::ws::{Message, WebSocket};
use tokio::time::{Instant, timeout};

use super::App;
use super::crowd::Place;
use super::socket::{
    Ending, MADE_ROOM, PATIENCE, SENSELESS, SILENT, STOPPING, WRITE, failed, text,
};
use crate::wire::Frame;

/// What is shown.
pub(super) trait Display: Send {
    /// What there is to show next, when there is; nothing more once the server stops. Whoever
    /// waits for it may give up and ask again.
    fn next(&mut self) -> impl Future<Output = Option<Vec<Frame>>> + Send;
}

/// Shows something until the socket ends; says how it does.
pub(super) async fn display(
    app: &App,
    place: &Place,
    socket: &mut WebSocket,
    mut shown: impl Display,
) -> Option<Ending> {
    let mut stopping = app.stopping.clone();
    let silence = app.guard.limits.silence;
    let mut ping = tokio::time::interval(silence / 3);
    let (mut heard, mut senseless) = (Instant::now(), 0);
    loop {
        let messages: Vec<Message> = tokio::select! {
            frames = shown.next() => match frames {
                Some(frames) => frames.into_iter().map(text).collect(),
                None => return Some(STOPPING),
            },
            message = socket.recv() => {
                heard = Instant::now();
                match message? {
                    Ok(Message::Close(_)) => return None,
                    Ok(Message::Text(_) | Message::Binary(_)) => senseless += 1,
                    Ok(Message::Ping(_) | Message::Pong(_)) => {}
                    Err(error) => return failed(error),
                }
                if senseless > PATIENCE {
                    return Some(SENSELESS);
                }
                continue;
            },
            _ = stopping.changed() => return Some(STOPPING),
            () = place.needed() => return Some(MADE_ROOM),
            _ = ping.tick() => {
                if heard.elapsed() > silence {
                    return Some(SILENT);
                }
                vec![Message::Ping(Vec::new().into())]
            }
        };
        for message in messages {
            if !matches!(timeout(WRITE, socket.send(message)).await, Ok(Ok(()))) {
                return None;
            }
        }
    }
}

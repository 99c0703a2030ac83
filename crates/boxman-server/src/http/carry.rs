//! Files too long to be held: sent page by page, and taken in through a file. Whoever does not
//! take a page is let go, so that their place is free for others.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::time::Duration;

use axum::body::{Body, Bytes};
use futures_util::stream::{self, StreamExt};
use tokio::sync::mpsc;

use crate::problem::Problem;

/// So long a page waits for whoever asked for it.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// A page, or nothing after the last: one who is let go must not take what they have for all.
type Page = Result<Option<Bytes>, Problem>;

/// The end that pages are put in.
pub(super) struct Pages {
    pages: mpsc::Sender<Page>,
    patience: Duration,
}

/// The end they come out of.
pub(super) struct Taken(mpsc::Receiver<Page>);

/// One page is on its way at a time.
pub(super) fn pages(patience: Duration) -> (Pages, Taken) {
    let (pages, taken) = mpsc::channel(1);
    (Pages { pages, patience }, Taken(taken))
}

impl Pages {
    /// Sends a page; says whether anybody still takes them.
    pub(super) async fn send(&self, page: impl Into<Bytes>) -> bool {
        self.pages.send_timeout(Ok(Some(page.into())), self.patience).await.is_ok()
    }

    /// Says that it was the last, or why there are no more.
    pub(super) async fn end(self, end: Result<(), Problem>) {
        // Whoever has gone needs no end.
        let _ = self.pages.send_timeout(end.map(|()| None), self.patience).await;
    }
}

impl Taken {
    /// Waits for the first page: until then it can still be refused. The rest is a body that
    /// breaks off where its pages do.
    pub(super) async fn body(mut self) -> Result<Body, Problem> {
        let cut = || Problem::unavailable("cut-off", "nobody took the next page in time");
        let first = self.0.recv().await.unwrap_or_else(|| Err(cut()))?;
        let rest = stream::unfold(Some(self.0), move |taken| async move {
            let mut taken = taken?;
            match taken.recv().await.unwrap_or_else(|| Err(cut())) {
                Ok(Some(page)) => Some((Ok(page), Some(taken))),
                Ok(None) => None,
                Err(problem) => Some((Err(problem), None)),
            }
        });
        Ok(match first {
            Some(first) => Body::from_stream(stream::iter([Ok(first)]).chain(rest)),
            None => Body::empty(),
        })
    }
}

/// Takes a body of at most so many bytes into a file that goes when it is closed.
pub(super) async fn take_in(body: Body, most: u64) -> Result<File, Problem> {
    let unwritten =
        |error| Problem::unavailable("no-room", format!("what was sent cannot be kept: {error}"));
    let mut file = tempfile::tempfile().map_err(unwritten)?;
    let mut body = body.into_data_stream();
    let mut size = 0;
    while let Some(piece) = body.next().await {
        let piece = piece.map_err(|error| Problem::malformed(error.to_string()))?;
        size += piece.len() as u64;
        if size > most {
            let large =
                "that is more than a running server takes in, stop it and use boxman import";
            return Err(Problem::new(413, "too-large", large));
        }
        file.write_all(&piece).map_err(unwritten)?;
    }
    file.seek(SeekFrom::Start(0)).map_err(unwritten)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[tokio::test]
    async fn a_page_is_made_when_the_one_before_is_taken() {
        let (pages, taken) = pages(PATIENCE);
        let made = tokio::spawn(async move {
            for number in 0..100 {
                assert!(pages.send(format!("{number}\n")).await);
            }
            pages.end(Ok(())).await;
        });
        let mut body = taken.body().await.unwrap().into_data_stream();
        // One has been taken, one may lie ready, and the next waits for its turn.
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        assert!(!made.is_finished());
        let mut text = Vec::new();
        let mut count = 0;
        while let Some(page) = body.next().await {
            text.extend(page.unwrap());
            count += 1;
        }
        let whole: String = (0..100).map(|number| format!("{number}\n")).collect();
        assert_eq!((String::from_utf8(text).unwrap(), count), (whole, 100));
        made.await.unwrap();
    }

    #[tokio::test]
    async fn whoever_takes_nothing_is_let_go_and_has_no_whole_file() {
        let (pages, taken) = pages(Duration::from_millis(10));
        let made = tokio::spawn(async move {
            let mut sent = 0;
            while pages.send("a page").await {
                sent += 1;
            }
            sent
        });
        let body = taken.body().await.unwrap();
        assert!(made.await.unwrap() < 4, "it does not go on without them");
        let mut body = body.into_data_stream();
        let mut last = Ok(Bytes::new());
        while let Some(page) = body.next().await {
            last = page;
        }
        assert!(last.is_err(), "it breaks off");
    }

    #[tokio::test]
    async fn what_cannot_begin_is_refused() {
        let (pages, taken) = pages(PATIENCE);
        pages.end(Err(Problem::not_found("such table"))).await;
        assert_eq!(taken.body().await.err().map(|problem| problem.status), Some(404));
    }

    #[tokio::test]
    async fn what_comes_in_is_kept_in_a_file_up_to_a_size() {
        let body = |pieces: usize| {
            let piece = |_| Ok::<_, std::io::Error>(Bytes::from_static(b"0123456789"));
            Body::from_stream(stream::iter((0..pieces).map(piece)))
        };
        let mut text = String::new();
        take_in(body(100), 1_000).await.unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "0123456789".repeat(100));
        let large = take_in(body(101), 1_000).await.unwrap_err();
        assert_eq!((large.status, large.code.as_str()), (413, "too-large"));
    }
}

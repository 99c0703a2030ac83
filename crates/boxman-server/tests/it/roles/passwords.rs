//! Wrong passwords wait, and tell nothing.

use std::time::{Duration, Instant};

use boxman_client::json;
use boxman_server::testing::http::Limits;

use super::*;
use crate::live::{Folder, Live, PASSWORD, generous};

/// A wrong password is told apart from an unknown name by nothing: not by the answer, not by who
/// has to wait.
#[tokio::test]
async fn whoever_gives_a_wrong_password_waits_and_nobody_learns_who_has_an_account() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    live.account(&boss, "ann", &["player"]).await;
    let mut answers = Vec::new();
    for name in ["ann", "nobody"] {
        let first = login(&live, name, WRONG).await;
        let second = login(&live, name, PASSWORD).await;
        assert_eq!((first.status, first.code()), (401, "wrong-password"));
        assert_eq!((second.status, second.code()), (429, "wrong-passwords"));
        assert!(second.head.contains("retry-after: 1\r\n"), "{}", second.head);
        let detail = "a wrong password was given, try again in 1 second";
        assert_eq!(
            (&second.json["detail"], &second.json["retry_after"]),
            (&json!(detail), &json!(1))
        );
        answers.push([first, second].map(|answer| (answer.status, answer.text)));
    }
    assert_eq!(answers[0], answers[1]);
    // Nobody is locked out: after a second the right password is good.
    tokio::time::sleep(Duration::from_millis(1_050)).await;
    assert_eq!(login(&live, "ann", PASSWORD).await.status, 200);
    live.stop().await;
}

#[tokio::test]
async fn failures_elsewhere_hold_up_the_last_administrator_for_seconds_only() {
    let folder = Folder::new();
    let limits = Limits { behind_proxy: true, ..generous() };
    let live = Live::with_limits(&folder.store(), limits).await;
    live.boss().await;
    let guesses = (0..12).map(async |number| {
        let from = format!("10.1.0.{number}");
        login_from(&live, &from, "boss", WRONG).await.status
    });
    let statuses = futures_util::future::join_all(guesses).await;
    assert!(statuses.contains(&401), "{statuses:?}");
    let started = Instant::now();
    let mut answer = login_from(&live, "10.0.0.1", "boss", PASSWORD).await;
    if answer.status == 429 {
        let wait = answer.json["retry_after"].as_u64().unwrap();
        assert!((1..=5).contains(&wait), "{wait}");
        // However many fail meanwhile.
        let guess = login_from(&live, "10.1.0.99", "boss", WRONG).await.status;
        assert!([401, 429].contains(&guess));
        tokio::time::sleep(Duration::from_secs(wait)).await;
        answer = login_from(&live, "10.0.0.1", "boss", PASSWORD).await;
    }
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());
    live.stop().await;
}

#[tokio::test]
async fn guesses_made_all_at_once_count_one_by_one() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    live.account(&boss, "ann", &["player"]).await;
    let guesses = (0..8).map(|_| login(&live, "ann", WRONG));
    let answers = futures_util::future::join_all(guesses).await;
    let tried = answers.iter().filter(|answer| answer.code() == "wrong-password").count();
    // A second one only if the first took longer than a second.
    assert!((1..=2).contains(&tried), "{tried}");
    assert!(answers.iter().all(|answer| [401, 429].contains(&answer.status)));
    live.stop().await;
}

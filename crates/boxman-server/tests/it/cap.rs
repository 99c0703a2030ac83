//! The posted aggregate cap: everybody sees it, and what it kept back.

use boxman_client::json;

use crate::live::{does, open, put};
use crate::tables::{crewed, dealt, seated, throw};

/// A posted cap is in the view, beside each wager it binds, and in the line it took from.
#[tokio::test]
async fn a_posted_cap_is_seen_and_so_is_what_it_withheld() {
    let (_folder, live, boss, dealer) = crewed().await;
    let table = open(&boss, &dealt("Craps 1")).await;
    assert!(live.view(&table).await["cap"].is_null());
    let mut capped = dealt("Craps 2");
    capped["options"]["aggregate-cap"] = json!("100");
    let table = open(&boss, &capped).await;
    let view = live.view(&table).await;
    let posted = "All Small, All Tall and Make 'Em All win at most $100 a roll together";
    assert_eq!(view["cap"], posted);
    let wagers = view["wagers"].as_array().unwrap();
    let cap_of = |name: &str| &wagers.iter().find(|wager| wager["wager"] == name).unwrap()["cap"];
    assert_eq!(*cap_of("all-small"), "$100 a roll");
    assert!(cap_of("fired-up").is_null());
    seated(&dealer, &table).await;
    does(&dealer, &table, put(0, "all-small", 500)).await;
    let mut socket = dealer.socket(&table, None).await.unwrap();
    socket.next_of("snapshot").await.unwrap();
    let mut lines = Vec::new();
    for dice in ["1-3", "1-1", "1-2", "1-4", "2-4"] {
        throw(&dealer, &table, dice).await;
        let rolled = loop {
            let update = socket.next_of("update").await.unwrap();
            let events = update["events"].as_array().unwrap().clone();
            if let Some(rolled) = events.into_iter().find(|event| event["event"] == "rolled") {
                break rolled;
            }
        };
        lines.clone_from(rolled["lines"].as_array().unwrap());
    }
    // Five dollars at 30 to 1 are 150, of which the cap leaves 100.
    let line = lines.iter().find(|line| line["wager"] == "all-small").unwrap();
    assert_eq!((&line["won"], &line["withheld"]), (&json!(10_000), &json!(5_000)), "{line}");
    assert_eq!(line["to_rack"], 10_500);
    live.stop().await;
}

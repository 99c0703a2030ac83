//! What people do beside betting: another name in the middle of a game, calls across the table,
//! and what they have played kept for them.

use std::time::Duration;

use boxman_client::{Client, Value, json};

use crate::live::{Folder, Live, PASSWORD, ask, does, fresh_id, join, put, roll};

async fn call_me(client: &Client, name: &str) -> u16 {
    let body = json!({ "table_name": name }).to_string();
    client.request("PATCH", "/api/me", &body).await.unwrap().status
}

fn rename(seat: u8) -> Value {
    json!({ "command": "rename", "seat": seat })
}

fn name_of(view: &Value, seat: u8) -> Value {
    let seats = view["seats"].as_array().unwrap();
    seats.iter().find(|other| other["seat"] == seat).unwrap()["name"].clone()
}

#[tokio::test]
async fn a_guest_takes_another_name_and_keeps_the_seat() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let table = live.practice().await;
    let (gus, eve) = (live.guest("Lucky Otter").await, live.guest("Eve").await);
    join(&gus, &table, 0, 10_000).await;
    let mut socket = gus.socket(&table, None).await.unwrap();
    for (name, status) in [("Boxman", 422), ("", 422), ("Gustav", 200)] {
        assert_eq!(call_me(&gus, name).await, status, "{name}");
    }
    // The table calls them so once it is asked to; the socket knows who asks.
    assert_eq!(name_of(&live.view(&table).await, 0), "Lucky Otter");
    assert_eq!(ask(&eve, &table, rename(0)).await, (403, "not-your-seat".to_owned()));
    let answer = socket.ask(&fresh_id(), &rename(0)).await.unwrap();
    assert_eq!(answer["type"], "ack", "{answer}");
    assert_eq!(name_of(&live.view(&table).await, 0), "Gustav");
    let own = json!({ "command": "rename", "seat": 0, "name": "Caesar" });
    assert_eq!(ask(&gus, &table, own).await.0, 400);
    assert_eq!(ask(&gus, &table, rename(5)).await.1, "not-seated");
    // The crew names those who have no browser.
    let dealt = json!({ "command": "sit", "seat": 3, "name": "Old Bill" });
    does(&boss, &table, dealt).await;
    does(&boss, &table, json!({ "command": "rename", "seat": 3, "name": "William" })).await;
    assert_eq!(name_of(&live.view(&table).await, 3), "William");
    // It is in the log like everything else, and the log is sound.
    let path = format!("/api/tables/{table}/verify");
    let verdict = boss.get(&path).await.unwrap().ok().unwrap();
    assert_eq!(verdict["ok"], true, "{verdict}");
    live.stop().await;
    let live = Live::start(&folder.store()).await;
    let view = Client::anyone(&live.address).get(&format!("/api/tables/{table}")).await.unwrap();
    assert_eq!(name_of(&view.json, 0), "Gustav");
    live.stop().await;
}

#[tokio::test]
async fn cheers_are_heard_by_all_and_written_nowhere() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let table = live.practice().await;
    let (gus, eve) = (live.guest("Gus").await, live.guest("Eve").await);
    join(&gus, &table, 2, 10_000).await;
    let head = live.view(&table).await["seq"].clone();
    let cheer = |cheer: &str| json!({ "type": "cheer", "cheer": cheer }).to_string();
    let (mut his, mut hers) =
        (gus.socket(&table, None).await.unwrap(), eve.socket(&table, None).await.unwrap());
    his.text(&cheer("nice-roll")).await.unwrap();
    for socket in [&mut his, &mut hers] {
        let heard = socket.next_of("cheer").await.unwrap();
        assert_eq!((&heard["seat"], &heard["cheer"]), (&json!(2), &json!("nice-roll")));
    }
    // Not all the time, not from those who only watch, and nothing of one's own.
    his.text(&cheer("yo")).await.unwrap();
    assert_eq!(his.next_of("problem").await.unwrap()["problem"]["code"], "too-many-requests");
    hers.text(&cheer("ouch")).await.unwrap();
    assert_eq!(hers.next_of("problem").await.unwrap()["problem"]["code"], "forbidden");
    his.text(&cheer("you are a fool")).await.unwrap();
    assert_eq!(his.next_of("problem").await.unwrap()["problem"]["code"], "malformed");
    tokio::time::sleep(Duration::from_millis(1_600)).await;
    his.text(&cheer("thank-you")).await.unwrap();
    assert_eq!(hers.next_of("cheer").await.unwrap()["cheer"], "thank-you");
    assert_eq!(live.view(&table).await["seq"], head);
    live.stop().await;
}

#[tokio::test]
async fn what_somebody_has_played_is_kept_with_their_account() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let ann = live.account(&boss, "ann", &["player"]).await;
    let keep = async |who: &Client, id: &str, session: &Value| {
        let path = format!("/api/me/play/{id}");
        who.request("PUT", &path, &session.to_string()).await.unwrap().status
    };
    let kept = async |who: &Client| who.get("/api/me/play").await.unwrap().json["sessions"].clone();
    assert_eq!(kept(&ann).await, json!([]));
    assert_eq!(keep(&ann, "one", &json!({ "net": -500 })).await, 204);
    assert_eq!(keep(&ann, "two", &json!({ "net": 1_200 })).await, 204);
    assert_eq!(keep(&ann, "one", &json!({ "net": 700 })).await, 204);
    let sessions = kept(&ann).await;
    let of = |id: &str| {
        let all = sessions.as_array().unwrap().iter();
        all.filter(|one| one["id"] == id)
            .map(|one| one["session"]["net"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!((of("one"), of("two")), (vec![json!(700)], vec![json!(1_200)]));
    // Nobody else's, not too much, and none of a guest's.
    assert_eq!(kept(&boss).await, json!([]));
    assert_eq!(keep(&ann, "a%20b", &json!({})).await, 400);
    assert_eq!(keep(&ann, "long", &json!({ "text": "x".repeat(17_000) })).await, 413);
    assert_eq!(keep(&live.guest("Gus").await, "one", &json!({})).await, 403);
    live.stop().await;
    let live = Live::start(&folder.store()).await;
    let ann = Client::login(&live.address, "ann", PASSWORD).await.unwrap();
    assert_eq!(kept(&ann).await, sessions);
    for number in 0..210 {
        assert_eq!(keep(&ann, &format!("s{number}"), &json!({ "number": number })).await, 204);
    }
    let all = kept(&ann).await;
    assert_eq!(all.as_array().unwrap().len(), 200);
    assert!(!all.to_string().contains("\"one\""), "the oldest are gone");
    let forget = async |path: &str| ann.request("DELETE", path, "").await.unwrap().status;
    assert_eq!(forget("/api/me/play/s209").await, 204);
    assert_eq!(kept(&ann).await.as_array().unwrap().len(), 199);
    assert_eq!(forget("/api/me/play").await, 204);
    assert_eq!(kept(&ann).await, json!([]));
    live.stop().await;
}

#[tokio::test]
async fn everybody_hears_that_the_shooter_has_gone_and_may_throw() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let table = live.practice().await;
    let (gus, eve) = (live.guest("Gus").await, live.guest("Eve").await);
    let his = gus.socket(&table, None).await.unwrap();
    let mut hers = eve.socket(&table, None).await.unwrap();
    join(&gus, &table, 0, 10_000).await;
    join(&eve, &table, 1, 10_000).await;
    does(&gus, &table, put(0, "pass", 1_500)).await;
    assert_eq!(ask(&eve, &table, roll()).await.1, "not-your-seat");
    drop(his);
    assert_eq!(hers.next_of("shooter-away").await.unwrap()["away"], true);
    // Whoever comes now is told as well.
    let mut late = eve.socket(&table, None).await.unwrap();
    assert_eq!(late.next_of("shooter-away").await.unwrap()["away"], true);
    does(&eve, &table, roll()).await;
    let _back = gus.socket(&table, None).await.unwrap();
    assert_eq!(hers.next_of("shooter-away").await.unwrap()["away"], false);
    live.stop().await;
}

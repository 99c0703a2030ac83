//! What waits for a second person, and what may not happen until then.

use super::*;

/// One request about a roll waits at a time: no play slips in between two of them. Until it is
/// answered no chips leave the table, and no seat is given up.
#[tokio::test]
async fn a_roll_is_considered_by_one_request_at_a_time() {
    let crew = Crew::open(&json!({})).await;
    crew.seated(500).await;
    crew.does(&crew.dan, put(0, "pass", 1000)).await;
    let roll = crew.throws("4-2").await;
    let void = json!({ "command": "void", "of": roll, "reason": "cocked" });
    let asked = crew.does(&crew.dan, void).await;
    let correct = json!({ "command": "correct", "of": roll, "dice": "4-3", "reason": "misread" });
    assert_eq!(crew.refused(&crew.dee, correct.clone()).await, "proposal-open");
    let give_up = json!({ "command": "give-up-seat", "seat": 1, "reason": "gone" });
    assert_eq!(crew.refused(&crew.dan, give_up).await, "proposal-open");
    let withdraw = json!({ "command": "withdraw", "proposal": asked });
    crew.does(&crew.dan, withdraw).await;
    crew.agreed(correct).await;
    crew.sound().await;
    crew.live.stop().await;
}

/// The second person agrees to the chips that the request names, and to no others. Until then the
/// player plays on.
#[tokio::test]
async fn a_seat_is_given_up_with_what_the_second_person_has_seen() {
    let crew = Crew::open(&json!({ "cash_outs_over": 10_000 })).await;
    crew.seated(500).await;
    crew.does(&crew.dan, put(1, "pass", 1000)).await;
    let give_up = json!({ "command": "give-up-seat", "seat": 1, "reason": "gone" });
    let approve = |proposal: u64| json!({ "command": "approve", "proposal": proposal });
    let asked = crew.does(&crew.dan, give_up.clone()).await;
    let view = crew.view().await;
    assert_eq!(view["seats"][1]["bets"][0]["stake"], 1000);
    let lines = view["hand"]["proposals"][0]["lines"].as_array().unwrap();
    let bet = lines.iter().find(|line| line["before"] == "$10");
    assert!(bet.is_some_and(|line| line["what"].as_str().unwrap().contains("Bea")), "{lines:?}");
    crew.does(&crew.dan, put(1, "field", 500)).await;
    assert_eq!(crew.refused(&crew.sue, approve(asked)).await, "out-of-date");
    let withdraw = json!({ "command": "withdraw", "proposal": asked });
    crew.does(&crew.dan, withdraw).await;
    let agreed = crew.agreed(give_up).await;
    assert_eq!(crew.view().await["seats"].as_array().unwrap().len(), 1);
    let work = crew.work().await;
    let list = work.iter().find(|list| list["list"] == json!(agreed)).unwrap();
    assert_eq!((&list["cause"], &list["reason"]), (&json!("given-up"), &json!("gone")));
    // The same holds for a player who leaves.
    let leave = json!({ "command": "leave", "seat": 0 });
    let asked = crew.does(&crew.dan, leave).await;
    let chips = json!({ "command": "buy-in", "seat": 0, "amount": 5_000, "kind": "chips" });
    crew.does(&crew.dan, chips).await;
    assert_eq!(crew.refused(&crew.sue, approve(asked)).await, "out-of-date");
    crew.sound().await;
    crew.live.stop().await;
}

/// A roll is always booked, and a table is not closed over chips that somebody has still to move.
#[tokio::test]
async fn thrown_dice_are_booked_by_a_short_tray_and_no_table_closes_over_work() {
    let crew = Crew::open(&json!({})).await;
    crew.does(&crew.dan, json!({ "command": "fill", "amount": 100_000 })).await;
    crew.does(&crew.dan, json!({ "command": "sit", "seat": 0, "name": "Walter" })).await;
    let buy_in = |amount: i64| json!({ "command": "buy-in", "seat": 0, "amount": amount });
    crew.does(&crew.dan, buy_in(90_000)).await;
    crew.does(&crew.dan, put(0, "pass", 1_000)).await;
    crew.does(&crew.dan, json!({ "command": "close-betting" })).await;
    crew.does(&crew.dan, buy_in(90_000)).await;
    assert_eq!(crew.hand().await["tray"], -80_000);
    crew.does(&crew.dan, json!({ "command": "key-roll", "dice": "3-4" })).await;
    crew.does(&crew.dan, json!({ "command": "fill", "amount": 1_000_000 })).await;
    crew.does(&crew.dan, open_betting()).await;
    crew.does(&crew.dan, put(0, "field", 1_000)).await;
    let give_up = json!({ "command": "give-up-seat", "seat": 0, "reason": "gone" });
    let list = crew.does(&crew.dan, give_up).await;
    let tray = crew.hand().await["tray"].clone();
    crew.does(&crew.dan, json!({ "command": "credit", "amount": tray })).await;
    let close = json!({ "command": "close", "reason": "the night is over" });
    let problem = crew.asks(&crew.sue, None, close.clone()).await.unwrap_err();
    let left = problem["remains"].as_array().unwrap();
    assert_eq!(left.iter().map(|one| &one["kind"]).collect::<Vec<_>>(), ["work"], "{problem}");
    crew.does(&crew.dan, json!({ "command": "done", "list": list })).await;
    crew.agreed_by(&crew.sue, &crew.boss, close).await;
    crew.sound().await;
    crew.live.stop().await;
}

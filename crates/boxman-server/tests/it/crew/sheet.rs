//! The sheet of a day: what is drop, what is not, and what the tray held.

use super::*;

#[tokio::test]
async fn the_drop_is_what_the_box_holds() {
    let crew = Crew::open(&json!({})).await;
    crew.does(&crew.dan, json!({ "command": "fill", "amount": 1_000_000 })).await;
    crew.does(&crew.dan, json!({ "command": "sit", "seat": 0, "name": "Cy" })).await;
    for (kind, amount) in [("cash", 10_000), ("chips", 30_000)] {
        let buy_in = json!({ "command": "buy-in", "seat": 0, "amount": amount, "kind": kind });
        crew.does(&crew.dan, buy_in).await;
    }
    crew.does(&crew.dan, put(0, "pass", 1000)).await;
    crew.throws("5-6").await;
    crew.does(&crew.dan, open_betting()).await;
    let toke = json!({ "command": "cash-out", "seat": 0, "amount": 500, "kind": "toke" });
    crew.does(&crew.dan, toke).await;
    let report = crew.boss.get("/api/reports").await.unwrap().ok().unwrap();
    let day = &report["days"][0];
    let (held, tray) = (&day["held"], crew.hand().await["tray"].clone());
    assert_eq!(held["drop"], 10_000);
    let bought = json!({ "cash": 10_000, "markers": 0, "coupons": 0, "chips": 30_000 });
    assert_eq!(held["buy_ins"], bought);
    let out = json!({ "walk": 0, "jackpots": 0, "redeemed": 0, "tokes": 500, "left_behind": 0 });
    assert_eq!((&held["cash_outs"], &held["cashed_out"]), (&out, &json!(500)));
    // The pass line has cost the tray $10, and the chips sold have left it.
    assert_eq!((&day["tray"], &tray), (&json!(989_000), &json!(989_000)));
    assert_eq!(held["hold_of_drop"], -10.0);
    // Beside the drop, the spreadsheet has every kind in a column of its own.
    let csv = crew.boss.get("/api/reports?format=csv").await.unwrap().text;
    let (header, line) = csv.split_once("\r\n").unwrap();
    let line = line.lines().next().unwrap();
    let cell = |name: &str| {
        let place = header.split(',').position(|column| column == name);
        line.split(',').nth(place.unwrap()).unwrap()
    };
    let cells = ["drop", "drop-cash", "chips-brought", "tokes", "tray"].map(cell);
    assert_eq!(cells, ["10000", "10000", "30000", "500", "989000"]);
    crew.sound().await;
    crew.live.stop().await;
}

//! What the server offers, it takes; what it does not offer, it does not. Whether the table stood
//! still between the offer and the bet is told by the numbers.

use boxman_client::{Fallible, Random, Value, json};

use crate::commands::Sight;
use crate::follow::Follow;
use crate::house::House;
use crate::people::Person;

/// Asks what may be bet, and bets something of it, or something else.
pub(crate) async fn take_up(
    house: &House,
    person: &Person,
    follow: &mut Follow,
    random: &mut Random,
) -> Fallible<()> {
    let me = person.id();
    let sight = Sight { house, view: &follow.view, me: &me };
    let own: Vec<u64> = sight.own().iter().filter_map(|seat| seat["seat"].as_u64()).collect();
    let Some(seat) = random.some(&own).copied() else {
        return follow.offers(house, random.below(24)).await.map(drop);
    };
    let told = follow.offers(house, seat).await?;
    let offers = told["offers"].as_array().map_or(&[][..], Vec::as_slice);
    let Some(offer) = random.some(offers) else { return Ok(()) };
    let offered = offer["why_not"].is_null();
    let amount = if offered { choose(random, offer) } else { 500 };
    let put = json!({ "command": "put", "seat": seat, "wager": offer["wager"], "amount": amount });
    let answer = follow.ask(house, person, &put, true).await?;
    let before = told["seq"].as_u64().unwrap_or(0);
    match answer {
        Ok(seq) if !offered && seq == before + 1 => {
            house.fault(format!("{put} was taken, after {offer} at record {before}"));
        }
        Err(code) if offered && code != "not-logged-in" => {
            let Some(now) = follow.look(house).await? else { return Ok(()) };
            // Offers are about spots; that bets are not taken at all is in the hand.
            let hand = &now["hand"];
            let open = hand["betting"] == json!(true) && hand["status"] == "running";
            if open && now["seq"].as_u64() == Some(before) {
                house.fault(format!("{put} was refused as {code}, after {offer}"));
            }
        }
        _ => house.tick("offers taken up"),
    }
    Ok(())
}

fn choose(random: &mut Random, offer: &Value) -> i64 {
    let figure = |name: &str, other: i64| offer[name].as_i64().unwrap_or(other);
    let (least, step) = (figure("least", 100), figure("step", 100).max(1));
    let most = figure("most", least).max(least);
    match random.below(3) {
        0 => least,
        1 => most,
        _ => least + (random.below(((most - least) / step) as u64 + 1) as i64) * step,
    }
}

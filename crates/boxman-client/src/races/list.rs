//! Every race.

use serde_json::{Value, json};

use super::{
    Act, Race, Times, approve, close, correct, key, no_roll, open, pass_dice, put, void, withdraw,
};
use Times::{AtMostOnce, Once};

/// A real table of today's procedures, at which awards over $100 wait to be confirmed.
fn table(more: &Value) -> Value {
    let mut config = json!({
        "name": "Race",
        "rules": ["presque-isle", "bonus-craps-nevada:PT-FLT-BC-03"],
        "dice": "dealer",
        "confirm_over": 10_000,
        "two_people_over": 100_000_000,
    });
    for (name, value) in more.as_object().into_iter().flatten() {
        config[name] = value.clone();
    }
    config
}

/// Two players of the rail and one with a browser have chips.
fn seated() -> Vec<Act> {
    let dan = |command: Value| Act::new("dan", command);
    vec![
        dan(json!({ "command": "fill", "amount": 1_000_000 })),
        dan(json!({ "command": "sit", "seat": 0, "name": "Walter" })),
        dan(json!({ "command": "sit", "seat": 1, "name": "Bea" })),
        Act::new("ann", json!({ "command": "sit", "seat": 2 })),
        dan(json!({ "command": "buy-in", "seat": 0, "amount": 50_000 })),
        dan(json!({ "command": "buy-in", "seat": 1, "amount": 50_000 })),
        dan(json!({ "command": "buy-in", "seat": 2, "amount": 50_000 })),
    ]
}

fn with(mut acts: Vec<Act>, more: impl IntoIterator<Item = Act>) -> Vec<Act> {
    acts.extend(more);
    acts
}

/// The shooter has a bet on the line.
fn lined() -> Vec<Act> {
    with(seated(), [put("dan", 0, "pass", 1_000)])
}

/// The dice are out.
fn dice_out() -> Vec<Act> {
    with(lined(), [close("dan")])
}

/// A roll is booked, and is being paid.
fn rolled() -> Vec<Act> {
    with(dice_out(), [key("dan", "4-2").noted("roll")])
}

/// A roll is booked and paid.
fn paid() -> Vec<Act> {
    with(rolled(), [open("dan")])
}

/// A void of the last roll is asked for.
fn void_asked() -> Vec<Act> {
    with(rolled(), [void("dan").noted("void")])
}

/// All Small is won for $175, which waits to be confirmed.
fn award_held() -> Vec<Act> {
    let mut acts = with(lined(), [put("dan", 1, "all-small", 500)]);
    for dice in ["2-2", "2-3", "3-3", "1-1"] {
        acts.extend([close("dan"), key("dan", dice), open("dan")]);
    }
    with(acts, [close("dan"), key("dan", "1-2"), open("dan")])
}

/// It has been checked, too.
fn award_checked() -> Vec<Act> {
    with(award_held(), [check("dee", "dice"), check("dee", "surveillance")])
}

fn check(who: &'static str, item: &str) -> Act {
    Act::new(who, json!({ "command": "check", "claim": 1, "item": item }))
}

/// Another configuration: the present one with another name.
fn configure(who: &'static str, name: &str) -> Act {
    let config = json!({ "$": "config", "name": name });
    let reason = "a busy night";
    Act::new(who, json!({ "command": "configure", "config": config, "reason": reason }))
}

/// Money goes after the last roll but one: the field of $5 had won.
fn mend(who: &'static str) -> Act {
    let mend = json!({ "command": "mend", "of": "$roll", "kind": "dice", "dice": "5-4",
        "reason": "misread" });
    Act::new(who, mend)
}

/// A roll with a bet on the field is booked, and the one after it.
fn two_rolls() -> Vec<Act> {
    let rolled = with(lined(), [put("dan", 1, "field", 500), close("dan")]);
    let next = [open("dan"), close("dan"), key("dan", "5-3"), open("dan")];
    with(with(rolled, [key("dan", "4-2").noted("roll")]), next)
}

fn confirm(who: &'static str) -> Act {
    Act::new(who, json!({ "command": "confirm-claim", "claim": 1 }))
}

fn deny(who: &'static str) -> Act {
    Act::new(who, json!({ "command": "deny-claim", "claim": 1, "reason": "a late bet" }))
}

/// What may be said to a command that names its round, whatever else happens at the table.
const MOMENT: [&str; 6] =
    ["other-roll", "table-paused", "being-paid", "betting-closed", "betting-open", "not-paying"];
/// What may be said to the second of two people.
const ANSWER: [&str; 3] = ["other-roll", "no-such-proposal", "nothing-to-void"];

struct Sketch(Race);

fn race(name: &'static str, setup: Vec<Act>) -> Sketch {
    let codes = MOMENT.to_vec();
    let (people, deeds) = (Vec::new(), Vec::new());
    Sketch(Race { name, config: table(&json!({})), setup, people, codes, deeds })
}

impl Sketch {
    fn table(mut self, more: &Value) -> Sketch {
        self.0.config = table(more);
        self
    }

    fn person(mut self, acts: impl IntoIterator<Item = Act>) -> Sketch {
        self.0.people.push(acts.into_iter().collect());
        self
    }

    fn codes(mut self, codes: &[&'static str]) -> Sketch {
        self.0.codes.extend(codes);
        self
    }

    fn deed(mut self, deed: &'static str, times: Times) -> Sketch {
        self.0.deeds.push((deed, times));
        self
    }
}

/// Every race.
pub fn races() -> Vec<Race> {
    let sketches = throws().into_iter().chain(voids()).chain(bets()).chain(two_people());
    sketches.map(|sketch| sketch.0).collect()
}

/// One throw of the dice, and two people who say what it was.
fn throws() -> Vec<Sketch> {
    // The next hand of the game goes on, so that a late command finds the dice out again.
    let next = || [open("dan"), close("dan")];
    vec![
        race("two people key the same dice", dice_out())
            .person(with(vec![key("dan", "4-2").held().deed("throw")], next()))
            .person([key("dee", "4-2").held().deed("throw").late(0, 1_500)])
            .deed("throw", Once),
        race("two people key other dice", dice_out())
            .person(with(vec![key("dan", "4-2").held().deed("throw")], next()))
            .person([key("dee", "5-3").held().deed("throw").late(0, 1_500), open("dee")])
            .deed("throw", Once),
        race("two people close betting and key", lined())
            .person(with(vec![close("dan").held(), key("dan", "4-2").held().deed("throw")], next()))
            .person([
                close("dee").held().late(0, 1_000),
                key("dee", "4-2").held().deed("throw").late(0, 1_000),
            ])
            .deed("throw", Once),
        race("one keys a throw, the other calls no roll", dice_out())
            .person([key("dan", "4-2").held().deed("throw"), open("dan"), close("dan")])
            .person([no_roll("dee").held().deed("throw"), close("dee")])
            .deed("throw", Once),
        race("a key is held back across a no-roll and a new close", dice_out())
            .person([
                no_roll("dan").held().deed("first throw"),
                close("dan").noted("closed"),
                key("dan", "5-3").deed("second throw").late(0, 2_000),
            ])
            .person([key("dee", "4-2").held().deed("first throw").late(0, 2_500)])
            .deed("first throw", Once)
            .deed("second throw", AtMostOnce),
        race("two people pass the dice", lined())
            .person([pass_dice("dan").held().deed("pass")])
            .person([pass_dice("dee").held().deed("pass").late(0, 1_000)])
            .deed("pass", Once),
    ]
}

/// The last roll is taken back.
fn voids() -> Vec<Sketch> {
    vec![
        race("a key is held back across a void and a new close", dice_out())
            .person([
                key("dan", "4-2").held().deed("first throw").noted("roll"),
                void("dan").noted("void"),
                open("dan").after("agreed"),
                close("dan"),
                key("dan", "5-3").deed("second throw").late(0, 2_000),
            ])
            .person([approve("sue", "void").noted("agreed")])
            .person([key("dee", "4-2").held().deed("first throw").late(0, 3_000)])
            .codes(&ANSWER)
            .deed("first throw", Once)
            .deed("second throw", AtMostOnce),
        race("a void is asked for, and the next throw is keyed", with(paid(), [close("dan")]))
            .person([void("dan").noted("void")])
            .person([key("dee", "5-3").held().deed("throw"), open("dee"), close("dee")])
            .person([approve("sue", "void").late(0, 800)])
            .codes(&ANSWER)
            .deed("throw", AtMostOnce),
        race(
            "a void is thought better of, and the next throw is keyed",
            with(paid(), [close("dan")]),
        )
        .person([void("dan").noted("void"), withdraw("dan", "void").late(0, 800)])
        .person([key("dee", "5-3").held().deed("throw").late(0, 1_500), open("dee")])
        .codes(&ANSWER)
        .deed("throw", AtMostOnce),
        race(
            "a correction is asked for, and the next throw is keyed",
            with(paid(), [close("dan")]),
        )
        .person([correct("dan", "5-1").noted("correct")])
        .person([key("dee", "5-3").held().deed("throw"), open("dee"), close("dee")])
        .person([approve("sue", "correct").late(0, 800)])
        .codes(&ANSWER)
        .deed("throw", AtMostOnce),
        race("a void is agreed to and withdrawn", void_asked())
            .person([approve("sue", "void").deed("answer")])
            .person([withdraw("dan", "void").deed("answer")])
            .person([key("dee", "5-3")])
            .codes(&ANSWER)
            .deed("answer", Once),
        race("a void and a correction of one roll", rolled())
            .person([void("dan").noted("void")])
            .person([correct("dee", "5-1").noted("correct")])
            .person([approve("sue", "void").deed("taken back")])
            .person([approve("sam", "correct").deed("taken back")])
            .codes(&ANSWER)
            .codes(&["proposal-open"])
            .deed("taken back", AtMostOnce),
        race("betting opens while a void is asked for", rolled())
            .person([void("dan").noted("void")])
            .person([open("dee").held(), put("dee", 1, "field", 1_000), close("dee")])
            .person([approve("sue", "void").late(0, 800)])
            .codes(&ANSWER),
    ]
}

/// Bets of players and of the crew.
fn bets() -> Vec<Sketch> {
    vec![
        race("a bet, a dealer and the clock", lined())
            .table(&json!({ "betting_seconds": 4 }))
            .person([put("ann", 2, "field", 500).held().late(0, 5_000)])
            .person([put("dee", 1, "field", 500).held().late(2_000, 5_000)])
            .person([
                close("dan").held().late(3_000, 5_000),
                key("dan", "4-2").held().deed("throw"),
                open("dan"),
            ])
            .deed("throw", Once),
        race("a bet across a void", paid())
            .person([
                put("ann", 2, "field", 500).held().late(0, 1_500),
                put("ann", 2, "place 8", 600).held().late(0, 500),
            ])
            .person([put("dee", 1, "field", 500).held()])
            .person([void("dan").noted("void"), open("dan").after("agreed")])
            .person([approve("sue", "void").noted("agreed")])
            .codes(&ANSWER),
        race("a bet across another configuration", seated())
            .person([put("ann", 2, "field", 500).held().late(0, 1_500)])
            .person([put("dee", 1, "field", 500).held().late(0, 1_500)])
            .person([configure("sue", "Other").noted("other")])
            .person([approve("sam", "other")])
            .codes(&["no-such-proposal", "out-of-date"]),
        race(
            "automatic bets after a seven",
            with(paid(), [put("ann", 2, "field", 500), close("dan")]),
        )
        .person([
            put("ann", 2, "field", 500).held().late(0, 2_000),
            put("ann", 2, "place 8", 600).held(),
            put("ann", 2, "pass", 1_000),
        ])
        .person([key("dan", "6-1").held().deed("throw"), open("dan")])
        .person([key("dee", "6-1").held().deed("throw").late(0, 1_500), open("dee")])
        .codes(&["not-now"])
        .deed("throw", Once),
    ]
}

/// What takes two people.
fn two_people() -> Vec<Sketch> {
    vec![
        race("an award is confirmed while its denial is asked for", award_checked())
            .person([confirm("sue").deed("answer").late(0, 800)])
            .person([deny("sam").noted("deny")])
            .person([approve("sid", "deny").deed("answer")])
            .codes(&["no-such-proposal", "no-such-claim", "denial-open"])
            .deed("answer", Once),
        race("one thing about an award is checked twice", award_held())
            .person([check("dan", "dice").deed("check")])
            .person([check("dee", "dice").deed("check")])
            .codes(&["checked"])
            .deed("check", Once),
        race("an award is confirmed twice", award_checked())
            .person([confirm("sue").deed("answer")])
            .person([confirm("sam").deed("answer")])
            .codes(&["no-such-claim"])
            .deed("answer", Once),
        race("a roll is mended twice", two_rolls())
            .person([mend("dan").noted("one")])
            .person([mend("dee").noted("two").late(0, 800)])
            .person([approve("sue", "one").late(0, 800)])
            .person([approve("sam", "two")])
            .codes(&["no-such-proposal", "out-of-date"]),
        race("a roll is mended while the last one is taken back", two_rolls())
            .person([mend("dan").noted("mend")])
            .person([approve("sue", "mend").late(0, 800)])
            .person([correct("dee", "5-1")])
            .codes(&["no-such-proposal", "out-of-date", "other-roll", "proposal-open"]),
        race("two configurations", seated())
            .person([configure("sue", "One").noted("one")])
            .person([configure("sam", "Two").noted("two")])
            .person([approve("sid", "one")])
            .person([approve("sue", "two")])
            .codes(&["no-such-proposal", "out-of-date"]),
    ]
}

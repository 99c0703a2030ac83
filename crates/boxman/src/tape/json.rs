//! A played tape as JSON lines: one event each, and a summary last. Amounts are cents.

use std::collections::BTreeMap;

use craps::floor::FloorEvent;
use craps::meter::{MeterEvent, Moved};
use craps::settle::Settled;
use craps::table::{Betting, HeldAward, Rolled, Undone, Voided};
use craps::tape::Played;
use craps::wager::Due;
use craps::{Account, Bet, Cents, Event, Fate, Seat, Tape, hex};
use serde_json::{Map, Value, json};

use super::Names;

pub(super) fn lines(tape: &Tape, played: &Played) -> Vec<String> {
    let mut writer = Writer(Names::of(tape));
    let mut lines = Vec::new();
    for entry in &played.entries {
        writer.0.go_over(entry);
        let mut push = |event: Value| {
            let mut fields = Map::from_iter([("line".to_owned(), json!(entry.line))]);
            if let Value::Object(event) = event {
                fields.extend(event);
            }
            lines.push(Value::Object(fields).to_string());
        };
        for event in &entry.events {
            writer.0.follow(event);
            push(match event {
                FloorEvent::Table { event, .. } => writer.event(event),
                FloorEvent::Meter { meter, event } => writer.meter(meter, event),
            });
        }
        if let Some(refusal) = &entry.refusal {
            push(json!({
                "event": "refused",
                "step": entry.text.trim_start_matches('!').trim(),
                "code": refusal.code(),
                "sentence": refusal.to_string(),
            }));
        }
    }
    lines.push(writer.summary(tape, played).to_string());
    lines
}

struct Writer(Names);

impl Writer {
    fn bet(&self, bet: &Bet) -> Value {
        json!({
            "wager": self.0.spot(bet.spot),
            "stake": bet.stake,
            "vig": bet.vig,
            "call": bet.call,
        })
    }

    fn event(&self, event: &Event) -> Value {
        match event {
            Event::Sat { seat, name } => json!({ "event": "sat", "player": name, "seat": seat.0 }),
            Event::Renamed { seat, name } => {
                json!({ "event": "renamed", "player": name, "seat": seat.0 })
            }
            Event::Left { seat, kind, postings } => json!({
                "event": "left",
                "player": self.0.name(*seat),
                "kind": kind,
                "amount": postings.gain(Account::Cage),
            }),
            Event::BoughtIn { seat, kind, postings } => json!({
                "event": "bought-in",
                "player": self.0.name(*seat),
                "kind": kind,
                "amount": postings.gain(Account::Rack(*seat)),
            }),
            Event::CashedOut { seat, kind, postings } => json!({
                "event": "cashed-out",
                "player": self.0.name(*seat),
                "kind": kind,
                "amount": postings.gain(Account::Cage),
            }),
            Event::Filled { postings } => {
                json!({ "event": "filled", "amount": postings.gain(Account::Bank) })
            }
            Event::Credited { postings } => {
                json!({ "event": "credited", "amount": postings.gain(Account::Cage) })
            }
            Event::Put(betting) => self.betting("put", betting),
            Event::Took(betting) => self.betting("took", betting),
            Event::Called(betting) => self.betting("called", betting),
            Event::BettingClosed => json!({ "event": "betting-closed" }),
            Event::Rolled(rolled) => self.rolled("rolled", rolled),
            Event::NoRoll => json!({ "event": "no-roll" }),
            Event::DicePassed { to } => json!({ "event": "dice-passed", "to_seat": to.0 }),
            Event::Swept(swept) => {
                let lines = swept.settlement.lines.iter().map(|line| self.line(line));
                json!({ "event": "swept", "lines": lines.collect::<Vec<_>>() })
            }
            Event::Voided(voided) => self.voided("voided", voided),
            Event::Corrected { voided, rolled } => {
                let mut corrected = self.rolled("corrected", rolled);
                corrected["voided"] = self.voided("voided", voided);
                corrected
            }
            Event::ClaimPaid { claim, shares, postings } => json!({
                "event": "claim-paid",
                "claim": claim,
                "shares": self.by_name(shares.iter().copied()),
                "envy": postings.gain(Account::Envy),
            }),
            Event::Held { award, .. } => self.award("held", award),
            Event::EnvyHeld { envy, .. } => {
                json!({ "event": "envy-held", "claims": envy.claims, "amount": envy.amount })
            }
            Event::Released { award, postings } => {
                let mut released = self.award("released", award);
                released["envy"] = json!(postings.gain(Account::Envy));
                released
            }
            Event::ClaimDenied { claim, spot, seats, reason, envy, postings } => {
                let back = |seat: &Seat| (*seat, postings.gain(Account::Rack(*seat)));
                json!({
                    "event": "claim-denied",
                    "claim": claim,
                    "wager": self.0.spot(*spot),
                    "amount": -postings.gain(Account::Held) - *envy,
                    "envy": envy,
                    "shares": self.by_name(seats.iter().map(back)),
                    "reason": reason,
                })
            }
            Event::Returned { betting, reason } => {
                let mut returned = self.betting("returned", betting);
                returned["reason"] = json!(reason);
                returned
            }
            Event::Mended(mended) => {
                let house = mended.postings.gain(Account::House);
                json!({ "event": "mended", "mending": mended.mending, "house": house })
            }
            Event::PayingBegun => json!({ "event": "paying-begun" }),
            Event::BettingOpened => json!({ "event": "betting-opened" }),
            Event::Configured { rules } => {
                let name = &self.0.rules.name;
                json!({ "event": "configured", "name": name, "rules": hex::encode(rules) })
            }
            Event::Paused => json!({ "event": "paused" }),
            Event::Resumed => json!({ "event": "resumed" }),
            Event::Closed => json!({ "event": "closed" }),
        }
    }

    fn award(&self, event: &str, award: &HeldAward) -> Value {
        json!({
            "event": event,
            "claim": award.id,
            "player": self.0.name(award.seat),
            "wager": self.0.spot(award.spot),
            "amount": award.amount,
        })
    }

    fn betting(&self, event: &str, betting: &Betting) -> Value {
        json!({
            "event": event,
            "player": self.0.name(betting.seat),
            "wager": self.0.spot(betting.spot),
            "chips": betting.postings.gain(Account::Action(betting.seat)),
            "bets": betting.bets.iter().map(|bet| self.bet(bet)).collect::<Vec<_>>(),
        })
    }

    fn rolled(&self, event: &str, rolled: &Rolled) -> Value {
        let settlement = &rolled.settlement;
        let envy = |(award, amount): &(craps::spot::AwardId, Cents)| {
            let award = self.0.rules.award(*award);
            let wager = &self.0.rules.wager(award.wager).name;
            json!({ "wager": wager, "award": award.event, "amount": amount })
        };
        let claim = |claim: &craps::table::Claim| {
            let winners: Vec<&str> =
                claim.winners.iter().map(|(seat, _)| self.0.name(*seat)).collect();
            json!({ "claim": claim.id, "meter": claim.meter, "winners": winners })
        };
        json!({
            "event": event,
            "dice": rolled.roll,
            "total": rolled.roll.total(),
            "roll": rolled.number,
            "shooter": self.0.name(rolled.shooter),
            "puck_before": rolled.puck.point(),
            "puck": rolled.hand.puck.point(),
            "rules": hex::encode(&rolled.rules),
            "lines": settlement.lines.iter().map(|line| self.line(line)).collect::<Vec<_>>(),
            "envy": settlement.envies.iter().map(envy).collect::<Vec<_>>(),
            "claims": rolled.claims.iter().map(claim).collect::<Vec<_>>(),
        })
    }

    fn line(&self, line: &Settled) -> Value {
        let (fate, award) = match line.fate {
            Fate::Win { award, .. } => {
                let award = self.0.rules.award(award);
                (if award.due == Due::Push { "push" } else { "win" }, Some(award))
            }
            Fate::Lose => ("lose", None),
            Fate::Push => ("push", None),
            Fate::Return => ("return", None),
            Fate::Travel(_) => ("travel", None),
            Fate::Stand => ("stand", None),
        };
        json!({
            "player": self.0.name(line.seat),
            "wager": self.0.spot(line.bet.spot),
            "stake": line.bet.stake,
            "fate": fate,
            "pays": award.map(|award| award.due.to_string()),
            "won": line.won,
            "commission": line.charged,
            "breakage": line.broken,
            "withheld": line.withheld,
            "to_rack": line.to_rack(),
            "left": line.left.map(|bet| self.bet(&bet)),
        })
    }

    fn voided(&self, event: &str, voided: &Voided) -> Value {
        let undone = |bet: &Undone| {
            json!({
                "player": self.0.name(bet.seat),
                "wager": self.0.spot(bet.spot),
                "chips": bet.postings.gain(Account::Action(bet.seat)),
            })
        };
        json!({
            "event": event,
            "dice": voided.roll,
            "reason": voided.reason,
            "undone": voided.undone.iter().map(undone).collect::<Vec<_>>(),
        })
    }

    /// Meter events; contributions are fractions of a cent and named in millionths.
    fn meter(&self, meter: &str, event: &MeterEvent) -> Value {
        match event {
            MeterEvent::Fed { amount, reserve, overflow, from_house } => json!({
                "event": "meter-fed",
                "meter": meter,
                "amount_micro_cents": amount,
                "reserve_micro_cents": reserve,
                "overflow_micro_cents": overflow,
                "from_house_micro_cents": from_house,
            }),
            MeterEvent::Claimed { claim, winners } => json!({
                "event": "meter-claimed",
                "meter": meter,
                "claim": claim.id,
                "winners": winners.iter().map(|(seat, _)| self.0.name(*seat)).collect::<Vec<_>>(),
            }),
            MeterEvent::Awarded(award) => json!({
                "event": "meter-awarded",
                "meter": meter,
                "claim": award.claim.id,
                "shares": self.by_name(award.shares.iter().copied()),
                "from_meter": award.from_meter,
                "from_house": award.from_house,
            }),
            MeterEvent::Reseeded { claim, from_reserve, from_house, .. } => json!({
                "event": "meter-reseeded",
                "meter": meter,
                "claim": claim.id,
                "from_reserve_micro_cents": from_reserve,
                "from_house_micro_cents": from_house,
            }),
            MeterEvent::Reversed { claim } => {
                json!({ "event": "meter-reversed", "meter": meter, "claim": claim.id })
            }
            MeterEvent::TermsSet { .. } => json!({ "event": "meter-terms-set", "meter": meter }),
            MeterEvent::Closed { returned } => json!({
                "event": "meter-closed",
                "meter": meter,
                "returned_micro_cents": returned,
            }),
            MeterEvent::Adjusted { amount, overflow, reason } => json!({
                "event": "meter-adjusted",
                "meter": meter,
                "amount_micro_cents": amount,
                "overflow_micro_cents": overflow,
                "reason": reason,
            }),
            MeterEvent::MovedOut(moved) => self.moved("meter-moved-out", meter, moved),
            MeterEvent::MovedIn(moved) => self.moved("meter-moved-in", meter, moved),
            MeterEvent::Kept(moved) => self.moved("meter-kept", meter, moved),
        }
    }

    fn moved(&self, event: &str, meter: &str, moved: &Moved) -> Value {
        json!({
            "event": event,
            "meter": meter,
            "amount_micro_cents": moved.amount,
            "reserve_micro_cents": moved.reserve,
            "overflow_micro_cents": moved.overflow,
            "kept_micro_cents": moved.kept,
        })
    }

    fn by_name(&self, amounts: impl Iterator<Item = (Seat, Cents)>) -> Value {
        let named = amounts.map(|(seat, amount)| (self.0.name(seat).to_owned(), json!(amount)));
        Value::Object(named.collect::<Map<String, Value>>())
    }

    fn summary(&self, tape: &Tape, played: &Played) -> Value {
        let floor = &played.floor;
        let table = floor.table(0);
        let action = |seat: Seat| table.balance(Account::Action(seat));
        let seats = || table.players().map(|(seat, _)| seat);
        let meters: BTreeMap<&str, Cents> =
            floor.meters().map(|meter| (meter.name(), meter.payable())).collect();
        let failure = |failure: &craps::tape::Failure| {
            json!({
                "line": failure.line,
                "step": failure.text,
                "expected": failure.expected,
                "got": failure.got,
            })
        };
        json!({
            "event": "summary",
            "tape": tape.file,
            "rules": tape.rules.name,
            "rules_hash": hex::encode(&tape.rules.hash),
            "rolls": table.rolls(),
            "racks": self.by_name(seats().map(|seat| (seat, table.rack(seat)))),
            "action": self.by_name(seats().map(|seat| (seat, action(seat)))),
            "house": table.balance(Account::House),
            "envy": table.balance(Account::Envy),
            "breakage": table.balance(Account::Breakage),
            "memo": table.memo().to_string(),
            "clearing": table.balance(Account::Clearing),
            "held": table.balance(Account::Held),
            "cage": table.balance(Account::Cage),
            "meters": meters,
            "conserved": floor.is_conserved(),
            "failures": played.failures.iter().map(failure).collect::<Vec<_>>(),
        })
    }
}

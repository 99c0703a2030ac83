//! What people ask of a table. Most of it makes sense as the table stands; some of it is what
//! nobody in that role should ask, and the server has to say so.

use boxman_client::{Random, Value, json};

use crate::configs;
use crate::house::House;

/// A table as somebody in a role sees it.
pub(crate) struct Sight<'a> {
    pub(crate) house: &'a House,
    pub(crate) view: &'a Value,
    /// What the server calls them.
    pub(crate) me: &'a str,
}

impl Sight<'_> {
    fn hand(&self) -> &Value {
        &self.view["hand"]
    }

    fn is_practice(&self) -> bool {
        self.view["config"]["practice"] == json!(true)
    }

    fn is_keyed(&self) -> bool {
        self.view["config"]["dice"] == "dealer"
    }

    fn seats(&self) -> Vec<&Value> {
        self.view["seats"].as_array().into_iter().flatten().collect()
    }

    /// The seats this person plays.
    pub(crate) fn own(&self) -> Vec<&Value> {
        let mine = |seat: &&Value| seat["person"] == self.me || seat["own"] == json!(true);
        self.seats().into_iter().filter(mine).collect()
    }

    /// A command for somebody in this role.
    pub(crate) fn command(&self, random: &mut Random, role: &str) -> Value {
        if random.chance(7) {
            return self.anything(random);
        }
        match role {
            "guest" | "player" => self.player(random),
            "dealer" => self.dealer(random),
            "supervisor" => self.supervisor(random),
            _ => self.anything(random),
        }
    }

    fn player(&self, random: &mut Random) -> Value {
        let own = self.own();
        let Some(seat) = random.some(&own) else {
            let seat = random.chance(30).then(|| random.below(24));
            return json!({ "command": "sit", "seat": seat });
        };
        let (number, rack) = (seat["seat"].clone(), seat["rack"].as_i64().unwrap_or(0));
        if rack < 2_000 && self.is_practice() && random.chance(70) {
            return json!({ "command": "buy-in", "seat": number, "amount": 100_000 });
        }
        let shooting = self.hand()["shooter"] == number && !self.is_keyed();
        match random.weighed(&[
            (55, "put"),
            (if shooting { 30 } else { 1 }, "roll"),
            (6, "take"),
            (4, "call"),
            (1, "pass-dice"),
            (1, "leave"),
            (1, "cash-out"),
            (1, "buy-in"),
        ]) {
            "put" => self.put(random, seat),
            "take" | "call" => self.touch(random, seat),
            "roll" => roll(random),
            "pass-dice" => json!({ "command": "pass-dice" }),
            "leave" => json!({ "command": "leave", "seat": number }),
            what => json!({ "command": what, "seat": number, "amount": random.below(20) * 500 }),
        }
    }

    /// A bet on something on offer.
    fn put(&self, random: &mut Random, seat: &Value) -> Value {
        let wagers: Vec<&Value> = self.view["wagers"].as_array().into_iter().flatten().collect();
        let lined = seat["bets"].as_array().into_iter().flatten().any(|bet| bet["wager"] == "pass");
        let progressive = |wager: &&&Value| {
            matches!(wager["wager"].as_str(), Some("make-em-all-progressive" | "fired-up"))
        };
        let jackpots: Vec<&Value> = wagers.iter().filter(progressive).copied().collect();
        let line = || wagers.iter().find(|wager| wager["wager"] == "pass").copied();
        let wager = match random.below(10) {
            0..=3 if !lined => line(),
            4 | 5 => random.some(&jackpots).copied(),
            _ => None,
        };
        let Some(wager) = wager.or_else(|| random.some(&wagers).copied()) else {
            let seat = &seat["seat"];
            return json!({ "command": "put", "seat": seat, "wager": "pass", "amount": 500 });
        };
        let spots: Vec<&Value> = wager["spots"].as_array().into_iter().flatten().collect();
        let spot = random.some(&spots).map_or(&wager["wager"], |spot| *spot);
        let least = wager["min"].as_i64().unwrap_or(500).max(1);
        let amount = match random.below(20) {
            0 => *random.pick(&[0, -100, 1, 37, 6_000_000]),
            1..=3 => least * random.between(1, 20) as i64,
            _ => least * random.between(1, 3) as i64,
        };
        json!({ "command": "put", "seat": seat["seat"], "wager": spot, "amount": amount })
    }

    /// A bet that is up, taken down or called.
    fn touch(&self, random: &mut Random, seat: &Value) -> Value {
        let bets: Vec<&Value> = seat["bets"].as_array().into_iter().flatten().collect();
        let wager = random.some(&bets).map_or(json!("odds"), |bet| bet["wager"].clone());
        match random.chance(60) {
            true => json!({ "command": "take", "seat": seat["seat"], "wager": wager }),
            false => {
                let call = *random.pick(&["on", "off", "house"]);
                json!({ "command": "call", "seat": seat["seat"], "wager": wager, "call": call })
            }
        }
    }

    fn dealer(&self, random: &mut Random) -> Value {
        if self.hand()["status"] == "paused" && random.chance(60) {
            return json!({ "command": "resume" });
        }
        if self.hand()["phase"] == "paying" && random.chance(70) {
            return json!({ "command": "open-betting" });
        }
        if let Some(short) = self.hand()["fill_needed"].as_i64().filter(|_| random.chance(60)) {
            return match random.chance(70) {
                true => json!({ "command": "fill", "amount": short + 100_000 }),
                false => json!({ "command": "accept-tray", "reason": "the fill is on its way" }),
            };
        }
        let betting = self.hand()["betting"] == json!(true);
        if !betting && self.is_keyed() && random.chance(80) {
            return self.key(random);
        }
        let seats = self.seats();
        let short = |seat: &&&Value| seat["rack"].as_i64().is_some_and(|rack| rack < 5_000);
        if let Some(seat) = seats.iter().find(short).filter(|_| random.chance(40)) {
            let amount = *random.pick(&[20_000, 50_000, 100_000]);
            let kind = *random.pick(&["cash", "cash", "marker", "coupon", "chips"]);
            let seat = &seat["seat"];
            return json!({ "command": "buy-in", "seat": seat, "amount": amount, "kind": kind });
        }
        let throws = if self.is_keyed() { "close-betting" } else { "roll" };
        match random.weighed(&[
            (40, throws),
            (4, "sit"),
            (14, "put"),
            (3, "take"),
            (2, "void"),
            (2, "correct"),
            (2, "no-roll"),
            (1, "pass-dice"),
            (2, "fill"),
            (2, "credit"),
            (1, "pause"),
            (1, "leave"),
            (1, "cash-out"),
            (1, "withdraw"),
            (2, "done"),
        ]) {
            "roll" => roll(random),
            "sit" => {
                let name = *random.pick(&["Rail", "Hat", "Lefty", "Doc"]);
                json!({ "command": "sit", "name": name })
            }
            what @ ("put" | "take" | "leave" | "cash-out") => match random.some(&seats) {
                None => json!({ "command": "sit", "name": "Rail" }),
                Some(seat) if what == "put" => self.put(random, seat),
                Some(seat) if what == "take" => self.touch(random, seat),
                Some(seat) => {
                    let rack = seat["rack"].as_i64().unwrap_or(0);
                    let leave = json!({ "command": "leave", "seat": seat["seat"] });
                    let cash =
                        json!({ "command": "cash-out", "seat": seat["seat"], "amount": rack / 2 });
                    if what == "leave" { leave } else { cash }
                }
            },
            "void" => self.of_last_roll(json!({ "command": "void", "reason": "cocked dice" })),
            "correct" => {
                let dice = dice(random);
                let correct = json!({ "command": "correct", "dice": dice, "reason": "misread" });
                self.of_last_roll(correct)
            }
            "done" => {
                json!({ "command": "done", "list": self.hand()["last_roll"].as_u64().unwrap_or(7) })
            }
            what @ ("fill" | "credit") => {
                json!({ "command": what, "amount": random.between(1, 40) * 50_000 })
            }
            "withdraw" => self.proposal(random, "withdraw"),
            what => json!({ "command": what }),
        }
    }

    /// A command about the last roll names it, if there is one.
    fn of_last_roll(&self, command: Value) -> Value {
        with(command, "of", self.hand()["last_roll"].as_u64().map(|last| json!(last)))
    }

    fn supervisor(&self, random: &mut Random) -> Value {
        let waits = |part: &str| self.hand()[part].as_array().is_some_and(|all| !all.is_empty());
        if waits("proposals") && random.chance(60) {
            let what = if random.chance(85) { "approve" } else { "withdraw" };
            return self.proposal(random, what);
        }
        if waits("claims") && random.chance(60) {
            return self.claim(random);
        }
        match random.below(100) {
            0..=14 => {
                let config = configs::other(self.house, random, &self.view["config"]);
                let of = self.hand()["configuration"].as_u64();
                with(
                    json!({ "command": "configure", "config": config, "reason": "soak" }),
                    "of",
                    of.filter(|_| random.chance(95)).map(|of| json!(of)),
                )
            }
            15 => {
                let reason = self.names_configurations().then(|| json!("soak"));
                with(json!({ "command": "close" }), "reason", reason)
            }
            _ => self.dealer(random),
        }
    }

    fn proposal(&self, random: &mut Random, what: &str) -> Value {
        let all: Vec<&Value> = self.hand()["proposals"].as_array().into_iter().flatten().collect();
        let number = random.some(&all).map_or(json!(7), |proposal| proposal["proposal"].clone());
        let reason = what == "withdraw" && self.names_configurations();
        let reason = reason.then(|| json!("nobody agrees"));
        with(json!({ "command": what, "proposal": number }), "reason", reason)
    }

    /// Whether configurations are named by the one they change, and closing and withdrawing say
    /// why: earlier versions know neither.
    fn names_configurations(&self) -> bool {
        self.hand()["configuration"].is_u64()
    }

    fn claim(&self, random: &mut Random) -> Value {
        let all: Vec<&Value> = self.hand()["claims"].as_array().into_iter().flatten().collect();
        let claim = random.some(&all);
        let number = claim.map_or(json!(1), |claim| claim["claim"].clone());
        if self.house.knows("check") && random.chance(50) {
            let item = *random.pick(&["dice", "surveillance", "identity", "form"]);
            return json!({ "command": "check", "claim": number, "item": item });
        }
        match self.house.knows("deny-claim") && random.chance(35) {
            true => json!({ "command": "deny-claim", "claim": number, "reason": "past posting" }),
            false => json!({ "command": "confirm-claim", "claim": number }),
        }
    }

    /// Two faces: often those that bring a side bet on, so that jackpots are hit.
    fn key(&self, random: &mut Random) -> Value {
        let help = random.chance(75).then(|| self.helpful(random)).flatten();
        let dice = help.map_or_else(|| dice(random), faces);
        json!({ "command": "key-roll", "dice": dice })
    }

    /// A total that a progressive with bets up still wants.
    pub(crate) fn helpful(&self, random: &mut Random) -> Option<u64> {
        let trackers = self.hand()["trackers"].as_array()?;
        let riding = |name: &str| {
            trackers.iter().find(|tracker| {
                tracker["wager"] == name && tracker["bets"].as_u64().unwrap_or(0) > 0
            })
        };
        if let Some(tracker) = riding("fired-up") {
            let wagers = self.view["wagers"].as_array()?;
            let wager = wagers.iter().find(|wager| wager["wager"] == "fired-up")?;
            let marks: Vec<u64> =
                tracker["marks"].as_array()?.iter().filter_map(Value::as_u64).collect();
            let matched = tracker["matched"].as_u64().unwrap_or(0) as usize;
            let sequences = wager["board"]["sequences"].as_array()?;
            let goes_on = |sequence: &&Value| {
                marks.iter().enumerate().all(|(place, mark)| sequence[place] == *mark)
            };
            let sequence = sequences.iter().find(goes_on).or(sequences.first())?;
            return sequence[matched].as_u64();
        }
        let tracker = riding("make-em-all-progressive").or_else(|| riding("make-em-all"))?;
        let marked = |total: &u64| {
            tracker["marks"].as_array().is_some_and(|marks| marks.contains(&json!(total)))
        };
        let wanted: Vec<u64> =
            [2, 3, 4, 5, 6, 8, 9, 10, 11, 12].into_iter().filter(|total| !marked(total)).collect();
        random.some(&wanted).copied()
    }

    /// Any command at all.
    fn anything(&self, random: &mut Random) -> Value {
        let seat = random.below(26);
        let amount = *random.pick(&[0, -1, 100, 2_500, 100_000, 5_000_000]);
        match random.below(22) {
            0 => json!({ "command": "sit", "seat": seat }),
            1 => json!({ "command": "leave", "seat": seat }),
            2 => json!({ "command": "buy-in", "seat": seat, "amount": amount }),
            3 => json!({ "command": "cash-out", "seat": seat, "amount": amount }),
            4 => json!({ "command": "put", "seat": seat, "wager": "hard 8", "amount": amount }),
            5 => json!({ "command": "take", "seat": seat, "wager": "pass" }),
            6 => json!({ "command": "call", "seat": seat, "wager": "odds", "call": "off" }),
            7 => json!({ "command": "close-betting" }),
            8 => roll(random),
            9 => json!({ "command": "key-roll", "dice": dice(random) }),
            10 => json!({ "command": "no-roll" }),
            11 => json!({ "command": "pass-dice" }),
            12 => json!({ "command": "void", "reason": "why not" }),
            13 => json!({ "command": "correct", "dice": dice(random), "reason": "why not" }),
            14 => {
                let config = configs::fresh(self.house, random, self.is_practice());
                json!({ "command": "configure", "config": config, "reason": "why not" })
            }
            15 => self.proposal(random, "approve"),
            16 => self.proposal(random, "withdraw"),
            17 => self.claim(random),
            18 => json!({ "command": "fill", "amount": amount }),
            19 => json!({ "command": "credit", "amount": amount }),
            20 => json!({ "command": "pause" }),
            _ => json!({ "command": "resume" }),
        }
    }
}

/// A command with a field more, if there is something to say in it.
pub(crate) fn with(mut command: Value, field: &str, value: Option<Value>) -> Value {
    if let Some(value) = value {
        command[field] = value;
    }
    command
}

/// The betting round that a command names: the one its sender sees, if it depends on the moment.
pub(crate) fn round(view: &Value, command: &Value) -> Option<u64> {
    let depends = [
        "put",
        "take",
        "call",
        "close-betting",
        "roll",
        "key-roll",
        "no-roll",
        "pass-dice",
        "open-betting",
    ];
    let word = command["command"].as_str()?;
    view["hand"]["round"].as_u64().filter(|_| depends.contains(&word))
}

/// Throws the house's dice.
pub(crate) fn roll(random: &mut Random) -> Value {
    json!({ "command": "roll", "shooter_bytes": random.hex(32) })
}

/// Two faces.
pub(crate) fn dice(random: &mut Random) -> String {
    format!("{}-{}", random.between(1, 6), random.between(1, 6))
}

/// Two faces of this total.
pub(crate) fn faces(total: u64) -> String {
    let first = (total / 2).min(6);
    format!("{first}-{}", total - first)
}

//! What people ask of a table: their commands, and the JSON of them.

use std::collections::BTreeMap;

use craps::{BuyInKind, CashOutKind, Cents};
use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, EnumIter};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::config::TableConfig;
use crate::hash::Digest;
use crate::id::MeterId;
use crate::mend::{MendBet, MendChips, MendKind, MendLine, MendQuestion};
use crate::payout::{CheckItem, PaidBy};

/// A command with the id its sender gave it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// 1 to 64 letters, digits, `-` and `_`, different for every command of a sender. Sent again,
    /// an accepted command is answered as before and not applied again.
    #[schema(min_length = 1, max_length = 64, pattern = "^[A-Za-z0-9_-]+$")]
    pub id: String,
    /// The betting round it is meant for, as the table shows it. Crews at real tables name it with
    /// every command that depends on the moment. Any command that names another round is refused
    /// as `other-roll`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional = nullable, type = "number")]
    pub round: Option<u64>,
    /// The latest moment at which the server may still obey it, by the server's own clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional = nullable)]
    pub until: Option<Box<Until>>,
    /// The command.
    pub command: Command,
}

/// A moment on the clock of one run of the server, which nobody sets.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Until {
    /// Which run, as snapshots name it.
    pub run: String,
    /// Milliseconds since that run began.
    #[ts(type = "number")]
    pub at: u64,
}

impl Ask {
    /// A command for whichever moment it arrives in.
    pub fn new(id: impl Into<String>, command: Command) -> Ask {
        Ask { id: id.into(), round: None, until: None, command }
    }

    /// Whether the id can be one.
    pub fn is_well_named(&self) -> bool {
        let fine = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        (1..=64).contains(&self.id.len()) && self.id.bytes().all(fine)
    }
}

// Commands without fields have braces all the same: only then are fields they do not have refused.
/// What people ask of a table. Amounts are cents.
#[derive(
    Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema, EnumDiscriminants,
)]
#[serde(rename_all = "kebab-case", tag = "command", deny_unknown_fields)]
#[strum_discriminants(name(Verb), derive(EnumIter), doc = "What a command asks for, in a word.")]
pub enum Command {
    /// Take a seat: this one, or the first that is free.
    Sit {
        /// Which.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional = nullable)]
        #[schema(minimum = 0, maximum = 23)]
        seat: Option<u8>,
        /// Whom a dealer seats; players sit down under their own name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional = nullable)]
        name: Option<String>,
    },
    /// Leave it and cash out.
    Leave {
        /// Which.
        #[schema(minimum = 0, maximum = 23)]
        seat: u8,
        /// Where the chips go.
        #[serde(default, skip_serializing_if = "is_default")]
        #[ts(optional, as = "Option<CashOutWord>")]
        #[schema(value_type = CashOutWord)]
        kind: CashOutKind,
    },
    /// Take the name one goes by now, or, where the crew asks, another.
    Rename {
        /// Which seat.
        #[schema(minimum = 0, maximum = 23)]
        seat: u8,
        /// The name, where the crew asks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional = nullable)]
        name: Option<String>,
    },
    /// Give up a seat whose player has gone: bets come down, those that may not are handed back,
    /// and the chips go to the cage.
    GiveUpSeat {
        /// Which.
        #[schema(minimum = 0, maximum = 23)]
        seat: u8,
        /// Why.
        #[schema(min_length = 1, max_length = 200)]
        reason: String,
    },
    /// Buy chips.
    BuyIn {
        /// For whom.
        #[schema(minimum = 0, maximum = 23)]
        seat: u8,
        /// How many.
        #[ts(type = "number")]
        #[schema(value_type = i64)]
        amount: Cents,
        /// With what.
        #[serde(default, skip_serializing_if = "is_default")]
        #[ts(optional, as = "Option<BuyInWord>")]
        #[schema(value_type = BuyInWord)]
        kind: BuyInKind,
    },
    /// Give chips back.
    CashOut {
        /// From whom.
        #[schema(minimum = 0, maximum = 23)]
        seat: u8,
        /// How many.
        #[ts(type = "number")]
        #[schema(value_type = i64)]
        amount: Cents,
        /// Where they go.
        #[serde(default, skip_serializing_if = "is_default")]
        #[ts(optional, as = "Option<CashOutWord>")]
        #[schema(value_type = CashOutWord)]
        kind: CashOutKind,
    },
    /// Put chips on a wager.
    Put {
        /// Whose.
        #[schema(minimum = 0, maximum = 23)]
        seat: u8,
        /// On what.
        #[schema(example = "place 6")]
        wager: String,
        /// How many more.
        #[ts(type = "number")]
        #[schema(value_type = i64)]
        amount: Cents,
    },
    /// Take chips back.
    Take {
        /// Whose.
        #[schema(minimum = 0, maximum = 23)]
        seat: u8,
        /// From what.
        #[schema(example = "odds")]
        wager: String,
        /// How many, or all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional = nullable, as = "Option<i64>")]
        #[schema(value_type = Option<i64>)]
        amount: Option<Cents>,
    },
    /// Call a bet on or off.
    Call {
        /// Whose.
        #[schema(minimum = 0, maximum = 23)]
        seat: u8,
        /// Which.
        #[schema(example = "hard 8")]
        wager: String,
        /// What.
        #[ts(type = "\"house\" | \"on\" | \"off\"")]
        #[schema(value_type = String, example = "off")]
        call: craps::OnOff,
    },
    /// No more bets.
    CloseBetting {},
    /// Throw the house's dice, with 32 bytes of the shooter's own as hex.
    Roll {
        /// The shooter's bytes.
        #[schema(pattern = "^[0-9a-fA-F]{64}$")]
        shooter_bytes: String,
        /// The commitment they answer. If the house has made a new commitment since, as after a
        /// crash, they are refused as `other-commitment`: the house may have seen them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional = nullable)]
        #[schema(pattern = "^[0-9a-fA-F]{64}$")]
        commitment: Option<String>,
    },
    /// Key in real dice: `3-4`.
    KeyRoll {
        /// What they show.
        #[ts(type = "string")]
        #[schema(value_type = String, pattern = "^[1-6]-[1-6]$")]
        dice: craps::Roll,
    },
    /// The throw did not count.
    NoRoll {},
    /// The shooter gives up the dice.
    PassDice {},
    /// The last roll is paid: its work is done, and bets are taken again.
    OpenBetting {},
    /// The chips of a work list have been moved.
    Done {
        /// The number of the record that the list follows from.
        #[ts(type = "number")]
        list: u64,
    },
    /// Say who a player is, so that what they buy at several tables is summed up, or take that
    /// back.
    Link {
        /// The number of the record by which the player sat down.
        #[ts(type = "number")]
        sitting: u64,
        /// The name or number by which the house knows the player, or the id of their account;
        /// left out, what was said before is taken back.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional = nullable)]
        #[schema(min_length = 1, max_length = 60)]
        person: Option<String>,
    },
    /// Note that a player's identity was taken, or take that back.
    Identify {
        /// The number of the record by which the player sat down.
        #[ts(type = "number")]
        sitting: u64,
        /// Whether it was taken.
        taken: bool,
    },
    /// Ask that betting may open although the tray is short of chips.
    AcceptTray {
        /// Why.
        #[schema(min_length = 1, max_length = 200)]
        reason: String,
    },
    /// Ask that the last roll not count.
    Void {
        /// The number of the roll's record. Crews at real tables name it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional = nullable, type = "number")]
        of: Option<u64>,
        /// Why.
        #[schema(min_length = 1, max_length = 200)]
        reason: String,
    },
    /// Ask that the last roll be settled as the dice really showed.
    Correct {
        /// The number of the roll's record. Crews at real tables name it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional = nullable, type = "number")]
        of: Option<u64>,
        /// What they showed.
        #[ts(type = "string")]
        #[schema(value_type = String, pattern = "^[1-6]-[1-6]$")]
        dice: craps::Roll,
        /// Why.
        #[schema(min_length = 1, max_length = 200)]
        reason: String,
    },
    /// Ask that money go after an earlier roll of the day.
    Mend {
        /// The number of the roll's record.
        #[ts(type = "number")]
        of: u64,
        /// What was wrong.
        kind: MendKind,
        /// What the dice showed, if they were keyed wrongly.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional = nullable, type = "string")]
        #[schema(value_type = Option<String>, pattern = "^[1-6]-[1-6]$")]
        dice: Option<craps::Roll>,
        /// The bets as they were, if bets were wrong.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<MendBet>>")]
        #[schema(max_items = 50)]
        bets: Vec<MendBet>,
        /// The chips that players have beyond what is booked, if wrong chips were paid.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<MendChips>>")]
        #[schema(max_items = 24)]
        chips: Vec<MendChips>,
        /// What is decided, line by line; as the engine suggests it if it is left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional = nullable)]
        #[schema(max_items = 200)]
        lines: Option<Vec<MendLine>>,
        /// Why.
        #[schema(min_length = 1, max_length = 200)]
        reason: String,
        /// Where surveillance has it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional = nullable)]
        #[schema(max_length = 200)]
        video: Option<String>,
    },
    /// Ask for another configuration, at the next come-out with nothing on the layout.
    Configure {
        /// The number of the record that set the configuration which this one changes: the one
        /// that waits, or else the one in force. Crews at real tables name it. If another one came
        /// in between, the command is refused as `out-of-date`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional = nullable, type = "number")]
        of: Option<u64>,
        /// The configuration.
        config: Box<TableConfig>,
        /// Where the players' money goes of meters of the table's own that it drops, by the
        /// paytable that each serves.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        #[ts(optional, as = "Option<BTreeMap<String, OldMeter>>")]
        #[schema(value_type = BTreeMap<String, OldMeter>)]
        old_meters: BTreeMap<String, OldMeter>,
        /// Why.
        #[schema(min_length = 1, max_length = 200)]
        reason: String,
    },
    /// Agree to what somebody else has asked for.
    Approve {
        /// The number of the record that asked.
        #[ts(type = "number")]
        proposal: u64,
    },
    /// Withdraw it.
    Withdraw {
        /// The number of the record that asked.
        #[ts(type = "number")]
        proposal: u64,
        /// Why: needed if another person asked. They are told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional = nullable)]
        #[schema(min_length = 1, max_length = 200)]
        reason: Option<String>,
    },
    /// Say that one thing has been checked before what was won is paid.
    Check {
        /// Which claim.
        #[ts(type = "number")]
        claim: u64,
        /// What has been checked.
        item: CheckItem,
    },
    /// Confirm a jackpot, or an award that is held, so that it is paid.
    ConfirmClaim {
        /// Which.
        #[ts(type = "number")]
        claim: u64,
        /// Who pays.
        #[serde(default, skip_serializing_if = "is_default")]
        #[ts(optional, as = "Option<PaidBy>")]
        paid_by: PaidBy,
        /// The number of the slip; what the cage pays has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional = nullable)]
        #[schema(min_length = 1, max_length = 40)]
        slip: Option<String>,
        /// The number of the tax form.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional = nullable)]
        #[schema(min_length = 1, max_length = 40)]
        form: Option<String>,
    },
    /// Ask that it not be paid: the stake goes back to the player, the award to where it came from.
    DenyClaim {
        /// Which.
        #[ts(type = "number")]
        claim: u64,
        /// Why.
        #[schema(min_length = 1, max_length = 200)]
        reason: String,
    },
    /// Bring chips to the table.
    Fill {
        /// How many.
        #[ts(type = "number")]
        #[schema(value_type = i64)]
        amount: Cents,
    },
    /// Take chips from the table.
    Credit {
        /// How many.
        #[ts(type = "number")]
        #[schema(value_type = i64)]
        amount: Cents,
    },
    /// Have the table wait.
    Pause {},
    /// Have it play on.
    Resume {},
    /// Close it for good, once nothing is left there. At a real table that is asked for with a
    /// reason, and takes a second person.
    Close {
        /// Why: needed at a real table.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional = nullable)]
        #[schema(min_length = 1, max_length = 200)]
        reason: Option<String>,
    },
}

/// Where the players' money of a meter goes that a configuration drops.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case", tag = "goes", deny_unknown_fields)]
pub enum OldMeter {
    /// To the meter of another paytable at this table: the same jackpot goes on there.
    Paytable {
        /// Which.
        paytable: String,
    },
    /// To another meter.
    Meter {
        /// Which.
        #[ts(type = "string")]
        #[schema(value_type = String)]
        to: MeterId,
        /// It may serve another paytable.
        #[serde(default, skip_serializing_if = "is_default")]
        #[ts(optional, as = "Option<bool>")]
        other_paytable: bool,
    },
    /// Nowhere: it is kept for them, and listed with the meter.
    Kept {},
}

/// What a player buys chips with.
#[derive(TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "BuyInKind")]
#[schema(as = BuyInKind)]
#[expect(missing_docs, reason = "it is only described")]
pub enum BuyInWord {
    Cash,
    Marker,
    Coupon,
    Chips,
}

/// Where chips go that leave a rack.
#[derive(TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "CashOutKind")]
#[schema(as = CashOutKind)]
#[expect(missing_docs, reason = "it is only described")]
pub enum CashOutWord {
    Walk,
    Jackpot,
    Redeem,
    Toke,
    LeftBehind,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Command {
    /// Buy chips for cash.
    pub fn buy_in(seat: u8, amount: Cents) -> Command {
        Command::BuyIn { seat, amount, kind: BuyInKind::Cash }
    }

    /// Walk away with chips.
    pub fn cash_out(seat: u8, amount: Cents) -> Command {
        Command::CashOut { seat, amount, kind: CashOutKind::Walk }
    }

    /// Leave with everything in the rack.
    pub fn leave(seat: u8) -> Command {
        Command::Leave { seat, kind: CashOutKind::Walk }
    }

    /// Confirm a claim, which the tray pays.
    pub fn confirm(claim: u64) -> Command {
        Command::ConfirmClaim { claim, paid_by: PaidBy::Tray, slip: None, form: None }
    }

    /// What it asks for, in a word.
    pub fn verb(&self) -> Verb {
        self.into()
    }

    /// The seat it is about, whose player has a say in it. Whoever sits down has none yet.
    pub fn seat(&self) -> Option<u8> {
        match self {
            Command::Leave { seat, .. }
            | Command::Rename { seat, .. }
            | Command::GiveUpSeat { seat, .. }
            | Command::BuyIn { seat, .. }
            | Command::CashOut { seat, .. }
            | Command::Put { seat, .. }
            | Command::Take { seat, .. }
            | Command::Call { seat, .. } => Some(*seat),
            _ => None,
        }
    }

    /// What is to be mended, if it asks for that.
    pub fn mend_question(&self) -> Option<MendQuestion> {
        let Command::Mend { of, kind, dice, bets, chips, .. } = self else { return None };
        let (bets, chips) = (bets.clone(), chips.clone());
        Some(MendQuestion { of: *of, kind: *kind, dice: *dice, bets, chips })
    }

    /// What tells this command from every other, whichever build of the server asks: what a
    /// command does not say is not written, so that a new field changes no old command.
    pub fn digest(&self) -> Digest {
        let text = serde_json::to_string(self).expect("a command is plain data");
        Digest::of(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::{Command, Verb};

    /// A command of each kind, as it has been written ever since: the logs hold their digests, by
    /// which one that is sent again is known.
    const WRITTEN: [&str; 34] = [
        r#"{"command":"sit"}"#,
        r#"{"command":"leave","seat":1}"#,
        r#"{"command":"rename","seat":1}"#,
        r#"{"command":"give-up-seat","seat":1,"reason":"gone"}"#,
        r#"{"command":"buy-in","seat":1,"amount":100}"#,
        r#"{"command":"cash-out","seat":1,"amount":100}"#,
        r#"{"command":"put","seat":1,"wager":"place 6","amount":1200}"#,
        r#"{"command":"take","seat":1,"wager":"odds"}"#,
        r#"{"command":"call","seat":1,"wager":"hard 8","call":"off"}"#,
        r#"{"command":"close-betting"}"#,
        r#"{"command":"roll","shooter_bytes":"00"}"#,
        r#"{"command":"key-roll","dice":"3-4"}"#,
        r#"{"command":"no-roll"}"#,
        r#"{"command":"pass-dice"}"#,
        r#"{"command":"open-betting"}"#,
        r#"{"command":"done","list":9}"#,
        r#"{"command":"link","sitting":9,"person":"Ann Lee"}"#,
        r#"{"command":"identify","sitting":9,"taken":true}"#,
        r#"{"command":"accept-tray","reason":"the fill is on its way"}"#,
        r#"{"command":"void","reason":"a die fell"}"#,
        r#"{"command":"correct","dice":"3-4","reason":"misread"}"#,
        r#"{"command":"mend","of":9,"kind":"dice","dice":"3-4","reason":"misread"}"#,
        r#"{"command":"approve","proposal":7}"#,
        r#"{"command":"withdraw","proposal":7}"#,
        r#"{"command":"check","claim":2,"item":"dice"}"#,
        r#"{"command":"confirm-claim","claim":2}"#,
        r#"{"command":"confirm-claim","claim":2,"paid_by":"cage","slip":"17","form":"W-2G 4"}"#,
        r#"{"command":"deny-claim","claim":2,"reason":"why"}"#,
        r#"{"command":"fill","amount":100}"#,
        r#"{"command":"credit","amount":100}"#,
        r#"{"command":"pause"}"#,
        r#"{"command":"resume"}"#,
        r#"{"command":"close"}"#,
        r#"{"command":"sit","seat":2,"name":"Ann"}"#,
    ];

    #[test]
    fn commands_are_written_as_they_always_were() {
        let read = |text: &str| serde_json::from_str::<Command>(text).unwrap();
        for text in WRITTEN {
            assert_eq!(serde_json::to_string(&read(text)).unwrap(), text);
        }
        let verbs: Vec<Verb> = WRITTEN.iter().map(|text| read(text).verb()).collect();
        // A configuration is as long as what an operator may choose.
        let left_out = Verb::iter().filter(|verb| !verbs.contains(verb));
        assert_eq!(left_out.collect::<Vec<_>>(), [Verb::Configure]);
    }
}

//! What is kept beside the records, so that nobody has to read a whole log to go on: a table and a
//! meter as they stand, and the days of a table. All of it comes out of the log again.

use std::collections::{BTreeMap, VecDeque};

use craps::meter::{Award as MeterAward, TableClaim};
use craps::{Cents, ClaimId, Meter, Roll, Table};
use serde::{Deserialize, Serialize};

use super::meter::{MeterProposal, Tell, Transfer};
use super::table::{Proposal, Queued};
use crate::dice::Commitment;
use crate::hash::Hash;
use crate::id::{MeterId, TableId};
use crate::line::Line;
use crate::mend::Mendable;
use crate::payout::Check;
use crate::round::Round;
use crate::work::WorkList;

/// What a snapshot keeps of a table: everything but its rules, which it names.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptTable {
    /// Its name.
    pub id: TableId,
    /// How it is set up, and what that was compiled from.
    pub setup: Queued,
    /// Who opened it.
    pub opened_by: String,
    /// The table itself.
    pub table: Table,
    /// Who plays which seat from a browser; other seats are the dealers'.
    pub owners: BTreeMap<u8, String>,
    /// The house's commitment to the next roll.
    pub commitment: Option<Commitment>,
    /// A configuration that waits for a come-out with nothing on the layout.
    pub queued: Option<Queued>,
    /// The configurations that were set last, newest last, each by the record that set it; none in
    /// a snapshot that an earlier version of the program has kept.
    pub configurations: VecDeque<Configured>,
    /// What waits for a second person, by the record that asked.
    pub proposals: BTreeMap<u64, Pending>,
    /// What was asked for last and not agreed to, newest last.
    pub withdrawn: VecDeque<Withdrawn>,
    /// What the meters have yet to hear, oldest first.
    pub outbox: Vec<Letter>,
    /// The record that last told each meter something.
    pub told: BTreeMap<String, u64>,
    /// What is known of claims that are neither paid nor denied yet.
    pub claimed: BTreeMap<u64, Claimed>,
    /// Chips between the cage and the table on the present day, at a table of procedures 0.
    pub moved: Moved,
    /// Who sits at a real table now, by seat.
    pub sittings: BTreeMap<u8, Sitting>,
    /// How many rolls the present hand has had, and how many it had before the last.
    pub hand_rolls: (u32, u32),
    /// How often dice have been thrown, voided or corrected.
    pub throws: u64,
    /// The betting rounds that began last, newest last; none in a snapshot that an earlier version
    /// of the program has kept.
    pub rounds: VecDeque<Round>,
    /// The record of the last roll, while it counts.
    pub last_roll: Option<u64>,
    /// The chips that the crew has to move.
    pub work: Vec<WorkList>,
    /// How short of chips two people have accepted the tray to be.
    pub tray_accepted: Cents,
    /// What mends of rolls of the present day have to know; nothing at practice tables.
    pub mendable: Mendable,
    /// The last rolls, newest last.
    pub recent: VecDeque<Roll>,
    /// Since when betting has been open and somebody could shoot, in milliseconds since 1970.
    pub open_since: Option<u64>,
    /// The record since which it has been: times may be alike, where a clock was set back.
    pub open_from: u64,
    /// When the last record was written: the next is not earlier, whatever the clock says.
    pub at: u64,
    /// What reports are made of.
    pub books: Books,
}

/// A configuration that was set: it is in force, waits, or was so once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configured {
    /// The record that set it, which is its number.
    pub record: u64,
    /// How it differs from the one before.
    pub lines: Vec<Line>,
}

/// Something that waits for a second person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    /// What.
    pub proposal: Proposal,
    /// What it would change.
    pub lines: Vec<Line>,
    /// Who asked.
    pub by: String,
    /// Their name at tables.
    pub name: Option<String>,
    /// When it lapses.
    pub until: u64,
    /// Whether the table was made to wait for it.
    pub paused: bool,
    /// How often dice had been thrown, voided or corrected: a roll is only taken back while it is
    /// the one that was meant.
    pub throws: u64,
}

/// A request that another person than the one who asked has withdrawn, or that lapsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withdrawn {
    /// The record that asked.
    pub proposal: u64,
    /// What for, in the words of the request.
    pub what: String,
    /// Who had asked.
    pub asked_by: String,
    /// The name of whoever withdrew it; none where nobody agreed in time.
    pub by: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// When, in milliseconds since 1970.
    pub at: u64,
}

/// What a table has to tell a meter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// The meter.
    pub meter: MeterId,
    /// The record it comes from.
    pub seq: u64,
    /// The record the letter before it came from; a meter that has not heard that one waits.
    pub after: u64,
    /// What it says.
    pub tells: Vec<Tell>,
}

/// What is remembered of a claim until it is paid or denied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed {
    /// The paytable whose meter pays it; none for an award that is held.
    pub paytable: Option<String>,
    /// Who keyed in the roll that won it, or agreed to what it showed.
    pub keyed_by: Vec<String>,
    /// What the crew has checked, in that order.
    pub checks: Vec<Check>,
}

/// What was bought, cashed out, filled and credited on one day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// `YYYY-MM-DD`, UTC.
    pub day: String,
    /// By seat.
    pub seats: BTreeMap<u8, Cents>,
    /// By person.
    pub people: BTreeMap<String, Cents>,
}

/// A player at a table, from sitting down to leaving.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sitting {
    /// The record by which the player sat down, which is its number.
    pub record: u64,
    /// Who the crew says it is.
    pub person: Option<Linked>,
}

/// Who a player is, as the crew says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    /// The name or number by which the house knows them.
    pub person: String,
    /// Who said so.
    pub noted: Noted,
}

/// Who noted something, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Noted {
    /// Who.
    pub by: String,
    /// Their name at tables.
    pub name: Option<String>,
    /// When, in milliseconds since 1970.
    pub at: u64,
}

/// What one player bought and cashed out at one table on one day, in one sitting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerDay {
    /// The seat.
    pub seat: u8,
    /// The player's name at the table.
    pub name: String,
    /// The account, if it is one that plays from a browser.
    pub account: Option<String>,
    /// Who the crew says it is.
    pub person: Option<Linked>,
    /// Bought with cash.
    pub cash: Cents,
    /// Bought with markers.
    pub markers: Cents,
    /// Bought with coupons.
    pub coupons: Cents,
    /// Chips brought along.
    pub chips: Cents,
    /// Cashed out, also by leaving.
    pub cashed_out: Cents,
    /// Who has taken the player's identity.
    pub identity: Option<Noted>,
}

/// A meter with everything around it.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptMeter {
    /// Its name.
    pub id: MeterId,
    /// Whether it holds play money.
    pub practice: bool,
    /// The meter itself.
    pub meter: Meter,
    /// The last record it has heard of each table.
    pub heard: BTreeMap<String, u64>,
    /// Awards fixed and not yet paid.
    pub unpaid: Vec<MeterAward>,
    /// What the meter showed when they were won, in the same order; none in a snapshot that an
    /// earlier version of the program has kept.
    pub shown: Vec<(TableClaim, Cents)>,
    /// What waits for a second person, by the record that asked.
    pub proposals: BTreeMap<u64, MeterPending>,
    /// What was asked for last and not agreed to, newest last.
    pub withdrawn: VecDeque<Withdrawn>,
    /// Players' money that has left and that no other meter has taken in yet, oldest first.
    pub sent: Vec<Sent>,
    /// Every transfer it has ever taken in: the meter it came from, and the record there.
    pub taken_in: Vec<(MeterId, u64)>,
    /// When the last record was written: the next is not earlier, whatever the clock says.
    pub at: u64,
}

/// Players' money on its way to another meter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The meter it goes to.
    pub to: MeterId,
    /// The money.
    pub transfer: Transfer,
}

/// An award that a meter has fixed, for the table that won it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedAward {
    /// The award.
    pub award: MeterAward,
    /// What the meter showed.
    pub shown: Option<Cents>,
}

/// Something at a meter that waits for a second person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeterPending {
    /// What.
    pub proposal: MeterProposal,
    /// What it would change.
    pub lines: Vec<Line>,
    /// Who asked.
    pub by: String,
    /// Their name at tables.
    pub name: Option<String>,
    /// When it lapses.
    pub until: u64,
}

/// What a table did, by day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Books {
    /// The days not folded away, by `YYYY-MM-DD`.
    pub days: BTreeMap<String, DayBook>,
    /// The days folded away, each with the hash of what was written down of it: they take no more
    /// entries, and whoever reads them can tell whether they are what was written.
    pub folded: BTreeMap<String, Hash>,
    /// The last roll, for as long as it can be taken back.
    pub last: Option<LastRoll>,
}

/// What the last roll and what came of its claims and held awards put into the books, and on
/// which days.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastRoll {
    /// What was booked, day by day.
    pub parts: Vec<(String, DayBook)>,
    /// The claims and held awards it made.
    pub claims: Vec<ClaimId>,
}

/// What a table did on one day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DayBook {
    /// Rolls that counted.
    pub rolls: u64,
    /// Shooters who sevened out.
    pub hands: u64,
    /// What went into the box for chips: cash, markers and coupons.
    pub drop: Cents,
    /// What players bought in with other than cash.
    pub bought: Bought,
    /// What left the players' racks, also when they left.
    pub cashed_out: Cents,
    /// What of it did not walk away with the player.
    pub left: LeftRacks,
    /// Chips brought to the table.
    pub filled: Cents,
    /// Chips taken away from it.
    pub credited: Cents,
    /// What the dealers were paid.
    pub envy: Cents,
    /// How often earlier rolls were mended.
    pub mends: u64,
    /// What the house got by mends, whatever they moved; less than zero is what it paid. The rolls
    /// stay as they were booked.
    pub adjusted: Cents,
    /// What of the mends concerned players who had left the table.
    pub mended_away: MendedAway,
    /// What wagers fed to meters, less what was taken back with them.
    pub fed: Cents,
    /// What each player bought and cashed out, by the record by which they sat down: at real
    /// tables of today's procedures. The sums over several tables or rolls leave it out.
    pub players: BTreeMap<u64, PlayerDay>,
    /// What the tray held after the last record of the day, at tables of today's procedures. The
    /// sums leave it out.
    pub tray: Option<Cents>,
    /// Whole cents rounded away from winnings.
    pub breakage: Cents,
    /// Jackpots.
    pub jackpots: Jackpots,
    /// What different spots did together: over all rolls, the sum of the products of what the
    /// house won on each spot and on each other, both ways round. In square cents.
    pub cross: i128,
    /// The decided wagers, by the hash of the rules they were decided under and then by wager:
    /// what a wager should hold depends on both.
    pub wagers: BTreeMap<String, BTreeMap<String, Figures>>,
}

/// Buy-ins with other things than cash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bought {
    /// Markers, part of the drop.
    pub markers: Cents,
    /// Coupons, part of the drop.
    pub coupons: Cents,
    /// Chips that players brought along: they are in no box, and not part of the drop.
    pub chips: Cents,
}

/// Cash-outs with which the player did not walk away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftRacks {
    /// Jackpots that the cage paid.
    pub jackpots: Cents,
    /// Chips that went back into the tray for cash.
    pub redeemed: Cents,
    /// Chips given to the dealers.
    pub tokes: Cents,
    /// Chips kept for players who left without them.
    pub behind: Cents,
}

/// Mends for players who had left the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MendedAway {
    /// What the cage pays them.
    pub by_cage: Cents,
    /// What they had walked away with beyond what was booked.
    pub walked: Cents,
}

/// Top awards paid by meters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Jackpots {
    /// How many claims were paid.
    pub count: u64,
    /// What the winners got.
    pub paid: Cents,
    /// What of it came from the meters.
    pub from_meter: Cents,
    /// What of it the house paid beyond them.
    pub from_house: Cents,
}

/// What was decided on one wager.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// How many bets won, lost or pushed.
    pub decisions: u64,
    /// Their stakes.
    pub handle: Cents,
    /// What the house won on them, commission included; less than zero is a loss. Breakage is an
    /// account of its own, and a jackpot counts here as a lost stake.
    pub won: Cents,
    /// Winnings that an aggregate cap withheld or that were denied, less the stakes of denied
    /// jackpots: part of `won`, though nothing the dice decide.
    pub withheld: Cents,
    /// Over all rolls and spots, the square of the stakes decided there: everybody on one spot
    /// wins and loses together. In square cents.
    pub squares: u128,
    /// [`DayBook::cross`] among the spots of this wager.
    pub cross: i128,
}

//! What people see of a table: the whole of it, or the parts that changed.

use craps::chain::is_working;
use craps::table::Phase;
use craps::wager::{Item, PaysBy, Shape};
use craps::{Bet, Cents, Command, Refusal, Rules, Seat, Status, Total};
use serde::Serialize;
use ts_rs::TS;
use utoipa::ToSchema;

use super::WithdrawnView;
use super::board::{BoardView, TrackerView};
use super::claim::ClaimView;
use crate::access::{Person, Sight};
use crate::config::TableConfig;
use crate::line::Line;
use crate::log::{KeptMeter, MeterPending, Pending};
use crate::problem::Problem;
use crate::table::LiveTable;

/// A table, whole.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct TableView {
    /// Its name in addresses.
    pub id: String,
    /// How much of it you see: at a real table strangers see no seats, names or payouts.
    pub sight: Sight,
    /// The last record it includes.
    #[ts(type = "number")]
    pub seq: u64,
    /// How it is set up.
    pub config: TableConfig,
    /// The hash of its rules.
    pub rules: String,
    /// Every wager on offer, in the order of the rulebooks.
    pub wagers: Vec<WagerView>,
    /// The most some wagers may win together, as the house posts it.
    pub cap: Option<String>,
    /// Who sits at it; none for strangers.
    pub seats: Vec<SeatView>,
    /// What everybody shares.
    pub hand: HandView,
    /// The last rolls, newest last.
    pub recent: Vec<String>,
    /// Its meters.
    pub meters: Vec<MeterView>,
    /// What its operator should not overlook: a sentence for each meter that is no jackpot, and
    /// for each wager that favours the player with its meter at the seed.
    pub warnings: Vec<String>,
}

/// A wager in words.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct WagerView {
    /// Its name on the felt.
    pub wager: String,
    /// Its name in a sentence.
    pub title: String,
    /// How its spots are written.
    pub spots: Vec<String>,
    /// How it is decided: by one roll, one event before another, the line, odds behind it, or
    /// with a progress that the table keeps.
    #[ts(type = "\"one-roll\" | \"race\" | \"line\" | \"odds\" | \"tracked\"")]
    pub kind: String,
    /// The numbers it is bet on; for the line and its odds those that the puck can mark.
    pub numbers: Vec<u8>,
    /// The pairs of faces that it wins on, where it is bet on faces: a hop.
    #[ts(type = "Array<[number, number]>")]
    pub faces: Vec<[u8; 2]>,
    /// What it pays, line by line.
    pub pays: Vec<PayView>,
    /// The total of its first roll that pushes where it would have won.
    pub bar: Option<u8>,
    /// What wins.
    pub wins: String,
    /// What loses.
    pub loses: String,
    /// When it may be bet and taken down.
    pub when: String,
    /// The paytable it is paid by.
    pub paytable: Option<String>,
    /// The least, in cents.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub min: Cents,
    /// The most, where there is a bound of its own.
    #[ts(type = "number | null")]
    #[schema(value_type = Option<i64>)]
    pub max: Option<Cents>,
    /// The step.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub unit: Cents,
    /// Where its lammers lie, for a wager whose progress the table keeps.
    pub board: Option<BoardView>,
    /// The most it may win together with others, where the house has posted that.
    pub cap: Option<String>,
}

/// One line of what a wager pays.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct PayView {
    /// What it is for, as written on the felt: `4 10`; empty where it is the same for all.
    pub on: String,
    /// The totals or rungs it is for; empty where it is the same for all, or for pairs of faces.
    pub numbers: Vec<u8>,
    /// What the player is paid: `9 to 5`.
    pub pays: String,
    /// What the dealers are paid.
    pub envy: Option<String>,
}

/// Somebody at the table.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct SeatView {
    /// Where.
    pub seat: u8,
    /// The name; none where the seat has become free.
    pub name: Option<String>,
    /// Who plays it from a browser: compare with `GET /api/me`.
    pub person: Option<String>,
    /// Chips off the layout.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub rack: Cents,
    /// Chips on the layout.
    pub bets: Vec<BetView>,
}

/// A bet.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct BetView {
    /// Where.
    pub wager: String,
    /// How much.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub stake: Cents,
    /// Commission paid and not yet earned.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub vig: Cents,
    /// What the player called: `house`, `on` or `off`.
    #[ts(type = "\"house\" | \"on\" | \"off\"")]
    #[schema(value_type = String)]
    pub call: craps::OnOff,
    /// Whether the next roll can decide it.
    pub working: bool,
}

/// What everybody at a table shares.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct HandView {
    /// `running`, `paused` or `closed`.
    #[ts(type = "\"running\" | \"paused\" | \"closed\"")]
    #[schema(value_type = String)]
    pub status: Status,
    /// Whether bets are taken: not while the dice are out, nor while a claim waits.
    pub betting: bool,
    /// `open`, `closed` while the dice are out, or `paying` while the crew pays the last roll.
    #[ts(type = "\"open\" | \"closed\" | \"paying\"")]
    pub phase: String,
    /// The betting round: the number of the record that began it. Commands that depend on the
    /// moment name it.
    #[ts(type = "number")]
    pub round: u64,
    /// The record of the last roll, while it counts; not for strangers.
    #[ts(type = "number | null")]
    pub last_roll: Option<u64>,
    /// The house's chips at the table; not for strangers, nor at practice tables.
    #[ts(type = "number | null")]
    #[schema(value_type = Option<i64>)]
    pub tray: Option<Cents>,
    /// How many chips the tray is short of, while that keeps bets closed; not for strangers.
    #[ts(type = "number | null")]
    #[schema(value_type = Option<i64>)]
    pub fill_needed: Option<Cents>,
    /// When betting closes by itself, in milliseconds since 1970.
    #[ts(type = "number | null")]
    pub closes_at: Option<u64>,
    /// The point; none while the puck is OFF.
    pub puck: Option<u8>,
    /// How many sit at the table.
    pub players: u8,
    /// Who has the dice.
    pub shooter: Option<u8>,
    /// How many rolls have counted.
    #[ts(type = "number")]
    pub rolls: u64,
    /// How many of them belong to this hand.
    pub hand_rolls: u32,
    /// The house's commitment to the next roll.
    pub commitment: Option<String>,
    /// Where the lammers lie.
    pub trackers: Vec<TrackerView>,
    /// What was won and is neither paid nor denied yet.
    pub claims: Vec<ClaimView>,
    /// What waits for a second person; none for strangers.
    pub proposals: Vec<ProposalView>,
    /// Whether another configuration waits for a come-out with nothing on the layout.
    pub change_waits: bool,
    /// The number of the configuration that waits, or else of the one in force: of the record that
    /// set it. Whoever asks for another one names it.
    #[ts(type = "number")]
    pub configuration: u64,
    /// What keeps the house from throwing while betting is open; none where nothing does.
    pub dice_wait: Option<DiceWait>,
}

/// What the dice wait for while betting is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DiceWait {
    /// On a come-out the shooter needs a line bet.
    LineBet,
    /// Others may still bet: the window closes by itself.
    Window,
}

/// Something that waits for a second person.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct ProposalView {
    /// Its number, to approve or withdraw it by.
    #[ts(type = "number")]
    pub proposal: u64,
    /// `void`, `correct to 3-4`, `configure`, `deny claim 1`, `buy-in of 12000.00 at seat 3` …; at
    /// a meter `adjust`, `set-terms` or `close`.
    pub what: String,
    /// What it would change, line by line.
    pub lines: Vec<Line>,
    /// Why.
    pub reason: String,
    /// Who asked: compare with `GET /api/me`.
    pub by: String,
    /// Their name at tables.
    pub name: Option<String>,
    /// When it lapses, in milliseconds since 1970.
    #[ts(type = "number")]
    pub until: u64,
}

/// A meter.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct MeterView {
    /// Its name.
    pub meter: String,
    /// The paytable it serves.
    pub paytable: String,
    /// Whether it holds play money.
    pub practice: bool,
    /// What it would pay now, in cents: never more than that is shown.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub amount: Cents,
    /// What it restarts at.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub seed: Cents,
    /// The share of each wager added to it, in millionths.
    pub increment: u32,
    /// The share of each wager set aside, in millionths.
    pub reserve: u32,
    /// The most it shows.
    #[ts(type = "number | null")]
    #[schema(value_type = Option<i64>)]
    pub ceiling: Option<Cents>,
    /// What is set aside for the next seed; not for strangers.
    #[ts(type = "number | null")]
    #[schema(value_type = Option<i64>)]
    pub set_aside: Option<Cents>,
    /// What of all it holds is the players', and not the house's seed; not for strangers.
    #[ts(type = "number | null")]
    #[schema(value_type = Option<i64>)]
    pub of_players: Option<Cents>,
    /// Players' money that is kept for them and that no sign shows; not for strangers.
    #[ts(type = "number | null")]
    #[schema(value_type = Option<i64>)]
    pub kept: Option<Cents>,
    /// Whether other terms wait for its next reset.
    pub terms_wait: bool,
    /// Whether it is closed.
    pub closed: bool,
    /// Whether its log is damaged: the amount is then nothing, and claims on it wait.
    pub damaged: bool,
    /// Awards fixed and not yet paid, frozen at what the meter showed.
    #[ts(type = "Array<number>")]
    #[schema(value_type = Vec<i64>)]
    pub hits: Vec<Cents>,
    /// What waits for a second person; none for strangers.
    pub proposals: Vec<ProposalView>,
    /// What was asked for last and not agreed to; none for strangers.
    pub withdrawn: Vec<WithdrawnView>,
}

/// What a seat may do with one spot now.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct OfferView {
    /// The spot.
    pub wager: String,
    /// The least that may be put there, in cents.
    #[ts(type = "number | null")]
    #[schema(value_type = Option<i64>)]
    pub least: Option<Cents>,
    /// The most.
    #[ts(type = "number | null")]
    #[schema(value_type = Option<i64>)]
    pub most: Option<Cents>,
    /// The step.
    #[ts(type = "number | null")]
    #[schema(value_type = Option<i64>)]
    pub step: Option<Cents>,
    /// Why nothing may be put there.
    pub why_not: Option<Problem>,
    /// Whether what is there may be taken down.
    pub take: bool,
    /// Whether it may be called on and off.
    pub call: bool,
    /// Stakes that are multiples of this win whole dollars.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub even: Cents,
}

impl TableView {
    /// A table after record `seq`, whole.
    pub fn of(
        state: &LiveTable,
        seq: u64,
        meters: Vec<MeterView>,
        warnings: Vec<String>,
    ) -> TableView {
        let seated = state.table.players().map(|(seat, _)| seat);
        TableView {
            id: state.id.to_string(),
            sight: Sight::Table,
            seq,
            config: state.config().clone(),
            rules: state.setup.rules.to_string(),
            wagers: WagerView::all(state.rules()),
            cap: craps::catalogue::posted_cap(state.rules()),
            seats: seated.map(|seat| SeatView::of(state, seat)).collect(),
            hand: HandView::of(state),
            recent: state.recent.iter().map(ToString::to_string).collect(),
            meters,
            warnings,
        }
    }

    /// What somebody may see of it.
    pub fn shown_to(self, who: Option<&Person>) -> TableView {
        let seated =
            |who: &Person| self.seats.iter().any(|seat| seat.person.as_ref() == Some(&who.id));
        Sight::of(who, self.config.practice, who.is_some_and(seated)).show(self)
    }
}

impl WagerView {
    /// Every wager on offer.
    pub fn all(rules: &Rules) -> Vec<WagerView> {
        let pay =
            |craps::catalogue::Pay { on, numbers, pays, envy }| PayView { on, numbers, pays, envy };
        let wager = |(rule, entry): (&craps::Wager, craps::catalogue::Entry)| WagerView {
            board: BoardView::of(rule, &entry),
            pays: entry.pays.into_iter().map(pay).collect(),
            bar: match rule.shape {
                Shape::Line { bar, .. } => bar.map(Total::number),
                _ => None,
            },
            kind: kind(&rule.shape).to_owned(),
            numbers: numbers(rules, rule),
            faces: faces(rule),
            wager: entry.wager,
            title: entry.title,
            spots: entry.notation,
            wins: entry.wins,
            loses: entry.loses,
            when: entry.when,
            paytable: entry.paytable,
            min: entry.limits.min,
            max: entry.limits.max,
            unit: entry.limits.unit,
            cap: entry.cap,
        };
        rules.wagers().iter().zip(craps::catalogue(rules)).map(wager).collect()
    }
}

fn kind(shape: &Shape) -> &'static str {
    match shape {
        Shape::OneRoll { .. } => "one-roll",
        Shape::Race { .. } => "race",
        Shape::Line { .. } => "line",
        Shape::Odds { .. } => "odds",
        _ => "tracked",
    }
}

fn numbers(rules: &Rules, wager: &craps::Wager) -> Vec<u8> {
    match wager.shape {
        Shape::Line { .. } | Shape::Odds { .. } => rules.points.iter().map(Total::number).collect(),
        _ => wager.numbers.iter().map(|total| total.number()).collect(),
    }
}

/// A hop stands on its faces, names them among what wins, or has a pay for each of them.
fn faces(wager: &craps::Wager) -> Vec<[u8; 2]> {
    let (Shape::OneRoll { wins, .. } | Shape::Race { wins, .. }) = &wager.shape else {
        return Vec::new();
    };
    let keyed = match &wager.pays {
        PaysBy::Key(dues) if wins.is_empty() => dues.as_slice(),
        _ => &[],
    };
    let paid = keyed.iter().filter_map(|(key, _)| key.item());
    let pair = |item: Item| match item {
        Item::Combination(faces) => Some(<[u8; 2]>::from(faces.roll().faces())),
        _ => None,
    };
    let own = wager.faces.iter().map(|faces| Item::Combination(*faces));
    own.chain(wins.iter().copied()).chain(paid).filter_map(pair).collect()
}

impl SeatView {
    /// A seat as it is now.
    pub fn of(state: &LiveTable, seat: Seat) -> SeatView {
        let rules = state.rules();
        let player = state.table.player(seat);
        let puck = state.table.hand().puck;
        let bet = |bet: &Bet| BetView {
            wager: rules.spot_rule(bet.spot).notation.clone(),
            stake: bet.stake,
            vig: bet.vig,
            call: bet.call,
            working: is_working(rules, *bet, puck),
        };
        let bets = player.map(|player| player.layout.bets().iter().map(bet).collect());
        SeatView {
            seat: seat.0,
            name: player.map(|player| player.name.clone()),
            person: state.owners.get(&seat.0).cloned(),
            rack: state.table.rack(seat),
            bets: bets.unwrap_or_default(),
        }
    }
}

impl HandView {
    /// What everybody shares now.
    pub fn of(state: &LiveTable) -> HandView {
        let rules = state.rules();
        let hand = state.table.hand();
        HandView {
            status: state.table.status(),
            betting: state.table.is_betting_open()
                && !state.waits_for_claim()
                && state.fill_needed().is_none(),
            phase: match state.table.phase() {
                Phase::Open => "open",
                Phase::Closed => "closed",
                Phase::Paying => "paying",
            }
            .to_owned(),
            round: state.round(),
            last_roll: state.last_roll,
            tray: (!state.config().practice).then(|| state.table.tray()),
            fill_needed: state.fill_needed(),
            closes_at: state.closes_at(),
            puck: hand.puck.point().map(craps::Total::number),
            players: u8::try_from(state.table.players().count()).unwrap_or(u8::MAX),
            shooter: state.table.shooter(rules).map(|seat| seat.0),
            rolls: state.table.rolls(),
            hand_rolls: state.hand_rolls.0,
            commitment: state.commitment.map(|commitment| commitment.to_string()),
            trackers: TrackerView::all(rules, hand),
            claims: ClaimView::all(state),
            proposals: state.proposals.iter().map(ProposalView::of_table).collect(),
            change_waits: state.queued.is_some(),
            configuration: state.configuration(),
            dice_wait: DiceWait::at(state),
        }
    }
}

impl DiceWait {
    fn at(state: &LiveTable) -> Option<DiceWait> {
        match state.table.decide(state.rules(), &Command::CloseBetting) {
            Err(Refusal::NoShooter) => Some(DiceWait::LineBet),
            Ok(_) if state.is_window_shared() => Some(DiceWait::Window),
            _ => None,
        }
    }
}

impl ProposalView {
    fn of_table((id, pending): (&u64, &Pending)) -> ProposalView {
        let (what, reason) = pending.proposal.in_words();
        let (by, name, until) = (pending.by.clone(), pending.name.clone(), pending.until);
        let (lines, reason) = (pending.lines.clone(), reason.to_owned());
        ProposalView { proposal: *id, what, lines, reason, by, name, until }
    }
}

impl MeterView {
    /// A meter as it is now.
    pub fn of(state: &KeptMeter) -> MeterView {
        let terms = state.meter.terms();
        let hit = |award: &craps::meter::Award| award.from_meter + award.from_house;
        let proposal = |(id, pending): (&u64, &MeterPending)| {
            let (what, reason) = pending.proposal.in_words();
            ProposalView {
                proposal: *id,
                what,
                lines: pending.lines.clone(),
                reason: reason.to_owned(),
                by: pending.by.clone(),
                name: pending.name.clone(),
                until: pending.until,
            }
        };
        MeterView {
            meter: state.id.to_string(),
            paytable: state.meter.name().to_owned(),
            practice: state.practice,
            amount: state.meter.payable(),
            seed: terms.seed,
            increment: terms.increment.0,
            reserve: terms.reserve.0,
            ceiling: terms.ceiling,
            set_aside: Some(state.meter.reserve().whole_cents()),
            of_players: Some(state.meter.of_players().whole_cents()),
            kept: Some(state.meter.kept().whole_cents()),
            terms_wait: state.meter.next_terms().is_some(),
            closed: state.meter.is_closed(),
            damaged: false,
            hits: state.unpaid.iter().map(hit).collect(),
            proposals: state.proposals.iter().map(proposal).collect(),
            withdrawn: state.withdrawn.iter().map(WithdrawnView::of).collect(),
        }
    }

    /// The same meter, of which nobody can say what it would pay.
    pub fn damaged(self) -> MeterView {
        MeterView { amount: Cents::ZERO, damaged: true, hits: Vec::new(), ..self }
    }
}

impl OfferView {
    /// Everything a seat may do now.
    pub fn all(state: &LiveTable, seat: Seat) -> Vec<OfferView> {
        let rules = state.rules();
        let offer = |offer: craps::Offer| {
            let amounts = offer.put.as_ref().ok();
            OfferView {
                wager: rules.spot_rule(offer.spot).notation.clone(),
                least: amounts.map(|amounts| amounts.least),
                most: amounts.map(|amounts| amounts.most),
                step: amounts.map(|amounts| amounts.step),
                why_not: offer.put.err().map(Problem::from),
                take: offer.take_all.is_ok(),
                call: offer.call.is_ok(),
                even: offer.even,
            }
        };
        state.table.offers(rules, seat).into_iter().map(offer).collect()
    }
}

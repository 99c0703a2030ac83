//! A played tape as a dealer would tell it: stick calls and payout lists.

use anstyle::{AnsiColor, Style};
use craps::call::stick_call;
use craps::floor::FloorEvent;
use craps::meter::MeterEvent;
use craps::settle::Settled;
use craps::table::{Betting, HeldAward, Rolled, Undone, Voided};
use craps::tape::Played;
use craps::wager::Due;
use craps::{Account, BuyInKind, CashOutKind, Cents, Event, Fate, Postings, Seat, Tape};

use super::Names;

const ROLL: Style = AnsiColor::Yellow.on_default().bold();
const WIN: Style = AnsiColor::Green.on_default();
const LOSE: Style = AnsiColor::Red.on_default();
const QUIET: Style = Style::new().dimmed();

pub(super) fn lines(tape: &Tape, played: &Played) -> Vec<String> {
    let mut teller = Teller(Names::of(tape));
    let mut lines = vec![format!("{QUIET}{} under {}{QUIET:#}", tape.file, tape.rules.name)];
    for entry in &played.entries {
        teller.0.go_over(entry);
        for event in &entry.events {
            teller.0.follow(event);
            match event {
                FloorEvent::Table { event, .. } => lines.extend(teller.event(event, &entry.racks)),
                FloorEvent::Meter { meter, event } => lines.extend(teller.meter(meter, event)),
            }
        }
        if let Some(refusal) = &entry.refusal {
            let said = entry.text.trim_start_matches('!').trim();
            let said = said.split(':').next().unwrap_or_default().trim();
            let code = refusal.code();
            lines.push(format!("  {LOSE}no:{LOSE:#} {said} — {refusal} {QUIET}({code}){QUIET:#}"));
        }
    }
    lines
}

fn buys_in(kind: BuyInKind, amount: Cents) -> String {
    match kind {
        BuyInKind::Cash => format!("buys in for {amount}"),
        BuyInKind::Marker => format!("buys in for {amount} with a marker"),
        BuyInKind::Coupon => format!("buys in for {amount} with a coupon"),
        BuyInKind::Chips => format!("brings {amount} in chips"),
    }
}

fn cashes_out(kind: CashOutKind, amount: Cents) -> String {
    match kind {
        CashOutKind::Walk => format!("cashes out {amount}"),
        CashOutKind::Jackpot => format!("is paid {amount} by the cage"),
        CashOutKind::Redeem => format!("changes {amount} in chips back into cash"),
        CashOutKind::Toke => format!("gives the dealers {amount}"),
        CashOutKind::LeftBehind => format!("leaves {amount} in chips behind"),
    }
}

fn leaves(kind: CashOutKind, amount: Cents) -> String {
    match kind {
        CashOutKind::Walk => format!("leaves with {amount}"),
        CashOutKind::LeftBehind => format!("leaves, and {amount} in chips behind"),
        _ => format!("leaves and {}", cashes_out(kind, amount)),
    }
}

/// What the dealers get with a claim that was paid.
fn envy_paid(postings: &Postings) -> Option<String> {
    let envy = postings.gain(Account::Envy);
    let line = || format!("    {WIN}the dealers are paid envy {envy}{WIN:#}");
    (envy > Cents::ZERO).then(line)
}

struct Teller(Names);

impl Teller {
    fn event(&self, event: &Event, racks: &[(Seat, Cents)]) -> Vec<String> {
        let line = match event {
            Event::Sat { name, .. } => format!("  {name} sits down"),
            Event::Renamed { name, .. } => format!("  {name} is the new name"),
            Event::Left { seat, kind, postings } => {
                let amount = -postings.gain(Account::Rack(*seat));
                format!("  {} {}", self.0.name(*seat), leaves(*kind, amount))
            }
            Event::BoughtIn { seat, kind, postings } => {
                let amount = postings.gain(Account::Rack(*seat));
                format!("  {} {}", self.0.name(*seat), buys_in(*kind, amount))
            }
            Event::CashedOut { seat, kind, postings } => {
                let amount = postings.gain(Account::Cage);
                format!("  {} {}", self.0.name(*seat), cashes_out(*kind, amount))
            }
            Event::Filled { postings } => {
                format!("  a fill of {}", postings.gain(Account::Bank))
            }
            Event::Credited { postings } => {
                format!("  a credit of {}", postings.gain(Account::Cage))
            }
            Event::Put(betting) => self.betting(betting, "bets"),
            Event::Took(betting) => self.betting(betting, "takes down"),
            Event::Called(betting) => self.betting(betting, "calls"),
            Event::BettingClosed => return Vec::new(),
            Event::Rolled(rolled) => return self.rolled(rolled, racks),
            Event::NoRoll => format!("{ROLL}no roll{ROLL:#}"),
            Event::DicePassed { .. } => "  the dice are passed".to_owned(),
            Event::Swept(swept) => {
                let lines = swept.settlement.lines.iter();
                return lines.map(|line| format!("    {}", self.line(line))).collect();
            }
            Event::Voided(voided) => {
                let line =
                    format!("{ROLL}{} does not count{ROLL:#}: {}", voided.roll, voided.reason);
                return [vec![line], self.undone(voided)].concat();
            }
            Event::Corrected { voided, rolled } => {
                let mut lines =
                    vec![format!("{ROLL}{} was misread{ROLL:#}: {}", voided.roll, voided.reason)];
                lines.extend(self.undone(voided));
                lines.extend(self.rolled(rolled, racks));
                return lines;
            }
            Event::ClaimPaid { shares, postings, .. } => {
                let paid = |(seat, share): &(Seat, Cents)| {
                    format!("    {WIN}{} is paid the jackpot, {share}{WIN:#}", self.0.name(*seat))
                };
                return shares.iter().map(paid).chain(envy_paid(postings)).collect();
            }
            Event::EnvyHeld { envy, .. } => {
                let claims: Vec<String> = envy.claims.iter().map(|id| id.0.to_string()).collect();
                let claims = match claims.as_slice() {
                    [one] => format!("claim {one}"),
                    _ => format!("claims {}", claims.join(", ")),
                };
                format!("    {QUIET}{claims}: envy {} for the dealers waits{QUIET:#}", envy.amount)
            }
            Event::Held { award, .. } => {
                let (name, spot) = (self.0.name(award.seat), self.0.spot(award.spot));
                let HeldAward { id, amount, .. } = award;
                format!("    {QUIET}claim {}: {amount} of {name} on {spot} waits{QUIET:#}", id.0)
            }
            Event::Released { award, postings } => {
                let (name, spot) = (self.0.name(award.seat), self.0.spot(award.spot));
                let HeldAward { id, amount, .. } = award;
                let claim = format!("claim {} is confirmed", id.0);
                let line = format!("    {WIN}{claim}: {name} has {amount} of {spot}{WIN:#}");
                return [line].into_iter().chain(envy_paid(postings)).collect();
            }
            Event::ClaimDenied { claim, spot, reason, envy, .. } => {
                let spot = self.0.spot(*spot);
                let line =
                    format!("    {LOSE}claim {} on {spot} is denied{LOSE:#}: {reason}", claim.0);
                let unpaid = format!("    the dealers are not paid envy {envy}");
                return [line].into_iter().chain((*envy > Cents::ZERO).then_some(unpaid)).collect();
            }
            Event::Returned { betting, reason } => {
                let (name, spot) = (self.0.name(betting.seat), self.0.spot(betting.spot));
                let amount = betting.postings.gain(Account::Rack(betting.seat));
                format!("  {name} is handed back {amount} of {spot}: {reason}")
            }
            Event::Mended(mended) => {
                let (house, mending) = (mended.postings.gain(Account::House), &mended.mending);
                format!(
                    "  roll {}, keyed {}, is mended: {}, {house} for the house: {}",
                    mending.number, mending.keyed, mending.what, mending.reason
                )
            }
            Event::PayingBegun => "  the last roll is being paid".to_owned(),
            Event::BettingOpened => "  bets are taken again".to_owned(),
            Event::Configured { .. } => format!("  the table goes over to {}", self.0.rules.name),
            Event::Paused => "  the table pauses".to_owned(),
            Event::Resumed => "  play goes on".to_owned(),
            Event::Closed => "  the table closes".to_owned(),
        };
        vec![line]
    }

    fn betting(&self, betting: &Betting, does: &str) -> String {
        let mut parts = Vec::new();
        for bet in &betting.bets {
            let vig = match bet.vig {
                Cents::ZERO => String::new(),
                vig => format!(", commission {vig}"),
            };
            parts.push(match (bet.stake, bet.call, does) {
                (Cents::ZERO, _, _) => format!("{} comes down", self.0.spot(bet.spot)),
                (_, craps::OnOff::On, "calls") => format!("{} on", self.0.spot(bet.spot)),
                (_, craps::OnOff::Off, "calls") => format!("{} off", self.0.spot(bet.spot)),
                (.., "calls") => format!("{} as the house has it", self.0.spot(bet.spot)),
                (stake, ..) => format!("{}, {stake} up{vig}", self.0.spot(bet.spot)),
            });
        }
        let fed = betting.fed.as_ref().map_or("", |_| ", meter fed");
        format!("  {} {does} {}{QUIET}{fed}{QUIET:#}", self.0.name(betting.seat), parts.join("; "))
    }

    /// What was bet since a roll and is undone with it.
    fn undone(&self, voided: &Voided) -> Vec<String> {
        let undone = |bet: &Undone| {
            let (name, spot) = (self.0.name(bet.seat), self.0.spot(bet.spot));
            let moved = match bet.postings.gain(Account::Rack(bet.seat)) {
                Cents::ZERO => "the call is undone".to_owned(),
                back if back > Cents::ZERO => format!("{back} goes back to the rack"),
                down => format!("{} goes back down", -down),
            };
            format!("    {name}: {spot}, {moved}")
        };
        voided.undone.iter().map(undone).collect()
    }

    fn rolled(&self, rolled: &Rolled, racks: &[(Seat, Cents)]) -> Vec<String> {
        let says = stick_call(rolled.puck, rolled.roll, self.0.rules.points);
        let shooter = self.0.name(rolled.shooter);
        let mut lines = vec![format!(
            "{ROLL}{}  {says}{ROLL:#} {QUIET}— roll {}, {shooter} shooting, puck {}{QUIET:#}",
            rolled.roll,
            rolled.number,
            match rolled.hand.puck {
                craps::Puck::Off => "OFF".to_owned(),
                craps::Puck::On(point) => format!("ON {point}"),
            }
        )];
        let settlement = &rolled.settlement;
        for (seat, rack) in racks {
            let mine: Vec<&Settled> =
                settlement.lines.iter().filter(|line| line.seat == *seat).collect();
            lines.extend(mine.iter().map(|line| format!("    {}", self.line(line))));
            let paid: Cents = mine.iter().map(|line| line.to_rack()).sum();
            if paid > Cents::ZERO {
                let name = self.0.name(*seat);
                lines.push(format!("    {QUIET}{name} is handed {paid}, rack {rack}{QUIET:#}"));
            }
        }
        for (award, amount) in &settlement.envies {
            let award = self.0.rules.award(*award);
            let title = &self.0.rules.wager(award.wager).title;
            lines.push(format!("    {WIN}the dealers are paid envy {amount}{WIN:#} for {title}"));
        }
        for claim in &rolled.claims {
            lines.push(format!("    {WIN}jackpot! {} is claimed{WIN:#}", claim.meter));
        }
        lines
    }

    fn line(&self, line: &Settled) -> String {
        let name = self.0.name(line.seat);
        let bet = format!("{name}: {} {}", self.0.spot(line.bet.spot), line.bet.stake);
        match line.fate {
            Fate::Win { award, .. } if self.0.rules.award(award).due == Due::Push => {
                format!("{bet} pushes, comes down")
            }
            Fate::Win { award, .. } => {
                let mut text = match line.won {
                    won if won < Cents::ZERO => format!("{WIN}{bet} wins{WIN:#}"),
                    won => format!("{WIN}{bet} wins {won}{WIN:#}"),
                };
                let award = self.0.rules.award(award);
                text += &format!(" {QUIET}({}){QUIET:#}", award.due);
                if line.charged > Cents::ZERO {
                    text += &format!(", commission {}", line.charged);
                }
                if line.broken > Cents::ZERO {
                    text += &format!(", breakage {}", line.broken);
                }
                if line.withheld > Cents::ZERO {
                    text += &format!(", {} withheld by the cap", line.withheld);
                }
                text + if line.left.is_some() { ", stays up" } else { ", comes down" }
            }
            Fate::Lose => format!("{LOSE}{bet} loses{LOSE:#}"),
            Fate::Push => format!("{bet} pushes"),
            Fate::Return if self.0.rules.tracker_at(line.bet.spot).is_some() => {
                format!("{bet} ends with the shooter and is returned")
            }
            Fate::Return => format!("{bet} was off and is returned"),
            Fate::Travel(to) => format!("{bet} travels to {}", self.0.spot(to)),
            Fate::Stand => bet,
        }
    }

    fn meter(&self, meter: &str, event: &MeterEvent) -> Option<String> {
        match event {
            MeterEvent::Awarded(award) => {
                Some(format!("    meter {meter} pays {}", award.from_meter + award.from_house))
            }
            MeterEvent::Reversed { .. } => Some(format!("    meter {meter} takes its award back")),
            MeterEvent::Adjusted { amount, reason, .. } => {
                Some(format!("    meter {meter} adjusted by {amount}: {reason}"))
            }
            MeterEvent::TermsSet { .. } => {
                Some(format!("    meter {meter} gets other terms at its next reset"))
            }
            MeterEvent::Closed { .. } => Some(format!("    meter {meter} closes")),
            MeterEvent::MovedOut(moved) => {
                Some(format!("    {} leaves meter {meter} for another", moved.total()))
            }
            MeterEvent::MovedIn(moved) => {
                Some(format!("    {} comes to meter {meter} from another", moved.total()))
            }
            MeterEvent::Kept(moved) => {
                Some(format!("    meter {meter} keeps {} for players", moved.total()))
            }
            MeterEvent::Fed { .. } | MeterEvent::Claimed { .. } | MeterEvent::Reseeded { .. } => {
                None
            }
        }
    }
}

//! A played tape as a dealer would tell it: stick calls and payout lists.

use anstyle::{AnsiColor, Style};
use craps::call::stick_call;
use craps::floor::FloorEvent;
use craps::meter::MeterEvent;
use craps::settle::Settled;
use craps::table::{Betting, HeldAward, Rolled};
use craps::tape::Played;
use craps::wager::Due;
use craps::{Account, Cents, Event, Fate, Seat, Tape};

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

struct Teller(Names);

impl Teller {
    fn event(&self, event: &Event, racks: &[(Seat, Cents)]) -> Vec<String> {
        let line = match event {
            Event::Sat { name, .. } => format!("  {name} sits down"),
            Event::Renamed { name, .. } => format!("  {name} is the new name"),
            Event::Left { seat, postings } => {
                let amount = -postings.gain(Account::Rack(*seat));
                format!("  {} leaves with {amount}", self.0.name(*seat))
            }
            Event::BoughtIn { seat, postings } => {
                let amount = postings.gain(Account::Rack(*seat));
                format!("  {} buys in for {amount}", self.0.name(*seat))
            }
            Event::CashedOut { seat, postings } => {
                let amount = postings.gain(Account::Cage);
                format!("  {} cashes out {amount}", self.0.name(*seat))
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
                format!("{ROLL}{} does not count{ROLL:#}: {}", voided.roll, voided.reason)
            }
            Event::Corrected { voided, rolled } => {
                let mut lines =
                    vec![format!("{ROLL}{} was misread{ROLL:#}: {}", voided.roll, voided.reason)];
                lines.extend(self.rolled(rolled, racks));
                return lines;
            }
            Event::ClaimPaid { shares, .. } => {
                let paid = |(seat, share): &(Seat, Cents)| {
                    format!("    {WIN}{} is paid the jackpot, {share}{WIN:#}", self.0.name(*seat))
                };
                return shares.iter().map(paid).collect();
            }
            Event::Held { award, .. } => {
                let (name, spot) = (self.0.name(award.seat), self.0.spot(award.spot));
                let HeldAward { id, amount, .. } = award;
                format!("    {QUIET}claim {}: {amount} of {name} on {spot} waits{QUIET:#}", id.0)
            }
            Event::Released { award, .. } => {
                let (name, spot) = (self.0.name(award.seat), self.0.spot(award.spot));
                let HeldAward { id, amount, .. } = award;
                let claim = format!("claim {} is confirmed", id.0);
                format!("    {WIN}{claim}: {name} has {amount} of {spot}{WIN:#}")
            }
            Event::ClaimDenied { claim, spot, reason, .. } => {
                let spot = self.0.spot(*spot);
                format!("    {LOSE}claim {} on {spot} is denied{LOSE:#}: {reason}", claim.0)
            }
            Event::Returned { betting, reason } => {
                let (name, spot) = (self.0.name(betting.seat), self.0.spot(betting.spot));
                let amount = betting.postings.gain(Account::Rack(betting.seat));
                format!("  {name} is handed back {amount} of {spot}: {reason}")
            }
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
            MeterEvent::Adjusted { amount, reason } => {
                Some(format!("    meter {meter} adjusted by {amount}: {reason}"))
            }
            MeterEvent::TermsSet { .. } => {
                Some(format!("    meter {meter} gets other terms at its next reset"))
            }
            MeterEvent::Closed { .. } => Some(format!("    meter {meter} closes")),
            MeterEvent::Fed { .. } | MeterEvent::Claimed { .. } | MeterEvent::Reseeded { .. } => {
                None
            }
        }
    }
}

//! Several plans at one table come to the cents of the engine: alone to those of a plan that is
//! asked every time, together to those of a live table that is told what they did.

use std::sync::Arc;

use craps::machine::{Asked, End, Length, Over, Play, Rail, Session};
use craps::table::Shooter;
use craps::{Action, Cents, Command, Floor, MicroCents, Refusal, Rules, Seat};
use craps_plan::{Plan, READY};
use craps_sim::dice::Dice;
use craps_sim::{Course, Job, Kernel, run};

use crate::{party, party_plans, party_rules, sat_down, seated};

/// What was asked, and what became of it: the chips moved, or the refusal's code. How much a rack
/// was short of is told as it was the first time.
fn codes(asked: &[Asked]) -> Vec<(Action, Result<Cents, &'static str>)> {
    let code = |answer: &Result<Cents, Refusal>| answer.as_ref().map_err(Refusal::code).copied();
    asked.iter().map(|(action, answer)| (*action, code(answer))).collect()
}

#[test]
fn alone_a_plan_comes_to_the_cents_it_comes_to_by_itself() {
    for (name, text) in READY {
        let (plan, rules, meters) = sat_down(name, text);
        let bankroll = Cents::dollars(300);
        let plans = [plan];
        let mut rail = Rail::new(&rules, &plans);
        for day in 0..6 {
            rail.open(&[]);
            let seat = rail.sit(0, bankroll);
            rail.ask().unwrap();
            let play = Play::start(&rules, &plans[0], &meters, bankroll);
            let (mut play, asked) = play.unwrap();
            assert_eq!(codes(rail.asked(seat)), codes(&asked));
            for roll in (Dice { seed: 3 }).rolls(day).take(400) {
                let Some(turn) = play.roll(roll).unwrap() else { break };
                rail.throw(roll);
                rail.ask().unwrap();
                assert_eq!(rail.equity(seat), play.equity(), "{name}, day {day}, {roll}");
                let (is, was) = (codes(rail.asked(seat)), codes(&turn.asked));
                assert_eq!(is, was, "{name}, day {day}, {roll}");
                assert_eq!(rail.end(seat), play.now().err(), "{name}, day {day}, {roll}");
            }
        }
    }
}

#[test]
fn alone_a_plan_ends_where_its_machine_ends() {
    for name in ["iron-cross", "martingale", "staged", "three-point-molly"] {
        let text = craps_plan::ready(name).unwrap();
        let seated = seated(name, text);
        let (bankroll, rolls) = (Cents::dollars(200), 300);
        let length = Length::Rolls(rolls);
        let session = Session { bankroll, length, goal: None, floor: None };
        let course = Course::new(&seated.explored.machine, &session, rolls).unwrap();
        let plans = [seated.plan];
        let mut rail = Rail::new(&seated.rules, &plans);
        for number in 0..20 {
            let dice = Dice { seed: 8 };
            let (kernel, sessions) = (Kernel::Scalar, number..number + 1);
            let job = Job { course: &course, dice, sessions, kernel, threads: 1 };
            let (tally, _) = run(&job, |_| true);
            let finals = tally.finals.iter().zip(Over::ALL);
            let (cell, over) = finals
                .flat_map(|(counts, over)| counts.iter().map(move |(cell, _)| (cell, over)))
                .next()
                .unwrap();
            rail.open(&[]);
            let seat = rail.sit(0, bankroll);
            rail.ask().unwrap();
            for roll in dice.rolls(number).take(rolls as usize) {
                if rail.end(seat).is_none() {
                    rail.throw(roll);
                    rail.ask().unwrap();
                }
            }
            assert_eq!(rail.equity(seat), course.equity(cell), "{name}, session {number}");
            let ended = (over != Over::Time).then_some(over);
            assert_eq!(rail.end(seat).map(Over::Ended), ended, "{name}, session {number}");
        }
    }
}

/// A live table that is told what everybody did.
struct Live {
    floor: Floor,
    rules: Arc<Rules>,
}

impl Live {
    fn open(rules: &Arc<Rules>) -> Live {
        let mut floor = Floor::default().with_shooter(Shooter::Any);
        floor.open(Arc::clone(rules)).unwrap();
        Live { floor, rules: Arc::clone(rules) }
    }

    #[track_caller]
    fn obey(&mut self, command: &Command) {
        if let Err(refusal) = self.floor.obey(0, command) {
            panic!("{command:?}: {refusal}");
        }
    }

    #[track_caller]
    fn asks(&mut self, seat: Seat, asked: &[Asked]) {
        for (action, answer) in asked {
            let wager = self.rules.spot_rule(action.spot()).notation.clone();
            let command = match *action {
                Action::Put { amount, .. } => Command::Put { seat, wager, amount },
                Action::Take { amount, .. } => Command::Take { seat, wager, amount },
                Action::Call { call, .. } => Command::Call { seat, wager, call },
            };
            let obeyed = self.floor.obey(0, &command);
            let is = obeyed.map(drop).map_err(|refusal| refusal.code());
            let was = answer.as_ref().map(drop).map_err(Refusal::code);
            assert_eq!(is, was, "{seat}: {command:?}");
        }
    }
}

#[test]
fn together_they_come_to_the_cents_of_a_live_table_told_the_same() {
    let rules = party_rules();
    let plans = party_plans();
    let mut rail = Rail::new(&rules, &plans);
    let (mut envy, mut jackpots, mut withheld, mut again) = (0, 0, 0, 0);
    for day in 0..12 {
        let mut live = Live::open(&rules);
        rail.open(&[]);
        for (plan, bankroll) in party() {
            let seat = rail.sit(plan, bankroll);
            live.obey(&Command::Sit { seat, name: seat.to_string() });
            live.obey(&Command::buy_in(seat, bankroll));
        }
        rail.ask().unwrap();
        for seat in rail.seats() {
            live.asks(seat, rail.asked(seat));
        }
        for roll in (Dice { seed: 5 }).rolls(day).take(600) {
            live.obey(&Command::CloseBetting);
            live.obey(&Command::Roll { roll });
            rail.throw(roll);
            let playing: Vec<bool> = rail.seats().map(|seat| rail.end(seat).is_none()).collect();
            let table = live.floor.table(0);
            for seat in rail.seats() {
                assert_eq!(table.rack(seat), rail.accounts().balance(craps::Account::Rack(seat)));
            }
            rail.ask().unwrap();
            for seat in rail.seats().filter(|seat| playing[seat.index()]) {
                live.asks(seat, rail.asked(seat));
            }
            for seat in rail.seats() {
                if rail.end(seat) == Some(End::Ruined) {
                    let (_, bankroll) = party()[seat.index()];
                    let rack = rail.equity(seat);
                    if rack > Cents::ZERO {
                        live.obey(&Command::cash_out(seat, rack));
                    }
                    live.obey(&Command::buy_in(seat, bankroll));
                    rail.buy_in_again(seat, bankroll).unwrap();
                    live.asks(seat, rail.asked(seat));
                    again += 1;
                }
            }
            let table = live.floor.table(0);
            assert_eq!(table.hand(), rail.hand(), "day {day}, {roll}");
            for (seat, player) in table.players() {
                assert_eq!(player.layout, *rail.layout(seat), "day {day}, {roll}, {seat}");
            }
            assert_eq!(table.parts().accounts, *rail.accounts(), "day {day}, {roll}");
            for meter in rail.meters() {
                assert_eq!(live.floor.meter(meter.name()), Some(meter), "day {day}, {roll}");
            }
            jackpots += rail.awards().len();
            let out = rail.settlement();
            envy += out.envies.len();
            withheld += out.lines.iter().filter(|line| line.withheld > Cents::ZERO).count();
        }
    }
    assert!(envy > 0 && jackpots > 0 && withheld > 0 && again > 0, "too little has happened");
}

/// What players lost is what the house, the dealers and the meters have, to the millionth of a
/// cent, after every roll.
#[test]
fn no_money_is_lost() {
    let rules = party_rules();
    let plans = party_plans();
    let mut rail = Rail::new(&rules, &plans);
    let mut bought = Cents::ZERO;
    rail.open(&[None, Some(Cents::dollars(50))]);
    for (plan, bankroll) in party() {
        rail.sit(plan, bankroll);
        bought += bankroll;
    }
    let held = |rail: &Rail<'_, Plan>| {
        let held = rail.meters().iter().map(|meter| meter.amount() + meter.reserve());
        held.fold(MicroCents::ZERO, |sum, part| sum + part)
    };
    let funded = |rail: &Rail<'_, Plan>| {
        let funded = rail.meters().iter().map(|meter| meter.parts().funded);
        funded.fold(MicroCents::ZERO, |sum, part| sum + part)
    };
    let (held_first, funded_first) = (held(&rail), funded(&rail));
    rail.ask().unwrap();
    assert!(rail.is_conserved());
    for roll in (Dice { seed: 6 }).rolls(0).take(20_000) {
        rail.throw(roll);
        assert!(rail.is_conserved());
        rail.ask().unwrap();
        assert!(rail.is_conserved());
        for seat in rail.seats() {
            if rail.end(seat).is_some() {
                let bankroll = party()[seat.index()].1;
                bought += bankroll - rail.equity(seat);
                rail.buy_in_again(seat, bankroll).unwrap();
                assert!(rail.is_conserved());
            }
        }
        let lost = bought - rail.seats().map(|seat| rail.equity(seat)).sum::<Cents>();
        let accounts = rail.accounts();
        let kept = accounts.house + accounts.breakage;
        let cleared = MicroCents::from(accounts.clearing);
        let carried = held(&rail) - held_first - (funded(&rail) - funded_first) - cleared;
        assert!(MicroCents::ZERO <= carried && carried < MicroCents::from(Cents(1)));
        let house = MicroCents::from(kept) - carried - (funded(&rail) - funded_first);
        let grown = held(&rail) - held_first;
        assert_eq!(house, MicroCents::from(lost - accounts.envy) - grown);
    }
}

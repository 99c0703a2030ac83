//! The loops that the simulator is measured against pay what the engine pays.

#[path = "../../benches/naive/mod.rs"]
mod by_hand;

use craps::Cents;
use craps::machine::{End, Length, Over, Session};
use craps_plan::ready;
use craps_sim::dice::Dice;
use craps_sim::{Course, Job, Kernel, Tally, run};

use crate::seated;

#[test]
fn hand_written_loops_end_with_the_same_money() {
    for (name, bankroll, rolls) in [
        ("pass", 60, 200),
        ("pass", 1_000, 500),
        ("pass-six-eight", 150, 200),
        ("pass-six-eight", 1_000, 500),
        ("small-tall-all", 60, 200),
        ("small-tall-all", 1_000, 500),
    ] {
        let machine = seated(name, ready(name).unwrap()).explored.machine;
        let session = Session {
            bankroll: Cents::dollars(bankroll),
            length: Length::Rolls(rolls),
            goal: None,
            floor: None,
        };
        let course = Course::new(&machine, &session, rolls).unwrap();
        let (dice, sessions) = (Dice { seed: 8 }, 300);
        let job = Job {
            course: &course,
            dice,
            sessions: 0..sessions,
            kernel: Kernel::best(),
            threads: 1,
        };
        let tally = run(&job, |_| true).0;
        let mut counted = Tally::new(&course);
        for number in 0..sessions {
            let mut rolled = dice.rolls(number);
            let roll = || rolled.next().unwrap().total().number();
            let (money, ruined, played) = match name {
                "pass" => by_hand::pass(roll, bankroll, rolls),
                "pass-six-eight" => by_hand::pass_six_eight(roll, bankroll, rolls),
                _ => by_hand::small_tall_all(roll, bankroll, rolls),
            };
            let over = if ruined { Over::Ended(End::Ruined) } else { Over::Time };
            let cell = (Cents::dollars(money) - session.bankroll).0 / course.unit().0;
            counted.finals[over.index()].add(cell, 1);
            counted.rolls[over.index()].add(played.into(), 1);
        }
        assert!(counted == tally, "{name} with {bankroll}");
    }
}

//! Every kernel counts what the reference counts.

use craps::Cents;
use craps::machine::{Length, Session};
use craps_plan::READY;
use craps_sim::dice::Dice;
use craps_sim::{Course, Job, Kernel, Tally, run};

use crate::seated;

fn tally(course: &Course, kernel: Kernel, threads: usize, sessions: u64) -> Tally {
    let job = Job { course, dice: Dice { seed: 1 }, sessions: 0..sessions, kernel, threads };
    run(&job, |_| true).0
}

#[test]
fn every_kernel_counts_the_same() {
    for (name, text) in READY {
        let machine = seated(name, text).explored.machine;
        for (bankroll, rolls, goal) in [(300, 200, None), (1_000, 500, None), (300, 300, Some(420))]
        {
            let session = Session {
                bankroll: Cents::dollars(bankroll),
                length: Length::Rolls(rolls),
                goal: goal.map(Cents::dollars),
                floor: None,
            };
            let course = Course::new(&machine, &session, 1_000_000).unwrap();
            let expected = tally(&course, Kernel::Scalar, 1, 300);
            assert_eq!(expected.sessions(), 300);
            for kernel in Kernel::ALL.into_iter().filter(|kernel| kernel.is_here()) {
                assert!(tally(&course, kernel, 2, 300) == expected, "{name} {bankroll} {kernel:?}");
            }
        }
    }
}

//! What goes wrong, when, and for how long.

use std::sync::Arc;

use boxman_client::Random;

use crate::database::Commit;
use crate::host::name;
use crate::run::Run;
use crate::tables::Tables;
use crate::world::Moment;

/// Something that goes wrong.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fault {
    Kill {
        node: usize,
        back: u64,
    },
    Freeze {
        node: usize,
        span: u64,
    },
    /// As for an upgrade: it hands over, ends, and comes back.
    Roll {
        node: usize,
        back: u64,
    },
    CutDatabase {
        node: usize,
        span: u64,
    },
    StormAtDatabase {
        node: usize,
        span: u64,
    },
    CutLine {
        one: usize,
        other: usize,
        span: u64,
    },
    StormOnLines {
        place: usize,
        span: u64,
    },
    RestartDatabase {
        span: u64,
    },
    Promote {
        span: u64,
        standby: u64,
    },
    LoseStandby {
        span: u64,
    },
    JumpClock {
        node: usize,
        by: i64,
    },
    Evict {
        node: usize,
    },
}

impl Fault {
    /// What goes wrong in one run.
    pub(crate) fn some(random: &mut Random) -> Vec<Fault> {
        let count = random.between(2, 8);
        (0..count).map(|_| Fault::any(random)).collect()
    }

    fn any(random: &mut Random) -> Fault {
        let node = random.below(3) as usize;
        let span = random.between(50, 4_000);
        match random.below(24) {
            0..3 => Fault::Kill { node, back: random.between(100, 3_000) },
            3..6 => Fault::Freeze { node, span },
            6..9 => Fault::Roll { node, back: random.between(100, 1_000) },
            9..11 => Fault::CutDatabase { node, span },
            11..14 => Fault::StormAtDatabase { node, span },
            14 => Fault::CutLine { one: node, other: (node + 1) % 3, span },
            15..17 => Fault::StormOnLines { place: random.below(4) as usize, span },
            17..19 => Fault::RestartDatabase { span: span / 2 },
            19..21 => Fault::Promote { span: span / 3, standby: span },
            21 => Fault::LoseStandby { span },
            22 => Fault::JumpClock { node, by: random.below(4_000) as i64 - 2_000 },
            _ => Fault::Evict { node },
        }
    }

    /// Has it go wrong then.
    pub(crate) fn plan(self, run: &Run, at: Moment) {
        let mut world = run.world.lock();
        let wait = at.saturating_sub(world.now);
        world.after(wait, move |run| self.strike(run));
    }

    fn strike(self, run: &mut Run) {
        run.note(&format!("{self:?}"));
        let now = run.now();
        match self {
            Fault::Kill { node, back } => {
                run.hosts[node].kill();
                run.world.lock().cut_off(node);
                run.hosts[node].starts_at = Some(now + back);
            }
            Fault::Freeze { node, span } => run.hosts[node].freeze(now + span),
            Fault::Roll { node, back } => {
                if run.hosts[node].stop() {
                    run.hosts[node].starts_at = Some(now + back);
                }
            }
            Fault::CutDatabase { node, span } => {
                run.world.lock().weather.cut_database(node, now + span);
            }
            Fault::StormAtDatabase { node, span } => {
                run.world.lock().weather.storm_at_database(node, now + span);
            }
            Fault::CutLine { one, other, span } => {
                run.world.lock().weather.cut_line(one, other, now + span);
            }
            Fault::StormOnLines { place, span } => {
                run.world.lock().weather.storm_on_lines(place, now + span);
            }
            Fault::RestartDatabase { span } => run.world.lock().database.restart(now + span),
            Fault::Promote { span, standby } => {
                run.world.lock().database.promote(now, now + span, now + standby);
            }
            Fault::LoseStandby { span } => run.world.lock().database.lose_standby(now + span),
            Fault::JumpClock { node, by } => run.hosts[node].clock += by,
            Fault::Evict { node } => {
                let evict: Arc<dyn Fn(&mut Tables) + Send + Sync> =
                    Arc::new(move |tables| tables.evict(name(node)));
                run.world.lock().database.execute(now, 0, Commit::Local, &evict);
            }
        }
    }
}

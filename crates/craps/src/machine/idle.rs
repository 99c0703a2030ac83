//! Where nothing is up and nothing the dice could do would make the plan bet again, it is over:
//! rolls would go on for ever without it.

use super::explore::Explored;
use super::{Arrival, Branch, End, Machine, Then};
use crate::money::Cents;

/// Ranges of equity, from and below, in order and apart.
type Ranges = Vec<(i64, i64)>;

/// The same plan, with an end wherever it would idle, and without what is then never reached.
pub(super) fn ended<M: Clone>(explored: Explored<M>) -> Explored<M> {
    let Explored { machine, positions, settled } = explored;
    let bare: Vec<bool> =
        positions.iter().map(|position| position.table.state.layout.is_empty()).collect();
    if !bare.contains(&true) {
        return Explored { machine, positions, settled };
    }
    let awake = awake(&machine, &bare);
    let arrivals = machine.arrivals.iter().map(|arrival| cut(arrival, &bare, &awake)).collect();
    reached(&Explored { machine: Machine { arrivals, ..machine }, positions, settled })
}

/// For every position with nothing up, the equities with which something may still come.
fn awake(machine: &Machine, bare: &[bool]) -> Vec<Ranges> {
    let mut awake: Vec<Ranges> = vec![Vec::new(); bare.len()];
    let rolls = |place: usize| {
        let edges = machine.edges(place as u32).iter();
        edges.flat_map(|edge| pieces(&machine.arrivals()[edge.arrival as usize]))
    };
    let asleep = |then: Then| then.position().map(|next| next as usize).filter(|next| bare[*next]);
    // Whoever wakes up wakes those that lead to it.
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); bare.len()];
    let mut waiting: Vec<usize> = (0..bare.len()).filter(|place| bare[*place]).collect();
    for place in &waiting {
        for next in rolls(*place).filter_map(|(_, _, then)| asleep(then)) {
            if before[next].last() != Some(place) {
                before[next].push(*place);
            }
        }
    }
    let mut waits = bare.to_vec();
    while let Some(place) = waiting.pop() {
        waits[place] = false;
        let mut all = Ranges::new();
        for (from, below, then) in rolls(place) {
            match asleep(then) {
                Some(next) => all.extend(overlap(&awake[next], from, below)),
                None => all.push((from, below)),
            }
        }
        let all = joined(all);
        if all != awake[place] {
            awake[place] = all;
            for one in &before[place] {
                if !std::mem::replace(&mut waits[*one], true) {
                    waiting.push(*one);
                }
            }
        }
    }
    awake
}

/// The branches of an arrival as ranges, lowest first.
fn pieces(arrival: &Arrival) -> impl Iterator<Item = (i64, i64, Then)> + '_ {
    let branches = arrival.branches.iter().enumerate().rev();
    branches.map(|(place, branch)| {
        let higher = place.checked_sub(1).map(|higher| arrival.branches[higher].from.0);
        (branch.from.0, higher.unwrap_or(i64::MAX), branch.then)
    })
}

fn overlap(ranges: &Ranges, from: i64, below: i64) -> impl Iterator<Item = (i64, i64)> + '_ {
    let cut = ranges.iter().map(move |(least, most)| (from.max(*least), below.min(*most)));
    cut.filter(|(from, below)| from < below)
}

fn joined(mut ranges: Ranges) -> Ranges {
    ranges.sort_unstable();
    let mut joined = Ranges::new();
    for (from, below) in ranges {
        match joined.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(below),
            _ => joined.push((from, below)),
        }
    }
    joined
}

/// An arrival that ends where it would lead to idling.
fn cut(arrival: &Arrival, bare: &[bool], awake: &[Ranges]) -> Arrival {
    let mut branches: Vec<Branch> = Vec::new();
    let mut push = |from: i64, then: Then| match branches.last_mut() {
        Some(lower) if lower.then == then => {}
        _ => branches.push(Branch { from: Cents(from), then }),
    };
    // Lowest first, and turned around at the end.
    for (from, below, then) in pieces(arrival) {
        let Some(next) = then.position().filter(|next| bare[*next as usize]) else {
            push(from, then);
            continue;
        };
        let mut at = from;
        for (least, most) in overlap(&awake[next as usize], from, below) {
            if at < least {
                push(at, Then::End(End::Idle));
            }
            push(least, then);
            at = most;
        }
        if at < below {
            push(at, Then::End(End::Idle));
        }
    }
    branches.reverse();
    Arrival { branches, locked: arrival.locked }
}

/// What can be reached from the start, numbered as it is found.
fn reached<M: Clone>(all: &Explored<M>) -> Explored<M> {
    let machine = &all.machine;
    let mut arrival_of = vec![None; machine.arrivals.len()];
    let mut position_of = vec![None; machine.positions.len()];
    let mut out = Explored {
        machine: Machine { arrivals: Vec::new(), positions: Vec::new() },
        positions: Vec::new(),
        settled: Vec::new(),
    };
    let mut queue: Vec<u32> = Vec::new();
    let mut arrive = |old: u32, queue: &mut Vec<u32>, out: &mut Explored<M>| -> u32 {
        *arrival_of[old as usize].get_or_insert_with(|| {
            let mut arrival = machine.arrivals[old as usize].clone();
            for branch in &mut arrival.branches {
                let Then::Roll(position) = &mut branch.then else { continue };
                let place = position_of[*position as usize].get_or_insert_with(|| {
                    queue.push(*position);
                    queue.len() as u32 - 1
                });
                *position = *place;
            }
            out.machine.arrivals.push(arrival);
            out.settled.push(all.settled[old as usize].clone());
            out.settled.len() as u32 - 1
        })
    };
    arrive(0, &mut queue, &mut out);
    while let Some(old) = queue.get(out.positions.len()).copied() {
        let mut edges = machine.positions[old as usize];
        for edge in &mut edges {
            edge.arrival = arrive(edge.arrival, &mut queue, &mut out);
        }
        out.machine.positions.push(edges);
        out.positions.push(all.positions[old as usize].clone());
    }
    out
}

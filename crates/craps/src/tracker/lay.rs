//! Tracked wagers compiled: what each roll is to them, and what each ending pays.

use super::{CELLS, Cells, Heard, ListRule, Progress, TrackerRule, cell};
use crate::dice::{Combination, Total, Totals};
use crate::fate::{Awards, Fate};
use crate::spot::{Spot, SpotRule};
use crate::wager::{
    Count, Due, Game, Hears, List, Marks, Opens, PaysBy, PaysKey, Rebet, Shape, Wager,
};

/// The trackers of these spots, in their order.
pub(crate) fn lay(
    wagers: &[Wager],
    spots: &[SpotRule],
    game: Game,
    awards: &mut Awards,
) -> Vec<TrackerRule> {
    let tracked = spots.iter().enumerate().filter(|(_, rule)| rule.tracker.is_some());
    let lay = |(place, rule): (usize, &SpotRule)| {
        let wager = &wagers[usize::from(rule.wager.0)];
        let mut plan = Plan { wager, rule, game, awards: &mut *awards };
        plan.lay(Spot(place as u8))
    };
    tracked.map(lay).collect()
}

/// What one tracker is laid from.
struct Plan<'a> {
    wager: &'a Wager,
    rule: &'a SpotRule,
    game: Game,
    awards: &'a mut Awards,
}

impl Plan<'_> {
    fn lay(&mut self, spot: Spot) -> TrackerRule {
        let wager = self.wager;
        let (progress, heard, numbers, ends) = match &wager.shape {
            Shape::Count(count) => {
                let marks = count.marks.each(self.game.points);
                let numbers = count.marks.totals().unwrap_or(Totals::NONE);
                let (progress, heard, ends) = self.count(count, &marks);
                (progress, heard, numbers, ends)
            }
            Shape::Sequence { lists } => {
                let totals: Option<Vec<Vec<Total>>> = lists.iter().map(List::totals).collect();
                let numbers = totals.unwrap_or_default().into_iter().flatten().collect();
                let (progress, ends) = self.lists(lists);
                (progress, vec![Heard::default(); CELLS], numbers, ends)
            }
            _ => unreachable!("only tracked wagers have a tracker"),
        };
        let rebet = match wager.window.opens {
            Opens::AfterSeven { rebet } => rebet,
            _ => Rebet::No,
        };
        let lammers = wager.shared.lammers;
        TrackerRule { spot, heard: heard.into(), progress, numbers, rebet, lammers, ends }
    }

    /// Every roll of the game, with its place.
    fn rolls(&self) -> impl Iterator<Item = (usize, crate::puck::Puck, crate::dice::Roll)> + use<> {
        let all = |puck| Combination::all().map(move |it| (cell(puck, it), puck, it.roll()));
        self.game.pucks().flat_map(all)
    }

    /// What each roll is: the first mark it is, under the place that `place` gives it.
    fn heard(&self, marks: &[Vec<Hears>], ends_on: &[Hears], by_total: bool) -> Vec<Heard> {
        let mut heard = vec![Heard::default(); CELLS];
        for (cell, puck, roll) in self.rolls() {
            let covers = |it: &Hears| it.covers(self.game, self.rule.number, puck, roll);
            if let Some(place) = marks.iter().position(|mark| mark.iter().any(covers)) {
                let total = usize::from(roll.total().number());
                heard[cell].0 = Heard::MARKS | (if by_total { total } else { place }) as u8;
            }
            if ends_on.iter().any(covers) {
                heard[cell].0 |= Heard::ENDS;
            }
        }
        heard
    }

    fn count(&mut self, count: &Count, marks: &[Hears]) -> (Progress, Vec<Heard>, Vec<Fate>) {
        let times = count.times.as_ref().and_then(|times| times.on(self.rule.number));
        let one = |hears: &Hears| vec![*hears];
        let each: Vec<Vec<Hears>> = match &count.marks {
            Marks::Together(hears) => vec![hears.clone()],
            _ => marks.iter().map(one).collect(),
        };
        let together = matches!(count.marks, Marks::Together(_));
        let unit = count.marks.unit();
        if let (PaysBy::Each(pays), true) = (&self.wager.pays, self.rule.number.is_none()) {
            let progress = Progress::Best { reached: self.best(marks, pays) };
            return (progress, self.heard(&each, &count.ends_on, false), Vec::new());
        }
        // One mark that has to come several times is a count like any other.
        if together || (marks.len() == 1 && times.is_some_and(|times| times > 1)) {
            let ends = self.ladder(times.map(u32::from), unit);
            let most = ends.len() as u32 - 1;
            let progress = Progress::Count { most, completes: times.is_some() };
            return (progress, self.heard(&each, &count.ends_on, false), ends);
        }
        let ends = self.ladder(Some(marks.len() as u32), unit);
        let all_points = marks.iter().all(|mark| mark.total().is_some());
        let by_total = all_points && marks.iter().all(|mark| !matches!(mark, Hears::PointSet(_)));
        let progress = match times {
            Some(times @ 2..) => Progress::Several { marks: marks.len(), times },
            _ => {
                let bit = |(place, mark): (usize, &Hears)| match mark.total() {
                    Some(total) if by_total => 1 << total.number(),
                    _ => 1 << place,
                };
                let all = marks.iter().enumerate().map(bit).fold(0, |all, bit: u32| all | bit);
                let repeats = count.repeats;
                Progress::Marks { all, repeats, by_total }
            }
        };
        let by_total = matches!(progress, Progress::Marks { by_total: true, .. });
        (progress, self.heard(&each, &count.ends_on, by_total), ends)
    }

    /// The pays of this spot: those of its number where they go by that.
    fn pays(&self) -> PaysBy {
        let Some(number) = self.rule.number else { return self.wager.pays.clone() };
        match &self.wager.pays {
            PaysBy::Key(_) => {
                let due = self.wager.pays.due(PaysKey::Number(number.number()));
                PaysBy::Same(due.expect("checked by the rulebook"))
            }
            PaysBy::Each(each) => {
                let own = each.iter().find(|(of, _)| *of == number);
                PaysBy::Key(own.expect("checked by the rulebook").1.clone())
            }
            pays => pays.clone(),
        }
    }

    /// What ending on each rung does, from none to the highest; a ladder that goes on for ever has
    /// `top` nowhere and stops at its last line.
    fn ladder(&mut self, top: Option<u32>, unit: &str) -> Vec<Fate> {
        match self.pays() {
            PaysBy::Same(due) => {
                let top = top.expect("checked by the rulebook");
                let event = match self.rule.number {
                    Some(number) => format!("{number} {}", plural(&top.to_string(), "times")),
                    None if unit == "numbers" || unit == "doubles" => format!("all {unit}"),
                    None => plural(&top.to_string(), unit),
                };
                let mut ends = vec![Fate::Lose; top as usize + 1];
                ends[top as usize] = self.award(event, due, 0);
                ends
            }
            PaysBy::Key(dues) => {
                let rungs = dues.iter().filter_map(|(key, _)| key.rungs());
                let highest = rungs.map(|(from, to)| u32::from(to.unwrap_or(from))).max();
                let top = top.or(highest).expect("checked by the rulebook");
                let rung = |rung: u32| {
                    let key = PaysKey::Number(u8::try_from(rung).ok()?);
                    dues.iter().find(|(of, _)| of.includes(key)).copied()
                };
                let mut fate = |(key, due): (PaysKey, Due)| {
                    let event = match self.rule.number {
                        Some(number) => format!("{number} {}", plural(&key.to_string(), "times")),
                        None => plural(&key.to_string(), unit),
                    };
                    self.award(event, due, key.number().unwrap_or(0))
                };
                (0..=top).map(rung).map(|line| line.map_or(Fate::Lose, &mut fate)).collect()
            }
            PaysBy::Each(_) | PaysBy::List(_) => unreachable!("checked by the rulebook"),
        }
    }

    fn award(&mut self, event: String, due: Due, envy: u8) -> Fate {
        let envies = &self.wager.shared.envy;
        let envy = envies.iter().find(|(rung, _)| *rung == envy).map(|(_, envy)| *envy);
        Fate::Win { award: self.awards.add(self.rule.wager, event, due, envy), stays: false }
    }

    /// What each mark has reached by each count, and how good that is.
    fn best(
        &mut self,
        marks: &[Hears],
        pays: &[(Total, Vec<(PaysKey, Due)>)],
    ) -> Vec<Vec<(u16, Fate)>> {
        let all: Vec<Due> = self.wager.pays.dues().collect();
        let worth =
            |due: Due| 1 + all.iter().filter(|other| due.is_better_than(**other)).count() as u16;
        let made = if self.is_of_points() { " made" } else { "" };
        let mut reached = Vec::new();
        for mark in marks {
            let total = mark.total().expect("checked by the rulebook");
            let Some((_, ladder)) = pays.iter().find(|(of, _)| *of == total) else {
                reached.push(vec![(0, Fate::Lose)]);
                continue;
            };
            // Numbers that pay alike share their awards.
            let alike = pays.iter().filter(|(_, other)| other == ladder);
            let names: Vec<String> = alike.map(|(total, _)| total.to_string()).collect();
            let names = names.join(" or ");
            let mut fates = vec![(0, Fate::Lose)];
            let rungs = ladder.iter().filter_map(|(key, _)| key.rungs());
            let top = rungs.map(|(from, to)| to.unwrap_or(from)).max().unwrap_or(0);
            for rung in 1..=top {
                let line = ladder.iter().find(|(key, _)| key.includes(PaysKey::Number(rung)));
                fates.push(line.map_or((0, Fate::Lose), |(key, due)| {
                    let times = plural(&key.to_string(), "times");
                    (worth(*due), self.award(format!("{names}{made} {times}"), *due, 0))
                }));
            }
            reached.push(fates);
        }
        reached
    }

    fn is_of_points(&self) -> bool {
        matches!(&self.wager.shape, Shape::Count(count) if count.marks == Marks::PointsMade)
    }

    fn lists(&mut self, lists: &[List]) -> (Progress, Vec<Fate>) {
        let top = lists.iter().map(|list| list.steps.len()).max().unwrap_or(0);
        let named = match &self.wager.pays {
            PaysBy::List(dues) => Some(dues.clone()),
            _ => None,
        };
        let ends = match named {
            Some(_) => vec![Fate::Lose; top + 1],
            None => self.ladder(Some(top as u32), "rolls"),
        };
        let mut rules = Vec::new();
        for list in lists {
            let completed = match &named {
                None => (list.steps.len() as u16, ends[list.steps.len()]),
                Some(dues) => {
                    let line = dues.iter().find(|(name, _)| Some(name) == list.name.as_ref());
                    let (name, due) = line.expect("checked by the rulebook");
                    let worse = |(_, other): &&(String, Due)| due.is_better_than(*other);
                    let worth = dues.iter().filter(worse).count() as u16;
                    (worth, self.award(name.clone(), *due, 0))
                }
            };
            let steps = list.steps.iter().map(|step| self.cells(step)).collect();
            rules.push(ListRule { steps, completed });
        }
        (Progress::Lists(rules), ends)
    }

    fn cells(&self, step: &[Hears]) -> Cells {
        let mut cells = Cells::default();
        for (cell, puck, roll) in self.rolls() {
            let covers = |it: &Hears| it.covers(self.game, self.rule.number, puck, roll);
            if step.iter().any(covers) {
                cells.add(cell);
            }
        }
        cells
    }
}

/// `1 roll`, `8-15 rolls`, `1 point made`, `11+ line wins`.
pub(super) fn plural(count: &str, unit: &str) -> String {
    if count != "1" {
        return format!("{count} {unit}");
    }
    match unit.split_once("s ") {
        Some((noun, rest)) => format!("1 {noun} {rest}"),
        None => format!("1 {}", unit.trim_end_matches('s')),
    }
}

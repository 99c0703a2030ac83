//! Mending an earlier roll: what is suggested, what may be decided, and what may still be agreed to
//! when the second person does.

use std::collections::BTreeSet;

use craps::table::{BetDue, Dues, MendMove, Mending, Moved, MovedBet, MovedFor, Showed};
use craps::{Bet, Cents, Command, Refusal, Seat};

use super::{BookedRoll, LiveTable};
use crate::config::DiceMode;
use crate::day::utc_day;
use crate::log::{Proposal, TableEntry};
use crate::mend::{
    Mend, MendBet, MendKind, MendLine, MendPart, MendPlace, MendQuestion, RollSince, what,
};
use crate::names;
use crate::problem::Problem;
use crate::two_people;

/// A mend has at most so many lines.
const LINES: usize = 200;
/// A question names at most so many bets.
const BETS: usize = 50;

/// Whether an amount is one that a table could ever move.
fn most(amount: Cents) -> bool {
    amount >= -Cents::MOST && amount <= Cents::MOST
}

impl LiveTable {
    /// What the engine suggests, roll, bets and earlier mends considered.
    pub(crate) fn suggest_mend(
        &self,
        roll: &BookedRoll,
        question: &MendQuestion,
        at: u64,
    ) -> Result<Vec<MendLine>, Problem> {
        self.check_mendable(roll, question, at)?;
        let mut lines = match question.kind {
            MendKind::WrongPlayer | MendKind::WrongAmount => self.chips_lines(roll, question),
            MendKind::Dice | MendKind::NoRoll | MendKind::Bet => {
                let since = self.mendable.since(roll.record);
                let showed = showed(roll, question, since)?;
                let moved = moved(roll, since)?;
                let is_up = |seat: Seat, spot: craps::Spot| {
                    let mendable = &self.mendable;
                    let same = roll.rules.hash == self.rules().hash;
                    same && mendable.touched(seat.0, spot).is_some_and(|it| it <= roll.record)
                };
                let dues = roll.past.dues(&roll.rules, &showed, &moved, is_up)?;
                self.lines_of(roll, &dues)
            }
        };
        self.keep_to_racks(&mut lines);
        Ok(lines)
    }

    /// The same for a roll that may be none.
    pub(crate) fn suggestion(
        &self,
        roll: Option<&BookedRoll>,
        question: &MendQuestion,
        at: u64,
    ) -> Result<Vec<MendLine>, Problem> {
        let roll = roll.ok_or_else(|| no_roll(question.of))?;
        self.suggest_mend(roll, &normalized(roll, question)?, at)
    }

    /// Whether this roll can be mended so at this moment.
    fn check_mendable(
        &self,
        roll: &BookedRoll,
        question: &MendQuestion,
        at: u64,
    ) -> Result<(), Problem> {
        let refuse = |code: &str, why: &str| Err(Problem::conflict(code, why));
        if self.config().practice {
            return refuse("play-money", "rolls at practice tables are not mended");
        }
        if utc_day(roll.at) != utc_day(at) {
            return refuse("other-day", "only rolls of this day (UTC) can be mended");
        }
        let record = roll.record;
        if self.mendable.void.contains(&record) {
            return Err(no_roll(record));
        }
        let MendQuestion { kind, dice, bets, chips, .. } = question;
        let fits = match kind {
            MendKind::Dice => dice.is_some() && bets.is_empty() && chips.is_empty(),
            MendKind::NoRoll => dice.is_none() && bets.is_empty() && chips.is_empty(),
            MendKind::Bet => {
                let some = (1..=BETS).contains(&bets.len());
                some && dice.is_none() && chips.is_empty()
            }
            MendKind::WrongPlayer | MendKind::WrongAmount => {
                let some = (1..=Seat::COUNT).contains(&chips.len());
                some && dice.is_none() && bets.is_empty()
            }
        };
        if !fits {
            let which = "name `dice` for wrong dice, `bets` for wrong bets, `chips` for wrong \
                         chips, and none of the others";
            return Err(Problem::malformed(which));
        }
        if !bets.iter().all(|bet| most(bet.amount)) || !chips.iter().all(|one| most(one.amount)) {
            return Err(Refusal::OverLimit { max: Cents::MOST }.into());
        }
        if bets.iter().any(|bet| bet.amount < Cents::ZERO) {
            return Err(Problem::malformed("a bet is at least 0: 0 says that there was no bet"));
        }
        if chips.iter().any(|one| one.amount == Cents::ZERO) {
            return Err(Problem::malformed("name only players whose chips are wrong, not by 0"));
        }
        let mut named = BTreeSet::new();
        if !chips.iter().all(|one| roll.has(one.seat) && named.insert(one.seat)) {
            let who = "name each player once, and only those who were at the table when the dice \
                       were thrown";
            return Err(Problem::malformed(who));
        }
        if *kind == MendKind::Dice && self.config().dice == DiceMode::House {
            return refuse("wrong-dice", "the house's dice cannot have been misread");
        }
        if *kind == MendKind::WrongPlayer
            && chips.iter().map(|one| one.amount).sum::<Cents>() != Cents::ZERO
        {
            let sum = "what one player has too much, another has too little: the amounts must add \
                       up to nothing";
            return Err(Problem::malformed(sum));
        }
        let void = Command::Void { reason: String::new() };
        let about_the_roll = matches!(kind, MendKind::Dice | MendKind::NoRoll);
        let is_last = self.last_roll == Some(record);
        let voidable = self.engine(&self.table, &void).is_ok() && !self.has_cage_paid();
        if about_the_roll && is_last && voidable {
            return refuse("last-roll", "that is still the last roll: void or correct it");
        }
        if self.mendable.claims.values().any(|of| *of == record) {
            let waits = "an award or jackpot of that roll waits: confirm or deny it first";
            return refuse("claim-waits", waits);
        }
        Ok(())
    }

    /// Whether the player of a seat has left since a roll.
    fn has_left(&self, seat: u8, roll: u64) -> bool {
        self.mendable.seated.get(&seat).is_none_or(|sat| *sat > roll)
    }

    fn chips_lines(&self, roll: &BookedRoll, question: &MendQuestion) -> Vec<MendLine> {
        let line = |seat: u8, amount: Cents| MendLine {
            part: MendPart::Chips,
            seat: Some(seat),
            name: roll.name(seat),
            wager: String::new(),
            place: match self.has_left(seat, roll.record) {
                true => MendPlace::Walked,
                false => MendPlace::Rack,
            },
            due: amount,
            amount,
        };
        question.chips.iter().map(|chips| line(chips.seat, chips.amount)).collect()
    }

    fn lines_of(&self, roll: &BookedRoll, dues: &Dues) -> Vec<MendLine> {
        let mut lines = Vec::new();
        let notation = |spot| roll.rules.spot_rule(spot).notation.clone();
        let mut add = |part, seat: Seat, wager: String, due: Cents| {
            let left = self.has_left(seat.0, roll.record);
            let place = match (part, left) {
                (MendPart::BetLost | MendPart::BetBack, _) => MendPlace::Felt,
                (_, true) => MendPlace::Cage,
                (_, false) => MendPlace::Rack,
            };
            // Of a player who has left nothing can be taken.
            let amount = if place == MendPlace::Cage { due.max(Cents::ZERO) } else { due };
            let (seat, name) = (Some(seat.0), roll.name(seat.0));
            if due != Cents::ZERO {
                lines.push(MendLine { part, seat, name, wager, place, due, amount });
            }
        };
        for bet in &dues.bets {
            let whole = bet.open.filter(|open| open.lost == open.amount);
            let back = bet.open.filter(|open| open.lost < open.amount);
            // Where only a part of a bet is lost, all of it comes down to the rack first.
            let stake = bet.stake - back.map_or(Cents::ZERO, |open| open.lost);
            add(MendPart::Winnings, bet.seat, notation(bet.spot), bet.winnings);
            add(MendPart::Stake, bet.seat, notation(bet.spot), stake);
            if let Some(open) = whole {
                add(MendPart::BetLost, bet.seat, notation(open.spot), open.amount);
            }
            if let Some(open) = back {
                add(MendPart::BetBack, bet.seat, notation(open.spot), open.amount);
            }
            // Odds put since then come down with the bet that carries them.
            let opens = |odds: &Bet| {
                let open = |due: &BetDue| due.open.is_some_and(|open| open.spot == odds.spot);
                dues.bets.iter().any(|due| due.seat == bet.seat && open(due))
            };
            let odds = bet.open.and_then(|open| self.odds_on(bet.seat, open.spot));
            if let Some(odds) = odds.filter(|odds| !opens(odds)) {
                add(MendPart::BetBack, bet.seat, notation(odds.spot), odds.outlay());
            }
        }
        for (winner, paid) in &dues.jackpots {
            let shown = roll.shown_for(winner).map_or(Cents::ZERO, |shown| shown.amount);
            let due = (shown - *paid).max(Cents::ZERO);
            if due == Cents::ZERO && *paid > Cents::ZERO {
                continue;
            }
            let wager = roll.rules.meters()[winner.meter.index()].wager;
            let spot = roll.rules.spots_of(wager).next().map(notation);
            let place = match self.has_left(winner.seat.0, roll.record) {
                true => MendPlace::Cage,
                false => MendPlace::Rack,
            };
            lines.push(MendLine {
                part: MendPart::Jackpot,
                seat: Some(winner.seat.0),
                name: roll.name(winner.seat.0),
                wager: spot.unwrap_or_default(),
                place,
                due,
                amount: due,
            });
        }
        if dues.envy != Cents::ZERO {
            lines.push(MendLine {
                part: MendPart::Envy,
                seat: None,
                name: String::new(),
                wager: String::new(),
                place: MendPlace::Dealers,
                due: dues.envy,
                amount: dues.envy,
            });
        }
        lines
    }

    /// The odds that a bet carries.
    fn odds_on(&self, seat: Seat, spot: craps::Spot) -> Option<Bet> {
        let bets = self.table.player(seat)?.layout.bets();
        let carried = |bet: &&Bet| self.rules().spot_rule(bet.spot).flat == Some(spot);
        bets.iter().find(carried).copied()
    }

    /// At most what is in a rack is taken back from it; the rest is the house's.
    fn keep_to_racks(&self, lines: &mut [MendLine]) {
        for seat in Seat::all() {
            let own = |line: &&mut MendLine| line.seat == Some(seat.0);
            let gets = |line: &MendLine| match line.part {
                MendPart::BetBack => line.amount,
                _ if line.place == MendPlace::Rack => line.amount.max(Cents::ZERO),
                _ => Cents::ZERO,
            };
            let got: Cents = lines.iter_mut().filter(own).map(|line| gets(line)).sum();
            let mut left = self.table.rack(seat) + got;
            let taken =
                |line: &&mut MendLine| line.place == MendPlace::Rack && line.amount < Cents::ZERO;
            for line in lines.iter_mut().filter(own).filter(taken) {
                line.amount = line.amount.max(-left);
                left += line.amount;
            }
        }
    }

    /// A mend that is asked for, with the suggestion and with what is decided.
    pub(crate) fn mend(
        &self,
        roll: &BookedRoll,
        asked: (&MendQuestion, Option<&[MendLine]>, &str, &str),
        at: u64,
    ) -> Result<Mend, Problem> {
        let (question, lines, reason, video) = asked;
        let question = normalized(roll, question)?;
        let suggested = self.suggest_mend(roll, &question, at)?;
        let lines = match lines {
            Some(lines) => self.decided(roll, &suggested, lines)?,
            None => suggested.clone(),
        };
        let video = match video {
            "" => String::new(),
            video => names::line(video, 200).ok_or_else(|| {
                Problem::malformed("`video` is a line of at most 200 characters that show")
            })?,
        };
        Ok(Mend {
            question,
            keyed: roll.keyed(),
            number: roll.number,
            rolled_at: roll.at,
            after: self.mendable.since(roll.record).map(|since| since.record),
            shown: match suggested.iter().any(|line| line.part == MendPart::Jackpot) {
                true => roll.shown.clone(),
                false => Vec::new(),
            },
            suggested,
            lines,
            reason: two_people::reason(reason)?,
            video,
        })
    }

    /// The lines as people have changed them, with what the server knows of each.
    fn decided(
        &self,
        roll: &BookedRoll,
        suggested: &[MendLine],
        lines: &[MendLine],
    ) -> Result<Vec<MendLine>, Problem> {
        if lines.len() > LINES {
            return Err(Problem::malformed(format!("a mend has at most {LINES} lines")));
        }
        let mut decided: Vec<MendLine> = Vec::new();
        for line in lines {
            let due = suggested.iter().find(|other| other.is_about(line)).map(|line| line.due);
            let mut line = MendLine { due: due.unwrap_or_default(), ..line.clone() };
            line.name = line.seat.map(|seat| roll.name(seat)).unwrap_or_default();
            if !line.wager.is_empty()
                && let Some(seat) = line.seat
            {
                let spot = roll.spot(seat, &line.wager)?;
                line.wager.clone_from(&roll.rules.spot_rule(spot).notation);
            }
            if decided.iter().any(|other| other.is_about(&line)) {
                return Err(Problem::malformed("two lines of a mend are about the same"));
            }
            let suggests = suggested.iter().any(|other| other.is_about(&line));
            if line.is_of_felt() && line.amount != Cents::ZERO && !suggests {
                let gone = format!("{} of {} does not come down", line.wager, line.name);
                let again = format!("{gone}: it was decided since. Show what is due again");
                return Err(Problem::conflict("out-of-date", again));
            }
            self.check_line(roll, &line)?;
            decided.push(line);
        }
        Ok(decided)
    }

    fn check_line(&self, roll: &BookedRoll, line: &MendLine) -> Result<(), Problem> {
        use MendPlace::{Cage, Dealers, Felt, Rack, Walked};
        let MendLine { part, seat, place, amount, wager, .. } = line;
        let fits = match part {
            MendPart::Winnings | MendPart::Stake | MendPart::Jackpot => {
                !wager.is_empty() && matches!(place, Rack | Cage)
            }
            MendPart::Chips => wager.is_empty() && matches!(place, Rack | Walked),
            MendPart::BetLost | MendPart::BetBack => !wager.is_empty() && *place == Felt,
            MendPart::Envy => wager.is_empty() && *place == Dealers,
        };
        if !most(*amount) {
            return Err(Refusal::OverLimit { max: Cents::MOST }.into());
        }
        let only_paid = matches!(place, Cage | Felt) || *part == MendPart::Jackpot;
        if !fits || seat.is_none() != (*part == MendPart::Envy) {
            return Err(Problem::malformed("a line of a mend moves money where it cannot go"));
        }
        if only_paid && *amount < Cents::ZERO {
            let paid = "nothing is taken back at the cage, and a bet on the felt is not negative";
            return Err(Problem::malformed(paid));
        }
        let known = |seat: u8| roll.past.seats.iter().any(|(whose, _)| whose.0 == seat);
        if seat.is_some_and(|seat| !known(seat)) {
            return Err(Refusal::NotSeated.into());
        }
        let gone = seat.is_some_and(|seat| self.has_left(seat, roll.record));
        if !gone && matches!(place, Cage | Walked) && *amount != Cents::ZERO {
            let here =
                format!("{} is still seated: chips go to the rack, or come from it", line.name);
            return Err(Problem::conflict("player-here", here));
        }
        if gone && matches!(place, Rack | Felt) && *amount != Cents::ZERO {
            let left = format!("{} has left: what is due is payable at the cage", line.name);
            return Err(Problem::conflict("player-gone", left));
        }
        Ok(())
    }

    /// Asks for a mend.
    pub(super) fn ask_mend(
        &self,
        roll: Option<&BookedRoll>,
        asked: (&MendQuestion, Option<&[MendLine]>, &str, &str),
        at: u64,
    ) -> Result<TableEntry, Problem> {
        let roll = roll.ok_or_else(|| no_roll(asked.0.of))?;
        let mend = self.mend(roll, asked, at)?;
        self.propose(Proposal::Mend(Box::new(mend)))
    }

    /// What the engine is asked for once a mend is agreed to.
    pub(crate) fn mend_command(&self, mend: &Mend) -> Command {
        let Mend { question, keyed, number, reason, lines, .. } = mend;
        let mut lines: Vec<&MendLine> = lines.iter().collect();
        // Odds come down before the bets that carry them, and all bets before the money moves.
        let carried = |line: &MendLine| {
            let spot = self.rules().spot(&line.wager);
            spot.is_some_and(|spot| self.rules().spot_rule(spot).flat.is_some())
        };
        lines.sort_by_key(|line| (!line.is_of_felt(), !carried(line)));
        let moves = lines.into_iter().filter(|line| line.amount != Cents::ZERO);
        let moves = moves.map(|line| {
            let (amount, name) = (line.amount, line.name.clone());
            let seat = Seat(line.seat.unwrap_or_default());
            let felt = |lost| {
                let wager = line.wager.clone();
                MendMove::Felt { seat, wager, amount, lost }
            };
            match (line.part, line.place) {
                (MendPart::BetLost, _) => felt(amount),
                (MendPart::BetBack, _) => felt(Cents::ZERO),
                (_, MendPlace::Cage) => MendMove::Cage { name, amount },
                (_, MendPlace::Walked) => MendMove::Walked { name, amount },
                (_, MendPlace::Dealers) => MendMove::Dealers { amount },
                (_, MendPlace::Rack | MendPlace::Felt) => MendMove::Rack { seat, amount },
            }
        });
        Command::Mend(Box::new(Mending {
            of: question.of,
            number: *number,
            keyed: *keyed,
            what: what(question.kind, question.dice),
            reason: reason.clone(),
            moves: moves.collect(),
            last: self.last_roll == Some(question.of),
        }))
    }

    /// Whether a mend asked for by this record can still be done as it was asked for.
    pub(crate) fn check_mend(&self, asked: u64, mend: &Mend, at: u64) -> Result<(), Problem> {
        let of = mend.question.of;
        let out = |why: &str| {
            let again = format!("{why}: withdraw this mend and ask again");
            Err(Problem::conflict("out-of-date", again))
        };
        if utc_day(mend.rolled_at) != utc_day(at) {
            return out("the day of the roll is over");
        }
        if self.mendable.void.contains(&of) {
            return out("the roll was voided");
        }
        if self.mendable.since(of).map(|since| since.record) != mend.after {
            return out("another mend of the roll was agreed to in the meantime");
        }
        for line in mend.lines.iter().filter(|line| line.amount != Cents::ZERO) {
            let Some(seat) = line.seat else { continue };
            if matches!(line.place, MendPlace::Rack | MendPlace::Felt) && self.has_left(seat, of) {
                return out(&format!("{} has left in the meantime", line.name));
            }
            let spot = || self.rules().spot(&line.wager);
            let touched = || self.mendable.touched(seat, spot()?);
            if line.is_of_felt() && touched().is_none_or(|touched| touched > asked) {
                let bet = format!("{} of {}", line.wager, line.name);
                return out(&format!("{bet} was changed or decided in the meantime"));
            }
        }
        match self.engine(&self.table, &self.mend_command(mend)) {
            Ok(_) => Ok(()),
            Err(refusal @ (Refusal::BettingClosed | Refusal::TableClosed)) => Err(refusal.into()),
            Err(refusal) => out(&refusal.to_string()),
        }
    }
}

/// How the roll should have been booked, as far as it is known: what earlier mends have found, and
/// what is asked now.
fn showed(
    roll: &BookedRoll,
    question: &MendQuestion,
    since: Option<&RollSince>,
) -> Result<Showed, Problem> {
    let known = match since {
        Some(since) if since.no_roll => None,
        Some(since) => Some(since.dice.unwrap_or(roll.keyed())),
        None => Some(roll.keyed()),
    };
    let showed = match question.kind {
        MendKind::Dice => question.dice,
        MendKind::NoRoll => None,
        _ => known,
    };
    if question.kind == MendKind::Dice && showed == known {
        let Some(mended) = since.and_then(|since| since.dice) else {
            let same = format!("{} is what roll {} is booked as", roll.keyed(), roll.number);
            return Err(Problem::malformed(same));
        };
        let done = format!("roll {} was mended in the meantime: it showed {mended}", roll.number);
        return Err(Problem::conflict("out-of-date", done));
    }
    let named: BTreeSet<(u8, &str)> =
        question.bets.iter().map(|bet| (bet.seat, bet.wager.as_str())).collect();
    if named.len() < question.bets.len() {
        return Err(Problem::malformed("a bet is named twice"));
    }
    let earlier = since.map_or(&[][..], |since| &since.bets);
    let earlier = earlier.iter().filter(|bet| !named.contains(&(bet.seat, bet.wager.as_str())));
    let bets: Vec<&MendBet> = earlier.chain(&question.bets).collect();
    let bets: Result<Vec<_>, Problem> = bets.into_iter().map(|bet| roll.bet(bet)).collect();
    Ok(Showed { roll: showed, bets: bets? })
}

/// The question with every bet as it is written on a tape.
fn normalized(roll: &BookedRoll, question: &MendQuestion) -> Result<MendQuestion, Problem> {
    let mut question = question.clone();
    for bet in &mut question.bets {
        let spot = roll.spot(bet.seat, &bet.wager)?;
        bet.wager.clone_from(&roll.rules.spot_rule(spot).notation);
    }
    Ok(question)
}

/// What has been moved for the roll already.
fn moved(roll: &BookedRoll, since: Option<&RollSince>) -> Result<Moved, Problem> {
    let mut moved = Moved::default();
    for one in since.map_or(&[][..], |since| &since.moved) {
        let (winnings, stake, why) = (one.winnings, one.stake, one.why);
        match one.seat {
            Some(seat) => {
                let spot = roll.spot(seat, &one.wager)?;
                let spot = match why {
                    MovedFor::Down => roll.origin(Seat(seat), spot),
                    _ => spot,
                };
                moved.bets.push(MovedBet { seat: Seat(seat), spot, winnings, stake, why });
            }
            None if why == MovedFor::Denied => {
                let spot = roll.rules.spot(&one.wager);
                moved.denied_envy.extend(spot.map(|spot| (spot, winnings)));
            }
            None => moved.envy += winnings,
        }
    }
    Ok(moved)
}

fn no_roll(record: u64) -> Problem {
    let none = format!("record {record} is no roll of this table that counts");
    Problem::conflict("no-such-roll", none)
}

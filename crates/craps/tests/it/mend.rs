//! Money that goes after a roll once play has gone on.

use std::collections::BTreeMap;

use craps::table::{
    BetDue, Dues, MendMove, Mending, Moved, MovedBet, MovedFor, OpenStake, PastRoll, Rolled, Showed,
};
use craps::{
    Account, Bet, Cents, Command, Event, Hand, Layout, Refusal, Roll, Rules, Seat, Spot, Table,
};

use crate::{Lehmer, every_side_bet, everything, rules, visible};

const ANN: Seat = Seat(0);
const BOB: Seat = Seat(1);

fn put(seat: Seat, wager: &str, dollars: i64) -> Command {
    Command::Put { seat, wager: wager.into(), amount: Cents::dollars(dollars) }
}

fn obey(table: &mut Table, rules: &Rules, commands: &[Command]) {
    for command in commands {
        table.obey(rules, command).unwrap_or_else(|refusal| panic!("{command:?}: {refusal}"));
    }
}

fn dice(text: &str) -> Roll {
    text.parse().unwrap()
}

const NO_ROLL: Showed = Showed { roll: None, bets: Vec::new() };

fn shows(text: &str) -> Showed {
    Showed { roll: Some(dice(text)), bets: Vec::new() }
}

fn mend(moves: Vec<MendMove>, last: bool) -> Command {
    let (what, reason) = ("showed 5-1".to_owned(), "the camera shows it".to_owned());
    let keyed = dice("4-2");
    Command::Mend(Box::new(Mending { of: 9, number: 3, keyed, what, reason, moves, last }))
}

/// Winnings and stake in dollars that were moved for one bet.
fn once(seat: Seat, spot: Spot, (winnings, stake): (i64, i64), why: MovedFor) -> Moved {
    let (winnings, stake) = (Cents::dollars(winnings), Cents::dollars(stake));
    Moved { bets: vec![MovedBet { seat, spot, winnings, stake, why }], ..Moved::default() }
}

fn seated(rules: &Rules) -> Table {
    let mut table = Table::open(rules);
    for (seat, name) in [(ANN, "ann"), (BOB, "bob")] {
        let sit = Command::Sit { seat, name: name.into() };
        obey(&mut table, rules, &[sit, Command::buy_in(seat, Cents::dollars(1000))]);
    }
    table
}

/// Books a roll, and gives it as it can be mended.
fn booked(table: &mut Table, rules: &Rules, roll: Roll) -> (PastRoll, Rolled) {
    if table.is_betting_open() {
        obey(table, rules, &[Command::CloseBetting]);
    }
    let hand = *table.hand();
    let cap_used = table.parts().cap_used;
    let seats: Vec<(Seat, Layout)> =
        table.players().map(|(seat, player)| (seat, player.layout.clone())).collect();
    let events = table.obey(rules, &Command::Roll { roll }).unwrap();
    let [Event::Rolled(rolled)] = events.as_slice() else { panic!("{events:?}") };
    let booked = rolled.settlement.clone();
    (PastRoll { roll, hand, seats, cap_used, booked }, (**rolled).clone())
}

fn dues(past: &PastRoll, rules: &Rules, showed: &Showed) -> Dues {
    past.dues(rules, showed, &Moved::default(), |_, _| true).unwrap()
}

/// One bet's dues: its name, winnings, stake, and what is open of it.
type Told = (Seat, String, i64, i64, Option<(i64, i64)>);

fn told(rules: &Rules, dues: &Dues) -> Vec<Told> {
    let bet = |due: &craps::table::BetDue| {
        let open = due.open.map(|open| (open.amount.0 / 100, open.lost.0 / 100));
        let wager = rules.spot_rule(due.spot).notation.clone();
        (due.seat, wager, due.winnings.0 / 100, due.stake.0 / 100, open)
    };
    dues.bets.iter().map(bet).collect()
}

/// Keyed 3-3, showed 4-2, Hard 6 for $5: $45 go back for sure, and the $5 only while they are up.
#[test]
fn a_stake_is_asked_for_once() {
    let rules = rules(&["presque-isle"]);
    let mut table = seated(&rules);
    obey(&mut table, &rules, &[put(ANN, "pass", 5)]);
    booked(&mut table, &rules, dice("4-4"));
    obey(&mut table, &rules, &[put(ANN, "hard 6", 5), put(BOB, "field", 5)]);
    let (past, _) = booked(&mut table, &rules, dice("3-3"));
    let showed = shows("4-2");
    let due = dues(&past, &rules, &showed);
    let hard = (ANN, "hard 6".to_owned(), -45, 0, Some((5, 5)));
    assert_eq!(told(&rules, &due), [hard]);
    let due = past.dues(&rules, &showed, &Moved::default(), |_, _| false).unwrap();
    assert_eq!(told(&rules, &due), [(ANN, "hard 6".to_owned(), -45, 0, None)]);
    // What has been moved is not moved again.
    let spot = rules.spot("hard 6").unwrap();
    let moved = once(ANN, spot, (-45, -5), MovedFor::Bet);
    let due = past.dues(&rules, &showed, &moved, |_, _| false).unwrap();
    assert!(due.bets.is_empty(), "{due:?}");
    // Had it not counted after all, what was taken comes back.
    let due = past.dues(&rules, &NO_ROLL, &moved, |_, _| false).unwrap();
    let field = (BOB, "field".to_owned(), 0, 5, None);
    assert_eq!(told(&rules, &due), [(ANN, "hard 6".to_owned(), 0, 5, None), field]);
}

/// A claim that was answered is not answered again by a mend of something else. If the roll brings
/// something else after all, what the answer has moved counts.
#[test]
fn answered_claims_stay_answered() {
    let rules = rules(&["presque-isle", "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-FUP-05"]);
    let mut table = seated(&rules);
    let spot = |wager: &str| rules.spot(wager).unwrap();
    obey(&mut table, &rules, &[put(ANN, "pass", 10), put(ANN, "fired-up", 1)]);
    obey(&mut table, &rules, &[put(ANN, "all-tall", 5), put(BOB, "pass", 10)]);
    for tall in ["4-4", "4-5", "5-5", "5-6"] {
        booked(&mut table, &rules, dice(tall));
    }
    let (past, rolled) = booked(&mut table, &rules, dice("6-6"));
    assert_eq!(rolled.claims.len(), 1, "{rolled:?}");
    let won = |wager: &str| {
        let lines = &rolled.settlement.lines;
        lines.iter().find(|line| line.bet.spot == spot(wager)).unwrap().won.0 / 100
    };
    let all_tall = won("all-tall");
    assert!(all_tall > 0);
    let dealers = |past: &PastRoll, moved: &Moved, showed: &Showed| {
        past.dues(&rules, showed, moved, |_, _| false).unwrap().envy
    };
    // Bob's bet on this roll was not keyed.
    let field = vec![(BOB, spot("field"), Cents::dollars(5))];
    let showed = Showed { roll: Some(dice("6-6")), bets: field };
    let only_field = [(BOB, "field".to_owned(), 10, 0, None)];
    let cases = [
        once(ANN, spot("fired-up"), (1_000, 0), MovedFor::Jackpot),
        once(ANN, spot("fired-up"), (0, 1), MovedFor::Denied),
        once(ANN, spot("all-tall"), (-all_tall, 0), MovedFor::Denied),
    ];
    for moved in &cases {
        let due = past.dues(&rules, &showed, moved, |_, _| false).unwrap();
        assert_eq!(told(&rules, &due), only_field, "{moved:?}");
        assert!(due.jackpots.is_empty());
    }
    // The throw did not count: the jackpot was not won, and what was denied stays denied.
    let due = past.dues(&rules, &NO_ROLL, &cases[0], |_, _| false).unwrap();
    let due = told(&rules, &due);
    let jackpot = due.iter().find(|due| due.1 == "fired-up").unwrap();
    assert_eq!((jackpot.2, jackpot.3), (-1_000, 1));
    let due = past.dues(&rules, &NO_ROLL, &cases[2], |_, _| false).unwrap();
    assert!(told(&rules, &due).iter().all(|due| due.1 != "all-tall" || due.2 == 0), "{due:?}");
    // The dealers' envy of what was denied is not paid by a mend of something else either.
    let envy: i64 = rolled.settlement.envies.iter().map(|(_, amount)| amount.0).sum();
    assert!(envy > 0);
    let denied = Moved { denied_envy: vec![(spot("fired-up"), Cents(-envy))], ..Moved::default() };
    assert_eq!(dealers(&past, &denied, &showed), Cents::ZERO);
    assert_eq!(dealers(&past, &denied, &NO_ROLL), Cents::ZERO);
    assert_eq!(dealers(&past, &Moved::default(), &NO_ROLL), Cents(-envy));
    // A jackpot that nobody claimed is missed once.
    let missed = PastRoll { booked: craps::settle::Settlement::default(), ..past.clone() };
    let due = dues(&missed, &rules, &shows("6-6"));
    assert_eq!(due.jackpots.iter().map(|(_, paid)| *paid).collect::<Vec<_>>(), [Cents::ZERO]);
    let due = missed.dues(&rules, &shows("6-6"), &cases[0], |_, _| false).unwrap();
    assert_eq!(due.jackpots.iter().map(|(_, paid)| paid.0).collect::<Vec<_>>(), [100_000]);
    assert!(told(&rules, &due).iter().all(|due| due.1 != "fired-up" || due.2 == 0), "{due:?}");
}

/// A bet that a mend took down is mended again in the player's rack, never on the felt.
#[test]
fn a_bet_that_came_down_with_a_mend_is_mended_again_in_the_rack() {
    let rules = rules(&["presque-isle"]);
    // A pass bet that won after all, went back to its player, and was lost after all.
    let mut table = seated(&rules);
    obey(&mut table, &rules, &[put(ANN, "pass", 50)]);
    let pass = rules.spot("pass").unwrap();
    let (past, _) = booked(&mut table, &rules, dice("1-4"));
    let mut moved = once(ANN, pass, (50, 0), MovedFor::Bet);
    moved.bets.extend(once(ANN, pass, (0, 0), MovedFor::Down).bets);
    let due = past.dues(&rules, &shows("1-1"), &moved, |_, _| false).unwrap();
    assert_eq!(told(&rules, &due), [(ANN, "pass".to_owned(), -50, -50, None)]);
    let due = past.dues(&rules, &shows("3-4"), &moved, |_, _| false).unwrap();
    assert!(due.bets.is_empty(), "{due:?}");
    // One that was lost after all, and stands after all.
    let lost = once(ANN, pass, (0, -50), MovedFor::Down);
    let due = past.dues(&rules, &NO_ROLL, &lost, |_, _| false).unwrap();
    assert_eq!(told(&rules, &due), [(ANN, "pass".to_owned(), 0, 50, None)]);
    let due = past.dues(&rules, &shows("1-2"), &lost, |_, _| false).unwrap();
    assert!(due.bets.is_empty(), "{due:?}");
}

/// A bet that was accepted and not keyed, one that was keyed and is none, and one on another box.
#[test]
fn bets_are_settled_as_they_should_have_been() {
    let rules = rules(&["presque-isle"]);
    let mut table = seated(&rules);
    obey(&mut table, &rules, &[put(ANN, "pass", 5), put(BOB, "field", 10)]);
    let (past, _) = booked(&mut table, &rules, dice("2-2"));
    let bets = |bets: &[(Seat, &str, i64)]| {
        let bet = |(seat, wager, dollars): &(Seat, &str, i64)| {
            (*seat, rules.spot(wager).unwrap(), Cents::dollars(*dollars))
        };
        Showed { roll: Some(past.roll), bets: bets.iter().map(bet).collect() }
    };
    let late = dues(&past, &rules, &bets(&[(ANN, "field", 10)]));
    assert_eq!(told(&rules, &late), [(ANN, "field".to_owned(), 10, 0, None)]);
    let moved = dues(&past, &rules, &bets(&[(BOB, "field", 0), (BOB, "hard 8", 10)]));
    assert_eq!(told(&rules, &moved), [(BOB, "field".to_owned(), -10, 0, None)]);
    let lost = dues(&past, &rules, &bets(&[(BOB, "hard 4", 10), (BOB, "any-seven", 3)]));
    let hard = (BOB, "hard 4".to_owned(), 70, 0, None);
    assert_eq!(told(&rules, &lost), [hard, (BOB, "any-seven".to_owned(), 0, -3, None)]);
    // A pass line that was none is handed back while it is up.
    let none = dues(&past, &rules, &bets(&[(ANN, "pass", 0)]));
    assert_eq!(told(&rules, &none), [(ANN, "pass".to_owned(), 0, 0, Some((5, 0)))]);
    let odd = past.dues(&rules, &bets(&[(Seat(5), "field", 5)]), &Moved::default(), |_, _| true);
    assert_eq!(odd, Err(Refusal::NotSeated));
}

/// What a mend may not do.
#[test]
fn mends_are_refused() {
    let rules = rules(&["presque-isle"]);
    let mut table = seated(&rules);
    obey(&mut table, &rules, &[put(ANN, "pass", 5), put(ANN, "place 6", 6)]);
    let moves = |moves: &[MendMove]| mend(moves.to_vec(), false);
    let rack = |seat, dollars| MendMove::Rack { seat, amount: Cents::dollars(dollars) };
    let felt = |wager: &str, dollars, lost| MendMove::Felt {
        seat: ANN,
        wager: wager.into(),
        amount: Cents::dollars(dollars),
        lost: Cents::dollars(lost),
    };
    let refused = |table: &Table, one: MendMove| table.decide(&rules, &moves(&[one])).unwrap_err();
    let short = Refusal::ShortRack { rack: Cents::dollars(1000), needs: Cents::dollars(1001) };
    assert_eq!(refused(&table, rack(BOB, -1001)), short);
    assert_eq!(refused(&table, rack(Seat(7), 5)), Refusal::NotSeated);
    assert_eq!(refused(&table, rack(ANN, 0)), Refusal::ZeroAmount);
    let cage = MendMove::Cage { name: String::new(), amount: Cents::dollars(-5) };
    assert_eq!(refused(&table, cage), Refusal::ZeroAmount);
    // The dealers give back no more than they were paid.
    let dealers = MendMove::Dealers { amount: Cents::dollars(-5) };
    let none = Refusal::ShortRack { rack: Cents::ZERO, needs: Cents::dollars(5) };
    assert_eq!(refused(&table, dealers), none);
    let up = Refusal::NotThatMuch { up: Cents::dollars(6) };
    assert_eq!(refused(&table, felt("place 6", 5, 5)), up);
    assert_eq!(refused(&table, felt("place 6", 6, 7)), up);
    let none = Refusal::NoBet { wager: "place 8".into() };
    assert_eq!(refused(&table, felt("place 8", 6, 6)), none);
    // A rack gives what it gets with the same mend.
    obey(&mut table, &rules, &[moves(&[rack(BOB, 500), rack(BOB, -1500), rack(ANN, 1000)])]);
    assert_eq!((table.rack(BOB), table.rack(ANN)), (Cents::ZERO, Cents::dollars(1989)));
    obey(&mut table, &rules, &[Command::CloseBetting]);
    assert_eq!(refused(&table, felt("place 6", 6, 6)), Refusal::BettingClosed);
    // Money may move while the dice are out.
    obey(&mut table, &rules, &[moves(&[rack(ANN, -5), MendMove::Dealers { amount: Cents(500) }])]);
    assert_eq!(table.balance(Account::Envy), Cents(500));
}

/// The cage pays for a player who has left: no chips of the tray are gone. What one walked away
/// with is gone.
#[test]
fn the_cage_pays_what_the_tray_keeps() {
    let rules = rules(&["presque-isle"]);
    let mut table = seated(&rules);
    let fill = Command::Fill { amount: Cents::dollars(5000) };
    obey(&mut table, &rules, &[fill]);
    let tray = table.tray();
    let name = || "cy".to_owned();
    let one = |one: MendMove| mend(vec![one], false);
    obey(&mut table, &rules, &[one(MendMove::Cage { name: name(), amount: Cents::dollars(20) })]);
    assert_eq!(table.tray(), tray);
    obey(&mut table, &rules, &[one(MendMove::Walked { name: name(), amount: Cents::dollars(20) })]);
    assert_eq!(table.tray(), tray - Cents::dollars(20));
    obey(&mut table, &rules, &[one(MendMove::Walked { name: name(), amount: Cents::dollars(-5) })]);
    assert_eq!(table.tray(), tray - Cents::dollars(15));
    assert_eq!(table.balance(Account::House), Cents::dollars(-35));
    assert_eq!(table.sum(), Cents::ZERO);
}

/// A roll that is mended itself stays; one before it that is mended does not hinder a void, and
/// a bet that came down stays down after it.
#[test]
fn a_void_after_a_mend_finds_the_same_bets() {
    let rules = rules(&["presque-isle"]);
    let mut table = seated(&rules);
    obey(&mut table, &rules, &[put(ANN, "pass", 10)]);
    booked(&mut table, &rules, dice("2-2"));
    let odds = [put(ANN, "odds", 10), put(BOB, "place 6", 12), put(BOB, "place 8", 12)];
    obey(&mut table, &rules, &odds);
    booked(&mut table, &rules, dice("5-4"));
    booked(&mut table, &rules, dice("3-3"));
    let felt = |wager: &str, dollars: i64, seat| MendMove::Felt {
        seat,
        wager: wager.into(),
        amount: Cents::dollars(dollars),
        lost: Cents::dollars(dollars),
    };
    let moves = |moves: &[MendMove]| mend(moves.to_vec(), false);
    // No bet comes down from under its odds: they have a movement of their own.
    let down = [felt("pass", 10, ANN), felt("place 8", 12, BOB)];
    let carries = Err(Refusal::NotThatMuch { up: Cents::dollars(20) });
    assert_eq!(table.decide(&rules, &moves(&down)), carries);
    let amount = Cents::dollars(10);
    let wager = "odds pass".to_owned();
    let odds = MendMove::Felt { seat: ANN, wager, amount, lost: Cents::ZERO };
    let down: Vec<MendMove> = [odds].into_iter().chain(down).collect();
    obey(&mut table, &rules, &[moves(&down)]);
    assert_eq!(table.rack(ANN), Cents::dollars(990));
    assert!(table.player(ANN).unwrap().layout.is_empty());
    let mut voided = table.clone();
    obey(&mut voided, &rules, &[Command::Void { reason: "cocked".into() }]);
    let up = |table: &Table, seat: Seat| table.player(seat).unwrap().layout.bets().len();
    assert_eq!((up(&voided, ANN), up(&voided, BOB)), (0, 1));
    assert_eq!(voided.rack(BOB), Cents::dollars(976));
    // A bet that has changed since the roll cannot be found again, so that roll stays.
    obey(&mut table, &rules, &[put(BOB, "place 6", 6)]);
    obey(&mut table, &rules, &[moves(&[felt("place 6", 18, BOB)])]);
    let void = Command::Void { reason: "cocked".into() };
    assert_eq!(table.decide(&rules, &void), Err(Refusal::NothingToVoid));
    // So does one that is mended itself.
    booked(&mut table, &rules, dice("1-2"));
    let last = mend(Vec::new(), true);
    obey(&mut table, &rules, &[last]);
    assert_eq!(table.decide(&rules, &void), Err(Refusal::NothingToVoid));
}

/// All that a player has, on the felt and off it.
fn wealth(table: &Table, seat: Seat) -> Cents {
    table.rack(seat) + table.balance(Account::Action(seat))
}

/// The moves that carry dues out, as far as the racks go.
fn moves(rules: &Rules, table: &Table, dues: &Dues) -> Vec<MendMove> {
    let mut moves = Vec::new();
    for due in &dues.bets {
        let sure = due.winnings + due.stake;
        if sure != Cents::ZERO {
            moves.push(MendMove::Rack { seat: due.seat, amount: sure });
        }
        if let Some(OpenStake { spot, amount, lost }) = due.open {
            let wager = rules.spot_rule(spot).notation.clone();
            moves.push(MendMove::Felt { seat: due.seat, wager, amount, lost });
            // Odds put since then.
            let bets = table.player(due.seat).unwrap().layout.bets();
            let carried = bets.iter().find(|bet| rules.spot_rule(bet.spot).flat == Some(spot));
            let known = |odds: &&Bet| {
                let of = |due: &BetDue| due.open.is_some_and(|open| open.spot == odds.spot);
                dues.bets.iter().any(|other| other.seat == due.seat && of(other))
            };
            if let Some(odds) = carried.filter(|odds| !known(odds)) {
                let wager = rules.spot_rule(odds.spot).notation.clone();
                let (amount, lost) = (odds.outlay(), Cents::ZERO);
                moves.push(MendMove::Felt { seat: due.seat, wager, amount, lost });
            }
        }
    }
    // Odds come down before the bets that carry them.
    moves.sort_by_key(|one| match one {
        MendMove::Felt { wager, .. } => !wager.contains("odds"),
        _ => false,
    });
    if dues.envy != Cents::ZERO {
        moves.push(MendMove::Dealers { amount: dues.envy });
    }
    let after = |seat: Seat| {
        let gains = moves.iter().map(|one| match one {
            MendMove::Rack { seat: whose, amount } if *whose == seat => *amount,
            _ => Cents::ZERO,
        });
        table.rack(seat) + gains.sum()
    };
    assert!(table.players().all(|(seat, _)| after(seat) >= Cents::ZERO), "racks are deep");
    moves
}

fn bet_at_random(table: &mut Table, rules: &Rules, random: &mut Lehmer) {
    for _ in 0..random.below(6) {
        let seat = Seat(random.below(3) as u8);
        let spot = rules.spots().nth(random.below(rules.spots().count())).unwrap();
        let limits = rules.wager_at(spot).limits;
        let units = 1 + random.below(4) as i64;
        let amount =
            Cents((limits.min.0.max(limits.unit.0) / limits.unit.0 * units) * limits.unit.0);
        let wager = rules.spot_rule(spot).notation.clone();
        let _ = table.obey(rules, &Command::Put { seat, wager, amount });
    }
    for seat in 0..3 {
        let _ = table.obey(rules, &put(Seat(seat), "pass", 10));
    }
}

/// Against the whole engine: two tables part with one roll. What is due is what the players and
/// the dealers of one have more than those of the other, and once it has moved both have the same.
#[test]
fn dues_are_what_the_other_dice_would_have_brought() {
    for (which, rules) in
        [rules(&["presque-isle"]), everything(), every_side_bet()].iter().enumerate()
    {
        let mut random = Lehmer(7 + which as u64);
        let (mut paid, mut took, mut open, mut envy) = (0, 0, 0, 0);
        let mut table = Table::open(rules);
        for seat in 0..3 {
            let seat = Seat(seat);
            let sit = Command::Sit { seat, name: format!("p{}", seat.0) };
            obey(&mut table, rules, &[sit, Command::buy_in(seat, Cents::dollars(10_000_000))]);
        }
        for _ in 0..1_500 {
            bet_at_random(&mut table, rules, &mut random);
            obey(&mut table, rules, &[Command::CloseBetting]);
            let (keyed, showed) =
                (Roll::from_index(random.below(36)), Roll::from_index(random.below(36)));
            let mut right = table.clone();
            let (past, rolled) = booked(&mut table, rules, keyed);
            let no_roll = random.below(8) == 0;
            let showed = match no_roll {
                true => {
                    obey(&mut right, rules, &[Command::NoRoll]);
                    NO_ROLL
                }
                false => {
                    obey(&mut right, rules, &[Command::Roll { roll: showed }]);
                    Showed { roll: Some(showed), bets: Vec::new() }
                }
            };
            let due = dues(&past, rules, &showed);
            for (seat, _) in table.players() {
                let own = due.bets.iter().filter(|due| due.seat == seat);
                let more: Cents = own
                    .map(|due| {
                        let lost = due.open.map_or(Cents::ZERO, |open| open.lost);
                        due.winnings + due.stake - lost
                    })
                    .sum();
                assert_eq!(more, wealth(&right, seat) - wealth(&table, seat), "{keyed} {showed:?}");
            }
            let mut mended = table.clone();
            let moves = moves(rules, &mended, &due);
            let hand = *mended.hand();
            let (dice, claims) = (mended.dice(), mended.claims().to_vec());
            obey(&mut mended, rules, &[mend(moves, true)]);
            for (seat, _) in table.players() {
                assert_eq!(wealth(&mended, seat), wealth(&right, seat), "{keyed} {showed:?}");
            }
            assert_eq!(mended.balance(Account::Envy), right.balance(Account::Envy));
            assert_eq!(mended.balance(Account::Clearing), table.balance(Account::Clearing));
            assert_eq!(mended.balance(Account::Breakage), table.balance(Account::Breakage));
            assert_eq!((mended.dice(), mended.claims()), (dice, &claims[..]));
            assert_eq!((mended.hand().puck, mended.rolls()), (hand.puck, rolled.number));
            assert_eq!(mended.parts().carry, table.parts().carry);
            assert_eq!(mended.sum(), Cents::ZERO);
            paid += due.bets.iter().filter(|due| due.winnings > Cents::ZERO).count();
            took += due.bets.iter().filter(|due| due.winnings < Cents::ZERO).count();
            open += due.bets.iter().filter(|due| due.open.is_some()).count();
            envy += usize::from(due.envy != Cents::ZERO);
            for claim in table.claims().to_vec() {
                let reason = "a test".to_owned();
                obey(&mut table, rules, &[Command::DenyClaim { claim: claim.id, reason }]);
            }
        }
        assert!(paid > 50 && took > 50 && open > 50, "{which}: {paid} {took} {open} {envy}");
        assert!(envy > 0 || which != 1, "no envy was mended");
    }
}

/// Mends of any earlier roll between other play: money is conserved, bets that have been touched
/// are left, nothing of the game changes, and whatever is voided afterwards balances.
#[test]
fn mends_come_at_any_time() {
    let rules = everything();
    let mut random = Lehmer(31);
    let mut table = Table::open(&rules);
    for seat in 0..3 {
        let seat = Seat(seat);
        let sit = Command::Sit { seat, name: format!("p{}", seat.0) };
        obey(&mut table, &rules, &[sit, Command::buy_in(seat, Cents::dollars(10_000_000))]);
    }
    let mut rolls: Vec<PastRoll> = Vec::new();
    let mut left: Vec<BTreeMap<(Seat, Spot), Cents>> = Vec::new();
    let (mut downs, mut voids) = (0, 0);
    for _ in 0..3_000 {
        bet_at_random(&mut table, &rules, &mut random);
        if random.below(3) == 0 && !rolls.is_empty() {
            let of = rolls.len() - 1 - random.below(rolls.len().min(4));
            let showed =
                Showed { roll: Some(Roll::from_index(random.below(36))), bets: Vec::new() };
            // A bet that has kept its size ever since is up; the test knows no more.
            let is_up = |seat: Seat, spot: Spot| {
                left[of..].iter().all(|felt| felt.get(&(seat, spot)) == left[of].get(&(seat, spot)))
                    && now(&table).get(&(seat, spot)) == left[of].get(&(seat, spot))
            };
            let due = rolls[of].dues(&rules, &showed, &Moved::default(), is_up).unwrap();
            let moves = moves(&rules, &table, &due);
            let before = table.clone();
            obey(&mut table, &rules, &[mend(moves, false)]);
            downs += due.bets.iter().filter(|due| due.open.is_some()).count();
            let same = |hand: &Hand| (hand.puck, hand.seen, hand.begun);
            assert_eq!(same(table.hand()), same(before.hand()));
            assert_eq!((table.rolls(), table.dice()), (before.rolls(), before.dice()));
            assert_eq!(table.sum(), Cents::ZERO);
            rolls.clear();
            left.clear();
        }
        let void = Command::Void { reason: "a test".into() };
        if random.below(4) == 0 && table.decide(&rules, &void).is_ok() {
            let racks: Vec<Cents> = table.players().map(|(seat, _)| wealth(&table, seat)).collect();
            obey(&mut table, &rules, &[void]);
            voids += 1;
            assert_eq!(table.sum(), Cents::ZERO);
            assert_eq!(racks.len(), 3);
            rolls.pop();
            left.pop();
            continue;
        }
        obey(&mut table, &rules, &[Command::CloseBetting]);
        let keyed = Roll::from_index(random.below(36));
        let (past, _) = booked(&mut table, &rules, keyed);
        rolls.push(past);
        for claim in table.claims().to_vec() {
            let reason = "a test".to_owned();
            obey(&mut table, &rules, &[Command::DenyClaim { claim: claim.id, reason }]);
        }
        left.push(now(&table));
    }
    assert!(downs > 50 && voids > 50, "{downs} {voids}");
    let kept = visible(&table);
    assert_eq!(kept.accounts.sum(), Cents::ZERO);
}

fn now(table: &Table) -> BTreeMap<(Seat, Spot), Cents> {
    let bets = |(seat, player): (Seat, &craps::table::Player)| {
        let bets = player.layout.bets().iter();
        bets.map(move |bet| ((seat, bet.spot), bet.outlay())).collect::<Vec<_>>()
    };
    table.players().flat_map(bets).collect()
}

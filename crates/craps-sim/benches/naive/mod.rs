//! What a good programmer writes in an afternoon: three plans in whole dollars, by hand. The
//! simulator is measured against these, and they are held against the engine.

/// How a session ended: the dollars left, whether nothing more could be bet, and after how many
/// rolls.
pub(crate) type Ended = (i64, bool, u32);

/// Ten dollars on the pass line.
pub(crate) fn pass(mut roll: impl FnMut() -> u8, bankroll: i64, rolls: u32) -> Ended {
    let mut money = bankroll;
    let mut point = 0;
    let mut line = 0;
    for played in 0..rolls {
        if point == 0 && line == 0 {
            if money < 10 {
                return (money, true, played);
            }
            money -= 10;
            line = 10;
        }
        let total = roll();
        match (point, total) {
            (0, 7 | 11) => {
                money += 20;
                line = 0;
            }
            (0, 2 | 3 | 12) => line = 0,
            (0, total) => point = total,
            (_, 7) => {
                line = 0;
                point = 0;
            }
            (made, total) if made == total => {
                money += 20;
                line = 0;
                point = 0;
            }
            _ => {}
        }
    }
    (money + line, line == 0 && money < 10, rolls)
}

/// Ten dollars on the pass line with double odds, and twelve on 6 and on 8.
pub(crate) fn pass_six_eight(mut roll: impl FnMut() -> u8, bankroll: i64, rolls: u32) -> Ended {
    let mut money = bankroll;
    let (mut point, mut line, mut odds, mut six, mut eight) = (0, 0, 0, 0, 0);
    for played in 0..=rolls {
        let mut short = false;
        let mut bet = |on: &mut i64, amount: i64| {
            if *on == 0 {
                if money < amount {
                    short = true;
                } else {
                    money -= amount;
                    *on = amount;
                }
            }
        };
        if point == 0 {
            bet(&mut line, 10);
        } else if line > 0 {
            bet(&mut odds, 20);
        }
        bet(&mut six, 12);
        bet(&mut eight, 12);
        if short && line + odds + six + eight == 0 {
            return (money, true, played);
        }
        if played == rolls {
            break;
        }
        let total = roll();
        // On a come-out the place bets are off.
        if point != 0 {
            match total {
                6 => money += six / 6 * 7,
                8 => money += eight / 6 * 7,
                7 => (six, eight) = (0, 0),
                _ => {}
            }
        }
        match (point, total) {
            (0, 7 | 11) => {
                money += 2 * line;
                line = 0;
            }
            (0, 2 | 3 | 12) => line = 0,
            (0, total) => point = total,
            (_, 7) => (line, odds, point) = (0, 0, 0),
            (made, total) if made == total => {
                let won = match total {
                    4 | 10 => odds * 2,
                    5 | 9 => odds * 3 / 2,
                    _ => odds * 6 / 5,
                };
                money += 2 * line + odds + won;
                (line, odds, point) = (0, 0, 0);
            }
            _ => {}
        }
    }
    (money + line + odds + six + eight, false, rolls)
}

/// Ten dollars on the pass line, and with every shooter or seven a dollar on Small, Tall and All.
pub(crate) fn small_tall_all(mut roll: impl FnMut() -> u8, bankroll: i64, rolls: u32) -> Ended {
    const SMALL: u16 = 0b000_0001_1111;
    const TALL: u16 = 0b111_1100_0000;
    let mut money = bankroll;
    let (mut point, mut line, mut fresh) = (0, 0, true);
    let (mut small, mut tall, mut all) = (0, 0, 0);
    let (mut small_marks, mut tall_marks, mut all_marks) = (0, 0, 0);
    for played in 0..=rolls {
        let mut short = false;
        let mut bet = |on: &mut i64, amount: i64| {
            if *on == 0 {
                if money < amount {
                    short = true;
                } else {
                    money -= amount;
                    *on = amount;
                }
            }
        };
        if point == 0 {
            bet(&mut line, 10);
        }
        if fresh {
            bet(&mut small, 1);
            bet(&mut tall, 1);
            bet(&mut all, 1);
        }
        if short && line + small + tall + all == 0 {
            return (money, true, played);
        }
        if played == rolls {
            break;
        }
        let total = roll();
        match (point, total) {
            (0, 7 | 11) => {
                money += 2 * line;
                line = 0;
            }
            (0, 2 | 3 | 12) => line = 0,
            (0, total) => point = total,
            (_, 7) => (line, point) = (0, 0),
            (made, total) if made == total => {
                money += 2 * line;
                (line, point) = (0, 0);
            }
            _ => {}
        }
        fresh = total == 7;
        if fresh {
            (small, tall, all) = (0, 0, 0);
            (small_marks, tall_marks, all_marks) = (0, 0, 0);
            continue;
        }
        let mark = 1 << (total - 2);
        if small > 0 {
            small_marks |= mark & SMALL;
            if small_marks == SMALL {
                money += 31 * small;
                (small, small_marks) = (0, 0);
            }
        }
        if tall > 0 {
            tall_marks |= mark & TALL;
            if tall_marks == TALL {
                money += 31 * tall;
                (tall, tall_marks) = (0, 0);
            }
        }
        if all > 0 {
            all_marks |= mark;
            if all_marks == SMALL | TALL {
                money += 151 * all;
                (all, all_marks) = (0, 0);
            }
        }
    }
    (money + line + small + tall + all, false, rolls)
}

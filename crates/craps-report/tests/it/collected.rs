//! What was collected is complete: every row that others published, or that was worked out apart
//! from this program, is compared with ours or stands among those left out, with a reason.
//!
//! The rows are written down here as they were read, so that a line which goes missing from
//! `published.toml` is missed.

use craps_report::{Collected, published};

/// Wagers, separated by commas and each with its paytable or option behind an `@`, and what is
/// said of each of them.
const ROWS: &[(&str, &str)] = &[
    // Bets of the base game.
    ("pass, come", "hit 244/495; edge 7/495"),
    ("pass", "edge 1.41%; deviation 0.99990"),
    ("dont-pass, dont-come", "hit 949/1980; push 1/36; edge 3/220; edge without pushes 27/1925"),
    ("dont-pass", "edge 1.36%; edge without pushes 1.40%; deviation 0.98592"),
    ("dont-pass@bar=2, dont-come@bar=2", "edge 3/220"),
    ("dont-pass@bar=3", "edge 41/990"),
    ("odds pass, odds dont-pass", "edge 0/1"),
    ("odds come 4, odds come 5, odds come 6, odds come 8, odds come 9, odds come 10", "edge 0/1"),
    ("odds dont-come 4, odds dont-come 5, odds dont-come 6", "edge 0/1"),
    ("odds dont-come 8, odds dont-come 9, odds dont-come 10", "edge 0/1"),
    ("pass+odds 1x", "edge 7/825; edge 0.848%"),
    ("pass+odds 2x", "edge 1/165; edge 0.606%"),
    ("pass+odds 3x", "edge 7/1485; edge 0.471%"),
    ("pass+odds max", "edge 7/1870; edge 0.374%"),
    ("pass+odds 5x@odds-multiples=100x", "edge 7/2145"),
    ("pass+odds 10x@odds-multiples=100x", "edge 7/3795"),
    ("pass+odds 20x@odds-multiples=100x", "edge 7/7095"),
    ("pass+odds 100x@odds-multiples=100x", "edge 1/4785"),
    ("dont-pass+odds 1x", "edge 3/440"),
    ("dont-pass+odds 2x", "edge 1/220"),
    ("dont-pass+odds max", "edge 3/1100"),
    ("dont-pass+odds 5x@odds-multiples=100x", "edge 1/440"),
    ("dont-pass+odds 10x@odds-multiples=100x", "edge 3/2420"),
    ("dont-pass+odds 100x@odds-multiples=100x", "edge 3/22220"),
    ("place 4, place 10", "hit 1/3; edge 1/15; edge per roll 1.6667%; deviation 1.31993"),
    ("place 5, place 9", "hit 2/5; edge 1/25; edge per roll 1.1111%; deviation 1.17576"),
    ("place 6, place 8", "hit 5/11; edge 1/66; edge per roll 0.4630%; deviation 1.07885"),
    ("place 6", "edge 1.52%"),
    ("buy 4, buy 5, buy 6, buy 8, buy 9, buy 10", "edge of outlay 1/21"),
    ("buy 4", "edge of outlay 4.8%"),
    ("buy 4@commission-when=won, buy 10@commission-when=won", "edge 1/60"),
    ("buy 5@commission-when=won, buy 9@commission-when=won", "edge 1/50"),
    ("buy 6@commission-when=won, buy 8@commission-when=won", "edge 1/44"),
    ("lay 4, lay 10", "edge of outlay 1/41; edge 2.5%"),
    ("lay 5, lay 9", "edge of outlay 1/31; edge 3.33%"),
    ("lay 6, lay 8", "edge of outlay 1/25; edge 4.17%"),
    ("lay 4@commission-when=won, lay 10@commission-when=won", "edge 1/60"),
    ("lay 5@commission-when=won, lay 9@commission-when=won", "edge 1/50"),
    ("lay 6@commission-when=won, lay 8@commission-when=won", "edge 1/44"),
    ("field@presque-isle", "hit 16/36; edge 1/18; edge 5.56%; edge 526%; deviation 1.07869"),
    ("field@vegas-strip", "hit 16/36; edge 1/36; edge 2.78%; edge 2.54%; deviation 1.14227"),
    ("hard 4, hard 10", "hit 1/9; edge 1/9; deviation 2.51416"),
    ("hard 6, hard 8", "hit 1/11; edge 1/11; deviation 2.87480"),
    ("hard 4", "edge 11.1111%"),
    ("hard 6", "edge 9.0909%"),
    ("any-craps", "hit 1/9; edge 1/9; deviation 2.51416"),
    ("any-seven", "hit 1/6; edge 1/6; edge 16.67%; deviation 1.86339"),
    ("craps 2, craps 12", "hit 1/36; edge 5/36; deviation 5.09440"),
    ("craps 2", "edge 13.9%"),
    ("craps 3, eleven", "hit 1/18; edge 1/9; deviation 3.66498"),
    ("eleven", "edge 11.11%"),
    ("hop 1-1, hop 2-2, hop 3-3, hop 4-4, hop 5-5, hop 6-6", "hit 1/36; edge 5/36"),
    ("hop 1-2, hop 1-3, hop 1-4, hop 1-5, hop 1-6, hop 2-3, hop 2-4", "hit 1/18; edge 1/9"),
    ("hop 2-5, hop 2-6, hop 3-4, hop 3-5, hop 3-6, hop 4-5, hop 4-6", "hit 1/18; edge 1/9"),
    ("hop 5-6", "hit 1/18; edge 1/9"),
    ("horn", "hit 6/36; edge 1/8"),
    ("horn-high 2, horn-high 12", "edge 23/180"),
    ("horn-high 3, horn-high 11", "edge 11/90"),
    ("world", "hit 12/36; chance of 0 1/6; edge 2/15"),
    ("c-and-e", "edge 1/9"),
    ("three-way", "edge 7/54"),
    ("hi-lo", "edge 5/36"),
    ("big-6, big-8", "hit 5/11; edge 1/11"),
    ("big-6", "edge 9.09%"),
    // Put bets: come bets straight on their numbers.
    ("come 4, come 10", "edge 1/3"),
    ("come 5, come 9", "edge 1/5"),
    ("come 6, come 8", "edge 1/11"),
    ("come 4+odds 1x", "edge 1/6"),
    ("come 5+odds 2x", "edge 1/15"),
    ("come 6+odds max, come 8+odds max", "edge 1.515%"),
    ("pass@crapless", "edge 373/6930; edge 5.382%"),
    ("place 2@CRAPLESS-1, place 12@CRAPLESS-1", "edge 1/14; edge 7.1%"),
    ("place 3@CRAPLESS-1, place 11@CRAPLESS-1", "edge 1/16; edge 6.3%"),
    ("buy 2@crapless, buy 3@crapless, buy 11@crapless, buy 12@crapless", "edge of outlay 4.8%"),
    // Bonus Craps, Super Shooter.
    ("all-small@PT-FLT-BC-03, all-tall@PT-FLT-BC-03", SMALL_30),
    ("all-small@WA-BC-1, all-tall@WA-BC-1", "edge 1687/21736; edge 7.76%; deviation 5.6065"),
    ("little@SS-LB-2, big@SS-LB-2", "edge 1687/21736; edge after envy 5.1259%"),
    ("make-em-all@PT-FLT-BC-03", ALL_150),
    ("all@SS-ALL-2", "edge 15.3510%; edge 15.35%; edge after envy 12.7221%; deviation 11.6434"),
    ("make-em-all@WA-BC-1", "edge 7.4644%; edge 7.46%; deviation 12.7282"),
    ("all@SS-ALL-3", "edge 7.4644%; edge after envy 4.8356%"),
    // The progressives.
    ("make-em-all-progressive@PT-BJS-MEA-01", MEA_300),
    ("make-em-all-progressive@PT-BJS-MEA-02", MEA_300),
    ("make-em-all-progressive@PT-BJS-MEA-03", MEA_300),
    ("make-em-all-progressive@PT-BJS-MEA-04", MEA_300),
    ("make-em-all-progressive@PT-BJS-MEA-05", MEA_200),
    ("make-em-all-progressive@PT-BJS-MEA-06", MEA_200),
    ("make-em-all-progressive@PT-BJS-MEA-01", "hit 9.269976%; top 1 in 69,968.0037; envy 5.8427%"),
    ("make-em-all-progressive@PT-BJS-MEA-02", "envy 2.5326%"),
    ("make-em-all-progressive@PT-BJS-MEA-03", "envy 7.2270%"),
    ("make-em-all-progressive@PT-BJS-MEA-05", "envy 2.5326%"),
    ("fired-up@PT-BJS-FUP-01, fired-up@PT-BJS-FUP-02", FUP_TWO),
    ("fired-up@PT-BJS-FUP-03, fired-up@PT-BJS-FUP-04", FUP_FOUR),
    ("fired-up@PT-BJS-FUP-05", FUP_05),
    ("fired-up@PT-BJS-FUP-06", FUP_06),
    // Side bets on a hand.
    ("fire@FIRE-25-250-1000", "edge 20.7628%; edge 21%; top 1 in 6156.32"),
    ("fire@FIRE-25-250-1000", "chance of 24 0.008798178440; chance of 249 0.001639933139"),
    ("fire@FIRE-25-250-1000", "chance of 999 0.000162434749"),
    ("fire@FIRE-7-30-150-300", "edge 20.7295%; chance of 6 0.033434212179"),
    ("fire@FIRE-10-200-2000-TO", "edge 24.8562%; edge 25%"),
    ("fire@FIRE-10-200-2000-FOR", "edge 25.9162%"),
    ("fire@FIRE-40-200-500", "edge 23.8869%"),
    ("ride-the-line@RIDE-1", "edge 9.279%"),
    ("ride-the-line@RIDE-2", "edge 10.253%"),
    ("ride-the-line@RIDE-3", "edge 10.213%"),
    ("ride-the-line@RIDE-4", "edge 10.604%"),
    ("ride-the-line@RIDE-5", "edge 10.575%"),
    ("ride-the-line@RIDE-6", "edge 8.522%"),
    ("ride-the-line@RIDE-7", "edge 9.649%"),
    ("replay@REPLAY", "edge 24.81%; edge 24.806441599095%"),
    ("hot-shooter@HOT-SHOOTER", "edge 9.90%"),
    ("muggsys-corner@MUGGSY-UNCONFIRMED", "edge 1/18; edge 5.56%"),
    ("point-seven@POINT-SEVEN, seven-point@POINT-SEVEN", "edge 1/9; edge 11.1%"),
    // Others.
    ("flaming-four@HOT-HAND", "hit 53/4620; edge 18.55%"),
    ("sizzling-six@HOT-HAND", "hit 832156379/13385572200; edge 19.18%"),
    ("hot-hand@HOT-HAND", "chance of 20 0.0187584; edge 18.02%"),
    ("different-doubles@DOUBLES-4-8-15-100", "chance of 4 56/924; chance of 8 21/924; edge 27.92%"),
    ("different-doubles@DOUBLES-4-8-15-100", "chance of 15 6/924; chance of 100 1/924"),
    ("repeater 2@REPEATER-FOR, repeater 12@REPEATER-FOR", "hit 1/49; edge 18.37%"),
    ("repeater 3@REPEATER-FOR, repeater 11@REPEATER-FOR", "hit 1/64; edge 21.88%"),
    ("repeater 4@REPEATER-FOR, repeater 10@REPEATER-FOR", "hit 1/81; edge 19.75%"),
    ("repeater 5@REPEATER-FOR, repeater 9@REPEATER-FOR", "hit 32/3125; edge 18.08%"),
    ("repeater 6@REPEATER-FOR, repeater 8@REPEATER-FOR", "hit 15625/1771561; edge 20.62%"),
    ("repeater 2@REPEATER-TO, repeater 12@REPEATER-TO", "edge 16.33%"),
    ("repeater 3@REPEATER-TO, repeater 11@REPEATER-TO", "edge 20.31%"),
    ("repeater 4@REPEATER-TO, repeater 10@REPEATER-TO", "edge 18.52%"),
    ("repeater 5@REPEATER-TO, repeater 9@REPEATER-TO", "edge 17.06%"),
    ("repeater 6@REPEATER-TO, repeater 8@REPEATER-TO", "edge 19.74%"),
    ("low-dice, high-dice", "edge 1/18; edge 5.56%"),
];

const SMALL_30: &str = "edge 139241/760760; edge 18.30%; hit 20049/760760; hit 2.6354%; \
     hit 1 in 37.945; edge after envy 15.6675%; deviation 4.9657; rolls 2222133/380380; \
     edge per roll 3.133%";

const ALL_150: &str = "edge 20.6087%; edge 20.61%; hit 126538525259/24067258815600; hit 0.5258%; \
     hit 1 in 190.197; edge after envy 17.9798%; deviation 10.9202; rolls 5.96845; \
     edge per roll 3.453%";

/// Five numbers to ten: $2, $5, $10, $50, $300 and the meter.
const MEA_300: &str = "return 281549375/612220032; hit 4325/46656; break-even $37,790.93; \
     chance of 1 897275/15116544; chance of 4 546475/22674816; chance of 9 9057545/1224440064; \
     chance of 49 985565/612220032; chance of 299 33775/153055008; top 4375/306110016; \
     rolls 3.17359";

/// The same, with $3, $6, $10, $40 and $200.
const MEA_200: &str = "return 618556375/1224440064; hit 4325/46656; break-even $34,621.93; \
     chance of 2 897275/15116544; chance of 5 546475/22674816; chance of 9 9057545/1224440064; \
     chance of 39 985565/612220032; chance of 199 33775/153055008; top 4375/306110016; \
     rolls 3.17359";

const FUP_TWO: &str = "return 55345/104976; hit 10/36; chance of 0 20/81; chance of 4 55/1944; \
     chance of 39 85/34992; chance of 299 175/1259712; top 5/1259712; top 1 in 251,942.4; \
     break-even $119,114.40";

const FUP_FOUR: &str = "return 4187/8748; hit 1/9; chance of 1 11/108; chance of 19 17/1944; \
     chance of 199 35/69984; top 1/69984; top 1 in 69,984; break-even $36,488.00";

const FUP_05: &str = "return 265235/314928; hit 5/36; chance of 1 10/81; chance of 19 55/3888; \
     chance of 199 85/69984; chance of 999 175/2519424; top 5/2519424; top 1 in 503,884.8; \
     break-even $79,508.80";

const FUP_06: &str = "return 163045/314928; hit 5/36; chance of 2 10/81; chance of 5 55/3888; \
     chance of 39 85/69984; chance of 199 175/2519424; top 5/2519424; top 1 in 503,884.8; \
     break-even $243,012.80";

/// Bets and figures that are left out, by a word of their name, and what is said of them.
const LEFT_OUT: &[(&str, &str)] = &[
    ("Place to lose", "1/33; 1/40; 1/55; 3.0303%; 2.5000%; 1.8182%; 2/3; 3/5; 6/11"),
    ("Place to lose", "0.7576%; 0.6944%; 0.5556%"),
    ("Hop at 31 to 1 or 33 to 1", "11.1%; 5.56%"),
    ("2 or 12 at 30 for 1, 3 or 11 at 15 for 1", "16.6667%"),
    ("Length of a hand", "1671/196; 8.52551; 67/165"),
    ("At least one of Small and Tall", "0.0474501144"),
    ("All at 155, 165 and 170 to 1", "17.98%; 12.72%; 10.09%"),
    ("All at 174 to 1, All Small at 35 for 1", ""),
    ("All Progressive: no number", "1/6; 145/648; 145/648; 4159/23328; 5357/46656"),
    ("All Progressive: what $1,000", "1.42922%"),
    ("Fire Bet: no point", "0.593939393939; 0.260750492004; 0.101275355549"),
    ("Ride the Line: no win", "0.445454545"),
    ("Different Doubles: none", "462/924; 252/924; 126/924"),
    ("Muggsy's Corner's pays", "2 to 1; 3 to 1"),
    ("Fielder's Choice", ""),
    ("Midway", ""),
    ("Four Rolls No Seven", "0.482253"),
    ("Sharp Shooter", "67/165"),
    ("Twice as Hard", ""),
    ("Rising Star", ""),
    ("Lucky Shooter", ""),
    ("Golden Dice Challenge", ""),
    ("Bet the Set", ""),
    ("Hot Roller", ""),
];

#[test]
fn every_row_is_compared_or_left_out_with_a_reason() {
    let collected = published();
    let mut missing = Vec::new();
    for (wagers, figures) in ROWS {
        for wager in wagers.split(", ") {
            for figure in figures.split("; ") {
                if !is_said(&collected, wager, figure) {
                    missing.push(format!("{wager}: {figure}"));
                }
            }
        }
    }
    for (bet, values) in LEFT_OUT {
        let Some(left) = collected.unshipped.iter().find(|left| left.bet.contains(bet)) else {
            missing.push(format!("left out: {bet}"));
            continue;
        };
        let said = |value: &str| left.says.split([' ', ',', ';']).any(|word| word == value);
        let missed = values.split("; ").filter(|value| match value.contains(' ') {
            true => !left.says.contains(value),
            false => !value.is_empty() && !said(value),
        });
        missing.extend(missed.map(|value| format!("left out: {bet}: {value}")));
        assert!(!left.reason.is_empty(), "{bet} is left out without a reason");
    }
    assert!(missing.is_empty(), "nobody tells these:\n{}", missing.join("\n"));
}

/// Whether a line says this of a wager, whose paytable, option or rulebook stands behind an `@`.
fn is_said(collected: &Collected, wager: &str, figure: &str) -> bool {
    let (wager, of) = wager.split_once('@').unwrap_or((wager, ""));
    collected.lines.iter().any(|line| {
        let said = &line.published;
        let (book, paytable) = said.rules.split_once(':').unwrap_or((&said.rules, ""));
        let same = match of.contains('=') {
            true => said.options == [of],
            false => said.options.is_empty() && (of.is_empty() || of == book || of == paytable),
        };
        same && said.wager == wager && figure == format!("{} {}", said.figure, said.value)
    })
}

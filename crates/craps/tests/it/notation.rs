//! What is written is what is read.

use craps::notation::parse_spot;
use craps::{Bet, Cents, Layout, OnOff, Pays, Puck, Rate, Roll, Total};

use crate::everything;

#[test]
fn every_spot_reads_back() {
    let rules = everything();
    let empty = Layout::default();
    for spot in rules.spots() {
        let notation = &rules.spot_rule(spot).notation;
        assert_eq!(parse_spot(&rules, &empty, notation), Ok(spot), "{notation}");
    }
}

#[test]
fn faces_are_said_in_either_order() {
    let rules = crate::rules(&["vegas-strip"]);
    let hop = rules.spot("hop 3-5").unwrap();
    assert_eq!(parse_spot(&rules, &Layout::default(), "hop 5-3"), Ok(hop));
    assert_eq!(rules.spot_rule(hop).notation, "hop 3-5");
    for text in ["hop 5-7", "hop 8", "place 5-3", "hop"] {
        assert!(rules.spot(text).is_none(), "{text}");
    }
}

#[test]
fn plain_odds_stand_behind_the_line_bet() {
    let rules = everything();
    let spot = |name: &str| rules.spot(name).unwrap();
    let mut layout = Layout::default();
    let up = |name: &str| Bet {
        spot: spot(name),
        call: OnOff::House,
        stake: Cents::dollars(5),
        vig: Cents::ZERO,
    };
    assert_eq!(parse_spot(&rules, &layout, "odds"), Ok(spot("odds pass")));
    layout.set(up("dont-pass"));
    assert_eq!(parse_spot(&rules, &layout, "odds"), Ok(spot("odds dont-pass")));
    layout.set(up("pass"));
    let both = parse_spot(&rules, &layout, "odds").unwrap_err().to_string();
    assert_eq!(both, "odds behind which bet? write odds pass or odds dont-pass");
}

#[test]
fn small_things_read_back() {
    for roll in Roll::all() {
        assert_eq!(roll.to_string().parse(), Ok(roll));
    }
    for text in ["9 to 5", "7 to 6", "5 for 1", "1 to 2"] {
        assert_eq!(text.parse::<Pays>().unwrap().to_string(), text);
    }
    for text in ["0%", "5%", "12.5%", "0.0625%", "100%"] {
        assert_eq!(text.parse::<Rate>().unwrap().to_string(), text);
    }
    for text in ["0.00", "12.50", "-3.07", "1000000.00"] {
        assert_eq!(text.parse::<Cents>().unwrap().to_string(), text);
    }
    assert_eq!(Puck::On(Total::new(6).unwrap()).to_string(), "6");
}

#[test]
fn nonsense_does_not_read() {
    for text in ["", "1", "0-1", "7-1", "1-", "11-1", "1–1", "a-b", "+1-2"] {
        assert!(text.parse::<Roll>().is_err(), "{text}");
    }
    for text in ["", ".", "1.", ".5", "1.234", "1,00", "1,0000", "--1", "1e3", "9999999999999999"] {
        assert!(text.parse::<Cents>().is_err(), "{text}");
    }
    for text in ["", "9", "9 to", "9 to 0", "9 in 5", "9 to 5 x", "-1 to 1", "1000001 to 1"] {
        assert!(text.parse::<Pays>().is_err(), "{text}");
    }
    for text in ["", "5", "-5%", "101%", "5.00001%"] {
        assert!(text.parse::<Rate>().is_err(), "{text}");
    }
}

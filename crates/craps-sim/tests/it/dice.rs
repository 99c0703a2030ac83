//! The dice: fair by enumeration, and the same for ever.

use craps::Roll;
use craps_sim::dice::{Dice, philox, roll_of};
use expect_test::expect_file;

/// Random123's known answers for Philox4x32-10.
#[test]
fn philox_gives_the_known_answers() {
    let ones = u32::MAX;
    assert_eq!(philox([0, 0], [0; 4]), [0x6627_E8D5, 0xE169_C58D, 0xBC57_AC4C, 0x9B00_DBD8]);
    assert_eq!(philox([ones; 2], [ones; 4]), [0x408F_276D, 0x41C8_3B0E, 0xA20B_C7C6, 0x6D54_51FD]);
    assert_eq!(
        philox([0xA409_3822, 0x299F_31D0], [0x243F_6A88, 0x85A3_08D3, 0x1319_8A2E, 0x0370_7344]),
        [0xD16C_FE09, 0x94FD_CCEB, 0x5001_E420, 0x2412_6EA1]
    );
}

#[test]
fn every_roll_has_seven_bytes() {
    let rolls: Vec<Roll> = (0..=255).filter_map(roll_of).collect();
    assert_eq!(rolls.len(), 252);
    for roll in Roll::all() {
        assert_eq!(rolls.iter().filter(|thrown| **thrown == roll).count(), 7, "{roll}");
    }
}

/// What a byte means never changes: results that were kept are merged with new ones.
#[test]
fn bytes_mean_what_they_meant() {
    let mut text = String::new();
    for byte in 0..=255u8 {
        let roll = roll_of(byte).map_or("-".to_owned(), |roll| roll.to_string());
        text += &roll;
        text += if byte % 16 == 15 { "\n" } else { " " };
    }
    expect_file!["../golden/bytes.txt"].assert_eq(&text);
}

#[test]
fn a_session_has_rolls_of_its_own() {
    let rolls = |seed, session| Dice { seed }.rolls(session).take(100).collect::<Vec<_>>();
    assert_eq!(rolls(1, 5), rolls(1, 5));
    assert_ne!(rolls(1, 5), rolls(1, 6));
    assert_ne!(rolls(1, 5), rolls(2, 5));
    assert_ne!(rolls(1, 5), rolls(1, 5 + (1 << 32)));
}

//! The house's dice can be recomputed, by formula and by hand.

use std::collections::BTreeSet;

use boxman_server::testing::dice::{Commitment, Secret, ShooterBytes, roll_of, throw};
use craps::Roll;

/// The bytes 0, 1, 2, … 31.
fn rising() -> [u8; 32] {
    std::array::from_fn(|place| place as u8)
}

/// The bytes 255, 254, 253, … 224.
fn falling() -> [u8; 32] {
    std::array::from_fn(|place| 255 - place as u8)
}

const RISING: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const COMMITMENT: &str = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";

#[test]
fn every_roll_has_seven_bytes() {
    let mut bytes = [0; Roll::COUNT];
    let rolls = (0..=u8::MAX).filter_map(roll_of);
    rolls.for_each(|roll| bytes[roll.index()] += 1);
    assert_eq!(bytes, [7; Roll::COUNT]);
    let refused: Vec<u8> = (0..=u8::MAX).filter(|byte| roll_of(*byte).is_none()).collect();
    assert_eq!(refused, [252, 253, 254, 255]);
}

/// Computed in another language from the description of [`throw`].
#[test]
fn rolls_match_an_independent_computation() {
    let vectors = [
        ([0; 32], 0, 0, [0; 32], "4-6"),
        (rising(), 1, 1, falling(), "5-4"),
        (rising(), 1, 2, falling(), "4-2"),
        (rising(), 7, 1, falling(), "1-2"),
        (rising(), 1, 1, [0; 32], "6-3"),
        (falling(), 1, 1, rising(), "2-5"),
        (rising(), 0x0102_0304, 0x0102_0304_0506_0708, falling(), "5-5"),
        ([255; 32], u32::MAX, u64::MAX, [255; 32], "5-5"),
        // The stream begins 254 145: one byte is refused.
        (rising(), 1, 22, falling(), "1-2"),
        // The stream begins 252 252 129: two are.
        (rising(), 1, 6922, falling(), "4-4"),
    ];
    for (secret, table, number, shooter, expected) in vectors {
        let shooter = ShooterBytes::from_bytes(shooter);
        let roll = throw(&Secret::from_bytes(secret), table, number, &shooter);
        assert_eq!(roll.to_string(), expected, "table {table}, roll {number}, {shooter}");
    }
}

#[test]
fn a_hand_matches_an_independent_computation() {
    let (secret, shooter) = (Secret::from_bytes(rising()), ShooterBytes::from_bytes(falling()));
    let rolls = (1..=20).map(|number| throw(&secret, 1, number, &shooter).to_string());
    assert_eq!(
        rolls.collect::<Vec<_>>().join(" "),
        "5-4 4-2 5-2 4-2 3-4 3-1 1-1 6-1 6-4 5-1 1-2 3-6 4-5 5-2 5-6 2-2 5-2 5-6 6-6 3-2"
    );
}

#[test]
fn a_commitment_is_the_hash_of_its_secret() {
    let secret = Secret::from_bytes(rising());
    assert_eq!(secret.commitment().to_string(), COMMITMENT);
    assert_eq!(secret.reveal(), RISING);
    let revealed = Secret::from_hex(&secret.reveal()).unwrap();
    assert_eq!(revealed.commitment(), COMMITMENT.parse().unwrap());
    assert_ne!(Secret::from_bytes(falling()).commitment(), secret.commitment());
}

#[test]
fn a_secret_is_never_printed() {
    let secret = Secret::from_bytes(rising());
    assert_eq!(format!("{secret:?} {secret:#?}"), "Secret(..) Secret(..)");
    // Nor by the error for one that was mistyped.
    let mistyped = format!("{RISING}g");
    assert_eq!(
        Secret::from_hex(&mistyped).unwrap_err().to_string(),
        "expected 64 hex digits for a secret, but character 65 of 65 is not 0-9 or a-f"
    );
}

#[test]
fn no_two_secrets_are_alike() {
    let secrets = (0..1000).map(|_| Secret::fresh().unwrap().reveal());
    assert_eq!(secrets.collect::<BTreeSet<_>>().len(), 1000);
}

#[test]
fn public_bytes_are_hex_in_json() {
    let json = format!("\"{RISING}\"");
    let shooter = ShooterBytes::from_bytes(rising());
    assert_eq!(serde_json::to_string(&shooter).unwrap(), json);
    assert_eq!(serde_json::from_str::<ShooterBytes>(&json).unwrap(), shooter);
    let shouted = json.to_uppercase();
    assert_eq!(serde_json::from_str::<ShooterBytes>(&shouted).unwrap(), shooter);

    let commitment = Secret::from_bytes(rising()).commitment();
    let json = serde_json::to_string(&commitment).unwrap();
    assert_eq!(json, format!("\"{COMMITMENT}\""));
    assert_eq!(serde_json::from_str::<Commitment>(&json).unwrap(), commitment);
    assert_eq!(format!("{commitment:?}"), format!("Commitment({COMMITMENT})"));
}

#[test]
fn a_wrong_text_is_refused_with_its_reason() {
    let why = |text: &str| text.parse::<ShooterBytes>().unwrap_err().to_string();
    assert_eq!(why("c0ffee"), "expected 64 hex digits for the shooter's bytes, got 6");
    assert_eq!(why(&"a".repeat(66)), "expected 64 hex digits for the shooter's bytes, got 66");
    assert_eq!(
        why(&RISING.replacen('a', "é", 1)),
        "expected 64 hex digits for the shooter's bytes, but character 22 of 64 is not 0-9 or a-f"
    );
    let error = serde_json::from_str::<Commitment>("\"\"").unwrap_err().to_string();
    assert!(error.starts_with("expected 64 hex digits for a commitment, got 0"), "{error}");
}

//! What is compiled is what is written; and a machine without a card says so.

use craps_sim::{COMPILED, Gpu, SOURCE, source_hash};

#[test]
fn the_kernels_are_compiled_from_their_source() {
    let named = COMPILED.lines().next().unwrap();
    let hash = craps::hex::encode(&source_hash(SOURCE));
    assert_eq!(named, format!("// sha256 {hash}"), "`cargo xtask gpu` compiles them anew");
}

/// Where there is a card, `cargo xtask gpu` compares every plan; this only opens it.
#[test]
fn a_machine_without_a_card_says_what_is_missing() {
    if let Err(why) = Gpu::open() {
        assert!(why.to_string().starts_with("no GPU: "), "{why}");
    }
}

//! Whatever is written on a tape, reading and playing it does not panic and loses no cent.

#![no_main]

use std::sync::LazyLock;

use craps::{Library, Tape};

static LIBRARY: LazyLock<Library> = LazyLock::new(Library::embedded);

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(tape) = Tape::parse("fuzz", text, &LIBRARY) {
        assert!(tape.play().floor.is_conserved());
    }
});

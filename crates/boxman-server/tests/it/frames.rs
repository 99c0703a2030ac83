//! The fuzz corpus of the socket as a plain test, whole and with random damage.

use std::path::Path;

use boxman_server::testing::http::decode;

use crate::chance::Lehmer;

fn corpus() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/frame");
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the corpus is there") {
        let path = entry.unwrap().path();
        if path.is_file() {
            texts.push(String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned());
        }
    }
    // A folder has no order of its own.
    texts.sort();
    assert!(texts.len() >= 5);
    texts
}

/// Whether a frame can be read; it is the same when it is written back.
fn read(text: &str) -> bool {
    match decode(text) {
        Ok(frame) => {
            let written = serde_json::to_string(&frame).unwrap();
            assert_eq!(decode(&written), Ok(frame), "{text}");
            true
        }
        Err(reason) => {
            assert!(!reason.is_empty());
            false
        }
    }
}

/// A text with a few bytes lost, doubled, swapped or replaced.
fn damaged(text: &str, chance: &mut Lehmer) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=chance.below(3) {
        let (place, other) = (chance.below(bytes.len()), chance.below(bytes.len()));
        match chance.below(4) {
            0 => drop(bytes.drain(place..(place + 1 + other % 5).min(bytes.len()))),
            1 => bytes.insert(place, bytes[other]),
            2 => bytes.swap(place, other),
            _ => bytes[place] = *chance.one(b"0123456789-+.,:\"\\[]{}eE \n"),
        }
        if bytes.is_empty() {
            bytes.push(b'{');
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn damaged_frames_are_read_or_refused() {
    let texts = corpus();
    let whole = texts.iter().filter(|text| read(text)).count();
    assert!(whole >= 6, "only {whole} frames of the corpus are whole");
    let mut chance = Lehmer(13);
    let mut found = 0;
    for _ in 0..500 {
        for text in &texts {
            found += usize::from(read(&damaged(text, &mut chance)));
        }
    }
    assert!(found > 200, "only {found} damaged frames could be read");
}

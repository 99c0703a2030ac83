//! Bytes written as hex digits, two to a byte: how hashes and secrets are read out.

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// The bytes in lower case, with nothing between them.
pub fn encode(bytes: &[u8]) -> String {
    let halves = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    halves.map(|half| char::from(DIGITS[usize::from(half)])).collect()
}

/// The `N` bytes of exactly `2 * N` digits in either case, or nothing.
pub fn decode<const N: usize>(text: &str) -> Option<[u8; N]> {
    let (pairs, odd) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != N || !odd.is_empty() {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    Some(bytes)
}

const fn digit(letter: u8) -> Option<u8> {
    match letter {
        b'0'..=b'9' => Some(letter - b'0'),
        b'a'..=b'f' => Some(letter - b'a' + 10),
        b'A'..=b'F' => Some(letter - b'A' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn every_byte_comes_back() {
        for byte in 0..=u8::MAX {
            let text = encode(&[byte]);
            assert_eq!(text, format!("{byte:02x}"));
            assert_eq!(decode(&text), Some([byte]));
            assert_eq!(decode(&text.to_uppercase()), Some([byte]));
        }
        assert_eq!(encode(&[0xde, 0xad]), "dead");
        assert_eq!(decode("dead"), Some([0xde, 0xad]));
        assert_eq!(decode(""), Some([]));
    }

    #[test]
    fn anything_else_is_refused() {
        // A sign, a space, a two-byte letter, too few and too many.
        for text in ["+f", " f", "é", "0g", "", "f", "0ff", "00ff"] {
            assert_eq!(decode::<1>(text), None, "{text}");
        }
    }
}

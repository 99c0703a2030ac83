//! Bytes that are written as hex digits, in text and in JSON alike.

use std::fmt;

/// Why a text is not so many bytes in hex. It never repeats the text, which may be a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotHex {
    what: &'static str,
    digits: usize,
    length: usize,
    stray: Option<usize>,
}

impl fmt::Display for NotHex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NotHex { what, digits, length, stray } = self;
        write!(f, "expected {digits} hex digits for {what}, ")?;
        match stray {
            None => write!(f, "got {length}"),
            Some(place) => {
                write!(f, "but character {} of {length} is not 0-9 or a-f", place + 1)
            }
        }
    }
}

impl std::error::Error for NotHex {}

/// Reads exactly `N` bytes.
pub fn read<const N: usize>(what: &'static str, text: &str) -> Result<[u8; N], NotHex> {
    craps::hex::decode(text).ok_or_else(|| NotHex {
        what,
        digits: 2 * N,
        length: text.chars().count(),
        stray: text.chars().position(|letter| !letter.is_ascii_hexdigit()),
    })
}

/// Reads and writes a type made of bytes as hex.
macro_rules! in_hex {
    ($name:ident, $what:literal) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&craps::hex::encode(&self.0))
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({self})", stringify!($name))
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::hex::NotHex;

            fn from_str(text: &str) -> Result<$name, $crate::hex::NotHex> {
                $crate::hex::read($what, text).map($name)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<$name, D::Error> {
                String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use in_hex;

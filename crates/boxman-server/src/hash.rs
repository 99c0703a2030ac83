//! SHA-256, and half of one where that is enough.

use sha2::{Digest as _, Sha256};

use crate::hex::in_hex;

/// SHA-256, written as 64 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// The hash of some bytes.
    pub fn of(bytes: &[u8]) -> Hash {
        Hash(Sha256::digest(bytes).into())
    }
}

in_hex!(Hash, "a hash");

/// The first half of a SHA-256, written as 32 hex digits: enough to tell things apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 16]);

impl Digest {
    /// The digest of some bytes.
    pub fn of(bytes: &[u8]) -> Digest {
        let Hash(hash) = Hash::of(bytes);
        let (half, _) = hash.split_first_chunk().expect("a hash has 32 bytes");
        Digest(*half)
    }
}

in_hex!(Digest, "a digest");

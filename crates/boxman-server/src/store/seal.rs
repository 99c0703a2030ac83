//! The seal of a house. What the store keeps only to save work, whoever can write to the store
//! could have put there; it is believed where it carries a seal that takes the key to make, and
//! the key lies in a file beside the store and never in it.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use craps::hex;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::{StoreError, Stored};
use crate::dice::fresh_bytes;
use crate::hash::Hash;

/// The key of a house.
pub struct SealKey([u8; 32]);

impl SealKey {
    /// Reads the key of a file, which is made where there is none: only its owner may read it.
    pub fn open(path: &Path) -> Stored<SealKey> {
        let down = |error: &dyn std::fmt::Display| {
            StoreError::Down(format!("the key {} cannot be used: {error}", path.display()))
        };
        match std::fs::read_to_string(path) {
            Ok(text) => SealKey::parse(&text).ok_or_else(|| {
                down(&"it is not 64 hex digits, restore it or move it away and start again")
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let key = SealKey(fresh_bytes().map_err(|error| down(&error))?);
                key.write(path).map_err(|error| down(&error))?;
                Ok(key)
            }
            Err(error) => Err(down(&error)),
        }
    }

    /// Reads the key of a file, where there is one that can be read.
    pub fn read(path: &Path) -> Option<SealKey> {
        SealKey::parse(&std::fs::read_to_string(path).ok()?)
    }

    fn parse(text: &str) -> Option<SealKey> {
        hex::decode(text.trim_end()).map(SealKey)
    }

    fn write(&self, path: &Path) -> io::Result<()> {
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path)?;
        writeln!(file, "{}", hex::encode(&self.0))?;
        file.sync_all()
    }

    /// The seal on some text.
    pub fn seal(&self, text: &[u8]) -> Hash {
        Hash(self.mac(text).finalize().into_bytes().into())
    }

    /// Whether this is the seal on that text.
    pub fn fits(&self, text: &[u8], seal: Hash) -> bool {
        self.mac(text).verify_slice(&seal.0).is_ok()
    }

    fn mac(&self, text: &[u8]) -> Hmac<Sha256> {
        let mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("a key may have any length");
        mac.chain_update(text)
    }
}

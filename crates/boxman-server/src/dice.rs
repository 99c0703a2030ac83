//! The house's dice: a sealed set put on the table before the shooter speaks, and opened after.
//!
//! The house draws a [`Secret`] and shows its [`Commitment`], so that it cannot change its mind.
//! The shooter answers with [`ShooterBytes`] of their own, so that the house cannot choose either.
//! [`throw`] makes each roll of the two, of the table and of the number of the roll, and of nothing
//! else: no bet can reach the dice. Once the secret is revealed anyone can throw them again.

use std::fmt;

use chacha20::cipher::StreamCipher;
use chacha20::{ChaCha20, KeyIvInit};
use craps::Roll;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::hex::{self, NotHex, in_hex};

/// What the house knows and nobody else does until it is revealed.
///
/// It has no `Serialize` and its `Debug` shows nothing, so that it cannot slip into a log: it is
/// written where somebody calls [`Secret::reveal`].
#[derive(Clone)]
pub struct Secret([u8; 32]);

impl Secret {
    /// Thirty-two new bytes from the operating system.
    pub fn fresh() -> Result<Secret, NoRandomness> {
        fresh_bytes().map(Secret)
    }

    /// A secret that is known already, to throw its dice again.
    pub const fn from_bytes(bytes: [u8; 32]) -> Secret {
        Secret(bytes)
    }

    /// A secret as it was revealed, to throw its dice again.
    pub fn from_hex(text: &str) -> Result<Secret, NotHex> {
        hex::read("a secret", text).map(Secret)
    }

    /// What may be shown before the dice are out: the SHA-256 of the thirty-two bytes.
    pub fn commitment(&self) -> Commitment {
        Commitment(Sha256::digest(self.0).into())
    }

    /// The secret in hex. After this its dice are anyone's to foretell.
    pub fn reveal(&self) -> String {
        craps::hex::encode(&self.0)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// The operating system had no random bytes to give, so there are no dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRandomness(getrandom::Error);

/// Bytes nobody can guess, from the operating system and from nowhere else.
pub fn fresh_bytes<const N: usize>() -> Result<[u8; N], NoRandomness> {
    let mut bytes = [0; N];
    #[cfg(feature = "simulation")]
    if crate::simulated::random(&mut bytes) {
        return Ok(bytes);
    }
    getrandom::fill(&mut bytes).map_err(NoRandomness)?;
    Ok(bytes)
}

impl fmt::Display for NoRandomness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no random bytes from the operating system: {}", self.0)
    }
}

impl std::error::Error for NoRandomness {}

/// The SHA-256 of a [`Secret`], shown before its first roll and written as 64 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Commitment([u8; 32]);

/// The shooter's share of the dice: thirty-two bytes of their choice, written as 64 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ShooterBytes([u8; 32]);

impl ShooterBytes {
    /// The share made of these bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> ShooterBytes {
        ShooterBytes(bytes)
    }
}

in_hex!(Commitment, "a commitment");
in_hex!(ShooterBytes, "the shooter's bytes");

/// The roll that a table's dice show, the same whenever it is asked for.
///
/// To recompute a roll with other tools:
///
/// 1. Check that the SHA-256 of the secret's 32 bytes is the commitment that was shown.
/// 2. The message is 44 bytes: the table as 4 bytes and the number of the roll as 8 bytes, both
///    big-endian, then the shooter's 32 bytes.
/// 3. The key is the HMAC-SHA-256 of that message, keyed by the secret's 32 bytes.
/// 4. The stream is ChaCha20 as in RFC 8439 under that key: 20 rounds, a nonce of 12 zero bytes, a
///    counter that starts at 0.
/// 5. Take the first byte of the stream that is below 252, and call its remainder by 36 the index.
///    Because 252 is 7 times 36, each index is exactly as likely as any other.
/// 6. The first die shows `index / 6 + 1`, rounded down, and the second `index % 6 + 1`.
///
/// ```
/// use boxman_server::testing::dice::{Secret, throw};
///
/// let secret = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
/// let shown = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";
/// let shooter = "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0efeeedecebeae9e8e7e6e5e4e3e2e1e0";
///
/// let secret = Secret::from_hex(secret)?;
/// assert_eq!(secret.commitment(), shown.parse()?);
/// // The key begins 93afcac8 and its stream with 171: index 27.
/// assert_eq!(throw(&secret, 1, 1, &shooter.parse()?).to_string(), "5-4");
/// # Ok::<(), boxman_server::testing::hex::NotHex>(())
/// ```
pub fn throw(secret: &Secret, table: u32, number: u64, shooter: &ShooterBytes) -> Roll {
    let key = key(secret, table, number, shooter);
    let mut stream = ChaCha20::new(&key.into(), &[0; 12].into());
    loop {
        // The cipher XORs its stream into what it is given: a zero shows the stream itself.
        let mut byte = [0];
        stream.apply_keystream(&mut byte);
        if let Some(roll) = roll_of(byte[0]) {
            return roll;
        }
    }
}

fn key(secret: &Secret, table: u32, number: u64, shooter: &ShooterBytes) -> [u8; 32] {
    let hmac = Hmac::<Sha256>::new_from_slice(&secret.0).expect("a key may have any length");
    let message = hmac.chain_update(table.to_be_bytes()).chain_update(number.to_be_bytes());
    message.chain_update(shooter.0).finalize().into_bytes().into()
}

/// How many bytes make a roll: the most that share evenly among the thirty-six.
const FAIR_BYTES: usize = 256 / Roll::COUNT * Roll::COUNT;

/// The roll a byte stands for, or nothing for the four that would make some rolls likelier.
pub fn roll_of(byte: u8) -> Option<Roll> {
    let index = usize::from(byte);
    (index < FAIR_BYTES).then(|| Roll::from_index(index))
}

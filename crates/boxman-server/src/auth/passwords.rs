//! Passwords, as argon2id hashes. Each takes 19 MB and some time on purpose, so they take turns:
//! one at a time, away from the tables.

use std::sync::LazyLock;

use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Argon2, PasswordHash};

use crate::problem::Problem;
use crate::turns::Turns;

/// So many are worked on at once.
const AT_WORK: usize = 1;
/// So many may wait for their turn.
const WAITING: usize = 128;

/// What the password of a name that nobody has is held against, so that it takes as long.
static NOBODYS: LazyLock<Option<String>> = LazyLock::new(|| hashed("nobody has this password"));

/// Where passwords are hashed.
pub(super) struct Passwords(Turns);

impl Default for Passwords {
    fn default() -> Passwords {
        let many = "many log in at the moment, try again in a little while";
        Passwords(Turns::new(AT_WORK, WAITING, many))
    }
}

impl Passwords {
    /// The hash of a password that is long enough.
    pub(super) async fn hash(&self, password: String) -> Result<String, Problem> {
        if !(10..=200).contains(&password.chars().count()) {
            let length = "a password has 10 to 200 characters";
            return Err(Problem::invalid("bad-password", length));
        }
        let failed =
            || Problem::unavailable("no-hash", "the password could not be hashed, try again");
        self.0.work(move || hashed(&password).ok_or_else(failed)).await
    }

    /// Whether a password fits the hash, if there is one.
    pub(super) async fn fits(
        &self,
        hash: Option<String>,
        password: String,
    ) -> Result<bool, Problem> {
        self.0
            .work(move || {
                let known = hash.as_ref().or(NOBODYS.as_ref());
                let known = known.and_then(|hash| PasswordHash::new(hash).ok());
                let fits = known.is_some_and(|known| {
                    Argon2::default().verify_password(password.as_bytes(), &known).is_ok()
                });
                Ok(fits && hash.is_some())
            })
            .await
    }
}

fn hashed(password: &str) -> Option<String> {
    let hash = Argon2::default().hash_password(password.as_bytes());
    hash.ok().map(|hash| hash.to_string())
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn one_is_hashed_at_a_time_and_the_line_has_an_end() {
        let passwords = Passwords::default();
        let mut logins: Vec<_> = (0..AT_WORK + WAITING + 5)
            .map(|_| Box::pin(passwords.fits(None, "a guess".to_owned())))
            .collect();
        let asked = logins.iter_mut().map(|login| login.as_mut().now_or_never());
        let refused: Vec<String> =
            asked.flatten().filter_map(|done| done.err().map(|problem| problem.code)).collect();
        assert_eq!(refused, ["busy"; 5]);
        // Whoever goes leaves the line.
        logins.truncate(1);
        assert_eq!(logins.remove(0).await, Ok(false));
        assert_eq!(passwords.fits(None, "nobody has this password".to_owned()).await, Ok(false));
        let hash = passwords.hash("correct horse battery".to_owned()).await.unwrap();
        let fits =
            async |password: &str| passwords.fits(Some(hash.clone()), password.to_owned()).await;
        assert_eq!(fits("correct horse battery").await, Ok(true));
        assert_eq!(fits("correct horse").await, Ok(false));
    }
}

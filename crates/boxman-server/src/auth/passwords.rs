//! Passwords, as argon2id hashes. Each takes 19 MB and some time on purpose, so they take turns on
//! one thread of their own, away from the tables: no other ever has to have that much.
//!
//! Those who have logged in from their address before stand in a line of their own, which a flood
//! of others does not make longer.

use std::sync::{LazyLock, mpsc};

use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Argon2, PasswordHash};
use tokio::sync::oneshot;

use crate::problem::Problem;
use crate::turns::Turns;

/// So many may wait for their turn.
const WAITING: usize = 128;

/// What the password of a name that nobody has is held against, so that it takes as long.
static NOBODYS: LazyLock<Option<String>> = LazyLock::new(|| hashed("nobody has this password"));

/// Where passwords are hashed.
pub(super) struct Passwords {
    known: Turns,
    others: Turns,
    work: mpsc::Sender<Job>,
}

type Job = Box<dyn FnOnce() + Send>;

impl Default for Passwords {
    fn default() -> Passwords {
        let many = "many log in at the moment, try again in a little while";
        let line = || Turns::new(1, WAITING, many);
        let (work, jobs) = mpsc::channel::<Job>();
        // It ends when nobody has work for it any more.
        std::thread::spawn(move || jobs.into_iter().for_each(|job| job()));
        Passwords { known: line(), others: line(), work }
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
        self.work(&self.known, move || hashed(&password)).await?.ok_or_else(failed)
    }

    /// Whether a password fits the hash, if there is one. `known` is whoever has logged in from
    /// their address before.
    pub(super) async fn fits(
        &self,
        hash: Option<String>,
        password: String,
        known: bool,
    ) -> Result<bool, Problem> {
        let line = if known { &self.known } else { &self.others };
        let fits = move || {
            let known = hash.as_ref().or(NOBODYS.as_ref());
            let known = known.and_then(|hash| PasswordHash::new(hash).ok());
            let fits = known.is_some_and(|known| {
                Argon2::default().verify_password(password.as_bytes(), &known).is_ok()
            });
            fits && hash.is_some()
        };
        self.work(line, fits).await
    }

    /// Waits for a turn and has it done. The turn ends with the work, though nobody may wait.
    async fn work<T: Send + 'static>(
        &self,
        line: &Turns,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let broke = || Problem::new(500, "broken", "passwords cannot be checked, try again later");
        let turn = line.turn().await?;
        let (done, result) = oneshot::channel();
        let job = move || {
            let _turn = turn;
            let _ = done.send(work());
        };
        self.work.send(Box::new(job)).map_err(|_| broke())?;
        result.await.map_err(|_| broke())
    }
}

fn hashed(password: &str) -> Option<String> {
    let hash = Argon2::default().hash_password(password.as_bytes());
    hash.ok().map(|hash| hash.to_string())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn one_is_hashed_at_a_time_and_the_line_has_an_end() {
        let passwords = Passwords::default();
        let mut logins: Vec<_> = (0..1 + WAITING + 5)
            .map(|_| Box::pin(passwords.fits(None, "a guess".to_owned(), false)))
            .collect();
        let asked = logins.iter_mut().map(|login| login.as_mut().now_or_never());
        let refused: Vec<String> =
            asked.flatten().filter_map(|done| done.err().map(|problem| problem.code)).collect();
        assert_eq!(refused, ["busy"; 5]);
        // Whoever has come in before does not stand in that line.
        assert_eq!(passwords.fits(None, "a guess".to_owned(), true).await, Ok(false));
        // Whoever goes leaves the line.
        logins.truncate(1);
        assert_eq!(logins.remove(0).await, Ok(false));
        assert_eq!(
            passwords.fits(None, "nobody has this password".to_owned(), false).await,
            Ok(false)
        );
        let hash = passwords.hash("correct horse battery".to_owned()).await.unwrap();
        let fits = async |password: &str| {
            passwords.fits(Some(hash.clone()), password.to_owned(), true).await
        };
        assert_eq!(fits("correct horse battery").await, Ok(true));
        assert_eq!(fits("correct horse").await, Ok(false));
    }

    #[tokio::test]
    async fn a_name_that_nobody_has_takes_as_long() {
        let passwords = Passwords::default();
        let hash = passwords.hash("correct horse battery".to_owned()).await.unwrap();
        let took = async |hash: Option<String>| {
            let begun = std::time::Instant::now();
            let fits = passwords.fits(hash, "a guess".to_owned(), true).await;
            assert_eq!(fits, Ok(false));
            begun.elapsed()
        };
        let (mut somebody, mut nobody) = (Duration::MAX, Duration::MAX);
        // In turns, so that whatever else the machine does slows both.
        for _ in 0..8 {
            somebody = somebody.min(took(Some(hash.clone())).await);
            nobody = nobody.min(took(None).await);
        }
        assert!(nobody > somebody / 2, "{nobody:?} for nobody, {somebody:?} for somebody");
    }
}

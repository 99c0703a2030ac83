//! `boxman copy`: carry a whole store into an empty one.

use boxman_server::audit::{Copied, copy};

use crate::verify::Progress;
use crate::{Stop, say, stores};

/// Carry a whole store into an empty one: every log, rulebooks and accounts, verified there at the
/// end
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boxman copy sqlite:boxman.db postgres://boxman@db.example/boxman\n  \
    boxman copy postgres://boxman@db.example/boxman sqlite:copy.db\n\n\
    No server may use either meanwhile. Logs keep every number and hash, so that an anchor of the\n\
    one holds for the other; snapshots are made anew, and everybody logs in again.")]
pub(crate) struct Args {
    /// The store to copy: PATH, sqlite:PATH or postgres://…
    from: String,
    /// The empty one: sqlite:PATH or postgres://…; it is made where there is none
    to: String,
}

pub(crate) fn run(args: &Args) -> Result<(), Stop> {
    let Copied { logs, records, accounts } = stores::block_on(async {
        // It is not made where there is none, though it is opened so that nobody else writes.
        if stores::postgres(&args.from)?.is_none() {
            stores::kind(&stores::path(&args.from))?;
        }
        let from = stores::write(&args.from).await?;
        let to = stores::write(&args.to).await?;
        let mut progress = Progress::new();
        let copied = copy(&*from.1, &*to.1, &mut |done, total| progress.show(done, total)).await;
        progress.clear();
        from.1.close().await;
        to.1.close().await;
        copied.map_err(|trouble| stores::stop(&trouble))
    })?;
    say(&format!(
        "{records} records of {logs} logs and {accounts} accounts copied; the copy is sound and \
         stands where the original does"
    ));
    Ok(())
}

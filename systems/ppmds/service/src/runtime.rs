//! A runtime for commands and tests, on the calling thread.
use crate::Error;
use std::future::Future;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::time::sleep;

/// # Errors
/// The system gives the runtime no resources.
pub fn block_on<T>(work: impl Future<Output = T>) -> Result<T, Error> {
    let failed = |e: std::io::Error| Error::Failed(format!("no runtime for sockets: {e}"));
    Ok(runtime().map_err(failed)?.block_on(work))
}

/// `None`: `stop` was true before the work ended.
///
/// # Errors
/// As [`block_on`].
pub fn block_on_unless<T>(
    stop: &dyn Fn() -> bool,
    work: impl Future<Output = T>,
) -> Result<Option<T>, Error> {
    let stopped = async {
        while !stop() {
            sleep(POLL).await
        }
    };
    block_on(async {
        tokio::select! {
            done = work => Some(done),
            () = stopped => None,
        }
    })
}

const POLL: Duration = Duration::from_millis(50);

pub fn runtime() -> std::io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

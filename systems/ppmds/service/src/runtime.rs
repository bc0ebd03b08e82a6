//! A runtime for commands and tests, on the calling thread.
use crate::Error;
use std::future::Future;
use tokio::runtime::{Builder, Runtime};

/// # Errors
/// The system gives the runtime no resources.
pub fn block_on<T>(work: impl Future<Output = T>) -> Result<T, Error> {
    let failed = |e: std::io::Error| Error::Failed(format!("no runtime for sockets: {e}"));
    Ok(runtime().map_err(failed)?.block_on(work))
}

pub fn runtime() -> std::io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

//! Open sessions. C holds their numbers, so that a closed one is detected.
use crate::problem::Problem;
use libc::{EBADF, EIO, ETIMEDOUT};
use ppmds_service::Error;
use ppmds_service::client::{Client, ClientOptions};
use ppmds_service::cluster::Cluster;
use std::collections::BTreeMap;
use std::mem::MaybeUninit;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// Longest wait for a thread that looks up a host's name.
const END: Duration = Duration::from_secs(1);

/// A client, and the thread of its sockets.
struct Session {
    client: Client,
    runtime: Runtime,
}

struct Table {
    open: BTreeMap<u64, Arc<Session>>,
    /// Numbers are never used again.
    last: u64,
}

static TABLE: Mutex<Table> = Mutex::new(Table { open: BTreeMap::new(), last: 0 });

fn table() -> MutexGuard<'static, Table> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens a session and returns its number.
pub fn open(cluster: Cluster, options: ClientOptions) -> Result<u64, Problem> {
    let mut runtime = Builder::new_multi_thread();
    runtime.worker_threads(1).enable_all().thread_name("tenbin-meta");
    let runtime = runtime.on_thread_start(block_signals).build();
    let runtime = runtime.map_err(|e| Problem::new(EIO, format!("no thread for sockets: {e}")))?;
    // On that thread, whose writes raise no signal.
    let client = runtime.spawn(async move { Client::connect(&cluster, options).await });
    let problem = match runtime.block_on(client) {
        Ok(Ok(client)) => return Ok(add(Session { client, runtime })),
        Ok(Err(Error::Failed(why))) => Problem::new(ETIMEDOUT, why),
        Ok(Err(refused)) => refused.into(),
        Err(e) => Problem::new(EIO, e.to_string()),
    };
    runtime.shutdown_timeout(END);
    Err(problem)
}

fn add(session: Session) -> u64 {
    let mut table = table();
    table.last += 1;
    let number = table.last;
    table.open.insert(number, Arc::new(session));
    number
}

/// Leaves signals to the program's own threads. A write to a closed connection then ends nothing.
fn block_signals() {
    let mut all = MaybeUninit::uninit();
    // SAFETY: the first call fills the set that the second reads.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_BLOCK, all.as_ptr(), std::ptr::null_mut());
    }
}

fn closed() -> Problem {
    Problem::new(EBADF, "the session is closed")
}

/// Runs `work` with a session's client.
pub fn with<T, E: Into<Problem>>(
    number: u64,
    work: impl AsyncFnOnce(&Client) -> Result<T, E>,
) -> Result<T, Problem> {
    let session = table().open.get(&number).cloned().ok_or_else(closed)?;
    let result = session.runtime.block_on(work(&session.client));
    release(session);
    result.map_err(E::into)
}

/// Calls that run go on; the last of them ends the session.
pub fn close(number: u64) -> Result<(), Problem> {
    let session = table().open.remove(&number).ok_or_else(closed)?;
    release(session);
    Ok(())
}

fn release(session: Arc<Session>) {
    if let Some(Session { client, runtime }) = Arc::into_inner(session) {
        runtime.block_on(client.close());
        runtime.shutdown_timeout(END)
    }
}

//! A call from Python: without the GIL, with progress, and stopped by Ctrl-C.
use crate::elsewhere;
use crate::{policies, raised};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use system::session::{Session, Standing};
use system::{Failure, interrupt};

/// How often signals and progress are looked at.
const TICK: Duration = Duration::from_millis(50);
/// Stack of a command, as that of a main thread \[bytes\].
const STACK: usize = 8 << 20;

/// Calls under way; the first forgets an earlier interruption.
static CALLS: AtomicUsize = AtomicUsize::new(0);

/// (exit code, what was printed on stdout, notes on stderr), the last note being the error.
pub type Ended<'py> = (u8, Bound<'py, PyBytes>, Vec<String>);

/// Performs a command line, which begins with the program's name. `progress` gets what, done, total
/// or None, and a text, about 20 times a second. `elsewhere` performs runs on other machines.
#[pyfunction]
#[pyo3(signature = (line, progress=None, elsewhere=None))]
pub fn execute<'py>(
    py: Python<'py>,
    line: Vec<String>,
    progress: Option<Bound<'py, PyAny>>,
    elsewhere: Option<Py<PyAny>>,
) -> PyResult<Ended<'py>> {
    let session = Session::new(line, None).with(elsewhere::of(elsewhere));
    call(py, session, progress, tenbin::perform)
}

/// Calls `work` in a thread of its own, within a session.
pub fn call<'py>(
    py: Python<'py>,
    session: Session,
    progress: Option<Bound<'py, PyAny>>,
    work: impl FnOnce() -> Result<(), Failure> + Send + 'static,
) -> PyResult<Ended<'py>> {
    if CALLS.fetch_add(1, Ordering::SeqCst) == 0 {
        interrupt::clear()
    }
    let session = Arc::new(session);
    let (send, receive) = channel();
    let within = session.clone();
    let run = move || {
        let done = within.run(|| catch_unwind(AssertUnwindSafe(work)));
        let _ = send.send(done.unwrap_or_else(|_| {
            Err(Failure::Failed("this is a bug in tenbin: the command panicked".into()))
        }));
    };
    let done = match thread::Builder::new().stack_size(STACK).spawn(run) {
        Ok(_) => wait(py, &session, receive, progress),
        Err(e) => Ok(Err(Failure::Failed(format!("no thread can be started: {e}")))),
    };
    CALLS.fetch_sub(1, Ordering::SeqCst);
    if let Some(error) = raised::take() {
        return Err(error);
    }
    let (text, mut notes) = session.take();
    let code = match done? {
        Ok(()) => 0,
        Err(failure) => {
            notes.push(failure.text().into());
            failure.exit_code()
        }
    };
    Ok((code, PyBytes::new(py, &text), notes))
}

/// Waits for the end. After a signal whose handler raises, or an error of `progress`, it requests
/// an interruption, and returns that error at the end unless the command was interrupted by Ctrl-C.
fn wait(
    py: Python<'_>,
    session: &Session,
    receive: Receiver<Result<(), Failure>>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Result<(), Failure>> {
    let receive = Mutex::new(receive);
    let mut raised: Option<PyErr> = None;
    let mut shown = Standing::default();
    loop {
        let next = || receive.lock().expect("only this thread locks it").recv_timeout(TICK);
        match py.detach(next) {
            Ok(Err(Failure::Interrupted(why))) => {
                return match raised {
                    Some(e) if !e.is_instance_of::<pyo3::exceptions::PyKeyboardInterrupt>(py) => {
                        Err(e)
                    }
                    _ => Ok(Err(Failure::Interrupted(why))),
                };
            }
            Ok(done) => return raised.map_or(Ok(done), Err),
            Err(RecvTimeoutError::Disconnected) => {
                return Ok(Err(Failure::Failed("this is a bug in tenbin: no result".into())));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        let standing = session.standing();
        let reported = match &progress {
            Some(callback) if standing != shown && raised.is_none() => {
                shown = standing.clone();
                let Standing { what, done, total, text } = standing;
                callback.call1((what, done, total, text)).map(|_| ())
            }
            _ => Ok(()),
        };
        if let Err(e) = py.check_signals().and(reported) {
            interrupt::request();
            raised.get_or_insert(e);
        }
        if raised.is_some() {
            policies::interrupt(py)
        }
    }
}

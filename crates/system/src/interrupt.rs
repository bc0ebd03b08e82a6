//! Ctrl-C and SIGTERM: the first sets a flag that runs and writers check, the second ends the
//! process.
use crate::failure::Failure;
use crate::{console, ranks};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static REQUESTED: AtomicBool = AtomicBool::new(false);
static AT_ONCE: AtomicBool = AtomicBool::new(false);
static IGNORED: AtomicBool = AtomicBool::new(false);

/// Time to print one line.
const PRINT_TIME: Duration = Duration::from_millis(50);

/// Installs the handler: the first signal sets the flag, a second one ends the process.
pub fn install_handler() {
    ignore_file_limit();
    // Fails only if a handler is installed already: ours.
    let _ = ctrlc::set_handler(|| {
        let again = REQUESTED.swap(true, Ordering::SeqCst);
        if again {
            // The hanging thread may hold any lock, such as that of stderr: do not wait for it.
            let _ = std::thread::Builder::new().spawn(|| {
                console::note("interrupted again: stopped at once; no further results kept")
            });
            std::thread::sleep(PRINT_TIME);
            std::process::exit(130)
        }
        if AT_ONCE.load(Ordering::SeqCst) {
            end()
        }
        if ranks::count() > 1 && ranks::is_first() {
            // The launcher may close stderr before the ranks report later.
            console::note("interrupted: all ranks end")
        }
    });
}

/// Exceeding `ulimit -f` then is a write error, like a full disk.
#[cfg(unix)]
fn ignore_file_limit() {
    use nix::sys::signal::{SigHandler, Signal, signal};
    // SAFETY: no handler of ours runs.
    let _ = unsafe { signal(Signal::SIGXFSZ, SigHandler::SigIgn) };
}

#[cfg(not(unix))]
fn ignore_file_limit() {}

/// If true, a signal ends the process immediately, also one received before. For reading a file
/// that may never end.
pub fn exit_at_once(yes: bool) {
    AT_ONCE.store(yes, Ordering::SeqCst);
    if yes && is_requested() {
        end()
    }
}

fn end() -> ! {
    console::failure(&nothing_written());
    std::process::exit(130)
}

/// Requests an interruption, as a first signal does.
pub fn request() {
    REQUESTED.store(true, Ordering::SeqCst)
}

/// Forgets a request, before the next command of the same process.
pub fn clear() {
    REQUESTED.store(false, Ordering::SeqCst);
    IGNORED.store(false, Ordering::SeqCst)
}

pub fn is_requested() -> bool {
    REQUESTED.load(Ordering::SeqCst) && !IGNORED.load(Ordering::SeqCst)
}

/// All runs have ended: from now on a first signal is ignored, since stopping would only lose the
/// result. A second one still ends the process.
pub fn ignore_first_signal() {
    IGNORED.store(true, Ordering::SeqCst)
}

/// Fails after a first signal. Call it between two steps.
pub fn check() -> Result<(), Failure> {
    if is_requested() { Err(nothing_written()) } else { Ok(()) }
}

pub fn nothing_written() -> Failure {
    Failure::Interrupted("nothing was written".into())
}

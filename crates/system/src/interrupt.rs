//! Ctrl-C and SIGTERM: a flag that runs and writers look at; the second time, the end.
use crate::failure::Failure;
use crate::{console, ranks};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static ASKED: AtomicBool = AtomicBool::new(false);
static AT_ONCE: AtomicBool = AtomicBool::new(false);
static TOO_LATE: AtomicBool = AtomicBool::new(false);

/// Time enough for a line.
const WORDS: Duration = Duration::from_millis(50);

/// From now on the signals set the flag instead of killing the process; a second one ends it where
/// it is.
pub fn listen() {
    ignore_file_limit();
    // It fails only if a handler is already there, and then that one is ours.
    let _ = ctrlc::set_handler(|| {
        let again = ASKED.swap(true, Ordering::SeqCst);
        if again {
            // What hangs may hold anything, stderr among it: nothing is waited for.
            let _ = std::thread::Builder::new().spawn(|| {
                console::aside("interrupted: again: ended at once; nothing more was kept")
            });
            std::thread::sleep(WORDS);
            std::process::exit(130)
        }
        if AT_ONCE.load(Ordering::SeqCst) {
            end()
        }
        if ranks::count() > 1 && ranks::is_first() {
            // Whoever started the ranks may no longer hear what they say later.
            console::aside("interrupted: all ranks end")
        }
    });
}

/// A file that grows beyond `ulimit -f` is an error of who writes it, as a full disk is.
#[cfg(unix)]
fn ignore_file_limit() {
    use nix::sys::signal::{SigHandler, Signal, signal};
    // SAFETY: no handler of ours runs.
    let _ = unsafe { signal(Signal::SIGXFSZ, SigHandler::SigIgn) };
}

#[cfg(not(unix))]
fn ignore_file_limit() {}

/// Whether a signal ends the process where it is, for what waits for a file that may never end; one
/// that has come already does.
pub fn at_once(yes: bool) {
    AT_ONCE.store(yes, Ordering::SeqCst);
    if yes && asked() {
        end()
    }
}

fn end() -> ! {
    console::failure(&nothing_written());
    std::process::exit(130)
}

pub fn asked() -> bool {
    ASKED.load(Ordering::SeqCst) && !TOO_LATE.load(Ordering::SeqCst)
}

/// All runs have ended: to stop now would save nothing and lose their result. From now on one
/// signal is not heeded; a second one still ends the process.
pub fn too_late() {
    TOO_LATE.store(true, Ordering::SeqCst)
}

/// An error once the user wants to stop; to be called between two steps.
pub fn check() -> Result<(), Failure> {
    if asked() { Err(nothing_written()) } else { Ok(()) }
}

/// What a command says that has nothing to show.
pub fn nothing_written() -> Failure {
    Failure::Interrupted("nothing was written".into())
}

//! Ctrl-C and SIGTERM: a flag that runs and writers look at.
use crate::failure::Failure;
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);
static AT_ONCE: AtomicBool = AtomicBool::new(false);

/// From now on the signals set the flag instead of killing the process.
pub fn listen() {
    // It fails only if a handler is already there, and then that one is ours.
    let _ = ctrlc::set_handler(|| {
        ASKED.store(true, Ordering::SeqCst);
        if AT_ONCE.load(Ordering::SeqCst) {
            nothing_written().show();
            std::process::exit(130)
        }
    });
}

/// Whether a signal ends the process where it is, for what waits for a file that may never end.
pub fn at_once(yes: bool) {
    AT_ONCE.store(yes, Ordering::SeqCst)
}

/// Whether the user wants to stop.
pub fn asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}

/// An error once the user wants to stop; to be called between two steps.
pub fn check() -> Result<(), Failure> {
    if asked() { Err(nothing_written()) } else { Ok(()) }
}

/// What a command says that has nothing to show.
pub fn nothing_written() -> Failure {
    Failure::Interrupted("nothing was written".into())
}

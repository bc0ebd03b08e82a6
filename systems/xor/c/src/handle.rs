//! The handle of C: a state behind a lock, and the text of the last error.
use cborder::{Refused, c_text, caught};
use std::ffi::{CStr, CString, c_char, c_int};
use std::sync::{Mutex, PoisonError};
use xor_relay::client::Error;

/// Result of a function; numbers as in the header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    Ok = 0,
    BadInput = 1,
    Failed = 2,
    Stopped = 3,
    NotFound = 4,
    /// Another call on this handle is running.
    Busy = 5,
    Bug = 6,
}

impl Code {
    pub(crate) const ALL: [(Code, &CStr); 7] = [
        (Code::Ok, c"success"),
        (Code::BadInput, c"invalid request"),
        (Code::Failed, c"failed"),
        (Code::Stopped, c"stopped"),
        (Code::NotFound, c"no object has this name"),
        (Code::Busy, c"another call is using this handle"),
        (Code::Bug, c"an error in the library"),
    ];
}

#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) code: Code,
    pub(crate) words: String,
}

impl Problem {
    pub(crate) fn bad(words: impl Into<String>) -> Problem {
        Problem { code: Code::BadInput, words: words.into() }
    }

    pub(crate) fn failed(words: impl Into<String>) -> Problem {
        Problem { code: Code::Failed, words: words.into() }
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        let code = match &error {
            Error::BadInput(_) => Code::BadInput,
            Error::Failed(_) => Code::Failed,
            Error::Stopped => Code::Stopped,
        };
        Problem { code, words: error.to_string() }
    }
}

impl From<Refused> for Problem {
    fn from(Refused(words): Refused) -> Problem {
        Problem::bad(words)
    }
}

pub(crate) type Outcome = Result<(), Problem>;

pub struct Handle<S> {
    /// The flag: a panic has left the state inconsistent.
    state: Mutex<(S, bool)>,
    error: Mutex<CString>,
}

impl<S> Handle<S> {
    fn note(&self, words: &str) {
        // No code under this lock panics.
        *self.error.lock().unwrap_or_else(PoisonError::into_inner) = c_text(words)
    }

    /// Runs `work` unless another call holds the state.
    fn work(&self, work: impl FnOnce(&mut S) -> Outcome) -> Code {
        let Ok(mut guard) = self.state.try_lock() else { return Code::Busy };
        let (state, is_spoiled) = &mut *guard;
        if *is_spoiled {
            return Code::Bug;
        }
        // After a panic the state is never used again.
        match caught(|| work(state)) {
            Ok(Ok(())) => {
                self.note("");
                Code::Ok
            }
            Ok(Err(problem)) => {
                self.note(&problem.words);
                problem.code
            }
            Err(panic) => {
                *is_spoiled = true;
                self.note(&format!("an error in the library: {panic}"));
                Code::Bug
            }
        }
    }
}

/// Creates a handle, publishes it, then opens its state: so a failed open has an error text.
///
/// # Safety
/// `to` is NULL, or a pointer may be written there.
pub(crate) unsafe fn open<S>(
    to: *mut *mut Handle<S>,
    state: S,
    opening: impl FnOnce(&mut S) -> Outcome,
) -> c_int {
    if to.is_null() || !to.is_aligned() {
        return Code::BadInput as c_int;
    }
    let state = Mutex::new((state, false));
    let handle = Box::into_raw(Box::new(Handle { state, error: Mutex::default() }));
    // SAFETY: it is not NULL, aligned, and the caller's to be written.
    unsafe { to.write(handle) };
    // SAFETY: it was made just now.
    unsafe { on(handle, opening) }
}

/// Runs `work` on the state of a handle.
///
/// # Safety
/// `handle` is NULL, or from [`open`] and not closed.
pub(crate) unsafe fn on<S>(
    handle: *const Handle<S>,
    work: impl FnOnce(&mut S) -> Outcome,
) -> c_int {
    // SAFETY: the caller promises that it is one.
    match unsafe { handle.as_ref() } {
        None => Code::BadInput as c_int,
        Some(handle) => handle.work(work) as c_int,
    }
}

/// The text of the last error, valid until the next call.
///
/// # Safety
/// As for [`on`].
pub(crate) unsafe fn error<S>(handle: *const Handle<S>) -> *const c_char {
    // SAFETY: the caller promises that it is one.
    match unsafe { handle.as_ref() } {
        None => c"the handle is NULL".as_ptr(),
        Some(handle) => handle.error.lock().unwrap_or_else(PoisonError::into_inner).as_ptr(),
    }
}

/// Frees a handle, unless another call on it is running.
///
/// # Safety
/// As for [`on`]. The handle must not be used after [`Code::Ok`].
pub(crate) unsafe fn close<S>(handle: *mut Handle<S>) -> c_int {
    // SAFETY: the caller promises that it is one.
    match unsafe { handle.as_ref() } {
        None => return Code::Ok as c_int,
        Some(handle) if handle.state.try_lock().is_err() => return Code::Busy as c_int,
        Some(_) => {}
    }
    // SAFETY: it was made by `Box::into_raw` and no call uses it.
    let handle = unsafe { Box::from_raw(handle) };
    match caught(|| drop(handle)) {
        Ok(()) => Code::Ok as c_int,
        Err(_) => Code::Bug as c_int,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(handle: *const Handle<u32>) -> String {
        // SAFETY: it is a handle, and its error is copied at once.
        unsafe { CStr::from_ptr(error(handle)) }.to_string_lossy().into_owned()
    }

    #[test]
    fn a_panic_becomes_a_code_and_spoils_its_handle_alone() {
        let (mut broken, mut whole) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the handles are made here, and closed at the end.
        unsafe {
            assert_eq!(open(&raw mut broken, 1, |_| Ok(())), 0);
            assert_eq!(open(&raw mut whole, 2, |_| Ok(())), 0);
            assert_eq!(on(broken, |_| panic!("{} too many", 3)), Code::Bug as c_int);
            assert_eq!(words(broken), "an error in the library: 3 too many");
            assert_eq!(on(broken, |_| Ok(())), Code::Bug as c_int, "it stays so");
            assert_eq!(on(whole, |_| Ok(())), 0);
            assert_eq!((close(broken), close(whole)), (0, 0));
        }
    }

    #[test]
    fn who_comes_while_it_works_is_sent_away_and_changes_nothing() {
        let mut handle = std::ptr::null_mut();
        // SAFETY: as above.
        unsafe {
            open(&raw mut handle, 1, |_| Err(Problem::failed("be\0fore")));
            let inner = on(handle, |state| {
                assert_eq!(on(handle, |_| panic!("it is not called")), Code::Busy as c_int);
                assert_eq!(close(handle), Code::Busy as c_int);
                assert_eq!((*state, words(handle)), (1, "before".to_string()));
                Ok(())
            });
            assert_eq!((inner, words(handle)), (0, String::new()));
            assert_eq!(close(handle), 0);
            assert_eq!(close(std::ptr::null_mut::<Handle<u32>>()), 0);
        }
    }
}

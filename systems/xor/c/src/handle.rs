//! What C holds: a state behind a lock, and the words to the last code.
use std::ffi::{CStr, CString, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use xor_relay::client::Error;

/// What a function came to; numbers as in the header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    Ok = 0,
    BadInput = 1,
    Failed = 2,
    Stopped = 3,
    /// No object has the name.
    NotFound = 4,
    /// A call of this handle runs.
    Busy = 5,
    Bug = 6,
}

impl Code {
    pub(crate) const ALL: [(Code, &CStr); 7] = [
        (Code::Ok, c"it worked"),
        (Code::BadInput, c"what was asked for cannot be"),
        (Code::Failed, c"it did not work"),
        (Code::Stopped, c"it was stopped"),
        (Code::NotFound, c"no object has this name"),
        (Code::Busy, c"a call of this handle runs"),
        (Code::Bug, c"an error in the library"),
    ];
}

/// Why a function did not work.
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

/// What a function came to, before it is a code.
pub(crate) type Outcome = Result<(), Problem>;

/// A text without NULs, as C has it.
pub(crate) fn c_text(text: &str) -> CString {
    let bytes: Vec<u8> = text.bytes().filter(|byte| *byte != 0).collect();
    CString::new(bytes).unwrap_or_default()
}

/// A state that C holds by a pointer.
pub struct Handle<S> {
    /// Whether a panic has left it halfway stands beside it.
    state: Mutex<(S, bool)>,
    error: Mutex<CString>,
}

impl<S> Handle<S> {
    fn note(&self, words: &str) {
        // Nothing panics under this lock.
        *self.error.lock().unwrap_or_else(PoisonError::into_inner) = c_text(words)
    }

    /// Does something with the state, unless somebody is at it.
    fn work(&self, work: impl FnOnce(&mut S) -> Outcome) -> Code {
        let Ok(mut guard) = self.state.try_lock() else { return Code::Busy };
        let (state, is_spoiled) = &mut *guard;
        if *is_spoiled {
            return Code::Bug;
        }
        // What a panic leaves behind is never used again.
        match catch_unwind(AssertUnwindSafe(|| work(state))) {
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
                self.note(&format!("an error in the library: {}", said(&*panic)));
                Code::Bug
            }
        }
    }
}

/// A panic's words.
fn said(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no words")
}

/// Makes a handle and hands it out, then opens what it holds: so that there are words to an error.
///
/// # Safety
/// `to` is NULL, or a pointer's place may be written there.
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

/// Does something with what a handle holds.
///
/// # Safety
/// `handle` is NULL or of [`open`] and not closed.
pub(crate) unsafe fn on<S>(
    handle: *const Handle<S>,
    work: impl FnOnce(&mut S) -> Outcome,
) -> c_int {
    // SAFETY: whoever hands it in says that it is one.
    match unsafe { handle.as_ref() } {
        None => Code::BadInput as c_int,
        Some(handle) => handle.work(work) as c_int,
    }
}

/// The words to the last code, valid until the next call.
///
/// # Safety
/// As for [`on`].
pub(crate) unsafe fn error<S>(handle: *const Handle<S>) -> *const c_char {
    // SAFETY: whoever hands it in says that it is one.
    match unsafe { handle.as_ref() } {
        None => c"the handle is NULL".as_ptr(),
        Some(handle) => handle.error.lock().unwrap_or_else(PoisonError::into_inner).as_ptr(),
    }
}

/// Frees a handle, unless a call of it runs.
///
/// # Safety
/// As for [`on`]; it is not used again after [`Code::Ok`].
pub(crate) unsafe fn close<S>(handle: *mut Handle<S>) -> c_int {
    // SAFETY: whoever hands it in says that it is one.
    match unsafe { handle.as_ref() } {
        None => return Code::Ok as c_int,
        Some(handle) if handle.state.try_lock().is_err() => return Code::Busy as c_int,
        Some(_) => {}
    }
    // SAFETY: it was made by `Box::into_raw` and nobody is at it.
    let handle = unsafe { Box::from_raw(handle) };
    match catch_unwind(AssertUnwindSafe(|| drop(handle))) {
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

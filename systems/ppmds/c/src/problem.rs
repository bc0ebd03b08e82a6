//! Error numbers, and each thread's last error text.
use cborder::{Refused, c_text, caught};
use libc::{EINVAL, EIO, ENOTRECOVERABLE, ETIMEDOUT};
use ppmds_protocol::Errno;
use ppmds_service::Error;
use ppmds_service::client::OperationError;
use std::cell::RefCell;
use std::ffi::{CString, c_char, c_int};

#[derive(Debug)]
pub struct Problem {
    /// A number of `errno.h`, never 0.
    pub errno: c_int,
    pub words: String,
}

impl Problem {
    pub fn new(errno: c_int, words: impl Into<String>) -> Problem {
        Problem { errno, words: words.into() }
    }
}

impl From<Refused> for Problem {
    fn from(Refused(words): Refused) -> Problem {
        Problem::new(EINVAL, words)
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        let errno = if let Error::BadInput(_) = error { EINVAL } else { EIO };
        Problem::new(errno, error.to_string())
    }
}

impl From<OperationError> for Problem {
    fn from(error: OperationError) -> Problem {
        let errno = match error {
            OperationError::Unanswered(_) => ETIMEDOUT,
            OperationError::Errno(errno) => number(errno),
        };
        Problem::new(errno, error.to_string())
    }
}

fn number(errno: Errno) -> c_int {
    match errno {
        Errno::EEXIST => libc::EEXIST,
        Errno::ENOENT => libc::ENOENT,
        Errno::ENOTEMPTY => libc::ENOTEMPTY,
        Errno::EINVAL => EINVAL,
        Errno::ENAMETOOLONG => libc::ENAMETOOLONG,
        Errno::EISDIR => libc::EISDIR,
        Errno::ENOTDIR => libc::ENOTDIR,
        Errno::EPERM => libc::EPERM,
        Errno::ESTALE => libc::ESTALE,
        Errno::EIO => EIO,
        Errno::EFBIG => libc::EFBIG,
    }
}

thread_local! {
    static ERROR: RefCell<CString> = RefCell::default();
}

/// Runs `work` for C: 0, or its error number. Keeps the text for [`last`].
pub fn answer<T>(work: impl FnOnce() -> Result<T, Problem>) -> c_int {
    let bug = |panic| Err(Problem::new(ENOTRECOVERABLE, format!("a bug in the library: {panic}")));
    let (errno, words) = match caught(work).unwrap_or_else(bug) {
        Ok(_) => (0, String::new()),
        Err(problem) => (problem.errno, problem.words),
    };
    // A thread that ends has no text any more.
    let _ = ERROR.try_with(|error| *error.borrow_mut() = c_text(words));
    errno
}

/// The calling thread's text, valid until its next call.
pub fn last() -> *const c_char {
    ERROR.try_with(|error| error.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    fn text() -> String {
        // SAFETY: it is copied before the next call.
        unsafe { CStr::from_ptr(last()) }.to_string_lossy().into_owned()
    }

    #[test]
    fn a_panic_becomes_a_number_and_the_text_stays_on_its_thread() {
        assert_eq!(answer::<()>(|| panic!("{} too many", 3)), ENOTRECOVERABLE);
        let other = std::thread::spawn(|| (text(), answer::<()>(|| Err(Problem::new(7, "other")))));
        assert_eq!(other.join().unwrap(), (String::new(), 7));
        assert_eq!(text(), "a bug in the library: 3 too many");
        assert_eq!((answer(|| Ok(())), text()), (0, String::new()))
    }
}

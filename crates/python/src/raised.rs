//! The error of a function in Python that a run called: it ends all runs, and is raised at the end.
use pyo3::prelude::*;
use std::sync::Mutex;
use system::interrupt;

/// The first since the last [`take`].
static RAISED: Mutex<Option<PyErr>> = Mutex::new(None);

pub fn keep(error: PyErr) {
    RAISED.lock().expect("no thread panics while holding it").get_or_insert(error);
    interrupt::request()
}

pub fn take() -> Option<PyErr> {
    RAISED.lock().expect("no thread panics while holding it").take()
}

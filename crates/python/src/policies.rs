//! Policies in Python: each gets plain data and is called twice, to find one that is not a function
//! of it.
mod placement;
mod rereplication;
mod rule;

pub use placement::give_placement;
pub use rereplication::{Block, Node, Source, View, give_rereplication};
pub use rule::{Report, Task, give_rule};

use crate::raised;
use pyo3::exceptions::{PyException, PyKeyboardInterrupt};
use pyo3::prelude::*;
use std::ffi::c_ulong;
use std::sync::{Mutex, MutexGuard};
use system::interrupt;

/// Python's numbers of the threads in which a policy decides now.
static DECIDING: Mutex<Vec<c_ulong>> = Mutex::new(Vec::new());

fn deciding() -> MutexGuard<'static, Vec<c_ulong>> {
    DECIDING.lock().expect("no thread panics while holding it")
}

struct Deciding(c_ulong);

impl Deciding {
    fn begin(py: Python<'_>) -> PyResult<Deciding> {
        let thread: c_ulong = py.import("threading")?.call_method0("get_ident")?.extract()?;
        deciding().push(thread);
        Ok(Deciding(thread))
    }
}

impl Drop for Deciding {
    fn drop(&mut self) {
        let mut all = deciding();
        if let Some(place) = all.iter().position(|thread| *thread == self.0) {
            all.swap_remove(place);
        }
    }
}

/// Raises KeyboardInterrupt in policies, which may never return.
pub fn interrupt(py: Python<'_>) {
    let error = py.get_type::<PyKeyboardInterrupt>();
    for thread in deciding().iter() {
        // SAFETY: this thread holds the GIL, and `error` is a class of exceptions.
        unsafe { pyo3::ffi::PyThreadState_SetAsyncExc(*thread as _, error.as_ptr()) };
    }
}

/// A function with its name in scenarios.
struct Policy {
    name: &'static str,
    doc: &'static str,
    function: Py<PyAny>,
}

impl Policy {
    fn new(name: &str, doc: &str, function: Py<PyAny>) -> Policy {
        // A policy lives as long as the process, as those in Rust.
        let [name, doc] = [name, doc].map(|text| &*Box::leak(text.to_string().into_boxed_str()));
        Policy { name, doc, function }
    }

    /// The function's result, or `other` after an error, which ends all runs.
    fn decide<R: PartialEq + std::fmt::Debug>(
        &self,
        other: R,
        mut call: impl FnMut(Python<'_>, &Py<PyAny>) -> PyResult<R>,
    ) -> R {
        if interrupt::is_requested() {
            return other;
        }
        let decided = Python::attach(|py| {
            let _deciding = Deciding::begin(py)?;
            let first = call(py, &self.function)?;
            let second = call(py, &self.function)?;
            match first == second {
                true => Ok(first),
                false => Err(self.wrong(py, format!(
                    "two calls with the same arguments returned {first:?} and {second:?}: expected \
                     a function of its arguments"
                ))),
            }
        });
        decided.unwrap_or_else(|error| {
            raised::keep(error);
            other
        })
    }

    /// `tenbin.PolicyError` with the policy's name.
    fn wrong(&self, py: Python<'_>, what: String) -> PyErr {
        let text = format!("{}: {what}", self.name);
        let class = py.import("tenbin.errors").and_then(|module| module.getattr("PolicyError"));
        match class.and_then(|class| class.call1((&text,))) {
            Ok(error) => PyErr::from_value(error),
            Err(_) => PyException::new_err(text),
        }
    }
}

//! Runs on other machines: a function in Python performs them.
use crate::raised;
use pyo3::prelude::*;
use std::sync::Arc;
use system::session::Elsewhere;
use system::{Failure, interrupt};

/// A function of tasks that returns their results, or None for those that were interrupted.
struct InPython(Py<PyAny>);

impl Elsewhere for InPython {
    fn perform(&self, tasks: Vec<String>) -> Result<Vec<Option<String>>, Failure> {
        let count = tasks.len();
        let done = Python::attach(|py| {
            let results: Vec<Option<String>> = self.0.call1(py, (tasks,))?.extract(py)?;
            Ok(results)
        });
        match done {
            Ok(results) if results.len() == count => Ok(results),
            Ok(results) => {
                let found = results.len();
                Err(Failure::Failed(format!("{found} results for {count} tasks")))
            }
            Err(error) => {
                raised::keep(error);
                Err(interrupt::nothing_written())
            }
        }
    }
}

pub fn of(function: Option<Py<PyAny>>) -> Option<Arc<dyn Elsewhere>> {
    function.map(|function| Arc::new(InPython(function)) as Arc<dyn Elsewhere>)
}

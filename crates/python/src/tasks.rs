//! Runs that another machine sent.
use crate::call::{Ended, call};
use pyo3::prelude::*;
use system::session::Session;
use system::tasks::perform;
use system::{console, interrupt};
use tenbin::systems::SYSTEMS;

/// Performs tasks; prints a JSON list of their results.
#[pyfunction]
#[pyo3(signature = (tasks, threads=None))]
pub fn perform_tasks(
    py: Python<'_>,
    tasks: Vec<String>,
    threads: Option<usize>,
) -> PyResult<Ended<'_>> {
    let line = vec!["tenbin".into(), "tasks".into()];
    call(py, Session::new(line, threads), None, move || console::json(&perform(&SYSTEMS, &tasks)?))
}

/// Whether Ctrl-C or an error has ended the command that sent tasks.
#[pyfunction]
pub fn is_interrupted() -> bool {
    interrupt::is_requested()
}

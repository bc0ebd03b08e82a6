//! The module `tenbin._native`: commands inside this process, runs without pages, tables for Arrow.
//!
//! ```text
//!  python/tenbin/*.py ─► execute(line) ─► tenbin::perform ─► JSON, notes
//!                     ├► give_… ─► a policy in Python, by name
//!                     ├► Bench.measure ─► lab ─► objective and metrics by row and seed
//!                     └► Table ─► Arrow
//! ```
mod bench;
mod call;
mod elsewhere;
mod policies;
mod raised;
mod table;
mod tasks;

use pyo3::prelude::*;
use std::ffi::OsString;
use system::program;

/// Runs a command line as the command of this process; returns the exit code. The first word starts
/// the program again.
#[pyfunction]
fn main(py: Python<'_>, line: Vec<OsString>) -> u8 {
    program::set_line(line);
    py.detach(|| tenbin::exit_status(None))
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    module.add_function(wrap_pyfunction!(call::execute, module)?)?;
    module.add_function(wrap_pyfunction!(tasks::perform_tasks, module)?)?;
    module.add_function(wrap_pyfunction!(tasks::is_interrupted, module)?)?;
    module.add_function(wrap_pyfunction!(policies::give_rereplication, module)?)?;
    module.add_function(wrap_pyfunction!(policies::give_rule, module)?)?;
    module.add_function(wrap_pyfunction!(policies::give_placement, module)?)?;
    module.add_class::<policies::Block>()?;
    module.add_class::<policies::Source>()?;
    module.add_class::<policies::Node>()?;
    module.add_class::<policies::View>()?;
    module.add_class::<policies::Report>()?;
    module.add_class::<policies::Task>()?;
    module.add_class::<bench::Bench>()?;
    module.add_class::<table::Table>()
}

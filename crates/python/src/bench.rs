//! Runs of a scenario for their objective and metrics, without trace and page.
use crate::call::{Ended, call};
use crate::elsewhere;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use system::lab::{Row, RowRuns, ScenarioText, SeedRun};
use system::session::Session;
use system::{Failure, console, interrupt};
use tenbin::systems;

type Sets = Vec<(String, String)>;

#[pyclass(frozen, module = "tenbin._native")]
pub struct Bench(Arc<ScenarioText>);

#[pymethods]
impl Bench {
    /// Fails like [`execute`](crate::call::execute), with the message only.
    #[new]
    fn new(scenario: PathBuf) -> PyResult<Bench> {
        let read = systems::scenario(&scenario, &[]);
        let raised = |e: Failure| PyValueError::new_err(e.text().to_string());
        read.map(|text| Bench(Arc::new(text))).map_err(raised)
    }

    /// Runs each row, which is the scenario with these keys, with each seed, on all cores or on so
    /// many threads. Prints one JSON object.
    #[pyo3(signature = (rows, seeds, threads=None, progress=None, elsewhere=None))]
    fn measure<'py>(
        &self,
        py: Python<'py>,
        rows: Vec<Sets>,
        seeds: Vec<u64>,
        threads: Option<usize>,
        progress: Option<Bound<'py, PyAny>>,
        elsewhere: Option<Py<PyAny>>,
    ) -> PyResult<Ended<'py>> {
        let elsewhere = elsewhere::of(elsewhere);
        let scenario = self.0.clone();
        let line = vec!["tenbin".into(), "measure".into(), scenario.file.display().to_string()];
        let session = Session::new(line, threads).with(elsewhere).brief();
        call(py, session, progress, move || measure(&scenario, rows, &seeds))
    }
}

fn measure(scenario: &ScenarioText, rows: Vec<Sets>, seeds: &[u64]) -> Result<(), Failure> {
    let row = |(place, set): (usize, Sets)| {
        Ok(Row { name: place.to_string(), sheet: scenario.sheet(&set)?, set })
    };
    let rows = rows.into_iter().enumerate().map(row).collect::<Result<Vec<Row>, Failure>>()?;
    let done = scenario.lab.run(&rows, seeds, false, "measure")?;
    interrupt::check()?;
    let first = done.rows.iter().flat_map(|row| &row.runs).next();
    console::json(&json!({
        "objective": first.map(|run| &run.reading.objective),
        "rows": done.rows.iter().map(of_row).collect::<Vec<Value>>(),
    }))
}

fn of_row(row: &RowRuns) -> Value {
    row.runs.iter().map(of_run).collect()
}

fn of_run(SeedRun { seed, reading, .. }: &SeedRun) -> Value {
    json!({ "seed": seed, "value": reading.value, "metrics": reading.metrics })
}

//! MapReduce's rules that withhold tasks: `policy.scheduling = "fair+NAME"`.
use super::Policy;
use mapreduce::policy::{self, Candidate, Rule, Thresholds};
use pyo3::prelude::*;

/// A node's figures, as its last heartbeats reported them.
#[pyclass(frozen, get_all, module = "tenbin._native")]
pub struct Report {
    /// Mean since the last heartbeat \[bytes/s\].
    receive_rate: f64,
    /// Map output that the node's reduces are fetching \[bytes\].
    fetching: u64,
    /// Output of finished maps that the node's reduces have not fetched yet \[bytes\].
    outstanding: u64,
    /// Busy fraction of each disk.
    disks: Vec<f64>,
    /// Maps that the node got since `disks` was measured.
    given: u32,
}

/// A task that a node could get.
#[pyclass(frozen, get_all, module = "tenbin._native")]
pub struct Task {
    /// A map; else a reduce.
    is_map: bool,
    /// A map whose block is on the node.
    is_local: bool,
    /// The node's disk with the block.
    disk: Option<u32>,
    /// Wait of the job for a data-local slot \[s\].
    waited: f64,
    /// Random, from 0 to 1.
    dice: f64,
}

struct InPython(Policy);

/// Adds a rule under a name.
#[pyfunction]
pub fn give_rule(name: &str, doc: &str, function: Py<PyAny>) {
    policy::give(Box::leak(Box::new(InPython(Policy::new(name, doc, function)))))
}

impl Rule for InPython {
    fn name(&self) -> &'static str {
        self.0.name
    }

    fn doc(&self) -> &'static str {
        self.0.doc
    }

    fn key(&self) -> &'static str {
        "policy.scheduling"
    }

    fn withholds(&self, report: &policy::Report, task: &Candidate, _: &Thresholds) -> bool {
        self.0.decide(false, |py, function| {
            let seen = Report {
                receive_rate: report.receive_rate,
                fetching: report.fetching,
                outstanding: report.outstanding,
                disks: report.disks.clone(),
                given: report.given,
            };
            let task = Task {
                is_map: task.map,
                is_local: task.local,
                disk: task.disk,
                waited: task.waited,
                dice: task.dice,
            };
            let answer = function.call1(py, (seen, task))?;
            answer.extract(py).map_err(|_| {
                let answer = answer.bind(py);
                self.0.wrong(py, format!("returned {answer}: expected True or False"))
            })
        })
    }
}

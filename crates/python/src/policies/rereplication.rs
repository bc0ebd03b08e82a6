//! HDFS's re-replication: `policy.rereplication`.
use super::Policy;
use cluster::NodeId;
use hdfs_policy::rereplication::{self, Copy, LostBlock, Memory, Refused, Rereplication};
use hdfs_policy::{Dice, Fitness, NodeView};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyTuple};
use std::sync::Mutex;

/// A block that needs one copy.
#[pyclass(frozen, get_all, module = "tenbin._native")]
pub struct Block {
    number: u32,
    bytes: u64,
    /// Replicas that it should have.
    expected: u16,
    live: Vec<u32>,
    sources: Vec<Py<Source>>,
    taken: Vec<u32>,
    only_rack: bool,
}

/// A readable holder of a block.
#[pyclass(frozen, get_all, module = "tenbin._native")]
pub struct Source {
    node: u32,
    ready: bool,
    disk_streams: u32,
}

/// A DataNode, as the NameNode knows it now.
#[pyclass(frozen, get_all, module = "tenbin._native")]
pub struct Node {
    rack: u32,
    alive: bool,
    stale: bool,
    in_service: bool,
    free: u64,
    xceivers: u32,
    queued: u32,
    sending: u32,
    receiving: u32,
}

/// The cluster, as the NameNode knows it now.
#[pyclass(frozen, module = "tenbin._native")]
pub struct View {
    nodes: Vec<NodeView>,
    racks: Vec<Vec<u32>>,
    /// By node, for the block's size.
    fit: Vec<bool>,
}

#[pymethods]
impl View {
    /// By rack: its nodes, dead ones included.
    #[getter]
    fn racks(&self) -> Vec<Vec<u32>> {
        self.racks.clone()
    }

    fn node(&self, number: usize) -> PyResult<Node> {
        let found = self.nodes.get(number).copied();
        let node = found.ok_or_else(|| {
            let nodes = self.nodes.len();
            PyIndexError::new_err(format!("node {number} of {nodes}"))
        })?;
        Ok(Node {
            rack: node.rack.0,
            alive: node.alive,
            stale: node.stale,
            in_service: node.in_service(),
            free: node.free.0,
            xceivers: node.xceivers,
            queued: node.queued,
            sending: node.sending,
            receiving: node.receiving,
        })
    }

    /// Nodes that may receive the block now.
    #[getter]
    fn fit(&self) -> Vec<usize> {
        self.fit.iter().enumerate().filter_map(|(node, fit)| fit.then_some(node)).collect()
    }

    fn __len__(&self) -> usize {
        self.nodes.len()
    }
}

struct InPython(Policy);

/// Adds a policy under a name.
#[pyfunction]
pub fn give_rereplication(name: &str, doc: &str, function: Py<PyAny>) {
    rereplication::give(Box::leak(Box::new(InPython(Policy::new(name, doc, function)))))
}

/// Draws that a decision can use.
const DRAWS: usize = 16;

/// A function of n: a whole number below n, uniformly. Each call takes the next of `numbers`, which
/// have 53 random bits.
fn drawn<'py>(py: Python<'py>, numbers: Vec<u64>) -> PyResult<Bound<'py, PyCFunction>> {
    let left = Mutex::new(numbers.into_iter());
    let draw = move |arguments: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| {
        let (below,): (u64,) = arguments.extract()?;
        let number = left.lock().expect("one thread at a time").next();
        let number = number.filter(|_| below > 0).ok_or_else(|| {
            PyValueError::new_err(format!("draw({below}): expected 1 or more, {DRAWS} times"))
        })?;
        Ok::<u64, PyErr>(u64::try_from((u128::from(number) * u128::from(below)) >> 53)?)
    };
    PyCFunction::new_closure(py, None, None, draw)
}

impl Rereplication for InPython {
    fn name(&self) -> &'static str {
        self.0.name
    }

    fn doc(&self) -> &'static str {
        self.0.doc
    }

    fn repair(
        &self,
        lost: &LostBlock<'_>,
        view: hdfs_policy::View<'_>,
        _memory: &mut Memory,
        dice: &mut dyn Dice,
    ) -> Result<Copy, Refused> {
        // Both calls get the same.
        let numbers: Vec<u64> = (0..DRAWS).map(|_| dice.below(1 << 53)).collect();
        let fit = |node: NodeId| {
            // Another copy in a rack that has one would not help.
            let is_in_new_rack = || lost.live.iter().all(|one| view.rack(*one) != view.rack(node));
            !lost.taken.contains(&node)
                && (!lost.only_rack || is_in_new_rack())
                && view.fitness(node, lost.bytes) == Fitness::Fit
        };
        let chosen = self.0.decide(None, |py, function| {
            let (block, seen) = (block(py, lost)?, View::of(view, &fit));
            let answer = function.call1(py, (block, seen, drawn(py, numbers.clone())?))?;
            let chosen: Option<Vec<u32>> = answer.extract(py).unwrap_or(Some(Vec::new()));
            let chosen = chosen.map(|both| match both[..] {
                [source, target] => Ok((source, target)),
                _ => {
                    let answer = answer.bind(py);
                    let what = format!("returned {answer}: expected (source, target) or None");
                    Err(self.0.wrong(py, what))
                }
            });
            let can = |node| lost.sources.iter().any(|one| one.node.0 == node && one.ready);
            match chosen.transpose()? {
                Some((source, target)) if !can(source) || !fit(NodeId(target)) => {
                    Err(self.0.wrong(py, format!(
                        "returned source {source} and target {target}: expected a ready node of \
                         block.sources and a node of view.fit"
                    )))
                }
                chosen => Ok(chosen),
            }
        });
        let copy = |(source, target)| Copy { source: NodeId(source), target: NodeId(target) };
        chosen.map(copy).ok_or(Refused::NoTarget)
    }
}

fn ids(nodes: &[NodeId]) -> Vec<u32> {
    nodes.iter().map(|node| node.0).collect()
}

fn block(py: Python<'_>, lost: &LostBlock<'_>) -> PyResult<Block> {
    let source = |one: &rereplication::Source| {
        let (node, disk_streams) = (one.node.0, one.disk_streams);
        Py::new(py, Source { node, ready: one.ready, disk_streams })
    };
    Ok(Block {
        number: lost.block.0,
        bytes: lost.bytes.0,
        expected: lost.expected,
        live: ids(lost.live),
        sources: lost.sources.iter().map(source).collect::<PyResult<_>>()?,
        taken: ids(lost.taken),
        only_rack: lost.only_rack,
    })
}

impl View {
    fn of(view: hdfs_policy::View<'_>, fit: &dyn Fn(NodeId) -> bool) -> View {
        View {
            nodes: view.nodes.to_vec(),
            racks: view.racks.iter().map(|rack| ids(rack)).collect(),
            fit: (0..units::u32_of(view.nodes.len())).map(|node| fit(NodeId(node))).collect(),
        }
    }
}

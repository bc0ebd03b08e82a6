use super::dump::{Dump, Host, kind};
use super::fields::{rows, text};
use crate::names::many;
use import::{ImportError, Input, InputSpec, OnProgress, issue};
use serde_json::Value;

const WANTED: InputSpec = InputSpec::new(
    "the output of `ozone admin pipeline list --json`",
    "ozone admin pipeline list --json",
);

/// Counts of pipelines other than open three-node Ratis pipelines.
#[derive(Default)]
struct OtherPipelines {
    closed: u64,
    coded: u64,
    others: u64,
}

/// Reads open pipelines.
///
/// # Errors
/// The JSON is invalid or cut, or a pipeline has no state or no nodes.
pub fn read(input: &Input, tell: &mut OnProgress<'_>) -> Result<Dump, ImportError> {
    let (mut dump, mut others) = (Dump::default(), OtherPipelines::default());
    for (number, row) in (1..).zip(rows(input, &WANTED, tell)?) {
        pipeline(&row, number, &mut dump, &mut others).map_err(|problem| {
            let found = issue(format!("pipeline {number}: {problem}"), WANTED.content);
            found.advice(WANTED.advice()).at(&input.name(), None)
        })?
    }
    for (count, what) in [
        (others.closed, "not open: left out"),
        (others.others, "not of three nodes by Ratis: left out"),
        (others.coded, "erasure coded: their writes are not modelled"),
    ] {
        if count > 0 {
            let is = if count == 1 { "is" } else { "are" };
            dump.notes.push(format!("{} {is} {what}", many(count, "pipeline")))
        }
    }
    Ok(dump)
}

fn pipeline(
    row: &Value,
    number: usize,
    dump: &mut Dump,
    others: &mut OtherPipelines,
) -> Result<(), &'static str> {
    let state = text(row, &["state", "pipelineState"]).ok_or("no state")?;
    let nodes = ["nodes", "members", "nodeSet"].iter().find_map(|f| row.get(f)?.as_array());
    let nodes = nodes.ok_or("no nodes")?;
    let is_open = state == "OPEN";
    match kind(row).as_deref() {
        Some("EC") if is_open => {
            for place in places(nodes, dump)? {
                dump.hosts[place].coded += 1
            }
            others.coded += 1;
            return Ok(());
        }
        None | Some("RATIS") if nodes.len() == 3 => (),
        _ if is_open => {
            others.others += 1;
            return Ok(());
        }
        _ => {
            others.closed += 1;
            return Ok(());
        }
    }
    let of = places(nodes, dump)?;
    let &[a, b, c] = of.as_slice() else { return Err("nodes that are not three") };
    if a == b || b == c || a == c {
        return Err("a node is in the pipeline twice");
    }
    if !is_open {
        others.closed += 1;
        return Ok(());
    }
    let leader = text(row, &["leader", "leaderId", "leaderNode", "leaderDatanode"]);
    let leader = leader.as_deref().and_then(|id| dump.place(id)).filter(|p| of.contains(p));
    if leader.is_none() {
        dump.notes
            .push(format!("pipeline {number}: its leader is unknown; its first node is assumed"))
    }
    dump.pipelines.push(([a, b, c], leader.unwrap_or(a)));
    Ok(())
}

/// Indexes of a pipeline's nodes.
fn places(nodes: &[Value], dump: &mut Dump) -> Result<Vec<usize>, &'static str> {
    nodes.iter().map(|node| Ok(dump.add(Host::of(node).ok_or("a node without id")?))).collect()
}

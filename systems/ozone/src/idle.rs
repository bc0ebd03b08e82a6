//! Nodes without pipelines, and how to use them.
use crate::model::Layout;
use crate::names::{hosts, list_names, many};
use cluster::Sheet;
use page::{Sentence, say};
use system::Case;

/// Closes all three-node pipelines; SCM reopens them on all nodes. Since Ozone 2.0 (HDDS-10742,
/// `FilterPipelineOptions`).
pub const REOPEN: &str = "ozone admin pipeline close --all --type RATIS --replication THREE";

/// SCM opens pipelines on three or more idle nodes by itself.
const WAIT: &str = "wait for ozone.scm.pipeline.creation.interval (2 min): SCM opens pipelines on \
                    three nodes that have none; if not, its log has the reason (space, racks)";

/// Names of nodes without Ratis and EC pipelines.
pub fn names(sheet: &Sheet, layout: &Layout) -> Vec<String> {
    let coded = erasure_coded(sheet);
    let is_idle = |node: usize| {
        layout.of_node[node].is_empty() && coded.get(node).is_none_or(|&open| open == 0)
    };
    let hosts = hosts(sheet).into_iter().enumerate();
    hosts.filter(|(node, _)| is_idle(*node)).map(|(_, name)| name).collect()
}

/// Number of open EC pipelines by node; empty if unknown.
fn erasure_coded(sheet: &Sheet) -> Vec<u32> {
    let told = sheet.find("cluster.erasure_coded").map(|_| sheet.text("cluster.erasure_coded"));
    told.unwrap_or("").split_whitespace().map(|word| word.parse().unwrap_or(0)).collect()
}

pub fn remedy(idle: usize) -> &'static str {
    if idle >= 3 { WAIT } else { REOPEN }
}

/// Nodes without pipelines that were idle in a run, with reason and fix.
pub fn sentence(case: &Case<'_>, layout: &Layout) -> Sentence {
    let without = names(case.sheet, layout);
    let found = system::idle::idle(case.trace, |node| node.role == "datanode");
    let Some(found) = found.filter(|found| found.names.iter().any(|name| without.contains(name)))
    else {
        return Sentence::default();
    };
    let all = found.of;
    let idle: Vec<String> = found.names.into_iter().filter(|name| without.contains(name)).collect();
    let is = if idle.len() == 1 { "is" } else { "are" };
    say(format!("{} of {} {is} idle for the whole run (", idle.len(), many(all as u64, "node")))
        .say(format!(
            "{}) without a pipeline on {}. ",
            list_names(&idle),
            if idle.len() == 1 { "it" } else { "them" }
        ))
        .then(why(case.sheet, all))
}

/// Why some of the nodes have no pipeline, and how to change that.
fn why(sheet: &Sheet, nodes: usize) -> Sentence {
    let cap = sheet.count("ozone-site.ozone.scm.ratis.pipeline.limit");
    let policy = sheet.text("policy.pipeline");
    match policy {
        _ if cap > 0 && 3 * cap < nodes as u64 => say("SCM may open at most ")
            .say(format!("{} in total: raise ", many(cap, "pipeline")))
            .key("ozone.scm.ratis.pipeline.limit")
            .say("."),
        "scm" => {
            say("SCM opened its pipelines as soon as three nodes had registered. Close them, ")
                .say(format!("and SCM opens them on any of the {nodes}: "))
                .key(REOPEN)
                .say(".")
        }
        "as-imported" => {
            say("SCM chooses among all nodes once the pipelines are closed: ").key(REOPEN).say(".")
        }
        _ => say(format!("The policy {policy} opens no pipeline there: "))
            .key("policy.pipeline")
            .say("."),
    }
}

//! Checks of a cluster's pipelines.
use crate::idle::{self, REOPEN};
use crate::model::Layout;
use crate::names::hosts;
use crate::names::many;
use cluster::{Origin, Sheet};
use std::collections::{BTreeMap, BTreeSet};

pub struct Finding {
    pub what: &'static str,
    pub text: String,
    /// Command or setting that fixes it.
    pub mend: &'static str,
    /// Risk other than performance; empty: none.
    pub danger: &'static str,
    /// Settings of the fixed cluster.
    pub set: Vec<(String, String)>,
}

const LIMIT: &str = "ozone-site.ozone.scm.datanode.pipeline.limit";

fn set<const N: usize>(more: [(&str, String); N]) -> Vec<(String, String)> {
    let reopened = ("policy.pipeline", "scm-reopened".to_string());
    std::iter::once(reopened).chain(more).map(|(key, value)| (key.into(), value)).collect()
}

pub fn all(sheet: &Sheet, layout: &Layout) -> Vec<Finding> {
    let found = [duplicates(layout), idle_nodes(sheet, layout), leaders(sheet, layout)];
    let more = [racks(sheet, layout), disks(sheet, layout)];
    found.into_iter().chain(more).flatten().collect()
}

/// Number of sets of three nodes.
fn possible(nodes: usize) -> usize {
    nodes.saturating_mul(nodes.saturating_sub(1)).saturating_mul(nodes.saturating_sub(2)) / 6
}

fn duplicates(layout: &Layout) -> Option<Finding> {
    let sets: BTreeSet<[u32; 3]> = layout.trios.iter().copied().collect();
    let (open, nodes) = (layout.trios.len(), layout.of_node.len());
    let members: BTreeSet<u32> = sets.iter().flatten().copied().collect();
    let apart = members.len() == 3 * sets.len() && sets.len() == nodes / 3;
    let why = match apart {
        true => "SCM opened them as soon as three nodes had registered",
        false => "SCM does not check whether three nodes have a pipeline already",
    };
    let text = format!("{open} pipelines on {} of nodes: {why}", many(sets.len() as u64, "set"));
    // Three nodes have only one set.
    (sets.len() < open.min(possible(nodes))).then(|| Finding {
        what: "identical node sets",
        text,
        mend: REOPEN,
        danger: "",
        set: set([]),
    })
}

fn idle_nodes(sheet: &Sheet, layout: &Layout) -> Option<Finding> {
    let idle = idle::names(sheet, layout);
    let nodes = layout.of_node.len();
    let text = format!("{} of {nodes} nodes are in no pipeline: {}", idle.len(), idle.join(" "));
    let mend = idle::remedy(idle.len());
    let found = || Finding { what: "idle nodes", text, mend, danger: "", set: set([]) };
    (!idle.is_empty()).then(found)
}

fn leaders(sheet: &Sheet, layout: &Layout) -> Option<Finding> {
    let leads = layout.leads();
    let most = *leads.iter().max()?;
    let must = u32::try_from(layout.trios.len().div_ceil(leads.len())).unwrap_or(u32::MAX);
    let host = hosts(sheet).swap_remove(leads.iter().position(|&n| n == most)?);
    (most > must).then(|| Finding {
        what: "leader skew",
        text: format!("{host} leads {}, {must} would suffice", many(most.into(), "pipeline")),
        mend: "ozone.scm.pipeline.leader-choose.policy = org.apache.hadoop.hdds.scm.pipeline.\
               leader.choose.algorithms.MinLeaderCountChoosePolicy (its default), then \
               `ozone admin pipeline close --all --type RATIS --replication THREE`",
        danger: "",
        set: set([("policy.leader", "fewest".into())]),
    })
}

fn racks(sheet: &Sheet, layout: &Layout) -> Option<Finding> {
    let racks = crate::model::racks(sheet);
    let several = racks.windows(2).any(|two| two[0] != two[1]);
    let on_one = |trio: &&[u32; 3]| {
        let [a, b, c] = trio.map(|node| racks[node as usize]);
        a == b && b == c
    };
    let one = layout.trios.iter().filter(on_one).count();
    (several && one > 0).then(|| Finding {
        what: "racks",
        text: format!(
            "{} of {} are on one rack each",
            one,
            many(layout.trios.len() as u64, "pipeline")
        ),
        mend: "close these pipelines, in a quiet hour: `ozone admin pipeline close ID`; SCM knows \
               the racks and opens others over two, if both have nodes below the limit",
        danger: "a loss of the rack loses all three copies of a container",
        set: set([]),
    })
}

/// Only for a known number of disks: an assumed one proves nothing.
fn disks(sheet: &Sheet, layout: &Layout) -> Option<Finding> {
    let key = "hardware.disks_per_node";
    let is_told =
        |key: &str| sheet.settings.iter().any(|s| s.key == key && s.origin != Origin::Assumed);
    if !is_told(key) {
        return None;
    }
    let disks = sheet.count(key);
    let each = sheet.count("ozone-site.ozone.scm.pipeline.owner.container.count");
    let most = layout.of_node.iter().map(Vec::len).max()? as u64;
    let used = most * each + sheet.count("hardware.log_disks").min(most);
    let limit = disks.div_ceil(each + 1).max(most);
    let assumed = if is_told("hardware.log_disks") { "" } else { " (log disks are assumed)" };
    (used < disks).then(|| Finding {
        what: "idle disks",
        text: format!(
            "{} a node keep at most {used} of {disks} disks busy{assumed}",
            many(most, "pipeline")
        ),
        mend: "ozone.scm.datanode.pipeline.limit (for the value: `tenbin plan pipelines`), and \
               hdds.container.ratis.datanode.storage.dir on as many disks",
        danger: "",
        set: set([
            (LIMIT, limit.to_string()),
            ("hardware.log_disks", limit.min(disks).to_string()),
        ]),
    })
}

pub fn written(finding: &Finding) -> BTreeMap<&str, &str> {
    finding.set.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect()
}

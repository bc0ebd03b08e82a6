//! Steps for the operator: lines, files, commands, and how to undo them.
use super::answer::Answer;
use super::fragment::{self, Place, Site};
use super::jar;
use super::knob::Knob;
use hdfs_reading::advice::{ApplyMode, apply_key};
use hdfs_reading::releases;
use std::collections::BTreeSet;
use system::plan::runbook::Runbook;

/// How Hadoop reads two properties of one name.
const HEAD: &str = " Of two, Hadoop uses the last, and none after a
     <final>true</final> in any of its files. To check the values in use:
       in the files     hdfs getconf -confKey NAME
       in the NameNode  http://NAMENODE:9870/conf";

/// Empty if nothing is recommended.
pub fn runbook(answer: &Answer, place: Place<'_>, site: &Site) -> Runbook {
    let edits = fragment::edits(answer, place, site);
    if edits.is_empty() {
        return Runbook::default();
    }
    let now = &answer.now.point;
    let changes: Vec<(Knob, u64)> =
        answer.settings.point.changes(now).map(|(knob, _, new)| (knob, new)).collect();
    let jar = answer.settings.point.needs_jar(now).is_some();
    let restart = jar.then_some(ApplyMode::NameNode);
    let ways = changes.iter().map(|(knob, _)| apply_key(knob.key(), place.hadoop));
    let ways: BTreeSet<ApplyMode> = ways.chain(restart).collect();
    let pending = releases::name_in(Knob::Pending.key(), place.hadoop);
    let twice = edits.iter().any(|edit| edit.key == pending);
    let caution = format!("Caution: a copy that takes longer than {pending} is made twice.");
    Runbook {
        site: "hdfs-site",
        command: "plan rebuild",
        head: HEAD,
        doubts: site.doubts.clone(),
        edits,
        first: twice.then_some(caution).into_iter().chain(jar.then(|| jar::FIRST.into())).collect(),
        whose: whose(&ways).into(),
        steps: steps(&changes, &ways, place)
            .into_iter()
            .chain(jar.then(|| jar::LOOK.into()))
            .collect(),
    }
}

fn steps(knobs: &[(Knob, u64)], ways: &BTreeSet<ApplyMode>, place: Place<'_>) -> Vec<String> {
    let namenode = place.namenode.unwrap_or("HOST:PORT");
    let mut steps = Vec::new();
    for way in ways {
        let of = |(knob, new): &(Knob, u64)| {
            (apply_key(knob.key(), place.hadoop) == *way).then_some((*knob, *new))
        };
        let mine: Vec<(Knob, u64)> = knobs.iter().filter_map(of).collect();
        steps.push(match way {
            ApplyMode::Live => format!(
                "On each NameNode{}: hdfs dfsadmin -reconfig namenode {namenode} start",
                since(&mine, place)
            ),
            ApplyMode::LiveDataNodes => format!(
                "On each DataNode{}: hdfs dfsadmin -reconfig datanode HOST:PORT start",
                since(&mine, place)
            ),
            ApplyMode::LiveBalancer => {
                let value = mine.first().map_or(0, |(_, value)| *value);
                format!("hdfs dfsadmin -setBalancerBandwidth {value}")
            }
            ApplyMode::NameNode => {
                format!("Restart the NameNodes, the standby first{}.", old(&mine, place))
            }
            ApplyMode::DataNodes => {
                format!("Restart the DataNodes, rack by rack{}.", old(&mine, place))
            }
        })
    }
    if ways.contains(&ApplyMode::Live) {
        steps.push(format!(
            "Check: hdfs dfsadmin -reconfig namenode {namenode} status, and {}",
            "http://NAMENODE:9870/conf shows the values in use."
        ))
    } else {
        steps.push("Check: http://NAMENODE:9870/conf shows the values in use.".into())
    }
    steps
}

fn whose(ways: &BTreeSet<ApplyMode>) -> &'static str {
    let datanodes =
        ways.contains(&ApplyMode::LiveDataNodes) || ways.contains(&ApplyMode::DataNodes);
    let namenodes = ways.contains(&ApplyMode::Live) || ways.contains(&ApplyMode::NameNode);
    match (namenodes, datanodes) {
        (true, true) => "of NameNodes and DataNodes",
        (false, true) => "of the DataNodes",
        _ => "of each NameNode",
    }
}

/// For an unknown version: the first that needs no restart.
fn since(knobs: &[(Knob, u64)], place: Place<'_>) -> String {
    let words = knobs.iter().filter_map(|(knob, _)| releases::since_words(knob.key())).next();
    match (place.hadoop, words) {
        (None, Some(since)) => format!(" (from Hadoop {since} on; before, restart it)"),
        (Some(version), _) => format!(" (Hadoop {version}: no restart)"),
        _ => String::new(),
    }
}

/// Why the cluster's version needs a restart.
fn old(knobs: &[(Knob, u64)], place: Place<'_>) -> String {
    let words = knobs.iter().filter_map(|(knob, _)| releases::since_words(knob.key())).next();
    match (place.hadoop, words) {
        (Some(version), Some(since)) => {
            format!(" (Hadoop {version}; {since} change this live)")
        }
        _ => String::new(),
    }
}

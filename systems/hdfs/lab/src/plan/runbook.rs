//! What an operator does with the answer: which lines go where, which commands make them hold, and
//! how all of it is taken back.
use super::answer::Answer;
use super::fragment::{self, Place};
use super::knob::Knob;
use hdfs_reading::advice::{Apply, apply_key};
use hdfs_reading::releases;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// The fragment's file in the folder of a plan.
pub const FRAGMENT: &str = "hdfs-site.fragment.xml";

/// The file that takes it back.
pub const UNDO: &str = "hdfs-site.undo.xml";

/// The settings, and the steps that make them hold.
pub fn text(text: &mut String, answer: &Answer, place: Place<'_>, folder: &Path) {
    let now = &answer.now.point;
    let lines = fragment::lines(&answer.settings.point, now, place);
    if lines.is_empty() {
        return;
    }
    text.push_str("Do:\n");
    let width = lines.iter().map(|l| l.key.len()).max().unwrap_or(0);
    for line in &lines {
        let _ = writeln!(text, "  {:width$}  {:>8}", line.key, line.change);
    }
    let pending = releases::name_in(Knob::Pending.key(), place.hadoop);
    if lines.iter().any(|line| line.key == pending) {
        let _ = writeln!(text, "  Caution: a copy that takes longer than {pending} is made twice.");
    }
    for (number, step) in (1..).zip(steps(answer, place, folder)) {
        let _ = writeln!(text, "  {number}. {step}");
    }
    let undo = folder.join(UNDO);
    let _ = writeln!(text, "  Undo: the values of {}, by the same steps.", undo.display());
}

/// Edit, make it hold, look.
fn steps(answer: &Answer, place: Place<'_>, folder: &Path) -> Vec<String> {
    let now = &answer.now.point;
    let knobs: Vec<(Knob, u64)> =
        answer.settings.point.changes(now).map(|(knob, _, new)| (knob, new)).collect();
    let ways: BTreeSet<Apply> =
        knobs.iter().map(|(knob, _)| apply_key(knob.key(), place.hadoop)).collect();
    let namenode = place.namenode.unwrap_or("HOST:PORT");
    let file = folder.join(FRAGMENT);
    let mut steps = vec![format!("Edit hdfs-site.xml {}: {}.", whose(&ways), file.display())];
    for way in &ways {
        let of = |(knob, new): &(Knob, u64)| {
            (apply_key(knob.key(), place.hadoop) == *way).then_some((*knob, *new))
        };
        let mine: Vec<(Knob, u64)> = knobs.iter().filter_map(of).collect();
        steps.push(match way {
            Apply::Live => format!(
                "On each NameNode{}: hdfs dfsadmin -reconfig namenode {namenode} start",
                since(&mine, place)
            ),
            Apply::LiveDataNodes => format!(
                "On each DataNode{}: hdfs dfsadmin -reconfig datanode HOST:PORT start",
                since(&mine, place)
            ),
            Apply::LiveBalancer => {
                let value = mine.first().map_or(0, |(_, value)| *value);
                format!("hdfs dfsadmin -setBalancerBandwidth {value}")
            }
            Apply::NameNode => {
                format!("Restart the NameNodes, the standby first{}.", old(&mine, place))
            }
            Apply::DataNodes => {
                format!("Restart the DataNodes, rack by rack{}.", old(&mine, place))
            }
        })
    }
    if ways.contains(&Apply::Live) {
        steps.push(format!(
            "Look: hdfs dfsadmin -reconfig namenode {namenode} status, and {}",
            "http://NAMENODE:9870/conf shows what holds."
        ))
    } else {
        steps.push("Look: http://NAMENODE:9870/conf shows what holds.".into())
    }
    steps
}

fn whose(ways: &BTreeSet<Apply>) -> &'static str {
    let datanodes = ways.contains(&Apply::LiveDataNodes) || ways.contains(&Apply::DataNodes);
    let namenodes = ways.contains(&Apply::Live) || ways.contains(&Apply::NameNode);
    match (namenodes, datanodes) {
        (true, true) => "of NameNodes and DataNodes",
        (false, true) => "of the DataNodes",
        _ => "of each NameNode",
    }
}

/// Where the version is not known: from which one on that works without a restart.
fn since(knobs: &[(Knob, u64)], place: Place<'_>) -> String {
    let words = knobs.iter().filter_map(|(knob, _)| releases::since_words(knob.key())).next();
    match (place.hadoop, words) {
        (None, Some(since)) => format!(" (from Hadoop {since} on; before, restart it)"),
        (Some(version), _) => format!(" (Hadoop {version}: no restart)"),
        _ => String::new(),
    }
}

/// Why the version that runs there needs a restart.
fn old(knobs: &[(Knob, u64)], place: Place<'_>) -> String {
    let words = knobs.iter().filter_map(|(knob, _)| releases::since_words(knob.key())).next();
    match (place.hadoop, words) {
        (Some(version), Some(since)) => {
            format!(" (Hadoop {version}; {since} take it over live)")
        }
        _ => String::new(),
    }
}

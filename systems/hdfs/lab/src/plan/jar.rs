//! Policies of `tenbin-hdfs.jar`, which users can install in a NameNode of Hadoop 3.3 or later
//! (`systems/hdfs/hadoop`), simulated as they run there.
use super::point::Point;
use hdfs_policy::rereplication::registry::jar_setting;
use hdfs_reading::releases;
use hdfs_scenario::Pacing;
use system::plan::runbook::{Edit, Restore};

/// Policies that a search tries; with the jar both rings decide alike.
const TRIED: [&str; 2] = ["ring+jar", "min-max+jar"];

/// The oldest release that calls a placement policy in this way.
const SINCE: (u32, u32, u32) = (3, 3, 0);

/// Policies that can replace `policy`, also if the version is unknown.
pub fn policies(pacing: Pacing, policy: &str, hadoop: Option<&str>) -> &'static [&'static str] {
    let is_stock = matches!(policy, "default" | "hdfs3-default");
    let is_old = hadoop.is_some_and(|version| releases::is_older(version, SINCE));
    if pacing == Pacing::Hdfs3 && is_stock && !is_old { &TRIED } else { &[] }
}

/// Lines of the site file, if a point needs the jar.
pub fn edits(point: &Point, now: &Point) -> Vec<Edit> {
    let Some(setting) = point.needs_jar(now) else { return Vec::new() };
    let how = "restart of the NameNode, with the jar in its class path; to undo: remove it, and \
               hdfs dfsadmin -reconfig namenode HOST:PORT start";
    let edit = |key: &str, value: &str, default: &str| Edit {
        key: key.into(),
        value: value.into(),
        change: format!("{default} → {value}"),
        notes: vec![how.into()],
        is_final: false,
        back: Restore::Remove(default.into()),
    };
    let stock = "Hadoop's own (BlockPlacementPolicyDefault)";
    vec![
        edit("dfs.block.replicator.classname", "tenbin.hdfs.TenbinPlacementPolicy", stock),
        edit("tenbin.rereplication", setting, "none"),
        // As simulated.
        edit("tenbin.rereplication.sources", "drawn", "chosen"),
    ]
}

/// A remark if the jar has a variant of a policy without code.
pub fn note(policy: &str) -> String {
    match jar_setting(&format!("{policy}+jar")) {
        Some(_) => format!("; the part that tenbin-hdfs.jar can do, {policy}+jar, was tried"),
        None => String::new(),
    }
}

pub const FIRST: &str = "On each NameNode, and on hosts of the Balancer or Mover: build \
                         tenbin-hdfs.jar and copy it (systems/hdfs/hadoop/README.md).";

pub const LOOK: &str = "Check: http://NAMENODE:9870/jmx?qry=Hadoop:service=NameNode,\
                        name=TenbinRereplication shows State ON.";

//! What is to be done on the cluster, and how it is undone.
use super::search::{LIMIT, LOG_DISKS, Plan, Tried};
use crate::words::many;
use cluster::Origin;
use std::path::Path;

/// The fragment's file in the folder of a plan.
pub const FRAGMENT: &str = "ozone-site.fragment.xml";

/// The file that takes it back.
pub const UNDO: &str = "ozone-site.undo.xml";

/// Whether the cluster's files say the limit.
fn limit_was_set(plan: &Plan) -> bool {
    let setting = plan.sheet.settings.iter().find(|setting| setting.key == LIMIT);
    setting.is_some_and(|setting| setting.origin != Origin::Default)
}

fn property(name: &str, value: &str) -> String {
    format!("<property>\n  <name>{name}</name>\n  <value>{value}</value>\n</property>\n")
}

/// Paths of so many directories: places to be filled in.
fn directories(tried: &Tried) -> String {
    let paths: Vec<String> = (1..=tried.logs).map(|disk| format!("/data/{disk}/ratis")).collect();
    paths.join(",")
}

/// Whether a file changes: opening pipelines again changes none.
pub fn edits(plan: &Plan) -> bool {
    let (now, best) = (&plan.now, plan.recommended());
    (now.limit, now.logs) != (best.limit, best.logs)
}

/// What goes into `ozone-site.xml`.
pub fn fragment(plan: &Plan) -> String {
    let (now, best) = (&plan.now, plan.recommended());
    let mut text = "<!-- tenbin plan pipelines: into <configuration> of ozone-site.xml, in the \
                    place of a property of the same name -->\n"
        .to_string();
    if now.limit != best.limit {
        text += &format!("<!-- SCM: {} → {} -->\n", now.limit, best.limit);
        text += &property("ozone.scm.datanode.pipeline.limit", &best.limit.to_string())
    }
    if now.logs != best.logs {
        text += &format!(
            "<!-- each DataNode: {} → {} directories, one a disk; put your own paths, the present \
             ones first -->\n",
            now.logs, best.logs
        );
        text += &property("hdds.container.ratis.datanode.storage.dir", &directories(best))
    }
    text
}

/// What takes it back.
pub fn undo(plan: &Plan) -> String {
    let (now, best) = (&plan.now, plan.recommended());
    let mut text = format!("<!-- tenbin plan pipelines: takes {FRAGMENT} back -->\n");
    if now.limit != best.limit {
        text += &match limit_was_set(plan) {
            true => {
                let limit = plan.sheet.count(LIMIT).to_string();
                property("ozone.scm.datanode.pipeline.limit", &limit)
            }
            false => format!(
                "<!-- remove ozone.scm.datanode.pipeline.limit: it was not there, and its default \
                 is {} -->\n",
                now.limit
            ),
        }
    }
    if now.logs != best.logs {
        text += &format!(
            "<!-- hdds.container.ratis.datanode.storage.dir: the {} directories that it names \
             today; close the pipelines before, for their logs lie there -->\n",
            now.logs
        )
    }
    text
}

/// What to do, step by step.
pub fn steps(plan: &Plan, place: &Path) -> Vec<String> {
    let (now, best) = (&plan.now, plan.recommended());
    let mut steps = Vec::new();
    if now.logs != best.logs && plan.sheet.assumed().any(|s| s.key == LOG_DISKS) {
        steps.push(format!(
            "Look first: hdds.container.ratis.datanode.storage.dir of a DataNode. That it names {} \
             is assumed; where it is otherwise, write hardware.log_disks into the cluster file, \
             and plan again.",
            many(now.logs, "disk")
        ))
    }
    if edits(plan) {
        steps.push(format!("Edit: {}.", place.join(FRAGMENT).display()))
    }
    if now.logs != best.logs {
        steps.push("Restart the DataNodes one by one.".into())
    }
    if now.limit != best.limit {
        steps.push("Restart SCM, the followers first.".into())
    }
    steps.push(
        "Open the pipelines again, in a quiet hour, for writes stop for seconds: ozone admin \
         pipeline close --all --type RATIS --replication THREE (Ozone 2.0 and later; before, \
         close ID for each)."
            .into(),
    );
    steps.push(
        "Look: ozone admin pipeline list --state OPEN --json, and tenbin audit ozone.".into(),
    );
    if edits(plan) {
        steps.push(format!("Undo: {}, by the same steps.", place.join(UNDO).display()))
    }
    steps
}

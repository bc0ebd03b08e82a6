//! Steps that apply the recommendation to a cluster, and undo it.
use super::search::{LIMIT, LOG_DISKS, LimitResult, Plan};
use crate::names::many;
use cluster::Origin;
use system::plan::runbook::{Edit, Restore, Runbook};

const LIMIT_KEY: &str = "ozone.scm.datanode.pipeline.limit";

const LOGS_KEY: &str = "hdds.container.ratis.datanode.storage.dir";

fn limit_was_set(plan: &Plan) -> bool {
    let setting = plan.sheet.settings.iter().find(|setting| setting.key == LIMIT);
    setting.is_some_and(|setting| setting.origin != Origin::Default)
}

/// Placeholder paths of the log directories.
fn directories(tried: &LimitResult) -> String {
    let paths: Vec<String> = (1..=tried.logs).map(|disk| format!("/data/{disk}/ratis")).collect();
    paths.join(",")
}

fn edits(plan: &Plan) -> Vec<Edit> {
    let (now, best) = (&plan.now, plan.recommended());
    let limit = || Edit {
        key: LIMIT_KEY.into(),
        value: best.limit.to_string(),
        change: format!("{} → {}", now.limit, best.limit),
        notes: vec!["SCM, by a restart".into()],
        is_final: false,
        back: match limit_was_set(plan) {
            true => Restore::Value(plan.sheet.count(LIMIT).to_string()),
            false => Restore::Remove(now.limit.to_string()),
        },
    };
    let logs = || Edit {
        key: LOGS_KEY.into(),
        value: directories(best),
        change: format!("{} → {} directories", now.logs, best.logs),
        notes: vec![
            "each DataNode, by a restart; one directory a disk: use your own paths, the present \
             ones first"
                .into(),
        ],
        is_final: false,
        back: Restore::Note(format!(
            "its present {} directories; close the pipelines before, since these directories have \
             their logs",
            now.logs
        )),
    };
    let limit = (now.limit != best.limit).then(limit);
    limit.into_iter().chain((now.logs != best.logs).then(logs)).collect()
}

/// Empty if nothing is recommended. Reopening pipelines changes no file.
pub fn runbook(plan: &Plan) -> Runbook {
    if !plan.changes() {
        return Runbook::default();
    }
    let (now, best) = (&plan.now, plan.recommended());
    let assumed = now.logs != best.logs && plan.sheet.assumed().any(|s| s.key == LOG_DISKS);
    let look = || {
        format!(
            "Check first: {LOGS_KEY} of a DataNode. It is assumed to name {}; otherwise write \
             hardware.log_disks into the cluster file, and plan again.",
            many(now.logs, "disk")
        )
    };
    Runbook {
        site: "ozone-site",
        command: "plan pipelines",
        edits: edits(plan),
        first: assumed.then(look).into_iter().collect(),
        steps: steps(now, best),
        ..Runbook::default()
    }
}

fn steps(now: &LimitResult, best: &LimitResult) -> Vec<String> {
    let mut steps: Vec<String> = Vec::new();
    if now.logs != best.logs {
        steps.push("Restart the DataNodes one by one.".into())
    }
    if now.limit != best.limit {
        steps.push("Restart SCM, the followers first.".into())
    }
    if best.reopened {
        steps.push(
            "Open the pipelines again, in a quiet hour, since writes stop for seconds: ozone admin \
             pipeline close --all --type RATIS --replication THREE (Ozone 2.0 and later; before, \
             close ID for each)."
                .into(),
        )
    }
    steps.push(
        "Check: ozone admin pipeline list --state OPEN --json, and tenbin audit ozone.".into(),
    );
    steps
}

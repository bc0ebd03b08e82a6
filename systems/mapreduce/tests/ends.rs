//! Jobs with failures and losses: no reported number is missing in the history.
use crate::made::Made;
use mapreduce::why::JobExplanation;

const VIRGIN: &str = r#", "avataar": {"string": "VIRGIN"}, "locality": {"string": "NODE_LOCAL"}"#;

/// What, and how long \[s\].
fn path(why: &JobExplanation) -> Vec<(&str, f64)> {
    let round = |seconds: f64| (1000.0 * seconds).round() / 1000.0;
    why.critical_path.iter().map(|step| (step.what.as_str(), round(step.seconds))).collect()
}

fn wait(why: &JobExplanation, task: &str) -> Vec<f64> {
    let task = why.job.tasks.iter().find(|one| one.name == task).unwrap();
    let waits = task.waits.iter().filter(|wait| wait.kind == "container");
    waits.map(|wait| (1000.0 * wait.length()).round() / 1000.0).collect()
}

/// A map runs until its node is lost, and again.
fn lost_node() -> Made {
    Made::job(1, 1, 0)
        .task("m_000000", 3.0)
        .starts("m_000000_0", "n1", 5.0, VIRGIN)
        .ends("m_000000_0", "KILLED", 295.0, r#", "error": "Container released on a *lost* node""#)
        .starts("m_000000_1", "n2", 308.0, VIRGIN)
        .ends("m_000000_1", "FINISHED", 330.0, "")
        .over("m_000000", "SUCCEEDED", 330.0)
        .done("SUCCEEDED", 330.0)
}

#[test]
fn a_rerun_waits_for_its_container_since_its_predecessor_broke_off() {
    let why = lost_node().why();
    assert_eq!(wait(&why, "m_000000"), [2.0, 13.0]);
    assert_eq!(
        path(&why),
        [
            ("AM start to the first task request", 3.0),
            ("container for m_000000", 2.0),
            ("m_000000_0 (broke off)", 290.0),
            ("gap: container for m_000000", 13.0),
            ("m_000000", 22.0),
        ]
    );
    assert_eq!((why.failed, why.killed, why.stopped), (0, 1, 0));
}

#[test]
fn a_twin_that_outlives_its_sibling_is_no_rerun() {
    let twin = r#", "avataar": {"string": "SPECULATIVE"}"#;
    let why = Made::job(2, 1, 0)
        .task("m_000000", 3.0)
        .starts("m_000000_0", "n1", 5.0, VIRGIN)
        .starts("m_000000_1", "n2", 50.0, twin)
        .ends("m_000000_0", "FAILED", 60.0, "")
        .ends("m_000000_1", "FAILED", 80.0, "")
        .starts("m_000000_2", "n2", 84.0, "")
        .ends("m_000000_2", "FINISHED", 90.0, "")
        .over("m_000000", "SUCCEEDED", 90.0)
        .done("SUCCEEDED", 91.0)
        .why();
    assert_eq!(wait(&why, "m_000000"), [2.0, 4.0], "since the last of both broke off");
}

#[test]
fn output_that_is_lost_later_is_no_long_run() {
    let why = Made::job(3, 2, 0)
        .task("m_000000", 3.0)
        .task("m_000001", 3.0)
        .starts("m_000000_0", "n1", 5.0, VIRGIN)
        .ends("m_000000_0", "FINISHED", 25.0, "")
        .over("m_000000", "SUCCEEDED", 25.0)
        .starts("m_000001_0", "n2", 25.0, VIRGIN)
        .ends("m_000001_0", "FINISHED", 105.0, "")
        .over("m_000001", "SUCCEEDED", 105.0)
        // Hadoop 3 writes when it had succeeded, not when its node was lost.
        .ends("m_000000_0", "KILLED", 25.0, r#", "error": "lost node""#)
        .starts("m_000000_1", "n2", 110.0, VIRGIN)
        .ends("m_000000_1", "FINISHED", 130.0, "")
        .over("m_000000", "SUCCEEDED", 130.0)
        .done("SUCCEEDED", 130.0)
        .why();
    assert_eq!(wait(&why, "m_000000"), [2.0, 5.0]);
    let first = &why.job.tasks[0].attempts[0];
    assert_eq!((first.duration_s(), first.error.as_str()), (20.0, "lost node"));
    assert!(path(&why).contains(&("m_000000_0 was done, until its output was lost", 80.0)));
    assert_eq!(why.killed, 1);
}

#[test]
fn a_failed_jobs_path_ends_at_the_task_that_failed_it() {
    let mut made = Made::job(4, 2, 0).task("m_000000", 3.0).task("m_000001", 3.0).starts(
        "m_000000_0",
        "n1",
        5.0,
        VIRGIN,
    );
    for (at, name) in ["m_000001_0", "m_000001_1"].into_iter().enumerate() {
        let start = 5.0 + 24.0 * at as f64;
        made = made.starts(name, "n2", start, VIRGIN).ends(name, "FAILED", start + 20.0, "")
    }
    let why = made
        .over("m_000001", "FAILED", 49.0)
        .ends("m_000000_0", "KILLED", 49.04, "")
        .over("m_000000", "KILLED", 49.04)
        .done("FAILED", 49.01)
        .why();
    assert_eq!(
        path(&why)[..5],
        [
            ("AM start to the first task request", 3.0),
            ("container for m_000001", 2.0),
            ("m_000001_0 (broke off)", 20.0),
            ("gap: container for m_000001", 4.0),
            ("m_000001_1 (broke off)", 20.0),
        ]
    );
    assert_eq!((why.failed, why.killed, why.stopped), (2, 1, 1));
}

#[test]
fn a_killed_job_has_no_attempts_that_failed() {
    let why = Made::job(5, 1, 0)
        .task("m_000000", 3.0)
        .starts("m_000000_0", "n1", 5.0, VIRGIN)
        .ends("m_000000_0", "KILLED", 60.04, "")
        .over("m_000000", "KILLED", 60.04)
        .done("KILLED", 60.01)
        .why();
    assert_eq!((why.failed, why.killed, why.stopped), (0, 1, 1));
    assert!(path(&why).contains(&("m_000000_0 (stopped with the job)", 55.01)), "{:?}", path(&why));
    assert!(why.verdicts.iter().all(|v| v.cause != "failed attempts"), "{:?}", why.verdicts);
}

#[test]
fn a_cut_history_has_running_attempts() {
    let why = Made::job(6, 2, 0)
        .task("m_000000", 3.0)
        .task("m_000001", 3.0)
        .starts("m_000000_0", "n1", 5.0, VIRGIN)
        .starts("m_000001_0", "n1", 6.0, VIRGIN)
        .ends("m_000001_0", "FINISHED", 40.0, "")
        .over("m_000001", "SUCCEEDED", 40.0)
        .why();
    assert_eq!((why.status.as_str(), why.failed, why.killed, why.running), ("UNKNOWN", 0, 0, 1));
    assert!(path(&why).contains(&("m_000000_0 (still running)", 35.0)), "{:?}", path(&why));
    assert!(why.verdicts.iter().all(|v| v.cause != "failed attempts"), "{:?}", why.verdicts);
}

#[test]
fn locality_that_is_not_told_is_not_0() {
    let of = |more: &str| {
        let made = Made::job(7, 1, 0).task("m_000000", 3.0).starts("m_000000_0", "n1", 5.0, more);
        let made =
            made.ends("m_000000_0", "FINISHED", 40.0, "").over("m_000000", "SUCCEEDED", 40.0);
        made.done("SUCCEEDED", 40.0).why()
    };
    assert_eq!(of("").data_local, None);
    assert_eq!(serde_json::json!(of(""))["data_local"], serde_json::Value::Null);
    assert_eq!(of(VIRGIN).data_local, Some(1));
    assert_eq!(of(r#", "locality": {"string": "OFF_SWITCH"}"#).data_local, Some(0));
}

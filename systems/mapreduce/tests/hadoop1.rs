//! Histories of Hadoop 1.
use crate::made::folder;
use mapreduce::import::{found, import};
use mapreduce::why::{JobWhy, Why};
use std::fs;

/// A job of two maps and a reduce, made up as a JobTracker writes it: setup and clean-up are tasks,
/// the job's name has escapes, a failed attempt has a message of several lines.
const HISTORY: &str = include_str!("hadoop1/job_201311192236_0001_1386370578000_u_a");

fn why(text: &str) -> (JobWhy, Vec<String>) {
    let dir = folder(&format!("hadoop1-{}", text.len()));
    fs::write(dir.join("job_201311192236_0001_1386370578000_u_a"), text).unwrap();
    let folder = found(std::slice::from_ref(&dir)).unwrap_or_else(|e| panic!("{e:?}"));
    let trace = import(&folder.jobs, &[]).unwrap_or_else(|e| panic!("{e:?}")).trace;
    fs::remove_dir_all(dir).unwrap();
    let said = trace.problems.iter().map(|p| format!("{:?}: {}", p.line, p.what)).collect();
    (Why::of(&trace).jobs.remove(0), said)
}

#[test]
fn a_jobtrackers_history_is_read_and_its_path_is_whole() {
    let (why, said) = why(HISTORY);
    assert_eq!(said, Vec::<String>::new());
    assert_eq!((why.id.as_str(), why.name.as_str()), ("job_201311192236_0001", "a \"b\""));
    assert_eq!((why.status.as_str(), why.maps, why.reduces), ("SUCCEEDED", 2, 1));
    assert_eq!((why.attempts, why.failed, why.data_local), (6, 1, Some(2)));
    let failed = why.job.attempts().find(|a| a.error == "java.io: x").expect("its first line");
    assert_eq!(failed.name, "m_000000_0");
    let path: Vec<(&str, f64)> =
        why.critical_path.iter().map(|step| (step.what.as_str(), step.seconds)).collect();
    let wanted = [
        ("submission to the first task", 1.0),
        ("m_000003", 2.0),
        ("gap: slot for m_000000", 2.0),
        ("m_000000_0 (broke off)", 10.0),
        ("gap: slot for m_000000", 3.0),
        ("m_000000", 20.0),
        ("r_000000", 10.0),
        ("gap: slot for m_000002", 1.0),
        ("m_000002", 3.0),
    ];
    assert_eq!(path, wanted);
    let mapped = why.job.attempts().find(|a| a.name == "m_000000_1").unwrap();
    assert_eq!(mapped.number("HDFS_BYTES_READ"), 47.0);
    // The clean-up comes after the reduces; the last map before.
    assert!(why.verdicts.iter().any(|v| v.cause == "shuffle"), "{:?}", why.verdicts);
    let yarn =
        |v: &mapreduce::why::Verdict| v.holder.contains("YARN") || v.holder.contains("master");
    assert!(!why.verdicts.iter().any(yarn), "{:?}", why.verdicts);
}

#[test]
fn a_cut_history_gives_what_is_there() {
    let end = HISTORY.find("task_201311192236_0001_r_000000").unwrap();
    let (why, said) = why(&HISTORY[..end]);
    assert_eq!((why.status.as_str(), why.failed), ("UNKNOWN", 1));
    assert!(said.iter().any(|what| what.starts_with("Some(21): the file ends within")), "{said:?}");
}

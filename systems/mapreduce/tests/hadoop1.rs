//! Histories of Hadoop 1.
use crate::made::folder;
use mapreduce::import::{find_files, import};
use mapreduce::why::{Explanation, JobExplanation};
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A job of two maps and a reduce, made up as a JobTracker writes it: setup and clean-up are tasks,
/// the job's name has escapes, a failed attempt has a message of several lines.
const HISTORY: &str = include_str!("hadoop1/job_201311192236_0001_1386370578000_u_a");

fn why(text: &str) -> (JobExplanation, Vec<String>) {
    static MADE: AtomicUsize = AtomicUsize::new(0);
    let dir = folder(&format!("hadoop1-{}", MADE.fetch_add(1, Ordering::Relaxed)));
    fs::write(dir.join("job_201311192236_0001_1386370578000_u_a"), text).unwrap();
    let folder = find_files(std::slice::from_ref(&dir)).unwrap_or_else(|e| panic!("{e:?}"));
    let trace = import(&folder.jobs, &[]).unwrap_or_else(|e| panic!("{e:?}")).trace;
    fs::remove_dir_all(dir).unwrap();
    let said = trace.problems.iter().map(|p| format!("{:?}: {}", p.line, p.what)).collect();
    (Explanation::of(&trace).jobs.remove(0), said)
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

/// The history with all times of these attempts changed by so much \[ms\].
fn set(text: &str, of: &[(&str, i64)]) -> String {
    let line = |line: &str| {
        let by =
            of.iter().find(|(name, _)| line.contains(&format!("{name}\""))).map_or(0, |of| of.1);
        let is_attempt = line.starts_with("MapAttempt") || line.starts_with("ReduceAttempt");
        let word = |word: &str| match word.split_once("=\"13863").filter(|_| is_attempt && by != 0)
        {
            Some((key, rest)) => {
                let ms: i64 = format!("13863{}", rest.trim_end_matches('"')).parse().unwrap();
                format!("{key}=\"{}\"", ms + by)
            }
            None => word.to_string(),
        };
        line.split(' ').map(word).collect::<Vec<_>>().join(" ") + "\n"
    };
    text.split_terminator('\n').map(line).collect()
}

const N1: [&str; 4] = ["m_000003_0", "m_000000_0", "r_000000_0", "m_000002_0"];

fn path(why: &JobExplanation) -> Vec<(String, f64)> {
    why.critical_path.iter().map(|step| (step.what.clone(), step.seconds)).collect()
}

#[test]
fn clocks_of_trackers_are_shifted_to_the_jobtrackers() {
    let (right, said) = why(HISTORY);
    assert_eq!((said.len(), right.notes.len()), (0, 0));
    for (n1, n2) in [(500_000, -980_000), (-2_000, 0), (0, 2_000), (3_600_000, 3_600_000)] {
        let of: Vec<(&str, i64)> = N1
            .iter()
            .map(|name| (*name, n1))
            .chain([("m_000000_1", n2), ("m_000001_0", n2)])
            .collect();
        let (shifted, said) = why(&set(HISTORY, &of));
        let clocks = [n1, n2].iter().filter(|by| **by != 0).count();
        assert_eq!((said.len(), shifted.notes.len()), (clocks, clocks), "{said:?}");
        assert_eq!(path(&shifted), path(&right), "{n1} {n2}: {said:?}");
        let causes = |why: &JobExplanation| -> Vec<String> {
            why.verdicts.iter().map(|verdict| verdict.cause.clone()).collect()
        };
        assert_eq!(causes(&shifted), causes(&right));
    }
}

#[test]
fn clocks_that_contradict_each_other_name_no_cause() {
    // The reduce runs for 31 s by its task; by its own clock for 300 s more.
    let line = HISTORY.lines().find(|line| line.contains("SHUFFLE_FINISHED")).unwrap();
    let longer = line.replace("FINISH_TIME=\"1386370626000\"", "FINISH_TIME=\"1386370926000\"");
    let (why, said) = why(&HISTORY.replace(line, &longer));
    assert!(said.iter().any(|what| what.contains("contradict each other")), "{said:?}");
    let causes: Vec<&str> = why.verdicts.iter().map(|verdict| verdict.cause.as_str()).collect();
    assert_eq!(causes, ["clocks"]);
    let text = mapreduce::why::text(&Explanation { jobs: vec![why] }, 1);
    assert!(text.contains("no cause can be named"), "{text}");
}

#[test]
fn a_task_waits_until_the_jobtracker_hears_of_its_end() {
    // A heartbeat comes 2 s after the last reduce.
    let heard = HISTORY.replace(
        "TASK_TYPE=\"REDUCE\" TASK_STATUS=\"SUCCESS\" FINISH_TIME=\"1386370626000\" .",
        "TASK_TYPE=\"REDUCE\" TASK_STATUS=\"SUCCESS\" FINISH_TIME=\"1386370627000\" .",
    );
    let (why, _) = why(&heard);
    let steps = path(&why);
    let heard = ("until the JobTracker receives r_000000's end".to_string(), 1.0);
    assert!(steps.contains(&heard), "{steps:?}");
}

#[test]
fn records_of_before_the_dot_are_read() {
    let text = HISTORY.split_once('\n').unwrap().1.replace(" .\n", "\n");
    let (old, said) = why(&text);
    assert_eq!(said, Vec::<String>::new());
    assert_eq!(path(&old), path(&why(HISTORY).0));
}

//! Real histories: what is counted, and what held the jobs up.
use mapreduce::import::{history::Job, import};
use mapreduce::import::{index, jhist};
use mapreduce::why::{Explanation, JobExplanation};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use trace::Trace;

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

fn terasort() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/terasort")
}

fn trace(folders: &[PathBuf]) -> Trace {
    let jobs = index::list(folders).unwrap().jobs;
    import(&jobs, &[]).unwrap_or_else(|e| panic!("{e:?}")).trace
}

fn why(folder: &Path, id: &str) -> JobExplanation {
    let why = Explanation::of(&trace(&[folder.to_path_buf()]));
    why.jobs.into_iter().find(|job| job.id == id).expect("the job is there")
}

/// The history's own totals, as its last event has them.
fn totals(id: &str) -> BTreeMap<String, i64> {
    let folders = [data(), terasort()];
    let listed = index::list(&folders).unwrap().jobs;
    let path = &listed.iter().find(|job| job.id == id).expect("listed").path;
    let mut job = Job::default();
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    assert_eq!(jhist::read(file, |kind, event| job.add(kind, event)).unwrap(), []);
    let own = job.counters.into_iter().filter(|c| c.0.ends_with(".JobCounter"));
    own.map(|(_, name, value)| (name, value)).collect()
}

#[test]
fn every_count_is_the_history_servers() {
    let all = Explanation::of(&trace(&[data(), terasort()]));
    assert_eq!(all.jobs.len(), 6);
    for why in &all.jobs {
        let totals = totals(&why.id);
        let total = |name: &str| totals.get(name).copied().unwrap_or(0);
        let count = |kind: &str, of: &dyn Fn(&mapreduce::why::Attempt) -> bool| {
            why.job.attempts().filter(|a| a.kind == kind && of(a)).count() as i64
        };
        for (kind, plural) in [("MAP", "MAPS"), ("REDUCE", "REDUCES")] {
            let name = |what: &str| format!("{what}_{plural}");
            let launched = count(kind, &|a| a.run.is_some());
            assert_eq!(launched, total(&name("TOTAL_LAUNCHED")), "{} {kind}", why.id);
            let failed = count(kind, &|a| a.outcome == trace::Outcome::Failed);
            assert_eq!(failed, total(&name("NUM_FAILED")), "{} {kind}", why.id);
            let killed = count(kind, &|a| a.outcome == trace::Outcome::Killed);
            assert_eq!(killed, total(&name("NUM_KILLED")), "{} {kind}", why.id);
        }
        let local = why.data_local.expect("it is told") as i64;
        assert_eq!(local, total("DATA_LOCAL_MAPS"), "{}", why.id);
        assert_eq!(why.failed as i64, total("NUM_FAILED_MAPS") + total("NUM_FAILED_REDUCES"));
        assert_eq!(why.killed as i64, total("NUM_KILLED_MAPS") + total("NUM_KILLED_REDUCES"));
        assert_eq!(
            (why.tasks_failed, why.tasks_killed),
            (0, 0),
            "{}: all tasks ended well",
            why.id
        );
    }
}

#[test]
fn times_and_counters_are_rumens() {
    let rumen: Vec<Value> =
        serde_json::from_str(&std::fs::read_to_string(data().join("rumen.json")).unwrap()).unwrap();
    let all = Explanation::of(&trace(&[data(), terasort()]));
    let mut compared = 0;
    for job in &rumen {
        let Some(why) = all.jobs.iter().find(|why| job["jobID"] == why.id.as_str()) else {
            continue;
        };
        assert_eq!(job["submitTime"], why.start_ms);
        assert_eq!(job["finishTime"], why.finish_ms);
        assert_eq!(
            (job["totalMaps"].as_u64(), job["totalReduces"].as_u64()),
            (Some(why.maps), Some(why.reduces))
        );
        let tasks = ["mapTasks", "reduceTasks"].map(|kind| job[kind].as_array().unwrap());
        for attempt in tasks.into_iter().flatten().flat_map(|t| t["attempts"].as_array().unwrap()) {
            let id = attempt["attemptID"].as_str().unwrap();
            let own = why.job.attempts().find(|a| id.ends_with(&a.name)).expect(id);
            let Some((from, to)) = own.run else { continue };
            let ms = |name: &str| attempt[name].as_f64().unwrap();
            let at = |seconds: f64| ((seconds - why.job.begun) * 1e3).round() + why.start_ms as f64;
            assert_eq!((at(from), at(to)), (ms("startTime"), ms("finishTime")), "{id}");
            assert_eq!(own.number("HDFS_BYTES_READ"), ms("hdfsBytesRead"), "{id}");
            assert_eq!(own.number("FILE_BYTES_WRITTEN"), ms("fileBytesWritten"), "{id}");
            assert_eq!(own.number("SPILLED_RECORDS"), ms("spilledRecords"), "{id}");
            let cpu = attempt["resourceUsageMetrics"]["cumulativeCpuUsage"].as_f64().unwrap();
            assert_eq!(own.number("CPU_MILLISECONDS"), cpu, "{id}");
            if let Some(copied) = own.phase("copy") {
                assert_eq!(at(copied.to), ms("shuffleFinished"), "{id}");
            }
            compared += 1
        }
    }
    assert_eq!(compared, 8 + 12 + 8, "attempts of three jobs");
}

#[test]
fn terasort_was_not_held_up_by_disk_or_network() {
    let why = why(&terasort(), "job_1795197530166_0002");
    let first = &why.verdicts[0];
    assert_eq!((first.cause.as_str(), first.certainty), ("unexplained", "medium"));
    assert!(first.holder.contains("CPU starvation or slow JVM start"), "{}", first.holder);
    assert!(why.verdicts.iter().all(|v| v.cause != "disk" && v.cause != "network"));
    let says: Vec<&str> = first.evidence.iter().map(|e| e.says.as_str()).collect();
    for piece in [
        "95 % unexplained",
        "a map reads 2.5 MB and writes 2.9 MB",
        "97 % of map time passed before the first 1/12 of progress",
        "m_000001: GC took 1 027 ms, the whole process got 710 ms of CPU",
    ] {
        assert!(says.iter().any(|s| s.contains(piece)), "{piece}: {says:?}");
    }
    assert_eq!((100.0 * why.unexplained_share).round(), 95.0);
}

#[test]
fn terasorts_critical_path_is_this() {
    let why = why(&terasort(), "job_1795197530166_0002");
    let wanted = [
        ("AM start to the first task request", 11.757),
        ("container for m_000007", 6.420),
        ("m_000007", 27.684),
        ("gap: container for r_000000", 1.262),
        ("r_000000", 10.911),
    ];
    for ((what, seconds), step) in wanted.iter().zip(&why.critical_path) {
        assert_eq!(step.what, *what);
        assert!((step.seconds - seconds).abs() < 1e-6, "{step:?}");
    }
    let named: f64 = wanted.iter().map(|w| w.1).sum();
    assert!(named / why.job.duration_s() >= 0.98);
    let all: f64 = why.critical_path.iter().map(|step| step.seconds).sum();
    assert!((all - 58.099).abs() < 1e-6, "the path is the whole: {all}");
}

#[test]
fn a_killed_attempt_that_never_started_is_counted() {
    let why = why(&data(), "job_1795197530166_0001");
    assert_eq!((why.attempts, why.killed, why.speculative, why.tasks_killed), (9, 1, 1, 0));
    let never = why.job.attempts().find(|a| a.run.is_none()).unwrap();
    assert_eq!((never.name.as_str(), never.node), ("m_000001_1", None));
}

#[test]
fn binary_histories_have_failed_and_speculative_attempts() {
    let odd = why(&data(), "job_1795196704576_0003");
    assert_eq!((odd.name.as_str(), odd.status.as_str()), ("odd-fail", "SUCCEEDED"));
    assert!(odd.failed >= 1, "{odd:?}");
    assert!(odd.job.attempts().any(|a| !a.error.is_empty()));
    let spec = why(&data(), "job_1795196704576_0004");
    assert!(spec.killed >= 1 && spec.speculative >= 1, "{} {}", spec.killed, spec.speculative);
}

#[test]
fn slow_start_is_not_taken_for_waiting_for_a_container() {
    let why = why(&terasort(), "job_1795197530166_0002");
    let reduce = why.job.tasks.iter().find(|task| task.name == "r_000000").unwrap();
    let wait = |kind: &str| reduce.waits.iter().find(|w| w.kind == kind).unwrap().length();
    assert!((wait("slow-start") - 32.294).abs() < 0.01, "{}", wait("slow-start"));
    assert!((3.0..4.0).contains(&wait("container")), "{}", wait("container"));
}

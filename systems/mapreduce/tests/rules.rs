//! Generated jobs with one cause each: that cause has to be the first verdict.
use crate::made::Made;
use mapreduce::why::JobExplanation;

/// The first cause and its sentence, with plain spaces.
fn first(why: &JobExplanation) -> (String, String) {
    crate::experts::well_said(why);
    let first = &why.verdicts[0];
    (first.cause.clone(), first.by.replace(['\u{a0}', '\u{202f}'], " "))
}

fn share(why: &JobExplanation, cause: &str) -> f64 {
    why.verdicts.iter().filter(|v| v.cause == cause).map(|v| v.share).sum()
}

/// Adds `n` tasks in waves of `at_once`, `each` seconds long. Returns the end of the last, too.
fn waves(
    mut made: Made,
    kind: char,
    (n, at_once): (usize, usize),
    (start, each): (f64, f64),
    counters: &[(&str, u64)],
) -> (Made, f64) {
    let mut last = start;
    for task in 0..n {
        let from = start + (task / at_once) as f64 * (each + 0.5);
        let (node, name) = (format!("n{}", task % at_once % 8), format!("{kind}_{task:06}"));
        made = made.ran(&name, &node, (from, from + each), from + 1.0, counters);
        last = from + each
    }
    (made, last)
}

fn maps(number: u32, reduces: u32) -> (Made, f64) {
    let made = Made::job(number, 16, reduces);
    waves(made, 'm', (16, 8), (5.0, 20.0), &[("HDFS_BYTES_READ", 128_000_000)])
}

#[test]
fn a_job_that_no_task_failed_says_why_itself() {
    let (made, end) = maps(101, 0);
    let text = "Job commit failed: org.apache.hadoop.hdfs.protocol.DSQuotaExceededException: The \
                DiskSpace quota of /u is exceeded";
    let text = format!(r#", "diagnostics": {{"string": "{text}"}}"#);
    let why = made.done_with("FAILED", end + 60.0, &text).why();
    let (cause, by) = first(&why);
    assert_eq!(cause, "job failed");
    let said = "Job commit failed: DSQuotaExceededException: The DiskSpace quota of /u is exceeded";
    assert_eq!(by, said);
    let text = r#", "diagnostics": "Job setup failed : Permission denied: user=etl""#;
    let why = Made::job(102, 0, 0).done_with("FAILED", 6.0, text).why();
    assert_eq!(first(&why).1, "Job setup failed : Permission denied: user=etl");
    let why = Made::job(103, 0, 0).done_with("ERROR", 6.0, "").why();
    assert_eq!(first(&why), ("job failed".into(), "its history has no reason".into()))
}

#[test]
fn who_killed_a_job_is_named() {
    let (made, end) = maps(104, 0);
    let text = "Job received Kill while in RUNNING state.\\nKill job job_1_0001 received from etl \
                (auth:SIMPLE) at 10.0.0.1\\n";
    let text = format!(r#", "diagnostics": {{"string": "{text}"}}"#);
    let why = made.done_with("KILLED", end, &text).why();
    assert_eq!(first(&why), ("job killed".into(), "a kill request of etl at 10.0.0.1".into()))
}

#[test]
fn a_failed_jobs_message_is_that_of_the_task_that_failed_it() {
    let (mut made, end) = maps(105, 1);
    for task in 16..22 {
        let name = format!("m_{task:06}");
        let error = r#", "error": "Error: java.io.IOException: No space left on device""#;
        made = made
            .task(&name, 3.0)
            .starts(&format!("{name}_0"), "n7", end + 1.0, "")
            .ends(&format!("{name}_0"), "FAILED", end + 9.0, error)
            .starts(&format!("{name}_1"), "n1", end + 10.0, "")
            .ends(&format!("{name}_1"), "FINISHED", end + 20.0, "")
            .over(&name, "SUCCEEDED", end + 20.0)
    }
    made = made.task("r_000000", 3.0);
    for at in 0..4 {
        let (name, start) = (format!("r_000000_{at}"), end + 21.0 + 50.0 * f64::from(at));
        let error = r#", "error": "Error: Java heap space\n\tat x""#;
        made = made.starts(&name, "n2", start, "").ends(&name, "FAILED", start + 48.0, error)
    }
    let why = made.over("r_000000", "FAILED", end + 220.0).done("FAILED", end + 220.0).why();
    let (cause, by) = first(&why);
    assert_eq!(cause, "failed attempts");
    assert_eq!(by, "r_000000 failed 4 times: Java heap space")
}

#[test]
fn failures_on_one_host_are_counted_by_their_message() {
    let (mut made, end) = maps(106, 0);
    for task in 16..19 {
        let name = format!("m_{task:06}");
        let error = r#", "error": "Error: java.io.IOException: No space left on device""#;
        made = made
            .task(&name, 3.0)
            .starts(&format!("{name}_0"), "n7", end + 1.0, "")
            .ends(&format!("{name}_0"), "FAILED", end + 99.0, error)
            .starts(&format!("{name}_1"), "n1", end + 100.0, "")
            .ends(&format!("{name}_1"), "FINISHED", end + 120.0, "")
            .over(&name, "SUCCEEDED", end + 120.0)
    }
    let (cause, by) = first(&made.done("SUCCEEDED", end + 121.0).why());
    assert_eq!(cause, "failed attempts");
    assert!(
        by.contains("3 failed attempts of m_000016 and 2 other tasks, all on n7: IOExc"),
        "{by}"
    )
}

#[test]
fn reduces_with_twice_the_memory_wait_for_their_like() {
    let (made, mapped) =
        waves(Made::job(107, 64, 48), 'm', (64, 32), (5.0, 20.0), &[("HDFS_BYTES_READ", 1 << 27)]);
    let (made, end) = waves(made, 'r', (48, 16), (mapped + 1.0, 60.0), &[]);
    let why = made.done("SUCCEEDED", end + 0.1).why();
    assert_eq!(first(&why).0, "nothing stands out", "{:?}", why.verdicts);
    assert!(share(&why, "container wait") < 0.05, "{:?}", why.verdicts);
    // The other way round: maps fill half of what reduces fill.
    let (made, mapped) =
        waves(Made::job(108, 80, 32), 'm', (80, 16), (5.0, 20.0), &[("HDFS_BYTES_READ", 1 << 27)]);
    let (made, end) = waves(made, 'r', (32, 32), (mapped + 1.0, 20.0), &[]);
    let why = made.done("SUCCEEDED", end + 0.1).why();
    assert!(share(&why, "container wait") < 0.05, "{:?}", why.verdicts)
}

#[test]
fn many_short_maps_of_little_input_are_small_splits() {
    let counters = [("HDFS_BYTES_READ", 20_000), ("CPU_MILLISECONDS", 1000)];
    let (made, end) = waves(Made::job(109, 160, 0), 'm', (160, 16), (5.0, 3.0), &counters);
    let why = made.done("SUCCEEDED", end + 0.1).why();
    let (cause, by) = first(&why);
    assert_eq!(cause, "small splits");
    assert_eq!(by, "small splits: 160 maps read 20.0 kB each for 3.00 s, in 10 waves of 16")
}

#[test]
fn maps_whose_outputs_were_lost_ran_again_for_reduces() {
    let (made, end) = maps(110, 1);
    let error = r#", "error": "Too many fetch failures. Failing the attempt""#;
    let why = made
        .task("r_000000", 3.0)
        .starts("r_000000_0", "n1", end - 2.0, "")
        .ends("m_000003_0", "FAILED", end + 300.0, error)
        .starts("m_000003_1", "n5", end + 302.0, "")
        .ends("m_000003_1", "FINISHED", end + 322.0, "")
        .over("m_000003", "SUCCEEDED", end + 322.0)
        .ends("r_000000_0", "FINISHED", end + 340.0, "")
        .over("r_000000", "SUCCEEDED", end + 340.0)
        .done("SUCCEEDED", end + 340.0)
        .why();
    let (cause, by) = first(&why);
    assert_eq!(cause, "lost map outputs");
    assert!(by.contains("1 map ran again since reduces could not fetch"), "{by}");
    let others = ["early reduces", "failed attempts"];
    assert!(why.verdicts.iter().all(|v| !others.contains(&&*v.cause)), "{:?}", why.verdicts)
}

#[test]
fn what_the_scheduler_took_away_is_preemption() {
    let (mut made, end) = maps(111, 0);
    made = made.task("m_000016", 3.0);
    let error = r#", "error": "Container preempted by scheduler""#;
    for at in 0..3 {
        let (name, start) = (format!("m_000016_{at}"), end + 1.0 + 55.0 * f64::from(at));
        made = made.starts(&name, "n1", start, "").ends(&name, "KILLED", start + 50.0, error)
    }
    let made = made
        .starts("m_000016_3", "n1", end + 166.0, "")
        .ends("m_000016_3", "FINISHED", end + 186.0, "")
        .over("m_000016", "SUCCEEDED", end + 186.0);
    let (cause, by) = first(&made.done("SUCCEEDED", end + 187.0).why());
    assert_eq!(cause, "preemption");
    assert!(by.contains("the scheduler took 3 containers away from queue default"), "{by}")
}

#[test]
fn a_reduce_that_made_room_for_maps_waits_for_them() {
    let (made, end) = maps(112, 1);
    let text = "Container killed by the ApplicationMaster.\\nReducer preempted to make room for \
                pending map attempts";
    let error = &format!(r#", "error": "{text}""#);
    let why = made
        .task("r_000000", 3.0)
        .starts("r_000000_0", "n1", 6.0, "")
        .ends("r_000000_0", "KILLED", 20.0, error)
        .starts("r_000000_1", "n1", end + 1.0, "")
        .ends("r_000000_1", "FINISHED", end + 30.0, "")
        .over("r_000000", "SUCCEEDED", end + 30.0)
        .done("SUCCEEDED", end + 30.0)
        .why();
    let path: Vec<&str> = why.critical_path.iter().map(|step| step.what.as_str()).collect();
    assert!(!path.contains(&"r_000000_0 (broke off)"), "{path:?}");
    assert_eq!(path[path.len() - 1], "r_000000", "{path:?}");
    assert!(path.iter().any(|step| step.starts_with("m_0")), "{path:?}")
}

#[test]
fn one_reduce_of_many_gigabytes_is_too_few() {
    let of = |keys: u64| {
        let (made, end) = maps(113, 1);
        let bytes = [("REDUCE_SHUFFLE_BYTES", 9_000_000_000), ("REDUCE_INPUT_GROUPS", keys)];
        let made = made.ran("r_000000", "n1", (end, end + 1200.0), end + 100.0, &bytes);
        made.done("SUCCEEDED", end + 1200.0).why()
    };
    let why = of(5000);
    let (cause, by) = first(&why);
    assert_eq!(cause, "few reduces");
    assert!(by.starts_with("few reduces: r_000000 does all the work: 9.0 GB in 20 min"), "{by}");
    assert!(why.verdicts[0].holder.starts_with("mapreduce.job.reduces = 1"));
    assert_ne!(first(&of(1)).0, "few reduces", "one key cannot be shared")
}

#[test]
fn reduces_that_merge_in_rounds_spill() {
    let (made, end) = maps(114, 8);
    let counters = [
        ("REDUCE_SHUFFLE_BYTES", 8_000_000_000),
        ("REDUCE_INPUT_RECORDS", 10_000_000),
        ("SPILLED_RECORDS", 40_000_000),
        ("CPU_MILLISECONDS", 90_000),
    ];
    let (made, end) = waves(made, 'r', (8, 8), (end, 300.0), &counters);
    let (cause, by) = first(&made.done("SUCCEEDED", end).why());
    assert_eq!(
        (cause.as_str(), by.as_str()),
        ("spills", "spills: reduces write each record 4.0 times to disk")
    )
}

#[test]
fn a_master_that_came_late_waited_in_its_queue() {
    let why = Made::late(115, 1, 0, 600.0)
        .task("m_000000", 603.0)
        .starts("m_000000_0", "n1", 605.0, "")
        .ends("m_000000_0", "FINISHED", 640.0, "")
        .over("m_000000", "SUCCEEDED", 640.0)
        .done("SUCCEEDED", 640.0)
        .why();
    let (cause, by) = first(&why);
    assert_eq!(cause, "queue wait");
    assert_eq!(by, "queue default, in which it waited 10 min for its application master");
    assert!(share(&why, "AM start") < 0.01, "what is left of it: {:?}", why.verdicts)
}

#[test]
fn a_master_that_was_started_again_is_named() {
    let (made, end) = maps(116, 1);
    let why = made
        .master(end + 120.0)
        .ran("r_000000", "n1", (end + 125.0, end + 145.0), end + 127.0, &[])
        .done("SUCCEEDED", end + 145.0)
        .why();
    assert_eq!(first(&why).0, "AM restart", "{:?}", why.verdicts);
    assert!(share(&why, "container wait") < 0.1, "{:?}", why.verdicts)
}

#[test]
fn a_node_on_which_reduces_alone_are_slow_is_found() {
    let (mut made, end) = maps(117, 16);
    for task in 0..16 {
        let node = task % 8;
        let took = if node == 3 { 240.0 } else { 60.0 };
        let (name, host) = (format!("r_{task:06}"), format!("n{node}"));
        let records = [("REDUCE_INPUT_RECORDS", 100_000), ("CPU_MILLISECONDS", 20_000)];
        made = made.ran(&name, &host, (end, end + took), end + 1.0, &records)
    }
    let (cause, by) = first(&made.done("SUCCEEDED", end + 240.0).why());
    assert_eq!(cause, "slow node");
    assert_eq!(by, "node n3: 2 reduces there take 240 s, the others 60.0 s")
}

#[test]
fn a_straggler_that_computes_says_so() {
    let (mut made, end) = maps(118, 8);
    for task in 0..8 {
        let took = if task == 5 { 300 } else { 25 };
        let counters = [("REDUCE_INPUT_RECORDS", 100_000), ("CPU_MILLISECONDS", 950 * took)];
        let (name, host) = (format!("r_{task:06}"), format!("n{task}"));
        made = made.ran(&name, &host, (end, end + took as f64), end + 1.0, &counters)
    }
    let (cause, by) = first(&made.done("SUCCEEDED", end + 300.0).why());
    assert_eq!(cause, "straggler");
    assert!(by.ends_with("it computed for 285 s, the others for 23.8 s"), "{by}")
}

#[test]
fn a_history_without_its_end_says_so() {
    let (made, _) = maps(119, 1);
    let why = mapreduce::why::Explanation { jobs: vec![made.why()] };
    let said = mapreduce::why::text(&why, 1);
    assert!(said.contains("The history ends before the job"), "{said}")
}

#[test]
fn containers_that_others_hold_are_waited_for() {
    let (made, end) = maps(120, 0);
    let name = "m_000016";
    let made = made
        .task(name, 3.0)
        .starts("m_000016_0", "n1", end + 200.0, "")
        .ends("m_000016_0", "FINISHED", end + 220.0, "")
        .over(name, "SUCCEEDED", end + 220.0);
    let why = made.done("SUCCEEDED", end + 220.0).why();
    assert_eq!(first(&why).0, "container wait", "{:?}", why.verdicts);
    assert!(share(&why, "container wait") > 0.5, "{:?}", why.verdicts)
}

#[test]
fn one_map_that_computes_is_a_finding() {
    let job = |number: u32, maps: u32, cpu: u64, read: u64| {
        let mut made = Made::job(number, maps, 0);
        for map in 0..maps {
            let counters = [("CPU_MILLISECONDS", cpu), ("HDFS_BYTES_READ", read)];
            made = made.ran(&format!("m_{map:06}"), "n1", (5.0, 300.0), 0.0, &counters)
        }
        made.done("SUCCEEDED", 301.0).why()
    };
    let finds = |why: &mapreduce::why::JobExplanation| why.verdicts[0].cause == "one map";
    let why = job(150, 1, 292_000, 64_000_000);
    assert!(finds(&why), "{:?}", why.verdicts);
    let first = &why.verdicts[0];
    assert!(first.by.contains("computing for 99"), "{}", first.by);
    assert!((0.4..0.6).contains(&first.share), "two maps take half: {}", first.share);
    assert!(finds(&job(151, 1, 20_000, 1_000_000_000)), "it reads eight blocks");
    assert!(!finds(&job(152, 1, 20_000, 64_000_000)), "it waits for something else");
    assert!(!finds(&job(153, 2, 292_000, 64_000_000)), "two maps share the work");
}

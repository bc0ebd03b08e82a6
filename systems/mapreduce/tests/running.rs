//! Unfinished jobs: running attempts count with their time so far.
use crate::made::Made;
use mapreduce::why::{JobExplanation, text};

fn counters(read: u64) -> String {
    format!(
        r#", "counters": {{"groups": [{{"name": "g", "counts": [
            {{"name": "HDFS_BYTES_READ", "value": {read}}},
            {{"name": "CPU_MILLISECONDS", "value": 200000}}]}}]}}"#
    )
    .replace('\n', "")
}

/// Ten maps that get a container every `apart` seconds; `ended` of them end at 300 s.
fn job(number: u32, apart: f64, ended: u32) -> Made {
    let mut made = Made::job(number, 10, 0);
    for map in 0..10 {
        made = made.task(&format!("m_{map:06}"), 3.0)
    }
    for map in 0..10 {
        let at = 5.0 + apart * f64::from(map);
        made = made.starts(&format!("m_{map:06}_0"), &format!("n{map}"), at, "")
    }
    for map in 0..ended {
        let name = format!("m_{map:06}");
        made = made.ends(&format!("{name}_0"), "FINISHED", 300.0, &counters(134_000_000));
        made = made.over(&name, "SUCCEEDED", 300.0)
    }
    made
}

fn said(why: JobExplanation) -> String {
    text(&mapreduce::why::Explanation { jobs: vec![why] }, 1).replace(['\u{a0}', '\u{202f}'], " ")
}

#[test]
fn containers_that_come_one_by_one_hold_up_a_job_that_still_runs() {
    let why = job(140, 40.0, 0).why();
    assert_eq!((why.running, why.unexplained_share), (10, 0.0));
    assert_eq!(why.verdicts[0].cause, "container wait", "{:?}", why.verdicts);
    let said = said(why);
    for piece in [
        "10 maps still run, for 0 to 360 s so far: their input and CPU time are not logged; \
         no attempt has ended",
        "container for m_000009 362 s",
        "of its 365 s so far",
    ] {
        assert!(said.contains(piece), "{piece}: {said}");
    }
}

#[test]
fn means_and_shares_are_of_what_has_ended() {
    let why = job(141, 0.0, 1).why();
    assert_eq!((why.running, why.attempts), (9, 10));
    assert!((why.unexplained_share - 95.0 / 295.0).abs() < 0.01, "{}", why.unexplained_share);
    let said = said(why);
    for piece in [
        "10 maps at once for 295 s so far, 1 ended",
        "9 maps still run, for 295 s so far",
        "means and shares are of the ended attempt (a map, which read 134 MB)",
    ] {
        assert!(said.contains(piece), "{piece}: {said}");
    }
}

#[test]
fn a_map_without_a_container_still_waits_when_the_history_ends() {
    let why = Made::job(142, 2, 1)
        .task("m_000000", 3.0)
        .task("m_000001", 3.0)
        .task("r_000000", 3.0)
        .starts("m_000000_0", "n1", 5.0, "")
        .ends("m_000000_0", "FINISHED", 105.0, "")
        .over("m_000000", "SUCCEEDED", 105.0)
        .why();
    let waits = |task: &str| -> Vec<(String, f64)> {
        let task = why.job.tasks.iter().find(|one| one.name == task).unwrap();
        task.waits.iter().map(|wait| (wait.kind.clone(), wait.length().round())).collect()
    };
    assert_eq!(waits("m_000001"), [("container".to_string(), 102.0)]);
    // The reduce is asked for, and its share of maps is done.
    assert_eq!(waits("r_000000"), [("slow-start".to_string(), 102.0)]);
}

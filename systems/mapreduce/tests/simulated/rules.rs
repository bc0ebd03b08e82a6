//! Rules: none stalls a job, and what they withhold is counted by its kind.
use super::run;
use system::SimulatedRun;

/// Any cluster, any thresholds, something else on any number of disks: every job ends, and none
/// waits for longer than the limit between two tasks.
#[test]
fn no_rule_stalls_a_job() {
    let mut draw = engine::Draw::keyed(1, "clusters", 0, 0);
    let rules = [
        "receive-rate",
        "potential-reception",
        "disk-rate",
        "per-disk",
        "predicted-load",
        "random",
        "delay",
        "disk-rate-auto",
        "reduces-by-need",
    ];
    for round in 0..40 {
        let mut any = |of: u64| draw.below(of);
        let scheduling = format!("fair+{}+{}", rules[any(9) as usize], rules[any(9) as usize]);
        let share = ["0%", "1%", "30%", "100%"][any(4) as usize];
        let (nodes, disks) = ((1 + any(6)).to_string(), (1 + any(3)).to_string());
        let foreign = any(4).to_string();
        let figure = ["mean", "moment"][any(2) as usize];
        let (limit, beat) = ([10, 40][any(2) as usize], [1, 5, 20][any(3) as usize]);
        let (limit_text, beat_text) = (format!("{limit}s"), format!("{beat}s"));
        let sets = [
            ("policy.scheduling", scheduling.as_str()),
            ("policy.disk_rate_threshold", share),
            ("policy.random_share", share),
            ("policy.receive_rate_threshold", "1kB/s"),
            ("policy.potential_reception_threshold", "1B"),
            ("policy.disk_rate_figure", figure),
            ("policy.withhold_limit", limit_text.as_str()),
            ("policy.heartbeat", beat_text.as_str()),
            ("cluster.nodes", nodes.as_str()),
            ("cluster.disks", disks.as_str()),
            ("hardware.foreign_disks", foreign.as_str()),
            ("task.speculation", "false"),
        ];
        let free = [sets[8], sets[9], sets[10], sets[11]];
        let (with, without) = (run(&sets, round), run(&free, round));
        let makespan = |done: &SimulatedRun| done.reading.metrics["makespan_s"];
        // Each of 24 tasks is withheld for the limit and a beat at most, one after the other.
        let bound = makespan(&without) + 24.0 * f64::from(limit + 2 * beat) * 2.0;
        assert!(makespan(&with) <= bound, "{sets:?}: {} > {bound}", makespan(&with));
        assert_eq!(with.reading.metrics["jobs_failed"], 0.0, "{sets:?}")
    }
}

/// Rules that nothing lifts look at what jobs do, which ends: so do the jobs.
#[test]
fn rules_that_nothing_lifts_stall_nothing_either() {
    for (rule, figure) in [
        ("fair+receive-rate+potential-reception+disk-rate", "mean"),
        ("fair+disk-rate+random", "moment"),
        ("fair+per-disk", "moment"),
        ("fair+predicted-load", "mean"),
        ("fair+disk-rate-auto", "mean"),
        ("fair+disk-rate-auto", "moment"),
    ] {
        let sets = [
            ("policy.scheduling", rule),
            ("policy.withhold_limit", "0s"),
            ("policy.disk_rate_figure", figure),
            ("policy.disk_rate_threshold", "0%"),
            ("policy.receive_rate_threshold", "1kB/s"),
            ("policy.potential_reception_threshold", "1B"),
        ];
        let done = run(&sets, 1).reading.metrics;
        assert!(done["makespan_s"] < 3600.0 && done["jobs_failed"] == 0.0, "{rule}: {done:?}")
    }
}

/// Disk Rate never withholds a reduce; the network rules do.
#[test]
fn what_is_withheld_is_counted_by_its_kind() {
    let withheld = |rule: &str| {
        let sets = [
            ("policy.scheduling", rule),
            ("policy.disk_rate_threshold", "0%"),
            ("policy.receive_rate_threshold", "1kB/s"),
        ];
        let done = run(&sets, 1).reading.metrics;
        (done["withheld_s"], done["withheld_reduces_s"])
    };
    let (all, reduces) = withheld("fair+disk-rate");
    assert!(all > 0.0 && reduces == 0.0, "{all} {reduces}");
    let (all, reduces) = withheld("fair+receive-rate");
    assert!(all >= reduces && reduces > 0.0, "{all} {reduces}")
}

/// At the heartbeat a disk is busy or not: with four of them, between no use and some, a threshold
/// of 1 % withholds less than the mean does, which counts what has already ended.
#[test]
fn a_disk_is_judged_by_the_time_since_the_last_heartbeat_or_by_now() {
    let withheld = |figure: &str| {
        let sets = [
            ("policy.scheduling", "fair+disk-rate"),
            ("policy.disk_rate_threshold", "1%"),
            ("policy.disk_rate_figure", figure),
        ];
        run(&sets, 1).reading.metrics["withheld_s"]
    };
    let (mean, moment) = (withheld("mean"), withheld("moment"));
    assert!(moment < mean, "at the heartbeat {moment}, in the mean {mean}")
}

/// One node has half of the disks of the others: with a fixed threshold all are withheld from, with
/// one that follows the mean less is. A node that is alone is never busier than the mean.
#[test]
fn who_is_as_busy_as_all_is_given_maps() {
    let withheld = |rule: &str, disks: &str, nodes: &str| {
        let sets = [
            ("policy.scheduling", rule),
            ("policy.disk_rate_threshold", "30%"),
            ("cluster.disks", disks),
            ("cluster.nodes", nodes),
        ];
        run(&sets, 1).reading.metrics["withheld_s"]
    };
    let (fixed, auto) =
        (withheld("fair+disk-rate", "2 2 1", "3"), withheld("fair+disk-rate-auto", "2 2 1", "3"));
    assert!(fixed > auto && auto > 0.0, "{fixed} {auto}");
    assert_eq!(withheld("fair+disk-rate-auto", "1", "1"), 0.0);
}

/// Hadoop 1.x's FairScheduler fills all slots at a heartbeat, its JobQueueTaskScheduler gives one
/// reduce: all have theirs the sooner.
#[test]
fn a_heartbeat_brings_as_many_reduces_as_it_may() {
    let took = |most: &str| {
        let sets = [
            ("policy.reduces_a_heartbeat", most),
            ("cluster.nodes", "1"),
            ("workload.jobs", "1"),
            ("task.slow_start", "0"),
        ];
        run(&sets, 1)
    };
    let begun = |most: &str| took(most).reading.metrics["reduce_s_p10"];
    assert!(begun("0") > begun("1"), "{} {}", begun("0"), begun("1"))
}

//! The claims of Watanabe 2014 on runs without rules. Bands of shares are in percent.
use super::sites::{EC2, FAIR, JOB, LAB, SITES, Set, at, format_estimate, heartbeat, reduction};
use system::claims::{Alternative, BaseScenario, Figure, Row, Run, Value};

/// In percent, without rules.
fn share(site: BaseScenario, metric: &'static str, key: &'static str) -> Figure {
    at(site, FAIR, &[]).metric(metric).named(key).percent()
}

pub fn c1_7() -> Row {
    let fair = at(LAB, FAIR, &[]);
    let wide = fair.metric("reduce_s_p90") / fair.metric("reduce_s_p10");
    Row {
        id: "C1.7",
        claim: "Lab: half of the maps end within 20 s (40 to 60 %), 70 % within 40 s (60 to 80), a \
                few need more than 180 s (0.1 to 10); reduces vary widely (the slowest tenth takes \
                twice as long as the fastest)",
        document: "50 %, 70 %, a few",
        unit: "% of the maps within 20 s",
        figures: vec![
            share(LAB, "maps_within_20s", "soon").within(40.0, 60.0),
            share(LAB, "maps_within_40s", "later").within(60.0, 80.0),
            share(LAB, "maps_beyond_180s", "never").within(0.1, 10.0),
            wide.named("wide").above(2.0),
        ],
        reason: |of| {
            let [soon, later, never, wide] = ["soon", "later", "never", "wide"].map(|key| &of[key]);
            format!("{soon} %, {later} %, {never} %; reduces {wide:.1} times")
        },
        ..Row::default()
    }
}

/// The preliminary experiment on EC2: 20 nodes, 16 jobs of 5 GB.
pub fn preliminary() -> Run {
    let sets = [
        ("cluster.nodes", "20"),
        ("workload.jobs", "16"),
        ("workload.input_bytes", "5GB"),
        ("workload.maps", "20"),
        ("workload.reduces", "20"),
        ("workload.writers", "5"),
    ];
    at(EC2, FAIR, &sets)
}

pub fn c1_8() -> Row {
    let first = |metric, key| preliminary().metric(metric).named(key).percent();
    Row {
        id: "C1.8",
        claim: "slow tasks: on Lab all due to disks; of the slowest tenth of the reduces of EC2's \
                preliminary experiment 80 % to disks, 20 % to the network",
        document: "100 %; 80 % and 20 %",
        unit: "% by disks, EC2",
        figures: vec![
            first("slow_reduces_by_disk", "disk").within(70.0, 90.0),
            first("slow_reduces_by_network", "network").within(10.0, 30.0),
            share(LAB, "slow_maps_by_disk", "maps").above(95.0),
            share(LAB, "slow_reduces_by_disk", "reduces").above(95.0),
        ],
        reason: |of| {
            format!(
                "what held the slowest tenth longest: on Lab disks {} % of the maps and {} % of \
                 the reduces; on EC2 disks {} %, network {} %",
                of["maps"], of["reduces"], of["disk"], of["network"]
            )
        },
        ..Row::default()
    }
}

/// A variant that sets `key`, judged by one figure.
fn other(site: BaseScenario, what: &str, (key, value): Set, figure: &Figure) -> Alternative {
    let what = format!("{}, {what}", site.name);
    Alternative::of(what, value, std::slice::from_ref(figure)).with(&[(key, value)])
}

/// Holds by construction if reduces start before the last map ends.
pub fn c1_9() -> Row {
    let waits = |site: BaseScenario| {
        let waits = at(site, FAIR, &[]).metric("waits_for_maps_share");
        waits.at("waits", site.name).percent().above(10.0)
    };
    let late = ("task.slow_start", "1");
    let gain = |site: BaseScenario| {
        let gain = reduction(JOB, &at(site, FAIR, &[late]), &at(site, FAIR, &[]));
        gain.at("gain", site.name).percent()
    };
    Row {
        id: "C1.9",
        claim: "one late map holds every reduce of its job, and their slots the next jobs (more \
                than a tenth of the tasks' time)",
        document: "seen in the Gantt chart",
        unit: "% of the tasks' time, Lab",
        figures: [SITES.map(waits), SITES.map(gain)].concat(),
        alternatives: SITES.map(|site| other(site, late.0, late, &waits(site))).into(),
        verdict: |of| of.verdict().by_construction(),
        reason: |of| {
            let [lab, ec2] = SITES.map(|site| of.at("waits", site.name));
            let [on_lab, on_ec2] = SITES.map(|site| format_estimate(of.at("gain", site.name)));
            format!(
                "reduces in their slots wait for maps for {lab} % of all tasks' time on Lab, {ec2} \
                 % on EC2. This holds in any run in which reduces start before the last map ends. \
                 Without the early start (task.slow_start = 1) jobs are shorter by {on_lab} on \
                 Lab, {on_ec2} on EC2"
            )
        },
        ..Row::default()
    }
}

pub fn c1_11() -> Row {
    let [others, first] = ["job_s_others", "job_s_first_four"].map(|of| preliminary().metric(of));
    let longer = Value::each([others, first], |[others, first]| others / first - 1.0);
    let longer = longer.named("longer").percent().above(50.0);
    // Late maps have causes that the base does not contain.
    let tried = [("hardware.first_write", "1"), ("cluster.memory_gb", "0")];
    Row {
        id: "C1.11",
        claim: "EC2, preliminary: jobs 0 to 3 end sooner than the later ones, which take 50 % \
                longer and more",
        document: "more than 50 %",
        unit: "% longer",
        alternatives: tried.map(|set| other(EC2, set.0, set, &longer)).into(),
        figures: vec![longer],
        reason: |of| format!("jobs 4 to 15 take {} % longer than jobs 0 to 3", of["longer"]),
        ..Row::default()
    }
}

pub fn c1_12() -> Row {
    let limited = share(LAB, "core_limited_share", "limited").below(2.0);
    let counting = ("workload.kind", "wordcount");
    Row {
        id: "C1.12",
        claim: "Lab: the CPU never limits (less than 2 % of the tasks' time)",
        document: "no node stays at 100 %",
        unit: "% of the tasks' time",
        alternatives: vec![other(LAB, counting.0, counting, &limited)],
        figures: vec![limited, at(LAB, FAIR, &[]).metric("map_s_mean").named("map")],
        verdict: |of| of.verdict().by_construction(),
        reason: |of| {
            format!(
                "all cores of a node are taken for {:.2} % of the tasks' time: with 15 ms of CPU a \
                 MB, assumed for Sort, a map computes for 4 of its {} s",
                of["limited"], of["map"]
            )
        },
        ..Row::default()
    }
}

pub fn c1_13() -> Row {
    let local = at(EC2, FAIR, &[]).metric("data_local_share");
    let remote = Value::each([local], |[local]| 1.0 - local);
    let remote = remote.named("remote").percent().within(15.0, 25.0);
    let delay = |wait| other(EC2, "policy.locality_wait", ("policy.locality_wait", wait), &remote);
    let (what, sets) = heartbeat();
    let what = format!("{}, {what}", EC2.name);
    let often = Alternative::of(what, "0.5s, 0.75s", std::slice::from_ref(&remote));
    Row {
        id: "C1.13",
        claim: "EC2: about 20 % of the maps are remote (15 to 25 %)",
        document: "20 %",
        unit: "% remote",
        alternatives: [often.with(&sets)].into_iter().chain(["0s", "0.1s"].map(delay)).collect(),
        figures: vec![remote],
        reason: |_| {
            "FairScheduler delays maps for 1.5 heartbeats by default, 7.5 s with the paper's \
             heartbeat of 5 s: then nearly all maps find a slot next to one of three replicas. \
             The shorter the wait, the more are remote"
                .into()
        },
        ..Row::default()
    }
}

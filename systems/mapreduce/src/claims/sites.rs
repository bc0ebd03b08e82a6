//! The document's clusters, rules and thresholds, and what it leaves open.
use system::claims::{Alternative, Band, Base, Estimate, Run, Value};

const FILE: &str = "s1.toml";
/// Six workers of three kinds.
pub const LAB: Base = Base {
    name: "Lab",
    file: FILE,
    text: include_str!("../../../../scenarios/mapreduce-lab.toml"),
};
/// Fifty of Amazon's.
pub const EC2: Base = Base {
    name: "Ec2",
    file: FILE,
    text: include_str!("../../../../scenarios/mapreduce-ec2.toml"),
};
/// Ours: racks with narrow uplinks.
pub const RACKS: Base = Base {
    name: "Racks",
    file: FILE,
    text: include_str!("../../../../scenarios/mapreduce-racks.toml"),
};
/// Both of the document's.
pub const SITES: [Base; 2] = [LAB, EC2];

/// The document's default.
pub const FAIR: &str = "fair";
pub const RECEIVE: &str = "fair+receive-rate";
/// As bytes that are being fetched.
pub const POTENTIAL: &str = "fair+potential-reception";
pub const DISK: &str = "fair+disk-rate";
pub const TWO: &str = "fair+receive-rate+disk-rate";
pub const ALL: &str = "fair+receive-rate+potential-reception+disk-rate";
/// Maps are withheld by chance.
pub const NULL: &str = "fair+random";
/// What the tables compare: the document's, then the null rule.
pub const RULES: [&str; 7] = [FAIR, RECEIVE, POTENTIAL, DISK, TWO, ALL, NULL];

pub type Set = (&'static str, &'static str);

/// A run under a rule. The document's rules lack our limit: nothing lifts them.
pub fn at(site: Base, scheduling: &str, more: &[Set]) -> Run {
    let own = [("policy.scheduling", scheduling), ("policy.withhold_limit", "0s")];
    Run::of(site, &own).with(more)
}

pub const JOB: &str = "job_s_mean";

/// By which part jobs are shorter under a rule than under another.
pub fn shorter(site: Base, rule: &str, than: &str) -> Value {
    at(site, rule, &[]).metric(JOB).less_than(at(site, than, &[]).metric(JOB))
}

/// By which part a metric is less in a run than in another.
pub fn less(metric: &'static str, run: &Run, than: &Run) -> Value {
    run.metric(metric).less_than(than.metric(metric))
}

/// "+5.2 ± 1.0 %"
pub fn said(of: &Estimate) -> String {
    format!("{of:+#.1} %")
}

/// A sweep of a rule's threshold on Lab: the rule, the key, its values.
pub type Sweep = (&'static str, &'static str, [&'static str; 4]);

pub const BY_RECEIVE: Sweep =
    (RECEIVE, "policy.receive_rate_threshold", ["80Mbit/s", "320Mbit/s", "480Mbit/s", "640Mbit/s"]);
pub const BY_POTENTIAL: Sweep =
    (POTENTIAL, "policy.potential_reception_threshold", ["100MB", "150MB", "200MB", "250MB"]);
pub const BY_DISK: Sweep = (DISK, "policy.disk_rate_threshold", ["20%", "40%", "60%", "80%"]);

/// Mean job times of a sweep.
pub fn swept((rule, key, values): Sweep) -> [(&'static str, Value); 4] {
    values.map(|value| (value, at(LAB, rule, &[(key, value)]).metric(JOB)))
}

/// Fewer map slots, which need no rule.
pub fn slots(site: Base) -> Run {
    at(site, FAIR, &[("cluster.map_slots", "2")])
}

/// A value that is tried for what the document leaves open: what, and keys.
pub type Tried = (&'static str, Vec<Set>);

/// A disk's total rate against streams, by kind of access: what, and the batch that gives about
/// that rate, with g = 0. Measured under Linux 6.18 on virtual disks of 120 MB/s: the second,
/// fourth and fifth by `tenbin calibrate disk` (`docs/testbed.md`), the first and third on a
/// prototype of that disk. Its queue is a model: first-come and nearest-first are bounds, a real
/// disk's lies between.
const CURVES: [Set; 5] = [
    ("curve: readers, the kernel's readahead, queue first-come", "300kB"),
    ("curve: readers, the kernel's readahead, queue nearest-first", "1MB"),
    ("curve: readers, HDFS's readahead of 4 MiB", "3MB"),
    ("curve: half readers, half writers", "2MB"),
    ("curve: writers", "20MB"),
];
/// Table 4 says 38, the count of table 8 fits 20.
pub const REDUCES: Set = ("workload.reduces", "20");

pub fn one(set: Set) -> Tried {
    (set.0, vec![set])
}

/// Of every comparison of rules on a site; the limit is our model's own.
pub fn of_rules(site: Base) -> Vec<Tried> {
    let both = [("policy.withhold_limit", "40s"), ("policy.reduces_a_heartbeat", "0")];
    let ec2 = [("hardware.first_write", "2"), REDUCES];
    let is_ec2 = |_: &Set| site == EC2;
    both.into_iter().chain(ec2.into_iter().filter(is_ec2)).map(one).collect()
}

/// Of Disk Rate: what its figure is and what disks are like, too.
pub fn of_disks(site: Base) -> Vec<Tried> {
    let curve = |(what, batch)| -> Tried {
        (what, vec![("hardware.disk_batch", batch), ("hardware.disk_curve", "0")])
    };
    let own = [
        ("policy.disk_rate_figure", "moment"),
        ("policy.heartbeat", "0.5s"),
        ("hardware.cached", "0"),
        ("hardware.cached", "1"),
    ];
    CURVES.into_iter().map(curve).chain(own.map(one)).chain(of_rules(site)).collect()
}

/// By which part a site's jobs are shorter under a rule than under another, where each of these is
/// tried.
pub fn tried(
    site: Base,
    (rule, than): (&str, &str),
    band: Band,
    all: Vec<Tried>,
) -> Vec<Alternative> {
    let figure = shorter(site, rule, than).named("").percent().is(band);
    let open = |(what, sets): Tried| {
        let values: Vec<&str> = sets.iter().map(|(_, value)| *value).collect();
        let what = format!("{}, {what}", site.name);
        Alternative::of(what, values.join(", "), std::slice::from_ref(&figure)).with(&sets)
    };
    all.into_iter().map(open).collect()
}

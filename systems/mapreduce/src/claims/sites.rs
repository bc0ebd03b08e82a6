//! Clusters, rules and thresholds of Watanabe 2014, and values for what the paper leaves open.
use system::claims::{Alternative, Band, BaseScenario, Estimate, Run, Value};

const FILE: &str = "s1.toml";
/// Six workers of three hardware types.
pub const LAB: BaseScenario =
    BaseScenario { name: "Lab", file: FILE, text: include_str!("../../scenarios/s1-lab.toml") };
/// Fifty Amazon EC2 instances.
pub const EC2: BaseScenario =
    BaseScenario { name: "Ec2", file: FILE, text: include_str!("../../scenarios/s1-ec2.toml") };
/// Racks with narrow uplinks; not in the paper.
pub const RACKS: BaseScenario = BaseScenario {
    name: "Racks",
    file: FILE,
    text: include_str!("../../../../scenarios/mapreduce-racks.toml"),
};
pub const SITES: [BaseScenario; 2] = [LAB, EC2];

/// Hadoop's default in the paper.
pub const FAIR: &str = "fair";
pub const RECEIVE: &str = "fair+receive-rate";
/// Counts bytes being fetched, not outstanding ones.
pub const POTENTIAL: &str = "fair+potential-reception";
pub const DISK: &str = "fair+disk-rate";
pub const TWO: &str = "fair+receive-rate+disk-rate";
pub const ALL: &str = "fair+receive-rate+potential-reception+disk-rate";
pub const NULL: &str = "fair+random";
/// Rules in the paper's tables, then the null rule.
pub const RULES: [&str; 7] = [FAIR, RECEIVE, POTENTIAL, DISK, TWO, ALL, NULL];

pub type Set = (&'static str, &'static str);

/// No rule is ever lifted, as in the paper. Jobs wait for local slots, as with Hadoop 1.x's
/// FairScheduler.
pub fn at(site: BaseScenario, scheduling: &str, more: &[Set]) -> Run {
    let scheduling = scheduling.replacen(FAIR, "fair+delay", 1);
    let own = [("policy.scheduling", scheduling.as_str()), ("policy.withhold_limit", "0s")];
    Run::of(site, &own).with(more)
}

pub const JOB: &str = "job_s_mean";

/// Fraction by which mean job time under `rule` is below that under `than`.
pub fn job_time_reduction(site: BaseScenario, rule: &str, than: &str) -> Value {
    at(site, rule, &[]).metric(JOB).less_than(at(site, than, &[]).metric(JOB))
}

/// Fraction by which a metric of `run` is below that of `than`.
pub fn reduction(metric: &'static str, run: &Run, than: &Run) -> Value {
    run.metric(metric).less_than(than.metric(metric))
}

/// "+5.2 ± 1.0 %"
pub fn format_estimate(of: &Estimate) -> String {
    format!("{of:+#.1} %")
}

/// A rule, a key and its values, on Lab.
pub type Sweep = (&'static str, &'static str, [&'static str; 4]);

pub const BY_RECEIVE: Sweep =
    (RECEIVE, "policy.receive_rate_threshold", ["80Mbit/s", "320Mbit/s", "480Mbit/s", "640Mbit/s"]);
pub const BY_POTENTIAL: Sweep =
    (POTENTIAL, "policy.potential_reception_threshold", ["100MB", "150MB", "200MB", "250MB"]);
pub const BY_DISK: Sweep = (DISK, "policy.disk_rate_threshold", ["20%", "40%", "60%", "80%"]);

pub fn sweep_values((rule, key, values): Sweep) -> [(&'static str, Value); 4] {
    values.map(|value| (value, at(LAB, rule, &[(key, value)]).metric(JOB)))
}

/// Fewer map slots: the same concurrency limit without a rule.
pub fn slots(site: BaseScenario) -> Run {
    at(site, FAIR, &[("cluster.map_slots", "2")])
}

/// A name and the settings of a variant for what the paper leaves open.
pub type VariantSettings = (&'static str, Vec<Set>);

/// Batches of readers, measured under Linux 6.18 on virtual disks of 120 MB/s by `tenbin calibrate
/// disk` (`docs/testbed.md`) and its prototype. First-come and nearest-first queues are bounds; a
/// real disk is between them.
const CURVES: [Set; 3] = [
    ("curve: the kernel's readahead, queue first-come", "300kB"),
    ("curve: the kernel's readahead, queue nearest-first", "1MB"),
    ("curve: HDFS's readahead of 4 MiB", "3MB"),
];
/// Table 4 has 38 reduces. The count in table 8 fits the 20 of the base.
pub const REDUCES: Set = ("workload.reduces", "38");

/// The heartbeat of Hadoop 1.1.2's code at this size; FairScheduler's delay is 1.5 heartbeats.
/// Watanabe 2014 states 5 s.
pub fn heartbeat() -> VariantSettings {
    let sets = vec![("policy.heartbeat", "0.5s"), ("policy.locality_wait", "0.75s")];
    ("policy.heartbeat, policy.locality_wait", sets)
}

pub fn single_setting(set: Set) -> VariantSettings {
    (set.0, vec![set])
}

/// Variants for every comparison of rules. `policy.withhold_limit` is not in the paper.
pub fn of_rules(site: BaseScenario) -> Vec<VariantSettings> {
    let both = [("policy.withhold_limit", "40s"), ("cluster.memory_gb", "0")];
    let ec2 = [("hardware.nic", "1.25Gbit/s"), ("hardware.nic", "1.5Gbit/s"), REDUCES];
    let is_ec2 = |_: &Set| site == EC2;
    let sets = both.into_iter().chain(ec2.into_iter().filter(is_ec2)).map(single_setting);
    sets.chain([heartbeat()]).collect()
}

/// Variants for Disk Rate: its figure and disk model, then [`of_rules`].
pub fn of_disks(site: BaseScenario) -> Vec<VariantSettings> {
    let curve = |(what, batch)| (what, vec![("hardware.disk_batch", batch)]);
    let figure = single_setting(("policy.disk_rate_figure", "moment"));
    CURVES.into_iter().map(curve).chain([figure]).chain(of_rules(site)).collect()
}

const FEW: u32 = 5;

/// One alternative per variant, each judged by [`job_time_reduction`] within `band`.
pub fn list_alternatives(
    site: BaseScenario,
    (rule, than): (&str, &str),
    band: Band,
    all: Vec<VariantSettings>,
) -> Vec<Alternative> {
    let figure = job_time_reduction(site, rule, than).named("").percent().is(band);
    let open = |(what, sets): VariantSettings| {
        let values: Vec<&str> = sets.iter().map(|(_, value)| *value).collect();
        let what = format!("{}, {what}", site.name);
        Alternative::of(what, values.join(", "), std::slice::from_ref(&figure))
            .with(&sets)
            .seeds(FEW)
    };
    all.into_iter().map(open).collect()
}

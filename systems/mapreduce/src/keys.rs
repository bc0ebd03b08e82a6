//! Scenario keys of MapReduce.
use crate::policy::{is_in_jar, is_shipped, names_in};
use cluster::Values;
use cluster::keys::{Candidate, Change, Key, KeyDefault::*, Kind, Vocabulary, shared};

const S1: &str = "Watanabe 2014";
const HADOOP: &str = "Hadoop 1.x, mapred-default.xml";
const TIME: Kind = Kind::Time { zero: true };
const NO_ZERO: Kind = Kind::Time { zero: false };

const JOB: &str = "with the next job (mapred-site.xml, or the job's own configuration)";
const TRACKERS: &str = "after a restart of the TaskTrackers";
const JOB_TRACKER: &str = "after a restart of the JobTracker";
/// When new thresholds of the plug-in's rules take effect.
const REFRESH: &str = "with yarn rmadmin -refreshQueues, if tenbin-yarn.jar runs there";

/// How to install the plug-in's rules in YARN, and how to undo it.
macro_rules! jar {
    ($scheduler:literal) => {
        concat!(
            "after a restart of the ResourceManager and the NodeManagers with tenbin-yarn.jar \
             (systems/mapreduce/hadoop/README.md) and, in yarn-site.xml, ",
            $scheduler,
            ", yarn.nodemanager.resource-calculator.class = \
             tenbin.yarn.TenbinResourceCalculatorPlugin, and the threshold (tenbin.….threshold; \
             disk-rate-auto: tenbin.disk-rate.threshold = auto). To undo, empty the threshold and \
             run yarn rmadmin -refreshQueues: then no task is withheld"
        )
    };
}

/// For the CapacityScheduler, Hadoop's default.
const JAR: &str =
    jar!("yarn.scheduler.app-placement-allocator.class = tenbin.yarn.TenbinAppPlacementAllocator");
const JAR_FAIR: &str = jar!(
    "yarn.resourcemanager.scheduler.class = \
     org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.TenbinFairScheduler"
);

/// Memory that holds map outputs is not available to the reduce function.
fn keeps(from: &str, to: &str) -> Change {
    let more = to.parse::<f64>().unwrap_or(0.0) > from.parse::<f64>().unwrap_or(0.0);
    let costs = if more { "heap that the job's reduce function loses" } else { "" };
    Change::Setting { when: JOB, costs }
}

/// Each slot runs a JVM.
fn slots(from: &str, to: &str) -> Change {
    let sum =
        |text: &str| text.split([' ', ',']).filter_map(|n| n.parse::<u32>().ok()).sum::<u32>();
    let costs = if sum(to) > sum(from) { "a heap of memory for each additional slot" } else { "" };
    Change::Setting { when: TRACKERS, costs }
}

/// Half and double the number of each node.
fn fewer_and_more(_: &Values, now: &str) -> Vec<String> {
    let each = |of: fn(u32) -> u32| {
        let words = now.split([' ', ',']).filter(|word| !word.is_empty());
        let all: Option<Vec<String>> =
            words.map(|word| Some(of(word.parse().ok()?).to_string())).collect();
        all.map(|all| all.join(" "))
    };
    [each(|n| n.div_ceil(2)), each(|n| n.saturating_mul(2))].into_iter().flatten().collect()
}

/// Double and four times the reduces, one per slot, and half.
fn reduces(values: &Values, now: &str) -> Vec<String> {
    let nodes = usize::try_from(values.count("cluster.nodes")).unwrap_or(usize::MAX);
    let of_each: Vec<u64> = (values.text("cluster.reduce_slots").split([' ', ',']))
        .filter_map(|word| word.parse().ok())
        .collect();
    let last = of_each.last().copied().unwrap_or(0);
    let first: u64 = of_each.iter().take(nodes).sum();
    let slots = first + last * nodes.saturating_sub(of_each.len()) as u64;
    let now: u64 = now.parse().unwrap_or(0);
    let all = [2 * now, 4 * now, slots, now / 2].into_iter().filter(|n| *n > 0);
    all.map(|n| n.to_string()).collect()
}

fn has_reduces(values: &Values) -> bool {
    values.count("workload.reduces") > 0
}

/// Hadoop has delay scheduling. The YARN plug-in has the three rules of Watanabe 2014 and
/// `disk-rate-auto`. Other rules exist only in the simulator.
fn scheduling(_: &str, to: &str) -> Change {
    let fair = names_in(to).next() == Some("fair");
    match () {
        () if names_in(to).all(is_shipped) => Change::setting(JOB_TRACKER),
        () if !names_in(to).all(|name| is_shipped(name) || is_in_jar(name)) => Change::Research,
        () => Change::setting(if fair { JAR_FAIR } else { JAR }),
    }
}

static CLUSTER: [Key; 7] = [
    Key::new("cluster.nodes", Kind::count(1, 10_000), Required, "Workers").row("{} nodes"),
    Key::new("cluster.racks", Kind::count(1, 1_000), Default("1"), "Racks, filled round-robin")
        .row("{} racks"),
    Key::new(
        "cluster.disks",
        Kind::Text,
        Default("4"),
        "Disks of each node: a number, or one for each node: \"4 3 3 2\"; the last one holds for \
         the rest",
    )
    .row("disks {}"),
    Key::new("cluster.cores", Kind::Text, Default("4"), "Cores of each node, in the same way"),
    Key::new(
        "cluster.memory_gb",
        Kind::Text,
        Default("0"),
        "Memory of each node, GB, in the same way: what slots and daemons leave is page cache; 0: \
         hardware.cached holds instead",
    )
    .row("memory {} GB"),
    Key::new("cluster.map_slots", Kind::Text, Default("4"), "Maps at a time, in the same way")
        .source(S1)
        .row("{} map slots")
        .takes(slots)
        .tries_by(fewer_and_more),
    Key::new("cluster.reduce_slots", Kind::Text, Default("4"), "Reduces at a time")
        .source(S1)
        .row("{} reduce slots")
        .takes(slots)
        .tries_by(fewer_and_more),
];

static HARDWARE: [Key; 11] = [
    Key::new(
        "hardware.disk",
        Kind::Disk,
        Assumed("120MB/s"),
        "A disk, to one stream: a rate, or a name of `tenbin list hardware`",
    )
    .source("Seagate Barracuda 7200.12, data sheet: 125 MB/s at most"),
    Key::new(
        "hardware.disk_seek",
        TIME,
        AssumedBy("12.7ms", shared::SEEK_OF_DISK),
        "Time of each switch of streams; a named disk has its own",
    )
    .source("Seagate Barracuda 7200.12: 8.5 ms and half a turn of 8.3 ms"),
    Key::new(
        "hardware.disk_batch",
        Kind::Amount,
        Assumed("850kB"),
        "Data of one stream between two switches, with two streams",
    )
    .source("between the values of several kinds of access: docs/testbed.md; swept"),
    Key::new(
        "hardware.disk_curve",
        Kind::Choice(&["0", "0.25", "0.5", "0.75", "1"]),
        Default("0.5"),
        "g: of n streams the batch is disk_batch / n^g",
    )
    .source("between the values of several kinds of access: docs/testbed.md; swept")
    .row("g = {}"),
    Key::new(
        "hardware.write_batch",
        Kind::Amount,
        Derived("hardware.disk_batch", |values, _| Some(values.text("hardware.disk_batch").into())),
        "As disk_batch, for streams that write",
    )
    .source("docs/testbed.md: writers lose less than readers")
    .row("writers {}"),
    Key::new(
        "hardware.first_write",
        Kind::Number,
        Default("1"),
        "Factor on the time of writes (EC2: a disk's first writes)",
    )
    .row("first writes x {}"),
    Key::new(
        "hardware.cached",
        Kind::Share,
        Assumed("0.5"),
        "Part of spills and map outputs that is read from memory, not from the disk, without \
         cluster.memory_gb",
    ),
    Key::new("hardware.nic", Kind::Rate, Default("1Gbit/s"), "Each node, each way").source(S1),
    Key::new(
        "hardware.inter_rack",
        Kind::Rate,
        Default("10Gbit/s"),
        "Each rack's uplink, each way",
    )
    .row("uplink {}"),
    Key::new(
        "hardware.foreign_disks",
        Kind::count(0, 64),
        Default("0"),
        "Disks of each node on which another program reads all the time",
    )
    .row("{} disks foreign"),
    Key::new("hardware.profile", Kind::Text, Default(""), "Source of these figures"),
];

/// Typical values of a job kind: map output per byte of input, map CPU \[ns/byte\], reduce output
/// per byte of input, reduce CPU \[ns/byte\]. Those of Sort are from a prototype, the others from
/// their combiners.
fn usually(values: &Values, place: usize) -> Option<String> {
    let all = match values.text("workload.kind") {
        "wordcount" => ["0.25", "80", "0.5", "20"],
        "grep" => ["0.0001", "20", "1", "15"],
        _ => ["1", "15", "1", "15"],
    };
    Some(all[place].into())
}

static WORKLOAD: [Key; 15] = [
    Key::new("workload.jobs", Kind::count(1, 100_000), Default("5"), "Jobs").row("{} jobs"),
    Key::new(
        "workload.kind",
        Kind::Choice(&["sort", "terasort", "wordcount", "grep"]),
        Default("sort"),
        "Bytes and CPU of each phase, if the keys below do not set them",
    ),
    Key::new(
        "workload.map_output",
        Kind::Number,
        Derived("workload.kind", |values, _| usually(values, 0)),
        "Output bytes of a map, after its combiner, for a byte of its input",
    )
    .row("map output x {}"),
    Key::new(
        "workload.map_cpu",
        Kind::Number,
        Derived("workload.kind", |values, _| usually(values, 1)),
        "A map's time on a core, ns for a byte of its input",
    )
    .row("map CPU {} ns/B"),
    Key::new(
        "workload.reduce_output",
        Kind::Number,
        Derived("workload.kind", |values, _| usually(values, 2)),
        "Output bytes of a reduce for a byte of its input",
    )
    .row("reduce output x {}"),
    Key::new(
        "workload.reduce_cpu",
        Kind::Number,
        Derived("workload.kind", |values, _| usually(values, 3)),
        "A reduce's time on a core, ns for a byte of its input",
    )
    .row("reduce CPU {} ns/B"),
    Key::new("workload.input_bytes", Kind::Amount, Default("5GB"), "Of each job"),
    Key::new(
        "workload.maps",
        Kind::count(1, 100_000),
        Derived("input_bytes over blocks of 256 MiB", |values, _| {
            let bytes = values.bytes("workload.input_bytes").0;
            Some(bytes.div_ceil(256 << 20).max(1).to_string())
        }),
        "Of each job",
    )
    .row("{} maps"),
    Key::new("workload.reduces", Kind::count(0, 100_000), Default("10"), "Of each job")
        .row("{} reduces")
        .setting(JOB)
        .tries_by(reduces)
        .candidate(Candidate::relieves(&["Disk", "NIC", "Core"]).applies(has_reduces)),
    Key::new("workload.arrival_interval", TIME, Default("5s"), "Between two submissions")
        .source(S1),
    Key::new(
        "workload.writers",
        Kind::count(0, 100_000),
        Default("0"),
        "Maps of randomwriter that wrote a job's input, first replicas to their own nodes; 0: a \
         client outside the cluster wrote it",
    )
    .row("{} writers"),
    Key::new("workload.replication", Kind::count(1, 100), Default("1"), "Of the input").source(S1),
    Key::new(
        "workload.output_replication",
        Kind::count(1, 3),
        Derived("workload.replication, as both are HDFS's setting; 3 at most", |values, _| {
            Some(values.count("workload.replication").min(3).to_string())
        }),
        "Of the output, written by a pipeline; TeraSort writes one",
    )
    .row("{} replicas of outputs"),
    Key::new("workload.failures", Kind::Share, Default("0"), "Part of the attempts that fail"),
    Key::new("workload.limit", NO_ZERO, Default("30d"), "The run ends at this time"),
];

static TASK: [Key; 10] = [
    Key::new("task.startup", TIME, Assumed("1s"), "A JVM starts"),
    Key::new("task.heap", Kind::Amount, Default("200MiB"), "Of each slot's JVM; not page cache")
        .source(HADOOP),
    Key::new("task.sort_mb", Kind::Amount, Default("100MiB"), "io.sort.mb; spilled at 80 %")
        .source(HADOOP)
        .setting(JOB),
    Key::new("task.sort_factor", Kind::count(2, 1_000), Default("10"), "io.sort.factor")
        .source(HADOOP)
        .setting(JOB),
    Key::new("task.parallel_copies", Kind::count(1, 100), Default("5"), "Of a reduce")
        .source(HADOOP)
        .setting(JOB),
    Key::new("task.reduce_buffer", Kind::Amount, Default("140MB"), "70 % of a heap of 200 MB")
        .source(HADOOP)
        .setting(JOB),
    Key::new(
        "task.reduce_input_buffer",
        Kind::Share,
        Default("0"),
        "Part of that buffer that may hold map outputs during the reduce; the rest goes to the \
         disk first (mapreduce.reduce.input.buffer.percent)",
    )
    .source(HADOOP)
    .row("reduce keeps {}")
    .takes(keeps),
    Key::new("task.slow_start", Kind::Share, Default("0.05"), "Maps done before reduces start")
        .source(HADOOP)
        .row("slow-start {}")
        .setting(JOB)
        .tries(&["0.5", "0.8", "1"])
        .candidate(Candidate::relieves(&["slot", "Slot"]).applies(has_reduces)),
    Key::new("task.speculation", Kind::Flag, Default("true"), "A slow task gets a second attempt")
        .source(HADOOP)
        .setting(JOB),
    Key::new("task.attempts", Kind::count(1, 100), Default("4"), "Then the job fails")
        .source(HADOOP)
        .setting(JOB),
];

static POLICY: [Key; 15] = [
    Key::new(
        "policy.scheduling",
        Kind::Name,
        Default("fair"),
        "An order, and rules: fair+disk-rate",
    )
    .row("{}")
    .takes(scheduling)
    .tries(&["fair", "fifo", "fair+delay", "fair+disk-rate"])
    .candidate(
        Candidate::relieves(&["slot", "Disk"]).applies(|values| values.count("workload.jobs") > 1),
    ),
    Key::new("policy.heartbeat", NO_ZERO, Default("5s"), "Of each node").source(S1).row("beat {}"),
    Key::new(
        "policy.master_heartbeat",
        TIME,
        Default("0s"),
        "A job's master requests and receives containers at its own heartbeats \
         (yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms, 1 s), and maps wait if reduces \
         have no slot, as in YARN with both resource types; 0s: Hadoop 1 has none",
    )
    .row("master's beat {}"),
    Key::new("policy.receive_rate_threshold", Kind::Rate, Default("160Mbit/s"), "Receive Rate")
        .source(S1)
        .row("receive {}")
        .setting(REFRESH),
    Key::new(
        "policy.potential_reception_threshold",
        Kind::Amount,
        Default("100MB"),
        "Potential Reception",
    )
    .source(S1)
    .row("potential {}")
    .setting(REFRESH),
    Key::new(
        "policy.potential_reception",
        Kind::Choice(&["fetching", "outstanding"]),
        Default("fetching"),
        "The bytes that count; Watanabe 2014 has both",
    ),
    Key::new("policy.disk_rate_threshold", Kind::Share, Default("30%"), "Disk Rate")
        .source(S1)
        .row("disk {}")
        .setting(REFRESH),
    Key::new(
        "policy.disk_rate_figure",
        Kind::Choice(&["mean", "moment"]),
        Default("mean"),
        "Busy time of a disk: since the previous heartbeat, or at the heartbeat",
    )
    .row("disks' {}"),
    Key::new(
        "policy.withhold_limit",
        TIME,
        Default("40s"),
        "A job without a new task of a kind for this time is exempt from rules; 0s: never",
    )
    .row("limit {}")
    .setting(REFRESH),
    Key::new("policy.locality_wait", TIME, Default("5s"), "Delay scheduling").setting(JOB_TRACKER),
    Key::new("policy.predicted_share", Kind::Share, Default("0.5"), "Of a disk, by each map given")
        .setting(JOB_TRACKER),
    Key::new("policy.random_share", Kind::Share, Default("0.3"), "The null rule")
        .row("null {}")
        .setting(JOB_TRACKER),
    Key::new(
        "policy.maps_a_heartbeat",
        Kind::count(0, 1_000),
        Default("0"),
        "Most maps that a node gets at one heartbeat; 0: as many as it has slots",
    )
    .setting(JOB_TRACKER),
    Key::new(
        "policy.reduces_a_heartbeat",
        Kind::count(0, 1_000),
        Default("1"),
        "Reduces at a heartbeat; Hadoop 1.x's JobQueueTaskScheduler gives 1, its FairScheduler all",
    )
    .row("{} reduces a beat")
    .setting(JOB_TRACKER),
    Key::new(
        "policy.even_load",
        Kind::Flag,
        Default("false"),
        "A node runs at most its share of the tasks that run or could, by its slots, as with \
         Hadoop 1.x's FairScheduler (CapBasedLoadManager)",
    )
    .row("even load {}")
    .setting(JOB_TRACKER),
];

pub static MAPREDUCE: Vocabulary = Vocabulary::plain(
    "mapreduce",
    &[
        &CLUSTER,
        &HARDWARE,
        &WORKLOAD,
        &TASK,
        &POLICY,
        &shared::SYSTEM,
        &shared::RUN,
        &shared::VARIANT,
    ],
    |v| v.text("policy.scheduling").to_string(),
);

/// Parses "4 3 3 2" for `nodes` nodes; the last number also applies to all further nodes.
pub fn numbers(text: &str, nodes: u32) -> Option<Vec<u32>> {
    let words = text.split([' ', ',']).filter(|word| !word.is_empty());
    let given: Option<Vec<u32>> = words.map(|word| word.parse().ok()).collect();
    let given = given?;
    let last = *given.last()?;
    let at = |node: u32| given.get(node as usize).copied().unwrap_or(last);
    Some((0..nodes).map(at).collect())
}

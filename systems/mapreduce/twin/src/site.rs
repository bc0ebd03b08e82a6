//! Site files of a cluster of daemons, and configurations of its jobs.
use crate::setup::{CONTAINER, MASTER, MASTERS, TwinSetup};
use std::path::{Path, PathBuf};
use system::Failure;
use testbed::bed::Host;
use testbed::twin::site::{Conf, Properties, on_disks, owned};
use units::{Bytes, floored_u64};

/// Path of finished jobs' histories in HDFS.
pub(crate) const HISTORIES: &str = "/staging/history/done_intermediate/*/*.jhist";

/// YARN resource types that model slots of maps and of reduces.
const SLOTS: [&str; 2] = ["mapslot", "reduceslot"];

/// Memory of a task in addition to its buffers \[MiB\].
const TASK: u64 = 200;

/// Writes the files. Returns the absolute folder.
///
/// # Errors
/// A file cannot be written.
pub(crate) fn write(
    wanted: &TwinSetup,
    hosts: &[Host],
    class_path: &str,
    folder: &Path,
) -> Result<PathBuf, Failure> {
    let conf = Conf {
        hosts,
        master: MASTER,
        pages: &["hdfs", "datanode", "static", "cluster", "node"],
        files: &format!("hdfs://{MASTER}:8020"),
        logged: "",
    };
    conf.write(folder, &|folder| {
        let tasks = format!("{}:{class_path}", folder.join("conf").display());
        vec![
            ("hdfs-site.xml", hdfs(wanted, hosts, folder)),
            ("yarn-site.xml", yarn(wanted, hosts, folder)),
            ("mapred-site.xml", jobs(wanted, &tasks)),
            ("capacity-scheduler.xml", queues()),
        ]
    })
}

fn hdfs(wanted: &TwinSetup, hosts: &[Host], folder: &Path) -> Properties {
    owned(&[
        ("dfs.namenode.name.dir", &folder.join("name").display().to_string()),
        ("dfs.datanode.data.dir", &on_disks(hosts, "dfs")),
        ("dfs.namenode.http-address", &format!("{MASTER}:9870")),
        ("dfs.namenode.datanode.registration.ip-hostname-check", "false"),
        ("dfs.namenode.safemode.extension", "0"),
        ("dfs.datanode.du.reserved", "0"),
        ("dfs.permissions.enabled", "false"),
        ("dfs.blocksize", &wanted.block().to_string()),
        ("dfs.namenode.fs-limits.min-block-size", "512"),
        ("dfs.replication", &wanted.replication.to_string()),
    ])
}

fn yarn(wanted: &TwinSetup, hosts: &[Host], folder: &Path) -> Properties {
    // Memory and cores limit nothing: only slots do, separately for maps and reduces.
    let tasks = u64::from(wanted.jobs) * u64::from(wanted.maps + wanted.reduces);
    let memory = tasks * CONTAINER + u64::from(wanted.jobs) * MASTERS;
    let scheduler = "org.apache.hadoop.yarn.server.resourcemanager.scheduler";
    let class = match (wanted.fair, wanted.rules.is_empty()) {
        (true, true) => format!("{scheduler}.fair.FairScheduler"),
        (true, false) => format!("{scheduler}.fair.TenbinFairScheduler"),
        (false, _) => format!("{scheduler}.capacity.CapacityScheduler"),
    };
    let mut all = owned(&[
        ("yarn.resourcemanager.hostname", MASTER),
        ("yarn.resourcemanager.scheduler.class", &class),
        (
            "yarn.resourcemanager.nodemanagers.heartbeat-interval-ms",
            &floored_u64(wanted.heartbeat.as_secs() * 1e3).to_string(),
        ),
        ("yarn.scheduler.minimum-allocation-mb", &MASTERS.to_string()),
        ("yarn.scheduler.increment-allocation-mb", &MASTERS.to_string()),
        ("yarn.resource-types.memory-mb.increment-allocation", &MASTERS.to_string()),
        // A node without a slot of one kind stays available to the other kind.
        ("yarn.scheduler.reservation-threshold.increment-multiple", "100000"),
        // Assign all free slots at a heartbeat.
        ("yarn.scheduler.fair.assignmultiple", "true"),
        ("yarn.scheduler.fair.dynamic.max.assign", "false"),
        // All jobs use one queue.
        ("yarn.scheduler.fair.user-as-default-queue", "false"),
        ("yarn.nodemanager.aux-services", "mapreduce_shuffle"),
        ("yarn.nodemanager.local-dirs", &on_disks(hosts, "yarn")),
        ("yarn.nodemanager.log-dirs", &folder.join("logs/tasks").display().to_string()),
        ("yarn.nodemanager.resource.memory-mb", &memory.to_string()),
        ("yarn.nodemanager.resource.cpu-vcores", &(tasks + 64).to_string()),
        ("yarn.resource-types", &SLOTS.join(",")),
        (&format!("yarn.nodemanager.resource-type.{}", SLOTS[0]), &wanted.slots[0].to_string()),
        (&format!("yarn.nodemanager.resource-type.{}", SLOTS[1]), &wanted.slots[1].to_string()),
        ("yarn.nodemanager.vmem-check-enabled", "false"),
        ("yarn.nodemanager.pmem-check-enabled", "false"),
        ("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "99"),
        ("yarn.nodemanager.env-whitelist", "JAVA_HOME,PATH"),
        ("yarn.application.classpath", ""),
    ]);
    if !wanted.rules.is_empty() {
        all.extend(owned(&[
            (
                "yarn.scheduler.app-placement-allocator.class",
                "tenbin.yarn.TenbinAppPlacementAllocator",
            ),
            (
                "yarn.nodemanager.resource-calculator.class",
                "tenbin.yarn.TenbinResourceCalculatorPlugin",
            ),
            ("yarn.nodemanager.resource-monitor.interval-ms", "1000"),
            // All nodes share one kernel, which counts the disks of all.
            ("tenbin.disks", "${env.TENBIN_DEVICES}"),
        ]));
        all.extend(wanted.rules.iter().map(|(key, value)| (key.to_string(), value.clone())))
    }
    all
}

fn jobs(wanted: &TwinSetup, class_path: &str) -> Properties {
    let opened = "--add-opens=java.base/java.lang=ALL-UNNAMED -XX:+UseSerialGC \
                  -XX:TieredStopAtLevel=1";
    let map = wanted.sort_mb + TASK;
    let reduce = wanted.buffer * 10 / 7 / Bytes::mib(1).0 + TASK / 2;
    let part = |bytes: f64| format!("{:.4}", bytes / Bytes::mib(reduce).0 as f64);
    owned(&[
        ("mapreduce.framework.name", "yarn"),
        ("mapreduce.application.classpath", class_path),
        ("yarn.app.mapreduce.am.staging-dir", "/staging"),
        ("yarn.app.mapreduce.am.resource.mb", &MASTERS.to_string()),
        ("yarn.app.mapreduce.am.command-opts", &format!("-Xmx200m {opened}")),
        (&format!("mapreduce.map.resource.{}", SLOTS[0]), "1"),
        (&format!("mapreduce.reduce.resource.{}", SLOTS[1]), "1"),
        ("mapreduce.map.memory.mb", &CONTAINER.to_string()),
        ("mapreduce.reduce.memory.mb", &CONTAINER.to_string()),
        ("mapreduce.map.java.opts", &format!("-Xmx{map}m {opened}")),
        ("mapreduce.reduce.java.opts", &format!("-Xmx{reduce}m {opened}")),
        ("mapreduce.reduce.shuffle.input.buffer.percent", &part(wanted.buffer as f64)),
        ("mapreduce.reduce.input.buffer.percent", &wanted.kept.to_string()),
        ("mapreduce.task.io.sort.mb", &wanted.sort_mb.to_string()),
        ("mapreduce.task.io.sort.factor", &wanted.sort_factor.to_string()),
        ("mapreduce.reduce.shuffle.parallelcopies", &wanted.copies.to_string()),
        ("mapreduce.job.reduce.slowstart.completedmaps", &wanted.slow_start.to_string()),
        ("mapreduce.map.speculative", &wanted.speculation.to_string()),
        ("mapreduce.reduce.speculative", &wanted.speculation.to_string()),
        ("mapreduce.map.maxattempts", &wanted.attempts.to_string()),
        ("mapreduce.reduce.maxattempts", &wanted.attempts.to_string()),
        ("mapreduce.jobhistory.jhist.format", "json"),
        (
            "yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms",
            &floored_u64(wanted.master.as_secs() * 1e3).to_string(),
        ),
    ])
}

fn queues() -> Properties {
    owned(&[
        (
            "yarn.scheduler.capacity.resource-calculator",
            "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator",
        ),
        // Assign all free slots at a heartbeat, regardless of locality.
        ("yarn.scheduler.capacity.per-node-heartbeat.maximum-offswitch-assignments", "10000"),
        ("yarn.scheduler.capacity.node-locality-delay", "-1"),
        ("yarn.scheduler.capacity.root.queues", "default"),
        ("yarn.scheduler.capacity.root.default.capacity", "100"),
        ("yarn.scheduler.capacity.maximum-am-resource-percent", "0.9"),
    ])
}

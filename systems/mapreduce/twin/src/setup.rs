//! Requirements of a scenario on a real cluster; rejects what a real cluster cannot do.
use cluster::catalogue::CatalogueDisk;
use cluster::{Channels, Sheet};
use mapreduce::policy::names_in;
use mapreduce::settings::Settings;
use system::Failure;
use system::lab::bad;
use testbed::plan::{Node, Plan};
use units::{Bytes, Nanos, usize_of};

/// Node of the daemons' masters and of clients that submit jobs.
pub(crate) const MASTER: &str = "master";

/// Rotation time of a 7200 rpm disk; `hardware.disk_seek` includes half of it.
const TURN: Nanos = Nanos(8_333_333);

/// Maximum bytes of a job on disk as a multiple of its input: input, spills, merged outputs,
/// fetched outputs, output.
const COPIES: u64 = 6;

const SMALLEST: Bytes = Bytes::mib(2048);

/// Memory of a container, and of an AM, as YARN counts it \[MiB\].
pub(crate) const CONTAINER: u64 = 512;
pub(crate) const MASTERS: u64 = 64;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Sort,
    TeraSort,
    WordCount,
}

impl Kind {
    /// File bytes per byte of Hadoop's random text.
    pub(crate) fn frames(self) -> f64 {
        match self {
            Kind::TeraSort => 1.0,
            // A tab and a newline per record.
            Kind::WordCount => 1.004,
            // Lengths of a record and of its parts, and a sync mark every 2 kB.
            Kind::Sort => 1.026,
        }
    }
}

pub(crate) struct TwinSetup {
    pub plan: Plan,
    pub kind: Kind,
    pub jobs: u32,
    pub arrival: Nanos,
    pub maps: u32,
    pub reduces: u32,
    pub input: u64,
    pub replication: u64,
    pub output_replication: u64,
    /// Per node: for maps, and for reduces.
    pub slots: [u32; 2],
    pub disk: Bytes,
    /// \[MiB\]
    pub sort_mb: u64,
    pub sort_factor: u64,
    pub copies: u64,
    /// \[bytes\]
    pub buffer: u64,
    /// Fraction of `buffer` that may stay full.
    pub kept: f64,
    pub slow_start: f64,
    pub speculation: bool,
    pub attempts: u64,
    pub heartbeat: Nanos,
    /// Heartbeat of a job's AM.
    pub master: Nanos,
    pub fair: bool,
    /// Settings of the plug-in's rules; empty without rules.
    pub rules: Vec<(&'static str, String)>,
}

impl TwinSetup {
    /// # Errors
    /// The scenario needs what a real cluster or the twin cannot do.
    pub(crate) fn of(sheet: &Sheet, has_jar: bool) -> Result<TwinSetup, Failure> {
        let settings = Settings::of(sheet);
        let disks = one(sheet, "cluster.disks", settings.nodes)?;
        let slots = [
            one(sheet, "cluster.map_slots", settings.nodes)?,
            one(sheet, "cluster.reduce_slots", settings.nodes)?,
        ];
        let fair = names_in(sheet.text("policy.scheduling")).any(|name| name == "fair");
        refuse_others(sheet, &settings, fair)?;
        let kind = match sheet.text("workload.kind") {
            "sort" => Kind::Sort,
            "terasort" => Kind::TeraSort,
            "wordcount" => Kind::WordCount,
            _ => return Err(refuse(sheet, "workload.kind", "sort, terasort or wordcount")),
        };
        let all = sheet.bytes("workload.input_bytes").0 * u64::from(settings.jobs);
        let disk = COPIES * all / u64::from(settings.nodes * disks);
        Ok(TwinSetup {
            plan: plan(sheet, &settings, disks),
            kind,
            jobs: settings.jobs,
            arrival: settings.arrival,
            maps: settings.maps,
            reduces: settings.reduces,
            input: sheet.bytes("workload.input_bytes").0,
            replication: settings.replication.into(),
            output_replication: settings.output_replication.into(),
            slots,
            disk: Bytes(disk.next_multiple_of(1 << 30)).max(SMALLEST),
            sort_mb: sheet.bytes("task.sort_mb").0 >> 20,
            sort_factor: settings.sort_factor,
            copies: settings.copies.into(),
            buffer: settings.buffer,
            kept: sheet.number("task.reduce_input_buffer"),
            slow_start: settings.slow_start,
            speculation: settings.speculation,
            attempts: settings.attempts.into(),
            heartbeat: settings.heartbeat,
            master: settings.master,
            fair,
            rules: rules(sheet, has_jar)?,
        })
    }
}

impl TwinSetup {
    /// Bytes of a map's block, a multiple of HDFS's checksum chunk.
    pub(crate) fn block(&self) -> u64 {
        self.input.div_ceil(u64::from(self.maps)).next_multiple_of(512)
    }
}

fn refuse(sheet: &Sheet, key: &str, expected: &str) -> Failure {
    bad(sheet.problem(key, "cannot be run for real", expected))
}

/// The value that all nodes have in common; fails if they differ.
fn one(sheet: &Sheet, key: &str, nodes: u32) -> Result<u32, Failure> {
    let all = mapreduce::keys::numbers(sheet.text(key), nodes).unwrap_or_default();
    match all.first() {
        Some(first) if all.iter().all(|n| n == first) => Ok(*first),
        _ => Err(refuse(sheet, key, "one number for all nodes")),
    }
}

fn refuse_others(sheet: &Sheet, settings: &Settings, fair: bool) -> Result<(), Failure> {
    let no = |key: &str, expected: &str| Err(refuse(sheet, key, expected));
    if settings.failures > 0.0 {
        return no("workload.failures", "0");
    }
    if settings.foreign > 0 {
        return no("hardware.foreign_disks", "0");
    }
    if settings.first_write != 1.0 {
        return no("hardware.first_write", "1");
    }
    if settings.slow_start < 1.0 && !fair {
        let expected = "1, or policy.scheduling = \"fair\": if a node has no slot left of one \
                        kind, CapacityScheduler reserves it and gives it no task of the other";
        return no("task.slow_start", expected);
    }
    if settings.master < Nanos::millis(1) {
        return no("policy.master_heartbeat", "1ms or more: YARN's jobs have masters");
    }
    let sort_mb = sheet.bytes("task.sort_mb").0 >> 20;
    if !(1..2048).contains(&sort_mb) {
        return no("task.sort_mb", "1MiB to 2047MiB");
    }
    let sorts = ["sort", "terasort"].contains(&sheet.text("workload.kind"));
    if sorts && (settings.profile.map_out, settings.profile.reduce_out) != (1.0, 1.0) {
        return no("workload.map_output", "1, as workload.reduce_output: a sort changes no bytes");
    }
    if settings.reduces == 0 {
        return no("workload.reduces", "1 or more");
    }
    if settings.a_heartbeat != [u32::MAX; 2] {
        return no("policy.reduces_a_heartbeat", "0, and policy.maps_a_heartbeat: as YARN does");
    }
    Ok(())
}

/// Assigns nodes to racks round-robin.
fn plan(sheet: &Sheet, settings: &Settings, disks: u32) -> Plan {
    let node = |nth: u32| Node {
        name: format!("n{}", nth + 1),
        rack: usize_of(u64::from(nth % settings.racks)),
        disks: usize_of(u64::from(disks)),
    };
    let master = Node { name: MASTER.into(), rack: 0, disks: 0 };
    let seek = sheet.time("hardware.disk_seek");
    Plan {
        name: sheet.name.clone(),
        nodes: (0..settings.nodes).map(node).chain([master]).collect(),
        racks: usize_of(u64::from(settings.racks)),
        disk: CatalogueDisk {
            name: "a disk by its rate",
            what: "",
            rate: sheet.rate("hardware.disk"),
            seek,
            turn: if seek * 2 > TURN { TURN } else { Nanos::ZERO },
            batch: Bytes(0),
            flush: Nanos::ZERO,
            channels: Channels::Shared,
            source: "",
        },
        nic: sheet.rate("hardware.nic"),
        inter_rack: sheet.rate("hardware.inter_rack"),
    }
}

impl TwinSetup {
    /// Names of active rules in the plug-in.
    pub fn rule_names(&self) -> Vec<&'static str> {
        let name = |(key, value): &(&'static str, String)| match value.as_str() {
            "auto" => Some("disk-rate-auto"),
            _ => key.strip_prefix("tenbin.")?.strip_suffix(".threshold"),
        };
        self.rules.iter().filter_map(name).collect()
    }
}

fn rules(sheet: &Sheet, has_jar: bool) -> Result<Vec<(&'static str, String)>, Failure> {
    let mut settings = Vec::new();
    for name in names_in(sheet.text("policy.scheduling")) {
        match name {
            "fair" | "fifo" => {}
            "receive-rate" => {
                let rate = sheet.rate("policy.receive_rate_threshold");
                settings.push(("tenbin.receive-rate.threshold", format!("{}bit/s", rate.0 * 8)))
            }
            "potential-reception" => {
                let most = sheet.bytes("policy.potential_reception_threshold");
                settings.push(("tenbin.potential-reception.threshold", format!("{}B", most.0)))
            }
            "disk-rate" => {
                let part = sheet.number("policy.disk_rate_threshold");
                settings.push(("tenbin.disk-rate.threshold", format!("{} %", 100.0 * part)))
            }
            "disk-rate-auto" => settings.push(("tenbin.disk-rate.threshold", "auto".into())),
            "predicted-load" => {
                for (setting, key) in [
                    ("tenbin.predicted-load.threshold", "policy.disk_rate_threshold"),
                    ("tenbin.predicted-load.share", "policy.predicted_share"),
                ] {
                    settings.push((setting, format!("{} %", 100.0 * sheet.number(key))))
                }
            }
            _ => {
                let expected = "fair or fifo, and of the rules receive-rate, \
                                potential-reception, disk-rate, disk-rate-auto, predicted-load";
                return Err(refuse(sheet, "policy.scheduling", expected));
            }
        }
    }
    if settings.is_empty() {
        return Ok(settings);
    }
    if !has_jar {
        let expected = "no rules, or --jar with tenbin-yarn.jar, which `mvn -f \
                        systems/mapreduce/hadoop/pom.xml package -DskipTests` makes";
        return Err(refuse(sheet, "policy.scheduling", expected));
    }
    let no = |key: &str, expected: &str| Err(refuse(sheet, key, expected));
    if sheet.time("policy.withhold_limit") == Nanos::ZERO {
        return no("policy.withhold_limit", "more than 0s: the plug-in's rules are always lifted");
    }
    if sheet.text("policy.potential_reception") != "fetching" {
        return no(
            "policy.potential_reception",
            "fetching: YARN does not know the outstanding bytes",
        );
    }
    if sheet.text("policy.disk_rate_figure") != "mean" {
        return no("policy.disk_rate_figure", "mean: the plug-in's figure");
    }
    settings.push(("tenbin.withhold.limit", sheet.time("policy.withhold_limit").to_string()));
    Ok(settings)
}

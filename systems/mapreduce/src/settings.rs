//! Settings of a run, from its scenario.
use crate::keys::numbers;
use crate::model::Resources;
use crate::policy::{Scheduling, Thresholds};
use cluster::Sheet;
use engine::*;
use units::{Bytes, rounded_u64};

#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// Bytes of map output per byte of input.
    pub map_out: f64,
    /// Core time of a map \[ns/byte\].
    pub map_cpu: f64,
    /// Bytes of output per byte that a reduce received.
    pub reduce_out: f64,
    /// Core time of a reduce \[ns/byte\].
    pub reduce_cpu: f64,
}

impl Profile {
    fn of(sheet: &Sheet) -> Profile {
        let [map_out, map_cpu, reduce_out, reduce_cpu] = PROFILE.map(|key| sheet.number(key));
        Profile { map_out, map_cpu, reduce_out, reduce_cpu }
    }
}

const PROFILE: [&str; 4] =
    ["workload.map_output", "workload.map_cpu", "workload.reduce_output", "workload.reduce_cpu"];

pub struct Settings {
    pub nodes: u32,
    pub racks: u32,
    pub map_slots: Vec<u32>,
    pub reduce_slots: Vec<u32>,
    pub jobs: u32,
    pub maps: u32,
    pub reduces: u32,
    pub input: u64,
    pub replication: u32,
    pub output_replication: u32,
    pub profile: Profile,
    pub arrival: Nanos,
    pub limit: Nanos,
    pub failures: f64,
    pub startup: Nanos,
    pub sort_bytes: u64,
    pub sort_factor: u64,
    pub copies: u32,
    pub buffer: u64,
    /// Bytes that may stay in a reduce's buffer while it computes.
    pub kept: u64,
    pub slow_start: f64,
    pub speculation: bool,
    pub attempts: u32,
    pub heartbeat: Nanos,
    /// Heartbeat of a job's AM; 0: no AM.
    pub master: Nanos,
    /// Maximum of maps and of reduces that a node gets per heartbeat.
    pub a_heartbeat: [u32; 2],
    /// `None`: rules are never lifted.
    pub withhold_limit: Option<Nanos>,
    /// Disk Rate uses the disks' state at the heartbeat, not the mean.
    pub moment: bool,
    pub first_write: f64,
    /// Rate of a NIC, each way \[bytes/s\].
    pub nic: f64,
    pub cached: f64,
    /// Page cache of each node \[bytes\]; `None`: `cached` holds.
    pub page_cache: Option<Vec<u64>>,
    /// Maps of randomwriter that wrote a job's input; 0: a client outside.
    pub writers: u32,
    /// A node runs at most its share of all tasks that run or could.
    pub even_load: bool,
    pub foreign: u32,
    pub scheduling: Scheduling,
    pub limits: Thresholds,
    pub(crate) resources: Resources,
}

impl Settings {
    pub fn of(sheet: &Sheet) -> Settings {
        let nodes = sheet.count32("cluster.nodes");
        let maps = sheet.count32("workload.maps");
        let outstanding = sheet.text("policy.potential_reception") == "outstanding";
        let limits = Thresholds {
            receive_rate: sheet.rate("policy.receive_rate_threshold").0 as f64,
            reception: sheet.bytes("policy.potential_reception_threshold").0,
            outstanding,
            disk_rate: sheet.number("policy.disk_rate_threshold"),
            predicted: sheet.number("policy.predicted_share"),
            locality_wait: sheet.time("policy.locality_wait").as_secs(),
            random: sheet.number("policy.random_share"),
        };
        let each = |key: &str| numbers(sheet.text(key), nodes).expect("checked");
        let terasort = sheet.text("workload.kind") == "terasort";
        Settings {
            nodes,
            racks: sheet.count32("cluster.racks"),
            map_slots: each("cluster.map_slots"),
            reduce_slots: each("cluster.reduce_slots"),
            jobs: sheet.count32("workload.jobs"),
            maps,
            reduces: sheet.count32("workload.reduces"),
            input: sheet.bytes("workload.input_bytes").0 / u64::from(maps),
            replication: sheet.count32("workload.replication"),
            output_replication: match terasort {
                true => 1,
                false => sheet.count32("workload.output_replication").min(nodes),
            },
            profile: Profile::of(sheet),
            arrival: sheet.time("workload.arrival_interval"),
            limit: sheet.time("workload.limit"),
            failures: sheet.number("workload.failures"),
            startup: sheet.time("task.startup"),
            sort_bytes: sheet.bytes("task.sort_mb").0 * 8 / 10,
            sort_factor: sheet.count("task.sort_factor"),
            copies: sheet.count32("task.parallel_copies"),
            buffer: sheet.bytes("task.reduce_buffer").0,
            kept: kept(sheet),
            slow_start: sheet.number("task.slow_start"),
            speculation: sheet.flag("task.speculation"),
            attempts: sheet.count32("task.attempts"),
            heartbeat: sheet.time("policy.heartbeat"),
            master: sheet.time("policy.master_heartbeat"),
            a_heartbeat: ["policy.maps_a_heartbeat", "policy.reduces_a_heartbeat"].map(|key| {
                match sheet.count32(key) {
                    0 => u32::MAX,
                    most => most,
                }
            }),
            withhold_limit: Some(sheet.time("policy.withhold_limit")).filter(|t| *t > Nanos::ZERO),
            moment: sheet.text("policy.disk_rate_figure") == "moment",
            first_write: sheet.number("hardware.first_write"),
            nic: sheet.rate("hardware.nic").0 as f64,
            cached: sheet.number("hardware.cached"),
            page_cache: page_cache(sheet, nodes),
            writers: sheet.count32("workload.writers"),
            even_load: sheet.flag("policy.even_load"),
            foreign: sheet.count32("hardware.foreign_disks"),
            scheduling: Scheduling::named(sheet.text("policy.scheduling")).expect("checked"),
            limits,
            resources: Resources::of(sheet),
        }
    }

    pub fn map_output(&self) -> u64 {
        rounded_u64(self.input as f64 * self.profile.map_out)
    }

    /// Most tasks of a kind that a node with `slots` runs if `demand` tasks run or could: its share
    /// of the cluster's slots (Hadoop 1.x's `CapBasedLoadManager.getCap`).
    pub fn even_share(&self, map: bool, slots: u32, demand: u64) -> u32 {
        let all = if map { &self.map_slots } else { &self.reduce_slots };
        let total: u64 = all.iter().map(|n| u64::from(*n)).sum();
        units::narrow((u64::from(slots) * demand.min(total)).div_ceil(total.max(1)))
    }

    /// Bytes that a reduce gets from one map.
    pub fn partition(&self) -> u64 {
        self.map_output() / u64::from(self.reduces.max(1))
    }

    /// Time in which a reduce fetches all its bytes at its slot's part of the NIC \[s\].
    pub fn fetch_time(&self) -> f64 {
        let bytes = self.partition() as f64 * f64::from(self.maps);
        let slots = self.reduce_slots.iter().copied().max().unwrap_or(1);
        bytes * f64::from(slots) / self.nic
    }

    /// Passes that merge `files` files to one, `sort_factor` at a time.
    pub fn passes(&self, files: u64) -> u64 {
        let (mut left, mut passes) = (files, 0);
        while left > 1 {
            left = left.div_ceil(self.sort_factor);
            passes += 1
        }
        passes
    }

    /// Disk work of a write, in bytes; more for first writes.
    pub fn written(&self, bytes: u64) -> Bytes {
        Bytes(rounded_u64(bytes as f64 * self.first_write))
    }

    /// As [`reread`], for the part that is `hardware.cached`.
    pub fn reread_bytes(&self, bytes: u64) -> u64 {
        reread(bytes, self.cached)
    }
}

/// Disk work of reading bytes written earlier; the cached part costs nothing.
pub fn reread(bytes: u64, cached: f64) -> u64 {
    rounded_u64(bytes as f64 * (1.0 - cached))
}

/// Memory of the operating system and Hadoop's daemons on a node, a guess.
const DAEMONS: u64 = 500_000_000;

fn page_cache(sheet: &Sheet, nodes: u32) -> Option<Vec<u64>> {
    let each = |key: &str| numbers(sheet.text(key), nodes).expect("checked");
    let memory = each("cluster.memory_gb");
    let slots = each("cluster.map_slots").into_iter().zip(each("cluster.reduce_slots"));
    let heap = sheet.bytes("task.heap").0;
    let left = |(gb, (maps, reduces)): (u32, (u32, u32))| {
        (u64::from(gb) * 1_000_000_000).saturating_sub(DAEMONS + u64::from(maps + reduces) * heap)
    };
    let has = memory.iter().any(|gb| *gb > 0);
    has.then(|| memory.into_iter().zip(slots).map(left).collect())
}

fn kept(sheet: &Sheet) -> u64 {
    let buffer = sheet.bytes("task.reduce_buffer").0 as f64;
    rounded_u64(buffer * sheet.number("task.reduce_input_buffer"))
}

/// Bytes to remove from memory so that at most `kept` remain. Whole outputs of length `part` are
/// removed (`createInMemorySegments`).
pub fn beyond(in_memory: u64, kept: u64, part: u64) -> u64 {
    in_memory.saturating_sub(kept).next_multiple_of(part.max(1)).min(in_memory)
}

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
    pub cached: f64,
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
            cached: sheet.number("hardware.cached"),
            foreign: sheet.count32("hardware.foreign_disks"),
            scheduling: Scheduling::named(sheet.text("policy.scheduling")).expect("checked"),
            limits,
            resources: Resources::of(sheet),
        }
    }

    pub fn map_output(&self) -> u64 {
        rounded_u64(self.input as f64 * self.profile.map_out)
    }

    /// Bytes that a reduce gets from one map.
    pub fn partition(&self) -> u64 {
        self.map_output() / u64::from(self.reduces.max(1))
    }

    /// Maximum bytes that a node's reduces fetch concurrently: all slots with all copiers.
    pub fn most_fetched(&self) -> u64 {
        let slots = self.reduce_slots.iter().copied().max().unwrap_or(0);
        let each =
            (u64::from(self.copies) * self.partition()).min(self.buffer.max(self.partition()));
        u64::from(slots) * each
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

    /// Disk work of reading bytes written earlier; the cached part costs nothing.
    pub fn reread_bytes(&self, bytes: u64) -> u64 {
        rounded_u64(bytes as f64 * (1.0 - self.cached))
    }
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

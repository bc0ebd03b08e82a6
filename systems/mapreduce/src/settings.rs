//! What never changes in a run.
use crate::keys::numbers;
use crate::model::Resources;
use crate::policy::{Scheduling, Thresholds};
use cluster::Sheet;
use engine::*;
use units::{Bytes, rounded_u64};

/// Bytes and CPU of a kind of job.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// Map output for a byte of input.
    pub map_out: f64,
    /// Core time of a map \[ns a byte\].
    pub map_cpu: f64,
    /// Output for a byte that a reduce got.
    pub reduce_out: f64,
    /// Core time of a reduce \[ns a byte\].
    pub reduce_cpu: f64,
}

impl Profile {
    fn of(sheet: &Sheet) -> Profile {
        let [map_out, map_cpu, reduce_out, reduce_cpu] = PROFILE.map(|key| sheet.number(key));
        Profile { map_out, map_cpu, reduce_out, reduce_cpu }
    }
}

/// Keys of a [`Profile`].
const PROFILE: [&str; 4] =
    ["workload.map_output", "workload.map_cpu", "workload.reduce_output", "workload.reduce_cpu"];

/// What never changes in a run.
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
    /// Bytes that a reduce may still have in its buffer when its function begins.
    pub kept: u64,
    pub slow_start: f64,
    pub speculation: bool,
    pub attempts: u32,
    pub heartbeat: Nanos,
    /// Of a job's master; 0: there is none.
    pub master: Nanos,
    /// Maps and reduces that a node gets at one heartbeat at most.
    pub a_heartbeat: [u32; 2],
    /// `None`: rules are never lifted.
    pub withhold_limit: Option<Nanos>,
    /// Disks are judged by what they do at the heartbeat.
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

    /// What a reduce gets of one map.
    pub fn partition(&self) -> u64 {
        self.map_output() / u64::from(self.reduces.max(1))
    }

    /// What the reduces of one node fetch at a time at most: all its slots with all their copiers.
    pub fn most_fetched(&self) -> u64 {
        let slots = self.reduce_slots.iter().copied().max().unwrap_or(0);
        let each =
            (u64::from(self.copies) * self.partition()).min(self.buffer.max(self.partition()));
        u64::from(slots) * each
    }

    /// Passes in which so many files are merged to one, `sort_factor` at a time.
    pub fn passes(&self, files: u64) -> u64 {
        let (mut left, mut passes) = (files, 0);
        while left > 1 {
            left = left.div_ceil(self.sort_factor);
            passes += 1
        }
        passes
    }

    /// What a disk is asked for a write.
    pub fn written(&self, bytes: u64) -> Bytes {
        Bytes(rounded_u64(bytes as f64 * self.first_write))
    }

    /// What a disk is asked for bytes that were written a while ago.
    pub fn read_again(&self, bytes: u64) -> u64 {
        rounded_u64(bytes as f64 * (1.0 - self.cached))
    }
}

/// What may stay in a reduce's buffer.
fn kept(sheet: &Sheet) -> u64 {
    let buffer = sheet.bytes("task.reduce_buffer").0 as f64;
    rounded_u64(buffer * sheet.number("task.reduce_input_buffer"))
}

/// Of outputs of this length that are in memory, so many bytes that the rest fits into what may
/// stay there: whole outputs go (`createInMemorySegments`).
pub fn beyond(in_memory: u64, kept: u64, part: u64) -> u64 {
    in_memory.saturating_sub(kept).next_multiple_of(part.max(1)).min(in_memory)
}

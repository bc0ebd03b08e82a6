//! What a node reports of itself, to `tenbin meta status` and as text for Prometheus.
use crate::rows::Role;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Status {
    pub server: u32,
    pub role: Role,
    /// A standby: its server is connected.
    pub follows: bool,
    /// Grows when a standby is promoted.
    pub generation: u32,
    /// Version of the list of servers.
    pub members: u64,
    /// \[s\]
    pub uptime_s: u64,
    pub durability: String,
    pub rows: u64,
    pub entries: u64,
    /// Rows that transactions lock, and operations that wait.
    pub locks: u64,
    pub waiting: u64,
    /// Requests that were in the last batch.
    pub queue: u64,
    /// Clients with a connection, and all whose history is kept.
    pub connections: u64,
    pub clients: u64,
    /// Answers that clients have not acknowledged.
    pub answers: u64,
    pub transactions: u64,
    pub aborts: u64,
    /// Messages dropped because a receiver was too slow or away; they are sent again.
    pub dropped: u64,
    /// \[bytes\]
    pub store_bytes: u64,
    /// Commits to the disk, and their mean time \[µs\].
    pub commits: u64,
    pub commit_us: u64,
    pub operations: Vec<KindStatus>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct KindStatus {
    pub kind: String,
    pub count: u64,
    /// Operations in the last full window of ten seconds.
    pub recent: u64,
    /// From the request's arrival to its answer, which includes the disk \[µs\].
    pub median_us: u64,
    pub p99_us: u64,
    pub sum_us: u64,
}

/// Length of [`KindStatus::recent`]'s window \[s\].
pub const WINDOW_S: u64 = 10;

impl Status {
    /// The status in Prometheus' text format.
    pub fn metrics(&self) -> String {
        let mut text = String::new();
        let mut put = |name: &str, kind: &str, help: &str, value: u64| {
            let _ = write!(
                text,
                "# HELP tenbin_meta_{name} {help}\n# TYPE tenbin_meta_{name} {kind}\n\
                 tenbin_meta_{name} {value}\n"
            );
        };
        for (name, kind, help, value) in [
            ("uptime_seconds", "gauge", "Seconds since the start.", self.uptime_s),
            ("rows", "gauge", "Rows in the store.", self.rows),
            ("entries", "gauge", "Names in directories.", self.entries),
            ("locked_rows", "gauge", "Rows that transactions lock.", self.locks),
            ("waiting", "gauge", "Operations that wait for others.", self.waiting),
            ("queue", "gauge", "Requests in the last batch.", self.queue),
            ("connections", "gauge", "Clients with a connection.", self.connections),
            ("clients", "gauge", "Clients whose history is kept.", self.clients),
            ("saved_answers", "gauge", "Answers without acknowledgement.", self.answers),
            ("transactions_total", "counter", "Committed transactions.", self.transactions),
            ("aborts_total", "counter", "Aborted attempts at transactions.", self.aborts),
            ("dropped_total", "counter", "Messages dropped at full queues.", self.dropped),
            ("store_bytes", "gauge", "Size of the store.", self.store_bytes),
            ("commits_total", "counter", "Commits to the disk.", self.commits),
        ] {
            put(name, kind, help, value)
        }
        let _ = write!(
            text,
            "# HELP tenbin_meta_operation_seconds From a request's arrival to its answer.\n\
             # TYPE tenbin_meta_operation_seconds summary\n"
        );
        for kind in &self.operations {
            let KindStatus { kind, count, median_us, p99_us, sum_us, .. } = kind;
            for (quantile, us) in [("0.5", median_us), ("0.99", p99_us)] {
                let _ = writeln!(
                    text,
                    "tenbin_meta_operation_seconds{{kind=\"{kind}\",quantile=\"{quantile}\"}} {}",
                    *us as f64 / 1e6
                );
            }
            let _ = write!(
                text,
                "tenbin_meta_operation_seconds_sum{{kind=\"{kind}\"}} {}\n\
                 tenbin_meta_operation_seconds_count{{kind=\"{kind}\"}} {count}\n",
                *sum_us as f64 / 1e6
            );
        }
        text
    }
}

//! Rates and latencies of a node.
use crate::clock::nanoseconds;
use crate::histogram::Histogram;
use crate::status::{KindStatus, Status, WINDOW_S};
use ppmds_protocol::OperationKind;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Requests without an answer that are timed.
const MOST_TIMED: usize = 65_536;

const KINDS: usize = OperationKind::ALL.len();

pub struct Meter {
    /// Requests without an answer: client and number.
    asked: BTreeMap<(u32, u32), (OperationKind, Instant)>,
    times: [Histogram; KINDS],
    window: Instant,
    at_window: [u64; KINDS],
    recent: [u64; KINDS],
    queue: usize,
    commits: u64,
    commit_ns: u64,
    pub dropped: u64,
}

impl Meter {
    pub fn new(now: Instant) -> Meter {
        Meter {
            asked: BTreeMap::new(),
            times: std::array::from_fn(|_| Histogram::default()),
            window: now,
            at_window: [0; KINDS],
            recent: [0; KINDS],
            queue: 0,
            commits: 0,
            commit_ns: 0,
            dropped: 0,
        }
    }

    /// Notes a batch of this many messages.
    pub fn turn(&mut self, now: Instant, messages: usize) {
        self.queue = messages;
        if now.duration_since(self.window).as_secs() >= WINDOW_S {
            let counts = std::array::from_fn(|at| self.times[at].count);
            self.recent = std::array::from_fn(|at| counts[at] - self.at_window[at]);
            (self.window, self.at_window) = (now, counts)
        }
    }

    pub fn asked(&mut self, request: (u32, u32), kind: OperationKind, arrived: Instant) {
        if self.asked.len() < MOST_TIMED {
            self.asked.entry(request).or_insert((kind, arrived));
        }
    }

    pub fn answered(&mut self, request: (u32, u32), now: Instant) {
        if let Some((kind, arrived)) = self.asked.remove(&request) {
            self.times[kind as usize].add(nanoseconds(now.duration_since(arrived)))
        }
    }

    /// Drops the requests of a client that has disconnected.
    pub fn forget(&mut self, client: u32) {
        let requests = self.asked.range((client, 0)..=(client, u32::MAX));
        let requests: Vec<(u32, u32)> = requests.map(|(request, _)| *request).collect();
        for request in requests {
            self.asked.remove(&request);
        }
    }

    pub fn committed(&mut self, took: Duration) {
        self.commits += 1;
        self.commit_ns += nanoseconds(took)
    }

    /// Adds what is measured here.
    pub fn report(&self, status: Status) -> Status {
        let kinds = OperationKind::ALL.iter().zip(&self.times).zip(self.recent);
        let kinds = kinds.filter(|((_, times), _)| times.count > 0);
        let operations = kinds.map(|((kind, times), recent)| KindStatus {
            kind: kind.name().to_string(),
            count: times.count,
            recent,
            median_us: times.quantile(0.5) / 1_000,
            p99_us: times.quantile(0.99) / 1_000,
            sum_us: times.sum_ns / 1_000,
        });
        Status {
            queue: self.queue as u64,
            dropped: self.dropped,
            commits: self.commits,
            commit_us: self.commit_ns.checked_div(self.commits).unwrap_or(0) / 1_000,
            operations: operations.collect(),
            ..status
        }
    }
}

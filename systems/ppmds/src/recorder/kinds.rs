//! Costs by kind of operation.
use crate::model::Cost;
use ppmds_protocol::OperationKind;
use trace::operations::histogram;

pub const OPS: usize = OperationKind::ALL.len();
/// Buckets for latencies up to 2^64 ns.
pub const BUCKETS: usize = 61 * 32;

#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Kind {
    /// Operations answered, and those of them that failed.
    pub operations: u64,
    pub failed: u64,
    /// Operations that were transactions; the next three counts are of these.
    pub transactions: u64,
    /// Without the client's request and its answer.
    pub messages: u64,
    /// Aborted attempts, and waits for other transactions.
    pub aborts: u64,
    pub retries: u64,
    pub p50_ms: f64,
    pub p99_ms: f64,
}

#[derive(Clone, Debug, Default)]
pub struct Kinds([Kind; OPS]);

impl Kinds {
    pub fn count(&mut self, op: OperationKind, failed: bool) {
        let kind = &mut self.0[op as usize];
        kind.operations += 1;
        kind.failed += u64::from(failed)
    }

    pub fn cost(&mut self, cost: &Cost) {
        let kind = &mut self.0[cost.op as usize];
        kind.transactions += 1;
        kind.messages += cost.messages;
        kind.aborts += cost.aborts;
        kind.retries += cost.retries
    }

    pub fn include(&mut self, other: &Kinds) {
        for (mine, other) in self.0.iter_mut().zip(&other.0) {
            mine.operations += other.operations;
            mine.failed += other.failed;
            mine.transactions += other.transactions;
            mine.messages += other.messages;
            mine.aborts += other.aborts;
            mine.retries += other.retries
        }
    }

    pub fn latencies(&mut self, of: &[[u64; BUCKETS]]) {
        for (kind, all) in self.0.iter_mut().zip(of) {
            let filled = (0u32..).zip(all).filter(|(_, times)| **times > 0);
            let buckets: Vec<(u32, u64)> = filled.map(|(at, times)| (at, *times)).collect();
            let quantile = |part| histogram::quantile(&buckets, part).unwrap_or(0.0) / 1e6;
            (kind.p50_ms, kind.p99_ms) = (quantile(0.5), quantile(0.99))
        }
    }

    pub fn aborts(&self) -> u64 {
        self.0.iter().map(|kind| kind.aborts).sum()
    }

    pub fn retries(&self) -> u64 {
        self.0.iter().map(|kind| kind.retries).sum()
    }

    pub fn all(&self) -> impl Iterator<Item = (OperationKind, &Kind)> {
        let all = OperationKind::ALL.iter().copied().zip(&self.0);
        all.filter(|(_, kind)| kind.operations + kind.transactions > 0)
    }
}

//! Separates client traffic from a DataNode's other counts.
//!
//! `DataXceiver.readBlock` counts reads of clients and of erasure-code reconstruction; the balancer
//! uses `copyBlock`. `writeBlock` counts each hop of a client's pipeline and each replica sent by
//! another DataNode. `BlocksWritten` counts a replica twice (`BlockReceiver.receiveBlock`,
//! `DataNode.closeBlock`), and once a client's block or the balancer's `replaceBlock` (not a
//! `writeBlock`).
use super::interval::Interval;

/// Client work of one DataNode in an interval; counts, not rates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct ClientWork {
    pub(super) reads: f64,
    pub(super) local_reads: f64,
    pub(super) bytes_read: f64,
    /// Hops of pipelines started by a client on this node.
    pub(super) local_hops: f64,
    /// All other hops: later ones, and first ones of clients on other hosts.
    pub(super) remote_hops: f64,
    /// Replicas sent by a DataNode.
    pub(super) received: f64,
}

/// In the order of `intervals`.
pub(super) fn served(intervals: &[Interval]) -> Vec<ClientWork> {
    let local = mean_local_read(intervals);
    intervals.iter().map(|interval| of(interval, local)).collect()
}

fn of(interval: &Interval, mean_local: Option<f64>) -> ClientWork {
    let counted = &interval.activity;
    let calls = counted.writes_local.saturating_add(counted.writes_remote);
    let twice = counted.blocks_written.saturating_sub(calls).saturating_sub(counted.replaces);
    let received = twice.min(counted.writes_remote);
    ClientWork {
        reads: counted.reads_local as f64 + counted.reads_remote as f64,
        local_reads: counted.reads_local as f64,
        bytes_read: bytes_read(interval, mean_local),
        local_hops: counted.writes_local as f64,
        remote_hops: (counted.writes_remote - received) as f64,
        received: received as f64,
    }
}

/// Mean length of a local client's read \[bytes\], from nodes without balancer reads.
fn mean_local_read(intervals: &[Interval]) -> Option<f64> {
    let mut sum = (0.0, 0.0);
    for counted in intervals.iter().map(|i| &i.activity).filter(|a| a.copies == 0) {
        let Some(remote) = counted.remote_bytes_read else { continue };
        sum.0 += counted.bytes_read.saturating_sub(remote) as f64;
        sum.1 += counted.reads_local as f64
    }
    (sum.1 > 0.0).then(|| sum.0 / sum.1)
}

/// Client bytes without the balancer's copies. `BytesRead` contains them, `RemoteBytesRead` does
/// not, so only the bytes of local clients are estimated.
fn bytes_read(interval: &Interval, mean_local: Option<f64>) -> f64 {
    let counted = &interval.activity;
    let all = counted.bytes_read as f64;
    let reads = counted.reads_local as f64 + counted.reads_remote as f64;
    if counted.copies == 0 {
        return all;
    }
    let Some(remote) = counted.remote_bytes_read.map(|n| n as f64) else {
        return all * reads / (reads + counted.copies as f64);
    };
    let mean_remote = remote / counted.reads_remote.max(1) as f64;
    let local = counted.reads_local as f64 * mean_local.unwrap_or(mean_remote);
    all.min(remote + local)
}

/// Mean length of a client's block \[bytes\]; `None`: nothing was written.
pub(super) fn mean_write(intervals: &[Interval], served: &[ClientWork]) -> Option<f64> {
    let remote: f64 = served.iter().map(|s| s.remote_hops).sum();
    let counts: Option<Vec<u64>> =
        intervals.iter().map(|i| i.activity.remote_bytes_written).collect();
    if let Some(counts) = counts.filter(|_| remote > 0.0) {
        return positive(counts.iter().map(|n| *n as f64).sum::<f64>() / remote);
    }
    let mut sum = (0.0, 0.0);
    for (interval, served) in intervals.iter().zip(served) {
        let moved = interval.activity.replaces as f64 + served.received;
        sum.0 += interval.activity.bytes_written as f64;
        sum.1 += served.local_hops + served.remote_hops + moved
    }
    positive(sum.0 / sum.1)
}

pub(super) fn positive(n: f64) -> Option<f64> {
    (n.is_finite() && n > 0.0).then_some(n)
}

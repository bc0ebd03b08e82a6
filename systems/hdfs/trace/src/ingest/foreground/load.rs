//! The client load in the units of `[workload.foreground]`.
use super::clients::{self, ClientWork};
use super::interval::Interval;
use super::names;
use std::collections::BTreeMap;
use units::{Bytes, floored_u64};

/// Rates of a DataNode \[per second\].
#[derive(Clone, PartialEq, Debug)]
pub struct NodeShare {
    /// Host name, with the data transfer port if the host has several DataNodes.
    pub node: String,
    pub reads: f64,
    /// Blocks with their first replica on this node.
    pub writes: f64,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Load {
    /// Mean time between the two pages of a DataNode \[s\].
    pub seconds: f64,
    /// Reads completed per second in the entire cluster.
    pub reads: f64,
    /// Mean length; `None`: no bytes were counted.
    pub read_bytes: Option<Bytes>,
    /// Fraction of reads served on the client's own node.
    pub local: f64,
    pub writes: f64,
    pub write_bytes: Option<Bytes>,
    /// By name; the sums are `reads` and `writes`.
    pub shares: Vec<NodeShare>,
}

pub(super) fn of(intervals: &[Interval], replication: u32) -> (Load, Vec<String>) {
    let served = clients::served(intervals);
    let sum = |what: &dyn Fn(&ClientWork) -> f64| served.iter().map(what).sum::<f64>();
    let rate = |what: &dyn Fn(&ClientWork) -> f64| {
        served.iter().zip(intervals).map(|(s, i)| what(s) / i.seconds).sum::<f64>()
    };
    let kept = 1.0 - coded(intervals, sum(&|s| s.bytes_read));
    let calls = rate(&|s| s.reads);
    let (own, others) = (rate(&|s| s.local_hops), rate(&|s| s.remote_hops));
    let writes = (own + others) / f64::from(replication);
    // The first hop of a client outside the DataNodes looks like a later hop.
    let elsewhere = writes - own > 1e-9 * writes;
    let (of_own, of_others) = (own.min(writes), if elsewhere { writes - own } else { 0.0 });
    let part = |of: f64, all: f64| if all > 0.0 { of / all } else { 0.0 };
    let share = |(s, i): (&ClientWork, &Interval)| {
        let per = |n: f64| n / i.seconds;
        NodeShare {
            node: i.node.clone(),
            reads: per(s.reads) * kept,
            writes: of_own * part(per(s.local_hops), own)
                + of_others * part(per(s.remote_hops), others),
        }
    };
    let load = Load {
        seconds: intervals.iter().map(|i| i.seconds).sum::<f64>() / intervals.len() as f64,
        reads: calls * kept,
        read_bytes: mean(part(sum(&|s| s.bytes_read), sum(&|s| s.reads))),
        local: part(rate(&|s| s.local_reads), calls),
        writes,
        write_bytes: clients::mean_write(intervals, &served).and_then(mean),
        shares: called(served.iter().zip(intervals).map(share).collect()),
    };
    let notes = notes(intervals, &served, &load, (own > writes * 1.01).then_some(replication));
    (load, notes)
}

/// Fraction of the bytes read for erasure-code reconstruction.
fn coded(intervals: &[Interval], all: f64) -> f64 {
    let read: f64 = intervals.iter().map(|i| i.activity.coded_bytes_read as f64).sum();
    if all > 0.0 { (read / all).min(1.0) } else { 0.0 }
}

/// Rounded to four significant digits.
fn mean(bytes: f64) -> Option<Bytes> {
    let whole = floored_u64(clients::positive(bytes.round())?);
    let step = 10_u64.pow(whole.ilog10().saturating_sub(3));
    Some(Bytes(whole.saturating_add(step / 2) / step * step))
}

/// Scenarios name nodes by host; several nodes of one host keep their ports.
fn called(mut shares: Vec<NodeShare>) -> Vec<NodeShare> {
    let mut on_host: BTreeMap<String, u32> = BTreeMap::new();
    shares.iter().for_each(|s| *on_host.entry(names::host(&s.node).into()).or_default() += 1);
    for share in &mut shares {
        let host = names::host(&share.node).to_string();
        if on_host[&host] == 1 {
            share.node = host
        }
    }
    shares
}

fn notes(
    intervals: &[Interval],
    served: &[ClientWork],
    load: &Load,
    doubted: Option<u32>,
) -> Vec<String> {
    let mut notes = Vec::new();
    let count =
        |what: &dyn Fn(&Interval) -> u64| intervals.iter().map(what).fold(0, u64::saturating_add);
    let sent = count(&|i| i.activity.replicated);
    let received: f64 = served.iter().map(|s| s.received).sum();
    if sent > 0 || received > 0.0 {
        notes.push(format!(
            "HDFS copied replicas at that time, {sent} sent and {received} received: subtracted \
             from the writes"
        ))
    }
    let (copies, replaces) = (count(&|i| i.activity.copies), count(&|i| i.activity.replaces));
    if copies > 0 || replaces > 0 {
        notes.push(format!(
            "the balancer or mover was at work, {copies} blocks sent and {replaces} received: \
             subtracted"
        ))
    }
    let tasks = count(&|i| i.activity.coded_tasks);
    if tasks > 0 {
        notes.push(format!(
            "{tasks} erasure-coded blocks were rebuilt: their bytes are subtracted from the reads"
        ))
    }
    if let Some(replication) = doubted {
        notes.push(format!(
            "clients on DataNodes alone wrote more blocks than all hops divided by {replication} \
             replicas: files may have fewer, give --replication"
        ))
    }
    if load.reads > 0.0 && load.read_bytes.is_none() {
        notes.push("no read was counted with its bytes: read_bytes is left out".into())
    }
    if load.seconds < 60.0 {
        notes.push(format!(
            "{:.0} s is short: a page's counters may be 10 s old, use some minutes",
            load.seconds
        ))
    }
    notes
}

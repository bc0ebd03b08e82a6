//! Counters of `DataNodeMetrics` (`org.apache.hadoop.hdfs.server.datanode.metrics`) on a `/jmx`
//! page, and the daemon's uptime.
use import::jmx::BeanCollector;
use import::{Issue, issue};
use serde_json::Value;

/// Followed by HOST-PORT.
const ACTIVITY: &str = "Hadoop:service=DataNode,name=DataNodeActivity-";
const RUNTIME: &str = "java.lang:type=Runtime";

/// Beans of interest on a page. A mini-cluster has several DataNodes on one page.
#[derive(Default)]
pub(super) struct Beans {
    pub(super) activities: Vec<(String, Value)>,
    runtime: Option<Value>,
}

impl BeanCollector for Beans {
    fn take(&mut self, name: &str, bean: Value) {
        if let Some(node) = name.strip_prefix(ACTIVITY) {
            self.activities.push((node.to_string(), bean))
        } else if name == RUNTIME {
            self.runtime = Some(bean)
        }
    }
}

/// Time of a page by the daemon's own clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Clock {
    /// Since the daemon's start \[ms\].
    pub(super) uptime: u64,
    /// Start of the daemon, since 1970 \[ms\]; 0: not on the page.
    pub(super) start: u64,
}

impl Beans {
    pub(super) fn clock(&self) -> Result<Clock, Issue> {
        let count = |name| self.runtime.as_ref()?.get(name)?.as_u64();
        let Some(uptime) = count("Uptime") else {
            let advice = "Save the whole page, not a part of it (?qry=).";
            let expected = format!("the DataNode's uptime: {RUNTIME}");
            return Err(issue("no Uptime on this page", expected).advice(advice));
        };
        Ok(Clock { uptime, start: count("StartTime").unwrap_or(0) })
    }
}

/// Counts since a DataNode's start, or between two pages. Bytes are payload.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Activity {
    /// `ReadsFromLocalClient`: `readBlock` calls whose peer has the DataNode's own address.
    pub(super) reads_local: u64,
    /// `ReadsFromRemoteClient`: the other calls.
    pub(super) reads_remote: u64,
    /// `BytesRead`: of all `readBlock` calls, and of `copyBlock`, the balancer's.
    pub(super) bytes_read: u64,
    /// `RemoteBytesRead`: of remote `readBlock` calls; `None` in Hadoop 2.6.
    pub(super) remote_bytes_read: Option<u64>,
    /// `WritesFromLocalClient`: `writeBlock` calls with the DataNode's own address.
    pub(super) writes_local: u64,
    /// `WritesFromRemoteClient`: other `writeBlock` calls: each pipeline hop, and each replica that
    /// a DataNode sends without a client.
    pub(super) writes_remote: u64,
    /// `BytesWritten`: all packets, from clients and DataNodes.
    pub(super) bytes_written: u64,
    /// `RemoteBytesWritten`: lengths of the blocks of remote calls from clients.
    pub(super) remote_bytes_written: Option<u64>,
    /// `BlocksWritten`: a client's block counts once, a DataNode's twice (`receiveBlock`,
    /// `closeBlock`).
    pub(super) blocks_written: u64,
    /// `BlocksReplicated`: replicas sent by order of the NameNode.
    pub(super) replicated: u64,
    /// `CopyBlockOpNumOps`: blocks that the balancer or mover copied from this node.
    pub(super) copies: u64,
    /// `ReplaceBlockOpNumOps`: blocks that the balancer or mover copied to this node.
    pub(super) replaces: u64,
    /// `EcReconstructionTasks`
    pub(super) coded_tasks: u64,
    /// `EcReconstructionBytesRead`: read from DataNodes by `readBlock`, as clients do.
    pub(super) coded_bytes_read: u64,
}

/// A counter below 0 or not a number. Averages of times are not counters.
fn broken(bean: &Value) -> Option<(&String, &Value)> {
    let counts = |name: &str| {
        let ends = ["Client", "Read", "Written", "Replicated", "NumOps", "Tasks"];
        ends.iter().any(|end| name.ends_with(end))
    };
    let all = bean.as_object()?.iter().filter(|(name, _)| counts(name));
    all.filter(|(_, value)| value.is_number()).find(|(_, value)| value.as_u64().is_none())
}

impl Activity {
    /// # Errors
    /// A counter of all versions is missing or below 0.
    pub(super) fn of(node: &str, bean: &Value) -> Result<Activity, Issue> {
        if let Some((name, value)) = broken(bean) {
            let found = format!("DataNodeActivity-{node}: {name} = {value}");
            return Err(issue(found, "a count from 0 on").advice("Save the page again."));
        }
        let maybe = |name: &str| bean.get(name).and_then(Value::as_u64);
        let need = |name: &str| {
            maybe(name).ok_or_else(|| {
                let found = format!("DataNodeActivity-{node} has no {name}");
                issue(found, "a count, as DataNodes from Hadoop 2.2 on print it")
            })
        };
        Ok(Activity {
            reads_local: need("ReadsFromLocalClient")?,
            reads_remote: need("ReadsFromRemoteClient")?,
            bytes_read: need("BytesRead")?,
            remote_bytes_read: maybe("RemoteBytesRead"),
            writes_local: need("WritesFromLocalClient")?,
            writes_remote: need("WritesFromRemoteClient")?,
            bytes_written: need("BytesWritten")?,
            remote_bytes_written: maybe("RemoteBytesWritten"),
            blocks_written: need("BlocksWritten")?,
            replicated: maybe("BlocksReplicated").unwrap_or(0),
            copies: maybe("CopyBlockOpNumOps").unwrap_or(0),
            replaces: maybe("ReplaceBlockOpNumOps").unwrap_or(0),
            coded_tasks: maybe("EcReconstructionTasks").unwrap_or(0),
            coded_bytes_read: maybe("EcReconstructionBytesRead").unwrap_or(0),
        })
    }

    /// Counts since `before`; `None` if a counter decreased.
    pub(super) fn since(&self, before: &Activity) -> Option<Activity> {
        let both = |now: Option<u64>, then: Option<u64>| match (now, then) {
            (Some(now), Some(then)) => now.checked_sub(then).map(Some),
            _ => Some(None),
        };
        Some(Activity {
            reads_local: self.reads_local.checked_sub(before.reads_local)?,
            reads_remote: self.reads_remote.checked_sub(before.reads_remote)?,
            bytes_read: self.bytes_read.checked_sub(before.bytes_read)?,
            remote_bytes_read: both(self.remote_bytes_read, before.remote_bytes_read)?,
            writes_local: self.writes_local.checked_sub(before.writes_local)?,
            writes_remote: self.writes_remote.checked_sub(before.writes_remote)?,
            bytes_written: self.bytes_written.checked_sub(before.bytes_written)?,
            remote_bytes_written: both(self.remote_bytes_written, before.remote_bytes_written)?,
            blocks_written: self.blocks_written.checked_sub(before.blocks_written)?,
            replicated: self.replicated.checked_sub(before.replicated)?,
            copies: self.copies.checked_sub(before.copies)?,
            replaces: self.replaces.checked_sub(before.replaces)?,
            coded_tasks: self.coded_tasks.checked_sub(before.coded_tasks)?,
            coded_bytes_read: self.coded_bytes_read.checked_sub(before.coded_bytes_read)?,
        })
    }
}

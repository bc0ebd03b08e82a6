//! What is kept of a run once its trace has been read: so that a comparison of many runs holds one
//! trace in memory, not all.
use crate::attribution::{Attribution, attribution};
use crate::curves;
use crate::load::{Carried, Load, transfers};
use crate::metrics::{Metrics, metrics};
use crate::moments::Moments;
use analysis::Steps;
use hdfs_trace::Trace;
use units::{Nanos, floored_u64, u32_of};

#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    pub seed: u64,
    /// As `run --json` has them.
    pub metrics: Metrics,
    pub attribution: Attribution,
    pub moments: Moments,
    /// Blocks short of replicas or racks.
    pub at_risk: Steps,
    pub made: Steps,
    /// What each node carried, by its place in the trace.
    pub carried: Vec<Carried>,
    /// Nodes live at the end.
    pub live_nodes: u32,
}

impl Run {
    pub fn of(seed: u64, trace: &Trace) -> Run {
        let load = Load::of(trace);
        Run {
            seed,
            metrics: metrics(trace),
            attribution: attribution(trace),
            moments: Moments::of(trace),
            at_risk: curves::counter(trace, "at_risk").unwrap_or_default(),
            made: made(trace),
            live_nodes: u32_of(load.live().count()),
            carried: load.nodes,
        }
    }

    /// From the declaration until all was safe \[s\]; `None` if that never came.
    pub fn recovery_s(&self) -> Option<f64> {
        self.metrics.get("recovery_s").copied()
    }

    /// What a comparison is about \[s\]: the balancer's run where it ran and no block was ever at
    /// risk, else the repair. `None` if that never ended.
    pub fn lasted_s(&self) -> Option<f64> {
        match self.is_balancing() {
            true => self.metrics.get("balancer_s").copied(),
            false => self.recovery_s(),
        }
    }

    pub fn is_balancing(&self) -> bool {
        self.metrics.contains_key("balancer_moves") && self.at_risk.max() == 0.0
    }

    /// Blocks that were short of replicas or racks at any time, apart from those that were lost
    /// before.
    pub fn blocks_affected(&self) -> u64 {
        floored_u64(self.at_risk.max()).saturating_sub(self.blocks_lost_before())
    }

    /// Blocks that are so when the run ends.
    pub fn blocks_unsafe(&self) -> u64 {
        floored_u64(self.at_risk.at(self.moments.end)).saturating_sub(self.blocks_lost_before())
    }

    /// Blocks that the loss has cost their last live replica.
    pub fn blocks_lost(&self) -> u64 {
        self.metric("blocks_lost").saturating_sub(self.blocks_lost_before())
    }

    /// Blocks without a live replica before anything happened.
    pub fn blocks_lost_before(&self) -> u64 {
        self.metric("blocks_lost_before")
    }

    /// Blocks that want more replicas than there are nodes: they have all that they can have, and
    /// are none of those that are affected.
    pub fn blocks_beyond_nodes(&self) -> u64 {
        self.metric("blocks_beyond_nodes")
    }

    /// Blocks of which the logs do not say who had them before the loss, where that leaves open
    /// which were at risk; 0 if they name none.
    pub fn blocks_untold(&self) -> Option<u64> {
        self.metrics.get("blocks_untold").map(|blocks| floored_u64(*blocks))
    }

    /// Lines of logs after the loss that cannot be read.
    pub fn lines_unread(&self) -> u64 {
        self.metric("lines_unread")
    }

    /// Whether lines that cannot be read may have told of all blocks that are not seen to be safe
    /// that they were. One line tells of one block.
    pub fn end_is_hidden(&self) -> bool {
        let lines = self.lines_unread();
        lines > 0 && self.blocks_unsafe() <= lines
    }

    /// Whether the time goes back in a log, and nothing says that no clock was set back.
    pub fn clock_is_unsure(&self) -> bool {
        self.metrics.contains_key("clock_back_s")
    }

    /// Blocks older than the logs whose loss is taken from the lines of their repair.
    pub fn blocks_inferred(&self) -> u64 {
        self.metric("blocks_inferred")
    }

    fn metric(&self, name: &str) -> u64 {
        floored_u64(self.metrics.get(name).copied().unwrap_or(0.0))
    }
}

fn made(trace: &Trace) -> Steps {
    let mut ends: Vec<Nanos> = transfers(trace).map(|copy| copy.end).collect();
    ends.sort_unstable();
    Steps::new(ends.into_iter().zip(1..).map(|(end, n)| (end, f64::from(n))))
}

/// Recovery times of all runs; `None` if some run does not become safe \[s\].
pub fn recoveries(runs: &[Run]) -> Option<Vec<f64>> {
    runs.iter().map(Run::recovery_s).collect()
}

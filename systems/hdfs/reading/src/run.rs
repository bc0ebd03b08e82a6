//! Results kept of a run, so that a comparison of many runs holds one trace in memory.
use crate::attribution::{Attribution, attribution};
use crate::curves;
use crate::load::{Load, NodeTraffic, transfers};
use crate::metrics::{Metrics, metrics};
use crate::moments::Moments;
use analysis::Steps;
use hdfs_trace::Trace;
use units::{Nanos, floored_u64, u32_of};

#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Run {
    pub seed: u64,
    pub metrics: Metrics,
    pub attribution: Attribution,
    pub moments: Moments,
    /// Blocks that lack replicas or racks.
    pub at_risk: Steps,
    pub made: Steps,
    /// By node index of the trace.
    pub carried: Vec<NodeTraffic>,
    /// At the end of the run.
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

    /// From the declaration until all blocks are safe \[s\]; `None`: never.
    pub fn recovery_s(&self) -> Option<f64> {
        self.metrics.get("recovery_s").copied()
    }

    /// Duration that a comparison uses \[s\]: of the balancer if it ran and no block was at risk,
    /// else of the repair. `None`: no end.
    pub fn duration_s(&self) -> Option<f64> {
        match self.is_balancing() {
            true => self.metrics.get("balancer_s").copied(),
            false => self.recovery_s(),
        }
    }

    pub fn is_balancing(&self) -> bool {
        self.metrics.contains_key("balancer_moves") && self.at_risk.max() == 0.0
    }

    /// Blocks that lacked replicas or racks at any time, without blocks lost before.
    pub fn blocks_affected(&self) -> u64 {
        floored_u64(self.at_risk.max()).saturating_sub(self.blocks_lost_before())
    }

    /// Blocks that lack replicas or racks at the end.
    pub fn blocks_unsafe(&self) -> u64 {
        floored_u64(self.at_risk.at(self.moments.end)).saturating_sub(self.blocks_lost_before())
    }

    /// Blocks that lost their last live replica in the run.
    pub fn blocks_lost(&self) -> u64 {
        self.metric("blocks_lost").saturating_sub(self.blocks_lost_before())
    }

    /// Blocks without a live replica before the first event.
    pub fn blocks_lost_before(&self) -> u64 {
        self.metric("blocks_lost_before")
    }

    /// Blocks with a replication factor above the number of nodes; not counted as affected.
    pub fn blocks_beyond_nodes(&self) -> u64 {
        self.metric("blocks_beyond_nodes")
    }

    /// Blocks with unknown holders before the loss, so that the blocks at risk are unknown; `None`:
    /// the logs prove them.
    pub fn blocks_untold(&self) -> Option<u64> {
        self.metrics.get("blocks_untold").map(|blocks| floored_u64(*blocks))
    }

    /// Unreadable log lines after the loss.
    pub fn lines_unread(&self) -> u64 {
        self.metric("lines_unread")
    }

    /// True if unreadable lines may report the safety of all unsafe blocks. One line is about one
    /// block.
    pub fn is_end_hidden(&self) -> bool {
        let lines = self.lines_unread();
        lines > 0 && self.blocks_unsafe() <= lines
    }

    /// True if the time goes back in a log, perhaps by a reset clock.
    pub fn clock_is_unsure(&self) -> bool {
        self.metrics.contains_key("clock_back_s")
    }

    /// Blocks older than the logs whose loss is inferred from their repair.
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

/// \[s\]; `None`: some run does not become safe.
pub fn recoveries(runs: &[Run]) -> Option<Vec<f64>> {
    runs.iter().map(Run::recovery_s).collect()
}

//! Input and result of every scheduler.
use crate::{
    Model, Topology,
    cx::Frame,
    outcome::Tally,
    parallel::{exchange::Exchange, partition::Partition},
    pending::Pending,
    population::Population,
    rank::Ranks,
};
use std::ops::Range;

pub(crate) struct Start<M: Model> {
    pub(crate) lps: Population<M>,
    pub(crate) pending: Pending<M::Event>,
    pub(crate) frame: Frame,
    pub(crate) ranks: Ranks,
}

/// The threads of a run: the owner of each LP, the threads of this process, and the exchange with
/// other processes.
pub(crate) struct Team<'t, 'p> {
    pub(crate) partition: Partition,
    pub(crate) here: Range<usize>,
    pub(crate) exchange: Option<&'t mut Exchange<'p>>,
}

impl Team<'_, '_> {
    /// Number of threads of all processes on this machine.
    pub(crate) fn crowd(&self) -> usize {
        self.exchange.as_ref().map_or(self.here.len(), |exchange| exchange.on_this_machine())
    }

    /// The same team with `threads` threads in this process. `weight`: load of an LP; `burden`:
    /// additional load of the first thread.
    pub(crate) fn of(
        self,
        threads: usize,
        topology: &Topology,
        burden: u64,
        weight: impl Fn(u32) -> u64,
    ) -> Self {
        let partition = Partition::new(topology, threads, burden, weight);
        Team { partition, here: 0..threads, ..self }
    }
}

/// Counts, end of the run \[ns\], final states.
pub(crate) type RunState<M> = (Tally, u64, Population<M>);

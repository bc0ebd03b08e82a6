//! What every scheduler begins with, and what it gives back.
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

/// What every scheduler begins with.
pub(crate) struct Start<M: Model> {
    pub(crate) lps: Population<M>,
    pub(crate) pending: Pending<M::Event>,
    pub(crate) frame: Frame,
    pub(crate) ranks: Ranks,
}

/// The threads of a run: who has which LPs, which of them are here, and the way to the others.
pub(crate) struct Team<'t, 'p> {
    pub(crate) partition: Partition,
    pub(crate) here: Range<usize>,
    pub(crate) exchange: Option<&'t mut Exchange<'p>>,
}

impl Team<'_, '_> {
    /// How many threads of all processes share this machine's cores.
    pub(crate) fn crowd(&self) -> usize {
        self.exchange.as_ref().map_or(self.here.len(), |exchange| exchange.on_this_machine())
    }

    /// So many threads of this process, in its place; `weight` of an LP is what it has to do,
    /// `burden` what the first thread has to do besides.
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

/// What a scheduler gives back: counts, the end, the final states.
pub(crate) type Ended<M> = (Tally, u64, Population<M>);

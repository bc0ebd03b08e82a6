//! What the threads of a run share.
use super::{
    barrier::{Barrier, RoundSummary},
    exchange::Exchange,
    mail::{Mail, Parcel},
    partition::Partition,
};
use crate::{Share, pending::Pending};
use rewind::Wire;
use std::{ops::Range, sync::Arc};

pub(crate) struct Shared<P> {
    pub(crate) partition: Arc<Partition>,
    /// Threads of this process.
    pub(crate) here: Range<usize>,
    pub(crate) barrier: Barrier,
    pub(crate) mail: Mail<P>,
}

impl<P: Wire> Shared<P> {
    /// `crowd`: threads on this machine.
    pub(crate) fn new(partition: Arc<Partition>, here: Range<usize>, crowd: usize) -> Arc<Self> {
        let threads = partition.threads();
        let (barrier, mail) = (Barrier::new(threads, here.clone(), crowd), Mail::new(threads));
        Arc::new(Shared { partition, here, barrier, mail })
    }

    /// Splits off the events of this process's other threads. The first one's stay; those of other
    /// processes are dropped.
    pub(crate) fn deal<E>(&self, pending: &mut Pending<E>) -> Vec<Pending<E>> {
        let first = self.here.start;
        let mut others: Vec<_> = self.here.clone().skip(1).map(|_| Pending::new()).collect();
        let owner = |lp| self.partition.owner(lp);
        pending.take_out(
            |lp| owner(lp) == first,
            |entry, event| {
                if self.here.contains(&owner(entry.dst)) {
                    others[owner(entry.dst) - first - 1].take_in(entry, event)
                }
            },
        );
        others
    }

    /// Ends a round (from 1): waits until all threads have, and returns their combined notes. With
    /// several processes, the first thread of each has an exchange.
    pub(crate) fn meet(
        &self,
        me: usize,
        round: u64,
        exchange: Option<&mut Exchange<'_>>,
    ) -> RoundSummary {
        let is_alone = self.here.len() == self.partition.threads();
        if is_alone {
            self.barrier.meet(me, round)
        } else {
            self.barrier.meet(me, 2 * round - 1);
            if let Some(exchange) = exchange {
                exchange.cross(round, &self.barrier, &self.mail)
            }
            self.barrier.meet(me, 2 * round)
        }
        self.barrier.known(round)
    }

    /// Latest time that a thread may have reached after a round \[ns\]; `u64::MAX` if it is not
    /// before the end.
    pub(crate) fn reach(&self, round: u64) -> u64 {
        let known = self.barrier.known(round);
        let limits = self.here.clone().map(|i| known.limit(&self.partition, i));
        let furthest = limits.max().unwrap_or(u64::MAX);
        if furthest < known.stop { furthest } else { u64::MAX }
    }

    /// A thread's rank and number of LPs; the counts are 0.
    pub(crate) fn share(&self, me: usize) -> Share {
        let (rank, lps) = ((me / self.here.len()) as u32, self.partition.count(me));
        Share { rank, lps, ..Share::default() }
    }

    pub(crate) fn fetch(
        &self,
        to: usize,
        round: u64,
        known: &RoundSummary,
        each: impl FnMut(Parcel<P>),
    ) {
        self.mail.fetch(to, round, (&self.barrier, known), each)
    }
}

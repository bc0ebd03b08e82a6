//! What handlers write to: all of it can be taken back.
use super::log::{Deed, Log};
use super::traffic::Traffic;
use crate::{Model, Timer, cx::Back, own::Own, pending::Entry};

/// What a thread's LPs did, and what that set under way.
pub(super) struct Ledger<'a, M: Model> {
    pub(super) log: Log<M>,
    pub(super) traffic: Traffic<'a, M::Event>,
    /// The end of the run that the handler asked for [ns].
    pub(super) stop: u64,
}

impl<'a, M: Model> Ledger<'a, M> {
    pub(super) fn new(lps: usize, traffic: Traffic<'a, M::Event>) -> Self {
        Ledger { log: Log::new(lps), traffic, stop: u64::MAX }
    }
}

impl<M: Model> Back<M> for Own<Ledger<'_, M>> {
    #[inline(always)]
    fn send(&self, t: u64, tie: u64, to: u32, event: M::Event) {
        self.with(|l| {
            let deed = match l.traffic.is_here(to) {
                true => Deed::Here(l.traffic.push(t, tie, to, event)),
                false => {
                    l.traffic.away(t, tie, to, Some(event));
                    Deed::There { t, tie, dst: to }
                }
            };
            l.log.did(deed)
        })
    }
    fn timer(&self, t: u64, tie: u64, me: u32, event: M::Event) -> u32 {
        self.with(|l| {
            let entry = l.traffic.push(t, tie, me, event);
            l.log.did(Deed::Here(entry));
            entry.place()
        })
    }
    fn cancel(&self, me: u32, timer: Timer) -> bool {
        self.with(|l| {
            let live = l.traffic.pending.stun(timer);
            if live {
                let t = l.traffic.pending.due(timer);
                let slot = timer.slot | Entry::TIMER;
                l.log.did(Deed::Cancelled(Entry { t, tie: timer.tie, dst: me, slot }))
            }
            live
        })
    }
    #[inline(always)]
    fn record(&self, record: M::Record) {
        self.with(|l| l.log.record(record))
    }
    fn stop(&self, at: u64) {
        self.with(|l| l.stop = l.stop.min(at))
    }
}

//! Takes a handler's actions: logged for rollback, or final if the event is certain.
use super::{
    log::{Action, Log},
    memory::may_continue,
    traffic::{Letter, Traffic},
};
use crate::{
    Model, Timer, commit::Records, cx::Backend, exclusive::Exclusive, livelock::Chain,
    pending::Entry,
};
use std::panic::resume_unwind;

pub(super) struct Ledger<M: Model> {
    pub(super) log: Log<M>,
    pub(super) traffic: Traffic<M::Event>,
    /// The end that the handler requested \[ns\].
    pub(super) stop: u64,
    /// The event in progress cannot be undone.
    pub(super) is_certain: bool,
    /// Records of a certain event.
    pub(super) records: Records<M::Record>,
    /// Actions left to the event in progress.
    pub(super) left: u64,
}

/// Maximum actions of a speculative event; one with more waits until it is certain.
pub(super) const MOST_DEEDS: u64 = 1 << 16;

/// Actions between two checks of the memory.
const LOOK: u64 = 256;

/// Unwinds a speculative handler with too many actions; on an inconsistent state it may never
/// return.
pub(super) struct LogOverflow;

impl<M: Model> Ledger<M> {
    pub(super) fn new(lps: usize, traffic: Traffic<M::Event>) -> Self {
        let (log, records) = (Log::new(lps), Records::new());
        Ledger { log, traffic, stop: u64::MAX, is_certain: false, records, left: u64::MAX }
    }

    /// Counts an action. Returns whether the event may continue.
    #[inline(always)]
    fn has_room(&mut self) -> bool {
        self.left -= 1;
        !self.left.is_multiple_of(LOOK) || self.left > 0 && may_continue()
    }
}

/// Call before each action of a handler.
#[inline(always)]
fn count<M: Model>(ledger: &Exclusive<Ledger<M>>) {
    if !ledger.with(Ledger::has_room) {
        break_off()
    }
}

#[cold]
#[inline(never)]
fn break_off() -> ! {
    resume_unwind(Box::new(LogOverflow))
}

impl<M: Model> Backend<M> for Exclusive<Ledger<M>> {
    #[inline(always)]
    fn send(&self, t: u64, tie: u64, to: u32, event: M::Event) {
        count(self);
        self.with(|l| {
            let action = match (l.traffic.is_here(to), l.is_certain) {
                (true, true) => return l.traffic.pending.push(t, tie, to, event),
                (false, true) => return l.traffic.away(t, tie, to, Letter::Certain(event)),
                (true, false) => Action::Here(l.traffic.push(t, tie, to, event)),
                (false, false) => {
                    l.traffic.away(t, tie, to, Letter::Tentative(event));
                    Action::There { t, tie, dst: to }
                }
            };
            l.log.did(action)
        })
    }
    fn timer(&self, t: u64, tie: u64, me: u32, event: M::Event) -> u32 {
        count(self);
        self.with(|l| {
            let entry = l.traffic.push(t, tie, me, event);
            if !l.is_certain {
                l.log.did(Action::Here(entry))
            }
            entry.place()
        })
    }
    fn cancel(&self, me: u32, timer: Timer) -> bool {
        count(self);
        self.with(|l| {
            let timer = l.traffic.pending.find(timer);
            let live = l.traffic.pending.stun(timer);
            if live && l.is_certain {
                l.traffic.pending.bury(timer)
            } else if live {
                let t = l.traffic.pending.due(timer);
                let slot = timer.slot | Entry::TIMER;
                l.log.did(Action::Cancelled(Entry { t, tie: timer.tie, dst: me, slot }))
            }
            live
        })
    }
    #[inline(always)]
    fn record(&self, record: M::Record) {
        count(self);
        self.with(|l| match l.is_certain {
            true => l.records.push(record),
            false => l.log.record(record),
        })
    }
    fn stop(&self, at: u64) {
        count(self);
        self.with(|l| l.stop = l.stop.min(at))
    }
    #[inline(always)]
    fn called(&self) {
        count(self)
    }
    #[cold]
    fn chained(&self, before: Chain) {
        self.with(|l| {
            if !l.is_certain {
                l.log.did(Action::Chained(before))
            }
        })
    }
}

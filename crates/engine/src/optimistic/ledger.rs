//! What handlers write to: all of it can be taken back.
use super::history::Deed;
use crate::{
    Model, Stamp, Timer,
    commit::Records,
    cx::Back,
    own::Own,
    parallel::{mail::Parcel, partition::Partition},
    pending::{Entry, Pending},
};
use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

/// Every event here is cancellable, as a timer is: its sender may be undone.
pub(super) struct Ledger<'a, M: Model> {
    pub(super) pending: Pending<M::Event>,
    /// What came from other threads and is not committed: places by the second half of the key.
    foreign: HashMap<u64, u32, BuildHasherDefault<Mixed>>,
    me: usize,
    partition: &'a Partition,
    /// By receiving thread; and the soonest in each [ns].
    pub(super) bags: Vec<Vec<Parcel<Option<M::Event>>>>,
    pub(super) soonest: Vec<u64>,
    /// Of the handler that runs.
    pub(super) deeds: Vec<Deed>,
    pub(super) records: Records<M::Record>,
    pub(super) stop: u64,
    /// Room for records on their way out.
    pub(super) rows: Vec<(Stamp, M::Record)>,
}

impl<'a, M: Model> Ledger<'a, M> {
    pub(super) fn new(me: usize, partition: &'a Partition, threads: usize) -> Self {
        let mut pending = Pending::new();
        pending.pin();
        Ledger {
            pending,
            foreign: HashMap::default(),
            me,
            partition,
            bags: (0..threads).map(|_| vec![]).collect(),
            soonest: vec![u64::MAX; threads],
            deeds: vec![],
            records: Records::new(),
            stop: u64::MAX,
            rows: vec![],
        }
    }

    pub(super) fn push(&mut self, t: u64, tie: u64, dst: u32, event: M::Event) -> Entry {
        let entry = self.pending.hold_timer(t, tie, dst, event);
        self.pending.enter(entry);
        entry
    }

    /// From another thread.
    pub(super) fn arrive(&mut self, t: u64, tie: u64, dst: u32, event: M::Event) {
        let entry = self.push(t, tie, dst, event);
        self.foreign.insert(tie, entry.place());
    }

    /// What arrived under this key and is now called back.
    pub(super) fn arrived(&mut self, t: u64, tie: u64, dst: u32) -> Entry {
        let slot = self.foreign[&tie] | Entry::TIMER;
        Entry { t, tie, dst, slot }
    }

    /// Drops a message that is pending; whether it was.
    pub(super) fn drop_pending(&mut self, entry: &Entry) -> bool {
        let live = self.pending.stun(entry.timer());
        if live {
            self.forget(entry);
            self.pending.bury(entry.timer())
        }
        live
    }

    fn forget(&mut self, entry: &Entry) {
        if !self.foreign.is_empty() {
            self.foreign.remove(&entry.tie);
        }
    }

    /// An event is pending again. Its key may stand in the ladder still: a second one does no harm,
    /// since the first of them to be popped is the only one that finds it live.
    pub(super) fn revive(&mut self, entry: Entry) {
        self.pending.revive(entry.timer());
        self.pending.enter(entry)
    }

    /// Tells another thread that a message was never sent.
    pub(super) fn call_back(&mut self, t: u64, tie: u64, dst: u32) {
        self.away(t, tie, dst, None)
    }

    fn away(&mut self, t: u64, tie: u64, dst: u32, event: Option<M::Event>) {
        let to = self.partition.owner(dst);
        self.soonest[to] = self.soonest[to].min(t);
        self.bags[to].push(Parcel { t, tie, dst, event })
    }

    /// A committed event's payload goes.
    pub(super) fn release(&mut self, entry: &Entry) {
        self.forget(entry);
        self.pending.release(entry)
    }
}

impl<M: Model> Back<M> for Own<Ledger<'_, M>> {
    #[inline(always)]
    fn send(&self, t: u64, tie: u64, to: u32, event: M::Event) {
        self.with(|l| {
            if l.partition.owner(to) == l.me {
                let entry = l.push(t, tie, to, event);
                l.deeds.push(Deed::Here(entry))
            } else {
                l.away(t, tie, to, Some(event));
                l.deeds.push(Deed::There { t, tie, dst: to })
            }
        })
    }
    fn timer(&self, t: u64, tie: u64, me: u32, event: M::Event) -> u32 {
        self.with(|l| {
            let entry = l.push(t, tie, me, event);
            l.deeds.push(Deed::Here(entry));
            entry.place()
        })
    }
    fn cancel(&self, me: u32, Timer { tie, slot }: Timer) -> bool {
        self.with(|l| {
            let live = l.pending.stun(Timer { tie, slot });
            if live {
                let t = l.pending.due(Timer { tie, slot });
                let entry = Entry { t, tie, dst: me, slot: slot | Entry::TIMER };
                l.deeds.push(Deed::Cancelled(entry))
            }
            live
        })
    }
    #[inline(always)]
    fn record(&self, record: M::Record) {
        self.with(|l| l.records.push(record))
    }
    fn stop(&self, at: u64) {
        self.with(|l| l.stop = l.stop.min(at))
    }
}

/// Keys are already unlike one another in their low bits: one multiplication spreads them.
#[derive(Default)]
pub(super) struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are numbers")
    }
    fn write_u64(&mut self, key: u64) {
        let product = key as u128 * 0x9E37_79B9_7F4A_7C15;
        self.0 = (product >> 64) as u64 ^ product as u64
    }
}

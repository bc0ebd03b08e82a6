//! Messages that are pending here or on their way to other threads, and what is called back.
use crate::{
    parallel::{
        mail::{Outgoing, Parcel},
        partition::Partition,
    },
    pending::{Entry, Pending},
};
use rewind::{Reader, Wire, WireError};
use std::{
    hash::{BuildHasherDefault, Hasher},
    sync::Arc,
};

/// What a thread sends to another. An anti-message comes behind its message in the same bag, or in
/// a later one.
pub(super) enum Letter<E> {
    /// Its sender cannot be undone.
    Certain(E),
    /// It may be called back.
    Tentative(E),
    /// It is called back (an anti-message).
    Never,
}

impl<E: Wire> Wire for Letter<E> {
    const SCHEMA: u64 = E::SCHEMA;
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Letter::Never => out.push(0),
            Letter::Certain(event) => {
                out.push(1);
                event.encode(out)
            }
            Letter::Tentative(event) => {
                out.push(2);
                event.encode(out)
            }
        }
    }
    fn decode(from: &mut Reader<'_>) -> Result<Self, WireError> {
        match u8::decode(from)? {
            0 => Ok(Letter::Never),
            1 => E::decode(from).map(Letter::Certain),
            2 => E::decode(from).map(Letter::Tentative),
            _ => Err(WireError::Invalid),
        }
    }
}

/// A message whose sender may be undone is cancellable, as a timer is.
pub(super) struct Traffic<E> {
    pub(super) pending: Pending<E>,
    /// What came from other threads and is not committed: places by the second half of the key.
    foreign: Places,
    me: usize,
    partition: Arc<Partition>,
    pub(super) outgoing: Outgoing<Letter<E>>,
}

impl<E> Traffic<E> {
    pub(super) fn new(me: usize, partition: &Arc<Partition>, mut pending: Pending<E>) -> Self {
        pending.pin();
        let (outgoing, partition) = (Outgoing::new(partition.threads()), Arc::clone(partition));
        Traffic { pending, foreign: Places::default(), me, partition, outgoing }
    }

    /// LPs were rebalanced, when all that had come was certain.
    pub(super) fn join(&mut self, partition: &Arc<Partition>) {
        self.partition = Arc::clone(partition);
        self.foreign.clear()
    }

    #[inline(always)]
    pub(super) fn is_here(&self, lp: u32) -> bool {
        self.partition.owner(lp) == self.me
    }

    /// A message for an LP of this thread that may be taken back.
    #[inline(always)]
    pub(super) fn push(&mut self, t: u64, tie: u64, dst: u32, event: E) -> Entry {
        let entry = self.pending.hold_timer(t, tie, dst, event);
        self.pending.enter(entry);
        entry
    }

    /// For another thread's LP.
    #[inline(always)]
    pub(super) fn away(&mut self, t: u64, tie: u64, dst: u32, event: Letter<E>) {
        self.outgoing.put(self.partition.owner(dst), Parcel { t, tie, dst, event })
    }

    /// From another thread, which may call it back.
    pub(super) fn arrive(&mut self, t: u64, tie: u64, dst: u32, event: E) {
        let entry = self.push(t, tie, dst, event);
        self.pending.set_foreign(entry.place());
        self.foreign.insert(tie, entry.place());
    }

    /// What arrived under this key and is now called back.
    pub(super) fn arrived(&self, t: u64, tie: u64, dst: u32) -> Entry {
        Entry { t, tie, dst, slot: self.foreign[&tie] | Entry::TIMER }
    }

    /// Drops a message that is pending; whether it was.
    pub(super) fn drop_pending(&mut self, entry: &Entry) -> bool {
        let live = self.pending.stun(entry.timer());
        if live {
            if self.pending.is_foreign(entry.place()) {
                self.foreign.remove(&entry.tie);
            }
            self.pending.bury(entry.timer())
        }
        live
    }

    /// An event is pending again. A timer's key may stand in the ladder still: a second one does no
    /// harm, since the first of them to be popped is the only one that finds it live.
    pub(super) fn revive(&mut self, entry: Entry) {
        if entry.is_timer() {
            self.pending.revive(entry.timer())
        }
        self.pending.enter(entry)
    }

    /// Whether a popped event came from another thread, which could have called it back.
    #[inline(always)]
    pub(super) fn is_foreign(&self, entry: &Entry) -> bool {
        entry.is_timer() && self.pending.is_foreign(entry.place())
    }

    /// A committed event's payload goes.
    #[inline(always)]
    pub(super) fn release(&mut self, entry: &Entry, is_foreign: bool) {
        if is_foreign {
            self.foreign.remove(&entry.tie);
        }
        self.pending.release(entry)
    }
}

/// Never gone through, so that its order shows nowhere.
#[expect(clippy::disallowed_types)]
type Places = std::collections::HashMap<u64, u32, BuildHasherDefault<Mixed>>;

/// Keys are already unlike one another in their low bits: one multiplication spreads them.
#[derive(Default)]
struct Mixed(u64);

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

//! Pending messages of a thread, its messages to other threads, and anti-messages.
use crate::{
    parallel::{
        mail::{OutgoingMail, Parcel},
        partition::Partition,
    },
    pending::{Entry, Pending},
};
use rewind::{Reader, Wire, WireError};
use std::{
    hash::{BuildHasherDefault, Hasher},
    sync::Arc,
};

/// A message between threads. An anti-message follows its message in the same bag or a later one.
pub(super) enum Letter<E> {
    /// Its sender cannot be undone.
    Certain(E),
    /// An anti-message may follow.
    Tentative(E),
    /// An anti-message.
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

/// A message whose sender may be undone is cancellable, like a timer.
pub(super) struct Traffic<E> {
    pub(super) pending: Pending<E>,
    /// Uncommitted messages from other threads: slots by the second half of the key.
    foreign: Places,
    me: usize,
    partition: Arc<Partition>,
    pub(super) outgoing: OutgoingMail<Letter<E>>,
}

impl<E> Traffic<E> {
    pub(super) fn new(me: usize, partition: &Arc<Partition>, mut pending: Pending<E>) -> Self {
        pending.pin();
        let (outgoing, partition) = (OutgoingMail::new(partition.threads()), Arc::clone(partition));
        Traffic { pending, foreign: Places::default(), me, partition, outgoing }
    }

    /// Call after a rebalancing, when all received messages are certain.
    pub(super) fn join(&mut self, partition: &Arc<Partition>) {
        self.partition = Arc::clone(partition);
        self.foreign.clear()
    }

    #[inline(always)]
    pub(super) fn is_here(&self, lp: u32) -> bool {
        self.partition.owner(lp) == self.me
    }

    /// Adds a message for an LP of this thread that may be cancelled.
    #[inline(always)]
    pub(super) fn push(&mut self, t: u64, tie: u64, dst: u32, event: E) -> Entry {
        let entry = self.pending.hold_timer(t, tie, dst, event);
        self.pending.enter(entry);
        entry
    }

    #[inline(always)]
    pub(super) fn away(&mut self, t: u64, tie: u64, dst: u32, event: Letter<E>) {
        self.outgoing.put(self.partition.owner(dst), Parcel { t, tie, dst, event })
    }

    /// Receives a message that its sender may cancel.
    pub(super) fn arrive(&mut self, t: u64, tie: u64, dst: u32, event: E) {
        let entry = self.push(t, tie, dst, event);
        self.pending.set_foreign(entry.place());
        self.foreign.insert(tie, entry.place());
    }

    /// The received message that an anti-message cancels.
    pub(super) fn arrived(&self, t: u64, tie: u64, dst: u32) -> Entry {
        Entry { t, tie, dst, slot: self.foreign[&tie] | Entry::TIMER }
    }

    /// Drops a message if it is pending. Returns whether it was.
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

    /// Makes an event pending again. The ladder may still have a timer's key. A second one does no
    /// harm: only the first one popped finds the timer live.
    pub(super) fn revive(&mut self, entry: Entry) {
        if entry.is_timer() {
            self.pending.revive(entry.timer())
        }
        self.pending.enter(entry)
    }

    /// Whether another thread sent the event and could have cancelled it.
    #[inline(always)]
    pub(super) fn is_foreign(&self, entry: &Entry) -> bool {
        entry.is_timer() && self.pending.is_foreign(entry.place())
    }

    #[inline(always)]
    pub(super) fn release(&mut self, entry: &Entry, is_foreign: bool) {
        if is_foreign {
            self.foreign.remove(&entry.tie);
        }
        self.pending.release(entry)
    }
}

/// Never iterated, so its order has no effect.
#[expect(clippy::disallowed_types)]
type Places = std::collections::HashMap<u64, u32, BuildHasherDefault<MixingHasher>>;

/// Keys differ in their low bits already: one multiplication spreads them.
#[derive(Default)]
struct MixingHasher(u64);

impl Hasher for MixingHasher {
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

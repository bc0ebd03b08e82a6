//! Rounds among processes: the first thread of each sends the others one bag a round.
//!
//! ```text
//!   process 0   thread 0  ■■■■|meet|─┐ ┌─|meet|■■■■      a bag: the notes of all threads here,
//!               thread 1  ■■■■|    | ╳   |    |■■■■      messages by sender and receiver, and,
//!   process 1   thread 2  ■■■■|meet|─┘ └─|meet|■■■■      for process 0, records
//! ```
use super::{
    barrier::{Barrier, Notes},
    mail::{Mail, Parcel},
    sync::AtomicU64,
};
use crate::{Effort, PeerLost, Peers, outcome::Tally};
use rewind::{Reader, Wire, WireError};
use std::{ops::Range, panic, sync::atomic::Ordering::Relaxed};

/// Transfers records to the process that merges them.
pub(crate) trait ExchangePayload {
    /// Packs what is here for process `to`.
    fn pack(&mut self, to: usize, out: &mut Vec<u8>);
    /// Reads what process `from` has packed.
    fn unpack(&mut self, from: usize, bytes: &mut Reader<'_>) -> Result<(), WireError>;
}

/// For runs in which each process keeps its records.
pub(crate) struct NoPayload;

impl ExchangePayload for NoPayload {
    fn pack(&mut self, _: usize, _: &mut Vec<u8>) {}
    fn unpack(&mut self, _: usize, _: &mut Reader<'_>) -> Result<(), WireError> {
        Ok(())
    }
}

pub(crate) struct Exchange<'a> {
    peers: &'a mut dyn Peers,
    payload: Box<dyn ExchangePayload + 'a>,
    threads: usize,
    bags: Vec<Vec<u8>>,
}

impl<'a> Exchange<'a> {
    pub(crate) fn new(
        peers: &'a mut dyn Peers,
        threads: usize,
        payload: Box<dyn ExchangePayload + 'a>,
    ) -> Self {
        let bags = vec![vec![]; peers.count()];
        Exchange { peers, payload, threads, bags }
    }

    /// Threads of a process; they are numbered over all processes.
    fn members(&self, rank: usize) -> Range<usize> {
        rank * self.threads..(rank + 1) * self.threads
    }

    pub(crate) fn all(&self) -> usize {
        self.peers.count() * self.threads
    }

    pub(crate) fn on_this_machine(&self) -> usize {
        self.peers.on_this_machine() * self.threads
    }

    pub(crate) fn here(&self) -> Range<usize> {
        self.members(self.peers.rank())
    }

    fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let me = self.peers.rank();
        (0..self.peers.count()).filter(move |rank| *rank != me)
    }

    /// # Panics
    /// With [`PeerLost`], without a message: the caller of the run prints it.
    fn swap(&mut self) {
        if let Err(lost) = self.peers.swap(&mut self.bags) {
            panic::resume_unwind(Box::new(lost))
        }
    }

    /// Sends each other process what `pack` writes, and has `unpack` read what it sent.
    fn exchange(
        &mut self,
        mut pack: impl FnMut(&mut Self, usize, &mut Vec<u8>),
        mut unpack: impl FnMut(&mut Self, usize, &mut Reader<'_>) -> Result<(), WireError>,
    ) {
        for rank in self.others() {
            let mut bag = std::mem::take(&mut self.bags[rank]);
            bag.clear();
            pack(self, rank, &mut bag);
            self.bags[rank] = bag
        }
        self.swap();
        for rank in self.others() {
            let bag = std::mem::take(&mut self.bags[rank]);
            let mut bytes = Reader::new(&bag);
            let read = unpack(self, rank, &mut bytes);
            if let Err(e) = read.and(if bytes.left() == 0 { Ok(()) } else { Err(WireError::Long) })
            {
                panic::resume_unwind(Box::new(PeerLost(format!(
                    "invalid data from rank {rank}: {e}"
                ))))
            }
            self.bags[rank] = bag
        }
    }

    /// Checks that all processes make the same run, by these named values.
    pub(crate) fn compare(&mut self, what: &[(&'static str, u64)]) {
        let mut unlike = None;
        self.exchange(
            |_, _, out| what.iter().for_each(|(_, value)| value.encode(out)),
            |_, rank, bytes| {
                for (name, value) in what {
                    if u64::decode(bytes)? != *value && unlike.is_none() {
                        unlike = Some((rank, *name))
                    }
                }
                Ok(())
            },
        );
        if let Some((rank, name)) = unlike {
            let me = self.peers.rank();
            panic::resume_unwind(Box::new(PeerLost(format!(
                "rank {rank} and rank {me} differ in {name}: start all ranks with the same \
                 program, arguments and files"
            ))))
        }
    }

    /// Exchanges messages, notes and records of a round, between its two barriers.
    pub(crate) fn cross<P: Wire>(&mut self, round: u64, barrier: &Barrier, mail: &Mail<P>) {
        let here = self.here();
        self.exchange(
            |me, rank, out| {
                for from in here.clone() {
                    put_notes(barrier, from, round, out);
                    for to in me.members(rank) {
                        put_bag(mail, (from, to), round, out)
                    }
                }
                me.payload.pack(rank, out)
            },
            |me, rank, bytes| {
                for from in me.members(rank) {
                    take_notes(barrier, from, round, bytes)?;
                    for to in here.clone() {
                        take_bag(mail, (from, to), round, bytes)?
                    }
                }
                me.payload.unpack(rank, bytes)
            },
        )
    }

    /// The first fault of all processes, by key.
    pub(crate) fn first_fault(&mut self, own: Option<u128>) -> Option<u128> {
        let mut first = own;
        self.exchange(
            |_, _, out| own.encode(out),
            |_, _, bytes| {
                let other: Option<u128> = Wire::decode(bytes)?;
                first = [first, other].into_iter().flatten().min();
                Ok(())
            },
        );
        first
    }

    /// Sums the results of all processes, and transfers the remaining records.
    pub(crate) fn sum(&mut self, own: Tally) -> Tally {
        let mut all: Vec<Tally> = (0..self.peers.count()).map(|_| Tally::default()).collect();
        self.exchange(
            |me, rank, out| {
                put_tally(&own, out);
                me.payload.pack(rank, out)
            },
            |me, rank, bytes| {
                all[rank] = take_tally(bytes)?;
                me.payload.unpack(rank, bytes)
            },
        );
        all[self.peers.rank()] = own;
        all.into_iter().reduce(Tally::and).expect("this one, at least")
    }
}

/// The notes that are exchanged: those of every round, and if `sends`, those by receiver.
fn values(notes: &Notes, sends: bool) -> impl Iterator<Item = &AtomicU64> {
    let own = [&notes.next, &notes.stop, &notes.events, &notes.undone];
    let to_each = notes.sent.iter().chain(&notes.held);
    own.into_iter().chain(to_each.filter(move |_| sends))
}

fn put_notes(barrier: &Barrier, member: usize, round: u64, out: &mut Vec<u8>) {
    let notes = barrier.notes(member, round);
    let sends = notes.sends.load(Relaxed);
    sends.encode(out);
    for value in values(notes, sends) {
        value.load(Relaxed).encode(out)
    }
    notes.quit.load(Relaxed).encode(out)
}

fn take_notes(
    barrier: &Barrier,
    member: usize,
    round: u64,
    bytes: &mut Reader<'_>,
) -> Result<(), WireError> {
    let notes = barrier.notes(member, round);
    let sends = bool::decode(bytes)?;
    notes.sends.store(sends, Relaxed);
    for value in values(notes, sends) {
        value.store(u64::decode(bytes)?, Relaxed)
    }
    notes.quit.store(bool::decode(bytes)?, Relaxed);
    Ok(())
}

fn put_bag<P: Wire>(mail: &Mail<P>, way: (usize, usize), round: u64, out: &mut Vec<u8>) {
    mail.with(way, round, |bag| {
        (bag.len() as u64).encode(out);
        for Parcel { t, tie, dst, event } in bag.drain(..) {
            (t, tie, dst).encode(out);
            event.encode(out)
        }
    })
}

fn take_bag<P: Wire>(
    mail: &Mail<P>,
    way: (usize, usize),
    round: u64,
    bytes: &mut Reader<'_>,
) -> Result<(), WireError> {
    mail.with(way, round, |bag| {
        for _ in 0..u64::decode(bytes)? {
            let (t, tie, dst) = Wire::decode(bytes)?;
            bag.push(Parcel { t, tie, dst, event: P::decode(bytes)? })
        }
        Ok(())
    })
}

fn put_tally(tally: &Tally, out: &mut Vec<u8>) {
    let Tally { events, hash, last, interrupted, effort } = tally;
    (*events, *hash, *last, *interrupted).encode(out);
    (effort.rolled_back, effort.rounds).encode(out);
    effort.threads.encode(out)
}

fn take_tally(bytes: &mut Reader<'_>) -> Result<Tally, WireError> {
    let (events, hash, last, interrupted) = Wire::decode(bytes)?;
    let (rolled_back, rounds) = Wire::decode(bytes)?;
    let threads = Wire::decode(bytes)?;
    let effort = Effort { rolled_back, rounds, threads, ..Effort::default() };
    Ok(Tally { events, hash, last, interrupted, effort })
}

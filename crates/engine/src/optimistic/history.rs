//! What of each LP can still be undone.
use crate::{Model, commit::Records, pending::Entry};
use std::{
    collections::{VecDeque, vec_deque::Drain},
    mem,
};

/// An event that was done and is not committed.
pub(super) struct Past<M: Model> {
    pub(super) entry: Entry,
    /// The key of the last message that the LP had sent before.
    pub(super) sent: u64,
    /// The state before.
    pub(super) mark: M::Mark,
    pub(super) records: Records<M::Record>,
    /// How many of the LP's deeds are its.
    deeds: u32,
}

/// What a handler did to the world.
#[derive(Clone, Copy)]
pub(super) enum Deed {
    /// It sent this, to an LP of the same thread.
    Here(Entry),
    /// Likewise, to another thread.
    There {
        /// When it is due [ns].
        t: u64,
        /// The second half of its key.
        tie: u64,
        /// To whom.
        dst: u32,
    },
    /// It cancelled this timer.
    Cancelled(Entry),
}

/// Of one LP, the oldest first.
struct History<M: Model> {
    past: VecDeque<Past<M>>,
    deeds: VecDeque<Deed>,
}

/// The histories of a thread's LPs; only those that have one take room.
pub(super) struct Histories<M: Model> {
    /// By LP: where its history is, or `NONE`.
    place: Vec<u32>,
    pool: Vec<History<M>>,
    free: Vec<u32>,
    /// LPs that have a history.
    active: Vec<u32>,
    events: u64,
}

const NONE: u32 = u32::MAX;

impl<M: Model> Histories<M> {
    pub(super) fn new(lps: usize) -> Self {
        let (pool, free, active) = (vec![], vec![], vec![]);
        Histories { place: vec![NONE; lps], pool, free, active, events: 0 }
    }

    /// Events that can still be undone.
    pub(super) fn events(&self) -> u64 {
        self.events
    }

    fn of(&mut self, lp: u32) -> Option<&mut History<M>> {
        let place = self.place[lp as usize];
        (place != NONE).then(|| &mut self.pool[place as usize])
    }

    /// The key of the last event of an LP that can be undone.
    #[inline(always)]
    pub(super) fn last(&self, lp: u32) -> Option<u128> {
        let place = self.place[lp as usize];
        if place == NONE {
            return None;
        }
        self.pool[place as usize].past.back().map(|past| past.entry.key())
    }

    /// An event is about to be handled.
    #[inline(always)]
    pub(super) fn begin(&mut self, entry: Entry, sent: u64, mark: M::Mark) {
        self.events += 1;
        let past = Past { entry, sent, mark, records: Records::new(), deeds: 0 };
        if self.place[entry.dst as usize] == NONE {
            self.open(entry.dst)
        }
        self.of(entry.dst).expect("opened").past.push_back(past)
    }

    fn open(&mut self, lp: u32) {
        let place = self.free.pop().unwrap_or_else(|| {
            self.pool.push(History { past: VecDeque::new(), deeds: VecDeque::new() });
            self.pool.len() as u32 - 1
        });
        self.place[lp as usize] = place;
        self.active.push(lp)
    }

    /// What the handler of an LP's last event did; both lists are emptied.
    #[inline(always)]
    pub(super) fn note(
        &mut self,
        lp: u32,
        deeds: &mut Vec<Deed>,
        records: &mut Records<M::Record>,
    ) {
        let history = self.of(lp).expect("it has an event");
        let past = history.past.back_mut().expect("it has an event");
        past.deeds = deeds.len() as u32;
        mem::swap(&mut past.records, records);
        history.deeds.extend(deeds.drain(..))
    }

    /// Takes an LP's last event, if it is not before `key`, with its deeds.
    pub(super) fn pop_last(&mut self, lp: u32, key: u128) -> Option<(Past<M>, Drain<'_, Deed>)> {
        let place = self.place[lp as usize];
        let History { past, deeds } = self.pool.get_mut(place as usize)?;
        let last = past.pop_back_if(|past| past.entry.key() >= key)?;
        self.events -= 1;
        let first = deeds.len() - last.deeds as usize;
        Some((last, deeds.drain(first..)))
    }

    /// Gives out, LP by LP, the events before `certain` \[ns\], which are forgotten.
    pub(super) fn settle(&mut self, certain: u64, mut each: impl FnMut(Settled<'_, M>)) {
        let mut kept = 0;
        for i in 0..self.active.len() {
            let lp = self.active[i];
            let place = self.place[lp as usize];
            let History { past, deeds } = &mut self.pool[place as usize];
            let before = past.len();
            while let Some(first) = past.pop_front_if(|past| past.entry.t < certain) {
                let count = first.deeds as usize;
                each(Settled::Event(first, deeds.drain(..count)))
            }
            if past.len() < before {
                self.events -= (before - past.len()) as u64;
                each(Settled::Rest(lp, past.front().map(|past| &past.mark)))
            }
            if past.is_empty() {
                self.place[lp as usize] = NONE;
                self.free.push(place)
            } else {
                self.active[kept] = lp;
                kept += 1
            }
        }
        self.active.truncate(kept)
    }

    /// The LPs that have events that can be undone.
    pub(super) fn active(&self) -> Vec<u32> {
        self.active.clone()
    }
}

/// What [`Histories::settle`] gives out.
pub(super) enum Settled<'a, M: Model> {
    /// An event, and what it did.
    Event(Past<M>, Drain<'a, Deed>),
    /// All of this LP's; and the mark of its first event that is left, if one is.
    Rest(u32, Option<&'a M::Mark>),
}

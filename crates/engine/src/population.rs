//! The LPs of this process: all of them, or its share.
use crate::{Model, rank::Ranks};
use std::{
    iter,
    mem::MaybeUninit,
    panic::resume_unwind,
    sync::Mutex,
    thread::{self, Builder},
};

pub(crate) type Build<'a, M> = dyn Fn(u32) -> M + Sync + 'a;

/// An LP in cache lines of its own. `sent`: key of the last message that it sent.
#[repr(align(64))]
pub(crate) struct Slot<M> {
    pub(crate) state: M,
    pub(crate) sent: u64,
}

/// LPs by id; those of other processes are not built.
pub(crate) struct Population<M> {
    slots: Vec<Slot<M>>,
    /// Slot by LP; empty if all LPs are in this process.
    places: Vec<u32>,
}

/// Minimum number of LPs to build per thread.
const WORTH_A_THREAD: usize = if cfg!(miri) { 2 } else { 1 << 14 };

/// Place of an LP in another process.
const ELSEWHERE: u32 = u32::MAX;

impl<M: Model> Population<M> {
    pub(crate) fn all(count: u32, ranks: &Ranks, build: &Build<'_, M>, threads: usize) -> Self {
        let (mut slots, count) = (Vec::with_capacity(count as usize), count as usize);
        let each = count.div_ceil(threads).max(WORTH_A_THREAD);
        let make = |(part, slots): (usize, &mut [MaybeUninit<Slot<M>>])| {
            for (id, slot) in ((part * each) as u32..).zip(slots) {
                slot.write(Slot { state: build(id), sent: ranks.first(id) });
            }
        };
        let parts = slots.spare_capacity_mut()[..count].chunks_mut(each).enumerate();
        let (others, parts) = (parts.len().saturating_sub(1), Mutex::new(parts));
        let next = || parts.lock().expect("no thread panics with it").next();
        let work = || iter::from_fn(next).for_each(make);
        thread::scope(|scope| {
            // If the system starts no more threads, the existing ones build all.
            let start = |_| Builder::new().spawn_scoped(scope, work).ok();
            let others: Vec<_> = (0..others).map_while(start).collect();
            work();
            others.into_iter().for_each(|o| o.join().unwrap_or_else(|said| resume_unwind(said)))
        });
        // SAFETY: there is room for all, and each was written.
        unsafe { slots.set_len(count) };
        Population { slots, places: vec![] }
    }

    /// Builds those of `count` LPs that are in this process.
    pub(crate) fn some(
        count: u32,
        ranks: &Ranks,
        build: &Build<'_, M>,
        is_here: impl Fn(u32) -> bool,
    ) -> Self {
        let (mut slots, mut places) = (vec![], vec![ELSEWHERE; count as usize]);
        for id in (0..count).filter(|&id| is_here(id)) {
            places[id as usize] = slots.len() as u32;
            slots.push(Slot { state: build(id), sent: ranks.first(id) })
        }
        Population { slots, places }
    }

    /// The slots, and the place of each by LP; no places if they equal the ids.
    pub(crate) fn parts(&mut self) -> (&mut [Slot<M>], &[u32]) {
        (&mut self.slots, &self.places)
    }

    pub(crate) fn get(&mut self, lp: u32) -> &mut Slot<M> {
        match self.places.get(lp as usize) {
            None => &mut self.slots[lp as usize],
            Some(&place) => &mut self.slots[place as usize],
        }
    }

    pub(crate) fn sent(&self, lp: u32, ranks: &Ranks) -> u64 {
        self.slots[lp as usize].sent - ranks.first(lp)
    }

    /// Journals all LPs from this commit on; `None` switches journals off.
    pub(crate) fn journal(&mut self, from: Option<u64>) {
        self.slots.iter_mut().for_each(|lp| lp.state.journal(from))
    }

    /// Ids and states, in the order of ids.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &M)> {
        let known = self.places.iter().enumerate().filter(|(_, place)| **place != ELSEWHERE);
        let ids = known.map(|(id, _)| id as u32);
        let all = if self.places.is_empty() { self.slots.len() as u32 } else { 0 };
        ids.chain(0..all).zip(self.slots.iter().map(|slot| &slot.state))
    }
}

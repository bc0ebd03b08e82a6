//! What can still be undone: one log for all LPs of a thread, in the order of execution.
//!
//! ```text
//!   past    │ 7 │ 3 │ 7 │ ✕ │ 9 │ 3 │ 7 │      ✕ undone, or committed
//!             ▲   ▲───────┼───────┘
//!             └───────────┴───── prev: the event of the same LP before this one
//!   actions   │ · · │ · │ · · · │ …               each event's own, one after the other
//! ```
//!
//! Entries are appended at the end, which stays in the cache. A commit scans all entries, a few
//! thousand.
use crate::{Model, livelock::Chain, pending::Entry};
use std::{
    collections::{VecDeque, vec_deque::IterMut},
    mem,
};

/// Maximum events of a batch: with more uncommitted events, cache misses halve the speed.
pub(super) const LONGEST: u64 = 1024;

/// Finished entries behind a live one that are kept, in addition to as many as there are live ones.
const ROOM: u64 = 512;

pub(super) struct LoggedEvent {
    pub(super) entry: Entry,
    /// Key of the LP's last message before the event.
    pub(super) sent: u64,
    /// Hash of the event and its records.
    pub(super) hash: u128,
    /// Distance to the previous live event of the LP; 0 if there is none.
    back: u32,
    actions: u32,
    records: u32,
    is_over: bool,
    /// Another thread sent it.
    pub(super) is_foreign: bool,
}

/// An effect of a handler that rollback undoes.
#[derive(Clone, Copy)]
pub(super) enum Action {
    /// A message to an LP of the same thread.
    Here(Entry),
    /// A message to another thread.
    There {
        /// Due time \[ns\].
        t: u64,
        tie: u64,
        dst: u32,
    },
    Cancelled(Entry),
    /// A zero-delay event of the LP to itself; its chain before.
    Chained(Chain),
}

/// Items of events, those of each event together. Places count from the start of the run, and wrap.
struct Tape<T> {
    items: VecDeque<T>,
    base: u32,
}

impl<T> Tape<T> {
    fn new() -> Self {
        Tape { items: VecDeque::new(), base: 0 }
    }
    fn end(&self) -> u32 {
        self.base.wrapping_add(self.items.len() as u32)
    }
    fn at(&mut self, place: u32) -> &mut T {
        &mut self.items[place.wrapping_sub(self.base) as usize]
    }
    fn range(&mut self, from: u32, to: u32) -> IterMut<'_, T> {
        let (from, to) = (from.wrapping_sub(self.base), to.wrapping_sub(self.base));
        self.items.range_mut(from as usize..to as usize)
    }
    fn forget_before(&mut self, place: u32) {
        self.items.drain(..place.wrapping_sub(self.base) as usize);
        self.base = place
    }
}

pub(super) struct Log<M: Model> {
    past: VecDeque<LoggedEvent>,
    /// The state before each event; apart, because it may be large and is rarely read.
    marks: VecDeque<M::Mark>,
    actions: Tape<Action>,
    records: Tape<Option<M::Record>>,
    /// By LP: the place after its last event; without meaning once that event is dropped.
    last: Vec<u64>,
    /// Dropped entries so far.
    forgotten: u64,
    /// Events that can be undone.
    live: u64,
}

impl<M: Model> Log<M> {
    pub(super) fn new(lps: usize) -> Self {
        let (past, marks) = (VecDeque::new(), VecDeque::new());
        let (actions, records) = (Tape::new(), Tape::new());
        Log { past, marks, actions, records, last: vec![0; lps], forgotten: 0, live: 0 }
    }

    pub(super) fn len(&self) -> u64 {
        self.live
    }

    /// Index of an LP's last event that can be undone.
    #[inline(always)]
    fn last_of(&self, lp: u32) -> Option<usize> {
        let index = self.last[lp as usize].checked_sub(self.forgotten + 1)? as usize;
        (!self.past[index].is_over).then_some(index)
    }

    /// Key of an LP's last event that can be undone.
    #[inline(always)]
    pub(super) fn last(&self, lp: u32) -> Option<u128> {
        self.last_of(lp).map(|index| self.past[index].entry.key())
    }

    /// Prefetches what `last` reads.
    #[inline(always)]
    pub(super) fn prefetch(&self, lp: u32) {
        crate::pending::slab::prefetch(self.last.as_ptr(), lp as usize)
    }

    /// Call before a speculative event is handled.
    #[inline(always)]
    pub(super) fn begin(&mut self, entry: Entry, is_foreign: bool, sent: u64, mark: M::Mark) {
        let index = self.past.len();
        let back = self.last_of(entry.dst).map_or(0, |before| (index - before) as u32);
        let (actions, records) = (self.actions.end(), self.records.end());
        let (hash, is_over) = (0, false);
        let past = LoggedEvent { entry, sent, hash, back, actions, records, is_over, is_foreign };
        self.past.push_back(past);
        self.marks.push_back(mark);
        self.last[entry.dst as usize] = self.forgotten + index as u64 + 1;
        self.live += 1
    }

    #[inline(always)]
    pub(super) fn did(&mut self, action: Action) {
        self.actions.items.push_back(action)
    }

    #[inline(always)]
    pub(super) fn record(&mut self, record: M::Record) {
        self.records.items.push_back(Some(record))
    }

    #[inline(always)]
    pub(super) fn recorded(&self) -> impl Iterator<Item = &M::Record> {
        let past = self.past.back().expect("an event was handled");
        let first = past.records.wrapping_sub(self.records.base) as usize;
        self.records.items.range(first..).flatten()
    }

    #[inline(always)]
    pub(super) fn set_hash(&mut self, hash: u128) {
        self.past.back_mut().expect("an event was handled").hash = hash
    }

    /// Places after an event's actions and records.
    fn ends(&self, index: usize) -> (u32, u32) {
        let next = self.past.get(index + 1);
        next.map_or((self.actions.end(), self.records.end()), |next| (next.actions, next.records))
    }

    /// Marks an LP's last event as undone, unless it is before `key`. `undo` receives its actions,
    /// the last first.
    pub(super) fn undo_last(
        &mut self,
        lp: u32,
        key: u128,
        mut undo: impl FnMut(Action),
    ) -> Option<(&LoggedEvent, &M::Mark)> {
        let index = self.last_of(lp).filter(|&i| self.past[i].entry.key() >= key)?;
        let (deeds_end, records_end) = self.ends(index);
        let past = &mut self.past[index];
        past.is_over = true;
        let (actions, records, back) = (past.actions, past.records, past.back as u64);
        for place in (0..deeds_end.wrapping_sub(actions)).rev() {
            undo(*self.actions.at(actions.wrapping_add(place)))
        }
        for place in 0..records_end.wrapping_sub(records) {
            *self.records.at(records.wrapping_add(place)) = None
        }
        let last = &mut self.last[lp as usize];
        *last = if back == 0 { 0 } else { *last - back };
        self.live -= 1;
        Some((&self.past[index], &self.marks[index]))
    }

    /// Commits the events before `certain`; those of one LP in order.
    pub(super) fn settle(
        &mut self,
        certain: u128,
        mut each: impl FnMut(
            (&LoggedEvent, &M::Mark),
            &mut dyn Iterator<Item = Action>,
            &mut Rows<'_, M::Record>,
        ),
    ) {
        for index in 0..self.past.len() {
            let past = &self.past[index];
            if past.is_over || past.entry.key() >= certain {
                continue;
            }
            let (deeds_end, records_end) = self.ends(index);
            let actions = self.actions.range(past.actions, deeds_end);
            let records = self.records.range(past.records, records_end);
            each(
                (past, &self.marks[index]),
                &mut actions.map(|action| *action),
                &mut Rows(records),
            );
            self.past[index].is_over = true;
            self.live -= 1
        }
        self.forget();
        self.compact()
    }

    fn forget(&mut self) {
        let over = self.past.iter().take_while(|past| past.is_over).count();
        if over == 0 {
            return;
        }
        let (actions, records) = self.ends(over - 1);
        self.past.drain(..over);
        self.marks.drain(..over);
        self.forgotten += over as u64;
        self.actions.forget_before(actions);
        self.records.forget_before(records)
    }

    /// Drops finished entries behind a live one. Otherwise an event far in the future would keep
    /// all entries after it.
    fn compact(&mut self) {
        if (self.past.len() as u64) < 2 * self.live + ROOM {
            return;
        }
        let ends: Vec<(u32, u32)> = (0..self.past.len()).map(|index| self.ends(index)).collect();
        let (before, marks) = (mem::take(&mut self.past), mem::take(&mut self.marks));
        let (mut actions, mut records) = (Tape::new(), Tape::new());
        self.forgotten += before.len() as u64 - self.live;
        before.iter().for_each(|past| self.last[past.entry.dst as usize] = 0);
        for ((mut past, mark), (deeds_end, records_end)) in before.into_iter().zip(marks).zip(ends)
        {
            if past.is_over {
                continue;
            }
            let (own_deeds, own_records) = (past.actions, past.records);
            (past.actions, past.records) = (actions.end(), records.end());
            actions.items.extend(self.actions.range(own_deeds, deeds_end).map(|action| *action));
            records.items.extend(self.records.range(own_records, records_end).map(mem::take));
            let (index, last) = (self.past.len(), &mut self.last[past.entry.dst as usize]);
            past.back = last.checked_sub(self.forgotten + 1).map_or(0, |l| index as u32 - l as u32);
            *last = self.forgotten + index as u64 + 1;
            self.past.push_back(past);
            self.marks.push_back(mark)
        }
        (self.actions, self.records) = (actions, records)
    }

    /// The event of a key, if it can be undone.
    pub(super) fn find(&self, key: u128) -> Option<(&LoggedEvent, &M::Mark)> {
        let mut all = self.past.iter().zip(&self.marks);
        all.find(|(past, _)| !past.is_over && past.entry.key() == key)
    }

    /// LPs with events that can be undone; may list one more than once.
    pub(super) fn active(&self) -> Vec<u32> {
        let live = self.past.iter().filter(|past| !past.is_over);
        live.map(|past| past.entry.dst).collect()
    }
}

pub(super) struct Rows<'a, R>(IterMut<'a, Option<R>>);

impl<R> Iterator for Rows<'_, R> {
    type Item = R;
    fn next(&mut self) -> Option<R> {
        self.0.find_map(mem::take)
    }
}

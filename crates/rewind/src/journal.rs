//! A container's log of inverse operations, with positions that only grow.
use std::{cell::Cell, collections::VecDeque, panic::resume_unwind};

thread_local! {
    static MOST: Cell<usize> = const { Cell::new(usize::MAX) };
    static HAS_ROOM: Cell<fn() -> bool> = const { Cell::new(|| true) };
    /// Changes until the next look, of those that were given at the last one; and those before.
    static LEFT: Cell<usize> = const { Cell::new(0) };
    static GIVEN: Cell<usize> = const { Cell::new(0) };
    static MADE: Cell<usize> = const { Cell::new(0) };
}

/// So many changes a thread makes without asking.
const FEW: usize = 256;

/// What unwinds a handler that changes more than [`bound_journals`] says.
pub struct Overgrown;

/// From now on no event makes more than so many changes that are journalled on this thread, nor,
/// of every 256 in whatever journals, the next while there is not `has_room`: changes may be of any
/// size. An engine that handles an event ahead of others bounds so what a handler does on a state
/// that never was, perhaps for ever. [`Overgrown`] unwinds the handler at the change that would be
/// one too many; it is either made and noted, or neither.
pub fn bound_journals(most: usize, has_room: fn() -> bool) {
    MOST.set(most);
    HAS_ROOM.set(has_room);
    MADE.set(0);
    give(FEW.min(most))
}

/// What this thread changes from now on is the next event's. What is left of the 256 before it is
/// looked whether there is room stays.
#[inline]
pub fn begin_changes() {
    MADE.set(0)
}

fn give(changes: usize) {
    GIVEN.set(changes);
    LEFT.set(changes)
}

struct Log<Op> {
    /// The position of the oldest operation that can still be undone.
    base: u64,
    ops: VecDeque<Op>,
    /// The largest position seen inside a row.
    rows: u64,
}

/// Eight bytes: nothing at all while the engine instance never rolls back.
pub(crate) struct Journal<Op>(Option<Box<Log<Op>>>);

impl<Op> Default for Journal<Op> {
    fn default() -> Self {
        Journal(None)
    }
}

impl<Op> Journal<Op> {
    /// Starts an empty log at a position, or drops it.
    pub(crate) fn switch(&mut self, from: Option<u64>) {
        self.0 = from.map(|base| Box::new(Log { base, ops: VecDeque::new(), rows: base }))
    }

    /// The largest position here or in a row seen so far.
    pub(crate) fn clock(&self) -> u64 {
        self.0.as_ref().map_or(0, |log| log.rows.max(log.base + log.ops.len() as u64))
    }

    pub(crate) fn saw_row(&mut self, clock: u64) {
        if let Some(log) = &mut self.0 {
            log.rows = log.rows.max(clock)
        }
    }

    #[inline(always)]
    pub(crate) fn on(&self) -> bool {
        self.0.is_some()
    }

    /// Notes how to undo what is about to happen. Before it happens: so a panic on the way can be
    /// undone too.
    #[inline(always)]
    pub(crate) fn note(&mut self, op: impl FnOnce() -> Op) {
        if let Some(log) = &mut self.0 {
            if is_too_much() {
                break_off()
            }
            log.ops.push_back(op())
        }
    }

    /// Notes how to undo what has just happened.
    #[inline(always)]
    pub(crate) fn note_done(&mut self, op: impl FnOnce() -> Op) {
        if let Some(log) = &mut self.0 {
            let breaks_off = is_too_much();
            log.ops.push_back(op());
            if breaks_off {
                break_off()
            }
        }
    }

    pub(crate) fn last(&mut self) -> Option<&mut Op> {
        self.0.as_mut()?.ops.back_mut()
    }

    /// The derive puts the field's own span on the call, so a panic names the author's line.
    #[track_caller]
    pub(crate) fn position(&self) -> u64 {
        let Some(log) = &self.0 else {
            panic!(
                "this container was put in place by assignment during a handler, so its old \
                 content cannot come back: change it by `replace` or `clear`"
            )
        };
        log.base + log.ops.len() as u64
    }

    /// The youngest operation, if it is younger than `to`.
    #[track_caller]
    pub(crate) fn undo(&mut self, to: u64) -> Option<Op> {
        if self.position() > to { self.0.as_mut()?.ops.pop_back() } else { None }
    }

    /// The oldest operation, if it is older than `upto`.
    #[track_caller]
    pub(crate) fn forget(&mut self, upto: u64) -> Option<Op> {
        self.position();
        let log = self.0.as_mut()?;
        if log.base >= upto {
            return None;
        }
        let op = log.ops.pop_front()?;
        log.base += 1;
        Some(op)
    }

    /// Forgets all operations older than `upto`.
    #[track_caller]
    pub(crate) fn forget_all(&mut self, upto: u64) {
        while self.forget(upto).is_some() {}
    }
}

/// Before each change: whether it is one too many.
#[inline(always)]
fn is_too_much() -> bool {
    let left = LEFT.get();
    LEFT.set(left.wrapping_sub(1));
    left == 0 && !goes_on()
}

/// Whether more changes may be made; this one is the first of them.
#[cold]
fn goes_on() -> bool {
    MADE.set(MADE.get() + GIVEN.get());
    let more = MOST.get().saturating_sub(MADE.get()).min(FEW);
    let goes_on = more > 0 && HAS_ROOM.get()();
    give(if goes_on { more } else { 0 });
    LEFT.set(LEFT.get() - goes_on as usize);
    goes_on
}

#[cold]
fn break_off() -> ! {
    resume_unwind(Box::new(Overgrown))
}

//! A container's log of inverse operations. Positions only grow.
use std::{cell::Cell, collections::VecDeque, panic::resume_unwind};

thread_local! {
    static MOST: Cell<usize> = const { Cell::new(usize::MAX) };
    static HAS_ROOM: Cell<fn() -> bool> = const { Cell::new(|| true) };
    /// Changes until the next check, of those granted at the last one; and those before.
    static LEFT: Cell<usize> = const { Cell::new(0) };
    static GIVEN: Cell<usize> = const { Cell::new(0) };
    static MADE: Cell<usize> = const { Cell::new(0) };
}

/// Changes between two checks.
const FEW: usize = 256;

/// Unwinds a handler that exceeds the limits of [`bound_journals`].
pub struct JournalOverflow;

/// Limits the journalled changes of each event on this thread to `most`. In addition, every 256th
/// change needs `has_room`, because changes may have any size. An engine thus limits a speculative
/// handler, which may change an inconsistent state for ever. [`JournalOverflow`] unwinds the
/// handler at the first change beyond a limit; this change is either made and noted, or neither.
pub fn bound_journals(most: usize, has_room: fn() -> bool) {
    MOST.set(most);
    HAS_ROOM.set(has_room);
    MADE.set(0);
    give(FEW.min(most))
}

/// The following changes belong to the next event. The number of changes until `has_room` is called
/// again stays.
#[inline]
pub fn begin_changes() {
    MADE.set(0)
}

fn give(changes: usize) {
    GIVEN.set(changes);
    LEFT.set(changes)
}

struct Log<Op> {
    /// Position of the oldest operation that can still be undone.
    base: u64,
    ops: VecDeque<Op>,
    /// Largest position seen in a row.
    rows: u64,
}

/// Eight bytes; `None` while the engine never rolls back.
pub(crate) struct Journal<Op>(Option<Box<Log<Op>>>);

impl<Op> Default for Journal<Op> {
    fn default() -> Self {
        Journal(None)
    }
}

impl<Op> Journal<Op> {
    /// Starts an empty log at a position; `None` drops it.
    pub(crate) fn switch(&mut self, from: Option<u64>) {
        self.0 = from.map(|base| Box::new(Log { base, ops: VecDeque::new(), rows: base }))
    }

    /// Largest position here or in a row seen so far.
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

    /// Notes the inverse of a change before it is made, so that a panic in between can be undone.
    #[inline(always)]
    pub(crate) fn note(&mut self, op: impl FnOnce() -> Op) {
        if let Some(log) = &mut self.0 {
            if is_too_much() {
                break_off()
            }
            log.ops.push_back(op())
        }
    }

    /// Notes the inverse of a change that was made.
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

    /// The derive puts the field's own span on the call, so a panic shows the author's line.
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

    /// Removes the newest operation, if it is newer than `to`.
    #[track_caller]
    pub(crate) fn undo(&mut self, to: u64) -> Option<Op> {
        if self.position() > to { self.0.as_mut()?.ops.pop_back() } else { None }
    }

    /// Removes the oldest operation, if it is older than `upto`.
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

    #[track_caller]
    pub(crate) fn forget_all(&mut self, upto: u64) {
        while self.forget(upto).is_some() {}
    }
}

/// Call before each change. Returns whether it exceeds a limit.
#[inline(always)]
fn is_too_much() -> bool {
    let left = LEFT.get();
    LEFT.set(left.wrapping_sub(1));
    left == 0 && !goes_on()
}

/// Whether more changes are allowed; this one is the first of them.
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
    resume_unwind(Box::new(JournalOverflow))
}

//! A container's log of inverse operations, with positions that only grow.
use std::collections::VecDeque;

struct Log<Op> {
    base: u64,
    ops: VecDeque<Op>,
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
    pub fn switch(&mut self, from: Option<u64>) {
        self.0 = from.map(|base| Box::new(Log { base, ops: VecDeque::new(), rows: base }))
    }
    /// The largest position here or in a row seen so far.
    pub fn clock(&self) -> u64 {
        self.0.as_ref().map_or(0, |log| log.rows.max(log.base + log.ops.len() as u64))
    }
    pub fn saw_row(&mut self, clock: u64) {
        if let Some(log) = &mut self.0 {
            log.rows = log.rows.max(clock)
        }
    }
    #[inline(always)]
    pub fn on(&self) -> bool {
        self.0.is_some()
    }
    #[inline(always)]
    pub fn note(&mut self, op: impl FnOnce() -> Op) {
        if let Some(log) = &mut self.0 {
            log.ops.push_back(op())
        }
    }
    pub fn last(&mut self) -> Option<&mut Op> {
        self.0.as_mut()?.ops.back_mut()
    }
    /// The derive puts the field's own span on the call, so a panic names the author's line.
    #[track_caller]
    pub fn position(&self) -> u64 {
        let Some(log) = &self.0 else {
            panic!(
                "this container was put in place by assignment during a handler, so its old content cannot come back: change it by `replace`, `clear` or `take`"
            )
        };
        log.base + log.ops.len() as u64
    }
    #[track_caller]
    pub fn undo(&mut self, to: u64) -> Option<Op> {
        if self.position() > to { self.0.as_mut()?.ops.pop_back() } else { None }
    }
    #[track_caller]
    pub fn forget(&mut self, upto: u64) -> Option<Op> {
        self.position();
        let log = self.0.as_mut()?;
        if log.base >= upto {
            return None;
        }
        log.base += 1;
        log.ops.pop_front()
    }
}

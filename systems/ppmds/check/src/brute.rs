//! Tries all orders of a short history, without versions: the oracle of the other checkers.
//!
//! Algorithm of Wing and Gong (1993), with a memory of visited states (Lowe 2017).
use crate::files::Files;
use crate::history::Event;
use crate::parts::{Part, parts};
use std::collections::BTreeSet;

/// Limit on parts: an operation is one part, a readdir one for each name.
pub const MOST: usize = 64;

/// Whether some order of the operations keeps real time and gives their results. Each entry of a
/// readdir may be from another moment. An operation without an answer may have happened if the
/// service states its result.
///
/// # Panics
/// With more than [`MOST`] parts.
pub fn possible(history: &[Event], directories: &[(u64, u64)]) -> bool {
    let parts = parts(history);
    assert!(parts.len() <= MOST, "too many operations to try all orders");
    let mut tried = BTreeSet::new();
    extend((history, &parts), 0, &Files::new(directories), &mut tried)
}

fn extend(
    all @ (history, parts): (&[Event], &[Part]),
    done: u64,
    files: &Files,
    tried: &mut BTreeSet<(u64, Files)>,
) -> bool {
    let open = |at: usize| done >> at & 1 == 0;
    if (0..parts.len()).all(|at| !open(at) || parts[at].completed == u64::MAX) {
        return true;
    }
    if !tried.insert((done, files.clone())) {
        return false;
    }
    let first = (0..parts.len()).filter(|at| open(*at)).map(|at| parts[at].completed).min();
    let first = first.unwrap_or(u64::MAX);
    let mut next = |at: usize| {
        let part = &parts[at];
        if !open(at) || part.invoked > first {
            return false;
        }
        let event = &history[part.by];
        let mut files = files.clone();
        let right = part.is_seen(&files).unwrap_or_else(|| {
            let came = files.apply(&event.call, event.new_inode());
            event.result.as_ref() == Some(&came)
        });
        right && extend(all, done | 1 << at, &files, tried)
    };
    (0..parts.len()).any(&mut next)
}

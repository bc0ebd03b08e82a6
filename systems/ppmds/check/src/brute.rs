//! All orders of a short history: an oracle that needs no versions.
//!
//! As Wing and Gong (1993), with what was tried already remembered (Lowe 2017).
use crate::files::Files;
use crate::history::{Call, Event, Outcome};
use std::collections::BTreeSet;

/// Operations that it takes.
pub const MOST: usize = 24;

/// Whether some order of the operations keeps real time and gives their results. Lists of entries
/// are left out: they are not of one moment. An operation without an answer may have happened, if
/// the service says what it would have answered.
///
/// # Panics
/// Of more than [`MOST`] operations.
pub fn possible(history: &[Event], directories: &[(u64, u64)]) -> bool {
    let history: Vec<&Event> =
        history.iter().filter(|event| !matches!(event.call, Call::Readdir { .. })).collect();
    assert!(history.len() <= MOST, "too many operations to try all orders");
    let mut tried = BTreeSet::new();
    extend(&history, 0, &Files::new(directories), &mut tried)
}

fn extend(
    history: &[&Event],
    done: u32,
    files: &Files,
    tried: &mut BTreeSet<(u32, Files)>,
) -> bool {
    let open = |at: usize| done >> at & 1 == 0;
    let answered = |at: usize| history[at].completed_ns.is_some();
    if (0..history.len()).all(|at| !open(at) || !answered(at)) {
        return true;
    }
    if !tried.insert((done, files.clone())) {
        return false;
    }
    let first = (0..history.len()).filter(|at| open(*at)).filter_map(|at| history[at].completed_ns);
    let first = first.min().unwrap_or(u64::MAX);
    let mut next = |at: usize| {
        let event = history[at];
        if !open(at) || event.invoked_ns > first {
            return false;
        }
        let new = match event.result {
            Some(Outcome::Ino(ino)) => ino,
            _ => 0,
        };
        let mut files = files.clone();
        let came = files.apply(&event.call, new);
        let right = event.result.as_ref() == Some(&came);
        right && extend(history, done | 1 << at, &files, tried)
    };
    (0..history.len()).any(&mut next)
}

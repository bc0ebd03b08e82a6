//! Checkers of a metadata service, independent of its implementation: of a history of operations as
//! clients saw them, and of the rows at the end.
//!
//! ```text
//!  history ──► per row: writer, readers and next writer of each version            (chains)
//!          ──► with real time: what has to come before what; a cycle is a fault   (sweep)
//!              in that order through a plain file system in memory: same results?
//!              readdir and ENOENT: possible at some moment of the operation?      (watch)
//!          ──► of a service that does not state versions: all orders              (search)
//! ```
//!
//! A history is strictly serializable if such an order exists (Adya, Liskov, O'Neil 2000;
//! Kingsbury, Alvaro: Elle, VLDB 2020). Versions only lead to the order: wrong ones lead to none.
//! Without versions a bounded search may stay undecided.
//! [`brute::possible`] tries all orders of a short history.
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
pub mod brute;
mod chains;
mod fault;
mod files;
mod history;
mod parts;
mod reading;
pub mod rows;
mod search;
mod sweep;
mod watch;
mod why;
pub use chains::BEGINNING;
pub use fault::{Fault, Row, RowVersion, Step};
pub use files::Files;
pub use history::{After, Attributes, Call, Entry, Event, History, Outcome, Saw, Version};
pub use reading::{Reading, beginning, read};
use search::Found;
use std::collections::BTreeSet;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    pub answered: usize,
    /// Operations without an answer that took effect.
    pub unanswered: usize,
    /// Empty and decided: strictly serializable.
    pub faults: Vec<Fault>,
    /// An order was found, or none exists.
    pub decided: bool,
}

/// `directories`: those that exist at the start, with their parents.
pub fn check(history: &[Event], directories: &[(u64, u64)]) -> Verdict {
    let answered = |event: &&Event| event.client != BEGINNING && event.completed_ns.is_some();
    let answered = history.iter().filter(answered).count();
    if is_blind(history) {
        let (faults, decided, unanswered) = match search::search(history, directories, STEPS) {
            Found::Order(unanswered) => (Vec::new(), true, unanswered),
            Found::None(fault) => (vec![fault], true, 0),
            Found::Undecided => (Vec::new(), false, 0),
        };
        return Verdict { answered, unanswered, faults, decided };
    }
    let (graph, mut faults) = chains::graph(history);
    let unanswered = graph.took_effect.iter().filter(|e| history[**e].completed_ns.is_none());
    let unanswered = unanswered.count();
    if faults.is_empty() {
        faults = sweep::sweep(history, &graph, directories)
    }
    // A readdir may show the effect of an operation without an answer, and states no version of it.
    if !faults.is_empty() && lost(history).next().is_some() {
        match search::search(history, directories, STEPS) {
            Found::Order(unanswered) => {
                return Verdict { answered, unanswered, faults: Vec::new(), decided: true };
            }
            Found::None(_) => {}
            Found::Undecided => {
                return Verdict { answered, unanswered, faults: Vec::new(), decided: false };
            }
        }
    }
    Verdict { answered, unanswered, faults, decided: true }
}

/// Operations without an answer and without versions.
fn lost(history: &[Event]) -> impl Iterator<Item = &Event> {
    history.iter().filter(|event| event.saw.is_empty() && event.completed_ns.is_none())
}

/// Steps of a search: some seconds.
const STEPS: u64 = 20_000_000;

/// Whether versions do not give the order: an answered operation states none, or an operation saw a
/// write of one that has neither answer nor versions.
fn is_blind(history: &[Event]) -> bool {
    let says_nothing = |event: &Event| {
        let listed = matches!(event.call, Call::Readdir { .. });
        let absent = matches!(&event.result, Some(Outcome::Error(errno)) if errno == "ENOENT");
        event.completed_ns.is_some() && !listed && !absent
    };
    if history.iter().filter(|event| event.saw.is_empty()).any(says_nothing) {
        return true;
    }
    let lost: BTreeSet<Version> = lost(history).map(Event::version).collect();
    let seen =
        |event: &Event| event.saw.iter().any(|saw| saw.before.is_some_and(|v| lost.contains(&v)));
    !lost.is_empty() && history.iter().any(seen)
}

//! Checkers of a metadata service, which know nothing of how it works: a history of operations as
//! clients saw them, and the rows that are there in the end.
//!
//! ```text
//!  history ──► per row: who made each version, who saw it, who replaced it     (chains)
//!          ──► with real time: what has to come before what; a cycle is a fault  (order)
//!          ──► in that order through a plain file system in memory: same results?  (replay)
//! ```
//!
//! That the order exists *is* strict serializability (Adya, Liskov, O'Neil 2000; Kingsbury, Alvaro:
//! Elle, VLDB 2020): whatever the service says of its versions only leads to the order, and a wrong
//! word leads to none. [`brute::possible`] needs no versions, and tries all orders of a short
//! history.
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
pub mod brute;
mod chains;
mod fault;
mod files;
mod history;
mod order;
mod replay;
pub mod rows;
pub use chains::BEGINNING;
pub use fault::{Fault, Row, Sight};
pub use files::Files;
pub use history::{After, Attributes, Call, Entry, Event, History, Outcome, Reading, Saw, Version};
pub use history::{beginning, read};

/// What a history came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Operations that were answered.
    pub answered: usize,
    /// Operations that were not, and took effect all the same.
    pub unanswered: usize,
    /// What cannot have been; empty: the history is strictly serializable.
    pub faults: Vec<Fault>,
}

/// Checks a history of a service that began with these directories, each with its parent.
pub fn check(history: &[Event], directories: &[(u64, u64)]) -> Verdict {
    let (graph, mut faults) = chains::graph(history);
    let clients = history.iter().filter(|event| event.client != BEGINNING);
    let answered = clients.filter(|event| event.completed_ns.is_some()).count();
    let unanswered = graph.took_effect.iter().filter(|e| history[**e].completed_ns.is_none());
    let unanswered = unanswered.count();
    if faults.is_empty() {
        match order::order(history, &graph) {
            Err(cycle) => faults.push(Fault::Cycle(cycle)),
            Ok(order) => faults.extend(replay::replay(history, &order, directories)),
        }
    }
    Verdict { answered, unanswered, faults }
}

//! The transaction that has done more work wins.
use super::super::message::Meta;
use super::{Advice, Contention};

pub struct Karma;

impl Contention for Karma {
    fn name(&self) -> &'static str {
        "karma"
    }
    fn doc(&self) -> &'static str {
        "Aborts the other once its own opened rows and its waits outnumber the other's rows.\n\n# \
         What it decides\nRows that were opened in all attempts, and number of waits, against the \
         other's rows.\n\n# When it helps\nTransactions of many rows: a small one does not destroy \
         their work.\n\n# What it costs\nA small one waits as many times as a large one has \
         rows.\n\n# Reference\nScherer, Scott: Advanced contention management for dynamic software \
         transactional memory, PODC 2005"
    }
    fn decide(&self, mine: &Meta, other: &Meta, times: u32) -> Advice {
        match mine.opened.saturating_add(times) > other.opened {
            true => Advice::Abort,
            false => Advice::Wait(1),
        }
    }
}

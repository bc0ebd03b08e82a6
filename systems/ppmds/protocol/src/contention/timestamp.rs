//! The older transaction wins.
use super::super::message::Meta;
use super::{Advice, Contention};

/// Waits after which the older transaction counts as dead.
const PATIENCE: u32 = 16;

pub struct Timestamp;

impl Contention for Timestamp {
    fn name(&self) -> &'static str {
        "timestamp"
    }
    fn doc(&self) -> &'static str {
        "Aborts the other at once if that began later; else waits for it, sixteen times.\n\n# What \
         it decides\nBegin of the first attempts, by their servers' clocks; at the same time, the \
         lower client wins.\n\n# When it helps\nLong transactions among short ones: an old one is \
         not aborted for ever.\n\n# What it costs\nA long transaction aborts all conflicting short \
         ones.\n\n# Reference\nScherer, Scott: Advanced contention management for dynamic software \
         transactional memory, PODC 2005"
    }
    fn decide(&self, mine: &Meta, other: &Meta, times: u32) -> Advice {
        let age = |meta: &Meta| (meta.began, meta.id.client, meta.id.number);
        match age(mine) < age(other) || times >= PATIENCE {
            true => Advice::Abort,
            false => Advice::Wait(1),
        }
    }
}

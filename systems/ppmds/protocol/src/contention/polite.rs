//! Exponential backoff.
use super::super::message::Meta;
use super::{Advice, Contention};

/// Waits before it aborts the other.
const PATIENCE: u32 = 8;

pub struct Polite;

impl Contention for Polite {
    fn name(&self) -> &'static str {
        "polite"
    }
    fn doc(&self) -> &'static str {
        "Waits for the other, each time twice as long, eight times; then aborts it.\n\n# What it \
         decides\nThe n-th wait is 2^n times `transactions.wait`.\n\n# When it helps\nShort \
         transactions that end soon: no work is lost.\n\n# What it costs\nAfter a client's crash, \
         its conflicting transaction costs the sum of all waits, 255 of them.\n\n# \
         Reference\nHerlihy, Luchangco, Moir, Scherer: Software transactional memory for \
         dynamic-sized data structures, PODC 2003"
    }
    fn decide(&self, _mine: &Meta, _other: &Meta, times: u32) -> Advice {
        match times < PATIENCE {
            true => Advice::Wait(1 << times),
            false => Advice::Abort,
        }
    }
}

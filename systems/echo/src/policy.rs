//! Who is served next.

/// A policy: the place, among so many that wait in the order of their coming, of the next.
pub trait Queueing: Sync {
    /// As `policy.queue` names it.
    fn name(&self) -> &'static str;
    /// Its page.
    fn doc(&self) -> &'static str;
    /// The place of the next; there is at least one.
    fn next(&self, waiting: usize) -> usize;
}

/// All of them.
pub static ALL: [&dyn Queueing; 2] = [&Fifo, &Lifo];

/// First come, first served.
struct Fifo;

/// Last come, first served.
struct Lifo;

impl Queueing for Fifo {
    fn name(&self) -> &'static str {
        "fifo"
    }
    fn doc(&self) -> &'static str {
        "First come, first served.\n\n# What it decides\nWho has waited longest is next.\n\n\
         # When it helps\nLatencies are as even as they can be.\n\n\
         # What it costs\nNothing.\n\n# Reference\nKleinrock, Queueing Systems, 1975."
    }
    fn next(&self, _waiting: usize) -> usize {
        0
    }
}

impl Queueing for Lifo {
    fn name(&self) -> &'static str {
        "lifo"
    }
    fn doc(&self) -> &'static str {
        "Last come, first served.\n\n# What it decides\nWho has waited least is next.\n\n\
         # When it helps\nThe newest request is worth most.\n\n\
         # What it costs\nThe mean stays, the 99th percentile grows.\n\n\
         # Reference\nKleinrock, Queueing Systems, 1975."
    }
    fn next(&self, waiting: usize) -> usize {
        waiting - 1
    }
}

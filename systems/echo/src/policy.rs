//! Who is served next: a name, its page, and the place of the next among so many that wait.

/// A policy.
pub type Policy = (&'static str, &'static str, fn(usize) -> usize);

/// All of them.
pub const ALL: [Policy; 2] = [("fifo", FIFO, |_| 0), ("lifo", LIFO, |waiting| waiting - 1)];

const FIFO: &str = "First come, first served.\n\n# What it decides\nWho has waited longest is next.\n\n\
                    # When it helps\nLatencies are as even as they can be.\n\n# What it costs\nNothing.\n\n\
                    # Reference\nKleinrock, Queueing Systems, 1975.";

const LIFO: &str = "Last come, first served.\n\n# What it decides\nWho has waited least is next.\n\n\
                    # When it helps\nThe newest request is worth most.\n\n# What it costs\nThe mean \
                    stays, the 99th percentile grows.\n\n# Reference\nKleinrock, Queueing Systems, 1975.";

//! Who is served next: a name, its page, and the place of the next among so many that wait.

/// A policy.
pub type Policy = (&'static str, &'static str, fn(usize) -> usize);

/// All of them.
pub const ALL: [Policy; 2] = [("fifo", FIFO, |_| 0), ("lifo", LIFO, |waiting| waiting - 1)];

const FIFO: &str = "\
First come, first served.

# What it decides
Who has waited longest is next.

# When it helps
Latencies are as even as they can be.

# What it costs
Nothing.

# Reference
Kleinrock, Queueing Systems, 1975.";

const LIFO: &str = "\
Last come, first served.

# What it decides
Who has waited least is next.

# When it helps
The newest request is worth most.

# What it costs
The mean stays, the 99th percentile grows.

# Reference
Kleinrock, Queueing Systems, 1975.";

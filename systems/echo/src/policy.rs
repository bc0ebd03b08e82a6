//! Queue disciplines.
use system::policy::{Policies, Policy};

/// Index of the next request among `n` waiting ones.
pub type Next = fn(usize) -> usize;

const FIRST: Next = |_| 0;
const LAST: Next = |waiting| waiting - 1;

pub static QUEUE: Policies<Next> = Policies {
    key: "policy.queue",
    all: &[
        Policy::new("fifo", "First come, first served.", FIRST)
            .decides("The request with the longest wait is next.")
            .helps("Latencies are as even as they can be.")
            .costs("Nothing.")
            .reference("Kleinrock, Queueing Systems, 1975."),
        Policy::new("lifo", "Last come, first served.", LAST)
            .decides("The request with the shortest wait is next.")
            .helps("The newest request is the most valuable.")
            .costs("The mean stays, the 99th percentile grows.")
            .reference("Kleinrock, Queueing Systems, 1975."),
    ],
};

//! Common parts of the schedulers with several threads.
pub(crate) mod balance;
pub(crate) mod barrier;
pub(crate) mod batch_limit;
pub(crate) mod density;
pub(crate) mod exchange;
pub(crate) mod front;
pub(crate) mod idle;
pub(crate) mod loan;
pub(crate) mod mail;
pub(crate) mod merge;
pub(crate) mod pace;
pub(crate) mod partition;
pub(crate) mod rebalance;
pub(crate) mod shared;
pub(crate) mod slots;
pub(crate) mod speculation;
mod sync;
pub(crate) mod threads;

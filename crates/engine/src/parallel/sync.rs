//! Synchronisation of the standard library, or of loom, which tries all orders (`make
//! check-races`).
#[cfg(all(loom, test))]
pub(crate) use loom::{
    hint,
    sync::atomic::{AtomicBool, AtomicU64, fence},
    thread::{self, Thread},
};
#[cfg(not(all(loom, test)))]
pub(crate) use std::{
    hint,
    sync::atomic::{AtomicBool, AtomicU64, fence},
    thread::{self, Thread},
};

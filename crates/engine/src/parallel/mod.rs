//! What runs on several threads have in common.
pub(crate) mod anew;
pub(crate) mod balance;
pub(crate) mod crew;
pub(crate) mod crossing;
pub(crate) mod density;
pub(crate) mod front;
pub(crate) mod ground;
pub(crate) mod idle;
pub(crate) mod loan;
pub(crate) mod mail;
pub(crate) mod merge;
pub(crate) mod pace;
pub(crate) mod partition;
pub(crate) mod patience;
pub(crate) mod slots;
pub(crate) mod speculation;
mod sync;
pub(crate) mod threads;

//! What numbers of several runs mean, whatever the system: means with intervals over seeds, and
//! where the wall-clock time of a run on several threads went.
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
mod count;
mod parallel;
pub mod stat;
pub use count::Count;
pub use parallel::{Parallel, ThreadTime};
pub use stat::{Stat, stat};

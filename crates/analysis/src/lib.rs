//! What numbers of several runs mean, whatever the system: means with intervals over seeds, which
//! of several changes is worth following, step
//! curves and what several of them span, and where the wall-clock time of a run on several threads
//! went.
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
pub mod advice;
mod count;
mod parallel;
pub mod stat;
pub mod steps;
pub use count::Count;
pub use parallel::{Parallel, ThreadTime};
pub use stat::{Stat, stat};
pub use steps::{Span, Steps};

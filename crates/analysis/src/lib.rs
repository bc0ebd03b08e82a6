//! What numbers of several runs mean, whatever the system: means with intervals over seeds, which
//! of several changes is worth following, step curves and what several of them span, equal bins of
//! time, how evenly a load is spread.
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
pub mod advice;
pub mod balance;
mod bins;
mod count;
pub mod stat;
pub mod steps;
pub use bins::Bins;
pub use count::Count;
pub use stat::{Stat, stat};
pub use steps::{Span, Steps};

//! Statistics over several runs, for any system: means with intervals, which change to follow, step
//! curves and their range, bins of time, evenness of a load.
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

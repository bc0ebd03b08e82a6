//! HDFS behind the seam: what commands do with it.
//!
//! ```text
//!  seam ─┬─► simulation (one run, what it reads) ◄── the lab of all systems: rows × seeds
//!        ├─► words (the page of a run or a comparison)
//!        ├─► commands (imports, plan rebuild) ─► plan (search, knee, fragment, undo)
//!        └─► reproduce (claims C0.1 …)
//! ```
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
pub mod about;
mod commands;
pub mod job;
pub mod plan;
pub mod reproduce;
pub mod room;
mod seam;
mod simulation;
mod words;
pub use seam::HDFS;

// What all systems share.
use system::{console, failure, interrupt, output, pool, progress, vary};

//! HDFS as a system of Tenbin: its commands, runs and pages.
//!
//! ```text
//!  seam ─┬─► commands (imports, plan rebuild) ─► plan (search, knee, fragment, undo) ─┐
//!        └─► reproduce (claims C0.1 …) ───────────────────────────────────────────────┤
//!                                                                                     ▼
//!  simulation (one run and its reading), words (its page) ◄── simulated ◄── job: the lab
//! ```
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
pub mod about;
mod blocks;
mod commands;
pub mod job;
pub mod memory;
pub mod plan;
mod repair_run;
pub mod reproduce;
mod seam;
mod simulated;
mod simulation;
mod words;
pub use seam::HDFS;

// Modules shared by all systems.
use system::{console, failure, interrupt, output, pool, progress, vary};

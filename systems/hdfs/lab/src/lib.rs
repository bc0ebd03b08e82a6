//! HDFS behind the seam: what commands do with it.
//!
//! ```text
//!  seam ─► commands (run, compare, check, diff, imports, plan rebuild), document
//!              │
//!              ▼
//!  scenario ─► job (one run) ─► campaign (rows × seeds) ─► rows, files, folder (what is kept)
//!                  ├─► plan (search, knee, fragment, undo)
//!                  └─► reproduce (claims C0.1 …)
//! ```
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
pub mod about;
pub mod assumed;
pub mod campaign;
mod commands;
pub mod files;
pub mod folder;
pub mod job;
pub mod plan;
pub mod progress;
pub mod reproduce;
pub mod room;
mod rows;
mod seam;
pub use seam::HDFS;

// What all systems share.
use system::template as page;
use system::{clock, console, failure, interrupt, memory, output, pool, vary};

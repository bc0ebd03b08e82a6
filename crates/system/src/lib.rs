//! The interface between the core and a system, and code shared by all commands.
//!
//! ```text
//!   tenbin run · compare · check · reproduce · import · plan · audit · twin · list · explain
//!      │
//!      ▼  registry: which system has this scenario?
//!   System ──► vocabulary (keys) ──► Sheet (values with their places)
//!      ├─────► simulation ─► lab (rows × seeds) ─► Reading ─► figures
//!      ├─────► words ─► page
//!      └─────► imports · plans · audits · twins · commands · document
//! ```
//! A system is a folder below `systems/` with a [`System`], and a line in the registry of
//! `crates/tenbin`. `docs/add-a-system.md` describes the smallest.
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
mod action;
pub mod advice;
mod answer;
pub mod args;
pub mod assumed;
pub mod built_in;
pub mod campaign;
pub mod claims;
pub mod clock;
pub mod console;
pub mod diff;
pub mod execution;
mod expected;
pub mod failure;
pub mod figures;
mod finished;
pub mod fleet;
pub mod footprint;
mod held;
pub mod hot;
pub mod idle;
pub mod import;
pub mod interrupt;
pub mod lab;
pub mod measured;
pub mod memory;
pub mod output;
pub mod partial;
pub mod plan;
pub mod policy;
pub mod pool;
pub mod progress;
pub mod provenance;
pub mod ranks;
pub mod registry;
mod report;
pub mod result;
mod rows;
pub mod runs;
pub mod scaling;
mod seam;
mod spoken;
pub mod sums;
pub mod template;
pub mod thread_summary;
mod threads;
mod variants;
pub mod vary;
pub mod without;
pub mod words;
pub use action::{Action, Typed};
pub use failure::Failure;
pub use finished::Finished;
pub use footprint::Footprint;
pub use registry::Registry;
pub use runs::LoadedRun;
pub use seam::{
    BuiltIn, Ended, Jobs, Named, Observer, Only, Progress, RunOptions, Simulated, Simulation,
    System, Tell, on_progress,
};
pub use words::{Case, Words};

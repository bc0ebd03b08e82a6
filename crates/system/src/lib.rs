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
mod elsewhere;
pub mod execution;
pub mod failure;
pub mod figures;
mod finished;
pub mod fleet;
pub mod footprint;
mod holders;
pub mod hotspots;
pub mod idle;
pub mod import;
mod interface;
pub mod interrupt;
pub mod lab;
pub mod measured;
pub mod memory;
pub mod output;
pub mod partial;
pub mod plan;
pub mod policy;
pub mod pool;
pub mod processors;
pub mod program;
pub mod progress;
pub mod provenance;
pub mod ranks;
pub mod registry;
mod report;
pub mod reporter;
pub mod result;
mod rows;
mod run_estimate;
pub mod runs;
pub mod scaling;
pub mod session;
pub mod sums;
pub mod tasks;
pub mod template;
pub mod thread_summary;
mod threads;
mod value_text;
mod variants;
pub mod vary;
pub mod without;
pub use action::{Action, TypedAction};
pub use failure::Failure;
pub use finished::FinishedJob;
pub use footprint::Footprint;
pub use interface::{
    BuiltIn, Jobs, Observer, PolicyInfo, Progress, ProgressHandler, RunEnd, RunOptions,
    SimulatedRun, Simulation, System, TaskFilter, on_progress,
};
pub use registry::Registry;
pub use reporter::{Case, Reporter};
pub use runs::LoadedRun;

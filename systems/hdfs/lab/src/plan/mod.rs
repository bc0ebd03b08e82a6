//! `tenbin plan rebuild`: which settings to change for a loss to be repaired sooner.
//!
//! ```text
//!  loss (what happens) ──┐
//!  goals (what is asked) ─┼─► system::plan: search ─► answer ─► fragment, runbook
//!  knob, point, grid, space (what can be set) ──┘
//! ```
//! The search is that of all systems (`system::plan`). Only settings are recommended: a policy for
//! which HDFS has no code is named as research.
mod amounts;
pub mod answer;
pub mod beside;
pub mod fragment;
pub mod goals;
pub mod grid;
mod jar;
pub mod knob;
pub mod listed;
pub mod loss;
pub mod lost;
pub mod point;
pub mod risk;
pub mod runbook;
pub mod say;
pub mod search;
pub mod space;
pub mod tested;
pub mod trade;

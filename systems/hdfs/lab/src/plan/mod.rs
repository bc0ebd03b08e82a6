//! `tenbin plan rebuild`: finds settings that repair a loss sooner.
//!
//! ```text
//!  loss (events) ───────────────────────┐
//!  goals (limits) ──────────────────────┼─► system::plan: search ─► answer ─► fragment, runbook
//!  knob, point, grid, space (settings) ─┘
//! ```
//! The search is that of all systems (`system::plan`). Only settings are recommended; policies that
//! HDFS has no code for are shown as research.
mod amounts;
pub mod answer;
pub mod answer_text;
pub mod client_load;
pub mod fragment;
pub mod goals;
pub mod grid;
mod jar;
pub mod knob;
pub mod leaving_hosts;
pub mod loss;
pub mod point;
pub mod risk;
pub mod runbook;
pub mod search;
pub mod space;
pub mod tested_assumptions;
pub mod trade;
pub mod unrepairable;

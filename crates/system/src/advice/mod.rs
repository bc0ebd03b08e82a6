//! Advice: which change is worth following, of those that were simulated.
//!
//! ```text
//!  what holds the run up ──► tries: the settings among it, at other values
//!  rows that were asked for ┐      │
//!                           ▼      ▼
//!        weigh: paired by seeds, beyond chance, possible, at the knee ──► told: Do, Not enough
//! ```
//! What nobody can do (a rule without code, other hardware, another load) is a question whose
//! answer stands in the table; what gains no more than chance is no advice.
mod price;
mod tell;
mod tries;
mod weigh;
pub use price::{Price, Shift};
pub(crate) use tell::{doing, json, not_enough};
pub use tries::Tries;
pub use weigh::{Advice, Candidate};

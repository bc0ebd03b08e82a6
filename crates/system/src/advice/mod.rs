//! Advice: which change is worth following, of those that were simulated.
//!
//! ```text
//!  what holds the run up, the system's candidates, the scenario's rows ──► tries
//!  rows that were asked for ┐                                                │
//!                           │      search: all seeds, or the best of one ◄───┘
//!                           ▼      ▼
//!        weigh: paired by seeds, beyond chance, possible, at the knee ──► told: Do, Not enough
//! ```
//! What nobody can do (a rule without code, other hardware, another load) is a question whose
//! answer stands in the table; what gains no more than chance is no advice.
mod alone;
mod price;
mod relief;
mod search;
mod tell;
mod tries;
mod weigh;
pub use alone::alone;
pub use price::{Price, Shift};
pub(crate) use price::{harms, too_dear};
pub use relief::Relief;
pub use search::Search;
pub(crate) use tell::{doing, json, not_enough};
pub use tries::Tries;
pub use weigh::{Advice, Candidate, Tested};

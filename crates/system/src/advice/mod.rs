//! Advice: which of the simulated changes to follow.
//!
//! ```text
//!  bottlenecks, the system's candidates, the scenario's variants ──► tries
//!  requested variants ┐                                                │
//!                     │      search: all seeds, or the best of one ◄───┘
//!                     ▼      ▼
//!  candidates: paired by seeds, beyond chance, possible, at the knee ──► text: Do, Not enough
//! ```
//! Changes that no operator can make (a rule without code, other hardware, another load) are only
//! in the table. A gain within chance is not advice.
mod alone;
mod candidates;
mod price;
mod relief;
mod search;
mod text;
mod tries;
pub use alone::alone;
pub use candidates::{Advice, Candidate, TestedVariants};
pub use price::{MetricChange, Price};
pub(crate) use price::{harms, too_dear};
pub use relief::Relief;
pub use search::Search;
pub(crate) use text::{doing, json, not_enough};
pub use tries::Tries;

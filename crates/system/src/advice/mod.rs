//! Advice: which of the simulated changes to follow.
//!
//! ```text
//!  bottlenecks, the system's candidates, the scenario's variants ──► tries
//!  requested variants ┐                                                │
//!                     │      search: all seeds, or the best of one ◄───┘
//!                     ▼      ▼
//!  weigh: paired by seeds, beyond chance, possible, at the knee ──► tell: Do, Not enough
//! ```
//! Changes that no operator can make (a rule without code, other hardware, another load) are only
//! in the table. A gain within chance is not advice.
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

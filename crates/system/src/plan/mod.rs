//! Plans: which settings an operator should change.
//!
//! ```text
//!  space (settings and their effort) ─┐
//!  goals (objective and limits) ──────┼─► search ─► bench (points × seeds) ─► choose
//!  budget (cost of the search) ───────┘                                         │
//!                         runbook (lines of a site file, steps, undo) ◄─────────┘
//! ```
//! The search is successive halving (Jamieson and Talwalkar, AISTATS 2016). All points run with one
//! seed, the best third with a few, the best of these with all. Then follow the neighbours of the
//! answer, and the answer without each of its changes. All points use the same seeds (common random
//! numbers). The answer runs again with fresh seeds, since the best of many is partly luck. An
//! answer that gains nothing with these is rejected.
//!
//! Without a limit the search recommends the knee: least effort for 80 % of the best gain.
mod bench;
mod budget;
mod choose;
mod goals;
mod least;
mod page;
mod paired;
pub mod runbook;
mod search;
mod space;
pub use bench::Bench;
pub use budget::Budget;
pub use choose::Judge;
pub use goals::{Goals, Limit};
pub use least::{Verdict, least};
pub use page::{Answer, page};
pub use search::{PlanProgress, SearchResult, search};
pub use space::{Effort, Point, Space};

//! Plans: which settings to change, of those that somebody can set.
//!
//! ```text
//!  space (what can be set, and what it asks for) ─┐
//!  goals (what is asked for) ─────────────────────┼─► search ─► bench (points × seeds) ─► choose
//!  budget (what it may cost) ─────────────────────┘                                         │
//!                                     runbook (lines of a site file, steps, undo) ◄─────────┘
//! ```
//! The search is successive halving (Jamieson and Talwalkar, AISTATS 2016): all points from one
//! seed, the promising third of them from a few, the best of these from all; then what lies round
//! the answer, and the answer without each of its changes. All points see the same seeds (common
//! random numbers), so that any two are compared seed by seed. What was chosen is run from seeds
//! that chose nothing: the best of many is it by luck, too. What gains nothing by these is no
//! answer.
//!
//! Without a goal the knee is recommended: of what gains 80 % of what the fastest does that which
//! asks for least.
mod bench;
mod budget;
mod choose;
mod goals;
mod least;
mod page;
pub mod runbook;
mod search;
mod space;
mod weigh;
pub use bench::Bench;
pub use budget::Budget;
pub use choose::Judge;
pub use goals::{Goals, Limit};
pub use least::{Verdict, least};
pub use page::{Answer, page};
pub use search::{Found, TellPlan, search};
pub use space::{Effort, Point, Space};

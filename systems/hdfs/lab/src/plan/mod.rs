//! `tenbin plan rebuild`: which settings to change for a loss to be repaired sooner.
//!
//! ```text
//!  loss (what happens) ─┐
//!  goal (what is asked) ─┼─► search ─► lab (runs points on all cores) ─► answer ─► fragment
//!  knob, point (where) ──┘
//! ```
//! The search runs the present settings from all seeds, a coarse grid over the work multiplier
//! and `max-streams` from the first one, half steps round the best, and all seeds for what may be
//! the answer; then every policy that HDFS would need as a plug-in. All points see the same seeds
//! (common random numbers); a point far slower than the best is not run to its end. One seed
//! never decides: what it could be wrong about gets all seeds. Only settings are recommended: a
//! policy for which HDFS has no code is named as research. Without a goal the knee is recommended,
//! the nearest settings that gain 80 % of what the fastest do: what is raised without need costs
//! elsewhere.
pub mod answer;
pub mod beside;
pub mod budget;
pub mod choose;
pub mod decide;
pub mod effort;
pub mod finalists;
pub mod fragment;
pub mod gain;
pub mod goals;
pub mod grid;
pub mod knob;
pub mod lab;
pub mod listed;
pub mod loss;
pub mod lost;
pub mod point;
pub mod proof;
pub mod refine;
pub mod risk;
pub mod runbook;
pub mod say;
pub mod search;
pub mod tested;
pub mod trade;

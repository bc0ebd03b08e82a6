//! What it means: balance, blocked-time attribution, comparison, sentences. It reads the trace and
//! knows no engine.
pub mod attribution;
pub mod balance;
pub mod chains;
pub mod load;
pub mod metrics;
pub mod moments;
pub mod plausible;
pub mod report;
pub mod series;
pub mod steps;
pub mod walk;
pub use attribution::{Attribution, AttributionKind, Held, attribution, blocked_time};
pub use metrics::{Metrics, metrics};

//! Analysis of an HDFS trace: moments, metrics, attribution, sentences, charts. Independent of
//! engine and scenario.
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
pub mod advice;
pub mod attribution;
mod chains;
pub mod context;
pub mod copies;
pub mod curves;
pub mod foreground;
pub mod links;
pub mod load;
pub mod loss;
pub mod metrics;
pub mod moments;
mod objective;
pub mod plausible;
pub mod releases;
pub mod risk;
pub mod run;
pub mod sections;
pub mod sentences;
pub mod stat;
pub use ::page::{spans, words};
pub use attribution::{Attribution, attribution, blocked_time};
pub use context::{AffectedPart, Context, EventType};
pub use metrics::{Metrics, metrics};
pub use objective::objective;
pub use run::Run;
pub use stat::{Stat, stat};

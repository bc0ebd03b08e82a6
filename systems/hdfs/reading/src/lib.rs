//! What it means: balance, blocked-time attribution, comparison, sentences. It reads the trace and
//! knows no engine.
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
pub mod advice;
pub mod attribution;
mod chains;
pub mod compare;
pub mod context;
pub mod curves;
pub mod fleet;
pub mod foreground;
pub mod load;
pub mod loss;
pub mod metrics;
pub mod moments;
mod objective;
pub mod page;
pub mod plausible;
pub mod releases;
pub mod risk;
pub mod run;
mod sections;
pub mod sentences;
pub mod shares;
pub mod shown;
pub mod stat;
pub mod text;
pub use self::page::{page, plan_page, plan_rows};
pub use ::page::{spans, words};
pub use attribution::{Attribution, AttributionKind, Held, attribution, blocked_time};
pub use compare::{Variant, compare};
pub use context::{Assumption, Context, Fate, Lost};
pub use metrics::{Metrics, metrics};
pub use objective::objective;
pub use run::{Run, VariantRuns};
pub use stat::{Stat, stat};
pub use text::text;

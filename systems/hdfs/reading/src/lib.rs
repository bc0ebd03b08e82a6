//! What it means: balance, blocked-time attribution, comparison, sentences. It reads the trace and
//! knows no engine.
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
pub mod advice;
pub mod attribution;
pub mod band;
mod blocks;
mod chains;
pub mod compare;
pub mod context;
pub mod curves;
pub mod diff;
pub mod drill;
pub mod foreground;
pub mod heat;
pub mod load;
pub mod loss;
pub mod metrics;
pub mod moments;
pub mod page;
pub mod plausible;
pub mod releases;
pub mod report;
pub mod risk;
pub mod run;
pub mod sentences;
pub mod series;
pub mod shares;
pub mod shown;
pub mod stat;
pub mod stored;
pub mod text;
pub use self::page::{page, plan_page};
pub use ::page::{spans, words};
pub use attribution::{Attribution, AttributionKind, Held, attribution, blocked_time};
pub use band::Band;
pub use blocks::blocks;
pub use compare::compare;
pub use context::{Assumption, Context, Fate, Lost};
pub use diff::{Diff, Side, diff};
pub use metrics::{Metrics, metrics};
pub use report::{Report, Stat};
pub use run::{Run, VariantRuns};
pub use stat::stat;
pub use stored::stored;
pub use text::text;

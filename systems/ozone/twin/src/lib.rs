//! C3.1 of Li Cheng 2020 on a real SCM: `tenbin reproduce s3 --real`.
//!
//! ```text
//!  case ─┬─► SCM ◄─ simulated DataNodes, a process per rack ─► pipelines ─► counted ─┐
//!        └─► ozone::policy, by seed ─────────────────────────► pipelines ─► counted ─┴► row
//! ```
pub mod cases;
mod claims;
pub mod scm;
mod site;

use system::claims::RealExperiment;

/// Two runs of all cases take half an hour.
pub const S3: RealExperiment =
    RealExperiment { document: "s3", runs: 2, needs_jar: false, make: claims::real };

//! PPMDS's own commands.
mod check_history;
mod hdfs_audit;
mod mdtest;
pub mod meta;
pub use check_history::CheckHistory;
pub use hdfs_audit::HdfsAudit;
pub use mdtest::MDTEST;
pub use meta::MetaCommand;

//! Commands that no other system has.
mod check_history;
mod hdfs_audit;
mod mdtest;
pub use check_history::CheckHistory;
pub use hdfs_audit::HdfsAudit;
pub use mdtest::MDTEST;

//! PPMDS's own commands.
mod check_history;
mod hdfs_audit;
mod mdtest;
pub use check_history::CheckHistory;
pub use hdfs_audit::HdfsAudit;
pub use mdtest::MDTEST;

//! Every key of HDFS's scenarios, in tables: validation, `tenbin check`, suggestions and
//! `docs/scenario.md` all come from them.
mod balancer;
mod deprecated;
mod hdfs;
mod hdfs_site;
pub use balancer::{START as BALANCER_START, is_balancers};
pub use cluster::keys::*;
pub use deprecated::{name_today, old_names, renamed};
pub use hdfs::HDFS;
pub use hdfs_site::ELSEWHERE;

/// All keys of HDFS's scenarios, table by table.
pub fn all() -> impl Iterator<Item = &'static Key> {
    HDFS.all()
}

/// The key of this name in HDFS's scenarios.
pub fn find(name: &str) -> Option<&'static Key> {
    HDFS.find(name)
}

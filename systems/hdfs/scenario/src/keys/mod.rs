//! All keys of HDFS scenarios: the source of validation, `tenbin check`, suggestions and
//! `docs/scenario.md`.
mod balancer;
mod deprecated;
mod hdfs;
mod hdfs_site;
pub use balancer::{START as BALANCER_START, is_balancers};
pub use cluster::keys::*;
pub use deprecated::{name_today, old_names, renamed};
pub use hdfs::HDFS;
pub use hdfs_site::ELSEWHERE;

pub fn all() -> impl Iterator<Item = &'static Key> {
    HDFS.all()
}

pub fn find(name: &str) -> Option<&'static Key> {
    HDFS.find(name)
}

//! Every key of a scenario, in one table: validation, `tenbin check`, suggestions and
//! `docs/scenario.md` all come from it.
mod balancer;
mod doc;
mod hdfs_site;
mod kind;
mod shared;
pub use balancer::{START as BALANCER_START, is_balancers};
pub use doc::markdown;
pub use hdfs_site::{ELSEWHERE, hdfs1_default, renamed};
pub use kind::{Kind, Typed, Wrong};

/// What a key is when no input says it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Absent {
    /// An error (in the clusters that need it).
    Required,
    /// Nothing: the key switches something on.
    Nothing,
    /// A documented default; [`Origin::Default`](crate::Origin).
    Default(&'static str),
    /// A guess that matters; [`Origin::Assumed`](crate::Origin).
    Assumed(&'static str),
    /// Follows from other keys, as this says.
    Derived(&'static str),
}

/// A key of a scenario.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Table, dot, name: `hardware.disk`, `hdfs-site.dfs.replication`.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// What it is when no input says it.
    pub absent: Absent,
    /// How a comparison's row names a value, `{}`; empty: the key's last part and the value.
    pub row: &'static str,
    /// What it means, in one line.
    pub doc: &'static str,
    /// Where its meaning or default is from.
    pub source: &'static str,
}

/// Tables that a scenario may have.
pub const TABLES: [&str; 12] = [
    "cluster",
    "hardware",
    "workload",
    "policy",
    "model",
    "run",
    "event",
    "compare",
    "variant",
    "hdfs-site",
    "yarn-site",
    "ozone-site",
];

/// All keys, table by table.
pub fn all() -> impl Iterator<Item = &'static Key> {
    let shared = shared::KEYS.iter().chain(&balancer::KEYS);
    shared.chain(&hdfs_site::KEYS).chain(&balancer::SITE)
}

/// The key of this name; a real system's old name counts as its new one.
pub fn find(name: &str) -> Option<&'static Key> {
    let name = renamed(name);
    all().find(|key| key.name == name)
}

/// How a comparison's row calls this value of this key: "multiplier 4", "ring".
pub fn row_name(key: &str, value: &str) -> String {
    match find(key) {
        Some(key) if !key.row.is_empty() => key.row.replace("{}", value),
        _ => format!("{} {value}", key.rsplit('.').next().unwrap_or(key)),
    }
}

//! Every key of a scenario, in one table: validation, `tenbin check`, suggestions and
//! `docs/scenario.md` all come from it.
mod balancer;
mod doc;
mod hdfs_site;
mod kind;
mod shared;
pub use balancer::{START as BALANCER_START, is_balancers};
pub use doc::markdown;
pub use hdfs_site::{ELSEWHERE, hdfs1_default, old_names, renamed};
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

/// The key of this name; a real system's old name counts as its new one, a numbered event's part
/// as that of any.
pub fn find(name: &str) -> Option<&'static Key> {
    let name = match of_event(name) {
        Some((_, part)) => format!("event.{part}"),
        None => renamed(name),
    };
    all().find(|key| key.name == name)
}

/// A part of an event: `event.at`, where there is one only, or `event[2].at`, of the second, as
/// `tenbin check` prints it.
pub fn of_event(name: &str) -> Option<(Option<usize>, &str)> {
    let rest = name.strip_prefix("event")?;
    if let Some(part) = rest.strip_prefix('.') {
        return Some((None, part));
    }
    let (number, part) = rest.strip_prefix('[')?.split_once("].")?;
    Some((Some(number.parse().ok().filter(|n| *n > 0)?), part))
}

/// Whether two names mean one key: an old and a new one, or the only event's with and without its
/// number.
pub fn same(a: &str, b: &str) -> bool {
    match (of_event(a), of_event(b)) {
        (Some((a, part)), Some((b, other))) => part == other && a.unwrap_or(1) == b.unwrap_or(1),
        _ => renamed(a) == renamed(b),
    }
}

/// How a comparison's row calls this value of this key: "multiplier 4", "ring", "event 2 at 740s".
pub fn row_name(key: &str, value: &str) -> String {
    if let Some((Some(number), part)) = of_event(key) {
        return format!("event {number} {part} {value}");
    }
    match find(key) {
        Some(key) if !key.row.is_empty() => key.row.replace("{}", value),
        _ => format!("{} {value}", key.rsplit('.').next().unwrap_or(key)),
    }
}

//! What is said, in the order of the page: verdict, held up by, do, not enough, certainty, assumed,
//! notes.
pub mod assumed;
pub mod balancer;
pub mod doing;
pub mod foreground;
pub mod gains;
pub mod happened;
pub mod held;
pub mod notes;
pub mod plan;
pub mod untried;
pub mod verdict;
pub mod without;

/// A key as it is written after it has stood in full: "…replication.max-streams".
pub fn short(key: &str) -> String {
    let rest = key.strip_prefix("dfs.namenode.").or_else(|| key.strip_prefix("dfs."));
    rest.map_or_else(|| key.into(), |rest| format!("…{rest}"))
}

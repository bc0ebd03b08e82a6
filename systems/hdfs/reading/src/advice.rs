//! What to do: which variant is proposed, and what applying it takes.
use crate::compare::Variant;
use crate::releases;
use crate::run::VariantRuns;
use analysis::advice::{Advice, Size, Tried, advise};
use hdfs_policy::rereplication::registry::jar_setting;
use page::Role;
use units::{BytesPerSec, Nanos};

/// A restart is worth its trouble only if it gains this much.
pub const RESTART_GAIN: f64 = 0.10;

pub(crate) const RULE: &str = "policy.rereplication";

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Change {
    /// Settings of the real system only.
    Settings,
    /// A policy that `tenbin-hdfs.jar` has for a real NameNode.
    Jar,
    /// A policy, for which the real system has no code.
    Policy,
    /// The cluster, the hardware, the model: a question, not a proposal.
    World,
}

/// What a variant changes, at its most difficult.
pub fn change(variant: &VariantRuns) -> Change {
    let of = |(key, value): &(String, String)| match key.split('.').next() {
        Some("hdfs-site" | "yarn-site" | "ozone-site") => Change::Settings,
        Some("policy") if key == RULE && jar_setting(value).is_some() => Change::Jar,
        Some("policy") if key == RULE => Change::Policy,
        _ if key.starts_with("dfs.") => Change::Settings,
        _ => Change::World,
    };
    variant.set.iter().map(of).max().unwrap_or(Change::World)
}

/// The key of a real NameNode, and its value, that a variant's stands for.
pub fn real<'v>(key: &'v str, value: &'v str) -> (&'v str, &'v str) {
    match jar_setting(value).filter(|_| key == RULE) {
        Some(setting) => ("tenbin.rereplication", setting),
        None => (real_key(key), value),
    }
}

/// The place of the variant to propose, if any is worth it and loses no more blocks: faster than
/// the first by 5 % and by more than chance, with so many tried at once; or all safe where now is
/// not.
///
/// Of those that anybody can apply the fastest, or, of those as fast within noise, the one that
/// changes least. A policy only if `tenbin-hdfs.jar` has it: else there is no code to install.
pub fn recommend(
    now: &[(String, String)],
    variants: &[VariantRuns],
    rows: &[Variant],
) -> Option<usize> {
    match rows[0].recovery_s {
        Some(_) => weigh(now, variants, rows).follow.map(|place| place + 1),
        None => ends(variants, rows),
    }
}

/// What each row does, the first's apart: by the rule that all systems' advice has. `now` has the
/// present settings: of what is alike that is followed which is nearest to them.
pub fn weigh(now: &[(String, String)], variants: &[VariantRuns], rows: &[Variant]) -> Advice {
    let tried = |place: usize| Tried {
        needs: variants[place].times(),
        allowed: is_allowed(variants, rows, place),
        size: Size {
            keys: variants[place].set.len(),
            far: variants[place].set.iter().map(|set| far(now, set)).sum(),
            ..Size::default()
        },
    };
    let tried: Vec<Tried> = (1..variants.len()).map(tried).collect();
    advise(&variants[0].times().unwrap_or_default(), &tried)
}

/// By how many times a setting changes; twice, where that is not known.
fn far(now: &[(String, String)], (key, value): &(String, String)) -> f64 {
    let of = |key: &str| now.iter().find(|(known, _)| known == key).map(|(_, value)| value);
    let before = of(real_key(key)).and_then(|value| number(value)).filter(|n| *n > 0.0);
    let then = number(value).filter(|n| *n > 0.0);
    before.zip(then).map_or(2.0, |(before, then)| (then / before).max(before / then))
}

/// A count, a time or a rate.
fn number(text: &str) -> Option<f64> {
    let time = || text.parse::<Nanos>().ok().map(Nanos::as_secs);
    let rate = || text.parse::<BytesPerSec>().ok().map(|rate| rate.0 as f64);
    text.parse::<f64>().ok().or_else(time).or_else(rate)
}

/// Whether anybody can do it, and it loses no more blocks.
fn is_allowed(variants: &[VariantRuns], rows: &[Variant], place: usize) -> bool {
    let lost = |row: &Variant| row.metrics.get("blocks_lost").map_or(0.0, |stat| stat.mean);
    change(&variants[place]) <= Change::Jar && lost(&rows[place]) <= lost(&rows[0])
}

/// Where now is not safe in all seeds: the fastest of what is.
fn ends(variants: &[VariantRuns], rows: &[Variant]) -> Option<usize> {
    let recovery = |i: &usize| rows[*i].recovery_s.map_or(f64::INFINITY, |stat| stat.mean);
    let safe =
        (1..rows.len()).filter(|i| rows[*i].recovery_s.is_some() && is_allowed(variants, rows, *i));
    let all: Vec<usize> = safe.collect();
    let best = all.iter().map(recovery).fold(f64::INFINITY, f64::min);
    let near = |i: &usize| recovery(i) <= (1.0 + crate::stat::SAME) * best;
    all.into_iter().filter(near).min_by_key(|&i| (variants[i].set.len(), i))
}

/// The place of the proposed row.
pub fn recommended(rows: &[Variant]) -> Option<usize> {
    rows.iter().position(|row| row.role == Role::Recommended)
}

/// Who must learn of a changed setting, and how.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Apply {
    /// `hdfs dfsadmin -reconfig namenode`.
    Live,
    /// `hdfs dfsadmin -reconfig datanode`.
    LiveDataNodes,
    /// `hdfs dfsadmin -setBalancerBandwidth`, which lasts until a DataNode restarts.
    LiveBalancer,
    NameNode,
    /// Restart of the DataNodes (and of the NameNode).
    DataNodes,
}

/// Keys that a running NameNode takes over (`NameNode.reconfigurableProperties` of Hadoop 3.4).
/// `dfs.heartbeat.interval` stands there too, but DataNodes keep their own.
const LIVE: [&str; 5] = [
    "dfs.namenode.heartbeat.recheck-interval",
    "dfs.namenode.reconstruction.pending.timeout-sec",
    "dfs.namenode.replication.max-streams",
    "dfs.namenode.replication.max-streams-hard-limit",
    "dfs.namenode.replication.work.multiplier.per.iteration",
];

/// What a DataNode sends and receives as the balancer's moves.
pub const BALANCER: &str = "dfs.datanode.balance.bandwidthPerSec";

/// How a variant of settings is applied; by Hadoop 3.4 where the version is not known.
pub fn apply(variant: &VariantRuns, hadoop: Option<&str>) -> Apply {
    let all = variant.set.iter().map(|(key, _)| apply_key(real_key(key), hadoop));
    all.max().unwrap_or(Apply::NameNode)
}

/// How one setting is applied, by its real key; by Hadoop 3.4 where the version is not known.
pub fn apply_key(key: &str, hadoop: Option<&str>) -> Apply {
    match (of_newest(key), hadoop) {
        (Apply::Live, Some(version)) if releases::is_before(version, key) => Apply::NameNode,
        (Apply::LiveDataNodes, Some(version)) if releases::is_before(version, key) => {
            Apply::DataNodes
        }
        (newest, _) => newest,
    }
}

fn of_newest(key: &str) -> Apply {
    match key {
        key if LIVE.contains(&key) => Apply::Live,
        // `DataNode.RECONFIGURABLE_PROPERTIES` of Hadoop 3.4.
        "dfs.datanode.data.transfer.bandwidthPerSec" => Apply::LiveDataNodes,
        BALANCER => Apply::LiveBalancer,
        key if key.starts_with("dfs.namenode.") => Apply::NameNode,
        _ => Apply::DataNodes,
    }
}

/// A setting's real key: without the table that it stands in.
pub fn real_key(key: &str) -> &str {
    let table = key.find('.').filter(|&dot| key[..dot].ends_with("-site"));
    table.map_or(key, |dot| &key[dot + 1..])
}

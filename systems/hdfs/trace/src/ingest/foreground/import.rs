use super::load::{self, Load};
use super::{interval, snapshot};
use crate::ingest::hdfs::site;
use import::{ImportError, Input, OnProgress, issue};

/// Number of hops of a block's pipeline.
const REPLICATION: &str = "dfs.replication";
const THREE: u32 = 3;

/// Two snapshots of the same DataNodes' `/jmx`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sources {
    /// The earlier snapshot: pages, or folders of pages.
    pub before: Vec<Input>,
    pub after: Vec<Input>,
    /// `hdfs-site.xml`, for `dfs.replication`.
    pub conf: Option<Input>,
    /// Replicas that clients write; overrides `conf`.
    pub replication: Option<u32>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Imported {
    pub load: Load,
    /// DataNodes (HOST:PORT) in only one snapshot, or restarted between them.
    pub left_out: Vec<String>,
    pub notes: Vec<String>,
}

/// Reads both snapshots, in memory of a few counters per DataNode. `tell` receives progress.
///
/// # Errors
/// A page is unreadable, truncated, of another daemon, or lacks a counter; a snapshot has a
/// DataNode twice; no DataNode is in both; no client activity.
pub fn import(sources: &Sources, tell: &mut OnProgress<'_>) -> Result<Imported, ImportError> {
    let Sources { before, after, conf, .. } = sources;
    Input::at_most_one_stdin(before.iter().chain(after).chain(conf))?;
    let first = sources.after.first().map_or_else(String::new, Input::name);
    let (before, after) = (snapshot::read(before, tell)?, snapshot::read(after, tell)?);
    let paired = interval::pair(&before, &after, &first)?;
    let (replication, mut notes) = replication(sources, tell)?;
    notes.extend(paired.notes);
    let (load, about) = load::of(&paired.intervals, replication);
    notes.extend(about);
    if load.reads <= 0.0 && load.writes <= 0.0 {
        let found = format!("clients read and wrote no data in {:.0} s", load.seconds);
        let advice = "Fetch the pages while the cluster is at work.";
        let idle = issue(found, "counters of clients that grow").advice(advice);
        return Err(idle.at(&first, None));
    }
    notes.push(
        "without short-circuit reads: the client opens the file itself, so DataNodes do not count \
         them"
            .into(),
    );
    Ok(Imported { load, left_out: paired.left_out, notes })
}

/// (replicas, note on their source if the user did not set them).
fn replication(
    sources: &Sources,
    tell: &mut OnProgress<'_>,
) -> Result<(u32, Vec<String>), ImportError> {
    let site = site::of(sources.conf.as_ref(), tell)?;
    let configured = site.settings.iter().find(|(key, _, _)| key == REPLICATION);
    let configured =
        configured.and_then(|(_, value, _)| value.trim().parse().ok()).filter(|n| *n > 0);
    let found = sources.replication.or(configured);
    let mut notes = site.notes;
    if found.is_none() {
        notes.push(format!(
            "writes are hops of pipelines divided by {THREE}, HDFS's default of {REPLICATION}: \
             --replication or --conf changes it"
        ))
    }
    Ok((found.unwrap_or(THREE), notes))
}

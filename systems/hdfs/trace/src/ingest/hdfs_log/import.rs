use super::log_history::LogHistory;
use super::merged_events::{self, MergedEvents};
use super::rebuilt_cluster::{self, RebuiltCluster};
use super::settings::Settings;
use super::{ledger, notes, tables};
use crate::Trace;
use crate::ingest::hdfs::{Counts, Imported, site};
use crate::packed::PackedBlocks;
use cluster::Cluster;
use hdfs_scenario::SourcedValue;
use import::{ImportError, Input, OnProgress, issue, log4j};
use std::collections::BTreeMap;
use std::fmt::Write;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sources {
    /// Short name of the cluster, for titles.
    pub name: String,
    /// Logs of the NameNode and any number of DataNodes, in any order.
    pub logs: Vec<Input>,
    /// `hdfs-site.xml`: settings that logs lack.
    pub conf: Option<Input>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct ImportedLogs {
    pub trace: Trace,
    /// The cluster and its block map at time 0. Its notes list omissions and unproven facts.
    pub cluster: Imported,
    /// (address, time without heartbeats since \[ms\]) of each lost node.
    pub losses: Vec<(String, u64)>,
    /// (real key, HDFS default) of settings missing in logs and site file.
    pub assumed: Vec<(String, String)>,
    pub lines: u64,
}

/// Reads logs in memory proportional to the blocks that they name. `tell` receives progress.
///
/// # Errors
/// A file is unreadable or not a log; no NameNode's log; no loss in it.
pub fn import(sources: &Sources, tell: &mut OnProgress<'_>) -> Result<ImportedLogs, ImportError> {
    Input::at_most_one_stdin(sources.logs.iter().chain(&sources.conf))?;
    let names: Vec<String> = sources.logs.iter().map(Input::name).collect();
    let site = site::of(sources.conf.as_ref(), tell)?;
    let MergedEvents { complaints, story, clusters, end, lines, twice, back } =
        merged_events::of(&sources.logs, &names, tell)?;
    clusters.check(&names)?;
    if story.dead.is_empty() {
        return Err(no_loss(&story, &names));
    }
    let hdfs_site: Vec<(String, String)> =
        site.settings.iter().map(|(key, value, _)| (key.clone(), value.clone())).collect();
    let settings = Settings::of(&story, &hdfs_site);
    let (damaged, _) = complaints.unread_since(i64::MIN);
    let rebuilt = rebuilt_cluster::rebuild(&sources.name, &story, &settings, damaged);
    let samples = ledger::samples(&rebuilt, &story.changes);
    let mut trace = tables::tables(&story, &rebuilt, &settings, &samples);
    let first = rebuilt.losses.iter().map(|loss| loss.declared).min().unwrap_or(i64::MIN);
    let (_, unread) = complaints.unread_since(first);
    let about = about(&rebuilt, &samples, end, &trace, unread);
    trace.run.extend(about);
    if back > 0 {
        trace.run.push(("clock_back_s".into(), (back as f64 / 1e3).to_string()))
    }
    let mut notes = complaints.notes(&names);
    notes.extend(twice);
    notes.extend(site.notes);
    notes.extend(open_end(&samples, end, unread).filter(|_| rebuilt.gaps.has_risk_times()));
    notes.extend(notes::of(&story, &rebuilt, &settings));
    let zero = rebuilt.losses[0].silent;
    let address =
        |loss: &rebuilt_cluster::Loss| rebuilt.cluster.nodes[loss.node.at()].address.clone();
    let losses = rebuilt
        .losses
        .iter()
        .map(|l| (address(l), u64::try_from(l.silent - zero).unwrap_or(0)))
        .collect();
    let files = sources.logs.iter().chain(&sources.conf).map(Input::short_name).collect();
    let assumed = settings.assumed.clone();
    let cluster = imported(rebuilt, settings, notes, files, log4j::day(zero));
    let mut cluster = Imported { finals: site.finals, site_names: site.site_names, ..cluster };
    cluster.hdfs_site.extend(site.others);
    Ok(ImportedLogs { trace, cluster, losses, assumed, lines })
}

fn no_loss(story: &LogHistory, names: &[String]) -> ImportError {
    let file = names.join(", ");
    let expected = "`BLOCK* removeDeadDatanode: lost heartbeat from …` of a NameNode";
    let found = match (story.copies.is_empty(), story.nodes.all.is_empty()) {
        (true, true) => "no line of a NameNode or DataNode about blocks",
        (true, false) => "no DataNode is declared dead, and none receives a copy command",
        (false, _) => "copies, and no DataNode is declared dead",
    };
    let advice = "Give the NameNode's log of the time of the loss, with its rolled parts \
                  (BlockStateChange at DEBUG has the decisions).";
    issue(found, expected).advice(advice).at(&file, None)
}

/// Blocks at risk at the last line.
fn left(samples: &[ledger::Sample]) -> u64 {
    samples.last().map_or(0, |(_, counts)| counts[0])
}

/// A note if the logs end before the repair, or if unreadable lines may hide its end. One line is
/// about one block.
fn open_end(samples: &[ledger::Sample], end: i64, unread: u64) -> Option<String> {
    let most = samples.iter().map(|(_, counts)| counts[0]).max().unwrap_or(0);
    let (left, at) = (left(samples), log4j::text(end));
    let lines = if unread == 1 { "1 line".into() } else { format!("{unread} lines") };
    let note = match (unread, left.saturating_sub(unread)) {
        (0, _) => format!(
            "the logs end at {at}, before the repair: {left} of {most} blocks were not yet safe; \
             later events are unknown"
        ),
        (_, 0) => format!(
            "{left} of {most} blocks are not reported safe by {at}, the logs' end: {lines} after \
             the loss cannot be read, so their state is unknown"
        ),
        (_, least) => format!(
            "the logs end at {at}, before the repair: at least {least} of {most} blocks were not \
             yet safe ({lines} after the loss cannot be read); later events are unknown"
        ),
    };
    (left > 0).then_some(note)
}

/// The run table without scenario and command, which the caller adds.
fn about(
    rebuilt: &RebuiltCluster,
    samples: &[ledger::Sample],
    end: i64,
    trace: &Trace,
    unread: u64,
) -> Vec<(String, String)> {
    let zero = rebuilt.losses[0].silent;
    let seconds = |ms: i64| ((ms - zero) as f64 / 1e3).to_string();
    let declared = rebuilt.losses.iter().map(|loss| loss.declared).min().unwrap_or(zero);
    // The detection time must come from the logs, not from a default.
    let fault = if rebuilt.losses[0].assumed { declared } else { zero };
    let safe = samples.last().filter(|(_, counts)| counts[0] == 0).map(|(at, _)| *at);
    // The time of safety is unknown for blocks with unknown holders.
    let safe = safe.filter(|_| rebuilt.gaps.has_risk_times());
    let last = trace.intervals.iter().map(|i| i.end).max().unwrap_or_default();
    let end_s = match safe {
        Some(at) => last.as_secs().max((at - zero) as f64 / 1e3).to_string(),
        None => seconds(end),
    };
    let mut rows = vec![
        ("origin", "logged".to_string()),
        ("fault_s", seconds(fault)),
        ("declared_s", seconds(declared)),
        ("end_s", end_s),
    ];
    // A log's end does not prove that the cluster was idle afterwards.
    if safe.is_none() {
        rows.push(("cut_s", seconds(end)))
    }
    rows.extend(safe.map(|at| ("redundant_s", seconds(at.max(declared)))));
    rows.push(("unrepaired", left(samples).to_string()));
    let gaps = rebuilt.gaps;
    let some = [("blocks_inferred", gaps.inferred), ("lines_unread", unread)];
    rows.extend(some.into_iter().filter(|(_, n)| *n > 0).map(|(key, n)| (key, n.to_string())));
    if !gaps.has_risk_times() {
        rows.push(("blocks_untold", (gaps.untold + gaps.unheard).to_string()))
    }
    rows.into_iter().map(|(key, value)| (key.to_string(), value)).collect()
}

fn imported(
    rebuilt: RebuiltCluster,
    settings: Settings,
    notes: Vec<String>,
    sources: Vec<String>,
    date: String,
) -> Imported {
    let RebuiltCluster { cluster, map, .. } = rebuilt;
    let mut counts = Counts::default();
    counts.count_nodes(&cluster);
    counts.hold(&map);
    let hardware = disks(&cluster);
    Imported {
        cluster,
        blocks: PackedBlocks::from(&map),
        synthesis: None,
        namenode: None,
        hadoop: None,
        unknown: Vec::new(),
        disks_known: false,
        hdfs_site: settings.reported,
        finals: Vec::new(),
        site_names: Vec::new(),
        counts,
        hardware,
        assumed: vec!["nodes.capacity".into(), "hardware".into()],
        notes,
        sources,
        date,
    }
}

/// Disks per node by the most frequent number, if the logs name the storages of each node.
fn disks(cluster: &Cluster) -> Vec<SourcedValue> {
    let mut nodes_with = BTreeMap::<u16, u32>::new();
    cluster.nodes.iter().for_each(|node| *nodes_with.entry(node.disks).or_default() += 1);
    let most = nodes_with.iter().max_by_key(|(disks, nodes)| (**nodes, **disks));
    let known = most.filter(|_| !nodes_with.contains_key(&0));
    let found = known.map(|(disks, _)| SourcedValue {
        key: "disks_per_node".into(),
        value: disks.to_string(),
        source: "storage ids in the NameNode's log".into(),
    });
    found.into_iter().collect()
}

impl ImportedLogs {
    /// A scenario of the same losses on the rebuilt cluster; `cluster`: its file.
    pub fn scenario(&self, cluster: &str) -> String {
        let mut out = format!(
            "# The losses in the logs, on the cluster at that time, for the \
             simulator.\n[cluster]\nimport = \"{cluster}\"\n"
        );
        if !self.assumed.is_empty() {
            out += "\n[hdfs-site]  # in no log: HDFS's defaults; set what you know\n"
        }
        for (key, value) in &self.assumed {
            let line = format!("\"{key}\" = \"{value}\"");
            let _ = writeln!(out, "{line:<72} # ASSUMED");
        }
        for (address, ms) in &self.losses {
            let event = "[[event]]\nkind = \"node-lost\"";
            let _ = write!(out, "\n{event}\nat = \"{ms}ms\"\ntarget = \"{address}\"\n");
        }
        out + "\n[run]\nuntil = \"redundant\"\nseeds = 10\n"
    }
}

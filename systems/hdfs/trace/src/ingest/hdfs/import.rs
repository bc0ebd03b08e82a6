//! The import: opens, reads, checks and joins the inputs.
use super::counts::Counts;
use super::fsck::{self, Fsck, SummarySection};
use super::inputs::Inputs;
use super::join::{self, JoinedInputs};
use super::sniff::Kind;
use super::{check, jmx, report, site, topology};
use crate::packed::PackedBlocks;
use cluster::{Admin, Cluster};
use hdfs_scenario::keys::{self, KeyDefault};
use hdfs_scenario::{SourcedValue, Synthesis};
use import::{ImportError, Input, Lines, OnProgress, issue};
use std::collections::BTreeMap;

/// Input files of a cluster; `fsck` or `jmx` is required.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sources {
    /// Short name of the cluster, for titles.
    pub name: String,
    /// `hdfs fsck / -files -blocks -locations`, better with `-replicaDetails -maintenance`.
    pub fsck: Option<Input>,
    pub report: Option<Input>,
    pub topology: Option<Input>,
    pub conf: Option<Input>,
    /// The NameNode's `/jmx`: replaces the report or, without `fsck`, the block map.
    pub jmx: Option<Input>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Imported {
    /// A node's `disks` is 0 if no input has them.
    pub cluster: Cluster,
    /// In fsck's order; empty if blocks are only counted.
    pub blocks: PackedBlocks,
    /// Source of the block map if no input lists blocks.
    pub synthesis: Option<Synthesis>,
    /// Names of counts that no input has.
    pub unknown: Vec<&'static str>,
    /// False: all replicas are on disk 0, and [`blocks_file::read`](crate::blocks_file::read)
    /// distributes them.
    pub disks_known: bool,
    /// HOST:PORT; `None`: not in the inputs.
    pub namenode: Option<String>,
    pub hadoop: Option<String>,
    /// Settings that the model implements: (key, value as written).
    pub hdfs_site: Vec<(String, String)>,
    /// Keys of `hdfs_site` with `<final>true</final>`.
    pub finals: Vec<String>,
    /// All names in the file of settings that occur under a deprecated name.
    pub site_names: Vec<String>,
    pub counts: Counts,
    pub hardware: Vec<SourcedValue>,
    pub assumed: Vec<String>,
    pub notes: Vec<String>,
    pub sources: Vec<String>,
    /// Day of the listing: 2026-11-21; empty: unknown.
    pub date: String,
}

/// Reads a cluster with an fsck listing, in memory of the packed block map. `tell` receives
/// progress.
///
/// # Errors
/// No listing; a file is unreadable, truncated, in another encoding or of another tool; a duplicate
/// block; a replica on a node that other files lack.
pub(super) fn import(
    sources: &Sources,
    tell: &mut OnProgress<'_>,
) -> Result<Imported, ImportError> {
    let given = list_inputs(sources)?;
    let listing = sources.fsck.as_ref().ok_or_else(no_listing)?;
    let site = site::of(sources.conf.as_ref(), tell)?;
    let report = match (&sources.report, &sources.jmx) {
        (None, Some(jmx)) => Some((jmx.name(), jmx::read(jmx, tell)?.report())),
        _ => read(sources.report.as_ref(), Kind::Report, tell, report::read)?,
    };
    let topology = read(sources.topology.as_ref(), Kind::Topology, tell, topology::read)?;
    let (name, mut listed) =
        read(Some(listing), Kind::Fsck, tell, fsck::read)?.expect("a listing was given");
    let mut notes = site.notes;
    notes.extend(check::fsck(&name, &listed)?);
    notes.extend(listing_notes(&name, &listed));
    let (namenode, uncertain) = site.namenodes.address(listed.namenode.as_deref());
    notes.extend(uncertain);
    let data_dirs = site.data_dirs;
    let date = listed.day.take().unwrap_or_default();
    let mut inputs = Inputs { fsck: (name, listed), report, topology, data_dirs };
    notes.extend(check::report(&inputs));
    let JoinedInputs { cluster, blocks, counts, assumed, notes: more, disks_known } =
        join::join(&sources.name, &mut inputs)?;
    let counts = tallied(&inputs.fsck.1, counts);
    let stay = |n: &&cluster::Node| {
        n.alive && !matches!(n.admin, Admin::Decommissioning | Admin::Decommissioned)
    };
    let nodes = cluster.nodes.iter().filter(stay).count();
    let usual = inputs.fsck.1.usual_replication();
    notes.extend(inputs.fsck.1.targets.excess_target_note(nodes, usual, &inputs.fsck.0));
    notes.extend(more);
    notes.extend(assumed.iter().map(|(key, note)| format!("assumed {key}: {note}")));
    notes.extend(loss_note(&counts));
    let hardware = found_hardware(data_dirs, disks_known, &cluster);
    Ok(Imported {
        cluster,
        blocks,
        synthesis: None,
        unknown: Vec::new(),
        disks_known,
        namenode,
        hadoop: None,
        finals: site.finals,
        site_names: site.site_names,
        hdfs_site: site::all(site.settings, site.others),
        counts,
        assumed: assumed_keys(&hardware, &assumed),
        hardware,
        notes,
        sources: given.iter().map(|input| input.short_name()).collect(),
        date,
    })
}

/// A note on an earlier loss, and how to simulate its repair.
pub(super) fn loss_note(counts: &Counts) -> Option<String> {
    let (dead, short) = (counts.dead, counts.under_replicated);
    (dead > 0 && short > 0).then(|| {
        format!(
            "a repair is in progress: {short} blocks are under-replicated, dead nodes: {dead}. \
             Every run repairs them from its start; `tenbin plan rebuild` of this file without \
             --lose shows the time, and what to set"
        )
    })
}

/// Checks that standard input is used at most once.
pub(super) fn list_inputs(sources: &Sources) -> Result<Vec<&Input>, ImportError> {
    let Sources { fsck, report, topology, conf, jmx, .. } = sources;
    let all: Vec<&Input> = [fsck, report, topology, conf, jmx].into_iter().flatten().collect();
    Input::at_most_one_stdin(all.iter().copied())?;
    Ok(all)
}

/// Disks per node: from the site file, else the most frequent number.
pub(super) fn found_hardware(
    data_dirs: Option<u16>,
    disks_known: bool,
    cluster: &Cluster,
) -> Vec<SourcedValue> {
    let mut nodes_with = BTreeMap::<u16, u32>::new();
    cluster.nodes.iter().for_each(|n| *nodes_with.entry(n.disks).or_default() += 1);
    let most = nodes_with.into_iter().max_by_key(|(disks, nodes)| (*nodes, *disks));
    let (disks, source) = match (data_dirs, most) {
        (Some(disks), _) => (disks, "dfs.datanode.data.dir in hdfs-site.xml"),
        (None, Some((disks @ 1.., _))) if disks_known => (disks, "storage ids in fsck's listing"),
        _ => return Vec::new(),
    };
    let (key, source) = ("disks_per_node".into(), source.into());
    vec![SourcedValue { key, value: disks.to_string(), source }]
}

/// Hardware that no Hadoop tool reports (marked in the cluster file), and assumptions of the join.
pub(super) fn assumed_keys(
    found: &[SourcedValue],
    joined: &[(&'static str, String)],
) -> Vec<String> {
    let told = |name: &str| found.iter().any(|f| name.strip_prefix("hardware.") == Some(&f.key));
    keys::all()
        .filter(|key| matches!(key.absent, KeyDefault::Assumed(_)))
        .map(|key| key.name)
        .filter(|name| name.starts_with("hardware.") && !told(name))
        .chain(joined.iter().map(|(key, _)| *key))
        .map(String::from)
        .collect()
}

fn no_listing() -> ImportError {
    issue("not given", "the listing of all blocks: no other output has block locations")
        .advice(format!(
            "Run `{} > fsck.txt`; or give --jmx, which counts blocks but does not list them.",
            Kind::Fsck.command()
        ))
        .at("--fsck", None)
}

/// Opens the input, rejects files of other tools, and reads it.
pub(super) fn read<T>(
    input: Option<&Input>,
    kind: Kind,
    tell: &mut OnProgress<'_>,
    reader: impl FnOnce(&str, &mut Lines<'_>) -> Result<T, ImportError>,
) -> Result<Option<(String, T)>, ImportError> {
    let Some(input) = input else { return Ok(None) };
    let name = input.name();
    let whole = |b: import::Issue| b.at(&name, None);
    let mut lines = Lines::new(import::open(input, tell).map_err(whole)?).map_err(whole)?;
    import::check(&kind.wanted(), lines.head()).map_err(whole)?;
    let read = reader(&name, &mut lines)?;
    Ok(Some((name, read)))
}

fn tallied(listed: &Fsck, counts: Counts) -> Counts {
    Counts {
        files: listed.replicated.files,
        erasure_coded_files: listed.coded.files,
        under_replicated: listed.replicated.under,
        under_erasure_coded: listed.coded.under,
        missing: listed.replicated.missing,
        missing_groups: listed.coded.missing,
        corrupt: listed.replicated.corrupt,
        corrupt_groups: listed.coded.corrupt,
        mis_replicated: listed.replicated.misplaced,
        mis_placed_groups: listed.coded.misplaced,
        ..counts
    }
}

fn listing_notes(name: &str, listed: &Fsck) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(unsaid) = listed.unsaid() {
        let said = "this fsck (Hadoop 2) states the wanted replicas only of files with too few; \
                    other files are assumed to want as many as they have";
        let most = format!(", at most the default of {}, for some have too many", unsaid.default);
        notes.push(format!("{said}{}", if unsaid.has_no_excess { "" } else { &most }))
    }
    if let Some((line, count)) = listed.odd_bytes {
        let lines = if count == 1 { "a line that is".into() } else { format!("{count} lines are") };
        notes.push(format!("{name}:{line}: {lines} not UTF-8, in a path or a warning: no effect"))
    }
    let open = listed.summary.get(SummarySection::Replicated, "Total files").is_some();
    if listed.under_construction > 0 {
        let n = listed.under_construction;
        notes.push(format!("{n} blocks in writing are left out"))
    }
    if listed.locations.other_types > 0 {
        let n = listed.locations.other_types;
        notes.push(format!("{n} replicas are on SSD, ARCHIVE or other storages: taken as disks"))
    }
    if !listed.locations.states && !listed.blocks.is_empty() && open {
        let lost = "corrupt, excess and stale replicas are unknown";
        notes.push(format!("fsck was run without -replicaDetails: {lost}"))
    }
    notes
}

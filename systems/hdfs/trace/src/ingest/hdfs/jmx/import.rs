//! Imports a cluster from a dump alone; its block map is drawn later.
use super::super::fsck::Fsck;
use super::super::import::{Imported, Sources, assumed_keys, found_hardware, list_inputs};
use super::super::import::{loss_note, read as read_text};
use super::super::inputs::Inputs;
use super::super::join::{self, JoinedInputs};
use super::super::sniff::Kind;
use super::super::{site, topology};
use super::beans::{MOST, no_count};
use super::block_counts::BlockCounts;
use super::dump::Dump;
use super::read::read;
use crate::packed::PackedBlocks;
use hdfs_scenario::NodeContent;
use import::{ImportError, Input, Issue, OnProgress};
use std::collections::BTreeMap;
use units::Bytes;

const UNKNOWN: [&str; 4] = ["files", "erasure_coded_files", "mis_replicated", "mis_placed_groups"];

/// Additional unknown counts with erasure-coded groups: their part of the used space is unknown.
const UNKNOWN_IF_CODED: [&str; 2] = ["internal_blocks", "replica_bytes"];

/// Reads the dump and, if given, `hdfs-site.xml` and the topology.
pub(in super::super) fn import(
    sources: &Sources,
    jmx: &Input,
    tell: &mut OnProgress<'_>,
) -> Result<Imported, ImportError> {
    let given = list_inputs(sources)?;
    let site = site::of(sources.conf.as_ref(), tell)?;
    let topology = read_text(sources.topology.as_ref(), Kind::Topology, tell, topology::read)?;
    let dump = read(jmx, tell)?;
    let hadoop = dump.version().map(str::to_string);
    let (told, several) = site.namenodes.address(None);
    let namenode = if several.is_some() { told } else { told.or(dump.address()) };
    let mut notes = site.notes;
    notes.extend(several);
    notes.extend(dump.notes());
    let mut assumed = Vec::new();
    if topology.is_none() && dump.nodes.iter().all(|n| n.node.rack.is_none()) {
        assumed.push(("cluster.racks", without_racks(hadoop.as_deref())))
    }
    let held = held(&dump);
    refuse_too_many(&held).map_err(|bad| bad.at(&jmx.name(), None))?;
    let (counted, date) = (BlockCounts::of(&dump.beans), dump.day());
    for node in &dump.nodes {
        let (address, blocks) = (&node.node.address, node.node.blocks.unwrap_or(0));
        counted.refuse_impossible(address, blocks).map_err(|bad| bad.at(&jmx.name(), None))?
    }
    let all = held.values().map(|held| held.blocks).sum();
    counted.refuse_unheld(all).map_err(|bad| bad.at(&jmx.name(), None))?;
    // No listing, so no missing disks to report.
    let mut listed = Fsck { root: true, ..Fsck::default() };
    listed.locations.storages = true;
    let mut inputs = Inputs {
        fsck: (jmx.name(), listed),
        report: Some((jmx.name(), dump.report())),
        topology,
        data_dirs: site.data_dirs,
    };
    let JoinedInputs { cluster, notes: joined, assumed: more, .. } =
        join::join(&sources.name, &mut inputs)?;
    assumed.extend(more);
    notes.extend(joined);
    notes.extend(assumed.iter().map(|(key, note)| format!("assumed {key}: {note}")));
    let of_node = |node: &cluster::Node| held.get(&node.address).copied().unwrap_or_default();
    let synthesis = counted.synthesis(cluster.nodes.iter().map(of_node).collect());
    notes.extend(counted.notes(&synthesis));
    let hardware = found_hardware(site.data_dirs, false, &cluster);
    let counts = counted.counts(&cluster, &synthesis);
    notes.extend(loss_note(&counts));
    Ok(Imported {
        counts,
        cluster,
        blocks: PackedBlocks::default(),
        unknown: unknown(synthesis.groups > 0),
        synthesis: Some(synthesis),
        namenode,
        hadoop,
        disks_known: false,
        finals: site.finals,
        site_names: site.site_names,
        hdfs_site: site::all(site.settings, site.others),
        assumed: assumed_keys(&hardware, &assumed),
        hardware,
        notes,
        sources: given.iter().map(|input| input.short_name()).collect(),
        date,
    })
}

fn without_racks(hadoop: Option<&str>) -> String {
    let version = hadoop.map_or(String::new(), |of| format!(" (Hadoop {of})"));
    format!("this NameNode's JMX{version} names no racks: all nodes in one; give --topology")
}

/// The number of replicas must be low enough to draw a map.
fn refuse_too_many(held: &BTreeMap<String, NodeContent>) -> Result<(), Issue> {
    let all: u64 = held.values().map(|held| held.blocks).sum();
    let found = format!("LiveNodes of NameNodeInfo: numBlocks of all nodes = {all}");
    if all > MOST { Err(no_count(&found, MOST)) } else { Ok(()) }
}

fn held(dump: &Dump) -> BTreeMap<String, NodeContent> {
    let of = |counted: &super::nodes::NodeUse| {
        let blocks = counted.node.blocks.unwrap_or(0);
        (counted.node.address.clone(), NodeContent { blocks, used: Bytes(counted.used) })
    };
    dump.nodes.iter().map(of).collect()
}

fn unknown(coded: bool) -> Vec<&'static str> {
    let more = if coded { &UNKNOWN_IF_CODED[..] } else { &[] };
    UNKNOWN.iter().chain(more).copied().collect()
}

//! The block map of an imported cluster: `NAME.blocks.parquet`.
//!
//! A row is a replica or an internal block; a block without replicas has one row with nulls. The
//! rows of a block are adjacent. Columns: `systems/hdfs/docs/trace.md`.
use crate::packed::PackedBlocks;
use cluster::{BadInput, Cluster, DiskId, NodeId, Problem};
use hdfs_scenario::BlockMap;
use hdfs_scenario::{Redundancy, Replica, ReplicaState};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;
use trace::parquet_io::{self, Column, HashingWriter, TempFile, hash_file};
use units::usize_of;

const KIND: (&str, &str) = ("tenbin.kind", "hdfs-blocks 1");
const DISKS: &str = "tenbin.disks";

/// Writes a block map atomically; returns the file's SHA-256 in hexadecimal. `disks_known`: the
/// replicas' disks are real; else [`read`] distributes them.
pub fn write(path: &Path, blocks: &BlockMap, disks_known: bool) -> io::Result<String> {
    let (draft, sha256) = draft(path, &PackedBlocks::from(blocks), disks_known)?;
    draft.keep()?;
    Ok(sha256)
}

/// As [`write`], without the final rename.
pub(crate) fn draft(
    path: &Path,
    blocks: &PackedBlocks,
    disks_known: bool,
) -> io::Result<(TempFile, String)> {
    let count = usize_of(blocks.replicas()) + blocks.without_replicas();
    let mut rows = Rows::of(blocks.pieces());
    let (temp, file) = TempFile::create(path)?;
    let about = [KIND, (DISKS, if disks_known { "known" } else { "unknown" })];
    let mut group = Vec::new();
    let next = |range: Range<usize>| {
        group.clear();
        group.extend(rows.by_ref().take(range.len()));
        columns(&group)
    };
    let sha256 =
        parquet_io::write(HashingWriter::new(file), &about, &["id"], count, next)?.finish()?;
    Ok((temp, sha256))
}

struct Row {
    id: i64,
    bytes: u64,
    redundancy: Redundancy,
    replica: Option<Replica>,
}

struct Rows<I> {
    pieces: I,
    piece: BlockMap,
    /// (block, replica) of the next row in the piece.
    next: (usize, usize),
}

impl<I: Iterator<Item = BlockMap>> Rows<I> {
    fn of(pieces: I) -> Rows<I> {
        Rows { pieces, piece: BlockMap::default(), next: (0, 0) }
    }
}

impl<I: Iterator<Item = BlockMap>> Iterator for Rows<I> {
    type Item = Row;
    fn next(&mut self) -> Option<Row> {
        while self.next.0 == self.piece.id.len() {
            (self.piece, self.next) = (self.pieces.next()?, (0, 0))
        }
        let (piece, (block, replica)) = (&self.piece, &mut self.next);
        let (at, end) = (*block, piece.first[*block + 1] as usize);
        let here = (*replica < end).then(|| piece.replica[*replica]);
        *replica += usize::from(here.is_some());
        *block += usize::from(*replica == end);
        let (id, bytes, redundancy) = (piece.id[at], piece.bytes[at], piece.redundancy[at]);
        Some(Row { id, bytes, redundancy, replica: here })
    }
}

fn columns(rows: &[Row]) -> Vec<Column> {
    let block = |name, value: fn(&Row) -> i64| Column::int(name, rows.iter().map(value));
    let replica = |name, value: fn(&Replica) -> i64| {
        Column::maybe_int(name, rows.iter().map(|row| row.replica.as_ref().map(value)))
    };
    vec![
        block("id", |row| row.id),
        block("bytes", |row| row.bytes as i64),
        block("data", |row| i64::from(units_of(row.redundancy).0)),
        block("parity", |row| i64::from(units_of(row.redundancy).1)),
        replica("node", |r| i64::from(r.node.0)),
        replica("disk", |r| i64::from(r.disk.0)),
        replica("state", |r| r.state as i64),
        replica("index", |r| i64::from(r.index)),
    ]
}

/// (data, parity); parity 0: full replicas.
fn units_of(redundancy: Redundancy) -> (u16, u16) {
    match redundancy {
        Redundancy::Replicated(n) => (n, 0),
        Redundancy::ErasureCoded { data, parity } => (u16::from(data), u16::from(parity)),
    }
}

/// Reads the block map of `cluster`. If the import has no disks, a node's replicas are distributed
/// round-robin, as by HDFS's `RoundRobinVolumeChoosingPolicy`; `disks_per_node` applies to nodes
/// whose number of disks is unknown.
///
/// # Errors
/// The file is missing or damaged, its hash differs from the import's, or it names unknown nodes or
/// disks.
pub fn read(
    path: &Path,
    sha256: &str,
    cluster: &Cluster,
    disks_per_node: u16,
) -> Result<BlockMap, BadInput> {
    let bad =
        |problem: String, expected: &str| BadInput::from(Problem::of_file(path, problem, expected));
    let expected = "the block map that `tenbin import hdfs` wrote with the cluster file";
    let mut file = File::open(path).map_err(|e| bad(format!("cannot be read ({e})"), expected))?;
    let found = hash_file(&mut file).map_err(|e| bad(format!("cannot be read ({e})"), expected))?;
    if !found.eq_ignore_ascii_case(sha256) {
        let changed = format!("has changed since the import (SHA-256 {found})");
        return Err(bad(changed, &format!("SHA-256 {sha256}")));
    }
    let mut map = BlockMap { first: vec![0], ..BlockMap::default() };
    let empty = columns(&[]);
    let about = parquet_io::read(file, &empty, |group| append(&mut map, &group))
        .map_err(|problem| bad(problem, expected))?;
    if !about.iter().any(|(k, v)| (k.as_str(), v.as_str()) == KIND) {
        return Err(bad("is not a block map".into(), expected));
    }
    let known = about.iter().any(|(k, v)| k == DISKS && v == "known");
    fit(&mut map, cluster, if known { None } else { Some(disks_per_node) }).map_err(|problem| {
        bad(problem, "the cluster file that was written with it, with its nodes not edited")
    })?;
    Ok(map)
}

fn append(map: &mut BlockMap, group: &[Column]) -> Result<(), String> {
    let [id, bytes, data, parity, node, disk, state, index] = group else {
        unreachable!("as many columns as asked for")
    };
    let mut disk = disk.maybe_ints();
    let mut state = state.maybe_ints();
    let mut index = index.maybe_ints();
    for (row, node) in node.maybe_ints().enumerate() {
        let block = id.ints()[row];
        if map.id.last() != Some(&block) {
            let redundancy = redundancy(data.ints()[row], parity.ints()[row])
                .ok_or("has a damaged redundancy")?;
            map.push(block, bytes.ints()[row].cast_unsigned(), redundancy, &[])
        }
        let (disk, state, index) = (disk.next(), state.next(), index.next());
        let Some(node) = node else { continue };
        let replica = (|| {
            let state = ReplicaState::ALL.get(usize::try_from(state??).ok()?);
            Some(Replica {
                node: NodeId(u32::try_from(node).ok()?),
                disk: DiskId(u16::try_from(disk??).ok()?),
                state: *state?,
                index: u8::try_from(index??).ok()?,
            })
        })();
        map.replica.push(replica.ok_or("has a damaged replica")?);
        *map.first.last_mut().expect("has a block") += 1
    }
    Ok(())
}

/// Inverse of [`units_of`]; `None`: invalid numbers.
fn redundancy(data: i64, parity: i64) -> Option<Redundancy> {
    Some(match u8::try_from(parity).ok()? {
        0 => Redundancy::Replicated(u16::try_from(data).ok()?),
        parity => Redundancy::ErasureCoded { data: u8::try_from(data).ok()?, parity },
    })
}

/// Checks nodes and disks; distributes replicas of unknown disks round-robin.
fn fit(map: &mut BlockMap, cluster: &Cluster, spread: Option<u16>) -> Result<(), String> {
    let mut next = vec![0u16; cluster.nodes.len()];
    for replica in &mut map.replica {
        let at = replica.node.at();
        let Some(node) = cluster.nodes.get(at) else {
            return Err(format!("names node {at}, the cluster file has {}", cluster.nodes.len()));
        };
        match spread {
            Some(disks_per_node) => {
                let disks = if node.disks == 0 { disks_per_node } else { node.disks }.max(1);
                replica.disk = DiskId(next[at] % disks);
                next[at] = (next[at] + 1) % disks
            }
            None if replica.disk.0 >= node.disks.max(1) => {
                let has = format!("the cluster file has {}", node.disks);
                return Err(format!("names disk {} of {}, {has}", replica.disk.0, node.host));
            }
            None => {}
        }
    }
    Ok(())
}

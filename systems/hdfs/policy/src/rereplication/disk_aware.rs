//! Disk-aware: reads the replica on the least busy disk.
//!
//! # What it decides
//! Source: of the holders with a free stream, the one whose disk with this block's replica has the
//! fewest copies being read or decided. Ties: the least work (`tenbin explain least-loaded`), then
//! the lowest id. If no holder has a free stream, the block waits for the one with the least busy
//! disk.
//!
//! Target: as `least-loaded`. The DataNode, not the NameNode, chooses the disk for the new replica.
//!
//! Edge rule. No copy waits for a disk: if the disks of all free holders are busy, the least busy
//! one gets one stream more. A node never leaves a stream unused because one disk is busy.
//!
//! # When it helps
//! If disks are the limit, nodes have several, and a source gets many copies at a time. Copies that
//! read one disk share its rate and make it seek while the other disks idle. Measured on nodes with
//! 4 to 12 hard disks under rounds: from 8 streams on (`max-streams`) 5 to 15 % faster than
//! `least-loaded`, more with more streams. With 16 streams and 4 disks
//! (`scenarios/policies/raised-limits.toml`): 23 s, `least-loaded` 26 s, HDFS's default 32 s.
//!
//! # What it costs
//! One counter per disk; the NameNode knows the storage of each replica. With one disk per node it
//! equals `least-loaded`. With HDFS's own limits of 2 and 4 streams it differs by chance only,
//! since few holders are free (event by event: with fewer than 16). The same holds if copies wait
//! for the network, as with SSDs behind 10 Gbit/s. O(holders) and expected O(1) draws.
//!
//! # Reference
//! Tenbin's own. The NameNode knows the storages of a block as `DatanodeStorageInfo` (Apache Hadoop
//! 3.4 `BlockInfo.getStorageInfo`), but its choice of a source does not use them.
//! (Apache Hadoop 3.4 `BlockInfo.getStorageInfo`), which its choice of a source does not use.
use super::least_loaded::{record_copy, source, source_load, target};
use super::{Copy, LostBlock, Memory, Refused, Rereplication};
use crate::doc::own_doc;
use crate::{Dice, View};

#[derive(Clone, Copy, Debug)]
pub struct DiskAware;

impl Rereplication for DiskAware {
    fn name(&self) -> &'static str {
        "disk-aware"
    }
    fn doc(&self) -> &'static str {
        own_doc!("disk_aware.rs")
    }
    fn repair(
        &self,
        lost: &LostBlock<'_>,
        view: View<'_>,
        memory: &mut Memory,
        dice: &mut dyn Dice,
    ) -> Result<Copy, Refused> {
        let source = source(lost, |s| (s.disk_streams, source_load(s.node, view, memory)))?;
        let target = target(source, lost, view, dice)?;
        Ok(record_copy(source, target, memory))
    }
}

//! Disk-aware: the replica on the quietest disk is the one that is read.
//!
//! # What it decides
//! Source: of the holders with a free stream the one whose disk, the one with this block's replica,
//! has the fewest copies being read from it or decided to be; of equal ones the one with the least
//! work (`tenbin explain least-loaded`), then the lowest id. Is none free, the block waits for the
//! one with the quietest disk.
//!
//! Target: as `least-loaded`. The DataNode, not the NameNode, says which of its disks takes the
//! replica, so there is no disk to choose.
//!
//! Edge rule. No disk is waited for: where all free holders' disks are busy, the quietest one gets
//! one stream more. A node never leaves a stream unused because one disk is busy.
//!
//! # When it helps
//! Where disks are the limit, a node has several, and a source is given many copies at a time:
//! those that read the same disk share its rate (and seek between each other) while the disks
//! next to it idle. Seen on nodes of 4 to 12 hard disks under rounds: from 8 streams on
//! (`max-streams`) 5 to 15 % faster than `least-loaded`, more with more streams; with 16 streams
//! and 4 disks (`scenarios/policies/raised-limits.toml`) 23 s, where `least-loaded` takes 26 and
//! HDFS's default 32.
//!
//! # What it costs
//! One counter a disk, kept by the NameNode, which knows the storage of each replica. With one disk
//! a node it is `least-loaded`, and with HDFS's own limits of 2 and 4 streams it differs by
//! chance only (and so event by event with fewer than 16): a holder is so rarely free that there is
//! little to choose. The same where copies wait for the network, as with SSDs behind 10 Gbit/s.
//! O(holders) and expected O(1) draws.
//!
//! # Reference
//! This program's own; the storages of a block are known to the NameNode as `DatanodeStorageInfo`
//! (Apache Hadoop 3.4 `BlockInfo.getStorageInfo`), which its choice of a source does not use.
use super::least_loaded::{decided, source, target, work};
use super::{Copy, LostBlock, Memory, Refused, Rereplication};
use crate::doc::own_doc;
use crate::{Dice, View};

/// See the module's doc.
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
        let source = source(lost, |s| (s.disk_streams, work(s.node, view, memory)))?;
        let target = target(source, lost, view, dice)?;
        Ok(decided(source, target, memory))
    }
}

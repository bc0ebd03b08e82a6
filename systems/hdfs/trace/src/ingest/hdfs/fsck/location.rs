//! Parses replica locations: the list in brackets at the end of a block's line.
use super::scan::Scan;
use cluster::{Admin, DiskId, NodeId};
use hdfs_scenario::{Replica, ReplicaState};
use import::Issue;
use std::collections::BTreeMap;
use units::u32_of;

pub(in super::super) struct SeenNode {
    pub(in super::super) address: String,
    /// `None` without `-racks`.
    pub(in super::super) rack: Option<String>,
    /// Storage ids in order of appearance.
    pub(in super::super) storages: Vec<String>,
    /// Line of the first replica.
    pub(in super::super) line: u64,
    pub(in super::super) replicas: u64,
    pub(in super::super) bytes: u64,
    /// Admin state from the last replica whose state shows it.
    pub(in super::super) admin: Option<Admin>,
}

impl SeenNode {
    fn new(address: String, line: u64) -> SeenNode {
        let (storages, replicas, bytes) = (Vec::new(), 0, 0);
        SeenNode { address, rack: None, storages, line, replicas, bytes, admin: None }
    }

    pub(in super::super) fn disks(&self) -> u16 {
        u16::try_from(self.storages.len()).expect("one more is an error where it is met")
    }
}

#[expect(clippy::disallowed_types, reason = "only looked up, so its order does not matter")]
type Places = std::collections::HashMap<Box<[u8]>, (NodeId, DiskId)>;

/// Nodes and storages so far, numbered in order of appearance.
#[derive(Default)]
pub(in super::super) struct Locations {
    pub(in super::super) nodes: Vec<SeenNode>,
    by_address: BTreeMap<String, NodeId>,
    /// Keyed by the raw text of the list, so that most replicas need one look-up.
    by_text: Places,
    /// Replicas on storage types other than DISK.
    pub(in super::super) other_types: u64,
    /// At least one list has states: `(LIVE)`.
    pub(in super::super) states: bool,
    /// At least one list has storage ids.
    pub(in super::super) storages: bool,
}

impl Locations {
    /// Reads `[a, b]` into `out`. `group`: id of the block, to compute the index of internal
    /// blocks.
    pub(super) fn read(
        &mut self,
        list: &mut Scan<'_>,
        group: i64,
        line: u64,
        out: &mut Vec<Replica>,
    ) -> Result<(), Issue> {
        list.need("[")?;
        while !list.eat(b"]") {
            if !out.is_empty() {
                list.need(", ")?
            }
            let index = if list.eat(b"blk_") { internal(list, group)? } else { 0 };
            let (node, disk) = self.place(list, line)?;
            let mut state = ReplicaState::Live;
            while list.eat(b"(") {
                let inside = list.until(b')').ok_or_else(|| list.endless("`)`"))?;
                if !inside.starts_with(b"ud=") {
                    state = replica_state(inside)?;
                    self.states = true
                }
            }
            out.push(Replica { node, disk, state, index });
        }
        Ok(())
    }
    /// Adds a block's replicas to the counts of their nodes.
    pub(super) fn hold(&mut self, replicas: &[Replica], bytes: u64) {
        for replica in replicas {
            let node = &mut self.nodes[replica.node.at()];
            node.replicas += 1;
            node.bytes = node.bytes.saturating_add(bytes);
            node.admin = admin_of(replica.state).or(node.admin)
        }
    }
    /// Parses `DatanodeInfoWithStorage[ip:port,DS-..,DISK]`, `/rack/ip:port` or `ip:port`.
    fn place(&mut self, list: &mut Scan<'_>, line: u64) -> Result<(NodeId, DiskId), Issue> {
        let stored = list.eat(b"DatanodeInfoWithStorage[");
        let text = if stored {
            list.until(b']').ok_or_else(|| list.endless("`]` after the storage type"))?
        } else {
            let end = memchr::memchr3(b',', b']', b'(', list.rest);
            let end = end.ok_or_else(|| list.endless("`]` at the end of the list"))?;
            let text = &list.rest[..end];
            list.rest = &list.rest[end..];
            text
        };
        if stored && !text.ends_with(b",DISK") {
            self.other_types += 1
        }
        match self.by_text.get(text) {
            Some(known) => Ok(*known),
            None => self.meet(text, stored, line),
        }
    }
    /// Registers a location at its first replica.
    #[cold]
    fn meet(&mut self, text: &[u8], stored: bool, line: u64) -> Result<(NodeId, DiskId), Issue> {
        let scan = Scan::new(text);
        let ascii =
            |b: &[u8]| String::from_utf8(b.into()).map_err(|_| scan.expected("UTF-8".into()));
        let (node, disk) = if stored {
            let mut parts = text.split(|b| *b == b',');
            let what = "`ip:port,storage id,storage type`";
            let (Some(address), Some(storage), Some(_type), None) =
                (parts.next(), parts.next(), parts.next(), parts.next())
            else {
                return Err(scan.expected(what.into()));
            };
            let node = self.node(ascii(address)?, None, line)?;
            (node, self.disk(node, ascii(storage)?)?)
        } else {
            let slash = memchr::memrchr(b'/', text);
            let rack = slash.map(|at| ascii(&text[..at])).transpose()?;
            let address = ascii(&text[slash.map_or(0, |at| at + 1)..])?;
            (self.node(address, rack.filter(|r| !r.is_empty()), line)?, DiskId(0))
        };
        self.by_text.insert(text.into(), (node, disk));
        Ok((node, disk))
    }
    fn node(&mut self, address: String, rack: Option<String>, line: u64) -> Result<NodeId, Issue> {
        let port = address.rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok());
        if port.is_none() {
            return Err(Scan::new(address.as_bytes()).expected("`ip:port`".into()));
        }
        let nodes = &mut self.nodes;
        let node = *self.by_address.entry(address).or_insert_with_key(|address| {
            nodes.push(SeenNode::new(address.clone(), line));
            NodeId(u32_of(nodes.len()) - 1)
        });
        let seen = &mut nodes[node.at()];
        if seen.rack.is_none() {
            seen.rack = rack
        }
        Ok(node)
    }
    fn disk(&mut self, node: NodeId, storage: String) -> Result<DiskId, Issue> {
        self.storages = true;
        let storages = &mut self.nodes[node.at()].storages;
        let known = storages.iter().position(|s| *s == storage);
        let at = known.unwrap_or(storages.len());
        // The number of storages must fit, too.
        let disk = u16::try_from(at).ok().filter(|disk| *disk < u16::MAX).ok_or_else(|| {
            Scan::new(storage.as_bytes()).expected("at most 65535 storages in a node".into())
        })?;
        if known.is_none() {
            storages.push(storage)
        }
        Ok(DiskId(disk))
    }
}

/// Index from `-9223372036854775791:`: the internal block's id − the group's id.
fn internal(list: &mut Scan<'_>, group: i64) -> Result<u8, Issue> {
    let before = *list;
    let index = list.block_id()?.checked_sub(group).and_then(|i| u8::try_from(i).ok());
    list.need(":")?;
    index.ok_or_else(|| before.expected("an internal block of this group".into()))
}

/// States of `NamenodeFsck` with `-replicaDetails`.
fn replica_state(text: &[u8]) -> Result<ReplicaState, Issue> {
    Ok(match text {
        b"LIVE" => ReplicaState::Live,
        b"CORRUPT" => ReplicaState::Corrupt,
        b"EXCESS" => ReplicaState::Excess,
        b"STALE_NODE" | b"STALE_BLOCK_CONTENT" => ReplicaState::Stale,
        b"DECOMMISSIONING" => ReplicaState::Decommissioning,
        b"DECOMMISSIONED" => ReplicaState::Decommissioned,
        b"ENTERING MAINTENANCE" => ReplicaState::EnteringMaintenance,
        b"IN MAINTENANCE" => ReplicaState::InMaintenance,
        _ => {
            let known = "LIVE, CORRUPT, EXCESS, STALE_NODE, STALE_BLOCK_CONTENT, DECOMMISSIONING, \
                         DECOMMISSIONED, ENTERING MAINTENANCE or IN MAINTENANCE";
            return Err(Scan::new(text).expected(known.into()));
        }
    })
}

fn admin_of(state: ReplicaState) -> Option<Admin> {
    match state {
        ReplicaState::Decommissioning => Some(Admin::Decommissioning),
        ReplicaState::Decommissioned => Some(Admin::Decommissioned),
        ReplicaState::EnteringMaintenance => Some(Admin::EnteringMaintenance),
        ReplicaState::InMaintenance => Some(Admin::InMaintenance),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_storages_as_a_disks_number_has_room_for() {
        let mut seen = Locations::default();
        let mut node = SeenNode::new("10.0.0.2:9866".into(), 1);
        node.storages = (1..u16::MAX).map(|n| format!("DS-{n}")).collect();
        seen.nodes.push(node);
        assert_eq!(seen.disk(NodeId(0), "DS-65535".into()).ok(), Some(DiskId(65_534)));
        assert_eq!(seen.nodes[0].disks(), 65_535);
        let error = seen.disk(NodeId(0), "DS-65536".into()).expect_err("one too many");
        let error = error.at("fsck.txt", Some(7)).to_string();
        assert!(error.contains("fsck.txt:7: `DS-65536`; expected at most 65535"), "{error}");
        assert_eq!(seen.nodes[0].disks(), 65_535, "it is not kept");
        assert_eq!(seen.disk(NodeId(0), "DS-1".into()).ok(), Some(DiskId(0)))
    }
}

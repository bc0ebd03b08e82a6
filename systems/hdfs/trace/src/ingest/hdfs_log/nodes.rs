//! DataNodes that the logs name.
use std::collections::{BTreeMap, BTreeSet};
use units::u32_of;

#[derive(Clone, Default, Debug)]
pub(super) struct LogNode {
    pub(super) address: String,
    pub(super) host: Option<String>,
    pub(super) rack: Option<String>,
    uuid: Option<String>,
    /// Storage ids: the NameNode keeps one list of replicas per storage.
    pub(super) storages: BTreeSet<String>,
    /// Time of its last activity; time of its stop.
    pub(super) last_activity: Option<i64>,
    pub(super) stopped: Option<i64>,
    pub(super) dead: Option<i64>,
}

/// In the order of their first lines.
#[derive(Default)]
pub(super) struct Nodes {
    pub(super) all: Vec<LogNode>,
    by_address: BTreeMap<String, u32>,
    /// (host:port, time) of stopped nodes whose address is not yet known.
    stopped: Vec<(String, i64)>,
}

impl Nodes {
    pub(super) fn id(&mut self, address: &str) -> u32 {
        if let Some(id) = self.by_address.get(address) {
            return *id;
        }
        let id = u32_of(self.all.len());
        self.by_address.insert(address.into(), id);
        self.all.push(LogNode { address: address.into(), ..LogNode::default() });
        id
    }
    pub(super) fn ids(&mut self, addresses: &[&str]) -> Vec<u32> {
        addresses.iter().map(|address| self.id(address)).collect()
    }
    /// True if the address is unknown and a prefix of a known one.
    pub(super) fn is_prefix(&self, address: &str) -> bool {
        let next = self.by_address.range(address.to_string()..).next();
        next.is_some_and(|(known, _)| known != address && known.starts_with(address))
    }
    pub(super) fn is_new(&self, id: u32) -> bool {
        let node = &self.all[id as usize];
        node.uuid.is_some() || node.rack.is_some()
    }
    pub(super) fn record_activity(&mut self, id: u32, at: i64) {
        self.all[id as usize].last_activity = Some(at)
    }
    pub(super) fn place(&mut self, id: u32, rack: &str) {
        self.all[id as usize].rack = Some(rack.into())
    }
    pub(super) fn store(&mut self, id: u32, storage: &str) {
        self.all[id as usize].storages.insert(storage.into());
    }
    pub(super) fn register(&mut self, id: u32, uuid: &str) {
        self.all[id as usize].uuid = Some(uuid.into())
    }
    pub(super) fn by_uuid(&self, uuid: &str) -> Option<u32> {
        let at = self.all.iter().position(|node| node.uuid.as_deref() == Some(uuid))?;
        Some(u32_of(at))
    }
    /// Sets the host from the node's own log; `at` is `host:port`.
    pub(super) fn name(&mut self, id: u32, at: &str) {
        let node = &mut self.all[id as usize];
        if node.host.is_none() {
            node.host = at.rsplit_once(':').map(|(host, _)| host.to_string())
        }
    }
    pub(super) fn stop(&mut self, name: &str, at: i64) {
        self.stopped.push((name.into(), at))
    }
    /// Marks the node as dead. A stopped node is the same if its address matches, or its unique
    /// port.
    pub(super) fn mark_dead(&mut self, id: u32, at: i64) {
        let address = self.all[id as usize].address.clone();
        let port = |name: &str| name.rsplit_once(':').map(|(_, port)| port.to_string());
        let unique = |port: &Option<String>| {
            self.all.iter().filter(|n| port_of(&n.address) == *port).count() == 1
        };
        let fits =
            |name: &str| name == address || port(name) == port(&address) && unique(&port(name));
        let stopped = self.stopped.iter().rev().find(|(name, when)| *when <= at && fits(name));
        let stopped = stopped.cloned();
        let node = &mut self.all[id as usize];
        node.dead = Some(at);
        if let Some((name, when)) = stopped {
            node.stopped = Some(when);
            node.host = node.host.take().or(name.rsplit_once(':').map(|(host, _)| host.into()))
        }
    }
}

fn port_of(address: &str) -> Option<String> {
    address.rsplit_once(':').map(|(_, port)| port.to_string())
}

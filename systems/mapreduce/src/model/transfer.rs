//! Starts reads and writes: with page caches, and with readers apart from writers.
use super::flow::{Flow, Purpose};
use super::machine::{Kind, nothing};
use super::streams::{Access, capacity};
use super::tracker::Tracker;
use engine::*;
use hardware::{FlowId, FlowSpec, Path, ResourceId};
use units::Bytes;

/// Part of the page cache that may wait for the disks before writers do (Linux, vm.dirty_ratio).
const DIRTY: u64 = 5;

impl Tracker {
    /// Starts a flow. Its rate is computed at the end of the current event.
    pub(super) fn start(
        &mut self,
        path: Path,
        bytes: Bytes,
        access: Access,
        purpose: Purpose,
        now: Nanos,
    ) {
        let weight = self.weight(access);
        let id = self.fluid.start(now, FlowSpec { weight, ..FlowSpec::new(path, bytes) });
        self.flows.insert(id, Flow::new(purpose, now));
        self.stream_starts(id, access, path, now);
        self.pass_cache(&path, bytes)
    }

    /// Writes to a disk; false if the page cache does so later.
    pub(super) fn write(&mut self, path: Path, bytes: u64, purpose: Purpose, now: Nanos) -> bool {
        let later = self.write_back(&path, bytes, now);
        if !later {
            self.start(path, self.settings.written(bytes), Access::WRITE, purpose, now)
        }
        !later
    }

    /// Adds the bytes of a new flow to the caches of all nodes whose disks it uses.
    fn pass_cache(&mut self, path: &Path, bytes: Bytes) {
        if self.settings.page_cache.is_none() {
            return;
        }
        for resource in path.iter() {
            if let Kind::Disk { node, .. } = self.settings.resources.kinds[resource.at()] {
                self.cache.pass(node, bytes.0)
            }
        }
    }

    pub(super) fn position(&self, node: u32) -> u64 {
        self.cache.position(node)
    }

    /// Writes `bytes` to a disk on each of the path's nodes after the task has gone on; false if a
    /// node has no memory left for it, or no page cache.
    pub(super) fn write_back(&mut self, path: &Path, bytes: u64, now: Nanos) -> bool {
        let settings = Shared::clone(&self.settings);
        let Some(cache) = settings.page_cache.as_ref() else { return false };
        let disk = |resource: &ResourceId| match settings.resources.kinds[resource.at()] {
            Kind::Disk { node, .. } => Some((node, *resource)),
            _ => None,
        };
        let disks: Vec<(u32, ResourceId)> = path.iter().filter_map(disk).collect();
        let fits = |(node, _): &(u32, ResourceId)| {
            self.cache.dirty(*node) + bytes <= cache[*node as usize] / DIRTY
        };
        if !disks.iter().all(fits) {
            return false;
        }
        for (node, disk) in disks {
            self.cache.add_dirty(node, bytes);
            let purpose = Purpose::WriteBack { node, bytes };
            let written = settings.written(bytes);
            self.start(nothing().via(disk), written, Access::WRITE, purpose, now)
        }
        true
    }

    /// Part in memory of what a node has written since its cache's position was `since`.
    fn cached_since(&self, node: u32, since: u64) -> f64 {
        let Some(cache) = self.settings.page_cache.as_ref() else { return self.settings.cached };
        let passed = self.position(node).saturating_sub(since).max(1);
        (cache[node as usize] as f64 / passed as f64).min(1.0)
    }

    /// As [`Self::cached_since`], of a file that was complete at position `at`.
    pub(super) fn cached_at(&self, node: u32, at: u64) -> f64 {
        let Some(cache) = self.settings.page_cache.as_ref() else { return self.settings.cached };
        f64::from(u8::from(self.position(node).saturating_sub(at) <= cache[node as usize]))
    }

    /// Notes the position of the node's page cache at an attempt's first write.
    pub(super) fn begins_to_write(&mut self, attempt: u32, node: u32) {
        let at = self.position(node);
        self.running.update(&attempt, |running| running.wrote_at = running.wrote_at.min(at));
    }

    /// Part in memory of what an attempt has written.
    pub(super) fn cached_of(&self, attempt: u32, node: u32) -> f64 {
        let since = self.running.get(&attempt).map_or(u64::MAX, |running| running.wrote_at);
        self.cached_since(node, since)
    }

    /// Ratio to a reader's rate at a common disk, where all streams get the same time.
    fn weight(&self, access: Access) -> f64 {
        let Some([readers, writers]) = self.settings.resources.access else { return 1.0 };
        access.share() + (1.0 - access.share()) * writers.at(2) / readers.at(2)
    }

    fn stream_starts(&mut self, id: FlowId, access: Access, path: Path, now: Nanos) {
        if self.settings.resources.access.is_some() {
            self.streams.of_flow.insert(id, (access, path));
            self.set_streams(path, now, |(streams, reads)| (streams + 1, reads + access.0))
        }
    }

    pub(super) fn stream_ends(&mut self, id: FlowId, now: Nanos) {
        if let Some((access, path)) = self.streams.of_flow.remove(&id) {
            self.set_streams(path, now, |(streams, reads)| (streams - 1, reads - access.0))
        }
    }

    fn set_streams(&mut self, path: Path, now: Nanos, then: impl Fn((u32, u32)) -> (u32, u32)) {
        let settings = Shared::clone(&self.settings);
        let Some([readers, writers]) = settings.resources.access else { return };
        for resource in path.iter() {
            if let Kind::Disk { .. } = settings.resources.kinds[resource.at()] {
                let before = self.streams.on_disk.remove(&resource.0).unwrap_or((0, 0));
                let (streams, reads) = then(before);
                if streams > 0 {
                    self.streams.on_disk.insert(resource.0, (streams, reads));
                }
                let now_has = capacity(readers, writers, streams, reads);
                self.fluid.set_capacity(now, *resource, now_has)
            }
        }
    }
}

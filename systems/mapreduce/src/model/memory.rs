//! Page caches of nodes: what was read or written last is in memory, and writes wait there for the
//! disks.
use super::unless_empty::UnlessEmpty;
use engine::*;

/// By node: bytes that its disks have read and written so far, `cluster.memory_gb` given. This is
/// a position: what passed less than the cache's size ago is in memory.
#[derive(Default, Rewind)]
pub(super) struct PageCache {
    passed: UnlessEmpty<u32, u64>,
    /// By node: bytes that tasks have written and disks have not.
    dirty: UnlessEmpty<u32, u64>,
}

impl PageCache {
    pub(super) fn position(&self, node: u32) -> u64 {
        self.passed.get(&node).copied().unwrap_or(0)
    }

    pub(super) fn pass(&mut self, node: u32, bytes: u64) {
        let then = self.position(node) + bytes;
        set(&mut self.passed, node, then)
    }

    pub(super) fn dirty(&self, node: u32) -> u64 {
        self.dirty.get(&node).copied().unwrap_or(0)
    }

    pub(super) fn add_dirty(&mut self, node: u32, bytes: u64) {
        let then = self.dirty(node) + bytes;
        set(&mut self.dirty, node, then)
    }

    pub(super) fn is_written_back(&mut self, node: u32, bytes: u64) {
        let then = self.dirty(node) - bytes;
        set(&mut self.dirty, node, then)
    }
}

fn set(table: &mut UnlessEmpty<u32, u64>, node: u32, bytes: u64) {
    table.discard(&node);
    if bytes > 0 {
        table.insert(node, bytes);
    }
}

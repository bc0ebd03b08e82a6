//! A node's status.
use super::Node;
use super::refusal::Answer;
use crate::transport::Transport;
use crate::wire::{Message, NodeStatus};

/// Unreadable files named in a status.
const MOST_NAMED: usize = 100;

impl<T: Transport> Node<T> {
    pub(super) fn status(&mut self) -> Answer {
        let pending = self.transport.take_refused();
        self.refused.join(pending);
        let (damaged, traffic) = (self.store.damaged(), self.transport.traffic());
        let (disk_free, disk_total) = self.store.room().unwrap_or_default();
        let small = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let status = NodeStatus {
            member: self.store.member(),
            versions: self.store.count() as u64,
            unreadable: damaged.len() as u64,
            unreadable_files: damaged.iter().take(MOST_NAMED).cloned().collect(),
            disk_free,
            disk_total,
            rings: self.transport.registered() as u64,
            most_rings: self.limits.memory as u64,
            writers: small(self.sessions.len()),
            most_writers: small(self.limits.sessions),
            waiting: small(self.queue.len()),
            readers: small(self.reads.len()),
            connections: small(traffic.connections),
            unidentified: small(traffic.waiting),
            refused: self.refusals + self.refused.count(),
            operator: self.running(),
        };
        Ok(Some(Message::Status { status }))
    }
}

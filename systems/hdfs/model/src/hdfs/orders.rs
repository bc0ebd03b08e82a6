//! Copy orders, and each target's part of them.
use cluster::{BlockIndex, DiskId, NodeId};
use engine::Scalar;
use hardware::Path;
use units::Bytes;

/// Number of one new replica.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct CopyId(pub u32);

impl CopyId {
    /// Numbers from here on are the balancer's moves; the upper half are client streams.
    pub const MOVES: CopyId = CopyId(0x4000_0000);

    pub fn is_move(self) -> bool {
        (CopyId::MOVES.0..0x8000_0000).contains(&self.0)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub enum Purpose {
    /// A block lacks replicas (`DataNode.DataTransfer`).
    Replicate,
    Read,
    Write,
    /// The balancer moves a replica (`DataXceiver.replaceBlock`).
    Move,
    /// An internal block goes to the node that rebuilds others (`StripedReader`).
    Part,
    /// A rebuilt internal block leaves that node's memory (`StripedWriter`).
    Rebuilt,
}

impl Purpose {
    /// A client's read or write.
    pub fn is_foreground(self) -> bool {
        matches!(self, Purpose::Read | Purpose::Write)
    }

    /// Whether the bytes come from the source's disk, not its memory.
    pub fn reads_disk(self) -> bool {
        !matches!(self, Purpose::Write | Purpose::Rebuilt)
    }

    pub fn writes_disk(self) -> bool {
        !matches!(self, Purpose::Read | Purpose::Part)
    }

    /// Whether it belongs to a task that rebuilds internal blocks.
    pub fn is_of_task(self) -> bool {
        matches!(self, Purpose::Part | Purpose::Rebuilt)
    }
}

/// A block on its way from a source to its targets (`BlockTargetPair`, `DataNode.DataTransfer`).
///
/// The source sends to the first target, and each target forwards what it writes. With any number
/// of targets it is one order at its source and one stream of bytes. 48 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Order {
    /// The copy on the first target, and the order's number; further targets have the next numbers.
    pub first: CopyId,
    /// `u32::MAX` for a client's write.
    pub block: BlockIndex,
    pub purpose: Purpose,
    /// Index of the internal block in a group, else 0.
    pub index: u8,
    pub bytes: Bytes,
    /// First order of its task (blocks rebuilt from the same parts), else its own number.
    pub task: CopyId,
    pub source: NodeId,
    source_disk: DiskId,
    targets: [NodeId; Order::MOST_TARGETS],
    /// Disks written to; invalid until the targets have chosen them.
    disks: [DiskId; Order::MOST_TARGETS],
    len: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Leg {
    pub copy: CopyId,
    pub block: BlockIndex,
    /// Index of the internal block in a group, else 0.
    pub index: u8,
    pub purpose: Purpose,
    pub bytes: Bytes,
    /// The source, or the target before.
    pub sender: NodeId,
    /// `None` if the data comes from the sender's memory, as at a target that forwards.
    pub source_disk: Option<DiskId>,
    pub target: NodeId,
    /// Invalid until the target has chosen one, or if it writes to none.
    pub target_disk: DiskId,
}

impl Leg {
    pub fn written_to(&self) -> Option<DiskId> {
        self.purpose.writes_disk().then_some(self.target_disk)
    }
}

impl Order {
    /// HDFS has no limit; a block that lacks more copies gets the others in its next turn.
    pub const MOST_TARGETS: usize = Path::MOST_TARGETS;

    /// `to` in the order of the pipeline.
    ///
    /// # Panics
    /// If `to` is empty or longer than [`Order::MOST_TARGETS`].
    pub fn new(
        purpose: Purpose,
        first: CopyId,
        what: (BlockIndex, Bytes),
        from: (NodeId, DiskId),
        to: &[NodeId],
    ) -> Order {
        assert!(!to.is_empty(), "an order has a target");
        let mut targets = [NodeId(u32::MAX); Order::MOST_TARGETS];
        targets[..to.len()].copy_from_slice(to);
        let disks = [DiskId(0); Order::MOST_TARGETS];
        let ((block, bytes), (source, source_disk)) = (what, from);
        let (len, index, task) = (units::narrow::<u8>(to.len()), 0, first);
        Order {
            first,
            block,
            purpose,
            index,
            bytes,
            task,
            source,
            source_disk,
            targets,
            disks,
            len,
        }
    }

    pub fn with_index(self, index: u8) -> Order {
        Order { index, ..self }
    }

    /// `task`: the first order of the task.
    pub fn in_task(self, task: CopyId) -> Order {
        Order { task, ..self }
    }

    /// A move: `from`, a holder, sends a replica to `to`, which replaces the one at `replaced_node`
    /// (`proxySource`).
    pub fn moves(
        first: CopyId,
        what: (BlockIndex, Bytes),
        from: (NodeId, DiskId),
        to: NodeId,
        instead_of: NodeId,
    ) -> Order {
        let mut order = Order::new(Purpose::Move, first, what, from, &[to]);
        // A move has one target, so the slot of the second holds the hint.
        order.targets[1] = instead_of;
        order
    }

    /// The node that loses its replica; `None` if it is no move (`delHint`).
    pub fn replaced_node(&self) -> Option<NodeId> {
        (self.purpose == Purpose::Move).then_some(self.targets[1])
    }

    /// `None` if it reads from the source's memory.
    pub fn source_disk(&self) -> Option<DiskId> {
        self.purpose.reads_disk().then_some(self.source_disk)
    }

    pub fn targets(&self) -> &[NodeId] {
        &self.targets[..self.len as usize]
    }

    /// Targets with the disks that they write to; `None`: no disk.
    pub fn places(&self) -> impl Iterator<Item = (NodeId, Option<DiskId>)> {
        let writes = self.purpose.writes_disk();
        let disks = self.disks.into_iter().map(move |disk| writes.then_some(disk));
        self.targets().iter().copied().zip(disks)
    }

    pub fn legs(&self) -> impl Iterator<Item = Leg> {
        (0..self.len as usize).map(|at| self.leg(at))
    }

    pub fn copies(&self) -> impl Iterator<Item = CopyId> {
        (self.first.0..).take(self.len as usize).map(CopyId)
    }

    pub fn leg_to(&self, target: NodeId) -> Leg {
        self.leg(self.place_of(target))
    }

    /// The target after this one.
    pub fn next_target(&self, target: NodeId) -> Option<NodeId> {
        self.targets().get(self.place_of(target) + 1).copied()
    }

    pub fn previous_node(&self, target: NodeId) -> Option<NodeId> {
        self.place_of(target).checked_sub(1).map(|at| self.targets[at])
    }

    pub fn involves(&self, node: NodeId) -> bool {
        self.source == node || self.targets().contains(&node)
    }

    pub fn uses(&self, node: NodeId, disk: DiskId) -> bool {
        let read = (self.source, self.source_disk()) == (node, Some(disk));
        read || self.places().any(|place| place == (node, Some(disk)))
    }

    pub fn write_to(&mut self, target: NodeId, disk: DiskId) {
        self.disks[self.place_of(target)] = disk
    }

    fn place_of(&self, target: NodeId) -> usize {
        let place = self.targets().iter().position(|&node| node == target);
        place.unwrap_or_else(|| panic!("{target:?} is no target of {self:?}"))
    }

    fn leg(&self, at: usize) -> Leg {
        Leg {
            copy: CopyId(self.first.0 + units::u32_of(at)),
            block: self.block,
            index: self.index,
            purpose: self.purpose,
            bytes: self.bytes,
            sender: if at == 0 { self.source } else { self.targets[at - 1] },
            source_disk: self.source_disk().filter(|_| at == 0),
            target: self.targets[at],
            target_disk: self.disks[at],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_target_sends_on_to_the_next() {
        let from = (NodeId(7), DiskId(2));
        let (what, to) = ((BlockIndex(0), Bytes(1)), [NodeId(3), NodeId(4)]);
        let mut order = Order::new(Purpose::Replicate, CopyId(5), what, from, &to);
        order.write_to(NodeId(4), DiskId(1));
        let drawn: Vec<_> = order.legs().map(|l| (l.copy.0, l.sender.0, l.target.0)).collect();
        assert_eq!(drawn, [(5, 7, 3), (6, 3, 4)]);
        let disks: Vec<_> = order.legs().map(|l| (l.source_disk, l.target_disk)).collect();
        assert_eq!(disks, [(Some(DiskId(2)), DiskId(0)), (None, DiskId(1))]);
        assert_eq!(
            (order.next_target(NodeId(3)), order.next_target(NodeId(4))),
            (Some(NodeId(4)), None)
        );
        assert_eq!(
            (order.previous_node(NodeId(3)), order.previous_node(NodeId(4))),
            (None, Some(NodeId(3)))
        );
    }
}

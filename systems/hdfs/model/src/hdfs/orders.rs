//! What a source is told to send, and each target's part of it.
use cluster::{BlockIndex, DiskId, NodeId};
use engine::Scalar;
use hardware::Path;
use units::Bytes;

/// One replica to be made: its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct CopyId(pub u32);

impl CopyId {
    /// The balancer's moves have numbers from here on, clients' streams the upper half.
    pub const MOVES: CopyId = CopyId(0x4000_0000);

    pub fn is_move(self) -> bool {
        (CopyId::MOVES.0..0x8000_0000).contains(&self.0)
    }
}

/// Why bytes are moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub enum Purpose {
    /// A block lacks replicas (`DataNode.DataTransfer`).
    Replicate,
    Read,
    Write,
    /// The balancer moves a replica (`DataXceiver.replaceBlock`).
    Move,
    /// An internal block of a group goes to the node that rebuilds others (`StripedReader`).
    Part,
    /// A rebuilt internal block leaves that node's memory (`StripedWriter`).
    Rebuilt,
}

impl Purpose {
    /// A client's, and not the NameNode's.
    pub fn is_foreground(self) -> bool {
        matches!(self, Purpose::Read | Purpose::Write)
    }

    /// Whether the bytes come from a disk, and not out of the source's memory.
    pub fn reads_disk(self) -> bool {
        !matches!(self, Purpose::Write | Purpose::Rebuilt)
    }

    /// Whether the targets write them to their disks.
    pub fn writes_disk(self) -> bool {
        !matches!(self, Purpose::Read | Purpose::Part)
    }

    /// One of the flows that rebuild internal blocks together.
    pub fn is_of_task(self) -> bool {
        matches!(self, Purpose::Part | Purpose::Rebuilt)
    }
}

/// A block on its way from a source to its targets (`BlockTargetPair`, `DataNode.DataTransfer`).
///
/// The source sends to the first, which sends on to the next what it writes. However many targets,
/// it is one order at its source and one stream of bytes. 48 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Order {
    /// The copy on the first target, and the order's own number; further targets' copies have the
    /// next ones.
    pub first: CopyId,
    /// What is copied; of what a client writes nobody knows a number.
    pub block: BlockIndex,
    pub purpose: Purpose,
    /// Of a group: the index of the internal block; else 0.
    pub index: u8,
    pub bytes: Bytes,
    /// The number of the first order of its task: what is rebuilt from the same parts together;
    /// else its own.
    pub task: CopyId,
    pub source: NodeId,
    source_disk: DiskId,
    targets: [NodeId; Order::MOST_TARGETS],
    /// Disks written to; meaningless until the targets have chosen them.
    disks: [DiskId; Order::MOST_TARGETS],
    len: u8,
}

/// A target's part of an order: one copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Leg {
    pub copy: CopyId,
    pub block: BlockIndex,
    /// Of a group: the index of the internal block; else 0.
    pub index: u8,
    pub purpose: Purpose,
    pub bytes: Bytes,
    /// Whoever sends it to the target: the source, or the target before.
    pub sender: NodeId,
    /// The disk it is read from; `None` where it comes out of the sender's memory, as at a target
    /// that sends on what it receives.
    pub source_disk: Option<DiskId>,
    pub target: NodeId,
    /// The disk it is written to; meaningless until the target has chosen one, and where none is
    /// written to.
    pub target_disk: DiskId,
}

impl Leg {
    /// The disk it is written to, if it is.
    pub fn written_to(&self) -> Option<DiskId> {
        self.purpose.writes_disk().then_some(self.target_disk)
    }
}

impl Order {
    /// HDFS knows no limit; a block that lacks more copies gets the others in its next turn.
    pub const MOST_TARGETS: usize = Path::MOST_TARGETS;

    /// Of `targets` in the order of the pipeline.
    ///
    /// # Panics
    /// No target, or more than [`Order::MOST_TARGETS`].
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

    /// It is about this internal block of a group.
    pub fn of_internal(self, index: u8) -> Order {
        Order { index, ..self }
    }

    /// It belongs to a task, which is named after its first order.
    pub fn in_task(self, task: CopyId) -> Order {
        Order { task, ..self }
    }

    /// A replica goes to `to` in place of the one at `instead_of`; `from` holds one, too, and
    /// sends it (`proxySource`).
    pub fn moves(
        first: CopyId,
        what: (BlockIndex, Bytes),
        from: (NodeId, DiskId),
        to: NodeId,
        instead_of: NodeId,
    ) -> Order {
        let mut order = Order::new(Purpose::Move, first, what, from, &[to]);
        // A move has one target: the place of the second is free for the hint.
        order.targets[1] = instead_of;
        order
    }

    /// Of a move: whoever is to lose its replica (`delHint`).
    pub fn instead_of(&self) -> Option<NodeId> {
        (self.purpose == Purpose::Move).then_some(self.targets[1])
    }

    /// The disk it is read from, unless it comes out of the source's memory.
    pub fn source_disk(&self) -> Option<DiskId> {
        self.purpose.reads_disk().then_some(self.source_disk)
    }

    /// Receivers, the first one first.
    pub fn targets(&self) -> &[NodeId] {
        &self.targets[..self.len as usize]
    }

    /// Targets with the disks that they write to, if they do.
    pub fn places(&self) -> impl Iterator<Item = (NodeId, Option<DiskId>)> {
        let writes = self.purpose.writes_disk();
        let disks = self.disks.into_iter().map(move |disk| writes.then_some(disk));
        self.targets().iter().copied().zip(disks)
    }

    /// Its parts, the first one first.
    pub fn legs(&self) -> impl Iterator<Item = Leg> {
        (0..self.len as usize).map(|at| self.leg(at))
    }

    pub fn copies(&self) -> impl Iterator<Item = CopyId> {
        (self.first.0..).take(self.len as usize).map(CopyId)
    }

    /// The part of one of its targets.
    pub fn leg_to(&self, target: NodeId) -> Leg {
        self.leg(self.place_of(target))
    }

    /// The target behind this one.
    pub fn behind(&self, target: NodeId) -> Option<NodeId> {
        self.targets().get(self.place_of(target) + 1).copied()
    }

    /// The target before this one.
    pub fn before(&self, target: NodeId) -> Option<NodeId> {
        self.place_of(target).checked_sub(1).map(|at| self.targets[at])
    }

    /// Whether the node is source or target.
    pub fn is_of(&self, node: NodeId) -> bool {
        self.source == node || self.targets().contains(&node)
    }

    /// Whether this disk is read or written.
    pub fn uses(&self, node: NodeId, disk: DiskId) -> bool {
        let read = (self.source, self.source_disk()) == (node, Some(disk));
        read || self.places().any(|place| place == (node, Some(disk)))
    }

    /// The target has chosen its disk.
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
        assert_eq!((order.behind(NodeId(3)), order.behind(NodeId(4))), (Some(NodeId(4)), None));
        assert_eq!((order.before(NodeId(3)), order.before(NodeId(4))), (None, Some(NodeId(3))));
    }
}

//! Messages between the LPs of HDFS, and the records of a run.
pub use super::orders::{CopyId, Leg, Order, Purpose};
use cluster::{BlockIndex, DiskId, NodeId};
use engine::{Message, Nanos, Scalar};
use hardware::transport::flow;
use units::Bytes;

#[derive(Message)]
#[message(sends(flow::Request))]
pub enum Event {
    // ---- the scenario, to all ----
    Boot,
    /// A node falls silent. To its DataNode, the clients and the balancer; event by event also to
    /// the NameNode.
    Lost(NodeId),
    /// A silent node is back. To its DataNode, the clients and the balancer; the DataNode then
    /// sends it to the NameNode.
    Back(NodeId),
    /// One disk fails. To its DataNode and the clients, then to the NameNode.
    DiskLost(NodeId, DiskId),
    /// To the NameNode and the clients: the operator wants this node to leave.
    Leave {
        node: NodeId,
        /// Maintenance; else decommissioning.
        maintenance: bool,
    },

    // ---- the NameNode to itself ----
    /// `RedundancyMonitor`: the next round.
    RedundancyTick,
    /// `HeartbeatManager.Monitor`: declares silent nodes dead.
    RecheckTick,
    /// `PendingReconstructionBlocks`: gives up late copies.
    PendingTick,
    /// `DatanodeAdminMonitor`: checks leaving nodes.
    AdminTick,
    /// Event-driven pacing with clients: checks whether the repair has ended.
    IdleTick,

    // ---- a DataNode to the NameNode ----
    Heartbeat {
        node: NodeId,
        /// Copies being sent (`xmitsInProgress`).
        sending: u32,
        xceivers: u32,
    },
    /// A replica has arrived (`blockReceivedAndDeleted`).
    Received(Leg),
    /// An order broke off. Event-driven pacing only; HDFS has a timeout.
    Failed(Order),
    /// The source's stream is free. Event-driven pacing only.
    Freed(Order),

    // ---- to DataNodes ----
    /// NameNode to source.
    Copy(Order),
    /// From node to node along the pipeline: a copy is coming.
    Open(Order),
    /// From the transport to the LP that started a flow (the last target or the clients) and to the
    /// source: it has ended.
    #[from]
    Flow(flow::Reply),
    /// To the target before: the next target has the last byte on its disk. Only then does HDFS's
    /// `PacketResponder` finish a replica.
    Written(Order),
    /// NameNode to the first target: rebuild internal blocks of a group. Orders to write, then
    /// orders to read.
    Rebuild(Vec<Order>),
    /// Rebuilding node to a target: the block is complete (`StripedWriter.endTargetBlocks`).
    Closed(Order),
    /// Target to source: the target is gone; nothing arrives.
    Refused(Order),
    /// To a target: the source or another target is gone.
    Gone(Order),
    HeartbeatDue,
    /// A DataNode to itself: time to report new replicas
    /// (`dfs.blockreport.incremental.intervalMsec`).
    ReportDue(Leg),

    // ---- foreground: the clients to themselves ----
    /// Open loop: the next request begins.
    RequestDue {
        write: bool,
        n: u64,
    },
    /// Closed loop: a client's think time has ended.
    ClientReady {
        client: u32,
        n: u32,
    },

    // ---- the balancer ----
    /// The balancer to itself: the next iteration.
    BalanceTick,
    /// The balancer to itself: sources of this iteration retry finding moves, or give up.
    BalanceWaited(u32),
    /// The balancer to itself: this iteration stops waiting for its moves.
    BalanceOver(u32),
    /// A DataNode to the balancer: a move has ended.
    Moved {
        copy: CopyId,
        whole: bool,
    },
    /// A move's target to itself: time to report new replicas.
    MoveReportDue(Order),
    /// A move's target to the NameNode: the replica is here, and one may go (`delHint`).
    ReceivedMove(Order),
    /// NameNode to balancer, in place of its node reports: whether a node is live and in service
    /// from now on.
    Serves(NodeId, bool),
    /// NameNode to balancer, in place of `getBlocks`: a node holds a block on this disk from now
    /// on; `None`: it no longer holds it.
    Replica(BlockIndex, NodeId, Option<DiskId>),
    /// Balancer to NameNode: it has ended.
    Balanced,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub enum Reason {
    /// First round after the loss (`dfs.namenode.redundancy.interval.seconds`).
    Interval,
    /// The round was full before it reached the block
    /// (`…replication.work.multiplier.per.iteration`).
    Multiplier,
    /// Every source has `max-streams` copies queued.
    MaxStreams,
    /// Every source has reached the hard limit.
    HardLimit,
    /// Every node that could take it is loaded above `…considerLoad.factor` × the mean.
    TargetsLoaded,
    /// The uplink on its path carries as many copies as it can.
    Uplink,
    /// No node can take it.
    NoTarget,
    /// No readable replica is left.
    NoSource,
    /// Another copy of the same source (event-driven pacing: the stream is in use).
    Stream(NodeId),
    /// The source's next heartbeat (`dfs.heartbeat.interval`).
    Heartbeat,
    /// The heartbeat handed out `max-streams` copies and this was not among them.
    Handout,
    /// The heartbeat handed out less because earlier copies still run.
    HandoutBusy,
    /// Latency of the order to source and targets.
    Latency,
    /// Detection of a copy that broke off (`…pending.timeout-sec`).
    PendingTimeout,
    /// A reconstruction thread of the node that rebuilds it.
    Threads,
    /// Every remaining source is silent and not yet declared dead
    /// (`dfs.namenode.heartbeat.recheck-interval`): orders there are not fetched.
    Undeclared,
}

/// `ExitStatus`
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub enum BalancerEnd {
    /// No node is further from the mean than the threshold (`SUCCESS`).
    Balanced,
    /// No overfull node finds one that takes a block (`NO_MOVE_BLOCK`).
    NothingToMove,
    /// Five iterations in a row moved nothing (`NO_MOVE_PROGRESS`).
    NoProgress,
}

/// Output of a run; `super::assembly` makes a trace of it.
#[derive(Message)]
pub enum Record {
    Silent(NodeId),
    /// The NameNode declares a node dead, or processes a leaving node.
    Declared(NodeId),
    Returned(NodeId),
    DiskFailed(NodeId, DiskId),
    /// The NameNode deletes an excess replica.
    Removed {
        block: BlockIndex,
        node: NodeId,
    },
    /// The operator wants a node to leave.
    Leaves {
        node: NodeId,
        /// Maintenance; else decommissioning.
        maintenance: bool,
    },
    /// A block at risk waits for this reason from now on.
    Waits {
        block: BlockIndex,
        reason: Reason,
    },
    /// Copies under way suffice for the block, or must end before more are decided: no limit holds
    /// it up from now on.
    Awaits(BlockIndex),
    Round {
        /// Live nodes × work multiplier.
        quota: u32,
        looked: u32,
        /// Blocks looked at whose sources all had full queues.
        passed_over: u32,
    },
    Decided {
        order: Order,
        /// Reason for the wait at its source.
        reason: Reason,
    },
    /// The reason of an order's wait at its source changes.
    HandoutWaits {
        /// First copy of the order.
        copy: CopyId,
        reason: Reason,
    },
    /// The last target starts the flow of an order; all targets have chosen their disks.
    Flows(Order),
    Broken(Leg),
    /// The NameNode no longer counts on this copy: it broke off or is late
    /// (`PendingReconstructionBlocks`).
    GivenUp(Leg),
    /// All flows of a task have ended: its blocks are complete.
    Closed(CopyId),
    /// The NameNode knows the new replica.
    Known(Leg),
    /// A stream of a client's write has ended, except its first one.
    Streamed(Order),
    Request {
        /// Its last path; with several streams the first.
        order: Order,
        /// First attempt.
        begun: Nanos,
        /// Attempts that broke off before.
        tries: u32,
    },
    /// At the end of the run: a request is unfinished.
    Unserved {
        order: Order,
        /// First attempt.
        begun: Nanos,
    },
    /// At the end of the run: a block is still at risk.
    Unrepaired {
        block: BlockIndex,
        reason: Option<Reason>,
        bytes: Bytes,
    },
    Moves(Order),
    /// Utilisation of the nodes in service, as the balancer sees it \[percent\].
    Utilisation {
        least: f64,
        most: f64,
    },
    BalancerEnds {
        why: BalancerEnd,
        /// Iterations with moves or attempts, and the last one, which found the end.
        iterations: u32,
    },

    // ---- records of the transport, translated by `flows` ----
    /// The first byte is about to flow.
    Started(Leg),
    /// Fluid: this resource limits the copy from now on.
    Limited {
        copy: CopyId,
        resource: u32,
    },
    /// Queue: this limited the copy from its start until now, its end.
    Held {
        copy: CopyId,
        /// `None`: the latency of its chunks.
        by: Option<u32>,
    },
    /// The last byte is on the target's disk.
    Done(Leg),
    /// Largest rate of a resource from now on.
    Slow {
        resource: u32,
        /// \[bytes/s\]
        rate: u64,
    },
    /// Fluid: a resource's use from now on.
    Use {
        resource: u32,
        /// What it carries \[bytes/s\].
        rate: f64,
        queue: u32,
    },
    /// Queue: busy time of a resource since its last report.
    Busy {
        resource: u32,
        /// The last report, or the end of an idle time.
        since: Nanos,
        busy: Nanos,
    },
}

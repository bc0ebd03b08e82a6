//! What the LPs of HDFS say to one another, and what they leave for the record.
pub use super::orders::{CopyId, Leg, Order, Purpose};
use cluster::{BlockIndex, DiskId, NodeId};
use engine::{Message, Nanos, Scalar};
use hardware::transport::flow;
use units::Bytes;

/// The vocabulary of all LPs of HDFS.
#[derive(Message)]
#[message(sends(flow::Request))]
pub enum Event {
    // ---- the scenario, to all ----
    Boot,
    /// To a DataNode: this node falls silent.
    Lost(NodeId),
    /// To a DataNode and the NameNode: a silent node is back.
    Back(NodeId),
    /// To a DataNode and the NameNode: one disk fails.
    DiskLost(NodeId, DiskId),
    /// To the NameNode: the operator wants this node to leave.
    Leave {
        node: NodeId,
        /// For a while only.
        maintenance: bool,
    },

    // ---- the NameNode to itself ----
    /// `RedundancyMonitor`: the next round.
    RedundancyTick,
    /// `HeartbeatManager.Monitor`: who is dead?
    RecheckTick,
    /// `PendingReconstructionBlocks`: what has not arrived in time?
    PendingTick,
    /// `DatanodeAdminMonitor`: who is to leave?
    AdminTick,
    /// Event-driven pacing beside clients: is anything left to be done?
    IdleTick,

    // ---- a DataNode to the NameNode ----
    /// Alive, with so many copies being sent and so many transfer threads.
    Heartbeat {
        node: NodeId,
        /// Copies being sent (`xmitsInProgress`).
        sending: u32,
        xceivers: u32,
    },
    /// A replica has arrived (`blockReceivedAndDeleted`).
    Received(Leg),
    /// An order broke off: event-driven pacing only, HDFS finds out by its timeout.
    Failed(Order),
    /// The source's stream is free again: event-driven pacing only.
    Freed(Order),

    // ---- to DataNodes ----
    /// NameNode to source: send this.
    Copy(Order),
    /// From node to node along the pipeline: a copy is coming.
    Open(Order),
    /// From the transport to whoever started a flow, the last target or the clients, and to the
    /// source: it has ended.
    #[from]
    Flow(flow::Reply),
    /// To the target before: the last byte is on the disk of the one behind it. Only then does
    /// HDFS's `PacketResponder` finish a replica.
    Written(Order),
    /// NameNode to the first target: rebuild internal blocks of a group. First what is to be
    /// written, then what is to be read for it.
    Rebuild(Vec<Order>),
    /// Whoever rebuilds to a target: the block is whole (`StripedWriter.endTargetBlocks`).
    Closed(Order),
    /// A target to the source: it is gone; nothing arrives.
    Refused(Order),
    /// To a target: the source or another target is gone.
    Gone(Order),
    HeartbeatDue,
    /// A DataNode to itself: tell the NameNode now what has arrived
    /// (`dfs.blockreport.incremental.intervalMsec`).
    ReportDue(Leg),

    // ---- foreground: the clients to themselves ----
    /// Open loop: the next request begins.
    RequestDue {
        /// A write, or a read.
        write: bool,
        n: u64,
    },
    /// Closed loop: a client has thought long enough.
    ClientReady {
        client: u32,
        /// The number of its next request.
        n: u32,
    },

    // ---- the balancer ----
    /// The balancer to itself: the next iteration.
    BalanceTick,
    /// The balancer to itself: sources of this iteration look again for moves, or give it up.
    BalanceWaited(u32),
    /// The balancer to itself: this iteration waits no longer for its moves.
    BalanceOver(u32),
    /// A DataNode to the balancer: a move has ended.
    Moved {
        copy: CopyId,
        whole: bool,
    },
    /// A move's target to itself: tell the NameNode now what has arrived.
    MoveReportDue(Order),
    /// A move's target to the NameNode: the replica is here, and one may go (`delHint`).
    ReceivedMove(Order),
    /// NameNode to balancer, as its reports of nodes would say: a node is live and in service from
    /// now on, or is not.
    Serves(NodeId, bool),
    /// NameNode to balancer, as `getBlocks` would say: a node holds a block from now on, on this
    /// disk, or (`None`) no longer.
    Replica(BlockIndex, NodeId, Option<DiskId>),
    /// The balancer to the NameNode: it has ended.
    Balanced,
}

/// Why a block, or a copy, waits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub enum Reason {
    /// For the first round after the loss (`dfs.namenode.redundancy.interval.seconds`).
    Interval,
    /// The round was full before it was looked at (`…replication.work.multiplier.per.iteration`).
    Multiplier,
    /// Every source has `max-streams` copies queued.
    MaxStreams,
    /// Every source has reached the hard limit.
    HardLimit,
    /// Every node that could take it is loaded above `…considerLoad.factor` × the mean.
    TargetsLoaded,
    /// The uplink that it must cross carries as many copies as it can.
    Uplink,
    /// No node can take it.
    NoTarget,
    /// No readable replica is left.
    NoSource,
    /// For a copy of the same source (event-driven pacing: the stream is in use).
    Stream(NodeId),
    /// For the source's next heartbeat (`dfs.heartbeat.interval`).
    Heartbeat,
    /// The heartbeat handed out `max-streams` copies and this was not among them.
    Handout,
    /// The heartbeat handed out less, because copies handed out before still run.
    HandoutBusy,
    /// For word of it to reach source and targets: the latency of the way.
    Latency,
    /// For a copy that was lost on its way to be noticed (`…pending.timeout-sec`).
    PendingTimeout,
    /// For a thread of the node that is to rebuild it.
    Threads,
    /// Every source that could still be asked is silent and not yet declared dead
    /// (`dfs.namenode.heartbeat.recheck-interval`): what is queued there is not fetched.
    Undeclared,
}

/// Why the balancer ends (`ExitStatus`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub enum BalancerEnd {
    /// No node is further from the mean than the threshold (`SUCCESS`).
    Balanced,
    /// No node that has too much finds one that takes it (`NO_MOVE_BLOCK`).
    NothingToMove,
    /// Five iterations in a row moved nothing (`NO_MOVE_PROGRESS`).
    NoProgress,
}

/// What a run leaves behind; `super::assembly` makes a trace of it.
#[derive(Message)]
pub enum Record {
    Silent(NodeId),
    /// The NameNode declares it dead, or looks at what a leaving node holds.
    Declared(NodeId),
    /// A silent node is back with what it held.
    Returned(NodeId),
    DiskFailed(NodeId, DiskId),
    /// The NameNode takes a replica that is one too many away.
    Removed {
        block: BlockIndex,
        /// From whom.
        node: NodeId,
    },
    /// A node is to leave.
    Leaves {
        node: NodeId,
        /// For a while only.
        maintenance: bool,
    },
    /// A block short of replicas waits for this reason from now on.
    Waits {
        block: BlockIndex,
        reason: Reason,
    },
    /// What is on its way to a block will do, or is waited for before more is decided: no limit
    /// holds the block up from now on.
    Awaits(BlockIndex),
    /// The NameNode's round: it looked at blocks up to its quota.
    Round {
        /// Live nodes × work multiplier.
        quota: u32,
        /// Blocks that had their turn.
        looked: u32,
        /// Of these, blocks whose sources all had their limit of copies queued.
        passed_over: u32,
    },
    Decided {
        order: Order,
        /// What it waits for at its source.
        reason: Reason,
    },
    /// A decided order waits at its source for another reason from now on.
    HandoutWaits {
        /// Its first copy.
        copy: CopyId,
        reason: Reason,
    },
    /// The last target has the transport move an order's bytes; all targets have chosen their
    /// disks.
    Flows(Order),
    Broken(Leg),
    /// The NameNode counts on this copy no longer, whether it broke off or is late
    /// (`PendingReconstructionBlocks`).
    GivenUp(Leg),
    /// All flows of a task have ended: what it rebuilt is whole.
    Closed(CopyId),
    /// The NameNode knows the new replica.
    Known(Leg),
    /// A stream of a client's write has ended, another than its first one.
    Streamed(Order),
    /// A client's request is through.
    Request {
        /// The way it went at last; of several streams the first.
        order: Order,
        /// When the client first asked.
        begun: Nanos,
        /// Attempts that broke off before.
        tries: u32,
    },
    /// At the end: a request is not through.
    Unserved {
        order: Order,
        /// When the client first asked.
        begun: Nanos,
    },
    /// At the end: a block is still short, for this reason.
    Unrepaired {
        block: BlockIndex,
        reason: Option<Reason>,
        bytes: Bytes,
    },
    /// The balancer has a replica moved.
    Moves(Order),
    /// Utilisation of the nodes in service, as the balancer sees it \[percent\].
    Utilisation {
        least: f64,
        most: f64,
    },
    /// The balancer ends, after so many iterations.
    BalancerEnds {
        why: BalancerEnd,
        /// Those that moved or tried to, and the one that found that it is to end.
        iterations: u32,
    },

    // ---- what the transport records, in HDFS's words (`flows`) ----
    /// The first byte is about to flow.
    Started(Leg),
    /// Fluid: from now on this resource limits the copy.
    Limited {
        copy: CopyId,
        resource: u32,
    },
    /// Queue: this limited the copy from its start to now, its end.
    Held {
        copy: CopyId,
        /// By what; `None`: the way that its chunks travel.
        by: Option<u32>,
    },
    /// The last byte is on the target's disk.
    Done(Leg),
    /// A resource can do no more than this from now on.
    Slow {
        resource: u32,
        /// [bytes/s]
        rate: u64,
    },
    /// Fluid: a resource's use from now on.
    Use {
        resource: u32,
        /// What it carries [bytes/s].
        rate: f64,
        queue: u32,
    },
    /// Queue: how long a resource has worked since then.
    Busy {
        resource: u32,
        /// It said so last, or was idle until then.
        since: Nanos,
        busy: Nanos,
    },
}

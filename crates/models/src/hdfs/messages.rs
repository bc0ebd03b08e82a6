//! What the LPs of HDFS say to one another, and what they leave for the record.
use cluster::{BlockIndex, DiskId, NodeId};
use engine::{Message, Nanos, Scalar};
use units::Bytes;

/// One copy of one block, ordered by the NameNode.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct CopyId(pub u32);

/// A copy as it travels through the system. 24 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Order {
    /// Its number.
    pub copy: CopyId,
    /// What is copied.
    pub block: BlockIndex,
    /// Sends.
    pub source: NodeId,
    /// The disk it is read from.
    pub source_disk: DiskId,
    /// The disk it is written to; meaningless until the target has chosen one.
    pub target_disk: DiskId,
    /// Receives.
    pub target: NodeId,
}

/// The vocabulary of all LPs of HDFS.
#[derive(Message)]
pub enum Event {
    // ---- the scenario, to all ----
    /// The run begins.
    Boot,
    /// To a DataNode and to the network: this node falls silent for ever.
    Lost(NodeId),

    // ---- the NameNode to itself ----
    /// `RedundancyMonitor`: the next round.
    RedundancyTick,
    /// `HeartbeatManager.Monitor`: who is dead?
    RecheckTick,
    /// `PendingReconstructionBlocks`: what has not arrived in time?
    PendingTick,

    // ---- a DataNode to the NameNode ----
    /// Alive, with so many copies being sent and so many transfer threads.
    Heartbeat {
        /// Who.
        node: NodeId,
        /// Copies being sent (`xmitsInProgress`).
        sending: u32,
        /// Transfer threads.
        xceivers: u32,
    },
    /// A replica has arrived (`blockReceivedAndDeleted`).
    Received(Order),
    /// A copy broke off: event-driven pacing only, HDFS finds out by its timeout.
    Failed(Order),
    /// The source's stream is free again: event-driven pacing only.
    Freed(Order),

    // ---- to DataNodes ----
    /// NameNode to source: copy this.
    Copy(Order),
    /// Source to target: a copy is coming.
    Open(Order),
    /// Target to source: go ahead (queue sharing).
    Ready(Order),
    /// The last byte has left, or the network lost one of the ends.
    Sent {
        /// Which.
        order: Order,
        /// Whether all of it arrived.
        whole: bool,
    },
    /// The last byte is on the target's disk.
    Arrived(Order),
    /// Target to source: it is gone; nothing arrives.
    Refused(Order),
    /// To the target: the source of a copy is gone.
    Gone(Order),
    /// A DataNode to itself.
    HeartbeatDue,
    /// A DataNode to itself: tell the NameNode now what has arrived
    /// (`dfs.blockreport.incremental.intervalMsec`).
    ReportDue(Order),

    // ---- fluid sharing: to the network ----
    /// Target to network: let it flow.
    Flow(Order),
    /// The network to itself: the next flow ends.
    FlowEnds,

    // ---- queue sharing: a chunk from hop to hop ----
    /// Through the resource that it has just been submitted to, or arriving at the LP of the next
    /// one.
    Chunk(Chunk),
    /// Target to source: a chunk is on disk; the window moves.
    Ack(Chunk),
}

/// A chunk on its way. 48 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Chunk {
    /// Of which copy.
    pub order: Order,
    /// Its length.
    pub bytes: u32,
    /// Hops behind it, in the path of its copy.
    pub hop: u8,
    /// It has been served by hop `hop` (else it has just arrived there).
    pub served: bool,
    /// The hop that took most of its time,
    pub slowest_hop: u8,
    /// and how long that took \[ns\].
    pub slowest_ns: u32,
    /// When it arrived at the present hop.
    pub since: Nanos,
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
    /// For a copy that was lost on its way to be noticed (`…pending.timeout-sec`).
    PendingTimeout,
}

/// What a run leaves behind; `super::assembly` makes a trace of it.
#[derive(Message)]
pub enum Record {
    /// A DataNode fell silent.
    Silent(NodeId),
    /// The NameNode declares it dead.
    Declared(NodeId),
    /// A block short of replicas waits for this reason from now on.
    Waits {
        /// Which.
        block: BlockIndex,
        /// Why.
        reason: Reason,
    },
    /// The NameNode's round: it looked at blocks up to its quota.
    Round {
        /// Live nodes × work multiplier.
        quota: u32,
        /// Blocks that had their turn.
        looked: u32,
        /// Of these, blocks whose sources all had their limit of copies queued.
        passed_over: u32,
    },
    /// A copy was decided.
    Decided {
        /// Which.
        order: Order,
        /// What it waits for at its source.
        reason: Reason,
    },
    /// A decided copy waits at its source for another reason from now on.
    HandoutWaits {
        /// Which.
        copy: CopyId,
        /// Why.
        reason: Reason,
    },
    /// The first byte is about to flow.
    Started(Order),
    /// From now on this resource limits the copy.
    Limited {
        /// Which.
        copy: CopyId,
        /// By what.
        resource: u32,
    },
    /// A part of the copy's time was spent at this resource (queue sharing).
    Spent {
        /// Which.
        copy: CopyId,
        /// Where.
        resource: u32,
        /// How long.
        time: Nanos,
    },
    /// The last byte is on the target's disk.
    Done(Order),
    /// The copy broke off.
    Broken(Order),
    /// The NameNode knows the new replica.
    Known(Order),
    /// A resource's use from now on.
    Use {
        /// Which.
        resource: u32,
        /// [bytes/s]
        rate: f64,
        /// Flows, or chunks in line.
        queue: u32,
    },
    /// At the end: a block is still short, for this reason.
    Unrepaired {
        /// Which.
        block: BlockIndex,
        /// Why.
        reason: Option<Reason>,
        /// Length, for sums.
        bytes: Bytes,
    },
}

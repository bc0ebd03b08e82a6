//! HDFS after the loss of DataNodes: detection, pacing, re-replication.
//!
//! ```text
//!              heartbeats, reports                 ┌──────────┐ copies ┌──────────┐
//!   DataNodes ────────────────────► NameNode       │ DataNode ├───────►│ DataNode │
//!             ◄──────────────────── (rounds, or    │  source  │        │  target  │
//!              copy orders           event-driven) └────┬─────┘        └────┬─────┘
//!                                                       └───── network ─────┘
//! ```
//!
//! The NameNode paces (`namenode`), a policy chooses sources and targets (crate `hdfs_policy`), and
//! DataNodes let `hardware::transport` move the bytes. `flows` translates the transport's records.
//! The `balancer` may move replicas from full nodes to empty ones. Equations, assumptions and
//! range: `systems/hdfs/docs/model.md`.
mod assembly;
mod balancer;
mod blocks;
mod clients;
mod datanode;
mod flows;
mod invariants;
mod ledger;
mod messages;
mod namenode;
mod orders;
mod reasons;
mod replica_limit;
mod scenario_events;
mod setup;
mod simulate;
mod striped;
mod synthesis;
mod task_rules;

pub use blocks::{load_blocks, load_blocks_while};
pub use invariants::Violation;
pub use messages::{BalancerEnd, Event, Reason, Record};
pub use simulate::{Observer, Options, Progress, SimulationResult, simulate};

use balancer::Balancer;
use clients::Clients;
use datanode::DataNode;
use engine::{Model, Rewind, Wiring};
use hardware::transport::{self, flow};
use namenode::NameNode;

#[derive(Rewind, Wiring)]
pub enum Node {
    #[hears(flow::Request)]
    Transport(transport::Node),
    #[hears(flow::Reply)]
    Hdfs(Role),
}

/// LPs of HDFS; boxed to keep the slots of the world small.
#[derive(Rewind, Model)]
pub enum Role {
    Name(Box<NameNode>),
    Data(Box<DataNode>),
    Clients(Box<Clients>),
    Balancer(Box<Balancer>),
}

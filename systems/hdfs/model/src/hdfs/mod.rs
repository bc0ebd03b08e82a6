//! HDFS after the loss of DataNodes: detection, pacing, re-replication.
//!
//! ```text
//!              heartbeats, reports                 ┌──────────┐ copies ┌──────────┐
//!   DataNodes ────────────────────► NameNode       │ DataNode ├───────►│ DataNode │
//!             ◄──────────────────── (rounds, or    │  source  │        │  target  │
//!              copies to be made     event-driven) └────┬─────┘        └────┬─────┘
//!                                                       └───── network ─────┘
//! ```
//!
//! The NameNode paces (`namenode`), a policy chooses sources and targets (crate `policy`), the
//! DataNodes move the bytes through the hardware (`network` for fluid sharing, `datanode::chunks`
//! and `switch` for queue sharing). Beside them the `balancer` may move replicas from full nodes to
//! empty ones. Equations, assumptions and range: `systems/hdfs/README.md`.
mod assembly;
mod balancer;
mod blocks;
mod clients;
mod datanode;
mod happenings;
mod invariants;
mod ledger;
mod messages;
mod namenode;
mod network;
mod orders;
mod reasons;
pub mod scaling;
mod setup;
mod simulate;
mod stations;
mod striped;
mod switch;
mod synthesis;
mod task_rules;

pub use blocks::{load_blocks, load_blocks_while};
pub use invariants::Violation;
pub use messages::{BalancerEnd, Event, Reason, Record};
pub use scaling::Timed;
pub use simulate::{Options, Progress, Simulated, Witness, simulate};

use balancer::Balancer;
use clients::Clients;
use datanode::DataNode;
use engine::{Model, Rewind};
use namenode::NameNode;
use network::Network;
use switch::Switch;

/// The kinds of LPs, boxed so that a slot of the world stays small.
#[derive(Rewind, Model)]
pub enum Node {
    /// Decides.
    Name(Box<NameNode>),
    /// Stores.
    Data(Box<DataNode>),
    /// Shares (fluid).
    Net(Box<Network>),
    /// Forwards chunks between racks (queue).
    Switch(Box<Switch>),
    /// Ask for what DataNodes hold.
    Clients(Box<Clients>),
    /// Evens nodes out.
    Balancer(Box<Balancer>),
}

impl From<NameNode> for Node {
    fn from(lp: NameNode) -> Node {
        Node::Name(Box::new(lp))
    }
}

impl From<DataNode> for Node {
    fn from(lp: DataNode) -> Node {
        Node::Data(Box::new(lp))
    }
}

impl From<Network> for Node {
    fn from(lp: Network) -> Node {
        Node::Net(Box::new(lp))
    }
}

impl From<Balancer> for Node {
    fn from(lp: Balancer) -> Node {
        Node::Balancer(Box::new(lp))
    }
}

impl From<Switch> for Node {
    fn from(lp: Switch) -> Node {
        Node::Switch(Box::new(lp))
    }
}

impl From<Clients> for Node {
    fn from(lp: Clients) -> Node {
        Node::Clients(Box::new(lp))
    }
}

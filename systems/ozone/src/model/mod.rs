//! The write path as logical processes: gateways, OM with SCM, DataNodes.
mod data;
mod disk;
mod gateway;
mod log;
mod manager;
mod message;
mod metrics;
mod raft;
mod recorder;
mod run;
mod settings;
mod sleeps;
mod stall;
pub use run::Model;
pub(crate) use settings::limit;
pub use settings::{Layout, layout, racks};

use data::DataNode;
use engine::*;
use gateway::Gateway;
use manager::Manager;
use message::Event;

#[derive(Rewind, Model)]
pub(crate) enum Node {
    /// An S3 gateway with its clients.
    Gateway(Box<Gateway>),
    /// OM, and what it asks of SCM.
    Manager(Box<Manager>),
    Data(Box<DataNode>),
}

//! The write path as LPs: gateways, OM with SCM, DataNodes.
mod data;
mod disk;
mod gateway;
mod log;
mod manager;
mod message;
mod metrics;
mod raft;
mod recorder;
mod retry_sleeps;
mod run;
mod settings;
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
    Gateway(Box<Gateway>),
    /// OM, with SCM.
    Manager(Box<Manager>),
    Data(Box<DataNode>),
}

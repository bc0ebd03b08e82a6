//! Clients and nodes as logical processes: each has one core, and one link in each direction.
mod client;
mod message;
mod node;
mod recipe;
mod run;
mod settings;
pub use message::{PARTS, Record, Written};
pub use run::Model;
pub(crate) use settings::Shape;
pub use settings::{Settings, bare, wire};

use engine::*;

#[derive(Rewind, Model)]
enum Host {
    Client(Box<client::Client>),
    Node(Box<node::Node>),
}

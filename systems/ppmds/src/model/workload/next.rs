//! The next step of a client.
use crate::model::message::Record;
use engine::Nanos;
use ppmds_protocol::Operation;

pub enum Next {
    Operation(Operation, Nanos),
    Later(Nanos),
    /// Nothing before all clients are here, too; what the phase came to.
    Barrier(Option<Record>),
    Nothing,
}

use crate::model::message::Record;
use engine::Nanos;
use ppmds_protocol::Operation;

pub enum Next {
    Operation(Operation, Nanos),
    Later(Nanos),
    /// Wait for all clients; the record of the phase that has ended.
    Barrier(Option<Record>),
    Nothing,
}

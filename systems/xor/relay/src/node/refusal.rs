//! Answers to requests, and refusals.
use crate::wire::{Fault, Message};
use std::io;

pub(crate) struct Refusal {
    pub(super) fault: Fault,
    pub(super) why: String,
}

/// `Ok(None)`: the answer follows later.
pub(super) type Answer = Result<Option<Message>, Refusal>;

pub(super) fn okay() -> Answer {
    Ok(Some(Message::Okay {}))
}

/// The node is full; the client may retry.
pub(super) fn busy<R>(why: impl Into<String>) -> Result<R, Refusal> {
    Err(Refusal { fault: Fault::Busy, why: why.into() })
}

pub(super) fn refuse<R>(why: impl Into<String>) -> Result<R, Refusal> {
    Err(Refusal { fault: Fault::Asked, why: why.into() })
}

impl From<io::Error> for Refusal {
    fn from(e: io::Error) -> Refusal {
        let advice = match e.kind() {
            io::ErrorKind::StorageFull => "; free space on the node’s disk",
            _ => "",
        };
        Refusal { fault: Fault::Own, why: format!("{e}{advice}") }
    }
}

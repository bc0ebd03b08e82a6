//! What a request is answered, and why it cannot be served.
use crate::wire::{Fault, Message};
use std::io;

pub(crate) struct Refusal {
    pub(super) fault: Fault,
    pub(super) why: String,
}

/// What is answered at once, if anything is.
pub(super) type Answer = Result<Option<Message>, Refusal>;

pub(super) fn okay() -> Answer {
    Ok(Some(Message::Okay {}))
}

/// There is no room now.
pub(super) fn busy<R>(why: impl Into<String>) -> Result<R, Refusal> {
    Err(Refusal { fault: Fault::Busy, why: why.into() })
}

pub(super) fn refuse<R>(why: impl Into<String>) -> Result<R, Refusal> {
    Err(Refusal { fault: Fault::Asked, why: why.into() })
}

impl From<io::Error> for Refusal {
    fn from(e: io::Error) -> Refusal {
        let advice = match e.kind() {
            io::ErrorKind::StorageFull => "; make room on the node’s disk",
            _ => "",
        };
        Refusal { fault: Fault::Own, why: format!("{e}{advice}") }
    }
}

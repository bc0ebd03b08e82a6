//! The operator's lock: one command at a time changes the cluster.
use crate::transport::{Link, Transport};
use std::time::Duration;

/// Held while the operator's connection is open.
pub(super) struct Operator {
    pub(super) link: Link,
    pub(super) what: String,
    pub(super) since: Duration,
}

impl Operator {
    /// The command, the operator's address, and the time since it began.
    pub(super) fn running(&self, transport: &impl Transport) -> String {
        let who = transport.peer(self.link);
        let from = who.map_or(String::new(), |who| format!(" (from {who})"));
        let seconds = transport.now().saturating_sub(self.since).as_secs();
        format!("{}{from}, since {seconds} s", self.what)
    }
}

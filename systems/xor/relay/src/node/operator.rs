//! One operator at a time: whose command changes the cluster.
use crate::transport::{Link, Transport};
use std::time::Duration;

/// A lock that is held as long as the operator's connection stands.
pub(super) struct Operator {
    pub(super) link: Link,
    pub(super) what: String,
    pub(super) since: Duration,
}

impl Operator {
    /// The command that holds the lock, from where, since when.
    pub(super) fn running(&self, transport: &impl Transport) -> String {
        let who = transport.peer(self.link);
        let from = who.map_or(String::new(), |who| format!(" (from {who})"));
        let seconds = transport.now().saturating_sub(self.since).as_secs();
        format!("{}{from}, since {seconds} s", self.what)
    }
}

//! One operator at a time: whose command changes the cluster.
use super::{Node, Refusal, refuse};
use crate::transport::{Link, Transport};
use std::time::Duration;

/// A lock that is held as long as the operator's connection stands.
pub(super) struct Operator {
    link: Link,
    what: String,
    since: Duration,
}

impl<T: Transport> Node<T> {
    /// An operator's command begins; the same one may say so twice.
    pub(super) fn lock(&mut self, link: Link, what: String) -> Result<(), Refusal> {
        if self.operator.as_ref().is_some_and(|operator| operator.link != link) {
            let running = self.running();
            return refuse(format!("another operator command is running: {running}"));
        }
        self.operator = Some(Operator { link, what, since: self.transport.now() });
        self.say(link, &crate::wire::Message::Okay {});
        Ok(())
    }

    /// The command that holds the lock, from where, since when; empty: none does.
    pub(super) fn running(&self) -> String {
        let Some(Operator { link, what, since }) = &self.operator else { return String::new() };
        let who = self.transport.peer(*link);
        let from = who.map_or(String::new(), |who| format!(" (from {who})"));
        let seconds = self.transport.now().saturating_sub(*since).as_secs();
        format!("{what}{from}, since {seconds} s")
    }

    pub(super) fn unlock(&mut self, link: Link) {
        self.operator.take_if(|operator| operator.link == link);
    }
}

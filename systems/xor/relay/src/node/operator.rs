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
        let now = self.transport.now();
        if let Some(Operator { link: other, what, since }) = &self.operator
            && *other != link
        {
            let who = self.transport.peer(*other);
            let from = who.map_or(String::new(), |who| format!(" (from {who})"));
            let seconds = now.saturating_sub(*since).as_secs();
            return refuse(format!(
                "another operator command is running: {what}{from}, since {seconds} s"
            ));
        }
        self.operator = Some(Operator { link, what, since: now });
        self.say(link, &crate::wire::Message::Okay {});
        Ok(())
    }

    pub(super) fn unlock(&mut self, link: Link) {
        self.operator.take_if(|operator| operator.link == link);
    }
}

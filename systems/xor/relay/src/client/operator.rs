//! The operator's lock: held on all nodes that answer, while the connections are open.
use super::{Client, Error};
use crate::transport::Transport;
use crate::wire::Message;

impl<T: Transport> Client<T> {
    /// Takes the lock on these nodes, in order. Two operators share a node; the first one there
    /// proceeds.
    pub(super) fn lock(&mut self, nodes: &[usize], what: &str) -> Result<(), Error> {
        for (at, &node) in nodes.iter().enumerate() {
            if let Err(why) = self.query_one(node, Message::Lock { what: what.into() })
                && self.is_up(node)
            {
                self.unlock(&nodes[..at]);
                return Err(self.failed_at(node, "no changes were made", &why));
            }
        }
        Ok(())
    }

    pub(super) fn unlock(&mut self, nodes: &[usize]) {
        self.query_each(nodes.to_vec(), &Message::Unlock {}, self.patience.answer);
    }

    pub(super) fn locked<R>(
        &mut self,
        what: &str,
        work: impl FnOnce(&mut Client<T>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let nodes = self.all_up();
        self.lock(&nodes, what)?;
        let result = work(self);
        self.unlock(&nodes);
        result
    }
}

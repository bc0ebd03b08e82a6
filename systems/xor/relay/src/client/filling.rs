//! Nodes that are being filled by a repair or as a replacement.
//!
//! Such a node records this durably before it receives anything: its [`crate::wire::Member`] has
//! `least` 0. Until it is complete, it is no evidence: missing objects may exist, present ones may
//! have been removed. All other clients ignore it, so no put to a list with it succeeds.
use super::walk::RepairReport;
use super::{Client, Error};
use crate::transport::Transport;
use crate::wire::{Member, Message};

impl<T: Transport> Client<T> {
    /// Declares nodes that this client fills; they may be half filled already. Call this before
    /// [`Client::identify`], which otherwise ignores them.
    pub fn will_fill(&mut self, nodes: &[usize]) {
        self.fills.extend(nodes)
    }

    /// Ignores nodes that another client fills or began to fill.
    pub(super) fn leave_out_filling(&mut self, told: &[(usize, Member)]) {
        for (node, _) in told.iter().filter(|(_, member)| member.is_filling()) {
            if self.fills.contains(node) {
                self.copies.insert(*node);
            } else {
                let why = self.half_full(*node);
                self.give_up(*node, &why)
            }
        }
    }

    /// Why the client ignores a node that is being filled.
    pub(super) fn half_full(&self, node: usize) -> String {
        let address = &self.peers[node].address;
        format!(
            "being filled, so objects are missing: if no operator is at work, run `tenbin relay \
             repair --lost {address}`, or the same `replace`, again"
        )
    }

    /// The cluster's nodes have another address for one of these: the repair must end by sending
    /// the list.
    pub(super) fn changes_list(&self, nodes: &[usize]) -> bool {
        nodes.iter().any(|&node| self.peers[node].has_other_address)
    }

    /// Ends the filling of nodes, unless something is missing.
    pub(super) fn end_filling(
        &mut self,
        nodes: &[usize],
        healed: &RepairReport,
    ) -> Result<(), Error> {
        if !healed.is_complete() {
            return Ok(());
        }
        let filled = Message::FillComplete { least: self.least };
        self.query_all(nodes, "cannot end a repair", &filled, &Message::Okay {})?;
        self.fills.retain(|node| !nodes.contains(node));
        self.copies.retain(|node| !nodes.contains(node));
        Ok(())
    }
}

//! Nodes that are being filled: by a repair, or as a replacement.
//!
//! Such a node notes it, durable, before it is given anything: its member has 0 as the least number
//! of nodes of an object. Until whoever fills it has left nothing out, it is nobody's witness: that
//! it has nothing of an object says nothing, and what it has may have been removed meanwhile. All
//! others do without it, so nothing is written to a list with it.
use super::walk::Healed;
use super::{Client, Error};
use crate::transport::Transport;
use crate::wire::{Member, Message};

impl<T: Transport> Client<T> {
    /// This client is to fill these nodes, which others may have left half full. To be said before
    /// [`Client::identify`], which does without such nodes otherwise.
    pub fn will_fill(&mut self, nodes: &[usize]) {
        self.fills.extend(nodes)
    }

    /// Does without nodes that somebody else fills, or began to.
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

    /// Why a node that is being filled is done without.
    pub(super) fn half_full(&self, node: usize) -> String {
        let address = &self.peers[node].address;
        format!(
            "it is being filled and lacks objects: if no operator is at work, `tenbin relay repair \
             --lost {address}`, or the same `replace`, goes on"
        )
    }

    /// Whether another list than this one has these nodes' places: then it has to end.
    pub(super) fn changes_list(&self, nodes: &[usize]) -> bool {
        nodes.iter().any(|&node| self.peers[node].is_elsewhere)
    }

    /// Nodes that were filled say so no more, unless something was left out.
    pub(super) fn end_filling(&mut self, nodes: &[usize], healed: &Healed) -> Result<(), Error> {
        if !healed.is_whole() {
            return Ok(());
        }
        let filled = Message::Filled { least: self.least };
        self.ask_all(nodes, "cannot end a repair", &filled, &Message::Okay {})?;
        self.fills.retain(|node| !nodes.contains(node));
        self.copies.retain(|node| !nodes.contains(node));
        Ok(())
    }
}

//! Compares a list that will change the cluster with the cluster's own, place by place.
use super::{Client, Error, Peer};
use crate::transport::Transport;
use crate::wire::Message;

impl<T: Transport> Client<T> {
    /// Checks that this list is the cluster's, except for the places `but`. A node at an unknown
    /// address has moved if it answers in its place; otherwise the list is wrong.
    ///
    /// # Errors
    /// A place has another address, and no node of the cluster answers there.
    pub(super) fn check_places(&self, but: &[usize]) -> Result<(), Error> {
        for node in self.other_places() {
            let peer = &self.peers[node];
            let has_moved = self.is_up(node) && !peer.has_no_cluster && !peer.is_foreign;
            if !but.contains(&node) && !has_moved {
                let (here, there) = (&peer.address, &self.known_list[node]);
                let why = format!("node {node} is {there} in the cluster and {here} in the list");
                return Err(self.other_list(&why));
            }
        }
        Ok(())
    }

    /// Checks that the lost nodes may join at their addresses: the cluster has these addresses, or
    /// its own do not answer.
    ///
    /// # Errors
    /// An address is that of a replaced node, or the node in its place is not lost.
    pub(super) fn check_lost(&mut self, lost: &[usize]) -> Result<(), Error> {
        self.check_places(lost)?;
        for node in self.other_places().into_iter().filter(|node| lost.contains(node)) {
            let (here, there) = (self.peers[node].address.clone(), self.known_list[node].clone());
            let advice = format!("`tenbin relay replace {there} --with {here}`");
            if self.former_list.contains(&here) {
                let why = format!("{here} was replaced; node {node} is now {there}");
                return Err(self.other_list(&format!("{why}: if {there} is lost, {advice}")));
            }
            if self.answers_at(node, &there) {
                let why = format!("node {node} is {there}, which answers");
                return Err(self.other_list(&format!("{why}: {advice}")));
            }
        }
        Ok(())
    }

    /// Places for which the cluster's nodes have another address.
    pub(super) fn other_places(&self) -> Vec<usize> {
        let places = self.peers.iter().zip(&self.known_list).enumerate();
        let other = places.filter(|(_, (peer, address))| peer.address != **address);
        other.map(|(node, _)| node).collect()
    }

    pub(super) fn other_list(&self, why: &str) -> Error {
        let (given, known) = (self.list().join(","), self.known_list.join(","));
        Error::BadInput(format!(
            "no changes were made: this is not the cluster’s list: {why}; given: {given}; the \
             cluster’s: {known}: give the cluster’s list, with other addresses only for lost nodes"
        ))
    }

    /// The cluster's node of this place answers at `address`.
    fn answers_at(&mut self, node: usize, address: &str) -> bool {
        let link = self.transport.connect(address, node);
        let (spare, wait) = (self.peers.len(), self.patience.connect);
        self.peers.push(Peer::new(address, Some(link)));
        self.wait_until_connected(vec![link], self.transport.now() + wait);
        let answer = self.query(vec![(spare, Message::GetMembership {})], wait).pop();
        self.give_up(spare, "was asked");
        self.peers.pop();
        let is_it = |answer| match answer {
            (_, Ok(Message::Membership { member, .. })) => {
                member.cluster == self.cluster && usize::from(member.index) == node
            }
            _ => false,
        };
        answer.is_some_and(is_it)
    }
}

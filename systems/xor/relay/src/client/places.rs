//! A list that is to change the cluster, compared with the cluster's own, place by place.
use super::{Client, Error, Peer};
use crate::transport::Transport;
use crate::wire::Message;

impl<T: Transport> Client<T> {
    /// That this list is the cluster's own, but for these places. A node at another address than
    /// the cluster's nodes know has moved if it answers in its place; else the list is wrong.
    ///
    /// # Errors
    /// Another place has another address, and no node of the cluster answers there.
    pub(super) fn check_places(&self, but: &[usize]) -> Result<(), Error> {
        for node in self.other_places() {
            let peer = &self.peers[node];
            let has_moved = self.is_up(node) && !peer.is_untold && !peer.is_stranger;
            if !but.contains(&node) && !has_moved {
                let (here, there) = (&peer.address, &self.known_list[node]);
                let why = format!("node {node} is {there} there and {here} here");
                return Err(self.other_list(&why));
            }
        }
        Ok(())
    }

    /// That a node which is said to be lost may be taken in at its address: the cluster's nodes
    /// know this address, or the one that they know does not answer.
    ///
    /// # Errors
    /// The address is one that was replaced; or the node in its place is not lost.
    pub(super) fn check_lost(&mut self, lost: &[usize]) -> Result<(), Error> {
        self.check_places(lost)?;
        for node in self.other_places().into_iter().filter(|node| lost.contains(node)) {
            let (here, there) = (self.peers[node].address.clone(), self.known_list[node].clone());
            let advice = format!("`tenbin relay replace {there} --with {here}`");
            if self.former_list.contains(&here) {
                let why = format!("{here} was replaced, by now node {node} is {there}");
                return Err(self.other_list(&format!("{why}: if {there} is lost, {advice}")));
            }
            if self.answers_at(node, &there) {
                let why = format!("node {node} is {there} there, which answers");
                return Err(self.other_list(&format!("{why}: {advice}")));
            }
        }
        Ok(())
    }

    /// Places that have another address in the list that the cluster's nodes know.
    pub(super) fn other_places(&self) -> Vec<usize> {
        let places = self.peers.iter().zip(&self.known_list).enumerate();
        let other = places.filter(|(_, (peer, address))| peer.address != **address);
        other.map(|(node, _)| node).collect()
    }

    pub(super) fn other_list(&self, why: &str) -> Error {
        let (given, known) = (self.list().join(","), self.known_list.join(","));
        Error::BadInput(format!(
            "nothing is changed: this is not the cluster’s list: {why}; given: {given}; the \
             cluster’s: {known}: give the cluster’s list, with another address for a lost node \
             alone"
        ))
    }

    /// Whether the cluster's node of this place answers at an address.
    fn answers_at(&mut self, node: usize, address: &str) -> bool {
        let link = self.transport.connect(address, node);
        let (spare, wait) = (self.peers.len(), self.patience.connect);
        self.peers.push(Peer::new(address, Some(link)));
        self.wait_until_connected(vec![link], self.transport.now() + wait);
        let answer = self.ask(vec![(spare, Message::Who {})], wait).pop();
        self.give_up(spare, "it was asked");
        self.peers.pop();
        let is_it = |answer| match answer {
            (_, Ok(Message::Belongs { member, .. })) => {
                member.cluster == self.cluster && usize::from(member.index) == node
            }
            _ => false,
        };
        answer.is_some_and(is_it)
    }
}

//! A list that is to change the cluster, compared with the cluster's own, place by place.
use super::{Client, Error};
use crate::transport::{Event, Transport};
use crate::wire::{Member, Message, numbered, unnumbered};

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
        let until = self.transport.now() + self.patience.connect;
        let mut member: Option<Member> = None;
        while self.transport.now() < until {
            let left = until.saturating_sub(self.transport.now());
            match self.transport.poll(left) {
                Some(Event::Up(up)) if up == link => {
                    self.transport.send(link, numbered(1, &Message::Who {}))
                }
                Some(Event::Message { link: from, bytes }) if from == link => {
                    if let Some((_, Message::Belongs { member: told, .. })) = unnumbered(&bytes) {
                        member = Some(told)
                    }
                    break;
                }
                Some(Event::Down { link: down, .. }) if down == link => return false,
                Some(Event::Down { link: down, why }) => drop(self.lose(down, why)),
                Some(_) => {}
                None => break,
            }
        }
        self.transport.close(link);
        member.is_some_and(|m| m.cluster == self.cluster && usize::from(m.index) == node)
    }
}

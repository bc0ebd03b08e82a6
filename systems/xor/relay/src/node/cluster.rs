//! A node and its cluster: it says which, and lets in nobody who means another one.
use super::{Node, Refusal, refuse};
use crate::transport::{Link, Transport};
use crate::wire::{Entry, Member, Message};
use xor_protocol::MAX_NODES;

/// Bytes of an address.
const MOST_ADDRESS: usize = 255;

/// "is node 2 of the 5 at a:1, b:1, …" or "is of no cluster and holds nothing".
pub(crate) fn describe(member: &Member) -> String {
    let Member { cluster, nodes, index, addresses } = member;
    let at = match addresses.is_empty() {
        true => String::new(),
        false => format!(" ({})", addresses.join(",")),
    };
    match (cluster, nodes) {
        (0, 0) => "it is of no cluster and holds nothing".into(),
        (0, _) => format!("its objects were written for node {index} of {nodes}"),
        _ => format!("it is node {index} of the {nodes} of cluster {}{at}", short(*cluster)),
    }
}

/// A cluster's number as people are told it: its first 8 digits.
pub(crate) fn short(cluster: u128) -> String {
    format!("{:08x}", cluster >> 96)
}

impl<T: Transport> Node<T> {
    pub(super) fn who(&mut self, link: Link) -> Result<(), Refusal> {
        let (member, versions) = (self.store.member(), self.store.count() as u64);
        self.say(link, &Message::Belongs { member, versions });
        Ok(())
    }

    pub(super) fn enter(&mut self, link: Link, told: Member, force: bool) -> Result<(), Refusal> {
        let (nodes, index) = (usize::from(told.nodes), told.index);
        let is_one = told.cluster != 0 && index < told.nodes && nodes <= MAX_NODES;
        let is_long = told.addresses.iter().any(|address| address.len() > MOST_ADDRESS);
        if !is_one || is_long || told.addresses.len() != nodes {
            return refuse("no cluster, or no place in it");
        }
        let own = self.store.member();
        let place = (own.nodes, own.index) == (told.nodes, told.index);
        let is_same = match own.cluster {
            0 => own.nodes == 0 || place,
            cluster => cluster == told.cluster && place,
        };
        let may_leave = force && self.store.is_empty();
        if !is_same && !may_leave {
            return refuse(describe(&own));
        }
        if own != told {
            self.store.enter(told)?
        }
        self.entered.insert(link);
        self.say(link, &Message::Okay {});
        Ok(())
    }

    /// Whoever changes something has named the cluster before.
    pub(super) fn check_entered(&self, link: Link) -> Result<(), Refusal> {
        match self.entered.contains(&link) {
            true => Ok(()),
            false => refuse("the client has not said which cluster it means"),
        }
    }

    /// What is written here is written for this node's place.
    pub(super) fn check_place(&self, entry: &Entry) -> Result<(), Refusal> {
        match self.store.is_own(entry) {
            true => Ok(()),
            false => refuse(describe(&self.store.member())),
        }
    }
}

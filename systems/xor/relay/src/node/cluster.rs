//! A node's membership of a cluster; it rejects clients of another cluster.
use super::Node;
use super::refusal::{Answer, Refusal, okay, refuse};
use crate::transport::{Link, Transport};
use crate::wire::{Entry, Fault, Member, Message, REPLACED};
use xor_protocol::MAX_NODES;

/// In bytes.
const MOST_ADDRESS: usize = 255;

fn check(requested: &Member, takes: impl Fn(&str) -> bool) -> Result<(), Refusal> {
    let Member { cluster, nodes, least, index, addresses, former, .. } = requested;
    let is_place = index < nodes || *index == REPLACED;
    let is_one = *cluster != 0 && is_place && usize::from(*nodes) <= MAX_NODES && least <= nodes;
    let is_long = addresses.iter().chain(former).any(|address| address.len() > MOST_ADDRESS);
    let is_long = is_long || former.len() > MAX_NODES;
    if let Some(wrong) = addresses.iter().find(|address| !takes(address)) {
        return refuse(format!("{wrong:?} is not an address: expected HOST:PORT"));
    }
    match is_one && !is_long && addresses.len() == usize::from(*nodes) {
        true => Ok(()),
        false => refuse("no cluster, or not a member of one"),
    }
}

/// Whether a node may change its membership from `own` to `requested`; the error is for users.
fn admits(own: &Member, requested: &Member) -> Result<(), String> {
    if own.is_filling() && !requested.is_filling() && requested.index != REPLACED {
        return Err("being filled, and not complete yet".into());
    }
    let is_here = (own.nodes, own.index) == (requested.nodes, requested.index);
    let goes_on = own.index == requested.index || requested.index == REPLACED;
    let may = match own.cluster {
        0 => own.nodes == 0 || is_here,
        cluster if cluster != requested.cluster => false,
        _ if requested.epoch > own.epoch => goes_on && requested.nodes >= own.nodes,
        _ => is_here && requested.epoch == own.epoch,
    };
    let is_old = own.cluster == requested.cluster && requested.epoch < own.epoch;
    match (may, is_old) {
        (true, _) => Ok(()),
        (false, true) => Err(format!("the list of nodes is outdated: {}", own.describe())),
        (false, false) => Err(own.describe()),
    }
}

impl<T: Transport> Node<T> {
    pub(super) fn who(&self) -> Answer {
        let (member, versions) = (self.store.member(), self.store.count() as u64);
        Ok(Some(Message::Membership { member, versions }))
    }

    pub(super) fn enter(&mut self, link: Link, requested: Member, force: bool) -> Answer {
        check(&requested, |address| self.transport.takes_address(address))?;
        let own = self.store.member();
        let may_leave = force && self.store.is_empty();
        if let Err(why) = admits(&own, &requested)
            && !may_leave
        {
            return refuse(why);
        }
        let is_newer = own.cluster == requested.cluster && requested.epoch > own.epoch;
        let begins_filling = requested.is_filling() && !own.is_filling();
        if is_newer || begins_filling {
            self.end_of_epoch(link)
        }
        // Lists are distinguished by the addresses in each place. The first one received stays.
        let is_same = (own.cluster, own.index, own.nodes)
            == (requested.cluster, requested.index, requested.nodes);
        let is_known = is_same && !is_newer && !begins_filling;
        if own != requested && !is_known {
            self.store.enter(requested)?
        }
        self.entered.insert(link);
        okay()
    }

    /// The node has everything that others have, so it counts as evidence from now on.
    pub(super) fn filled(&mut self, link: Link, least: u8) -> Answer {
        self.check_entered(link)?;
        let own = self.store.member();
        if own.is_filling() {
            let member = Member { least, ..own };
            check(&member, |_| true)?;
            if member.is_filling() {
                return refuse("invalid number of nodes");
            }
            self.store.enter(member)?
        }
        okay()
    }

    /// The cluster's list changes: writes of other clients end.
    fn end_of_epoch(&mut self, by: Link) {
        self.entered.clear();
        let others: Vec<Link> = self.sessions.keys().copied().filter(|link| *link != by).collect();
        for link in others {
            let why = "the cluster’s list of nodes has changed: run the command again".into();
            self.fail(link, Refusal { fault: Fault::Asked, why })
        }
    }

    /// A link must name the cluster before it changes anything.
    pub(super) fn check_entered(&self, link: Link) -> Result<(), Refusal> {
        match self.entered.contains(&link) {
            true => Ok(()),
            false => refuse("the client has not named its cluster"),
        }
    }

    /// The entry must be for this node's place.
    pub(super) fn check_place(&self, entry: &Entry) -> Result<(), Refusal> {
        match self.store.is_own(entry) {
            true => Ok(()),
            false => refuse(self.store.member().describe()),
        }
    }
}

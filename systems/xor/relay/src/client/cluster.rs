//! Finds the cluster of the nodes in a list. Nodes of other clusters are ignored or an error.
//!
//! The first write makes the cluster: it draws a number and sends it to node 0, then to the others.
//! If two writers are concurrent, the second at node 0 takes the first one's number.
use super::{Client, Error, random};
use crate::transport::Transport;
use crate::wire::{Member, Message, REPLACED, short};

/// Times that a first write adopts the number of a faster one.
const TRIES: usize = 3;

/// The cluster of most nodes that are in their place. 0 if no node has one; `None` on a tie.
pub(super) fn common(all: usize, members: &[(usize, Member)]) -> Option<u128> {
    let here = |(node, member): &&(usize, Member)| member.is_at(all, *node);
    let named = members.iter().filter(here).map(|(_, member)| member.cluster);
    let named: Vec<u128> = named.filter(|cluster| *cluster != 0).collect();
    let count = |cluster: u128| named.iter().filter(|other| **other == cluster).count();
    let Some(most) = named.iter().copied().max_by_key(|cluster| count(*cluster)) else {
        return Some(0);
    };
    let has_rival = named.iter().any(|other| *other != most && count(*other) == count(most));
    (!has_rival).then_some(most)
}

/// The node belongs to the cluster, but to another place.
fn is_misplaced(all: usize, cluster: u128, node: usize, member: &Member) -> bool {
    let is_one = member.cluster == cluster && usize::from(member.nodes) == all;
    cluster != 0 && is_one && member.index != REPLACED && usize::from(member.index) != node
}

/// The latest membership of the cluster's nodes. That of a node being filled counts only without
/// others.
pub(super) fn newest(all: usize, cluster: u128, members: &[(usize, Member)]) -> Option<&Member> {
    let here =
        |(node, member): &&(usize, Member)| member.cluster == cluster && member.is_at(all, *node);
    let members = members.iter().filter(here).map(|(_, member)| member);
    members.max_by_key(|member| (!member.is_filling(), member.epoch))
}

/// Why a node cannot be used in this place of the cluster; `None` if it can.
fn foreign_reason(all: usize, cluster: u128, node: usize, member: &Member) -> Option<String> {
    let is_new = member.cluster == 0 && member.nodes == 0;
    let is_one = member.cluster == cluster || member.cluster == 0;
    if is_new || is_one && member.is_at(all, node) {
        return None;
    }
    let is_replaced = member.index == REPLACED && member.cluster == cluster;
    Some(match is_replaced {
        true => format!(
            "{}: {}; if that was interrupted, run the same `tenbin relay replace` again",
            member.describe(),
            member.addresses.join(",")
        ),
        false => format!("{}; expected node {node} of {all} by this list", member.describe()),
    })
}

impl<T: Transport> Client<T> {
    /// Finds the cluster of the nodes. Nodes of another cluster or in a wrong place are ignored
    /// from now on.
    ///
    /// # Errors
    /// Too few nodes belong to one cluster in this order.
    pub fn identify(&mut self) -> Result<(), Error> {
        if self.is_identified {
            return Ok(());
        }
        let members = self.query_membership();
        let all = self.peers.len();
        self.known_list.clear();
        let Some(cluster) = common(all, &members) else { return Err(self.two_clusters(&members)) };
        self.cluster = cluster;
        self.is_disordered |= members.iter().any(|(n, m)| is_misplaced(all, cluster, *n, m));
        for (node, member) in &members {
            if let Some(why) = foreign_reason(all, cluster, *node, member) {
                self.mark_foreign(*node, &why)
            }
        }
        if cluster != 0
            && let Some(newest) = newest(all, cluster, &members)
        {
            self.take_list(newest, &members)
        }
        self.leave_out_filling(&members);
        let needed = all - self.layout.losses();
        if self.has_foreign() && self.all_up().len() < needed {
            return Err(Error::BadInput(self.wrong_list()));
        }
        self.is_identified = true;
        Ok(())
    }

    /// Repeats [`Client::identify`]: another client may have changed the list.
    pub(super) fn identify_again(&mut self) -> Result<(), Error> {
        self.is_identified = false;
        self.identify()
    }

    fn mark_foreign(&mut self, node: usize, why: &str) {
        self.give_up(node, why);
        self.peers[node].is_foreign = true
    }

    /// Takes the list from the nodes. A replaced node is foreign, even if it does not know of
    /// the replacement.
    fn take_list(&mut self, newest: &Member, members: &[(usize, Member)]) {
        (self.epoch, self.least) = (newest.epoch, newest.least);
        if newest.is_filling() {
            self.least = newest.nodes
        }
        self.compare_places(members);
        self.known_list.clone_from(&newest.addresses);
        self.former_list.clone_from(&newest.former);
        for (node, address) in newest.addresses.iter().enumerate() {
            if newest.epoch == 0 || *address == self.peers[node].address {
                continue;
            }
            let instead = format!("the cluster’s node {node} is now {address}");
            // A node that lost its membership is foreign, too, unless it is to be filled. A
            // half-filled node of an earlier list is filled again.
            let has_forgotten = |m: &Member| m.cluster == 0 && !self.fills.contains(&node);
            let is_behind = |(n, m): &(usize, Member)| {
                let goes_on = self.fills.contains(&node) && m.is_filling();
                let is_old = m.cluster == newest.cluster && m.epoch < newest.epoch && !goes_on;
                *n == node && (is_old || has_forgotten(m))
            };
            if members.iter().any(is_behind) {
                self.mark_foreign(node, &instead)
            } else if !self.is_up(node) {
                let why = &self.peers[node].why;
                self.peers[node].why = format!("{why}; {instead}")
            }
        }
    }

    /// Marks the places for which other nodes have a different address.
    fn compare_places(&mut self, members: &[(usize, Member)]) {
        let others = members.iter().map(|(_, member)| member);
        let others = others.filter(|m| m.cluster == self.cluster && !m.is_filling());
        let lists: Vec<&Vec<String>> = others.map(|member| &member.addresses).collect();
        for (node, peer) in self.peers.iter_mut().enumerate() {
            let is_other = |list: &&Vec<String>| list.get(node).is_some_and(|a| *a != peer.address);
            peer.has_other_address = lists.iter().any(is_other)
        }
    }

    pub(super) fn query_membership(&mut self) -> Vec<(usize, Member)> {
        let mut members: Vec<(usize, Member)> = Vec::new();
        for (node, answer) in
            self.query_each(self.all_up(), &Message::GetMembership {}, self.patience.answer)
        {
            match answer {
                Ok(Message::Membership { member, versions }) => {
                    self.peers[node].versions = versions;
                    self.peers[node].has_no_cluster = member.cluster == 0;
                    members.push((node, member))
                }
                Ok(_) => self.give_up(node, "does not name its cluster"),
                Err(why) => self.give_up(node, &why),
            }
        }
        members
    }

    fn has_foreign(&self) -> bool {
        self.peers.iter().any(|peer| peer.is_foreign)
    }

    /// Too few nodes. This is bad input if the list names nodes of other clusters.
    pub(super) fn lacking(&self, why: String) -> Error {
        match self.has_foreign() {
            true => Error::BadInput(why + &self.known_list()),
            false => Error::Failed(why),
        }
    }

    fn wrong_list(&self) -> String {
        let why = self.why_missing() + &self.known_list();
        format!("these nodes are not one cluster in its order: {why}")
    }

    fn known_list(&self) -> String {
        match self.is_own_list() {
            true => String::new(),
            false => format!("; cluster {} is {}", short(self.cluster), self.known_list.join(",")),
        }
    }

    fn is_own_list(&self) -> bool {
        let mut places = self.known_list.iter().zip(&self.peers);
        places.all(|(address, peer)| *address == peer.address)
    }

    fn two_clusters(&self, members: &[(usize, Member)]) -> Error {
        let one = |(node, member): &(usize, Member)| {
            format!("{}: {}", self.named(*node), member.describe())
        };
        let all: Vec<String> = members.iter().map(one).collect();
        let advice = "if they are empty, `tenbin relay init --force` makes them one";
        Error::BadInput(format!("these are nodes of two clusters: {}: {advice}", all.join("; ")))
    }

    /// Fails if nodes of the cluster are in each other's places.
    pub(super) fn check_order(&self) -> Result<(), Error> {
        match self.is_disordered {
            true => Err(Error::BadInput(self.wrong_list())),
            false => Ok(()),
        }
    }

    /// Names the cluster to its nodes before a change; makes the cluster if there is none. An empty
    /// node among nodes with objects joins only as a replacement, since the list may be wrong.
    ///
    /// # Errors
    /// The list is not that of a cluster.
    pub(super) fn enter(&mut self, replaced: &[usize]) -> Result<(), Error> {
        self.identify()?;
        self.check_order()?;
        if std::mem::replace(&mut self.has_entered, true) {
            return Ok(());
        }
        self.leave_out_new(replaced);
        let mut refusal = None;
        for _ in 0..TRIES {
            if self.cluster != 0 {
                break;
            }
            refusal = self.begin_cluster()?;
            if refusal.is_none() {
                break;
            }
            self.is_identified = false;
            self.identify()?
        }
        if self.cluster == 0
            && let Some((node, why)) = refusal
        {
            return Err(self.failed_at(node, "cannot make a cluster", &why));
        }
        // A node that will be filled joins when that begins.
        let up = self.all_up().into_iter().filter(|node| !self.fills.contains(node));
        let up: Vec<usize> = up.collect();
        self.tell(&up, false);
        Ok(())
    }

    /// Ignores empty nodes without a cluster if others have objects.
    fn leave_out_new(&mut self, replaced: &[usize]) {
        let has_objects = self.all_up().iter().any(|&node| self.peers[node].versions > 0);
        for node in self.all_up() {
            let peer = &self.peers[node];
            if has_objects && peer.has_no_cluster && peer.versions == 0 && !replaced.contains(&node)
            {
                let advice = format!("`tenbin relay repair --lost {}`", peer.address);
                let why = "in no cluster, and empty; if this node replaces a lost one";
                self.give_up(node, &format!("{why}: {advice}"))
            }
        }
    }

    /// Draws the cluster's number and sends it to the first node. Returns that node and its reason
    /// if it refuses: it knows another cluster, or its disk fails.
    fn begin_cluster(&mut self) -> Result<Option<(usize, String)>, Error> {
        self.cluster = random()?.max(1);
        let up = self.all_up();
        let others = up.iter().find(|node| !self.fills.contains(node));
        let Some(first) = others.or(up.first()).copied() else { return Ok(None) };
        let enter = Message::Enter { member: self.member(first), force: false };
        let refusal = self.query_one(first, enter).err().filter(|_| self.is_up(first));
        Ok(refusal.map(|why| (first, why)))
    }

    pub(super) fn member(&self, node: usize) -> Member {
        Member {
            cluster: self.cluster,
            epoch: self.epoch,
            nodes: self.peers.len() as u8,
            least: if self.fills.contains(&node) { 0 } else { self.least },
            index: node as u8,
            addresses: match self.known_list.is_empty() || self.fills.contains(&node) {
                true => self.list(),
                // Only a client that changes the list sends another one.
                false => self.known_list.clone(),
            },
            former: self.former_list.clone(),
        }
    }

    pub(super) fn list(&self) -> Vec<String> {
        self.peers.iter().map(|peer| peer.address.clone()).collect()
    }

    /// Sends nodes their membership; ignores those that refuse.
    pub(super) fn tell(&mut self, nodes: &[usize], force: bool) {
        let enter = |&node: &usize| (node, Message::Enter { member: self.member(node), force });
        let requests = nodes.iter().map(enter).collect();
        for (node, answer) in self.query(requests, self.patience.answer) {
            self.peers[node].has_no_cluster &= answer.is_err();
            if let Err(why) = answer
                && self.is_up(node)
            {
                self.give_up(node, &why)
            }
        }
    }

    /// Makes these nodes one cluster. `force`: also empty nodes of another cluster. Returns the
    /// cluster's short number.
    ///
    /// # Errors
    /// A node does not answer or belongs to another cluster.
    pub fn init(&mut self, force: bool) -> Result<String, Error> {
        let what = "a cluster needs all its nodes";
        if !force {
            self.identify()?;
            self.need_all(what)?;
            self.enter(&[])?;
            self.need_all(what)?;
            return Ok(self.cluster());
        }
        self.need_all(what)?;
        let members = self.query_membership();
        self.need_all(what)?;
        if let Some((node, member)) =
            members.iter().find(|(node, _)| self.peers[*node].versions > 0)
        {
            let (node, why) = (self.named(*node), member.describe());
            let why = format!("{node} holds objects, and stays unchanged: {why}");
            return Err(Error::BadInput(why));
        }
        (self.is_identified, self.has_entered, self.cluster) = (true, true, random()?.max(1));
        (self.epoch, self.least) = (0, self.peers.len() as u8);
        self.known_list.clear();
        self.former_list.clear();
        let all = self.all_up();
        self.tell(&all, true);
        self.need_all(what)?;
        Ok(self.cluster())
    }

    /// The cluster's short number.
    pub fn cluster(&self) -> String {
        short(self.cluster)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(cluster: u128, nodes: u8, index: u8) -> Member {
        Member { cluster, nodes, least: nodes, index, ..Member::default() }
    }

    #[test]
    fn the_cluster_is_that_of_most_nodes_in_their_place() {
        let of = |members: &[(u128, u8, u8)]| {
            let members = members.iter().enumerate();
            let members = members.map(|(node, &(c, n, i))| (node, member(c, n, i)));
            common(3, &members.collect::<Vec<_>>())
        };
        assert_eq!(of(&[(0, 0, 0), (0, 0, 0), (0, 0, 0)]), Some(0), "new");
        assert_eq!(of(&[(7, 3, 0), (7, 3, 1), (8, 3, 2)]), Some(7), "a foreign node");
        assert_eq!(of(&[(7, 3, 0), (0, 0, 0), (8, 5, 2)]), Some(7), "a replaced one, and of five");
        assert_eq!(of(&[(7, 3, 1), (7, 3, 0), (7, 3, 2)]), Some(7), "two in wrong places");
        assert_eq!(of(&[(7, 3, 0), (8, 3, 1), (0, 0, 0)]), None);
    }

    #[test]
    fn a_list_in_another_order_is_told_from_a_wrong_node() {
        assert!(is_misplaced(5, 7, 2, &member(7, 5, 3)));
        for other in [member(7, 5, 2), member(8, 5, 3), member(7, 5, REPLACED), member(7, 6, 3)] {
            assert!(!is_misplaced(5, 7, 2, &other), "{other:?}");
        }
    }

    #[test]
    fn a_foreign_node_is_detected_by_cluster_or_place() {
        let is_foreign = |member: Member| foreign_reason(5, 7, 2, &member).is_some();
        assert!(!is_foreign(member(7, 5, 2)) && !is_foreign(member(0, 0, 0)));
        assert!(!is_foreign(member(0, 5, 2)), "written before clusters had numbers");
        for other in [member(8, 5, 2), member(7, 5, 3), member(7, 6, 2), member(0, 3, 2)] {
            assert!(is_foreign(other.clone()), "{other:?}");
        }
    }
}

//! The status of a cluster and its problems.
use super::cluster::{common, newest};
use super::{Client, Error};
use crate::transport::Transport;
use crate::wire::{Member, Message, NodeStatus, REPLACED, short};

/// A node with less free space refuses writes \[bytes\].
const FULL: u64 = 64 << 20;
/// Unreadable files named in a problem.
const NAMED: usize = 3;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClusterStatus {
    /// The short number; `None` before the first write.
    pub cluster: Option<String>,
    pub epoch: u32,
    /// The cluster's list as its nodes know it; empty before the first write.
    pub list: Vec<String>,
    /// Losses that it survives.
    pub losses: usize,
    /// By node of the given list: its status, or why there is none.
    pub nodes: Vec<Result<NodeStatus, String>>,
    pub filling: Vec<usize>,
    /// The operator's command that is running, with its address and age.
    pub operator: Option<String>,
    /// Problems, each with its remedy.
    pub wrong: Vec<String>,
}

impl<T: Transport> Client<T> {
    /// Queries all nodes. The second value is an error if this list is not a cluster's.
    pub fn status(&mut self) -> (ClusterStatus, Result<(), Error>) {
        let mut nodes: Vec<Result<NodeStatus, String>> =
            self.peers.iter().map(|peer| Err(peer.why.clone())).collect();
        for (node, answer) in
            self.query_each(self.all_up(), &Message::GetStatus {}, self.patience.answer)
        {
            nodes[node] = match answer {
                Ok(Message::Status { status }) => Ok(status),
                Ok(_) => Err("does not report its status".into()),
                Err(why) => Err(why),
            }
        }
        let status = status_of(&self.list(), self.layout.losses(), nodes);
        (status, self.identify())
    }
}

fn status_of(
    addresses: &[String],
    losses: usize,
    nodes: Vec<Result<NodeStatus, String>>,
) -> ClusterStatus {
    let all = addresses.len();
    let said =
        nodes.iter().enumerate().filter_map(|(node, said)| Some((node, said.as_ref().ok()?)));
    let memberships: Vec<(usize, Member)> =
        said.map(|(node, said)| (node, said.member.clone())).collect();
    let cluster = common(all, &memberships).unwrap_or(0);
    let known = if cluster == 0 { None } else { newest(all, cluster, &memberships).cloned() };
    let is_filling = |node: &usize| {
        let member = memberships.iter().find(|(n, _)| n == node).map(|(_, member)| member);
        member.is_some_and(|member| member.cluster == cluster && member.is_filling())
    };
    let mut wrong = Vec::new();
    for (node, said) in nodes.iter().enumerate() {
        let what = match said {
            Ok(status) => faults(all, node, status, known.as_ref(), &addresses[node]),
            Err(why) => vec![why.clone()],
        };
        wrong
            .extend(what.into_iter().map(|why| format!("node {node} ({}): {why}", addresses[node])))
    }
    wrong.extend(known.as_ref().and_then(growing));
    // If the list is not the cluster's, the nodes still know the right one.
    let members = memberships.iter().map(|(_, member)| member).filter(|member| member.cluster != 0);
    let latest = known.as_ref().or(members.max_by_key(|member| member.epoch));
    let list = latest.map(|member| member.addresses.clone()).unwrap_or_default();
    let busy = nodes.iter().flatten().find(|said| !said.operator.is_empty());
    ClusterStatus {
        cluster: known.as_ref().map(|known| short(known.cluster)),
        epoch: known.as_ref().map_or(0, |known| known.epoch),
        list,
        losses,
        filling: (0..all).filter(is_filling).collect(),
        operator: busy.map(|said| said.operator.clone()),
        nodes,
        wrong,
    }
}

fn faults(
    all: usize,
    node: usize,
    status: &NodeStatus,
    known: Option<&Member>,
    address: &str,
) -> Vec<String> {
    let mut wrong: Vec<String> =
        membership_problem(all, node, &status.member, known, address).into_iter().collect();
    if status.unreadable > 0 {
        let named: Vec<&str> =
            status.unreadable_files.iter().take(NAMED).map(String::as_str).collect();
        let (count, named) = (status.unreadable, named.join(", "));
        let more = if count > NAMED as u64 { ", …" } else { "" };
        wrong.push(format!(
            "{count} records cannot be read ({named}{more}): `tenbin relay scrub` rewrites them, \
             if other nodes have them"
        ))
    }
    if status.disk_total > 0 && status.disk_free < FULL {
        let free = status.disk_free >> 20;
        wrong
            .push(format!("the disk is full ({free} MiB are free): free space, or no put succeeds"))
    }
    wrong
}

/// Why a node is not, or soon will not be, part of the cluster.
fn membership_problem(
    all: usize,
    node: usize,
    member: &Member,
    known: Option<&Member>,
    address: &str,
) -> Option<String> {
    let known = known?;
    let goes_on = "if no operator is at work, run the same command again";
    let is_here = member.is_at(all, node);
    match () {
        () if member.cluster == 0 => Some(format!(
            "{}; if this node replaces a lost one: `tenbin relay repair --lost {address}`",
            member.describe()
        )),
        () if member.cluster != known.cluster || member.index == REPLACED || !is_here => {
            Some(format!("{}; expected node {node} of {all} by this list", member.describe()))
        }
        () if member.is_filling() => Some(format!("being filled, and not complete yet: {goes_on}")),
        () if member.epoch < known.epoch => {
            let (own, epoch) = (member.epoch, known.epoch);
            Some(format!("has list {own} of the cluster, others have list {epoch}: {goes_on}"))
        }
        () => None,
    }
}

/// A growth has not ended: some objects are for fewer nodes.
fn growing(known: &Member) -> Option<String> {
    let Member { least, nodes, .. } = known;
    let is_growing = *least > 0 && least < nodes;
    is_growing.then(|| {
        format!(
            "the cluster grows to {nodes} nodes, and has objects for {least}: if no operator is at \
             work, run the same `tenbin relay grow` again"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(cluster: u128, epoch: u32, index: u8) -> NodeStatus {
        let addresses = (0..3).map(|node| format!("n{node}")).collect();
        let member =
            Member { cluster, epoch, nodes: 3, least: 3, index, addresses, ..Member::default() };
        let (disk_free, disk_total) = (1 << 40, 1 << 41);
        NodeStatus { member, versions: 1, disk_free, disk_total, ..NodeStatus::default() }
    }

    #[test]
    fn what_is_not_as_it_should_be_is_said_of_the_node() {
        let with = |change: &dyn Fn(&mut NodeStatus)| {
            let mut nodes: Vec<_> = (0..3).map(|index| Ok(node(7, 2, index))).collect();
            if let Ok(second) = &mut nodes[1] {
                change(second)
            }
            status_of(&["n0".into(), "n1".into(), "n2".into()], 1, nodes)
        };
        let well = with(&|_| {});
        assert_eq!((well.wrong.len(), well.epoch, well.list.len()), (0, 2, 3));
        type Fault<'f> = &'f dyn Fn(&mut NodeStatus);
        let cases: [(Fault<'_>, &str); 8] = [
            (&|n| n.member.least = 0, "being filled"),
            (&|n| n.member.epoch = 1, "has list 1 of the cluster, others have list 2"),
            (&|n| n.member.cluster = 9, "node 1 of the 3 of cluster 00000000; expected node"),
            (&|n| n.member.index = 2, "expected node 1 of 3"),
            (&|n| n.member.index = REPLACED, "another node has replaced it"),
            (&|n| (n.member.cluster, n.member.nodes) = (0, 0), "`tenbin relay repair --lost n1`"),
            (&|n| n.disk_free = 1 << 20, "the disk is full (1 MiB are free)"),
            (
                &|n| (n.unreadable, n.unreadable_files) = (4, vec!["ab.committed".into(); 4]),
                "4 records cannot be read (ab.committed, ab.committed, ab.committed, …)",
            ),
        ];
        for (change, expected) in cases {
            let status = with(change);
            let [one] = &status.wrong[..] else { panic!("{expected}: {:?}", status.wrong) };
            assert!(one.starts_with("node 1 (n1): ") && one.contains(expected), "{one}");
            assert_eq!(status.filling.len(), usize::from(expected.contains("filled")), "{one}");
        }
    }

    #[test]
    fn nodes_that_nobody_wrote_to_are_no_cluster_and_nothing_is_wrong() {
        let fresh = |_| {
            let mut node = node(0, 0, 0);
            (node.member.nodes, node.member.addresses) = (0, Vec::new());
            Ok(node)
        };
        let addresses = ["n0".into(), "n1".into(), "n2".into()];
        let status = status_of(&addresses, 1, (0..3).map(fresh).collect());
        assert_eq!((status.cluster, status.wrong), (None, Vec::new()));
        let gone = status_of(&addresses, 1, vec![Err("no process listens there".into()); 3]);
        assert_eq!(gone.wrong.len(), 3, "{gone:?}");
    }
}

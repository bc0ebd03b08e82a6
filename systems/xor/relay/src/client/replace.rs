//! Replacement of a node by a new one at another address.
//!
//! ```text
//!  the new list's client   repair, verify            send the list to all ► repair, once more
//!                                   └─────────┐       ▲
//!  the former list's client                   └► inform the replaced node
//! ```
//! Until all nodes know the new list, the former one is valid. Afterwards nodes refuse clients of
//! the former list, and no other client uses the new node until it is complete. So one list at a
//! time takes writes. An unreachable replaced node must be stopped first: clients that reach only
//! this node would continue to use it.
use super::findings::Findings;
use super::survey::FoundVersion;
use super::walk::RepairReport;
use super::{Client, Error, Watch};
use crate::transport::Transport;
use crate::wire::{Message, REPLACED};
use xor_protocol::MAX_NODES;

/// Tries of a step.
const LOOKS: u32 = 4;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplacementReport {
    pub healed: RepairReport,
    /// Blocks read back from the new node and found right.
    pub verified: u64,
    /// The replaced node knows of its replacement.
    pub is_informed: bool,
}

/// Gives a node's place to a new, empty one. `new` is a client of the list with the new address,
/// `former` of the list before. After a failure, repeating the call resumes.
///
/// # Errors
/// A node of the new list does not answer, an object cannot be rebuilt there, or a block read back
/// is wrong.
pub fn replace<T: Transport>(
    new: &mut Client<T>,
    former: &mut Client<T>,
    node: usize,
    watch: Watch<'_>,
) -> Result<ReplacementReport, Error> {
    let what = format!("replace {} --with {}", former.address(node), new.address(node));
    let nodes = former.all_up();
    former.lock(&nodes, &what)?;
    let replaced = match new.lock(&[node], &what) {
        Ok(()) => replace_locked(new, former, node, watch),
        Err(e) => Err(e),
    };
    new.unlock(&[node]);
    former.unlock(&nodes);
    replaced
}

/// The findings of a replacement; changes nothing.
///
/// # Errors
/// The lists are wrong, or a node of the new one does not answer.
pub fn look_before_replacing<T: Transport>(
    new: &mut Client<T>,
    former: &mut Client<T>,
    node: usize,
) -> Result<Findings, Error> {
    check(new, former, node)?;
    // Includes the replaced node while it answers.
    match former.is_up(node) {
        true => former.look(&[]).map(|found| Findings { parts: found.objects, ..found }),
        false => new.look(&[node]),
    }
}

/// Checks that the lists differ from the cluster's only in this place, and that all other nodes
/// answer.
fn check<T: Transport>(
    new: &mut Client<T>,
    former: &mut Client<T>,
    node: usize,
) -> Result<(), Error> {
    new.will_fill(&[node]);
    new.identify_again()?;
    new.check_order()?;
    new.check_places(&[node])?;
    former.identify_again()?;
    let is_place = |known: &String| {
        let is_named = [former.address(node), new.address(node)].contains(&known.as_str());
        is_named || former.is_up(node) && !former.peers[node].has_no_cluster
    };
    if !new.known_list.get(node).is_none_or(is_place) {
        let (known, here) = (&new.known_list[node], former.address(node));
        return Err(new
            .other_list(&format!("node {node} is {known} in the cluster and {here} in the list")));
    }
    new.need_all("a replacement needs all other nodes")
}

fn replace_locked<T: Transport>(
    new: &mut Client<T>,
    former: &mut Client<T>,
    node: usize,
    watch: Watch<'_>,
) -> Result<ReplacementReport, Error> {
    let what = "a replacement needs all other nodes";
    check(new, former, node)?;
    if former.is_up(node) {
        // While it answers, it is a source, too.
        former.enter(&[])?;
        let nodes = former.all_up();
        whole(former, &nodes, "no changes were made", watch)?;
    }
    new.begin_filling(&[node])?;
    let mut healed = whole(new, &[node], "the list is unchanged", watch)?;
    let verified = steadily(|| new.verify_node(node, watch))?;
    new.need_all(what)?;
    let is_informed = former.retire(node, new)?;
    new.begin_epoch()?;
    // Objects written with the former list meanwhile.
    let which = "the list is the new one; run the same command again";
    healed.add(whole(new, &[node], which, watch)?);
    new.end_filling(&[node], &healed)?;
    Ok(ReplacementReport { healed, verified, is_informed })
}

/// Rebuilds everything these nodes lack. If something is missing, the error states which list is
/// valid.
fn whole<T: Transport>(
    client: &mut Client<T>,
    nodes: &[usize],
    which: &str,
    watch: Watch<'_>,
) -> Result<RepairReport, Error> {
    let mut all = RepairReport::default();
    steadily(|| {
        all.add(client.rebuild_missing(nodes, watch)?);
        let out = all.out_of_reach.iter().map(|name| format!("{name:?} is out of reach"));
        let wrong: Vec<String> = all.failed.iter().cloned().chain(out).collect();
        match wrong.is_empty() {
            true => Ok(()),
            false => Err(Error::Failed(format!(
                "not all parts could be rebuilt, and {which}: {}",
                wrong.join("; ")
            ))),
        }
    })?;
    Ok(all)
}

/// Retries a failed step: a client may have overwritten or removed an object during the read.
fn steadily<R>(mut step: impl FnMut() -> Result<R, Error>) -> Result<R, Error> {
    let mut last = step();
    for _ in 1..LOOKS {
        match last {
            Err(Error::Failed(_)) => last = step(),
            done => return done,
        }
    }
    last
}

impl<T: Transport> Client<T> {
    fn verify_node(&mut self, node: usize, watch: Watch<'_>) -> Result<u64, Error> {
        let is_there = |found: &FoundVersion| node < found.states.len();
        let verified = self.walk(watch, is_there, |client, found, verified, course| {
            client.verify(found, &[node], verified, course).map(drop)
        })?;
        match verified.bad == 0 && verified.unverified.is_empty() {
            true => Ok(verified.blocks),
            false => {
                let (bad, all) = (verified.bad, verified.blocks);
                let why =
                    format!("{bad} of {all} blocks differ from those sent: is its disk failing?");
                Err(self.failed_at(node, "cannot replace a node", &why))
            }
        }
    }

    /// Informs a node of its replacement if it answers. Returns whether it knows.
    fn retire(&mut self, node: usize, new: &Client<T>) -> Result<bool, Error> {
        self.identify()?;
        if !self.is_up(node) {
            return Ok(self.peers[node].is_foreign);
        }
        let mut member = new.member(node);
        (member.epoch, member.index, member.least) = (new.epoch + 1, REPLACED, new.least);
        let what = "cannot be replaced";
        match self.query_one(node, Message::Enter { member, force: false }) {
            Ok(Message::Okay {}) => Ok(true),
            Ok(_) => Err(self.failed_at(node, what, "unexpected answer")),
            Err(why) => Err(self.failed_at(node, what, &why)),
        }
    }

    /// Sends the changed list to all nodes, which must answer.
    pub(super) fn begin_epoch(&mut self) -> Result<(), Error> {
        self.tell_epoch();
        self.need_all("not all nodes have the new list: run the same command again")
    }

    /// Like [`Client::begin_epoch`], but silent nodes learn the list later.
    pub(super) fn tell_epoch(&mut self) {
        self.epoch += 1;
        let list = self.list();
        let other = self.other_places().into_iter().filter(|node| self.fills.contains(node));
        let replaced: Vec<String> = other.map(|node| self.known_list[node].clone()).collect();
        self.former_list.extend(replaced);
        self.former_list.retain(|address| !list.contains(address));
        let most = self.former_list.len().saturating_sub(MAX_NODES);
        self.former_list.drain(..most);
        self.known_list = list;
        let all = self.all_up();
        self.tell(&all, false)
    }
}

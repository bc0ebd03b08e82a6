//! What the nodes together have of a name.
use super::{Client, Error};
use crate::transport::Transport;
use crate::wire::{Entry, Message};
use std::collections::BTreeMap;
use xor_protocol::commit::{Held, Verdict, Version, quorum};

/// A version as the nodes together have it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// What a node says of it; index and state are that node's.
    pub entry: Entry,
    /// By node.
    pub said: Vec<Held>,
    /// Whether it is there.
    pub verdict: Verdict,
}

/// How well an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Health {
    /// All nodes have it.
    Good,
    /// Readable; so many nodes lack it or do not answer.
    Degraded(usize),
}

impl Found {
    /// How well it is.
    pub fn health(&self) -> Health {
        match self.said.iter().filter(|h| **h != Held::Committed).count() {
            0 => Health::Good,
            lacking => Health::Degraded(lacking),
        }
    }
}

/// What can be done about a name now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reach {
    /// It can be read: the newest version that is there.
    Whole(Box<Found>),
    /// Its writer is at work, and it was not there before.
    BeingWritten,
    /// Too few nodes answer to read it, or to tell whether it is there.
    Out,
    /// It is not there; what is left of it will be discarded.
    Gone,
}

/// What the nodes together have.
#[derive(Clone, Default, Debug)]
pub struct Survey {
    /// All versions of all names, the newest version first.
    pub objects: BTreeMap<String, Vec<Found>>,
    /// What was written to another list of nodes and lies here.
    pub foreign: Vec<Foreign>,
}

/// A version that was written for another place, or among other nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Foreign {
    /// The node that holds it.
    pub node: usize,
    /// What it says of it.
    pub entry: Entry,
}

impl Survey {
    /// What can be done about a name.
    pub fn reach(&self, name: &str) -> Reach {
        let versions = self.objects.get(name).map_or(&[][..], Vec::as_slice);
        if let Some(found) = versions.iter().find(|f| f.verdict == Verdict::Whole) {
            return Reach::Whole(Box::new(found.clone()));
        }
        let attended = Held::Prepared { is_attended: true };
        let open = || versions.iter().filter(|f| f.verdict == Verdict::Open);
        match open().count() {
            0 => Reach::Gone,
            _ if open().all(|f| f.said.contains(&attended)) => Reach::BeingWritten,
            _ => Reach::Out,
        }
    }

    /// Objects that can be read, by name.
    pub fn whole(&self) -> Vec<Found> {
        let reach = |name: &String| match self.reach(name) {
            Reach::Whole(found) => Some(*found),
            _ => None,
        };
        self.objects.keys().filter_map(reach).collect()
    }

    /// Names of objects that are out of reach.
    pub fn out_of_reach(&self) -> Vec<&str> {
        let is_out = |name: &&String| self.reach(name) == Reach::Out;
        self.objects.keys().filter(is_out).map(String::as_str).collect()
    }
}

/// By version: what each node says.
type Said = BTreeMap<Version, (Entry, Vec<Held>)>;

impl<T: Transport> Client<T> {
    /// All versions of a name, the newest first.
    ///
    /// # Errors
    /// The list is no cluster's.
    pub fn survey(&mut self, name: &str) -> Result<Vec<Found>, Error> {
        Ok(self.survey_name(name)?.objects.remove(name).unwrap_or_default())
    }

    fn survey_name(&mut self, name: &str) -> Result<Survey, Error> {
        self.identify()?;
        let stat = Message::Stat { name: name.into() };
        let asks = self.all_up().into_iter().map(|node| (node, stat.clone())).collect();
        let mut gathered = Gathered::of(self.peers.len(), self.least);
        for (node, answer) in self.ask(asks, self.patience.answer) {
            if let Ok(Message::Entries { entries, .. }) = answer {
                gathered.add(node, entries)
            }
        }
        Ok(self.judged(gathered))
    }

    /// All versions of all names, and what is foreign.
    ///
    /// # Errors
    /// The list is no cluster's.
    pub fn survey_all(&mut self) -> Result<Survey, Error> {
        self.identify()?;
        let mut gathered = Gathered::of(self.peers.len(), self.least);
        for node in self.all_up() {
            let mut after = String::new();
            loop {
                let ask = vec![(node, Message::List { after: after.clone() })];
                let answer = self.ask(ask, self.patience.answer).pop();
                let Some((_, Ok(Message::Entries { entries, more }))) = answer else {
                    self.give_up(node, "it does not list its objects");
                    gathered.answered[node] = false;
                    break;
                };
                after = entries.last().map_or(after, |e| e.name.clone());
                gathered.add(node, entries);
                if !more {
                    break;
                }
            }
        }
        Ok(self.judged(gathered))
    }

    /// Removes what lies under this name and was written to another list of nodes; returns how many
    /// nodes' parts that were.
    ///
    /// # Errors
    /// There is none.
    pub fn remove_foreign(&mut self, name: &str) -> Result<usize, Error> {
        self.enter(&[])?;
        let foreign = self.survey_name(name)?.foreign;
        if foreign.is_empty() {
            return Err(Error::BadInput(format!("nothing foreign has the name {name:?}")));
        }
        let settle = |f: &Foreign| {
            let Entry { name, version, .. } = f.entry.clone();
            (f.node, Message::Settle { name, version, commit: false })
        };
        let mut removed = 0;
        // One a node at a time.
        for one in &foreign {
            let done = self.ask(vec![settle(one)], self.patience.answer);
            removed += done.iter().filter(|(_, a)| matches!(a, Ok(Message::Okay {}))).count()
        }
        match removed == foreign.len() {
            true => Ok(removed),
            false => Err(Error::Failed(format!("{removed} of {} parts went", foreign.len()))),
        }
    }

    fn judged(&self, Gathered { all, foreign, answered, .. }: Gathered) -> Survey {
        let judge = |(name, said)| (name, self.versions(said, &answered));
        Survey { objects: all.into_iter().map(judge).collect(), foreign }
    }

    fn versions(&self, said: Said, answered: &[bool]) -> Vec<Found> {
        let mut found = Vec::new();
        for (entry, mut held) in said.into_values().rev() {
            for (node, held) in held.iter_mut().enumerate() {
                if !answered[node] || *held == Held::Nothing && self.knows_nothing(node) {
                    *held = Held::Unknown
                }
            }
            let verdict = self.verdict_of(losses(&entry), &held);
            found.push(Found { entry, said: held, verdict })
        }
        found
    }

    /// Whether a node that has nothing of an object is no evidence that the object is gone: it is
    /// being filled, and nobody has taken the loss; or it is new and all others are of a cluster.
    fn knows_nothing(&self, node: usize) -> bool {
        let is_new = self.peers[node].is_untold && self.peers[node].versions == 0;
        !self.accepts_loss && self.fills.contains(&node) || self.cluster != 0 && is_new
    }

    /// "2 of 5 nodes answer, 3 are needed: …", if that is so.
    pub fn shortage(&self) -> Option<String> {
        let needed = self.layout.nodes() - self.layout.losses();
        let answering = self.all_up().len();
        let missing: Vec<String> = self.missing().into_iter().map(|(_, why)| why).collect();
        (answering < needed).then(|| {
            let (all, why) = (self.layout.nodes(), missing.join("; "));
            format!("{answering} of {all} nodes answer, {needed} are needed: {why}")
        })
    }

    /// The version that is read: the newest that is there.
    ///
    /// # Errors
    /// There is none, or too few nodes answer to tell.
    pub fn find(&mut self, name: &str) -> Result<Found, Error> {
        let versions = self.survey(name)?;
        if let Some(found) = versions.iter().find(|f| f.verdict == Verdict::Whole) {
            return Ok(found.clone());
        }
        if let Some(why) = self.shortage() {
            return Err(self.lacking(why));
        }
        Err(Error::BadInput(match versions.first() {
            Some(found) => format!("{name:?} {}", doubt(found)),
            None => format!("no object has the name {name:?}"),
        }))
    }

    /// Ends doubts about a name: completes what any node has made visible, discards what cannot
    /// come any more. Needs a quorum; without it nothing happens.
    ///
    /// # Errors
    /// As for [`Client::survey`].
    pub(super) fn settle(&mut self, name: &str) -> Result<(), Error> {
        let versions = self.survey(name)?;
        self.settle_found(&versions);
        Ok(())
    }

    pub(super) fn settle_found(&mut self, versions: &[Found]) {
        for found in versions {
            let prepared = |h: &Held| matches!(h, Held::Prepared { .. });
            let nodes: Vec<usize> = (0..found.said.len())
                .filter(|&node| match found.verdict {
                    Verdict::Whole => prepared(&found.said[node]),
                    Verdict::Absent => !matches!(found.said[node], Held::Unknown | Held::Nothing),
                    Verdict::Open => false,
                })
                .collect();
            let Entry { name, version, .. } = found.entry.clone();
            let commit = found.verdict == Verdict::Whole;
            let message = Message::Settle { name, version, commit };
            let asks = nodes.into_iter().map(|node| (node, message.clone())).collect();
            self.ask(asks, self.patience.answer);
        }
        self.drop_superseded(versions)
    }

    /// Once the newest version that is there is everywhere, older ones go; its writer may have died
    /// before it said so.
    fn drop_superseded(&mut self, versions: &[Found]) {
        let Some(at) = versions.iter().position(|f| f.verdict == Verdict::Whole) else { return };
        let newest = &versions[at];
        let is_everywhere = newest.said.iter().all(|h| crate::node::is_readable(*h));
        if !is_everywhere || at + 1 == versions.len() {
            return;
        }
        let Entry { name, version, .. } = newest.entry.clone();
        let message = Message::Settle { name, version, commit: true };
        let asks = self.all_up().into_iter().map(|node| (node, message.clone())).collect();
        self.ask(asks, self.patience.answer);
    }

    /// Removes an object; returns the nodes that were away, and may still have their part of it.
    ///
    /// # Errors
    /// There is none, or too few nodes answer to be sure that it is gone.
    pub fn remove(&mut self, name: &str) -> Result<Vec<usize>, Error> {
        self.enter(&[])?;
        let versions = self.survey(name)?;
        let Some(newest) = versions.iter().find(|f| f.verdict == Verdict::Whole) else {
            self.find(name)?;
            return Err(Error::BadInput(format!("no object has the name {name:?}")));
        };
        // Of the nodes that it was written for, which may be fewer than there are by now.
        let all = usize::from(newest.entry.nodes);
        let needed = quorum(all, losses(&newest.entry));
        let holders = |nodes: Vec<usize>| nodes.into_iter().filter(|node| *node < all).count();
        let answering = holders(self.all_up());
        if answering < needed {
            let why = format!("{answering} of {all} nodes answer, to remove takes {needed}");
            return Err(Error::Failed(why));
        }
        let remove = Message::Remove { name: name.into(), upto: newest.entry.version };
        let asks = self.all_up().into_iter().map(|node| (node, remove.clone())).collect();
        let done = self.ask(asks, self.patience.answer);
        let done = done.into_iter().filter(|(_, a)| matches!(a, Ok(Message::Okay {})));
        let done: Vec<usize> = done.map(|(node, _)| node).collect();
        let removed = holders(done.clone());
        match removed >= needed {
            true => Ok((0..all).filter(|node| !done.contains(node)).collect()),
            false => Err(Error::Failed(format!(
                "{removed} nodes have removed it, {needed} are needed: run it again"
            ))),
        }
    }
}

/// Why a version is not there although nodes have something of it.
fn doubt(found: &Found) -> &'static str {
    let is_attended = found.said.contains(&Held::Prepared { is_attended: true });
    match (is_attended, found.said.contains(&Held::Committed)) {
        (true, _) => "is being written",
        (false, false) => "was not written to its end",
        (false, true) => {
            "may have been removed while nodes were away: of what one of them still has, `tenbin \
             relay scrub` makes an end"
        }
    }
}

/// What nodes have said so far.
struct Gathered {
    all: BTreeMap<String, Said>,
    foreign: Vec<Foreign>,
    answered: Vec<bool>,
    /// Nodes that an object was written for, at least.
    least: usize,
}

impl Gathered {
    fn of(nodes: usize, least: u8) -> Gathered {
        let (answered, least) = (vec![false; nodes], usize::from(least));
        Gathered { all: BTreeMap::new(), foreign: Vec::new(), answered, least }
    }

    /// Each node holds its own column; what was written for another one is foreign.
    fn add(&mut self, node: usize, entries: Vec<Entry>) {
        let nodes = self.answered.len();
        self.answered[node] = true;
        for entry in entries {
            let is_own = (self.least..=nodes).contains(&usize::from(entry.nodes));
            if is_own && usize::from(entry.index) == node && node < usize::from(entry.nodes) {
                note(self.all.entry(entry.name.clone()).or_default(), node, entry)
            } else {
                self.foreign.push(Foreign { node, entry })
            }
        }
    }
}

fn note(all: &mut Said, node: usize, entry: Entry) {
    let (held, nodes) = (entry.held, usize::from(entry.nodes));
    let (_, said) = all.entry(entry.version).or_insert_with(|| (entry, vec![Held::Nothing; nodes]));
    // Two nodes that say different things of one version: what the first says counts.
    if let Some(of_node) = said.get_mut(node) {
        *of_node = held
    }
}

/// Nodes that an object may lose.
fn losses(entry: &Entry) -> usize {
    if entry.rule == 0 { 1 } else { 2 }
}

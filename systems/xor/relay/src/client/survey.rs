//! What the nodes together have of a name.
use super::{Client, Error};
use crate::transport::Transport;
use crate::wire::{Entry, Message};
use std::collections::BTreeMap;
use xor_protocol::commit::{Held, Verdict, Version, quorum, verdict};

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

/// By version: what each node says.
type Said = BTreeMap<Version, (Entry, Vec<Held>)>;

impl<T: Transport> Client<T> {
    /// All versions of a name, the newest first.
    ///
    /// # Errors
    /// A node is not the one that its place in the list says.
    pub fn survey(&mut self, name: &str) -> Result<Vec<Found>, Error> {
        let stat = Message::Stat { name: name.into() };
        let asks = self.all_up().into_iter().map(|node| (node, stat.clone())).collect();
        let mut said = Said::new();
        let mut answered = vec![false; self.peers.len()];
        for (node, answer) in self.ask(asks, self.patience.answer) {
            match answer {
                Ok(Message::Entries { entries, .. }) => {
                    answered[node] = true;
                    entries.iter().try_for_each(|entry| self.check_place(node, entry))?;
                    entries.into_iter().for_each(|e| note(&mut said, self.peers.len(), node, e))
                }
                Ok(_) => self.give_up(node, "it answers something else"),
                Err(why) => self.give_up(node, &why),
            }
        }
        Ok(self.judged(said, &answered))
    }

    /// All versions of all names, by name, the newest version first.
    ///
    /// # Errors
    /// As for [`Client::survey`].
    pub fn survey_all(&mut self) -> Result<BTreeMap<String, Vec<Found>>, Error> {
        let mut all: BTreeMap<String, Said> = BTreeMap::new();
        let mut answered = vec![false; self.peers.len()];
        for node in self.all_up() {
            let mut after = String::new();
            loop {
                let ask = vec![(node, Message::List { after: after.clone() })];
                let answer = self.ask(ask, self.patience.answer).pop();
                let Some((_, Ok(Message::Entries { entries, more }))) = answer else {
                    self.give_up(node, "it does not list its objects");
                    answered[node] = false;
                    break;
                };
                answered[node] = true;
                entries.iter().try_for_each(|entry| self.check_place(node, entry))?;
                after = entries.last().map_or(after, |e| e.name.clone());
                let nodes = self.peers.len();
                entries.into_iter().for_each(|entry| {
                    note(all.entry(entry.name.clone()).or_default(), nodes, node, entry)
                });
                if !more {
                    break;
                }
            }
        }
        all.into_iter().map(|(name, said)| Ok((name, self.judged(said, &answered)))).collect()
    }

    fn judged(&self, said: Said, answered: &[bool]) -> Vec<Found> {
        let mut found = Vec::new();
        for (entry, mut held) in said.into_values().rev() {
            for (node, held) in held.iter_mut().enumerate() {
                if !answered[node] {
                    *held = Held::Unknown
                }
            }
            let verdict = verdict(self.layout.losses(), &held);
            found.push(Found { entry, said: held, verdict })
        }
        found
    }

    /// Each node holds its own column: addresses in another order would mix columns.
    fn check_place(&self, node: usize, entry: &Entry) -> Result<(), Error> {
        let (all, index) = (usize::from(entry.nodes), usize::from(entry.index));
        if (all, index) == (self.layout.nodes(), node) {
            return Ok(());
        }
        Err(Error::BadInput(format!(
            "{} is node {index} of the {all} that {:?} was written to, and stands in place {node} \
             of {}: give all addresses, in the order in which they were given then",
            self.peers[node].address,
            entry.name,
            self.layout.nodes()
        )))
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
        let needed = self.layout.nodes() - self.layout.losses();
        let answering = self.all_up().len();
        if answering < needed {
            let missing: Vec<String> = self.missing().into_iter().map(|(_, why)| why).collect();
            return Err(Error::Failed(format!(
                "{answering} of {} nodes answer, {needed} are needed: {}",
                self.layout.nodes(),
                missing.join("; ")
            )));
        }
        Err(Error::BadInput(match versions.first() {
            Some(_) => format!("{name:?} is being written, or was not written to its end"),
            None => format!("no object has the name {name:?}"),
        }))
    }

    /// Ends doubts about a name: completes what any node has made visible, discards what cannot
    /// come any more. Needs a quorum; without it nothing happens.
    ///
    /// # Errors
    /// As for [`Client::survey`].
    pub fn settle(&mut self, name: &str) -> Result<(), Error> {
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

    /// Removes an object.
    ///
    /// # Errors
    /// There is none, or too few nodes answer to be sure that it is gone.
    pub fn remove(&mut self, name: &str) -> Result<(), Error> {
        let versions = self.survey(name)?;
        let Some(newest) = versions.iter().find(|f| f.verdict == Verdict::Whole) else {
            self.find(name)?;
            return Err(Error::BadInput(format!("no object has the name {name:?}")));
        };
        let needed = quorum(self.layout.nodes(), self.layout.losses());
        let answering = self.all_up().len();
        if answering < needed {
            let all = self.layout.nodes();
            let why = format!("{answering} of {all} nodes answer, to remove takes {needed}");
            return Err(Error::Failed(why));
        }
        let remove = Message::Remove { name: name.into(), upto: newest.entry.version };
        let asks = self.all_up().into_iter().map(|node| (node, remove.clone())).collect();
        let done = self.ask(asks, self.patience.answer);
        let removed = done.iter().filter(|(_, a)| matches!(a, Ok(Message::Okay {}))).count();
        match removed >= needed {
            true => Ok(()),
            false => Err(Error::Failed(format!(
                "{removed} nodes have removed it, {needed} are needed: run it again"
            ))),
        }
    }
}

fn note(all: &mut Said, nodes: usize, node: usize, entry: Entry) {
    let held = entry.held;
    let (_, said) = all.entry(entry.version).or_insert_with(|| (entry, vec![Held::Nothing; nodes]));
    said[node] = held
}

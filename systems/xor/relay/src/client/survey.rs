//! Surveys: the versions of a name on all nodes.
use super::{Client, Error};
use crate::transport::Transport;
use crate::wire::{Entry, Message, Resolution};
use std::collections::{BTreeMap, BTreeSet};
use xor_protocol::commit::{ReplicaState, Verdict, Version, quorum};
use xor_protocol::keep::{self, JudgedVersion};

pub use xor_protocol::keep::Availability;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundVersion {
    /// As a node describes it; `index` and `held` are that node's.
    pub entry: Entry,
    pub states: Vec<ReplicaState>,
    pub verdict: Verdict,
}

impl FoundVersion {
    pub(super) fn nodes(&self, are: impl Fn(ReplicaState) -> bool) -> Vec<usize> {
        let all = self.states.iter().enumerate().filter(|(_, held)| are(**held));
        all.map(|(node, _)| node).collect()
    }

    /// Nodes with something of it.
    pub(super) fn holders(&self) -> Vec<usize> {
        self.nodes(|held| held != ReplicaState::Unknown && held.is_something())
    }

    pub(super) fn is_left(&self) -> bool {
        !self.holders().is_empty()
    }

    /// Nodes that lack it or do not answer.
    pub fn lacking(&self) -> Vec<usize> {
        self.nodes(|held| held != ReplicaState::Committed)
    }
}

#[derive(Clone, Default, Debug)]
pub struct Survey {
    /// By name, the newest version first.
    pub objects: BTreeMap<String, Vec<FoundVersion>>,
    /// Names with nothing left except marks.
    pub marks: BTreeMap<String, Vec<FoundVersion>>,
    /// Versions of another list of nodes.
    pub foreign: Vec<Foreign>,
    /// Unreadable records of versions that no other node has; they are kept.
    pub unexplained: Vec<Unreadable>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// The node with the record.
    pub node: usize,
    /// Id of the version; its files have this name.
    pub id: u128,
    /// `None`: no other node has the version.
    pub object: Option<String>,
}

/// A version for another place or among other nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Foreign {
    pub node: usize,
    pub entry: Entry,
}

impl Survey {
    pub fn availability(&self, name: &str) -> Availability {
        availability(self.objects.get(name).map_or(&[], Vec::as_slice))
    }

    /// Readable objects, by name.
    pub fn whole(&self) -> Vec<FoundVersion> {
        let whole = |versions: &Vec<FoundVersion>| match availability(versions) {
            Availability::Readable(at) => Some(versions[at].clone()),
            _ => None,
        };
        self.objects.values().filter_map(whole).collect()
    }

    /// Versions of unreachable objects that would stay so if all nodes except `lost` came back.
    pub fn given_up(&self, lost: &[usize]) -> Vec<(&str, Vec<&FoundVersion>)> {
        let is_hopeless = |found: &&FoundVersion| {
            let FoundVersion { entry, states, verdict } = found;
            *verdict == Verdict::Undecided && !keep::may_come_back(entry.losses(), states, lost)
        };
        let out =
            self.objects.iter().filter(|(_, all)| availability(all) == Availability::Unavailable);
        let all = out.map(|(name, all)| (&name[..], all.iter().filter(is_hopeless).collect()));
        all.filter(|(_, versions): &(&str, Vec<&FoundVersion>)| !versions.is_empty()).collect()
    }

    pub fn out_of_reach(&self) -> Vec<String> {
        let out =
            self.objects.iter().filter(|(_, all)| availability(all) == Availability::Unavailable);
        out.map(|(name, _)| name.clone()).collect()
    }
}

/// By version: each node's entry.
type Reports = BTreeMap<Version, Vec<(usize, Entry)>>;

impl<T: Transport> Client<T> {
    /// Versions of a name, the newest first.
    ///
    /// # Errors
    /// The list is not a cluster's.
    pub fn survey(&mut self, name: &str) -> Result<Vec<FoundVersion>, Error> {
        let mut survey = self.survey_name(name)?;
        let versions = survey.objects.remove(name).or_else(|| survey.marks.remove(name));
        Ok(versions.unwrap_or_default())
    }

    fn survey_name(&mut self, name: &str) -> Result<Survey, Error> {
        self.identify()?;
        let stat = Message::Stat { name: name.into() };
        let mut gathered = Gathered::of(self.peers.len(), self.least);
        for (node, answer) in self.query_each(self.all_up(), &stat, self.patience.answer) {
            if let Ok(Message::Entries { entries, unreadable, .. }) = answer {
                gathered.add(node, entries, unreadable)
            }
        }
        Ok(self.judged(gathered))
    }

    /// Versions of all names, and foreign ones.
    ///
    /// # Errors
    /// The list is not a cluster's.
    pub fn survey_all(&mut self) -> Result<Survey, Error> {
        self.identify()?;
        let mut gathered = Gathered::of(self.peers.len(), self.least);
        for node in self.all_up() {
            let mut after = String::new();
            loop {
                let answer = self.query_one(node, Message::List { after: after.clone() });
                let (entries, more, unreadable) = match answer {
                    Ok(Message::Entries { entries, more, unreadable }) => {
                        (entries, more, unreadable)
                    }
                    other => {
                        let why = other.err().unwrap_or_default();
                        self.give_up(node, &format!("does not list its objects: {why}"));
                        gathered.answered[node] = false;
                        break;
                    }
                };
                after = entries.last().map_or(after, |e| e.name.clone());
                gathered.add(node, entries, unreadable);
                if !more {
                    break;
                }
            }
        }
        Ok(self.judged(gathered))
    }

    /// Removes versions of this name that belong to another list of nodes. Returns the number of
    /// removed parts.
    pub fn remove_foreign(&mut self, name: &str) -> Result<usize, Error> {
        self.enter(&[])?;
        let foreign = self.survey_name(name)?.foreign;
        if foreign.is_empty() {
            return Err(Error::BadInput(format!("no foreign part has the name {name:?}")));
        }
        let resolve = |f: &Foreign, how: Resolution| {
            let Entry { name, version, .. } = f.entry.clone();
            Message::Resolve { name, version, how }
        };
        let mut removed = 0;
        // One node at a time: no quorum is needed.
        for one in &foreign {
            let done = self.query_one(one.node, resolve(one, Resolution::Discard));
            removed += usize::from(done == Ok(Message::Okay {}));
            // A remaining mark is harmless.
            let _ = self.query_one(one.node, resolve(one, Resolution::Forget));
        }
        match removed == foreign.len() {
            true => Ok(removed),
            false => {
                Err(Error::Failed(format!("{removed} of {} parts were removed", foreign.len())))
            }
        }
    }

    fn judged(&self, gathered: Gathered) -> Survey {
        let Gathered { all, foreign, answered, unreadable, .. } = gathered;
        let unexplained = unexplained(&all, &unreadable);
        let mut survey = Survey { foreign, unexplained, ..Survey::default() };
        for (name, reports) in all {
            let versions = self.versions(reports, &answered, &unreadable);
            match versions.iter().any(FoundVersion::is_left) {
                true => survey.objects.insert(name, versions),
                false => survey.marks.insert(name, versions),
            };
        }
        survey
    }

    fn versions(
        &self,
        reports: Reports,
        answered: &[bool],
        unreadable: &[BadRecord],
    ) -> Vec<FoundVersion> {
        let mut all = Vec::new();
        for (entry, mut held) in reports.into_values().rev().filter_map(agreed) {
            for (node, id, record) in unreadable {
                if *id == entry.version.id && held.get(*node) == Some(&ReplicaState::Nothing) {
                    held[*node] = *record
                }
            }
            for (node, held) in held.iter_mut().enumerate() {
                if !answered[node] || *held == ReplicaState::Nothing && self.is_new(node) {
                    *held = ReplicaState::Unknown
                }
            }
            all.push((entry, held))
        }
        self.judge(all)
    }

    pub(super) fn judge(&self, all: Vec<(Entry, Vec<ReplicaState>)>) -> Vec<FoundVersion> {
        let list = |nodes: &BTreeSet<usize>| nodes.iter().copied().collect::<Vec<usize>>();
        let (filled, copies) = (list(&self.fills), list(&self.copies));
        let evidence: Vec<Vec<ReplicaState>> =
            all.iter().map(|(_, states)| keep::evidence(states, &filled, &copies)).collect();
        let of =
            all.iter().zip(&evidence).map(|((entry, _), states)| (entry.losses(), &states[..]));
        let verdicts: Vec<Verdict> = keep::verdicts(of).iter().map(|v| v.verdict).collect();
        let found = |((entry, states), verdict)| FoundVersion { entry, states, verdict };
        all.into_iter().zip(verdicts).map(found).collect()
    }

    /// A node without objects or a cluster, while others have one: its missing objects are no
    /// evidence.
    fn is_new(&self, node: usize) -> bool {
        self.cluster != 0 && self.peers[node].has_no_cluster && self.peers[node].versions == 0
    }

    /// "2 of 5 nodes answer, 3 are needed: …"; `None` if enough answer.
    pub fn shortage(&self) -> Option<String> {
        let needed = self.layout.nodes() - self.layout.losses();
        let answering = self.all_up().len();
        (answering < needed).then(|| {
            let (all, why) = (self.layout.nodes(), self.why_missing());
            format!("{answering} of {all} nodes answer, {needed} are needed: {why}")
        })
    }

    /// The current version of a name.
    ///
    /// # Errors
    /// There is none, or too few nodes answer to know.
    pub fn find(&mut self, name: &str) -> Result<FoundVersion, Error> {
        let versions = self.survey(name)?;
        let availability = availability(&versions);
        if let Availability::Readable(at) = availability {
            return Ok(versions[at].clone());
        }
        if let Some(why) = self.shortage() {
            return Err(self.lacking(why));
        }
        let Some(found) = versions.iter().find(|found| found.is_left()) else {
            return Err(Error::BadInput(format!("no object has the name {name:?}")));
        };
        let why = format!("{name:?} {}", self.why_unreadable(found));
        match availability {
            Availability::Unavailable => Err(Error::Failed(why)),
            _ => Err(Error::BadInput(why)),
        }
    }

    /// Removes an object. Returns the silent nodes, which may still have a part of it.
    ///
    /// # Errors
    /// There is none, or too few nodes answer to remove it for good.
    pub fn remove(&mut self, name: &str) -> Result<Vec<usize>, Error> {
        self.enter(&[])?;
        let mut versions = self.survey(name)?;
        if versions.iter().any(|found| found.states.contains(&ReplicaState::Unreadable))
            && self.resolve_versions(&versions)
        {
            versions = self.survey(name)?
        }
        let newest = match availability(&versions) {
            Availability::Readable(at) => versions.get(at),
            Availability::Unavailable if self.shortage().is_none() => {
                versions.iter().find(|found| found.is_left())
            }
            _ => None,
        };
        let Some(newest) = newest else {
            self.find(name)?;
            return Err(Error::BadInput(format!("no object has the name {name:?}")));
        };
        // Of the nodes that it was written for; the cluster may have grown since.
        let all = usize::from(newest.entry.nodes);
        let needed = quorum(all, newest.entry.losses());
        let holders = |nodes: Vec<usize>| nodes.into_iter().filter(|node| *node < all).count();
        let answering = holders(self.all_up());
        if answering < needed {
            let why = format!("{answering} of {all} nodes answer, a removal needs {needed}");
            return Err(Error::Failed(why));
        }
        let remove = Message::Remove { name: name.into(), upto: newest.entry.version };
        let done = self.query_each(self.all_up(), &remove, self.patience.answer);
        let done = done.into_iter().filter(|(_, a)| matches!(a, Ok(Message::Okay {})));
        let done: Vec<usize> = done.map(|(node, _)| node).collect();
        let removed = holders(done.clone());
        match removed >= needed {
            true => {
                // If all nodes know, marks are dropped.
                self.resolve(name)?;
                Ok((0..all).filter(|node| !done.contains(node)).collect())
            }
            false => Err(Error::Failed(format!(
                "{removed} nodes have removed the object, {needed} are needed: run the command \
                 again"
            ))),
        }
    }
}

pub fn availability(versions: &[FoundVersion]) -> Availability {
    keep::availability(&judged(versions))
}

pub(super) fn judged(versions: &[FoundVersion]) -> Vec<JudgedVersion<'_>> {
    versions.iter().map(|f| JudgedVersion { verdict: f.verdict, states: &f.states }).collect()
}

/// Node, version id and state of an unreadable record.
type BadRecord = (usize, u128, ReplicaState);

fn unexplained(all: &BTreeMap<String, Reports>, unreadable: &[BadRecord]) -> Vec<Unreadable> {
    let explained: BTreeSet<u128> =
        all.values().flat_map(|reports| reports.keys().map(|version| version.id)).collect();
    let kept = unreadable
        .iter()
        .filter(|(_, id, held)| *held == ReplicaState::Unreadable && !explained.contains(id));
    kept.map(|(node, id, _)| Unreadable { node: *node, id: *id, object: None }).collect()
}

struct Gathered {
    unreadable: Vec<BadRecord>,
    all: BTreeMap<String, Reports>,
    foreign: Vec<Foreign>,
    answered: Vec<bool>,
    /// Lower bound of the nodes that an object was written for.
    least: usize,
}

impl Gathered {
    fn of(nodes: usize, least: u8) -> Gathered {
        let (answered, least) = (vec![false; nodes], usize::from(least));
        let (all, foreign, unreadable) = (BTreeMap::new(), Vec::new(), Vec::new());
        Gathered { unreadable, all, foreign, answered, least }
    }

    /// A node holds its own column; versions for another column are foreign.
    fn add(&mut self, node: usize, entries: Vec<Entry>, unreadable: Vec<(u128, ReplicaState)>) {
        let nodes = self.answered.len();
        self.answered[node] = true;
        self.unreadable.retain(|(other, ..)| *other != node);
        self.unreadable.extend(unreadable.into_iter().map(|(id, held)| (node, id, held)));
        for entry in entries {
            let is_own = (self.least..=nodes).contains(&usize::from(entry.nodes));
            if is_own && usize::from(entry.index) == node && node < usize::from(entry.nodes) {
                let versions = self.all.entry(entry.name.clone()).or_default();
                versions.entry(entry.version).or_default().push((node, entry))
            } else if entry.held.is_readable() {
                self.foreign.push(Foreign { node, entry })
            }
        }
    }
}

/// The version as most nodes describe it (on a tie, the first nodes), and each node's state. A node
/// whose record differs may serve wrong blocks; `wrong_blocks` finds these.
fn agreed(replies: Vec<(usize, Entry)>) -> Option<(Entry, Vec<ReplicaState>)> {
    let what = |e: &Entry| (e.nodes, e.rule, e.block, e.length, e.sha256);
    let count = |e: &Entry| replies.iter().filter(|(_, other)| what(other) == what(e)).count();
    let (_, entry) = replies.iter().rev().max_by_key(|(_, entry)| count(entry))?;
    let mut states = vec![ReplicaState::Nothing; usize::from(entry.nodes)];
    for (node, other) in &replies {
        if let Some(of_node) = states.get_mut(*node) {
            *of_node = other.held
        }
    }
    Some((entry.clone(), states))
}

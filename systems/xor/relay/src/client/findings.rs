//! The state before an operator's command, which it would change.
use super::survey::{FoundVersion, Survey, Unreadable};
use super::{Client, Error};
use crate::transport::Transport;
use xor_protocol::commit::ReplicaState;

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Findings {
    /// The short number.
    pub cluster: String,
    /// The cluster's list as its nodes know it.
    pub known: Vec<String>,
    pub epoch: u32,
    /// Ignored nodes, with the reason.
    pub away: Vec<String>,
    /// Unreadable records. The command first restores those whose version another node has.
    pub unreadable: Vec<Unreadable>,
    /// Readable objects after that.
    pub objects: usize,
    /// Parts of these objects that the command would rebuild on the nodes to fill.
    pub parts: usize,
    /// Missing parts on all other nodes that answer.
    pub lacking: usize,
    /// Objects that the command would rewrite for more nodes, and their bytes.
    pub rewritten: (usize, u64),
    pub out_of_reach: Vec<String>,
    /// Names of objects that accepting the loss would discard.
    pub given_up: Vec<String>,
}

impl<T: Transport> Client<T> {
    pub(super) fn look(&mut self, fills: &[usize]) -> Result<Findings, Error> {
        let now = self.survey_all()?;
        let survey = self.restored_survey(&now);
        let (whole, nodes) = (survey.whole(), self.peers.len());
        let lacks = |is_filled: bool| {
            let here = |node: &usize| {
                fills.contains(node) == is_filled && (is_filled || self.is_up(*node))
            };
            let of = |f: &FoundVersion| {
                f.nodes(|held| !held.is_readable()).into_iter().filter(here).count()
            };
            whole.iter().map(of).sum()
        };
        let small = |f: &&FoundVersion| usize::from(f.entry.nodes) < nodes;
        let old = whole.iter().filter(small);
        let rewritten = old.fold((0, 0), |(n, bytes), f| (n + 1, bytes + f.entry.length));
        Ok(Findings {
            cluster: self.cluster(),
            known: if self.known_list.is_empty() { self.list() } else { self.known_list.clone() },
            epoch: self.epoch,
            away: self.missing().into_iter().map(|(_, why)| why).collect(),
            unreadable: unreadable(&now),
            objects: whole.len(),
            parts: lacks(true),
            lacking: lacks(false),
            rewritten,
            out_of_reach: survey.out_of_reach(),
            given_up: survey.given_up(fills).into_iter().map(|(name, _)| name.into()).collect(),
        })
    }

    /// The error of a command while objects are out of reach without these nodes. `None`: it may
    /// proceed.
    pub fn refusal_of(&self, found: &Findings, lost: &[usize]) -> Option<Error> {
        self.refusal(&found.out_of_reach, lost)
    }

    /// The survey as if all records were restored whose version another node has.
    fn restored_survey(&self, now: &Survey) -> Survey {
        let mut survey = now.clone();
        for versions in survey.objects.values_mut() {
            let all = versions.iter().map(|f| {
                let is_explained = f.states.iter().any(|held| held.is_readable());
                let restored = |held: &ReplicaState| match held {
                    ReplicaState::Unreadable if is_explained => ReplicaState::Committed,
                    held => *held,
                };
                (f.entry.clone(), f.states.iter().map(restored).collect())
            });
            *versions = self.judge(all.collect())
        }
        survey
    }
}

fn unreadable(survey: &Survey) -> Vec<Unreadable> {
    let of = |(name, found): (&String, &FoundVersion)| {
        let (id, object) = (found.entry.version.id, Some(name.clone()));
        let nodes = found.nodes(|held| held == ReplicaState::Unreadable);
        nodes.into_iter().map(move |node| Unreadable { node, id, object: object.clone() })
    };
    let all = survey.objects.iter().flat_map(|(name, all)| all.iter().map(move |f| (name, f)));
    all.flat_map(of).chain(survey.unexplained.iter().cloned()).collect()
}

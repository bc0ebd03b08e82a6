//! What an operator's command finds before it changes anything.
use super::survey::{Found, Survey, Unreadable};
use super::{Client, Error};
use crate::transport::Transport;
use xor_protocol::commit::Held;

/// What there is before a node is repaired or replaced, or a cluster grows.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Findings {
    /// The cluster's number, as it is printed.
    pub cluster: String,
    /// Its list, as its nodes know it.
    pub known: Vec<String>,
    pub epoch: u32,
    /// Nodes that are done without, with why.
    pub away: Vec<String>,
    /// Records that cannot be read. They are restored first where another node has the version.
    pub unreadable: Vec<Unreadable>,
    /// Objects that can be read, then.
    pub objects: usize,
    /// Nodes' parts of them that would be made again on the node in question.
    pub parts: usize,
    /// The same on all other nodes that answer.
    pub lacking: usize,
    /// Objects that would be written again for more nodes, and their bytes.
    pub rewritten: (usize, u64),
    /// Names of objects that are out of reach.
    pub out_of_reach: Vec<String>,
    /// Names of those that would be discarded if the loss is taken.
    pub given_up: Vec<String>,
}

impl<T: Transport> Client<T> {
    /// Surveys the cluster for a command that fills these nodes.
    pub(super) fn look(&mut self, fills: &[usize]) -> Result<Findings, Error> {
        let now = self.survey_all()?;
        let survey = self.restored_survey(&now);
        let (whole, nodes) = (survey.whole(), self.peers.len());
        let lacks = |is_filled: bool| {
            let here = |node: &usize| {
                fills.contains(node) == is_filled && (is_filled || self.is_up(*node))
            };
            let of =
                |f: &Found| f.nodes(|held| !held.is_readable()).into_iter().filter(here).count();
            whole.iter().map(of).sum()
        };
        let small = |f: &&Found| usize::from(f.entry.nodes) < nodes;
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

    /// Why a command would change nothing, as objects are out of reach without these nodes.
    pub fn refusal_of(&self, found: &Findings, lost: &[usize]) -> Option<Error> {
        self.refusal(&found.out_of_reach, lost)
    }

    /// What there would be if each record were restored that another node explains.
    fn restored_survey(&self, now: &Survey) -> Survey {
        let mut survey = now.clone();
        for versions in survey.objects.values_mut() {
            let all = versions.iter().map(|f| {
                let is_explained = f.said.iter().any(|held| held.is_readable());
                let restored = |held: &Held| match held {
                    Held::Unreadable if is_explained => Held::Committed,
                    held => *held,
                };
                (f.entry.clone(), f.said.iter().map(restored).collect())
            });
            *versions = self.judge(all.collect())
        }
        survey
    }
}

fn unreadable(survey: &Survey) -> Vec<Unreadable> {
    let of = |(name, found): (&String, &Found)| {
        let (id, object) = (found.entry.version.id, Some(name.clone()));
        let nodes = found.nodes(|held| held == Held::Unreadable);
        nodes.into_iter().map(move |node| Unreadable { node, id, object: object.clone() })
    };
    let all = survey.objects.iter().flat_map(|(name, all)| all.iter().map(move |f| (name, f)));
    all.flat_map(of).chain(survey.unexplained.iter().cloned()).collect()
}

//! Resolves undecided versions: restores records, completes or discards versions, drops marks.
use super::survey::{FoundVersion, Survey, judged};
use super::{Client, Error};
use crate::transport::Transport;
use crate::wire::{Entry, Message, Resolution};
use xor_protocol::commit::{ReplicaState, Verdict};
use xor_protocol::keep::{self, JudgedVersion, Step};

/// Discarding leaves marks, which a later pass drops.
const PASSES: usize = 3;

fn request(found: &FoundVersion, node: usize, step: Step) -> Message {
    let how = match step {
        Step::Restore => {
            let entry =
                Entry { index: node as u8, held: ReplicaState::Nothing, ..found.entry.clone() };
            return Message::Restore { entry };
        }
        Step::Commit => Resolution::Commit,
        Step::Discard => Resolution::Discard,
        Step::Forget => Resolution::Forget,
    };
    let Entry { name, version, .. } = found.entry.clone();
    Message::Resolve { name, version, how }
}

impl<T: Transport> Client<T> {
    /// Resolves the versions of a name. Completes what any node has made visible, discards what
    /// cannot be completed, drops marks that all nodes know. Does nothing without a quorum.
    pub(super) fn resolve(&mut self, name: &str) -> Result<(), Error> {
        for _ in 0..PASSES {
            let versions = self.survey(name)?;
            if !self.resolve_versions(&versions) {
                break;
            }
        }
        Ok(())
    }

    /// Performs the steps for versions of one name. Returns whether there were any.
    pub(super) fn resolve_versions(&mut self, versions: &[FoundVersion]) -> bool {
        let all = judged(versions);
        let mut is_changed = false;
        for (at, found) in versions.iter().enumerate() {
            let steps = keep::steps(&all[at], &all[at + 1..]);
            let requests = steps.iter().map(|(node, step)| (*node, request(found, *node, *step)));
            let answers = self.query(requests.collect(), self.patience.answer);
            for (node, _) in answers.into_iter().filter(|(_, a)| matches!(a, Ok(Message::Okay {})))
            {
                is_changed = true;
                if steps.contains(&(node, Step::Restore)) {
                    self.restored.push((found.entry.name.clone(), node))
                }
            }
        }
        self.drop_superseded(versions, &all) || is_changed
    }

    /// Drops older versions once all nodes have the newest one; its writer may have died before it
    /// did so.
    fn drop_superseded(&mut self, versions: &[FoundVersion], all: &[JudgedVersion<'_>]) -> bool {
        let Some(at) = keep::superseded(all) else { return false };
        let Entry { name, version, .. } = versions[at].entry.clone();
        let message = Message::Resolve { name, version, how: Resolution::Supersede };
        self.query_each(self.all_up(), &message, self.patience.answer);
        true
    }

    /// Surveys all objects after resolving all versions that can be. Nodes answer one after the
    /// other while clients write, so a version counts as undecided only if two surveys agree.
    pub(super) fn resolve_all(&mut self) -> Result<Survey, Error> {
        for _ in 0..PASSES {
            let survey = self.survey_all()?;
            let mut is_changed = false;
            for (name, before) in survey.objects.iter().chain(&survey.marks) {
                let is_unresolved = before.len() > 1 || before.iter().any(needs_resolution);
                if is_unresolved && self.survey(name)? == *before {
                    is_changed |= self.resolve_versions(before)
                }
            }
            if !is_changed {
                return Ok(survey);
            }
        }
        self.survey_all()
    }
}

/// The version must be completed, discarded, or have a record restored.
fn needs_resolution(found: &FoundVersion) -> bool {
    let is_odd = |held: &ReplicaState| {
        matches!(held, ReplicaState::Prepared { .. } | ReplicaState::Unreadable)
    };
    found.verdict == Verdict::Gone || found.states.iter().any(is_odd)
}

impl<T: Transport> Client<T> {
    /// Why a version cannot be read although nodes have parts of it.
    pub(super) fn why_unreadable(&self, found: &FoundVersion) -> String {
        let has = |held: ReplicaState| found.states.contains(&held);
        let is_removed = found.states.iter().any(|h| matches!(h, ReplicaState::Removed { .. }));
        match () {
            () if has(ReplicaState::Prepared { is_attended: true }) => "is being written".into(),
            () if is_removed => {
                "was removed while nodes were absent: `tenbin relay scrub` removes the remaining \
                 parts"
                    .into()
            }
            () if !has(ReplicaState::Committed) && !has(ReplicaState::Unreadable) => {
                "was not written completely".into()
            }
            () => self.out_of_reach(found),
        }
    }

    fn out_of_reach(&self, found: &FoundVersion) -> String {
        let (all, has) = (found.states.len(), found.nodes(ReplicaState::is_readable).len());
        let needed = all - found.entry.losses();
        let bad = found.nodes(|held| held == ReplicaState::Unreadable);
        let bad: Vec<String> = bad.into_iter().map(|node| self.named(node)).collect();
        let records = match bad.is_empty() {
            true => String::new(),
            false => format!("; its record cannot be read on {}: run a scrub", bad.join(" and ")),
        };
        format!(
            "is out of reach: {has} of {all} nodes can supply it, {needed} are needed{records}; \
             bring back a node or disk that has a part, or accept the loss with `tenbin relay rm`"
        )
    }
}

//! Walks over all objects for an operator's command and records the results.
use super::survey::{FoundVersion, Unreadable};
use super::{Client, Error, Watch};
use crate::transport::Transport;
use std::collections::BTreeSet;

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct RepairReport {
    /// Objects visited.
    pub objects: usize,
    /// Rebuilt parts of objects on nodes.
    pub rebuilt: usize,
    /// Objects rewritten for more nodes.
    pub rewritten: usize,
    /// Written.
    pub bytes: u64,
    /// Objects that could not be repaired or rewritten, with the reason.
    pub failed: Vec<String>,
    /// Names of objects that too few nodes can supply.
    pub out_of_reach: Vec<String>,
    /// Restored records: object and node.
    pub restored: Vec<(String, usize)>,
    /// Names of objects whose loss was accepted.
    pub given_up: Vec<String>,
    /// Blocks checked, and the bad ones among them.
    pub blocks: u64,
    pub bad: u64,
    /// Parities that contradict the data although all checksums match.
    pub inconsistent: u64,
    /// Bad and missing blocks, by object and node.
    pub damage: Vec<Damage>,
    /// Unreadable records of versions that no other node has; they are kept.
    pub unexplained: Vec<Unreadable>,
    /// Nodes that were not, or not completely, verified.
    pub unverified: BTreeSet<usize>,
}

impl RepairReport {
    /// Adds the result of another walk over the same objects.
    pub(super) fn add(&mut self, late: RepairReport) {
        self.objects = late.objects;
        self.rebuilt += late.rebuilt;
        self.bytes += late.bytes;
        self.restored.extend(late.restored);
        (self.failed, self.out_of_reach) = (late.failed, late.out_of_reach)
    }

    pub fn is_complete(&self) -> bool {
        self.failed.is_empty() && self.out_of_reach.is_empty()
    }

    /// The result, or `None` after recording a failure. [`Error::Stopped`] is returned, not
    /// recorded.
    pub(super) fn note<R>(
        &mut self,
        what: String,
        result: Result<R, Error>,
    ) -> Result<Option<R>, Error> {
        match result {
            Ok(done) => Ok(Some(done)),
            Err(Error::Stopped) => Err(Error::Stopped),
            Err(e) => {
                self.failed.push(format!("{what}: {e}"));
                Ok(None)
            }
        }
    }
}

/// Damage of an object's part on a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    pub object: String,
    pub node: usize,
    /// Bad blocks; `None`: the node had nothing of the object.
    pub bad: Option<u64>,
    /// Wrong blocks with valid checksums.
    pub wrong_with_valid_checksum: u64,
    pub is_healed: bool,
}

/// Progress over many objects \[bytes\].
pub(super) struct Course<'a> {
    watch: Watch<'a>,
    done: u64,
    total: u64,
}

impl Course<'_> {
    pub(super) fn at(&mut self, within: u64) -> Result<(), Error> {
        match (self.watch)((self.done + within).min(self.total), self.total) {
            true => Ok(()),
            false => Err(Error::Stopped),
        }
    }
}

impl<T: Transport> Client<T> {
    /// Resolves undecided versions, then runs `step` on each readable object that `is_meant`.
    pub(super) fn walk<S>(
        &mut self,
        watch: Watch<'_>,
        is_meant: impl Fn(&FoundVersion) -> bool,
        mut step: S,
    ) -> Result<RepairReport, Error>
    where
        S: FnMut(
            &mut Client<T>,
            &FoundVersion,
            &mut RepairReport,
            &mut Course<'_>,
        ) -> Result<(), Error>,
    {
        self.restored.clear();
        let survey = self.resolve_all()?;
        let whole = survey.whole();
        let mut healed = RepairReport {
            objects: whole.len(),
            out_of_reach: survey.out_of_reach(),
            restored: std::mem::take(&mut self.restored),
            unexplained: survey.unexplained,
            ..RepairReport::default()
        };
        let all: Vec<FoundVersion> = whole.into_iter().filter(is_meant).collect();
        let total = all.iter().map(|found| found.entry.length).sum();
        let mut course = Course { watch, done: 0, total };
        for found in all {
            step(self, &found, &mut healed, &mut course)?;
            course.done += found.entry.length;
            course.at(0)?
        }
        Ok(healed)
    }
}

//! The walk over all objects by which an operator's command changes a cluster, and what it did.
use super::survey::{Found, Unreadable};
use super::{Client, Error, Watch};
use crate::transport::Transport;
use std::collections::BTreeSet;

/// Result of a repair, a scrub, a replacement or a growth.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Healed {
    /// Objects that were looked at.
    pub objects: usize,
    /// Nodes' parts of objects that were made again.
    pub rebuilt: usize,
    /// Objects that were written again for more nodes.
    pub rewritten: usize,
    /// Bytes written.
    pub bytes: u64,
    /// Objects that could not be healed or written again, with why.
    pub failed: Vec<String>,
    /// Names of objects that too few nodes can supply.
    pub out_of_reach: Vec<String>,
    /// Records that could not be read, and are written again: object and node.
    pub restored: Vec<(String, usize)>,
    /// Names of objects that were given up.
    pub given_up: Vec<String>,
    /// Blocks that were read and checked, and how many of these were bad.
    pub blocks: u64,
    pub bad: u64,
    /// Parity sums that did not hold although all blocks are as they were written.
    pub inconsistent: u64,
    /// Bad and missing blocks, by object and node.
    pub damage: Vec<Damage>,
    /// Records that cannot be read, of versions that no other node has: they are kept.
    pub unexplained: Vec<Unreadable>,
    /// Nodes whose blocks were not verified, or not all.
    pub unverified: BTreeSet<usize>,
}

impl Healed {
    /// Another walk over the same objects came to this.
    pub(super) fn add(&mut self, late: Healed) {
        self.objects = late.objects;
        self.rebuilt += late.rebuilt;
        self.bytes += late.bytes;
        self.restored.extend(late.restored);
        (self.failed, self.out_of_reach) = (late.failed, late.out_of_reach)
    }

    pub fn is_whole(&self) -> bool {
        self.failed.is_empty() && self.out_of_reach.is_empty()
    }

    /// The result of work on something, if it did not fail. A watcher that stops it is no failure.
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

/// A node's part of an object that was not as it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    pub object: String,
    pub node: usize,
    /// Bad blocks; `None` if it had none of the object at all.
    pub bad: Option<u64>,
    /// Blocks that were not what was written although their sums fit them.
    pub wrong: u64,
    /// Whether it is as it should be now.
    pub is_healed: bool,
}

/// How far the work on many objects is, for whoever watches \[bytes\].
pub(super) struct Course<'a> {
    watch: Watch<'a>,
    done: u64,
    total: u64,
}

impl Course<'_> {
    /// So far in the object that is at work.
    pub(super) fn at(&mut self, within: u64) -> Result<(), Error> {
        match (self.watch)((self.done + within).min(self.total), self.total) {
            true => Ok(()),
            false => Err(Error::Stopped),
        }
    }
}

impl<T: Transport> Client<T> {
    /// Ends all doubts that can be ended; then does a step with each object that can be read, of
    /// those that are meant.
    pub(super) fn walk<S>(
        &mut self,
        watch: Watch<'_>,
        is_meant: impl Fn(&Found) -> bool,
        mut step: S,
    ) -> Result<Healed, Error>
    where
        S: FnMut(&mut Client<T>, &Found, &mut Healed, &mut Course<'_>) -> Result<(), Error>,
    {
        self.restored.clear();
        let survey = self.settled()?;
        let whole = survey.whole();
        let mut healed = Healed {
            objects: whole.len(),
            out_of_reach: survey.out_of_reach(),
            restored: std::mem::take(&mut self.restored),
            unexplained: survey.unexplained,
            ..Healed::default()
        };
        let all: Vec<Found> = whole.into_iter().filter(is_meant).collect();
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

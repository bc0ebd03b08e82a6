//! What was healed, and how far the work on many objects is.
use super::survey::{Found, Survey, Unexplained};
use super::{Error, Watch};
use std::collections::BTreeSet;

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Healed {
    /// Objects that were looked at.
    pub objects: usize,
    /// Nodes' parts of objects that were made again.
    pub rebuilt: usize,
    /// Bytes written.
    pub bytes: u64,
    /// Objects that could not be healed, with why.
    pub failed: Vec<String>,
    /// Names of objects that too few nodes can supply.
    pub out_of_reach: Vec<String>,
    /// Records that could not be read, and are written again: object and node.
    pub restored: Vec<(String, usize)>,
    /// Names of objects that were given up.
    pub given_up: Vec<String>,
}

impl Healed {
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
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Scrubbed {
    /// Blocks that were read and checked.
    pub blocks: u64,
    pub bad: u64,
    /// Parity sums that did not hold although all blocks are as they were written.
    pub inconsistent: u64,
    pub healed: Healed,
    /// What was bad or lacking, by object and node.
    pub damage: Vec<Damage>,
    /// Records that cannot be read, of versions that no other node has: they are kept.
    pub unexplained: Vec<Unexplained>,
    /// Nodes whose blocks were not verified, or not all.
    pub unverified: BTreeSet<usize>,
}

/// A node's part of an object that was not as it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// The object's name.
    pub object: String,
    pub node: usize,
    /// Bad blocks; `None` if it had none of the object at all.
    pub bad: Option<u64>,
    /// Blocks that were not what was written although their sums fit them.
    pub wrong: u64,
    /// Whether it is as it should be now.
    pub is_healed: bool,
}

pub(super) fn healed_of(survey: &Survey) -> Healed {
    let out_of_reach = survey.out_of_reach().into_iter().map(String::from).collect();
    Healed { objects: survey.whole().len(), out_of_reach, ..Healed::default() }
}

/// How far the work on many objects is, for whoever watches \[bytes\].
pub(super) struct Course<'a> {
    watch: Watch<'a>,
    done: u64,
    total: u64,
}

impl<'a> Course<'a> {
    pub(super) fn of(all: &[Found], watch: Watch<'a>) -> Course<'a> {
        let total = all.iter().map(|found| found.entry.length).sum();
        Course { watch, done: 0, total }
    }

    /// So far in the object that is at work.
    pub(super) fn at(&mut self, within: u64) -> Result<(), Error> {
        match (self.watch)((self.done + within).min(self.total), self.total) {
            true => Ok(()),
            false => Err(Error::Stopped),
        }
    }

    pub(super) fn end(&mut self, found: &Found) -> Result<(), Error> {
        self.done += found.entry.length;
        self.at(0)
    }
}

//! Operations on the rows of one server, executed at once if no transaction locks the rows.
use super::evidence;
use super::message::{Meta, Mode};
use super::record::Record;
use super::store::Store;
use super::{
    Attributes, Change, Errno, Ino, Inode, Key, Kind, Listed, Name, Net, Operation, Options,
    Outcome, Page, RowEffect,
};
use super::{Row, RowEvidence, Stored, Version};
use std::sync::Arc;

pub enum DirectResult {
    /// The outcome, and with evidence the row that was seen.
    Outcome(Outcome, Option<RowEvidence>),
    /// A read must first learn the outcome of these transactions, which lock its rows.
    NeedsOutcomes(Vec<Meta>),
    Locked,
    NeedsTransaction,
}

impl Store {
    /// Executes an operation. With `knows` a read ignores locks: the server has learnt the outcomes
    /// of the transactions that held them when the read came. Those still active commit after it.
    pub(super) fn direct(
        &mut self,
        operation: &Operation,
        version: Version,
        knows: bool,
        options: &Options,
        net: &mut impl Net,
    ) -> DirectResult {
        let key = operation.key();
        if let Some(done) = self.stale_result(operation, &key) {
            return done;
        }
        if let Some(done) = self.lock_result(operation, &key, knows) {
            return done;
        }
        let shows = options.evidence;
        match operation {
            Operation::Servers(directory) => {
                let list = self.list(*directory).cloned();
                DirectResult::Outcome(Outcome::List(list), None)
            }
            Operation::Readdir(_, at, most) => {
                self.page(&key, (*at, *most, options.contents), knows)
            }
            Operation::Lookup(_) => {
                let row = self.row(&key).map(|stored| &stored.row);
                let outcome = match row {
                    Some(Row::Link(ino)) => Some(*ino),
                    row => row.and_then(Row::inode).map(|inode| inode.ino),
                };
                let outcome = outcome.map_or(Outcome::Failed(Errno::ENOENT), Outcome::Of);
                self.with_evidence(&key, outcome, shows)
            }
            Operation::Stat(_) | Operation::Read(_) => {
                let outcome = match self.row(&key).map(|stored| &stored.row) {
                    Some(Row::Link(_) | Row::List(_)) => return DirectResult::NeedsTransaction,
                    Some(row) if matches!(operation, Operation::Read(_)) => {
                        row.file().map(Outcome::File)
                    }
                    row => row.and_then(Row::inode).map(|inode| Outcome::Inode(Box::new(*inode))),
                };
                self.with_evidence(&key, outcome.unwrap_or(Outcome::Failed(Errno::ENOENT)), shows)
            }
            Operation::Create(_, attributes) => {
                self.create(key, *attributes, (version, shows), net)
            }
            Operation::Unlink(_) => self.unlink(key, shows, net),
            Operation::Setattr(_, change) => self.setattr(key, change, (version, shows), net),
            _ => DirectResult::NeedsTransaction,
        }
    }

    fn lock_result(&self, operation: &Operation, key: &Key, knows: bool) -> Option<DirectResult> {
        if self.is_free() || knows {
            return None;
        }
        let writes = operation.writes();
        let mode = if writes { Mode::Exclusive } else { Mode::Unlocked };
        let others = self.conflicting(key, mode, None);
        match (others.is_empty(), writes) {
            (true, _) => None,
            (false, true) => Some(DirectResult::Locked),
            (false, false) => Some(DirectResult::NeedsOutcomes(others)),
        }
    }

    /// Checks that the row belongs here. Any server of the list can return a page.
    fn stale_result(&self, operation: &Operation, key: &Key) -> Option<DirectResult> {
        let list = self.list(key.ino);
        let here = match operation {
            Operation::Servers(_) => true,
            Operation::Readdir(..) => list.is_some_and(|list| list.servers.contains(self.me)),
            _ => list.is_some_and(|list| list.owner(key.ino, &key.name) == self.me),
        };
        let stale = || Outcome::Stale(list.cloned());
        (!here).then(|| DirectResult::Outcome(stale(), None))
    }

    /// Attaches the row as evidence if `shows`.
    fn with_evidence(&self, key: &Key, outcome: Outcome, shows: bool) -> DirectResult {
        if !shows {
            return DirectResult::Outcome(outcome, None);
        }
        let before = self.row(key).map(|stored| stored.version);
        // A locked row is as before its writer's removal or creation. A lock on the directory's
        // list covers its entries too.
        let number = |key: &Key| self.lock(key).and_then(|lock| lock.writer).map(|(_, n)| n);
        let removals = match (number(key), number(&Key::itself(key.ino))) {
            (Some(own), _) => own - u64::from(before.is_some()),
            (None, Some(list)) => list.saturating_sub(1),
            (None, None) => self.removals(),
        };
        DirectResult::Outcome(
            outcome,
            Some(self.row_evidence(key.clone(), before, removals, RowEffect::Kept)),
        )
    }

    /// Evidence that the directory exists.
    pub(super) fn list_evidence(&self, directory: Ino) -> Vec<RowEvidence> {
        let key = Key::itself(directory);
        let mut all = evidence::row(&key, self.me, self.removals(), self.row(&key), None);
        all.retain(|saw| saw.server == evidence::EXISTENCE);
        all
    }

    fn row_evidence(
        &self,
        key: Key,
        before: Option<Version>,
        removals: u64,
        after: RowEffect,
    ) -> RowEvidence {
        RowEvidence { key, server: self.me, before, removals, after }
    }

    fn create(
        &mut self,
        key: Key,
        attributes: Attributes,
        (version, shows): (Version, bool),
        net: &mut impl Net,
    ) -> DirectResult {
        let shown = shows.then(|| key.clone());
        let new = Inode::new(self.assign_inode(net), Kind::File, attributes, net.now());
        let stored = Stored { version, row: Row::Inode(new) };
        let made = self.add(key, stored, net);
        let outcome = if made { Outcome::Of(new.ino) } else { Outcome::Failed(Errno::EEXIST) };
        match shown {
            None => DirectResult::Outcome(outcome, None),
            Some(key) if !made => self.with_evidence(&key, outcome, shows),
            Some(key) => {
                let saw = self.row_evidence(key, None, self.removals(), RowEffect::Written);
                DirectResult::Outcome(outcome, Some(saw))
            }
        }
    }

    fn unlink(&mut self, key: Key, shows: bool, net: &mut impl Net) -> DirectResult {
        let (ino, before) = match self.row(&key) {
            None => return self.with_evidence(&key, Outcome::Failed(Errno::ENOENT), shows),
            Some(Stored { version, row }) => match row.inode() {
                Some(Inode { kind: Kind::Directory, .. }) => {
                    return self.with_evidence(&key, Outcome::Failed(Errno::EISDIR), shows);
                }
                Some(inode) => (inode.ino, *version),
                None => return DirectResult::NeedsTransaction,
            },
        };
        let number = self.count_removal(net);
        let saw =
            shows.then(|| self.row_evidence(key.clone(), Some(before), number, RowEffect::Removed));
        self.write(Record::Row(key, None), net);
        DirectResult::Outcome(Outcome::Of(ino), saw)
    }

    fn setattr(
        &mut self,
        key: Key,
        change: &Change,
        (version, shows): (Version, bool),
        net: &mut impl Net,
    ) -> DirectResult {
        let (ino, new, before) = match self.row(&key) {
            None => return self.with_evidence(&key, Outcome::Failed(Errno::ENOENT), shows),
            Some(Stored { version, row }) => {
                let Some(inode) = row.inode() else { return DirectResult::NeedsTransaction };
                if let Some(errno) = inode.refuses(change) {
                    return self.with_evidence(&key, Outcome::Failed(errno), shows);
                }
                (inode.ino, row.changed(inode, change, net.now()), *version)
            }
        };
        let seen =
            || self.row_evidence(key.clone(), Some(before), self.removals(), RowEffect::Written);
        let saw = shows.then(seen);
        self.write(Record::Row(key, Some(Stored { version, row: new })), net);
        DirectResult::Outcome(Outcome::Of(ino), saw)
    }

    /// Entries behind a name, as of now. Other pages show other moments, as POSIX allows.
    fn page(&self, key: &Key, (at, most, contents): (u32, u32, bool), knows: bool) -> DirectResult {
        let most = usize::try_from(most).unwrap_or(usize::MAX).max(1);
        let mut rows = self.entries(key.ino, &key.name);
        let (count, more) = (rows.len().min(most), rows.len() > most);
        let mut entries = Vec::new();
        let end = match contents {
            false => count.checked_sub(1).and_then(|last| rows.nth(last)).map(|(key, _)| &key.name),
            true => {
                let listed = |(key, stored): (&Key, &Stored)| listed(&key.name, &stored.row);
                entries.extend(rows.take(count).map(listed));
                entries.last().map(|last| &last.name)
            }
        };
        let last = end.filter(|_| more);
        let held = if knows { Vec::new() } else { self.writers(key, last) };
        if !held.is_empty() {
            return DirectResult::NeedsOutcomes(held);
        }
        let mark = self.list(key.ino).map_or(0, |list| list.mark());
        let (last, behind) = (end.cloned().unwrap_or(Name::NONE), key.name.clone());
        let parts = contents.then(|| Arc::new(entries)).into_iter().collect();
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let page = Page { parts, count, last, more, mark, at, behind };
        DirectResult::Outcome(Outcome::Page(Box::new(page)), None)
    }

    /// Transactions that write entries of this page (without `last`: all behind the name). Any of
    /// them may have committed already, with its client knowing.
    fn writers(&self, behind: &Key, last: Option<&Name>) -> Vec<Meta> {
        let within =
            |key: &Key| key.name > behind.name && last.is_none_or(|last| key.name <= *last);
        let held = self.locks(behind.ino).filter(|(key, _)| within(key));
        let mut all: Vec<_> =
            held.filter_map(|(_, lock)| lock.writer.map(|(meta, _)| meta)).collect();
        all.sort_unstable_by_key(|meta| meta.id);
        all.dedup();
        all
    }
}

fn listed(name: &Name, row: &Row) -> Listed {
    let (ino, kind) = match row {
        Row::Inode(inode) => (inode.ino, inode.kind),
        Row::File(file) => (file.inode.ino, file.inode.kind),
        Row::Link(ino) => (*ino, Kind::File),
        Row::List(_) => unreachable!("lists have no names"),
    };
    Listed { name: name.clone(), ino, kind }
}

//! What a node answers about its versions, and does to them.
use super::Node;
use super::reads::{self, Reads};
use super::refusal::{Answer, Refusal, okay, refuse};
use crate::transport::{Link, Transport};
use crate::wire::{Entry, Fault, Message, Resolution, check_name};
use xor_protocol::commit::{ReplicaState, Version};

/// Entries of an answer; each has at most a name and some hundred bytes.
const MOST_ENTRIES: usize = 256;
/// More unreadable records than this count as a lost disk; up to it, an answer can name them.
const MOST_UNREADABLE: usize = 4096;
/// Bytes that one message verifies.
const MOST_VERIFIED: u64 = 32 << 20;
/// Checksums of an answer, 5 bytes each.
const MOST_SUMS: u64 = 1 << 15;

impl<T: Transport> Node<T> {
    /// Drops committed versions and marks older than `version`, if that is committed here.
    pub(super) fn drop_older(&mut self, name: &str, version: Version) -> Result<(), Refusal> {
        let is_here = |e: &&Entry| e.held == ReplicaState::Committed && self.store.is_own(e);
        if !self.store.versions(name).filter(is_here).any(|e| e.version == version) {
            return Ok(());
        }
        let is_older = |e: &&Entry| {
            matches!(e.held, ReplicaState::Committed | ReplicaState::Removed { .. })
                && self.store.is_own(e)
        };
        let older = self.store.versions(name).filter(is_older).map(|e| e.version);
        let older: Vec<Version> = older.filter(|v| *v < version).collect();
        for version in older {
            self.store.remove(version.id)?
        }
        Ok(())
    }

    pub(super) fn stat(&self, name: &str) -> Answer {
        let entries = self.store.versions(name).take(MOST_ENTRIES).cloned().collect();
        self.entries(entries, false)
    }

    /// Also lists the unreadable records: only other nodes know their names.
    fn entries(&self, entries: Vec<Entry>, more: bool) -> Answer {
        let unreadable = self.store.unreadable();
        if unreadable.len() > MOST_UNREADABLE {
            let why = format!(
                "unreadable records: {}: the disk is lost: empty the node's folder, then \
                 `tenbin relay repair --lost`",
                unreadable.len()
            );
            return Err(Refusal { fault: Fault::Own, why });
        }
        Ok(Some(Message::Entries { entries, more, unreadable }))
    }

    /// Lists complete names, so that the next query can begin after the last one.
    pub(super) fn list(&self, after: &str) -> Answer {
        let mut entries: Vec<Entry> = Vec::new();
        let mut more = false;
        for name in self.store.names_after(after) {
            let versions: Vec<Entry> = self.store.versions(name).cloned().collect();
            if !entries.is_empty() && entries.len() + versions.len() > MOST_ENTRIES {
                more = true;
                break;
            }
            entries.extend(versions.into_iter().take(MOST_ENTRIES))
        }
        self.entries(entries, more)
    }

    /// Resolves an undecided version. One whose writer is connected is not discarded.
    pub(super) fn resolve(
        &mut self,
        link: Link,
        name: &str,
        version: Version,
        how: Resolution,
    ) -> Answer {
        self.check_entered(link)?;
        let found = self.store.find(version.id).map(|e| (e.held, e.name == name));
        if let Some((_, false)) = found {
            return refuse("this version has another name");
        }
        match (found.map(|(held, _)| held), how) {
            (Some(ReplicaState::Prepared { is_attended: true }), Resolution::Discard) => {
                return refuse("its writer is still active");
            }
            (Some(ReplicaState::Prepared { .. }), Resolution::Commit | Resolution::Supersede) => {
                self.store.commit(version.id)?
            }
            (_, Resolution::Discard) => self.store.discard(version.id, false)?,
            (_, Resolution::Forget) => self.forget(version.id)?,
            (_, Resolution::Commit | Resolution::Supersede) => {}
        }
        if how == Resolution::Supersede {
            self.drop_older(name, version)?
        }
        okay()
    }

    fn forget(&mut self, id: u128) -> Result<(), Refusal> {
        let marks = self.store.unreadable().into_iter().filter(|(other, _)| *other == id);
        let held = self.store.find(id).map(|e| e.held).or(marks.map(|(_, held)| held).next());
        if let Some(ReplicaState::Removed { .. }) = held {
            self.store.remove(id)?
        }
        Ok(())
    }

    pub(super) fn restore(&mut self, link: Link, entry: &Entry) -> Answer {
        self.check_entered(link)?;
        self.check_place(entry)?;
        check_name(&entry.name).or_else(refuse)?;
        entry.geometry().or_else(refuse)?;
        match self.store.restore(entry)? {
            true => okay(),
            false => refuse("has no unreadable record of this version"),
        }
    }

    /// Removes the versions up to `upto`. All of its generation go, even one being written: it has
    /// the removed content for another layout.
    pub(super) fn remove(&mut self, link: Link, name: &str, upto: Version) -> Answer {
        self.check_entered(link)?;
        let back = self.sessions.iter().filter(|(_, s)| s.brings_back(name, upto));
        for rewrite in back.map(|(link, _)| *link).collect::<Vec<_>>() {
            let why = "the object was removed at the same time".into();
            self.fail(rewrite, Refusal { fault: Fault::Asked, why })
        }
        let attended = ReplicaState::Prepared { is_attended: true };
        let goes = |e: &&Entry| match e.version.generation == upto.generation {
            true => true,
            false => e.version <= upto && e.held != attended,
        };
        let own = self.store.versions(name).filter(|e| self.store.is_own(e));
        let ids: Vec<u128> = own.filter(goes).map(|e| e.version.id).collect();
        for id in ids.into_iter().chain([upto.id]) {
            self.store.discard(id, true)?
        }
        okay()
    }

    pub(super) fn read(
        &mut self,
        link: Link,
        id: u128,
        stripe: u64,
        ring: u32,
        rows: &[(u16, u32)],
    ) -> Answer {
        if self.reads.get(&link).is_none_or(|r| r.id() != id) {
            if let Some(mut old) = self.reads.remove(&link) {
                old.end(&mut self.transport)
            }
            let Ok(opened) = reads::open(&self.store, id) else {
                let rows = rows.iter().map(|(row, _)| *row).collect();
                return Ok(Some(Message::Unreadable { id, stripe, rows }));
            };
            let reads = Reads::new(&mut self.transport, id, opened, self.limits.memory)?;
            self.reads.insert(link, reads);
        }
        let reads = self.reads.get_mut(&link).expect("opened above");
        match reads.ask(&mut self.transport, link, (stripe, ring), rows) {
            true => Ok(None),
            false => refuse("too many blocks in one request"),
        }
    }

    /// A block that cannot be read counts as bad.
    pub(super) fn verify(&self, id: u128, stripe: u64, count: u32) -> Answer {
        let opened = reads::open(&self.store, id);
        let Some(entry) = self.store.find(id) else { return refuse("this version does not exist") };
        let (layout, shape) = entry.geometry().or_else(refuse)?;
        let rows = layout.rows();
        let most = (MOST_VERIFIED / shape.block()).min(MOST_SUMS) / rows as u64;
        let end = stripe.checked_add(u64::from(count)).filter(|end| *end <= shape.stripes());
        let Some(end) = end.filter(|_| u64::from(count) <= most.max(1)) else {
            return refuse(format!("{count} stripes from {stripe} on are too many"));
        };
        let mut buffer = vec![0; shape.block() as usize];
        let mut blocks = Vec::new();
        for stripe in stripe..end {
            let length = shape.block_of(stripe) as usize;
            for row in 0..rows {
                let read =
                    opened.as_ref().ok().map(|o| o.block(stripe, row, &mut buffer[..length]));
                blocks.push(match read {
                    Some(Ok(found)) => found,
                    _ => (0, false),
                })
            }
        }
        Ok(Some(Message::Verified { blocks }))
    }
}

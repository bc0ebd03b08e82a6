//! A server's part in transactions: opens, validates and settles rows.
use super::message::{Fate, Got, Meta, Mode, Moves, Open, Opened, Trouble, TxId, Want, Write};
use super::record::{Lock, Record, Status};
use super::store::Store;
use super::{Key, Name, Net, Version};

impl Store {
    /// Opens rows up to the first conflict. Idempotent.
    pub(super) fn open(&mut self, open: &Open, net: &mut impl Net) -> Opened {
        let Open { meta, round, fates, same, wants, .. } = open;
        self.hear(meta.id.client, meta.oldest, net);
        for (id, fate) in fates {
            self.settle(id, fate, net)
        }
        let mut opened =
            Opened { id: meta.id, round: *round, server: self.me, got: Vec::new(), trouble: None };
        if self.over(&meta.id) {
            let heard = meta.id.number < self.heard(meta.id.client);
            opened.trouble = Some(if heard { Trouble::Over } else { Trouble::Changed });
            return opened;
        }
        for (key, version) in same {
            opened.trouble = self.same(meta, key, *version);
            if opened.trouble.is_some() {
                return opened;
            }
        }
        for want in wants {
            match self.take(meta, want, net) {
                Ok(got) => opened.got.push(got),
                Err(trouble) => {
                    opened.trouble = Some(trouble);
                    break;
                }
            }
        }
        opened
    }

    /// Whether the attempt has ended on this server. A late message must not lock rows forever.
    fn over(&self, id: &TxId) -> bool {
        id.number < self.heard(id.client) || self.settled(id).is_some_and(|last| last >= id.attempt)
    }

    /// Validates a row that was read earlier.
    fn same(&self, meta: &Meta, key: &Key, version: Option<Version>) -> Option<Trouble> {
        let writer = self.lock(key).and_then(|lock| lock.writer);
        if self.row(key).map(|stored| stored.version) != version {
            return Some(Trouble::Changed);
        }
        writer.filter(|(other, _)| other.id != meta.id).map(|(other, _)| Trouble::Busy(vec![other]))
    }

    fn take(&mut self, meta: &Meta, want: &Want, net: &mut impl Net) -> Result<Got, Trouble> {
        let Want { key, mode, fresh, moves } = want;
        let mode = *mode;
        let others = self.in_the_way(key, mode, Some(&meta.id));
        if !others.is_empty() {
            return Err(Trouble::Busy(others));
        }
        if !key.name.is_none() {
            self.here(key)?
        }
        // Of several transactions that move rows of one old list, only the first gets a lock.
        let list = self.list(key.ino);
        let mark = || list.map(|list| list.mark());
        let is_old = |moves: &Moves| moves.base != 0 && mark() != Some(moves.base);
        if moves.as_deref().is_some_and(is_old) && list.is_some() {
            return Err(Trouble::Stale(key.ino, list.cloned()));
        }
        let present = self.row(key).is_some();
        let removals = match mode {
            Mode::Look => self.removals(),
            _ => self.hold(meta, key, mode, present, net),
        };
        let of_list = key.name.is_none() && mode == Mode::Exclusive;
        let entry = of_list.then(|| self.entries(key.ino, &Name::NONE).next()).flatten();
        let entry = entry.map(|(key, stored)| (key.name.clone(), stored.version));
        let moved = moves.as_ref().map_or_else(Vec::new, |moves| self.moved(key.ino, &moves.to));
        let fresh = if *fresh { self.give(net) } else { 0 };
        let stored = self.row(key).cloned();
        Ok(Got { key: key.clone(), mode, stored, removals, entry, fresh, moved })
    }

    /// Checks by this server's row of the list that the entry belongs here.
    pub(super) fn here(&self, key: &Key) -> Result<(), Trouble> {
        match self.list(key.ino) {
            Some(list) if list.owner(key.ino, &key.name) == self.me => Ok(()),
            list => Err(Trouble::Stale(key.ino, list.cloned())),
        }
    }

    /// Transactions with conflicting locks. A writer of a directory's list also locks all entries
    /// of the directory on this server.
    pub(super) fn in_the_way(&self, key: &Key, mode: Mode, mine: Option<&TxId>) -> Vec<Meta> {
        if self.is_free() {
            return Vec::new();
        }
        let mut others: Vec<Meta> = Vec::new();
        let mut add = |lock: &Lock, readers: bool| {
            others.extend(lock.writer.map(|(meta, _)| meta));
            others.extend(lock.readers.iter().filter(|_| readers));
        };
        match key.name.is_none() && mode == Mode::Exclusive {
            true => self.locks(key.ino).for_each(|(_, lock)| add(lock, true)),
            false => {
                self.lock(key).map(|lock| add(lock, mode == Mode::Exclusive)).unwrap_or_default();
                if !key.name.is_none() {
                    let list = self.lock(&Key::itself(key.ino));
                    list.map(|lock| add(lock, false)).unwrap_or_default()
                }
            }
        }
        others.retain(|meta| Some(&meta.id) != mine);
        others
    }

    /// Locks a row; returns the count of removals, or for an existing row locked for writing the
    /// number of its own removal.
    fn hold(
        &mut self,
        meta: &Meta,
        key: &Key,
        mode: Mode,
        present: bool,
        net: &mut impl Net,
    ) -> u64 {
        let lock = self.lock(key);
        if let Some((_, number)) = lock.and_then(|lock| lock.writer) {
            return number;
        }
        let fresh = lock.is_none_or(|lock| lock.readers.iter().all(|r| r.id != meta.id));
        let number = match mode {
            Mode::Exclusive if present => self.remove(net),
            _ => self.removals(),
        };
        let hold = |lock: &mut Lock| match mode {
            Mode::Exclusive => {
                lock.readers.retain(|reader| reader.id != meta.id);
                lock.writer = Some((*meta, number))
            }
            _ if fresh => lock.readers.push(*meta),
            _ => {}
        };
        self.change_lock(key, hold, net);
        if fresh {
            self.hold_too(&meta.id, key, net)
        }
        number
    }

    /// Ends a transaction on this server: applies its writes and releases its rows. Idempotent.
    pub(super) fn settle(&mut self, id: &TxId, fate: &Fate, net: &mut impl Net) {
        if *fate == Fate::Active {
            return;
        }
        if !self.over(id) {
            self.write(Record::Settled(id.client, id.number, id.attempt), net)
        }
        if self.held(id).is_empty() {
            return;
        }
        if let Fate::Committed(writes, removals) = fate {
            writes.iter().for_each(|write| self.put(write.clone(), net));
            self.removed(*removals, net)
        }
        for key in self.take_held(id) {
            let let_go = |lock: &mut Lock| {
                lock.writer = lock.writer.filter(|(meta, _)| meta.id != *id);
                lock.readers.retain(|reader| reader.id != *id)
            };
            self.free(&key);
            self.change_lock(&key, let_go, net)
        }
        self.write(Record::Holds(*id, None), net)
    }

    fn put(&mut self, write: Write, net: &mut impl Net) {
        match write {
            Write::Row(key, stored) => self.write(Record::Row(key, stored), net),
            Write::Said(of, said) => {
                self.write(Record::Said(of.client, of.number, Some(said)), net)
            }
        }
    }

    /// The outcome of a transaction whose status record is here, with its writes for server `part`.
    /// `kill` aborts an active one: the compare-and-swap of the status.
    pub(super) fn fate(&mut self, meta: &Meta, part: u32, kill: bool, net: &mut impl Net) -> Fate {
        let TxId { client, number, attempt } = meta.id;
        match self.status(client, number) {
            Some(status) if status.meta.id.attempt > attempt => Fate::Aborted,
            Some(status) if status.meta.id.attempt == attempt => match &status.parts {
                None => Fate::Aborted,
                Some(parts) => {
                    let mine = parts.iter().find(|(server, _)| *server == part);
                    let writes = mine.map_or_else(Vec::new, |(_, writes)| writes.clone());
                    Fate::Committed(writes, status.removals)
                }
            },
            _ if !kill => Fate::Active,
            _ => {
                if number >= self.heard(client) {
                    let status = Status { meta: *meta, parts: None, removals: 0 };
                    self.write(Record::Status(client, number, Some(Box::new(status))), net)
                }
                Fate::Aborted
            }
        }
    }

    /// Whether an attempt can still commit.
    pub(super) fn is_active(&self, id: &TxId) -> bool {
        let status = self.status(id.client, id.number);
        id.number >= self.heard(id.client) && status.is_none_or(|s| s.meta.id.attempt < id.attempt)
    }
}

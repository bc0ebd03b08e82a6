//! A server's part in transactions: opens, validates and settles rows.
use super::message::{
    Meta, Mode, Moves, Open, OpenError, Opened, OpenedRow, RowRequest, TxId, TxState, Write,
};
use super::record::{Lock, Record, Status};
use super::store::Store;
use super::{Key, Name, Net, Version};

impl Store {
    /// Opens rows up to the first conflict. Idempotent.
    pub(super) fn open(&mut self, open: &Open, net: &mut impl Net) -> Opened {
        let Open { meta, round, states, same, requests, .. } = open;
        self.acknowledge(meta.id.client, meta.oldest, net);
        for (id, state) in states {
            self.settle(id, state, net)
        }
        let mut opened =
            Opened { id: meta.id, round: *round, server: self.me, rows: Vec::new(), error: None };
        if self.has_ended(&meta.id) {
            let is_acknowledged = meta.id.number < self.acknowledged_below(meta.id.client);
            opened.error =
                Some(if is_acknowledged { OpenError::Completed } else { OpenError::Changed });
            return opened;
        }
        for (key, version) in same {
            opened.error = self.validate(meta, key, *version);
            if opened.error.is_some() {
                return opened;
            }
        }
        for request in requests {
            match self.open_row(meta, request, net) {
                Ok(row) => opened.rows.push(row),
                Err(error) => {
                    opened.error = Some(error);
                    break;
                }
            }
        }
        opened
    }

    /// Whether the attempt has ended on this server. A late message must not lock rows forever.
    fn has_ended(&self, id: &TxId) -> bool {
        id.number < self.acknowledged_below(id.client)
            || self.settled(id).is_some_and(|last| last >= id.attempt)
    }

    /// Validates a row that was read earlier.
    fn validate(&self, meta: &Meta, key: &Key, version: Option<Version>) -> Option<OpenError> {
        let writer = self.lock(key).and_then(|lock| lock.writer);
        if self.row(key).map(|stored| stored.version) != version {
            return Some(OpenError::Changed);
        }
        writer
            .filter(|(other, _)| other.id != meta.id)
            .map(|(other, _)| OpenError::Busy(vec![other]))
    }

    fn open_row(
        &mut self,
        meta: &Meta,
        request: &RowRequest,
        net: &mut impl Net,
    ) -> Result<OpenedRow, OpenError> {
        let RowRequest { key, mode, fresh, moves } = request;
        let mode = *mode;
        let others = self.conflicting(key, mode, Some(&meta.id));
        if !others.is_empty() {
            return Err(OpenError::Busy(others));
        }
        if !key.name.is_none() {
            self.check_owner(key)?
        }
        // Of several transactions that move rows of one old list, only the first gets a lock.
        let list = self.list(key.ino);
        let mark = || list.map(|list| list.mark());
        let is_old = |moves: &Moves| moves.base != 0 && mark() != Some(moves.base);
        if moves.as_deref().is_some_and(is_old) && list.is_some() {
            return Err(OpenError::Stale(key.ino, list.cloned()));
        }
        if moves.is_some() && !self.fits_transaction(key.ino) {
            return Err(OpenError::TooLarge);
        }
        let present = self.row(key).is_some();
        let removals = match mode {
            Mode::Unlocked => self.removals(),
            _ => self.hold(meta, key, mode, present, net),
        };
        let of_list = key.name.is_none() && mode == Mode::Exclusive;
        let entry = of_list.then(|| self.entries(key.ino, &Name::NONE).next()).flatten();
        let entry = entry.map(|(key, stored)| (key.name.clone(), stored.version));
        let moved = moves.as_ref().map_or_else(Vec::new, |moves| self.moved(key.ino, &moves.to));
        let fresh = if *fresh { self.assign_inode(net) } else { 0 };
        let stored = self.row(key).cloned();
        Ok(OpenedRow { key: key.clone(), mode, stored, removals, entry, fresh, moved })
    }

    /// Checks by this server's row of the list that the entry belongs here.
    pub(super) fn check_owner(&self, key: &Key) -> Result<(), OpenError> {
        match self.list(key.ino) {
            Some(list) if list.owner(key.ino, &key.name) == self.me => Ok(()),
            list => Err(OpenError::Stale(key.ino, list.cloned())),
        }
    }

    /// Transactions with conflicting locks. A writer of a directory's list also locks all entries
    /// of the directory on this server.
    pub(super) fn conflicting(&self, key: &Key, mode: Mode, mine: Option<&TxId>) -> Vec<Meta> {
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
            Mode::Exclusive if present => self.count_removal(net),
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
            self.add_held_key(&meta.id, key, net)
        }
        number
    }

    /// Ends a transaction on this server: applies its writes and releases its rows. Idempotent.
    pub(super) fn settle(&mut self, id: &TxId, state: &TxState, net: &mut impl Net) {
        if *state == TxState::Active {
            return;
        }
        if !self.has_ended(id) {
            self.write(Record::Settled(id.client, id.number, id.attempt), net)
        }
        if self.held(id).is_empty() {
            return;
        }
        if let TxState::Committed(writes, removals) = state {
            writes.iter().for_each(|write| self.put(write.clone(), net));
            self.raise_removals(*removals, net)
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
            Write::Answer(of, saved) => {
                self.write(Record::Answer(of.client, of.number, Some(saved)), net)
            }
        }
    }

    /// The outcome of a transaction whose status record is here, with its writes for server `part`.
    /// `kill` aborts an active one: the compare-and-swap of the status.
    pub(super) fn query_state(
        &mut self,
        meta: &Meta,
        part: u32,
        kill: bool,
        net: &mut impl Net,
    ) -> TxState {
        let TxId { client, number, attempt } = meta.id;
        match self.status(client, number) {
            Some(status) if status.meta.id.attempt > attempt => TxState::Aborted,
            Some(status) if status.meta.id.attempt == attempt => match &status.parts {
                None => TxState::Aborted,
                Some(parts) => {
                    let mine = parts.iter().find(|(server, _)| *server == part);
                    let writes = mine.map_or_else(Vec::new, |(_, writes)| writes.clone());
                    TxState::Committed(writes, status.removals)
                }
            },
            _ if !kill => TxState::Active,
            _ => {
                if number >= self.acknowledged_below(client) {
                    let status = Status { meta: *meta, parts: None, removals: 0 };
                    self.write(Record::Status(client, number, Some(Box::new(status))), net)
                }
                TxState::Aborted
            }
        }
    }

    /// Whether an attempt can still commit.
    pub(super) fn is_active(&self, id: &TxId) -> bool {
        let status = self.status(id.client, id.number);
        id.number >= self.acknowledged_below(id.client)
            && status.is_none_or(|s| s.meta.id.attempt < id.attempt)
    }
}

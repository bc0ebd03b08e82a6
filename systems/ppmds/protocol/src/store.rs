//! A server's durable state. Each change is a record of its log.
use super::client_history::ClientHistory;
use super::message::{Meta, SavedAnswer, TxId, Write};
use super::record::{Lock, Record, Status};
use super::{Ino, Key, List, NUMBERS_OF_A_SERVER, Name, Net, Outcome, ROOT, Row, SharedList};
use super::{Stored, Version};
use rewind::{Catalog, RangeIter, Rewind, Shared, Table, Var};

#[derive(Rewind)]
pub struct Store {
    pub(super) me: u32,
    /// By hash; pages sort on demand.
    entries: Catalog<Key, Stored>,
    /// Inodes' own rows: few, and read by each operation.
    itself: Catalog<Ino, Stored>,
    locks: Table<Key, Lock>,
    holds: Table<TxId, Var<Vec<Key>>>,
    status: Table<(u32, u32), Status>,
    saved_answers: Table<(u32, u32), SavedAnswer>,
    /// By client; each message of a transaction reads it.
    history: Catalog<u32, ClientHistory>,
    assigned: u64,
    /// Removals so far. A row locked for writing has its number already.
    removals: u64,
    starts: u32,
    /// Whether entries are counted by directory; placements that grow directories need that.
    counting: bool,
    /// Not part of the state: the model never limits.
    limiting: Shared<bool>,
    counts: Table<Ino, u32>,
    /// Directories with rows unlocked by the current message.
    freed: Var<Vec<Ino>>,
}

/// Most bytes of a directory's rows on one server that move in a transaction.
const MOST_MOVED: usize = 16 << 20;
/// Bytes of a row without its name and contents, at most.
const ROW_BYTES: usize = 100;

impl Store {
    pub fn new(me: u32) -> Store {
        Store {
            me,
            entries: Catalog::new(),
            itself: Catalog::new(),
            locks: Table::new(),
            holds: Table::new(),
            status: Table::new(),
            saved_answers: Table::new(),
            history: Catalog::new(),
            assigned: 0,
            removals: 0,
            starts: 0,
            counting: false,
            limiting: Shared::new(false),
            counts: Table::new(),
            freed: Var::new(Vec::new()),
        }
    }

    /// Adds the list of a directory that exists at the start, if this server is on it.
    pub fn begin(&mut self, directory: Ino, list: &List, home: u32) {
        if list.holders(home).contains(&self.me) {
            let list = if home == self.me { list.clone() } else { list.away() };
            let stored = Stored { version: list.born, row: Row::List(list.into()) };
            self.apply(Record::Row(Key::itself(directory), Some(stored)))
        }
    }

    pub(super) fn free(&mut self, key: &Key) {
        self.freed.update(|all| all.push(key.ino))
    }

    /// Called if no request waits for a row.
    pub(super) fn forget_freed(&mut self) {
        if !self.freed.is_empty() {
            self.freed.update(Vec::clear)
        }
    }

    pub(super) fn take_freed(&mut self) -> Vec<Ino> {
        match self.freed.is_empty() {
            true => Vec::new(),
            false => self.freed.update(std::mem::take),
        }
    }

    /// Refuses moves of directories whose rows exceed a message between real servers.
    pub fn limiting(mut self) -> Store {
        self.limiting = Shared::new(true);
        self
    }

    pub fn counting(mut self) -> Store {
        self.counting = true;
        self
    }

    pub(super) fn count_of(&self, directory: Ino) -> u32 {
        self.counts.get(&directory).copied().unwrap_or(0)
    }

    pub(super) fn nth(&self, directory: Ino, n: u32) -> Option<Name> {
        self.entries(directory, &Name::NONE).nth(n as usize).map(|(key, _)| key.name.clone())
    }

    pub fn me(&self) -> u32 {
        self.me
    }

    fn count_entry(&mut self, directory: Ino, there: bool) {
        let change = |count: &mut u32| *count = if there { *count + 1 } else { *count - 1 };
        self.counts.update_or_insert(directory, || 0, change)
    }

    /// Logs and applies a change.
    pub(super) fn write(&mut self, record: Record, net: &mut impl Net) {
        net.changes();
        if net.logs() {
            net.log(&record)
        }
        self.apply(record)
    }

    /// Applies a change, also when a log is replayed.
    pub fn apply(&mut self, record: Record) {
        fn put<K: Ord + Clone, V: Rewind>(to: &mut Table<K, V>, key: K, value: Option<V>) {
            match value {
                Some(value) => {
                    to.insert(key, value);
                }
                None => {
                    to.discard(&key);
                }
            }
        }
        match record {
            Record::Row(key, Some(stored)) if key.name.is_none() => {
                self.itself.insert(key.ino, stored);
            }
            Record::Row(key, None) if key.name.is_none() => {
                self.itself.discard(&key.ino);
            }
            Record::Row(key, stored) => self.put_entry(key, stored),
            Record::Lock(key, lock) => put(&mut self.locks, key, lock.map(|lock| *lock)),
            Record::Holds(id, keys) => put(&mut self.holds, id, keys.map(Var::new)),
            Record::Settled(client, number, attempt) => {
                self.change_history(client, |history| history.settle(number, attempt))
            }
            Record::Status(client, number, status) => {
                put(&mut self.status, (client, number), status.map(|status| *status))
            }
            Record::Answer(client, number, saved) => {
                put(&mut self.saved_answers, (client, number), saved.map(|saved| *saved))
            }
            Record::Acknowledged(client, oldest) => self.forget(client, oldest),
            Record::Counts(assigned, removals, starts) => {
                (self.assigned, self.removals, self.starts) = (assigned, removals, starts)
            }
        }
    }

    fn put_entry(&mut self, key: Key, stored: Option<Stored>) {
        let (directory, there) = (key.ino, stored.is_some());
        let is_other = match stored {
            Some(stored) => self.entries.insert(key, stored),
            None => self.entries.discard(&key),
        };
        if self.counting && is_other {
            self.count_entry(directory, there)
        }
    }

    fn forget(&mut self, client: u32, oldest: u32) {
        self.change_history(client, |history| history.acknowledge(oldest));
        let range = (client, 0)..(client, oldest);
        drop_all(&mut self.saved_answers, range.clone(), |_| true);
        drop_all(&mut self.status, range, |status| status.parts.is_none())
    }

    fn change_history(&mut self, client: u32, change: impl FnOnce(&mut ClientHistory)) {
        let mut history = self.history.get(&client).cloned().unwrap_or_default();
        change(&mut history);
        self.history.insert(client, history);
    }

    pub(super) fn acknowledge(&mut self, client: u32, oldest: u32, net: &mut impl Net) {
        if oldest > self.acknowledged_below(client) {
            self.write(Record::Acknowledged(client, oldest), net)
        }
    }

    pub(super) fn acknowledged_below(&self, client: u32) -> u32 {
        self.history.get(&client).map_or(0, ClientHistory::acknowledged_below)
    }

    pub fn row(&self, key: &Key) -> Option<&Stored> {
        match key.name.is_none() {
            true => self.itself.get(&key.ino),
            false => self.entries.get(key),
        }
    }

    /// Memory that a look-up of this entry reads first, to prefetch.
    pub fn near(&self, key: &Key) -> Option<&u64> {
        self.entries.near(key)
    }

    /// Memory that it most likely reads next.
    pub fn row_near<'a>(&'a self, key: &Key) -> Option<&'a (impl Sized + use<'a>)> {
        self.entries.row_near(key)
    }

    /// Memory that a look-up of this client's history reads first, to prefetch.
    pub fn history_near(&self, client: u32) -> Option<&u64> {
        self.history.near(&client)
    }

    /// Memory that it most likely reads next.
    pub fn history_row_near(&self, client: u32) -> Option<&(impl Sized + use<'_>)> {
        self.history.row_near(&client)
    }

    /// Adds an entry; returns false and changes nothing if it exists.
    pub(super) fn add(&mut self, key: Key, stored: Stored, net: &mut impl Net) -> bool {
        let logged = net.logs().then(|| Record::Row(key.clone(), Some(stored.clone())));
        let directory = key.ino;
        net.changes();
        let new = self.entries.add(key, stored);
        if let Some(record) = logged.filter(|_| new) {
            net.log(&record)
        }
        if self.counting && new {
            self.count_entry(directory, true)
        }
        new
    }

    /// Inodes' own rows, then entries, each sorted by key.
    pub fn rows(&self) -> impl Iterator<Item = (Key, &Stored)> {
        let mut itself: Vec<_> =
            self.itself.iter().map(|(ino, stored)| (Key::itself(*ino), stored)).collect();
        itself.sort_by_key(|(key, _)| key.ino);
        let (least, most) = (Key::itself(0), Key::itself(Ino::MAX));
        let entries = self.entries.between(&least, &most);
        itself.into_iter().chain(entries.map(|(key, stored)| (key.clone(), stored)))
    }

    pub fn len(&self) -> usize {
        self.entries.len() + self.itself.len()
    }

    /// Clients whose history this server keeps.
    pub fn clients_len(&self) -> usize {
        self.history.len()
    }

    /// Answers that clients have not acknowledged.
    pub fn answers_len(&self) -> usize {
        self.saved_answers.len()
    }

    pub fn locks_len(&self) -> usize {
        self.locks.len()
    }

    pub fn entries_len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entries behind a name, sorted by name.
    pub(super) fn entries(&self, directory: Ino, behind: &Name) -> RangeIter<'_, Key, Stored> {
        self.entries.between(&Key::entry(directory, behind), &Key::itself(directory + 1))
    }

    pub(super) fn lock(&self, key: &Key) -> Option<&Lock> {
        if self.locks.is_empty() { None } else { self.locks.get(key) }
    }

    /// Locks on a directory's list and entries.
    pub(super) fn locks(&self, directory: Ino) -> impl Iterator<Item = (&Key, &Lock)> {
        self.locks.range(Key::itself(directory)..Key::itself(directory + 1))
    }

    pub(super) fn is_free(&self) -> bool {
        self.locks.is_empty()
    }

    /// Changes a lock in place; only a log needs a copy.
    pub(super) fn change_lock(
        &mut self,
        key: &Key,
        change: impl FnOnce(&mut Lock),
        net: &mut impl Net,
    ) {
        if net.logs() {
            let mut lock = self.lock(key).cloned().unwrap_or_default();
            change(&mut lock);
            let lock = (!lock.is_free()).then(|| Box::new(lock));
            return self.write(Record::Lock(key.clone(), lock), net);
        }
        net.changes();
        if !self.locks.contains(key) {
            let mut lock = Lock::default();
            change(&mut lock);
            if !lock.is_free() {
                self.locks.insert(key.clone(), lock);
            }
            return;
        }
        let change = |lock: &mut Lock| {
            change(lock);
            lock.is_free()
        };
        if self.locks.update(key, change) == Some(true) {
            self.locks.discard(key);
        }
    }

    pub(super) fn add_held_key(&mut self, id: &TxId, key: &Key, net: &mut impl Net) {
        if net.logs() {
            let mut keys = self.held(id).to_vec();
            keys.push(key.clone());
            return self.write(Record::Holds(*id, Some(keys)), net);
        }
        net.changes();
        let push = |keys: &mut Var<Vec<Key>>| keys.update(|keys| keys.push(key.clone()));
        if self.holds.update(id, push).is_none() {
            self.holds.insert(*id, Var::new(vec![key.clone()]));
        }
    }

    /// Takes the keys that a transaction locks; the caller drops the empty list.
    pub(super) fn take_held(&mut self, id: &TxId) -> Vec<Key> {
        self.holds.update(id, |keys| keys.update(std::mem::take)).unwrap_or_default()
    }

    pub(super) fn held(&self, id: &TxId) -> &[Key] {
        self.holds.get(id).map_or(&[], |keys| keys)
    }

    pub(super) fn settled(&self, id: &TxId) -> Option<u64> {
        self.history.get(&id.client).and_then(|history| history.settled(id.number))
    }

    pub(super) fn status(&self, client: u32, number: u32) -> Option<&Status> {
        self.status.get(&(client, number))
    }

    pub(super) fn all_status(&self) -> impl Iterator<Item = &Status> {
        self.status.values()
    }

    pub(super) fn saved_answer(&self, client: u32, number: u32) -> Option<&SavedAnswer> {
        self.saved_answers.get(&(client, number))
    }

    /// A final answer that the client has not acknowledged.
    pub fn answered(&self, client: u32, number: u32) -> Option<&SavedAnswer> {
        self.saved_answer(client, number).filter(|saved| saved.is_done())
    }

    /// All final answers that clients have not acknowledged.
    pub fn all_answered(&self) -> impl Iterator<Item = (u32, u32, &SavedAnswer)> {
        let all = self.saved_answers.iter().filter(|(_, saved)| saved.is_done());
        all.map(|((client, number), saved)| (*client, *number, saved))
    }

    /// Final answers about entries of a directory.
    pub(super) fn saved_answers_of(
        &self,
        directory: Ino,
    ) -> impl Iterator<Item = (&(u32, u32), &SavedAnswer)> {
        self.saved_answers
            .iter()
            .filter(move |(_, saved)| saved.key.ino == directory && saved.is_done())
    }

    /// Assigns the next inode number of this server's range.
    pub(super) fn assign_inode(&mut self, net: &mut impl Net) -> Ino {
        self.count(self.assigned + 1, self.removals, self.starts, net);
        let number = u64::from(self.me) * NUMBERS_OF_A_SERVER + self.assigned;
        number + ROOT
    }

    /// Counts a removal; returns its number.
    pub(super) fn count_removal(&mut self, net: &mut impl Net) -> u64 {
        self.count(self.assigned, self.removals + 1, self.starts, net);
        self.removals
    }

    pub(super) fn removals(&self) -> u64 {
        self.removals
    }

    /// Raises the count of removals to at least `upto`.
    pub(super) fn raise_removals(&mut self, upto: u64, net: &mut impl Net) {
        if upto > self.removals {
            self.count(self.assigned, upto, self.starts, net)
        }
    }

    /// Counts a start; returns the total.
    pub(super) fn start(&mut self, net: &mut impl Net) -> u32 {
        self.count(self.assigned, self.removals, self.starts + 1, net);
        self.starts
    }

    pub(super) fn starts(&self) -> u32 {
        self.starts
    }

    fn count(&mut self, assigned: u64, removals: u64, starts: u32, net: &mut impl Net) {
        self.write(Record::Counts(assigned, removals, starts), net)
    }

    /// Whether this server's rows of a directory can move in one transaction.
    pub fn fits_transaction(&self, directory: Ino) -> bool {
        let mut bytes = 0;
        !*self.limiting
            || self.entries(directory, &Name::NONE).all(|(key, stored)| {
                bytes += ROW_BYTES + key.name.bytes().len() + stored.row.contents().len();
                bytes <= MOST_MOVED
            })
    }

    /// The transactions that lock rows.
    pub(super) fn lockers(&self) -> Vec<Meta> {
        let all = self.locks.iter().flat_map(|(_, lock)| {
            lock.writer.map(|(meta, _)| meta).into_iter().chain(lock.readers.iter().copied())
        });
        let mut all: Vec<Meta> = all.collect();
        all.sort_by_key(|meta| meta.id);
        all.dedup_by_key(|meta| meta.id);
        all
    }

    /// All directories with a list on this server, and their lists.
    pub fn lists(&self) -> impl Iterator<Item = (Ino, &SharedList)> {
        self.itself.iter().filter_map(|(ino, stored)| Some((*ino, stored.row.list()?)))
    }

    /// Rows, and answers about them, that leave this server under a new list.
    pub(super) fn moved(&self, directory: Ino, to: &List) -> Vec<Write> {
        let goes = |name: &Name| to.owner(directory, name) != self.me;
        let rows = self.entries(directory, &Name::NONE).filter(|(key, _)| goes(&key.name));
        let rows = rows.map(|(key, stored)| Write::Row(key.clone(), Some(stored.clone())));
        let saved = self.saved_answers_of(directory).filter(|(_, saved)| goes(&saved.key.name));
        let saved = saved.map(|((client, number), saved)| {
            let version = Version { client: *client, number: *number };
            Write::Answer(version, Box::new(saved.clone()))
        });
        rows.chain(saved).collect()
    }

    pub(super) fn list(&self, directory: Ino) -> Option<&SharedList> {
        self.itself.get(&directory).and_then(|stored| stored.row.list())
    }
}

fn drop_all<V: Rewind>(
    from: &mut Table<(u32, u32), V>,
    range: std::ops::Range<(u32, u32)>,
    is: impl Fn(&V) -> bool,
) {
    if from.is_empty() {
        return;
    }
    let old: Vec<(u32, u32)> =
        from.range(range).filter(|(_, value)| is(value)).map(|(key, _)| *key).collect();
    for key in &old {
        from.discard(key);
    }
}

impl SavedAnswer {
    /// Whether the operation was executed, not left to another server or the client.
    pub(super) fn is_done(&self) -> bool {
        !matches!(self.outcome, Outcome::Stale(_) | Outcome::NeedsTransaction)
    }
}

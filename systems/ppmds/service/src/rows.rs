//! A server's durable rows as keys and values: each of the protocol's records puts or deletes some.
//!
//! ```text
//!  c                          inode numbers assigned, removals, starts
//!  g                          generation and role of this copy
//!  h client number attempt    the rows that a transaction locks
//!  k client                   the client has the answers of all operations below this number
//!  l inode name               a lock
//!  m                          the servers of a cluster that has grown
//!  n                          client sessions assigned
//!  p client number            an answer that the client has not acknowledged
//!  r inode name               an entry, a list or an inode
//!  s client number            the last attempt of an operation that has ended
//!  t client number            the status record of a transaction
//! ```
//!
//! Numbers in keys are big endian, so that keys have the order of their numbers. A load applies the
//! tables in the order of their letters: acknowledgements before what they would delete.
use crate::cluster::Members;
use ppmds_protocol::message::TxId;
use ppmds_protocol::record::Record;
use ppmds_protocol::{Key, Name, Placement, ROOT, Row, Store, Stored, Version, root};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Changes of one batch: `None` deletes. Of several changes of a key only the last remains.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Changes(pub BTreeMap<Vec<u8>, Option<Vec<u8>>>);

impl Changes {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether messages must wait until the changes are durable. A crash that loses
    /// acknowledgements, with what they delete, leaves rows that the next one deletes.
    pub fn hold_messages(&self) -> bool {
        let holds = |(key, value): (&Vec<u8>, &Option<Vec<u8>>)| match key.first() {
            Some(b'k') => false,
            Some(b'p' | b's' | b't') => value.is_some(),
            _ => true,
        };
        self.0.iter().any(holds)
    }

    fn put(&mut self, key: Vec<u8>, value: &impl Serialize) {
        let value = postcard::to_stdvec(value).expect("memory is written to");
        self.0.insert(key, Some(value));
    }

    fn set(&mut self, key: Vec<u8>, value: Option<&impl Serialize>) {
        match value {
            Some(value) => self.put(key, value),
            None => drop(self.0.insert(key, None)),
        }
    }

    /// The number of client sessions assigned, rounded up.
    pub fn put_sessions(&mut self, count: u32) {
        self.put(b"n".to_vec(), &count)
    }
}

/// Keys that an acknowledgement deletes: those of the protocol's tables that it clears by range.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Index(BTreeSet<(u32, u32, u8)>);

impl Index {
    /// Adds a record to a batch.
    pub fn record(&mut self, record: &Record, to: &mut Changes) {
        match record {
            Record::Row(key, stored) => to.set(row_key(b'r', key), stored.as_ref()),
            Record::Lock(key, lock) => to.set(row_key(b'l', key), lock.as_ref()),
            Record::Holds(id, keys) => to.set(transaction_key(id), keys.as_ref()),
            Record::Settled(client, number, attempt) => {
                self.0.insert((*client, *number, b's'));
                to.put(numbered(b's', *client, *number), attempt)
            }
            Record::Status(client, number, status) => {
                // A committed one stays until all servers have confirmed it.
                let is_aborted = status.as_ref().is_some_and(|status| status.parts.is_none());
                self.note((*client, *number, b't'), is_aborted);
                to.set(numbered(b't', *client, *number), status.as_ref())
            }
            Record::Answer(client, number, saved) => {
                self.note((*client, *number, b'p'), saved.is_some());
                to.set(numbered(b'p', *client, *number), saved.as_ref())
            }
            Record::Acknowledged(client, oldest) => {
                let range = (*client, 0, 0)..(*client, *oldest, 0);
                let old: Vec<(u32, u32, u8)> = self.0.range(range).copied().collect();
                for key in old {
                    self.0.remove(&key);
                    to.0.insert(numbered(key.2, key.0, key.1), None);
                }
                to.put([&b"k"[..], &client.to_be_bytes()].concat(), oldest)
            }
            Record::Counts(assigned, removals, starts) => {
                to.put(b"c".to_vec(), &(*assigned, *removals, *starts))
            }
        }
    }

    fn note(&mut self, key: (u32, u32, u8), is_there: bool) {
        match is_there {
            true => self.0.insert(key),
            false => self.0.remove(&key),
        };
    }
}

fn row_key(table: u8, key: &Key) -> Vec<u8> {
    [&[table][..], &key.ino.to_be_bytes(), key.name.bytes()].concat()
}

fn numbered(table: u8, client: u32, number: u32) -> Vec<u8> {
    [&[table][..], &client.to_be_bytes(), &number.to_be_bytes()].concat()
}

fn transaction_key(id: &TxId) -> Vec<u8> {
    [&numbered(b'h', id.client, id.number)[..], &id.attempt.to_be_bytes()].concat()
}

/// The rows of a new server: the root's list.
pub fn first(me: u32, placement: &impl Placement) -> Changes {
    let mut changes = Changes::default();
    let (list, home) = (root(placement), placement.home(ROOT));
    if list.holders(home).contains(&me) {
        let list = if home == me { list } else { list.away() };
        let none = Version { client: u32::MAX, number: 0 };
        let stored = Stored { version: none, row: Row::List(list.into()) };
        changes.put(row_key(b'r', &Key::itself(ROOT)), &stored)
    }
    changes
}

/// The key of the servers of a cluster that has grown.
pub const MEMBERS: &[u8] = b"m";

pub fn of_members(members: &Members) -> Changes {
    let mut changes = Changes::default();
    changes.put(MEMBERS.to_vec(), members);
    changes
}

/// `None`: the row is of another version.
pub fn members_of(row: &[u8]) -> Option<Members> {
    value_of(row)
}

/// The key of a copy's own row, which its standby does not have.
pub const STANDING: &[u8] = b"g";

/// Which of the two copies of a server this is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Has no standby and never had one.
    #[default]
    Single,
    /// Has or had a standby.
    Main,
    Standby,
    /// A standby that became the server, and has none itself.
    Promoted,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Standing {
    pub generation: u32,
    pub role: Role,
}

impl Standing {
    /// `None`: the row is of another version.
    pub fn read(row: Option<&[u8]>) -> Option<Standing> {
        match row {
            Some(row) => value_of(row),
            None => Some(Standing { generation: 1, role: Role::Single }),
        }
    }

    pub fn changes(&self) -> Changes {
        let mut changes = Changes::default();
        changes.put(STANDING.to_vec(), self);
        changes
    }
}

/// A server's state in memory.
pub struct Loaded {
    pub store: Store,
    pub index: Index,
    pub sessions: u32,
}

/// Loads all rows of a store.
///
/// # Errors
/// The key of a row that is not of this version.
pub fn load(me: u32, rows: impl Iterator<Item = (Vec<u8>, Vec<u8>)>) -> Result<Loaded, Vec<u8>> {
    let (mut loaded, mut changes) = (
        Loaded { store: Store::new(me).limiting(), index: Index::default(), sessions: 0 },
        Changes::default(),
    );
    for (key, value) in rows {
        if key == STANDING || key == MEMBERS {
            continue;
        }
        if key == b"n" {
            loaded.sessions = value_of(&value).ok_or(key)?;
            continue;
        }
        let record = record_of(&key, &value).ok_or(key)?;
        // An acknowledgement has deleted the rows below it.
        if !matches!(record, Record::Acknowledged(..)) {
            loaded.index.record(&record, &mut changes);
            changes.0.clear()
        }
        loaded.store.apply(record)
    }
    Ok(loaded)
}

/// An entry, list or inode; `None`: another row.
pub fn stored_row(key: &[u8], value: &[u8]) -> Option<(Key, Stored)> {
    match record_of(key, value)? {
        Record::Row(key, Some(stored)) => Some((key, stored)),
        _ => None,
    }
}

/// The store's key of an entry, list or inode.
pub fn stored_key(key: &Key) -> Vec<u8> {
    row_key(b'r', key)
}

fn record_of(key: &[u8], value: &[u8]) -> Option<Record> {
    let (table, rest) = key.split_first()?;
    Some(match table {
        b'r' => Record::Row(key_of(rest)?, Some(value_of(value)?)),
        b'l' => Record::Lock(key_of(rest)?, Some(value_of(value)?)),
        b'h' => {
            let (client, number) = numbers(rest.get(..8)?)?;
            let attempt = u64::from_be_bytes(rest.get(8..)?.try_into().ok()?);
            Record::Holds(TxId { client, number, attempt }, Some(value_of(value)?))
        }
        b's' => {
            let (client, number) = numbers(rest)?;
            Record::Settled(client, number, value_of(value)?)
        }
        b't' => {
            let (client, number) = numbers(rest)?;
            Record::Status(client, number, Some(value_of(value)?))
        }
        b'p' => {
            let (client, number) = numbers(rest)?;
            Record::Answer(client, number, Some(value_of(value)?))
        }
        b'k' => {
            let client = u32::from_be_bytes(rest.try_into().ok()?);
            Record::Acknowledged(client, value_of(value)?)
        }
        b'c' => {
            let (assigned, removals, starts) = value_of(value)?;
            Record::Counts(assigned, removals, starts)
        }
        _ => return None,
    })
}

fn key_of(bytes: &[u8]) -> Option<Key> {
    let (ino, name) = bytes.split_first_chunk()?;
    let name = if name.is_empty() { Name::NONE } else { Name::new(name).ok()? };
    Some(Key { ino: u64::from_be_bytes(*ino), name })
}

fn numbers(bytes: &[u8]) -> Option<(u32, u32)> {
    let (client, rest) = bytes.split_first_chunk()?;
    let number = u32::from_be_bytes(rest.try_into().ok()?);
    Some((u32::from_be_bytes(*client), number))
}

fn value_of<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Some(value),
        _ => None,
    }
}

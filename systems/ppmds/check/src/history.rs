use serde::{Deserialize, Serialize};

/// The directory's inode number, and a name.
pub type Entry = (u64, String);

/// The client and number of the request that wrote a row.
pub type Version = (u32, u32);

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "op", content = "args", rename_all = "lowercase")]
pub enum Call {
    Create {
        entry: Entry,
        mode: u16,
    },
    Mkdir {
        entry: Entry,
        mode: u16,
    },
    Lookup {
        entry: Entry,
    },
    Stat {
        entry: Entry,
    },
    Setattr {
        entry: Entry,
        mode: Option<u16>,
        size: Option<u64>,
    },
    Unlink {
        entry: Entry,
    },
    Rmdir {
        entry: Entry,
    },
    Rename {
        from: Entry,
        to: Entry,
    },
    Link {
        from: Entry,
        to: Entry,
    },
    /// All entries, each from some moment of the operation. POSIX allows that, and PPMDS promises
    /// no more.
    Readdir {
        directory: u64,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Attributes {
    pub ino: u64,
    pub directory: bool,
    pub mode: u16,
    /// \[bytes\]
    pub size: u64,
    pub links: u32,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    Error(String),
    /// The inode that was created, found, moved or removed.
    Ino(u64),
    Inode(Attributes),
    Entries(Vec<(String, u64)>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum After {
    Kept,
    Written,
    Removed,
}

/// A row as an operation saw it, similar to NFS's change attribute.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Saw {
    /// Directory and name; without a name: the inode's own row.
    pub row: Entry,
    pub server: u32,
    /// The version's writer; `None`: the row did not exist.
    pub before: Option<Version>,
    /// Removals on that server so far. For a removed row: the number of its removal.
    pub removals: u64,
    pub after: After,
}

/// An operation as its client saw it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Event {
    pub client: u32,
    /// The client's number of the operation.
    pub number: u32,
    #[serde(flatten)]
    pub call: Call,
    pub invoked_ns: u64,
    pub completed_ns: Option<u64>,
    /// The answer, or the one that a crashed client would have received.
    pub result: Option<Outcome>,
    /// The rows seen. Without an answer: present if the operation took effect. A service that
    /// states no rows leaves it empty; then all orders are searched.
    #[serde(default)]
    pub saw: Vec<Saw>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct History {
    /// Directories that exist at the start, with their parents.
    pub directories: Vec<(u64, u64)>,
    pub events: Vec<Event>,
    /// Line numbers of the events, from 1; empty: not from a file.
    pub lines: Vec<usize>,
}

impl Call {
    /// Entries of the arguments; of a readdir its directory without a name.
    pub fn entries(&self) -> Vec<Entry> {
        match self {
            Call::Create { entry, .. }
            | Call::Mkdir { entry, .. }
            | Call::Lookup { entry }
            | Call::Stat { entry }
            | Call::Setattr { entry, .. }
            | Call::Unlink { entry }
            | Call::Rmdir { entry } => vec![entry.clone()],
            Call::Rename { from, to } | Call::Link { from, to } => vec![from.clone(), to.clone()],
            Call::Readdir { directory } => vec![(*directory, String::new())],
        }
    }
}

impl Event {
    /// The version of its writes.
    pub fn version(&self) -> Version {
        (self.client, self.number)
    }

    /// Whether it was answered but states no rows.
    pub(crate) fn is_apart(&self) -> bool {
        self.saw.is_empty() && self.completed_ns.is_some()
    }

    /// Text: client, number, times, call, result.
    pub fn say(&self) -> String {
        let call = serde_json::to_string(&self.call).unwrap_or_default();
        let result = match &self.result {
            None => "no answer".to_string(),
            Some(result) => serde_json::to_string(result).unwrap_or_default(),
        };
        let (client, number) = self.version();
        let until = match self.completed_ns {
            Some(completed) => format!("to {completed} ns"),
            None => "ns, not answered".to_string(),
        };
        let begun = self.invoked_ns;
        format!("client {client}, operation {number}, {begun} {until}: {call} -> {result}")
    }

    /// The entry's inode after this operation (`Some(None)`: removed); `None`: unchanged.
    pub fn leaves(&self, entry: &Entry) -> Option<Option<u64>> {
        let Some(Outcome::Ino(ino)) = self.result else { return None };
        match &self.call {
            Call::Create { entry: one, .. }
            | Call::Mkdir { entry: one, .. }
            | Call::Setattr { entry: one, .. } => (one == entry).then_some(Some(ino)),
            Call::Unlink { entry: one } | Call::Rmdir { entry: one } => {
                (one == entry).then_some(None)
            }
            Call::Rename { to, .. } | Call::Link { to, .. } if to == entry => Some(Some(ino)),
            Call::Rename { from, .. } => (from == entry).then_some(None),
            _ => None,
        }
    }

    /// The inode that it creates if it succeeds.
    pub fn new_inode(&self) -> u64 {
        match self.result {
            Some(Outcome::Ino(ino)) => ino,
            _ => 0,
        }
    }
}

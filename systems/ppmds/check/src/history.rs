//! A history: operations as clients saw them.
use serde::{Deserialize, Serialize};

/// An entry: directory and name.
pub type Entry = (u64, String);

/// A client and its request, which wrote a row.
pub type Version = (u32, u32);

/// An operation with its arguments.
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
    /// All entries: each as it was at some moment of the operation, not all at one, as POSIX
    /// allows and as PPMDS' protocol promises.
    Readdir {
        directory: u64,
    },
}

/// An inode as a client sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Attributes {
    pub ino: u64,
    pub directory: bool,
    pub mode: u16,
    /// Bytes.
    pub size: u64,
    pub links: u32,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    Error(String),
    /// The inode that was made, found, moved or freed.
    Ino(u64),
    Inode(Attributes),
    Entries(Vec<(String, u64)>),
}

/// What an operation did to a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum After {
    Kept,
    Written,
    Removed,
}

/// A row as an operation saw it: NFS's change attributes, by row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Saw {
    /// Directory and name; without a name the inode's own row.
    pub row: Entry,
    pub server: u32,
    /// Who had written it; `None`: it was not there.
    pub before: Option<Version>,
    /// How many rows that server had taken away; of a row that is taken away its own number.
    pub removals: u64,
    pub after: After,
}

/// An operation, from when it was wanted to when it was answered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Event {
    pub client: u32,
    /// The client's number of it.
    pub number: u32,
    #[serde(flatten)]
    pub call: Call,
    pub invoked_ns: u64,
    /// It was answered; `None`: never.
    pub completed_ns: Option<u64>,
    /// What was answered; or, where the client was gone by then, what would have been.
    pub result: Option<Outcome>,
    /// The rows that it saw; of an operation without an answer, if it took effect. A service that
    /// does not say them has none: all orders are searched then.
    #[serde(default)]
    pub saw: Vec<Saw>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct History {
    /// Directories that were there from the beginning, each with its parent.
    pub directories: Vec<(u64, u64)>,
    pub events: Vec<Event>,
    /// The line of each, from 1; empty: they are of no file.
    pub lines: Vec<usize>,
}

impl Call {
    /// Entries that it names; of a list of entries its directory, without a name.
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
    /// The version that its writes have.
    pub fn version(&self) -> Version {
        (self.client, self.number)
    }

    /// Whether it was answered and its place is not known by rows.
    pub(crate) fn is_apart(&self) -> bool {
        self.saw.is_empty() && self.completed_ns.is_some()
    }

    /// As people say it: who, what, when.
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

    /// What an entry is once this has been done, if it is one that this changes.
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

    /// The inode that it makes, if it succeeds.
    pub fn new_inode(&self) -> u64 {
        match self.result {
            Some(Outcome::Ino(ino)) => ino,
            _ => 0,
        }
    }
}

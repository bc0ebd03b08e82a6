//! The messages.
use super::codec::Field;
use xor_protocol::commit::{Held, Version};

/// Makes a structure whose wire form is that of its fields, one after the other.
macro_rules! record {
    ($(#[$about:meta])* pub struct $name:ident {
        $($(#[$doc:meta])* $field:ident: $kind:ty,)*
    }) => {
        $(#[$about])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct $name { $($(#[$doc])* pub $field: $kind,)* }

        impl Field for $name {
            const LEAST: usize = 0 $(+ <$kind as Field>::LEAST)*;
            fn put(&self, out: &mut Vec<u8>) { $(self.$field.put(out);)* }
            fn take(input: &mut &[u8]) -> Option<Self> {
                Some($name { $($field: Field::take(input)?,)* })
            }
        }
    };
}

pub(crate) use record;

macro_rules! messages {
    ($(#[$about:meta])* pub enum $name:ident {
        $($(#[$doc:meta])* $tag:literal $variant:ident {
            $($(#[$field_doc:meta])* $field:ident: $kind:ty,)*
        },)*
    }) => {
        $(#[$about])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub enum $name { $($(#[$doc])* $variant { $($(#[$field_doc])* $field: $kind,)* },)* }

        impl $name {
            /// As it goes over the wire: a byte that says which, then the fields.
            pub fn to_bytes(&self) -> Vec<u8> {
                let mut out = Vec::new();
                match self { $($name::$variant { $($field,)* } => {
                    out.push($tag);
                    $($field.put(&mut out);)*
                })* }
                out
            }

            /// From the wire; `None` unless all bytes are one message.
            pub fn from_bytes(mut input: &[u8]) -> Option<$name> {
                let input = &mut input;
                let message = match u8::take(input)? {
                    $($tag => $name::$variant { $($field: Field::take(input)?,)* },)*
                    _ => return None,
                };
                input.is_empty().then_some(message)
            }
        }
    };
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// A new version of an object.
    Put,
    /// A version that the others have, for a node that has lost it.
    Rebuild,
    /// Some stripes of a version that is there, in place.
    Patch,
    /// Blocks are received, forwarded and checked, and not stored.
    Measure,
}

impl Field for Mode {
    const LEAST: usize = 1;
    fn put(&self, out: &mut Vec<u8>) {
        out.push(*self as u8)
    }
    fn take(input: &mut &[u8]) -> Option<Mode> {
        nth([Mode::Put, Mode::Rebuild, Mode::Patch, Mode::Measure], input)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The node could not do it.
    Own,
    Asked,
    /// Another node is gone, which may know why.
    Other,
    /// No fault: the node has no room now, and will have.
    Busy,
}

impl Field for Fault {
    const LEAST: usize = 1;
    fn put(&self, out: &mut Vec<u8>) {
        out.push(*self as u8)
    }
    fn take(input: &mut &[u8]) -> Option<Fault> {
        nth([Fault::Own, Fault::Asked, Fault::Other, Fault::Busy], input)
    }
}

/// What becomes of a version that is settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Settling {
    Commit,
    /// It is made visible, and older ones go: it is everywhere.
    Supersede,
    Discard,
    Forget,
}

impl Field for Settling {
    const LEAST: usize = 1;
    fn put(&self, out: &mut Vec<u8>) {
        out.push(*self as u8)
    }
    fn take(input: &mut &[u8]) -> Option<Settling> {
        nth([Settling::Commit, Settling::Supersede, Settling::Discard, Settling::Forget], input)
    }
}

/// What a node says of a version, by its byte.
const HELD: [Held; 8] = [
    Held::Unknown,
    Held::Nothing,
    Held::Prepared { is_attended: false },
    Held::Prepared { is_attended: true },
    Held::Committed,
    Held::Unreadable,
    Held::Removed { with_older: false },
    Held::Removed { with_older: true },
];

impl Field for Held {
    const LEAST: usize = 1;
    fn put(&self, out: &mut Vec<u8>) {
        let number = HELD.iter().position(|held| held == self);
        out.push(number.expect("all of them have a byte") as u8)
    }
    fn take(input: &mut &[u8]) -> Option<Held> {
        nth(HELD, input)
    }
}

/// The one whose place among these the next byte says.
fn nth<T: Copy, const N: usize>(all: [T; N], input: &mut &[u8]) -> Option<T> {
    all.get(usize::from(u8::take(input)?)).copied()
}

record! {
    /// A version of an object on one node; also the content of its record on disk.
    pub struct Entry {
        name: String,
        version: Version,
        /// How far the node is with it; a record on disk has what its file's ending says.
        held: Held,
        /// Which node of the layout this is.
        index: u8,
        nodes: u8,
        /// 0 single, 1 document, 2 general, 3 fallback.
        rule: u8,
        /// Block size \[bytes\].
        block: u32,
        /// The object's length \[bytes\].
        length: u64,
        /// SHA-256 of the object; zeros before it is prepared.
        sha256: [u8; 32],
    }
}

record! {
    /// Which cluster a node is of, and its place there; also the content of its file on disk.
    #[derive(Default)]
    pub struct Member {
        /// Drawn when the cluster was made; 0 of a node that nobody has told.
        cluster: u128,
        /// How often its list of nodes has changed: by a replacement, or as it grew.
        epoch: u32,
        /// How many nodes it has. Of a node that nobody has told: as its objects say; 0 without
        /// any.
        nodes: u8,
        /// Nodes that an object was written for, at least: fewer than there are while it grows, 0
        /// while the node is filled.
        least: u8,
        /// Which of them this is; [`super::REPLACED`] of one whose place another node has taken.
        index: u8,
        /// Where they all were, in order, when the node was told last.
        addresses: Vec<String>,
        /// Addresses that had a place, which another node has taken.
        former: Vec<String>,
    }
}

record! {
    #[derive(Default)]
    pub struct NodeStatus {
        member: Member,
        /// Versions of objects that it holds.
        versions: u64,
        /// Files whose record cannot be read.
        unreadable: u64,
        /// Names of some of them.
        unreadable_files: Vec<String>,
        /// Room on its disk \[bytes\].
        disk_free: u64,
        /// Size of its disk \[bytes\]; 0 if the node cannot tell.
        disk_total: u64,
        /// Memory of all rings \[bytes\].
        rings: u64,
        /// What these may come to before writers wait \[bytes\].
        most_rings: u64,
        writers: u32,
        /// Write sessions at a time, at most.
        most_writers: u32,
        /// Writers that wait for room.
        waiting: u32,
        readers: u32,
        connections: u32,
        /// Connections whose hello has not come yet.
        strangers: u32,
        /// Refusals since the node was started.
        refused: u64,
        /// The operator's command that holds its lock; empty: none does.
        operator: String,
    }
}

messages! {
    /// What nodes and clients say to each other; blocks go beside, into rings.
    pub enum Message {
        /// Client: a write session begins.
        1 Begin {
            mode: Mode,
            /// What is to be written, and which node of the layout the receiver is.
            entry: Entry,
            /// Bits: 1 naive, 2 chain, 4 pivot stripes may come.
            schedules: u8,
            window: u16,
            /// Nodes that may write into the session's ring show this.
            secret: u128,
            /// Of a patch: the stripes that come, in this order; else none are named.
            stripes: Vec<u64>,
        },
        /// Node: blocks go into this ring.
        2 Begun {
            ring: u32,
        },
        /// Client: where the other nodes are.
        3 Peers {
            /// Address and ring, in the layout's order.
            nodes: Vec<(String, u32)>,
        },
        /// Node to node: blocks for the session with this secret come from here.
        4 Join {
            secret: u128,
            index: u8,
        },
        /// Node to node: they may come.
        5 Joined {},
        /// Node: all links to the other nodes are up.
        6 Ready {},
        /// Node: it is done with all stripes before this.
        7 Done {
            /// The first that it is not done with.
            upto: u64,
            /// Clients that are writing to it.
            writers: u16,
        },
        /// Client: all has been written; make it durable.
        8 Prepare {
            sha256: [u8; 32],
        },
        9 Prepared {
            /// Of the sums of all blocks that it has.
            digest: u64,
        },
        10 Commit {},
        /// Node: it is visible, for good.
        11 Committed {},
        /// Client: older versions can go.
        12 Finish {},
        13 Finished {},
        /// Client: what does the node have of this name?
        14 Stat {
            name: String,
        },
        /// Client: what does the node have?
        15 List {
            after: String,
        },
        16 Entries {
            entries: Vec<Entry>,
            more: bool,
            /// Ids of versions whose records or marks cannot be read, of all names: which it is.
            unreadable: Vec<(u128, Held)>,
        },
        17 Settle {
            name: String,
            version: Version,
            how: Settling,
        },
        /// Client: remove the versions up to this one.
        18 Remove {
            name: String,
            /// The last to go.
            upto: Version,
        },
        19 Okay {},
        /// Client: read these blocks into my ring.
        20 Read {
            id: u128,
            stripe: u64,
            /// The client's ring.
            ring: u32,
            /// Row, and the slot for it.
            rows: Vec<(u16, u32)>,
        },
        /// Node: these cannot be read, or are not what was written.
        21 Unreadable {
            id: u128,
            stripe: u64,
            rows: Vec<u16>,
        },
        /// Client: read these stripes where they lie and check them.
        22 Verify {
            id: u128,
            /// The first.
            stripe: u64,
            count: u32,
        },
        /// Node: sum of each block as it is now, and whether it is the one that was written.
        23 Verified {
            /// Stripe by stripe, row by row.
            blocks: Vec<(u32, bool)>,
        },
        /// Client: the session is given up.
        25 Abort {},
        /// Node: it did not work.
        24 Failed {
            fault: Fault,
            why: String,
        },
        /// Client: which cluster is the node of?
        26 Who {},
        27 Belongs {
            /// To which, and where in it.
            member: Member,
            /// Versions of objects that it holds.
            versions: u64,
        },
        /// Client: what this connection changes, it changes in this cluster. A node that nobody has
        /// told which it is of is told by that.
        28 Enter {
            /// Which, and where in it.
            member: Member,
            /// Also if it is of another one, as long as it holds nothing.
            force: bool,
        },
        /// Client: the node has been filled, and nothing was left out.
        29 Filled {
            /// Nodes that an object was written for, at least.
            least: u8,
        },
        /// Client: the record of a version, which the node cannot read, as other nodes have it.
        30 Restore {
            /// With the node's own index.
            entry: Entry,
        },
        /// Client: nobody else changes the cluster as an operator while this connection is open, or
        /// until it is unlocked.
        31 Lock {
            what: String,
        },
        32 Unlock {},
        /// Client: the next Begin of this connection may wait for room. Answered by Okay.
        40 Wait {},
        /// Client: how is the node?
        41 HowIs {},
        42 Status {
            status: NodeStatus,
        },
    }
}

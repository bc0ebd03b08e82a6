use super::codec::Field;
use xor_protocol::commit::{ReplicaState, Version};

/// Defines a structure whose wire form is its fields in order.
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
            /// The wire form: a byte for the variant, then the fields.
            pub fn to_bytes(&self) -> Vec<u8> {
                let mut out = Vec::new();
                match self { $($name::$variant { $($field,)* } => {
                    out.push($tag);
                    $($field.put(&mut out);)*
                })* }
                out
            }

            /// `None` unless the bytes are exactly one message.
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
    Put,
    /// A version that other nodes have, for a node that lost it.
    Rebuild,
    /// Some stripes of an existing version, in place.
    Patch,
    /// Blocks are received, forwarded and checked, but not stored.
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
    /// Another node is gone; that node may know the cause.
    Other,
    /// The node has no memory now; the client may retry.
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

/// How an undecided version is resolved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resolution {
    Commit,
    /// Makes it visible and drops older ones: all nodes have it.
    Supersede,
    Discard,
    Forget,
}

impl Field for Resolution {
    const LEAST: usize = 1;
    fn put(&self, out: &mut Vec<u8>) {
        out.push(*self as u8)
    }
    fn take(input: &mut &[u8]) -> Option<Resolution> {
        nth(
            [Resolution::Commit, Resolution::Supersede, Resolution::Discard, Resolution::Forget],
            input,
        )
    }
}

/// By the byte on the wire.
const REPLICA_STATES: [ReplicaState; 8] = [
    ReplicaState::Unknown,
    ReplicaState::Nothing,
    ReplicaState::Prepared { is_attended: false },
    ReplicaState::Prepared { is_attended: true },
    ReplicaState::Committed,
    ReplicaState::Unreadable,
    ReplicaState::Removed { with_older: false },
    ReplicaState::Removed { with_older: true },
];

impl Field for ReplicaState {
    const LEAST: usize = 1;
    fn put(&self, out: &mut Vec<u8>) {
        let number = REPLICA_STATES.iter().position(|held| held == self);
        out.push(number.expect("all of them have a byte") as u8)
    }
    fn take(input: &mut &[u8]) -> Option<ReplicaState> {
        nth(REPLICA_STATES, input)
    }
}

/// Reads a byte as an index into `all`.
fn nth<T: Copy, const N: usize>(all: [T; N], input: &mut &[u8]) -> Option<T> {
    all.get(usize::from(u8::take(input)?)).copied()
}

record! {
    /// A version of an object on one node. Also the content of its record on disk.
    pub struct Entry {
        name: String,
        version: Version,
        /// The node's state of it. In a record on disk, the file's ending has it instead.
        held: ReplicaState,
        /// The node's number in the layout.
        index: u8,
        nodes: u8,
        /// 0 single, 1 document, 2 general, 3 fallback.
        rule: u8,
        /// In bytes.
        block: u32,
        /// In bytes.
        length: u64,
        /// Hash of the object; zeros before it is prepared.
        sha256: [u8; 32],
    }
}

record! {
    /// A node's cluster and its place there. Also the content of the file `cluster`.
    #[derive(Default)]
    pub struct Member {
        /// A random number of the cluster; 0: the node does not know its cluster yet.
        cluster: u128,
        /// Number of changes of its list of nodes: replacements and growth.
        epoch: u32,
        /// Nodes of the cluster. Without a cluster: nodes that its objects were written for, or 0.
        nodes: u8,
        /// Lower bound of the nodes that an object was written for. Below `nodes` while the cluster
        /// grows, 0 while this node is filled.
        least: u8,
        /// This node's number; [`super::REPLACED`] if another node has taken its place.
        index: u8,
        /// Addresses of all nodes, in order, as this node learned them last.
        addresses: Vec<String>,
        /// Addresses of replaced nodes.
        former: Vec<String>,
    }
}

record! {
    #[derive(Default)]
    pub struct NodeStatus {
        member: Member,
        versions: u64,
        /// Files with an unreadable record.
        unreadable: u64,
        /// Some of their names.
        unreadable_files: Vec<String>,
        /// In bytes.
        disk_free: u64,
        /// In bytes; 0 if unknown.
        disk_total: u64,
        /// Memory of all rings \[bytes\].
        rings: u64,
        /// Limit of `rings` before writers wait \[bytes\].
        most_rings: u64,
        writers: u32,
        /// Limit of `writers`.
        most_writers: u32,
        /// Writers that wait for memory.
        waiting: u32,
        readers: u32,
        connections: u32,
        /// Connections without a hello yet.
        unidentified: u32,
        /// Since the node started.
        refused: u64,
        /// The operator's command that holds the lock; empty if the lock is free.
        operator: String,
    }
}

messages! {
    /// Messages between nodes and clients. Blocks are separate: they go into rings.
    pub enum Message {
        /// Client: begins a write session.
        1 Begin {
            mode: Mode,
            /// The version to write, with the receiver's number.
            entry: Entry,
            /// Stripes that may follow, as bits: 1 naive, 2 chain, 4 pivot.
            schedules: u8,
            window: u16,
            /// Nodes that write into the session's ring must present this.
            secret: u128,
            /// The stripes of a patch, in order; otherwise empty.
            stripes: Vec<u64>,
        },
        /// Node: send blocks to this ring.
        2 SessionOpened {
            ring: u32,
        },
        /// Client: the other nodes.
        3 Peers {
            /// Address and ring, in the layout's order.
            nodes: Vec<(String, u32)>,
        },
        /// Node to node: blocks for the session with this secret come over this connection.
        4 Join {
            secret: u128,
            index: u8,
        },
        /// Node to node: accepted.
        5 Joined {},
        /// Node: all links to other nodes are up.
        6 Ready {},
        /// Node: it has finished all stripes before `upto`.
        7 Done {
            upto: u64,
            /// Clients that write to the node.
            writers: u16,
        },
        /// Client: all blocks are sent; make them durable.
        8 Prepare {
            sha256: [u8; 32],
        },
        9 Prepared {
            /// Digest of the checksums of all its blocks.
            digest: u64,
        },
        10 Commit {},
        /// Node: the version is visible, finally.
        11 Committed {},
        /// Client: drop older versions.
        12 Finish {},
        13 Finished {},
        /// Client: list the versions of a name.
        14 Stat {
            name: String,
        },
        /// Client: list all versions of names after `after`.
        15 List {
            after: String,
        },
        16 Entries {
            entries: Vec<Entry>,
            more: bool,
            /// Versions with unreadable records or marks, of all names, with their state.
            unreadable: Vec<(u128, ReplicaState)>,
        },
        17 Resolve {
            name: String,
            version: Version,
            how: Resolution,
        },
        /// Client: remove the versions up to `upto`.
        18 Remove {
            name: String,
            upto: Version,
        },
        19 Okay {},
        /// Client: send these blocks into my ring.
        20 Read {
            id: u128,
            stripe: u64,
            ring: u32,
            /// Row, and the slot for its block.
            rows: Vec<(u16, u32)>,
        },
        /// Node: these blocks are missing or damaged.
        21 Unreadable {
            id: u128,
            stripe: u64,
            rows: Vec<u16>,
        },
        /// Client: check these stripes on the node.
        22 Verify {
            id: u128,
            /// The first stripe.
            stripe: u64,
            count: u32,
        },
        /// Node: checksum of each block now, and whether it equals the stored one.
        23 Verified {
            /// Stripe by stripe, row by row.
            blocks: Vec<(u32, bool)>,
        },
        /// Client: end the session.
        25 Abort {},
        /// Node: the request or session failed.
        24 Failed {
            fault: Fault,
            why: String,
        },
        /// Client: which cluster does the node belong to?
        26 GetMembership {},
        27 Membership {
            member: Member,
            versions: u64,
        },
        /// Client: this connection changes this cluster. A node without a cluster joins it.
        28 Enter {
            member: Member,
            /// Also leave another cluster, if the node is empty.
            force: bool,
        },
        /// Client: the node is filled and complete.
        29 FillComplete {
            /// Lower bound of the nodes that an object was written for.
            least: u8,
        },
        /// Client: the record of a version that the node cannot read.
        30 Restore {
            /// With the node's own index.
            entry: Entry,
        },
        /// Client: take the operator's lock, until unlocked or the connection ends.
        31 Lock {
            what: String,
        },
        32 Unlock {},
        /// Client: the next Begin of this connection may wait for memory. Answered by Okay.
        40 Wait {},
        /// Client: query the node's status.
        41 GetStatus {},
        42 Status {
            status: NodeStatus,
        },
    }
}

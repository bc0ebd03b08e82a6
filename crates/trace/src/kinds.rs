//! Kinds of intervals, entities, resources and facts, in the words of the system that writes the
//! trace. Readers use only the *roles*.

/// Defines an enum whose variants have names in files.
macro_rules! named {
    ($(#[$about:meta])* $type:ident { $($(#[$of:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        #[derive(serde::Serialize, serde::Deserialize)]
        pub enum $type { $($(#[$of])* #[serde(rename = $name)] $variant,)* }

        impl $type {
            /// All variants, in order.
            pub const ALL: &'static [$type] = &[$($type::$variant,)*];
            /// The name in files.
            pub fn name(self) -> &'static str {
                match self { $($type::$variant => $name,)* }
            }
            /// The variant with this name in files.
            pub fn by_name(name: &str) -> Option<$type> {
                $type::ALL.iter().copied().find(|one| one.name() == name)
            }
        }
    };
}
pub(crate) use named;

named! {
    /// Role of a kind of intervals.
    IntervalRole {
        /// Nothing was done. The cause is what it waited for.
        Wait = "wait",
        /// Something was done. The cause is what limited it.
        Work = "work",
        /// A work that a client requested; latencies count it.
        Operation = "operation",
        /// An event has occurred that the system has not yet detected.
        Notice = "notice",
        /// A point in time for display, never charged.
        Mark = "mark",
    }
}

named! {
    /// Role of a kind of entities.
    EntityRole {
        /// A complete request of a client.
        Job = "job",
        /// An object of work: a task, a block, a client, a log.
        Item = "item",
        /// An attempt at its parent; its intervals belong to the parent's lane.
        Try = "try",
    }
}

named! {
    /// Role of a kind of resources; reports give each a colour.
    ResourceRole {
        /// Disks, and logs on disks.
        Disk = "disk",
        /// NICs, links, switches.
        Network = "network",
        /// CPU cores.
        Cpu = "cpu",
        /// Threads that serve a store.
        Store = "store",
        /// Slots, streams, credits, copies: limited by a setting.
        Slot = "slot",
        /// RAM.
        Memory = "memory",
    }
}

named! {
    /// Role of a kind of facts.
    FactRole {
        /// CPU time \[s\].
        Cpu = "cpu",
        /// Time of garbage collection \[s\].
        Gc = "gc",
        /// Any other fact.
        Other = "other",
    }
}

/// The table that a kind is for, with its role.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum KindRole {
    /// Kind of intervals.
    Interval(IntervalRole),
    /// Kind of entities.
    Entity(EntityRole),
    /// Kind of resources.
    Resource(ResourceRole),
    /// Kind of facts.
    Fact(FactRole),
}

impl KindRole {
    /// The table's name in files.
    pub fn of(self) -> &'static str {
        match self {
            KindRole::Interval(_) => "interval",
            KindRole::Entity(_) => "entity",
            KindRole::Resource(_) => "resource",
            KindRole::Fact(_) => "fact",
        }
    }
    /// The role's name in files.
    pub fn name(self) -> &'static str {
        match self {
            KindRole::Interval(role) => role.name(),
            KindRole::Entity(role) => role.name(),
            KindRole::Resource(role) => role.name(),
            KindRole::Fact(role) => role.name(),
        }
    }
    /// From the names in files; an unknown role of facts is `Other`.
    pub fn by_name(of: &str, role: &str) -> Option<KindRole> {
        match of {
            "interval" => IntervalRole::by_name(role).map(KindRole::Interval),
            "entity" => EntityRole::by_name(role).map(KindRole::Entity),
            "resource" => ResourceRole::by_name(role).map(KindRole::Resource),
            "fact" => Some(KindRole::Fact(FactRole::by_name(role).unwrap_or(FactRole::Other))),
            _ => None,
        }
    }
}

/// A kind of rows. Its id is its row in `Trace::kinds`.
#[derive(Clone, PartialEq, Debug)]
pub struct Kind {
    /// The table it is for, and its role.
    pub role: KindRole,
    /// The name in tables, unique within its table: "fetch".
    pub name: String,
    /// The label for users: "fetches", "Disk". For entities with `{}` for the number: "client {}".
    pub label: String,
    /// Its name as the object of another one's wait: "a fetch".
    pub other: Option<String>,
    /// Of amounts and capacities: "bytes", "bytes/s", "slots".
    pub unit: Option<String>,
}

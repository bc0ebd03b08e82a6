//! Kinds of intervals, entities, resources and facts: words of the system that writes the trace.
//! Whoever reads looks at their *roles* alone.

/// Makes an enum whose variants have names in files.
macro_rules! named {
    ($(#[$about:meta])* $type:ident { $($(#[$of:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum $type { $($(#[$of])* $variant,)* }

        impl $type {
            /// All, in order.
            pub const ALL: &'static [$type] = &[$($type::$variant,)*];
            /// Its name in files.
            pub fn name(self) -> &'static str {
                match self { $($type::$variant => $name,)* }
            }
            /// The one of this name.
            pub fn called(name: &str) -> Option<$type> {
                $type::ALL.iter().copied().find(|one| one.name() == name)
            }
        }
    };
}
pub(crate) use named;

named! {
    /// What intervals of a kind are.
    IntervalRole {
        /// Nothing was done. Its cause is what it waited for.
        Wait = "wait",
        /// Something was done. Its cause is what limited it.
        Work = "work",
        /// A work that a client asked for; latencies count it.
        Operation = "operation",
        /// Something has happened that nobody knows yet.
        Notice = "notice",
        /// A tick on a screen, never charged.
        Mark = "mark",
    }
}

named! {
    /// What entities of a kind are.
    EntityRole {
        /// The whole that somebody asked for.
        Job = "job",
        /// A thing that is worked on: a task, a block, a client, a log.
        Item = "item",
        /// One attempt at its parent, in whose lane its intervals lie.
        Try = "try",
    }
}

named! {
    /// What resources of a kind are; screens give each a hue.
    ResourceRole {
        /// Disks, and logs on disks.
        Disk = "disk",
        /// NICs, links, switches.
        Network = "network",
        /// Cores.
        Cpu = "cpu",
        /// Threads that serve a store.
        Store = "store",
        /// Slots, streams, credits, copies: what a setting gives out.
        Slot = "slot",
        /// Memory.
        Memory = "memory",
    }
}

named! {
    /// What facts of a kind are.
    FactRole {
        /// Seconds of CPU.
        Cpu = "cpu",
        /// Seconds of garbage collection.
        Gc = "gc",
        /// Anything else.
        Other = "other",
    }
}

/// Of what a kind is, with its role.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum KindRole {
    /// Of intervals.
    Interval(IntervalRole),
    /// Of entities.
    Entity(EntityRole),
    /// Of resources.
    Resource(ResourceRole),
    /// Of facts.
    Fact(FactRole),
}

impl KindRole {
    /// Of what, in files.
    pub fn of(self) -> &'static str {
        match self {
            KindRole::Interval(_) => "interval",
            KindRole::Entity(_) => "entity",
            KindRole::Resource(_) => "resource",
            KindRole::Fact(_) => "fact",
        }
    }
    /// The role, in files.
    pub fn name(self) -> &'static str {
        match self {
            KindRole::Interval(role) => role.name(),
            KindRole::Entity(role) => role.name(),
            KindRole::Resource(role) => role.name(),
            KindRole::Fact(role) => role.name(),
        }
    }
    /// The one of these names; a fact's may be missing.
    pub fn called(of: &str, role: &str) -> Option<KindRole> {
        match of {
            "interval" => IntervalRole::called(role).map(KindRole::Interval),
            "entity" => EntityRole::called(role).map(KindRole::Entity),
            "resource" => ResourceRole::called(role).map(KindRole::Resource),
            "fact" => Some(KindRole::Fact(FactRole::called(role).unwrap_or(FactRole::Other))),
            _ => None,
        }
    }
}

/// A kind of things. Its id is its place in `Trace::kinds`.
#[derive(Clone, PartialEq, Debug)]
pub struct Kind {
    /// Of what, and what role it has.
    pub role: KindRole,
    /// Its name in the tables, one of all kinds of the same things: "fetch".
    pub name: String,
    /// For people: "fetches", "Disk"; of an entity with `{}` in the place of its number:
    /// "client {}".
    pub label: String,
    /// What it is called when something else waits for it: "a fetch".
    pub other: Option<String>,
    /// Of amounts and capacities: "bytes", "bytes/s", "slots".
    pub unit: Option<String>,
}

//! Places in tables, one type a table, so that a node is never taken for a disk.
use std::num::NonZeroU32;

/// Makes a type for the places in one table: dense from 0, as large as four bytes, also as an
/// `Option`.
macro_rules! ids {
    ($($(#[$about:meta])* $name:ident;)*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $name(NonZeroU32);

        impl $name {
            /// The row at this place; a table of more than 2³² − 2 rows is a bug of the caller.
            #[inline]
            #[expect(clippy::cast_possible_truncation, reason = "asserted")]
            pub const fn of(place: usize) -> $name {
                assert!(place < u32::MAX as usize, "a table of over four thousand million rows");
                $name(NonZeroU32::new(place as u32 + 1).expect("1 at least"))
            }
            /// Its place.
            #[inline]
            pub const fn at(self) -> usize {
                self.0.get() as usize - 1
            }
            /// The same of a file's whole number, if it can be one.
            pub fn read(place: i64) -> Option<$name> {
                let place = u32::try_from(place).ok().filter(|place| *place < u32::MAX)?;
                Some($name::of(place as usize))
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.at())
            }
        }
    )*};
}

ids! {
    /// Place in `Trace::racks`.
    RackId;
    /// Place in `Trace::nodes`.
    NodeId;
    /// Place in `Trace::settings`.
    SettingId;
    /// Place in `Trace::lacks`.
    ShortageId;
    /// Place in `Trace::resources`.
    ResourceId;
    /// Place in `Trace::entities`.
    EntityId;
    /// Place in `Trace::intervals`.
    IntervalId;
    /// Place in `Trace::counter_names`.
    CounterId;
    /// Place in `Trace::kinds`, of a kind of intervals.
    IntervalKind;
    /// Place in `Trace::kinds`, of a kind of entities.
    EntityKind;
    /// Place in `Trace::kinds`, of a kind of resources.
    ResourceKind;
    /// Place in `Trace::kinds`, of a kind of facts.
    FactKind;
    /// Place in `Trace::sources`.
    SourceId;
}

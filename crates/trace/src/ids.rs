//! Row numbers, with one type a table.
use std::num::NonZeroU32;

/// Defines the type of a table's row numbers: dense from 0, four bytes, also as an `Option`.
macro_rules! ids {
    ($($(#[$about:meta])* $name:ident;)*) => {$(
        $(#[$about])*
        #[derive(
            Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
        )]
        pub struct $name(NonZeroU32);

        impl $name {
            /// The row number `place`; panics above 2³² − 2.
            #[inline]
            #[expect(clippy::cast_possible_truncation, reason = "asserted")]
            pub const fn of(place: usize) -> $name {
                assert!(place < u32::MAX as usize, "a table of over four thousand million rows");
                $name(NonZeroU32::new(place as u32 + 1).expect("1 at least"))
            }
            /// The row number.
            #[inline]
            pub const fn at(self) -> usize {
                self.0.get() as usize - 1
            }
            /// From a file's integer; `None` if it is out of range.
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
    /// Row of `Trace::racks`.
    RackId;
    /// Row of `Trace::nodes`.
    NodeId;
    /// Row of `Trace::settings`.
    SettingId;
    /// Row of `Trace::lacks`.
    ShortageId;
    /// Row of `Trace::resources`.
    ResourceId;
    /// Row of `Trace::entities`.
    EntityId;
    /// Row of `Trace::intervals`.
    IntervalId;
    /// Row of `Trace::counter_names`.
    CounterId;
    /// Row of `Trace::kinds` with a kind of intervals.
    IntervalKind;
    /// Row of `Trace::kinds` with a kind of entities.
    EntityKind;
    /// Row of `Trace::kinds` with a kind of resources.
    ResourceKind;
    /// Row of `Trace::kinds` with a kind of facts.
    FactKind;
    /// Row of `Trace::sources`.
    SourceId;
}

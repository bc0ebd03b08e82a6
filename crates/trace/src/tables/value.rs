//! Conversions between fields and cells.
use super::names::Names;
use crate::ids::*;
use crate::optional_number::{Number, OptionalNumber};
use crate::parquet_io::{Cell, CellKind};
use crate::schema::{Aggregation, Better, Evidence, Outcome, Trace};
use units::Nanos;

pub(super) trait Value: Sized {
    const KIND: CellKind;
    const NULLS: bool = false;
    fn cell<'a>(&'a self, trace: &'a Trace) -> Cell<'a>;
    /// The error is for users.
    fn of(cell: Cell<'_>, names: &Names) -> Result<Self, String>;
}

fn wrong<T>(cell: Cell<'_>) -> Result<T, String> {
    match cell {
        Cell::Null => Err("is null where a value is required".into()),
        Cell::Int(number) => Err(format!("has an invalid number {number}")),
        Cell::Text(text) => Err(format!("has an unknown word \"{text}\"")),
        other => Err(format!("has an invalid value {other:?}")),
    }
}

impl<T: Value> Value for Option<T> {
    const KIND: CellKind = T::KIND;
    const NULLS: bool = true;
    fn cell<'a>(&'a self, trace: &'a Trace) -> Cell<'a> {
        self.as_ref().map_or(Cell::Null, |value| value.cell(trace))
    }
    fn of(cell: Cell<'_>, names: &Names) -> Result<Self, String> {
        match cell {
            Cell::Null => Ok(None),
            some => T::of(some, names).map(Some),
        }
    }
}

/// Unknown numbers are null.
impl<T: Value + Number> Value for OptionalNumber<T> {
    const KIND: CellKind = T::KIND;
    const NULLS: bool = true;
    fn cell<'a>(&'a self, trace: &'a Trace) -> Cell<'a> {
        if self.get().is_some() { self.as_number().cell(trace) } else { Cell::Null }
    }
    fn of(cell: Cell<'_>, names: &Names) -> Result<Self, String> {
        Option::<T>::of(cell, names).map(OptionalNumber::from)
    }
}

impl Value for String {
    const KIND: CellKind = CellKind::Text;
    fn cell<'a>(&'a self, _: &'a Trace) -> Cell<'a> {
        Cell::Text(self)
    }
    fn of(cell: Cell<'_>, _: &Names) -> Result<Self, String> {
        if let Cell::Text(text) = cell { Ok(text.into()) } else { wrong(cell) }
    }
}

impl Value for f64 {
    const KIND: CellKind = CellKind::Real;
    fn cell<'a>(&'a self, _: &'a Trace) -> Cell<'a> {
        Cell::Real(*self)
    }
    fn of(cell: Cell<'_>, _: &Names) -> Result<Self, String> {
        if let Cell::Real(value) = cell { Ok(value) } else { wrong(cell) }
    }
}

/// A missing flag is true: nodes are alive unless marked dead.
impl Value for bool {
    const KIND: CellKind = CellKind::Flag;
    const NULLS: bool = true;
    fn cell<'a>(&'a self, _: &'a Trace) -> Cell<'a> {
        Cell::Flag(*self)
    }
    fn of(cell: Cell<'_>, _: &Names) -> Result<Self, String> {
        Ok(cell != Cell::Flag(false))
    }
}

/// Times and unsigned numbers; 2⁶⁴ − 1, "never", is stored as −1.
impl Value for u64 {
    const KIND: CellKind = CellKind::Int;
    fn cell<'a>(&'a self, _: &'a Trace) -> Cell<'a> {
        Cell::Int(*self as i64)
    }
    fn of(cell: Cell<'_>, _: &Names) -> Result<Self, String> {
        match cell {
            Cell::Int(number) if number >= -1 => Ok(number.cast_unsigned()),
            other => wrong(other),
        }
    }
}

impl Value for Nanos {
    const KIND: CellKind = CellKind::Int;
    fn cell<'a>(&'a self, trace: &'a Trace) -> Cell<'a> {
        self.0.cell(trace)
    }
    fn of(cell: Cell<'_>, names: &Names) -> Result<Self, String> {
        u64::of(cell, names).map(Nanos)
    }
}

impl Value for i64 {
    const KIND: CellKind = CellKind::Int;
    fn cell<'a>(&'a self, _: &'a Trace) -> Cell<'a> {
        Cell::Int(*self)
    }
    fn of(cell: Cell<'_>, _: &Names) -> Result<Self, String> {
        if let Cell::Int(number) = cell { Ok(number) } else { wrong(cell) }
    }
}

impl Value for u32 {
    const KIND: CellKind = CellKind::Int;
    fn cell<'a>(&'a self, _: &'a Trace) -> Cell<'a> {
        Cell::Int(i64::from(*self))
    }
    fn of(cell: Cell<'_>, _: &Names) -> Result<Self, String> {
        let Cell::Int(number) = cell else { return wrong(cell) };
        u32::try_from(number).or_else(|_| wrong(cell))
    }
}

macro_rules! places {
    ($($id:ty)*) => {$(
        impl Value for $id {
            const KIND: CellKind = CellKind::Int;
            fn cell<'a>(&'a self, _: &'a Trace) -> Cell<'a> {
                Cell::Int(self.at() as i64)
            }
            fn of(cell: Cell<'_>, _: &Names) -> Result<Self, String> {
                let Cell::Int(place) = cell else { return wrong(cell) };
                <$id>::read(place).map_or_else(|| wrong(cell), Ok)
            }
        }
    )*};
}
places!(RackId NodeId SettingId ShortageId ResourceId EntityId IntervalId CounterId SourceId);

/// Kinds are stored by name.
macro_rules! kinds {
    ($($id:ty: $of:literal)*) => {$(
        impl Value for $id {
            const KIND: CellKind = CellKind::Text;
            fn cell<'a>(&'a self, trace: &'a Trace) -> Cell<'a> {
                trace.kinds.get(self.at()).map_or(Cell::Text("?"), |kind| Cell::Text(&kind.name))
            }
            fn of(cell: Cell<'_>, names: &Names) -> Result<Self, String> {
                let Cell::Text(name) = cell else { return wrong(cell) };
                names.kind($of, name).map(<$id>::of)
            }
        }
    )*};
}
kinds!(IntervalKind: "interval" EntityKind: "entity" ResourceKind: "resource" FactKind: "fact");

macro_rules! words {
    ($($type:ty)*) => {$(
        impl Value for $type {
            const KIND: CellKind = CellKind::Text;
            fn cell<'a>(&'a self, _: &'a Trace) -> Cell<'a> {
                Cell::Text(self.name())
            }
            fn of(cell: Cell<'_>, _: &Names) -> Result<Self, String> {
                let Cell::Text(name) = cell else { return wrong(cell) };
                <$type>::by_name(name).map_or_else(|| wrong(cell), Ok)
            }
        }
    )*};
}
words!(Better Evidence Aggregation);

/// `Ok` is stored as null.
impl Value for Outcome {
    const KIND: CellKind = CellKind::Text;
    const NULLS: bool = true;
    fn cell<'a>(&'a self, _: &'a Trace) -> Cell<'a> {
        if *self == Outcome::Ok { Cell::Null } else { Cell::Text(self.name()) }
    }
    fn of(cell: Cell<'_>, _: &Names) -> Result<Self, String> {
        match cell {
            Cell::Null => Ok(Outcome::Ok),
            Cell::Text(name) => Outcome::by_name(name).map_or_else(|| wrong(cell), Ok),
            other => wrong(other),
        }
    }
}

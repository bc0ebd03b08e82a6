//! A table as a list of fields, each with conversions to a column and back.
use super::names::Names;
use super::value::Value;
use crate::parquet_io::{Cell, CellKind, Column};
use crate::schema::Trace;
use std::ops::Range;

type Get<R> = Box<dyn for<'a> Fn(&'a R, &'a Trace) -> Cell<'a>>;
type Set<R> = Box<dyn Fn(&mut R, Cell<'_>, &Names) -> Result<(), String>>;

pub(super) struct Field<R> {
    name: &'static str,
    kind: CellKind,
    nulls: bool,
    /// Neighbouring values differ little.
    sorted: bool,
    get: Get<R>,
    set: Set<R>,
}

impl<R: 'static> Field<R> {
    pub(super) fn new<T: Value + 'static>(
        name: &'static str,
        get: for<'a> fn(&'a R) -> &'a T,
        set: fn(&mut R) -> &mut T,
    ) -> Field<R> {
        Field {
            name,
            kind: T::KIND,
            nulls: T::NULLS,
            sorted: false,
            get: Box::new(move |row, trace| get(row).cell(trace)),
            set: Box::new(move |row, cell, names| {
                *set(row) = T::of(cell, names)?;
                Ok(())
            }),
        }
    }
    /// A column of a field; `usual` is stored as null.
    pub(super) fn unless<T: Value + PartialEq + Copy + 'static>(
        name: &'static str,
        usual: T,
        get: for<'a> fn(&'a R) -> &'a T,
        set: fn(&mut R) -> &mut T,
    ) -> Field<R> {
        let field = Field::new(name, get, set);
        let cell = field.get;
        Field {
            nulls: true,
            get: Box::new(
                move |row, trace| {
                    if *get(row) == usual { Cell::Null } else { cell(row, trace) }
                },
            ),
            set: Box::new(move |row, cell, names| {
                *set(row) = if cell == Cell::Null { usual } else { T::of(cell, names)? };
                Ok(())
            }),
            ..field
        }
    }
    /// A column computed from several fields.
    pub(super) fn made(
        name: &'static str,
        kind: CellKind,
        get: for<'a> fn(&'a R, &'a Trace) -> Cell<'a>,
        set: fn(&mut R, Cell<'_>, &Names) -> Result<(), String>,
    ) -> Field<R> {
        Field { name, kind, nulls: true, sorted: false, get: Box::new(get), set: Box::new(set) }
    }
    pub(super) fn sorted(mut self) -> Field<R> {
        self.sorted = true;
        self
    }
}

/// A column of a field: the field's name, or the names of column and field.
macro_rules! field {
    ($field:tt) => {
        field!(stringify!($field), $field)
    };
    ($name:expr, $field:tt) => {
        $crate::tables::field::Field::<Self>::new($name, |row| &row.$field, |row| &mut row.$field)
    };
    ($name:expr, $field:tt unless $usual:expr) => {
        $crate::tables::field::Field::<Self>::unless(
            $name,
            $usual,
            |row| &row.$field,
            |row| &mut row.$field,
        )
    };
}
pub(super) use field;

pub(super) trait Table: Sized + 'static {
    /// The file's name, without ".parquet".
    const NAME: &'static str;
    /// Rows have ids: their row numbers.
    const IDS: bool;
    fn rows(trace: &Trace) -> &Vec<Self>;
    fn rows_mut(trace: &mut Trace) -> &mut Vec<Self>;
    /// A row to fill.
    fn blank() -> Self;
    fn fields() -> Vec<Field<Self>>;
}

pub(super) fn sorted<R: Table>() -> Vec<&'static str> {
    let fields = R::fields();
    let names = fields.iter().filter(|field| field.sorted).map(|field| field.name);
    R::IDS.then_some("id").into_iter().chain(names).collect()
}

pub(super) fn columns<R: Table>(trace: &Trace, range: Range<usize>) -> Vec<Column> {
    let rows = &R::rows(trace)[range.clone()];
    let id = R::IDS.then(|| Column::int("id", range.map(|at| at as i64)));
    let column = |field: &Field<R>| {
        let mut column = Column::empty(field.name, field.kind, field.nulls);
        rows.iter().for_each(|row| column.push((field.get)(row, trace)));
        column
    };
    id.into_iter().chain(R::fields().iter().map(column)).collect()
}

/// Rows from columns, with their ids if the table has ids.
pub(super) fn rows<R: Table>(
    columns: &[Column],
    names: &Names,
) -> Result<(Vec<i64>, Vec<R>), String> {
    let (ids, columns) = match columns.split_first() {
        Some((ids, rest)) if R::IDS => (ids.ints().to_vec(), rest),
        _ => (Vec::new(), columns),
    };
    let count = columns.first().map_or(0, |column| column.cells().count());
    let mut rows: Vec<R> = (0..count).map(|_| R::blank()).collect();
    for (field, column) in R::fields().iter().zip(columns) {
        for (row, cell) in rows.iter_mut().zip(column.cells()) {
            (field.set)(row, cell, names).map_err(|e| format!("column {}: {e}", field.name))?
        }
    }
    Ok((ids, rows))
}

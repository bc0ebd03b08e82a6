//! A named column in memory.

/// The values that are not null.
#[derive(Clone, PartialEq, Debug)]
pub enum Values {
    /// Integers.
    Int(Vec<i64>),
    /// Floating-point numbers.
    Real(Vec<f64>),
    /// Texts.
    Text(Vec<String>),
    /// Flags.
    Flag(Vec<bool>),
}

/// Type of a column's values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellKind {
    /// Integers.
    Int,
    /// Floating-point numbers.
    Real,
    /// Texts.
    Text,
    /// Flags.
    Flag,
}

/// One value of a column.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Cell<'a> {
    /// No value.
    Null,
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Real(f64),
    /// A text.
    Text(&'a str),
    /// A flag.
    Flag(bool),
}

/// A column of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// Its name in the file.
    pub name: &'static str,
    /// Values that are not null, in the order of rows.
    pub values: Values,
    /// By row: whether it has a value. `None`: all rows have one, nulls are not allowed.
    pub present: Option<Vec<bool>>,
}

impl Column {
    /// Without rows, for [`Column::push`].
    pub fn empty(name: &'static str, kind: CellKind, nulls: bool) -> Column {
        let values = match kind {
            CellKind::Int => Values::Int(Vec::new()),
            CellKind::Real => Values::Real(Vec::new()),
            CellKind::Text => Values::Text(Vec::new()),
            CellKind::Flag => Values::Flag(Vec::new()),
        };
        Column { name, values, present: nulls.then(Vec::new) }
    }
    /// Appends a row; panics on another type, or on a null that is not allowed.
    pub fn push(&mut self, cell: Cell<'_>) {
        match (&mut self.values, cell) {
            (Values::Int(values), Cell::Int(value)) => values.push(value),
            (Values::Real(values), Cell::Real(value)) => values.push(value),
            (Values::Text(values), Cell::Text(value)) => values.push(value.into()),
            (Values::Flag(values), Cell::Flag(value)) => values.push(value),
            (_, Cell::Null) if self.present.is_some() => {}
            (_, other) => panic!("{other:?} in the column {}", self.name),
        }
        if let Some(present) = &mut self.present {
            present.push(cell != Cell::Null)
        }
    }
    pub(super) fn nulls(&self, rows: usize) -> Column {
        let mut column = self.clone();
        column.present = Some(vec![false; rows]);
        column
    }
    /// All rows in order.
    pub fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        let values = match &self.values {
            Values::Int(values) => values.len(),
            Values::Real(values) => values.len(),
            Values::Text(values) => values.len(),
            Values::Flag(values) => values.len(),
        };
        let (rows, mut next) = (self.present.as_ref().map_or(values, Vec::len), 0);
        (0..rows).map(move |row| {
            if self.present.as_ref().is_some_and(|present| !present[row]) {
                return Cell::Null;
            }
            next += 1;
            match &self.values {
                Values::Int(values) => Cell::Int(values[next - 1]),
                Values::Real(values) => Cell::Real(values[next - 1]),
                Values::Text(values) => Cell::Text(&values[next - 1]),
                Values::Flag(values) => Cell::Flag(values[next - 1]),
            }
        })
    }
    /// Integers without nulls.
    pub fn int(name: &'static str, values: impl Iterator<Item = i64>) -> Column {
        Column { name, values: Values::Int(values.collect()), present: None }
    }
    /// Texts without nulls.
    pub fn text<'a>(name: &'static str, values: impl Iterator<Item = &'a str>) -> Column {
        Column { name, values: Values::Text(values.map(String::from).collect()), present: None }
    }
    /// Integers with nulls.
    pub fn maybe_int(name: &'static str, values: impl Iterator<Item = Option<i64>>) -> Column {
        let most = values.size_hint().0;
        let (mut ints, mut present) = (Vec::with_capacity(most), Vec::with_capacity(most));
        for value in values {
            present.push(value.is_some());
            ints.extend(value)
        }
        Column { name, values: Values::Int(ints), present: Some(present) }
    }
    pub(super) fn declaration(&self) -> String {
        let repetition = if self.present.is_some() { "OPTIONAL" } else { "REQUIRED" };
        let (kind, logical) = match self.values {
            Values::Int(_) => ("INT64", ""),
            Values::Real(_) => ("DOUBLE", ""),
            Values::Text(_) => ("BYTE_ARRAY", " (STRING)"),
            Values::Flag(_) => ("BOOLEAN", ""),
        };
        format!("{repetition} {kind} {}{logical};", self.name)
    }
    /// Integers without nulls; panics if the column is another one.
    pub fn ints(&self) -> &[i64] {
        match &self.values {
            Values::Int(values) if self.present.is_none() => values,
            _ => panic!("{} is not a column of whole numbers", self.name),
        }
    }
    /// Integers with nulls, by row; panics if the column is another one.
    pub fn maybe_ints(&self) -> impl Iterator<Item = Option<i64>> + '_ {
        let Values::Int(values) = &self.values else {
            panic!("{} is not a column of whole numbers", self.name)
        };
        let present = self.present.as_ref().unwrap_or_else(|| panic!("{} has no nulls", self.name));
        let mut values = values.iter();
        present.iter().map(move |p| if *p { values.next().copied() } else { None })
    }
}

//! A named column in memory.

/// The values that are not null.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Values {
    Int(Vec<i64>),
    Real(Vec<f64>),
    Text(Vec<String>),
    Flag(Vec<bool>),
}

/// A column of a table; `present` says which rows have a value, `None`: all, and none may be
/// missing.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) values: Values,
    pub(crate) present: Option<Vec<bool>>,
}

impl Column {
    pub(crate) fn int(name: &'static str, values: impl Iterator<Item = i64>) -> Column {
        Column { name, values: Values::Int(values.collect()), present: None }
    }
    pub(crate) fn real(name: &'static str, values: impl Iterator<Item = f64>) -> Column {
        Column { name, values: Values::Real(values.collect()), present: None }
    }
    pub(crate) fn text<'a>(name: &'static str, values: impl Iterator<Item = &'a str>) -> Column {
        Column { name, values: Values::Text(values.map(String::from).collect()), present: None }
    }
    pub(crate) fn flag(name: &'static str, values: impl Iterator<Item = bool>) -> Column {
        Column { name, values: Values::Flag(values.collect()), present: None }
    }
    pub(crate) fn maybe_int(
        name: &'static str,
        values: impl Iterator<Item = Option<i64>>,
    ) -> Column {
        let most = values.size_hint().0;
        let (mut ints, mut present) = (Vec::with_capacity(most), Vec::with_capacity(most));
        for value in values {
            present.push(value.is_some());
            ints.extend(value)
        }
        Column { name, values: Values::Int(ints), present: Some(present) }
    }
    pub(crate) fn maybe_text<'a>(
        name: &'static str,
        values: impl Iterator<Item = Option<&'a str>>,
    ) -> Column {
        let all: Vec<Option<&str>> = values.collect();
        let present = Some(all.iter().map(Option::is_some).collect());
        let values = Values::Text(all.into_iter().flatten().map(String::from).collect());
        Column { name, values, present }
    }
    /// The declaration in Parquet's schema language.
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
    /// Whole numbers without nulls; anything else is a bug of the caller, who named the kinds.
    pub(crate) fn ints(&self) -> &[i64] {
        match &self.values {
            Values::Int(values) if self.present.is_none() => values,
            _ => panic!("{} is no column of whole numbers", self.name),
        }
    }
    pub(crate) fn reals(&self) -> &[f64] {
        match &self.values {
            Values::Real(values) => values,
            _ => panic!("{} is no column of reals", self.name),
        }
    }
    pub(crate) fn texts(&self) -> &[String] {
        match &self.values {
            Values::Text(values) if self.present.is_none() => values,
            _ => panic!("{} is no column of texts", self.name),
        }
    }
    pub(crate) fn flags(&self) -> &[bool] {
        match &self.values {
            Values::Flag(values) => values,
            _ => panic!("{} is no column of flags", self.name),
        }
    }
    /// Whole numbers, row by row.
    pub(crate) fn maybe_ints(&self) -> impl Iterator<Item = Option<i64>> + '_ {
        let Values::Int(values) = &self.values else {
            panic!("{} is no column of whole numbers", self.name)
        };
        let present = self.present.as_ref().unwrap_or_else(|| panic!("{} has no nulls", self.name));
        let mut values = values.iter();
        present.iter().map(move |p| if *p { values.next().copied() } else { None })
    }
}

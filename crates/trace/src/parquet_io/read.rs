//! Reads the requested columns of a table, in any order and among others.
use super::column::{Column, Values};
use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::schema::types::SchemaDescriptor;
use std::fs::File;

/// Reads `expected` (columns without rows) by row group; returns the key-value metadata. A column
/// that allows nulls may be missing.
///
/// # Errors
/// A text for users: no Parquet file, a damaged one, or a column that is missing, of another type,
/// or with forbidden nulls.
pub fn read(
    file: File,
    expected: &[Column],
    each: impl FnMut(Vec<Column>) -> Result<(), String>,
) -> Result<Vec<(String, String)>, String> {
    // The library panics on some damaged pages. The error discards what was read so far.
    let reading = std::panic::AssertUnwindSafe(|| read_groups(file, expected, each));
    std::panic::catch_unwind(reading).unwrap_or_else(|_| Err("is damaged".into()))
}

fn read_groups(
    file: File,
    expected: &[Column],
    mut each: impl FnMut(Vec<Column>) -> Result<(), String>,
) -> Result<Vec<(String, String)>, String> {
    let reader = SerializedFileReader::new(file).map_err(damaged)?;
    let metadata = reader.metadata();
    let schema = metadata.file_metadata().schema_descr();
    let places: Vec<Option<usize>> =
        expected.iter().map(|c| place(schema, c)).collect::<Result<_, _>>()?;
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(damaged)?;
        let read = |(column, at): (&Column, &Option<usize>)| match at {
            Some(at) => read_column(&*group, *at, column),
            None => Ok(column.nulls(rows_of(&*group)?)),
        };
        each(expected.iter().zip(&places).map(read).collect::<Result<_, _>>()?)?
    }
    let about = metadata.file_metadata().key_value_metadata().into_iter().flatten();
    Ok(about.map(|kv| (kv.key.clone(), kv.value.clone().unwrap_or_default())).collect())
}

fn damaged(error: ParquetError) -> String {
    format!("is not a Parquet file, or damaged ({error})")
}

/// The index of the column; `None`: missing, which is allowed.
fn place(schema: &SchemaDescriptor, column: &Column) -> Result<Option<usize>, String> {
    let at = (0..schema.num_columns()).find(|at| schema.column(*at).path().string() == column.name);
    let Some(at) = at else {
        let missing = format!("has no column \"{}\"", column.name);
        return if column.present.is_some() { Ok(None) } else { Err(missing) };
    };
    let found = schema.column(at);
    let wanted = match column.values {
        Values::Int(_) => Int64Type::get_physical_type(),
        Values::Real(_) => DoubleType::get_physical_type(),
        Values::Text(_) => ByteArrayType::get_physical_type(),
        Values::Flag(_) => BoolType::get_physical_type(),
    };
    let (nested, repeated) = (found.max_def_level() > 1, found.max_rep_level() > 0);
    if found.physical_type() != wanted || nested || repeated {
        return Err(format!("has a column \"{}\" of another kind", column.name));
    }
    Ok(Some(at))
}

fn rows_of(group: &dyn RowGroupReader) -> Result<usize, String> {
    usize::try_from(group.metadata().num_rows()).map_err(|_| "is damaged".to_string())
}

fn read_column(group: &dyn RowGroupReader, at: usize, like: &Column) -> Result<Column, String> {
    let rows = rows_of(group)?;
    let (values, levels) = match like.values {
        Values::Int(_) => {
            let (values, levels) = values::<Int64Type>(group, at, rows)?;
            (Values::Int(values), levels)
        }
        Values::Real(_) => {
            let (values, levels) = values::<DoubleType>(group, at, rows)?;
            (Values::Real(values), levels)
        }
        Values::Flag(_) => {
            let (values, levels) = values::<BoolType>(group, at, rows)?;
            (Values::Flag(values), levels)
        }
        Values::Text(_) => {
            let (values, levels) = values::<ByteArrayType>(group, at, rows)?;
            let text = |bytes: ByteArray| String::from_utf8(bytes.data().to_vec());
            let texts: Result<_, _> = values.into_iter().map(text).collect();
            (Values::Text(texts.map_err(|_| "has texts that are not UTF-8".to_string())?), levels)
        }
    };
    let mut present: Vec<bool> = levels.into_iter().map(|level| level == 1).collect();
    let may_be_null = group.metadata().column(at).column_descr().max_def_level() > 0;
    if !may_be_null {
        present = vec![true; rows]
    }
    if like.present.is_none() && present.contains(&false) {
        return Err(format!("has nulls in its column \"{}\"", like.name));
    }
    Ok(Column { name: like.name, values, present: like.present.as_ref().map(|_| present) })
}

/// Values and levels of a column in a row group; no levels without nulls.
fn values<T: DataType>(
    group: &dyn RowGroupReader,
    at: usize,
    rows: usize,
) -> Result<(Vec<T::T>, Vec<i16>), String> {
    let mut reader = get_typed_column_reader::<T>(group.get_column_reader(at).map_err(damaged)?);
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    let read = reader.read_records(rows, Some(&mut levels), None, &mut values).map_err(damaged)?;
    if read.0 != rows {
        return Err(format!("is damaged: {} of {rows} rows in a column", read.0));
    }
    Ok((values, levels))
}

//! A table of a trace, for Arrow's C stream interface.
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch};
use arrow_array::{RecordBatchIterator, StringArray};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use parquet::basic::Type;
use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::{BoolType, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A table in memory; polars, pyarrow and DuckDB take it without a copy.
#[pyclass(frozen, module = "tenbin._native")]
pub struct Table {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

#[pymethods]
impl Table {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Table> {
        let read = py.detach(|| read(&path));
        read.map_err(|why| PyOSError::new_err(format!("{}: {why}", path.display())))
    }

    /// A capsule of the Arrow C stream interface; types are as stored.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batches = self.batches.clone().into_iter().map(Ok::<RecordBatch, ArrowError>);
        let reader = RecordBatchIterator::new(batches, self.schema.clone());
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn __repr__(&self) -> String {
        format!("Table({} rows: {})", self.__len__(), self.column_names().join(", "))
    }
}

fn read(path: &Path) -> Result<Table, String> {
    let said = |e: &dyn std::fmt::Display| e.to_string();
    let file = File::open(path).map_err(|e| said(&e))?;
    let reader = SerializedFileReader::new(file).map_err(|e| said(&e))?;
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let names = schema.columns().iter().map(|column| column.name().to_string());
    let names: Vec<String> = names.collect();
    let mut batches = Vec::new();
    for place in 0..reader.num_row_groups() {
        let group = reader.get_row_group(place).map_err(|e| said(&e))?;
        let columns = (0..names.len()).map(|at| column(&*group, at));
        let columns = columns.collect::<Result<Vec<ArrayRef>, String>>()?;
        let named = names.iter().cloned().zip(columns).map(|(name, array)| (name, array, true));
        batches.push(RecordBatch::try_from_iter_with_nullable(named).map_err(|e| said(&e))?)
    }
    let schema = batches.first().map_or_else(|| Arc::new(Schema::empty()), RecordBatch::schema);
    Ok(Table { schema, batches })
}

fn column(group: &dyn RowGroupReader, at: usize) -> Result<ArrayRef, String> {
    let kind = group.metadata().column(at).column_type();
    Ok(match kind {
        Type::INT64 => Arc::new(Int64Array::from(values::<Int64Type>(group, at)?)),
        Type::DOUBLE => Arc::new(Float64Array::from(values::<DoubleType>(group, at)?)),
        Type::BOOLEAN => Arc::new(BooleanArray::from(values::<BoolType>(group, at)?)),
        Type::BYTE_ARRAY => {
            let texts = values::<ByteArrayType>(group, at)?.into_iter();
            let text = |bytes: parquet::data_type::ByteArray| {
                String::from_utf8_lossy(bytes.data()).into_owned()
            };
            Arc::new(texts.map(|bytes| bytes.map(text)).collect::<StringArray>())
        }
        other => return Err(format!("a column of the type {other}")),
    })
}

/// The values of a column by row.
fn values<T: DataType>(group: &dyn RowGroupReader, at: usize) -> Result<Vec<Option<T::T>>, String> {
    let about = group.metadata();
    let rows = usize::try_from(about.num_rows()).map_err(|_| "is damaged".to_string())?;
    let reader = group.get_column_reader(at).map_err(|e| e.to_string())?;
    let mut reader = get_typed_column_reader::<T>(reader);
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    reader.read_records(rows, Some(&mut levels), None, &mut values).map_err(|e| e.to_string())?;
    if about.column(at).column_descr().max_def_level() == 0 {
        return Ok(values.into_iter().map(Some).collect());
    }
    let mut values = values.into_iter();
    Ok(levels.into_iter().map(|level| if level > 0 { values.next() } else { None }).collect())
}

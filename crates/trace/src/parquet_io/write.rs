use super::column::{Column, Values};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

/// Rows of a group: this part of a table is in memory twice during writing.
const GROUP: usize = 1 << 18;

/// Writes `rows` rows. `columns` returns the columns of a range of rows; ranges are consecutive,
/// after an empty one. `sorted`: columns whose neighbouring values differ little.
pub fn write<W: Write + Send>(
    out: W,
    about: &[(&str, &str)],
    sorted: &[&str],
    rows: usize,
    mut columns: impl FnMut(Range<usize>) -> Vec<Column>,
) -> io::Result<W> {
    let result = (|| {
        let declarations: Vec<String> = columns(0..0).iter().map(Column::declaration).collect();
        let schema =
            parse_message_type(&format!("message table {{ {} }}", declarations.join(" ")))?;
        let properties = Arc::new(properties(about, sorted)?);
        let mut writer = SerializedFileWriter::new(out, Arc::new(schema), properties)?;
        for start in (0..rows).step_by(GROUP) {
            let mut group = writer.next_row_group()?;
            for column in columns(start..rows.min(start + GROUP)) {
                let mut writer = group.next_column()?.expect("as many columns as declared");
                write_column(&mut writer, column)?;
                writer.close()?
            }
            group.close()?;
        }
        writer.into_inner()
    })();
    result.map_err(as_io)
}

/// The file system's error, so that a caller can detect a full disk.
fn as_io(e: ParquetError) -> io::Error {
    match e {
        ParquetError::External(e) => {
            e.downcast::<io::Error>().map_or_else(io::Error::other, |e| *e)
        }
        other => io::Error::other(other),
    }
}

fn properties(about: &[(&str, &str)], sorted: &[&str]) -> Result<WriterProperties> {
    let metadata = about.iter().map(|(k, v)| KeyValue::new(k.to_string(), v.to_string())).collect();
    let mut properties = WriterProperties::builder()
        .set_created_by("tenbin".into())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_key_value_metadata(Some(metadata));
    for name in sorted {
        let path = ColumnPath::from(*name);
        properties = properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED)
    }
    Ok(properties.build())
}

fn write_column(writer: &mut SerializedColumnWriter<'_>, column: Column) -> Result<()> {
    let levels: Option<Vec<i16>> =
        column.present.map(|present| present.into_iter().map(i16::from).collect());
    let levels = levels.as_deref();
    match column.values {
        Values::Int(values) => writer.typed::<Int64Type>().write_batch(&values, levels, None),
        Values::Real(values) => writer.typed::<DoubleType>().write_batch(&values, levels, None),
        Values::Flag(values) => writer.typed::<BoolType>().write_batch(&values, levels, None),
        Values::Text(values) => {
            let values: Vec<ByteArray> =
                values.into_iter().map(|t| ByteArray::from(t.into_bytes())).collect();
            writer.typed::<ByteArrayType>().write_batch(&values, levels, None)
        }
    }?;
    Ok(())
}

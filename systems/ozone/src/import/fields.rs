//! Fields of JSON dumps, whose names differ from version to version.
use serde_json::Value;
use std::path::Path;
use system::Failure;

/// Parses a dump: an array of objects.
///
/// # Errors
/// No JSON, half a dump, something else than an array.
pub fn rows(path: &Path, text: &str, what: &str) -> Result<Vec<Value>, Failure> {
    let value: Value = serde_json::from_str(text).map_err(|e| {
        let cut = if e.is_eof() { " (the file is cut off)" } else { "" };
        Failure::BadInput(format!("{}:{}: {e}{cut}: expected {what}", path.display(), e.line()))
    })?;
    match value {
        Value::Array(rows) => Ok(rows),
        _ => Err(Failure::BadInput(format!(
            "{}:1: no array at its top: expected {what}",
            path.display()
        ))),
    }
}

/// The first of these fields that is a text, or an object with one of `id`, `uuid` in it.
pub fn text(row: &Value, fields: &[&str]) -> Option<String> {
    let of = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Object(_) => ["id", "uuid", "uuidString"].iter().find_map(|f| {
            let inner = value.get(f)?;
            let nested = inner.get("id").or(inner.get("uuid")).unwrap_or(inner);
            nested.as_str().map(str::to_string)
        }),
        _ => None,
    };
    fields.iter().find_map(|field| row.get(field).and_then(of))
}

/// Whether a field is true.
pub fn flag(row: &Value, field: &str) -> bool {
    row.get(field).and_then(Value::as_bool).unwrap_or(false)
}

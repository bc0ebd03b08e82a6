//! Reads fields of JSON dumps whose names vary by version.
use import::{ImportError, Input, InputSpec, OnProgress, issue};
use serde_json::Value;

/// # Errors
/// The JSON is invalid or cut, or not an array.
pub fn rows(
    input: &Input,
    wanted: &InputSpec,
    tell: &mut OnProgress<'_>,
) -> Result<Vec<Value>, ImportError> {
    match import::json(input, wanted, tell)? {
        Value::Array(rows) => Ok(rows),
        _ => {
            let found = issue("not an array", wanted.content).advice(wanted.advice());
            Err(found.at(&input.name(), Some(1)))
        }
    }
}

/// The first of the fields that is a string, or an object with an ID.
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

pub fn flag(row: &Value, field: &str) -> bool {
    row.get(field).and_then(Value::as_bool).unwrap_or(false)
}

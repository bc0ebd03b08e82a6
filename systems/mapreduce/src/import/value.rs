//! An event as a tree of names and values, the same for both forms of a history.
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// Largest event or header \[bytes\].
pub const LARGEST: usize = 64 << 20;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// From 1; `None` in binary files.
    pub line: Option<u64>,
    pub what: String,
}

/// Texts borrow from the buffer unless they have escapes.
#[derive(Clone, PartialEq, Debug)]
pub enum Value<'a> {
    Null,
    Flag(bool),
    Whole(i64),
    Real(f64),
    Text(Cow<'a, str>),
    List(Vec<Value<'a>>),
    Record(Vec<(Cow<'a, str>, Value<'a>)>),
}

impl<'a> Value<'a> {
    /// A field of a record, without its union branch.
    pub fn get(&self, name: &str) -> Option<&Value<'a>> {
        match self {
            Value::Record(fields) => fields.iter().find(|f| f.0 == name).map(|f| f.1.bare()),
            _ => None,
        }
    }

    /// Strips the branch of a union: JSON has `{"string": "x"}`.
    fn bare(&self) -> &Value<'a> {
        match self {
            Value::Record(fields) => match fields.as_slice() {
                [(name, value)] if is_branch(name) => value,
                _ => self,
            },
            _ => self,
        }
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn whole(&self, name: &str) -> Option<i64> {
        match self.get(name)? {
            Value::Whole(number) => Some(*number),
            _ => None,
        }
    }

    /// Empty if there is no such list.
    pub fn list(&self, name: &str) -> &[Value<'a>] {
        match self.get(name) {
            Some(Value::List(list)) => list,
            _ => &[],
        }
    }
}

/// Branches of unions: simple types, and records by their full name.
fn is_branch(name: &str) -> bool {
    matches!(name, "string" | "long" | "int" | "boolean" | "double" | "float" | "bytes")
        || name.starts_with("org.apache.hadoop.")
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Value<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }
    fn visit_unit<E: Error>(self) -> Result<Value<'de>, E> {
        Ok(Value::Null)
    }
    fn visit_bool<E: Error>(self, flag: bool) -> Result<Value<'de>, E> {
        Ok(Value::Flag(flag))
    }
    fn visit_i64<E: Error>(self, number: i64) -> Result<Value<'de>, E> {
        Ok(Value::Whole(number))
    }
    fn visit_u64<E: Error>(self, number: u64) -> Result<Value<'de>, E> {
        Ok(i64::try_from(number).map_or(Value::Real(number as f64), Value::Whole))
    }
    fn visit_f64<E: Error>(self, number: f64) -> Result<Value<'de>, E> {
        Ok(Value::Real(number))
    }
    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Value<'de>, E> {
        Ok(Value::Text(Cow::Borrowed(text)))
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<Value<'de>, E> {
        Ok(Value::Text(Cow::Owned(text.to_string())))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value<'de>, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element()? {
            values.push(value)
        }
        Ok(Value::List(values))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value<'de>, A::Error> {
        let mut fields = Vec::new();
        while let Some(Name(name)) = map.next_key()? {
            fields.push((name, map.next_value()?))
        }
        Ok(Value::Record(fields))
    }
}

impl<'de> Deserialize<'de> for Value<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Value<'de>, D::Error> {
        from.deserialize_any(Any)
    }
}

#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

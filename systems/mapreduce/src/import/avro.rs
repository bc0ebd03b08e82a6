//! The part of Avro that histories need: datums without a container, by the schema in the header.
use super::value::Value;
use serde_json::Value as Json;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Records, enums and fixed types are in [`Schema::named_types`].
#[derive(Clone, PartialEq, Debug)]
enum Type {
    Null,
    Boolean,
    /// `int` and `long` have the same encoding.
    Whole,
    Float,
    Double,
    /// `string` and `bytes` have the same encoding.
    Text,
    List(Box<Type>),
    Map(Box<Type>),
    Union(Vec<Type>),
    Named(usize),
}

#[derive(Clone, PartialEq, Debug)]
enum NamedType {
    Record(Vec<(String, Type)>),
    Enum(Vec<String>),
    Fixed(usize),
    /// Declared, definition not yet parsed.
    Open,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Schema {
    named_types: Vec<NamedType>,
    top: Type,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AvroError {
    Short,
    Damaged(&'static str),
}

/// Limits parts of a datum, so that damaged counts cannot exhaust memory. `DEEPEST` limits nesting.
const MOST: usize = 4 << 20;
const DEEPEST: usize = 64;

impl Schema {
    /// # Errors
    /// A message for users.
    pub fn read(json: &str) -> Result<Schema, String> {
        let json: Json = serde_json::from_str(json).map_err(|e| format!("not JSON ({e})"))?;
        let mut reader = Reader { named_types: Vec::new(), names: BTreeMap::new() };
        let top = reader.of(&json, "", 0)?;
        Ok(Schema { named_types: reader.named_types, top })
    }

    /// Decodes one datum at the start of `bytes`. Returns its length, too.
    ///
    /// # Errors
    /// [`AvroError::Short`] if `bytes` ends early, else [`AvroError::Damaged`].
    pub fn datum<'a>(&'a self, bytes: &'a [u8]) -> Result<(Value<'a>, usize), AvroError> {
        let mut datum = Datum { schema: self, bytes, at: 0, parts: 0 };
        let value = datum.of(&self.top, 0)?;
        Ok((value, datum.at))
    }
}

struct Reader {
    named_types: Vec<NamedType>,
    names: BTreeMap<String, usize>,
}

impl Reader {
    fn of(&mut self, json: &Json, space: &str, depth: usize) -> Result<Type, String> {
        if depth > DEEPEST {
            return Err("types within types without end".into());
        }
        match json {
            Json::String(name) => self.named(name, space),
            Json::Array(branches) => {
                let branches = branches.iter().map(|b| self.of(b, space, depth + 1));
                Ok(Type::Union(branches.collect::<Result<_, _>>()?))
            }
            Json::Object(fields) => {
                let part = |name: &str| fields.get(name).ok_or(format!("a type without {name}"));
                match part("type")? {
                    Json::String(kind) => match kind.as_str() {
                        "array" => {
                            Ok(Type::List(Box::new(self.of(part("items")?, space, depth + 1)?)))
                        }
                        "map" => {
                            Ok(Type::Map(Box::new(self.of(part("values")?, space, depth + 1)?)))
                        }
                        "record" | "error" | "enum" | "fixed" => {
                            self.declared(kind, json, space, depth)
                        }
                        simple => self.named(simple, space),
                    },
                    inner => self.of(inner, space, depth + 1),
                }
            }
            _ => Err("a type that is neither a name, a list nor an object".into()),
        }
    }

    fn named(&self, name: &str, space: &str) -> Result<Type, String> {
        Ok(match name {
            "null" => Type::Null,
            "boolean" => Type::Boolean,
            "int" | "long" => Type::Whole,
            "float" => Type::Float,
            "double" => Type::Double,
            "string" | "bytes" => Type::Text,
            _ => {
                let full = full(name, space);
                let found = self.names.get(&full).or_else(|| self.names.get(name));
                Type::Named(*found.ok_or(format!("a type \"{name}\" that is not declared"))?)
            }
        })
    }

    fn declared(
        &mut self,
        kind: &str,
        json: &Json,
        space: &str,
        depth: usize,
    ) -> Result<Type, String> {
        let name = json["name"].as_str().ok_or("a type without a name")?;
        let space = json["namespace"].as_str().unwrap_or(space);
        let place = self.named_types.len();
        self.named_types.push(NamedType::Open);
        self.names.insert(full(name, space), place);
        let list = |part: &str| json[part].as_array().ok_or(format!("{name} without {part}"));
        self.named_types[place] = match kind {
            "enum" => {
                let symbols = list("symbols")?.iter().map(|s| s.as_str().unwrap_or("").into());
                NamedType::Enum(symbols.collect())
            }
            "fixed" => NamedType::Fixed(
                json["size"].as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or(0),
            ),
            _ => {
                let mut fields = Vec::new();
                for field in list("fields")? {
                    let name = field["name"].as_str().ok_or("a field without a name")?;
                    fields.push((name.to_string(), self.of(&field["type"], space, depth + 1)?))
                }
                NamedType::Record(fields)
            }
        };
        Ok(Type::Named(place))
    }
}

fn full(name: &str, space: &str) -> String {
    if name.contains('.') || space.is_empty() { name.into() } else { format!("{space}.{name}") }
}

struct Datum<'a> {
    schema: &'a Schema,
    bytes: &'a [u8],
    at: usize,
    parts: usize,
}

impl<'a> Datum<'a> {
    fn of(&mut self, of: &'a Type, depth: usize) -> Result<Value<'a>, AvroError> {
        self.parts += 1;
        if self.parts > MOST || depth > DEEPEST {
            return Err(AvroError::Damaged("an event of more parts than any has"));
        }
        match of {
            Type::Null => Ok(Value::Null),
            Type::Boolean => Ok(Value::Flag(self.take(1)?[0] != 0)),
            Type::Whole => Ok(Value::Whole(self.whole()?)),
            Type::Float => {
                let bytes = self.take(4)?.try_into().expect("four bytes");
                Ok(Value::Real(f64::from(f32::from_le_bytes(bytes))))
            }
            Type::Double => {
                let bytes = self.take(8)?.try_into().expect("eight bytes");
                Ok(Value::Real(f64::from_le_bytes(bytes)))
            }
            Type::Text => Ok(Value::Text(self.text()?)),
            Type::List(items) => {
                let mut list = Vec::new();
                self.blocks(|datum| {
                    list.push(datum.of(items, depth + 1)?);
                    Ok(())
                })?;
                Ok(Value::List(list))
            }
            Type::Map(values) => {
                let mut fields = Vec::new();
                self.blocks(|datum| {
                    fields.push((datum.text()?, datum.of(values, depth + 1)?));
                    Ok(())
                })?;
                Ok(Value::Record(fields))
            }
            Type::Union(branches) => {
                let branch = usize::try_from(self.whole()?).ok().and_then(|at| branches.get(at));
                self.of(
                    branch.ok_or(AvroError::Damaged("a branch that its union does not have"))?,
                    depth + 1,
                )
            }
            Type::Named(place) => self.named(&self.schema.named_types[*place], depth),
        }
    }

    fn named(&mut self, of: &'a NamedType, depth: usize) -> Result<Value<'a>, AvroError> {
        match of {
            NamedType::Record(fields) => {
                let mut record = Vec::with_capacity(fields.len());
                for (name, of) in fields {
                    record.push((Cow::Borrowed(name.as_str()), self.of(of, depth + 1)?))
                }
                Ok(Value::Record(record))
            }
            NamedType::Enum(symbols) => {
                let symbol = usize::try_from(self.whole()?).ok().and_then(|at| symbols.get(at));
                let symbol =
                    symbol.ok_or(AvroError::Damaged("a symbol that its enum does not have"))?;
                Ok(Value::Text(Cow::Borrowed(symbol)))
            }
            NamedType::Fixed(size) => {
                self.take(*size)?;
                Ok(Value::Null)
            }
            NamedType::Open => Err(AvroError::Damaged("a type that holds itself")),
        }
    }

    /// A negative item count is followed by the block's size in bytes.
    fn blocks(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<(), AvroError>,
    ) -> Result<(), AvroError> {
        loop {
            let mut count = self.whole()?;
            if count == 0 {
                return Ok(());
            }
            if count < 0 {
                self.whole()?;
                count = count.checked_neg().ok_or(AvroError::Damaged("a count below all"))?
            }
            if count > MOST as i64 {
                return Err(AvroError::Damaged("a list of more items than any has"));
            }
            for _ in 0..count {
                item(self)?
            }
        }
    }

    fn text(&mut self) -> Result<Cow<'a, str>, AvroError> {
        let length = usize::try_from(self.whole()?);
        let length = length.map_err(|_| AvroError::Damaged("a text of a length below 0"))?;
        if length > super::value::LARGEST {
            return Err(AvroError::Damaged("a text of more than 64 MiB"));
        }
        Ok(String::from_utf8_lossy(self.take(length)?))
    }

    /// Zigzag varint: 7 bits a byte, least significant first; the lowest bit is the sign.
    fn whole(&mut self) -> Result<i64, AvroError> {
        let mut number = 0_u64;
        for shift in (0..70).step_by(7) {
            let byte = self.take(1)?[0];
            number |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            if byte < 0x80 {
                return Ok((number >> 1) as i64 ^ -((number & 1) as i64));
            }
        }
        Err(AvroError::Damaged("a number of more than ten bytes"))
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], AvroError> {
        let end = self.at.checked_add(count).ok_or(AvroError::Damaged("a length beyond all"))?;
        let bytes = self.bytes.get(self.at..end).ok_or(AvroError::Short)?;
        self.at = end;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = r#"{"type":"record","name":"R","fields":[
        {"name":"n","type":"long"},
        {"name":"t","type":["null","string"]},
        {"name":"l","type":{"type":"array","items":"int"}},
        {"name":"k","type":{"type":"enum","name":"E","symbols":["A","B"]}}]}"#;

    #[test]
    fn a_datum_is_read_as_avro_writes_it() {
        let schema = Schema::read(LIST).unwrap();
        // −3; branch 1 "hi"; a block of two (with its size): 1, −64; no more; symbol 1.
        let bytes = [5, 2, 4, b'h', b'i', 3, 4, 2, 127, 0, 2, 99];
        let (value, used) = schema.datum(&bytes).unwrap();
        assert_eq!(used, 11, "what follows is the next one's");
        assert_eq!(value.whole("n"), Some(-3));
        assert_eq!(value.text("t"), Some("hi"));
        assert_eq!(value.list("l"), [Value::Whole(1), Value::Whole(-64)]);
        assert_eq!(value.text("k"), Some("B"));
        for cut in 0..11 {
            assert_eq!(schema.datum(&bytes[..cut]), Err(AvroError::Short), "cut at {cut}");
        }
    }

    #[test]
    fn damaged_counts_and_circles_end() {
        let nulls = Schema::read(r#"{"type":"array","items":"null"}"#).unwrap();
        let many = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01];
        assert!(matches!(nulls.datum(&many), Err(AvroError::Damaged(_))));
        let circle = r#"{"type":"record","name":"R","fields":[{"name":"r","type":"R"}]}"#;
        assert!(matches!(Schema::read(circle).unwrap().datum(&[0]), Err(AvroError::Damaged(_))));
        assert!(Schema::read(&"[".repeat(100_000)).is_err());
        assert!(
            Schema::read(r#"{"type":"record","name":"R","fields":[{"name":"x","type":"Y"}]}"#)
                .unwrap_err()
                .contains("\"Y\"")
        );
    }
}

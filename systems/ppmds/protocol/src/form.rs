//! Names and lists of servers as received from outside: checked before the protocol relies on them.
use crate::{Name, Servers};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;

/// One above the largest server number.
const MOST_SERVERS: u32 = 1 << 16;

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(self.bytes())
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Name, D::Error> {
        from.deserialize_bytes(NameVisitor)
    }
}

struct NameVisitor;

impl de::Visitor<'_> for NameVisitor {
    type Value = Name;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name of at most 255 bytes, without slash")
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Name, E> {
        match bytes.is_empty() {
            true => Ok(Name::NONE),
            false => Name::new(bytes).map_err(|errno| E::custom(format!("a name: {errno}"))),
        }
    }
}

/// [`Servers`] before the check that [`Servers::at`] relies on.
#[derive(Deserialize)]
pub enum ServersForm {
    Run { first: u32, count: u32, of: u32 },
    Named(Vec<u32>),
}

impl TryFrom<ServersForm> for Servers {
    type Error = &'static str;

    fn try_from(form: ServersForm) -> Result<Servers, &'static str> {
        match form {
            ServersForm::Run { first, count, of }
                if first < of && (1..=of).contains(&count) && of <= MOST_SERVERS =>
            {
                Ok(Servers::Run { first, count, of })
            }
            ServersForm::Named(all)
                if !all.is_empty() && all.iter().all(|server| *server < MOST_SERVERS) =>
            {
                Ok(Servers::Named(all))
            }
            _ => Err("a list of servers: expected 1 to 65536 servers, each below 65536"),
        }
    }
}

//! The beans of a dump that matter, read one after the other.
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Names of the beans that are kept, without `Hadoop:service=NameNode,name=`.
const KEPT: [&str; 4] = ["NameNodeInfo", "FSNamesystem", "FSNamesystemState", "NameNodeStatus"];
const NAMENODE: &str = "Hadoop:service=NameNode,name=";

/// What is kept of a dump.
#[derive(Default)]
pub(super) struct Beans {
    kept: BTreeMap<String, Value>,
    /// Daemons whose beans were seen: `DataNode`.
    pub(super) services: BTreeSet<String>,
    /// The page had a list of beans.
    pub(super) listed: bool,
}

impl Beans {
    /// Whether the NameNode's bean of this name is there.
    pub(super) fn has(&self, bean: &str) -> bool {
        self.kept.contains_key(bean)
    }
    /// The first of these attributes that one of these beans has as a text.
    pub(super) fn text(&self, bean: &str, attribute: &str) -> Option<&str> {
        self.kept.get(bean)?.get(attribute)?.as_str()
    }
    /// The first of `attributes` that any bean has as a number; versions differ in names.
    pub(super) fn count(&self, attributes: &[&str]) -> Option<u64> {
        let of = |attribute: &&str| {
            self.kept.values().find_map(|bean| bean.get(*attribute).and_then(Value::as_u64))
        };
        attributes.iter().find_map(of)
    }
    fn take(&mut self, bean: Value) {
        let Some(name) = bean.get("name").and_then(Value::as_str) else { return };
        if let Some(rest) = name.strip_prefix("Hadoop:service=") {
            let service = rest.split(',').next().unwrap_or(rest);
            self.services.insert(service.to_string());
        }
        let Some(short) = name.strip_prefix(NAMENODE).filter(|short| KEPT.contains(short)) else {
            return;
        };
        self.kept.insert(short.to_string(), bean);
    }
}

impl<'de> Deserialize<'de> for Beans {
    fn deserialize<D: Deserializer<'de>>(page: D) -> Result<Beans, D::Error> {
        page.deserialize_map(Page)
    }
}

/// `{ "beans": [ … ] }`
struct Page;

impl<'de> Visitor<'de> for Page {
    type Value = Beans;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{ \"beans\": [ … ] }")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut page: A) -> Result<Beans, A::Error> {
        let mut beans = Beans::default();
        while let Some(key) = page.next_key::<String>()? {
            if key == "beans" {
                beans = page.next_value::<List>()?.0
            } else {
                page.next_value::<IgnoredAny>()?;
            }
        }
        Ok(beans)
    }
}

/// The list; one bean at a time is in memory, but for those that are kept.
struct List(Beans);

impl<'de> Deserialize<'de> for List {
    fn deserialize<D: Deserializer<'de>>(list: D) -> Result<List, D::Error> {
        list.deserialize_seq(Each).map(List)
    }
}

struct Each;

impl<'de> Visitor<'de> for Each {
    type Value = Beans;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of beans")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Beans, A::Error> {
        let mut beans = Beans { listed: true, ..Beans::default() };
        while let Some(bean) = list.next_element::<Value>()? {
            beans.take(bean)
        }
        Ok(beans)
    }
}

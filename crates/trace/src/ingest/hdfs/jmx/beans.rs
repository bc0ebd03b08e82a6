//! The beans of a NameNode's dump that matter.
use super::page::Gather;
use serde_json::Value;
use std::collections::BTreeMap;

/// Names of the beans that are kept, without `Hadoop:service=NameNode,name=`.
const KEPT: [&str; 4] = ["NameNodeInfo", "FSNamesystem", "FSNamesystemState", "NameNodeStatus"];
const NAMENODE: &str = "Hadoop:service=NameNode,name=";

/// What is kept of a dump.
#[derive(Default)]
pub(super) struct Beans {
    kept: BTreeMap<String, Value>,
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
}

impl Gather for Beans {
    fn take(&mut self, name: &str, bean: Value) {
        if let Some(short) = name.strip_prefix(NAMENODE).filter(|short| KEPT.contains(short)) {
            self.kept.insert(short.to_string(), bean);
        }
    }
}

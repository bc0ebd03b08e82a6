use import::jmx::BeanCollector;
use import::{Issue, issue};
use serde_json::Value;
use std::collections::BTreeMap;

const KEPT: [&str; 4] = ["NameNodeInfo", "FSNamesystem", "FSNamesystemState", "NameNodeStatus"];
const NAMENODE: &str = "Hadoop:service=NameNode,name=";

/// All attributes passed to [`Beans::count`].
const COUNTS: [&str; 19] = [
    "BlocksTotal",
    "TotalBlocks",
    "TotalReplicatedBlocks",
    "TotalECBlockGroups",
    "LowRedundancyBlocks",
    "LowRedundancyReplicatedBlocks",
    "LowRedundancyECBlockGroups",
    "UnderReplicatedBlocks",
    "MissingBlocks",
    "MissingReplicatedBlocks",
    "MissingECBlockGroups",
    "NumberOfMissingBlocks",
    "CorruptBlocks",
    "CorruptReplicatedBlocks",
    "CorruptECBlockGroups",
    "PendingReconstructionBlocks",
    "PendingReplicationBlocks",
    "FilesTotal",
    "TotalLoad",
];

/// Upper bound of blocks, files or transfers of a NameNode.
pub(super) const MOST: u64 = u32::MAX as u64;

#[derive(Default)]
pub(super) struct Beans {
    kept: BTreeMap<String, Value>,
}

impl Beans {
    pub(super) fn has(&self, bean: &str) -> bool {
        self.kept.contains_key(bean)
    }
    pub(super) fn text(&self, bean: &str, attribute: &str) -> Option<&str> {
        self.kept.get(bean)?.get(attribute)?.as_str()
    }
    /// The first of `attributes` that any bean has as a number; names differ between versions.
    pub(super) fn count(&self, attributes: &[&str]) -> Option<u64> {
        debug_assert!(attributes.iter().all(|name| COUNTS.contains(name)), "{attributes:?}");
        let of = |attribute: &&str| {
            self.kept.values().find_map(|bean| bean.get(*attribute).and_then(Value::as_u64))
        };
        attributes.iter().find_map(of)
    }
    /// # Errors
    /// A count is below 0, broken or above [`MOST`].
    pub(super) fn check(&self) -> Result<(), Issue> {
        for (bean, attributes) in &self.kept {
            for name in COUNTS {
                let value = attributes.get(name).filter(|value| value.is_number());
                let wrong = |value: &&Value| value.as_u64().is_none_or(|n| n > MOST);
                if let Some(value) = value.filter(wrong) {
                    return Err(no_count(&format!("{bean}: {name} = {value}"), MOST));
                }
            }
        }
        Ok(())
    }
}

pub(super) fn no_count(found: &str, most: u64) -> Issue {
    let advice = "Save the page again; if the error stays, use the active NameNode.";
    issue(found, format!("a count from 0 to {most}")).advice(advice)
}

impl BeanCollector for Beans {
    fn take(&mut self, name: &str, bean: Value) {
        if let Some(short) = name.strip_prefix(NAMENODE).filter(|short| KEPT.contains(short)) {
            self.kept.insert(short.to_string(), bean);
        }
    }
}

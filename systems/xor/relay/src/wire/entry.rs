//! What an entry's numbers mean: its layout, shape and losses.
use super::Entry;
use xor_protocol::commit::{ReplicaState, Version};
use xor_protocol::object::Shape;
use xor_protocol::{Layout, MAX_NODES, Rule};

/// By the number in an entry.
const RULES: [Rule; 4] = [Rule::Single, Rule::Document, Rule::General, Rule::Fallback];
/// In bytes.
const MOST_NAME: usize = 255;

impl Entry {
    /// For an object that no node has yet.
    pub(crate) fn new(
        name: &str,
        version: Version,
        layout: &Layout,
        length: u64,
        block: u32,
    ) -> Entry {
        let rule = RULES.iter().position(|rule| *rule == layout.rule());
        Entry {
            name: name.into(),
            version,
            held: ReplicaState::Nothing,
            index: 0,
            nodes: layout.nodes() as u8,
            rule: rule.expect("all rules have a number") as u8,
            block,
            length,
            sha256: [0; 32],
        }
    }

    /// The layout that the object was written for. The cluster may have grown since.
    pub fn layout(&self) -> Result<Layout, String> {
        let rule = *RULES.get(usize::from(self.rule)).ok_or("no such layout")?;
        match usize::from(self.nodes) > MAX_NODES {
            true => Err(format!("{} nodes are too many", self.nodes)),
            false => Layout::new(rule, usize::from(self.nodes)).map_err(|e| e.to_string()),
        }
    }

    /// The layout and the placement of the object's bytes.
    ///
    /// # Errors
    /// If the layout does not exist or the block size is out of range.
    pub fn geometry(&self) -> Result<(Layout, Shape), String> {
        let layout = self.layout()?;
        let shape = Shape::new(&layout, self.length, u64::from(self.block));
        shape.map(|shape| (layout, shape)).map_err(|e| e.to_string())
    }

    /// Losses that the object survives.
    pub fn losses(&self) -> usize {
        if self.rule == 0 { 1 } else { 2 }
    }
}

/// Fails if the name is empty, too long, or has control characters.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    match () {
        () if name.is_empty() => Err("an object’s name is empty".into()),
        () if name.len() > MOST_NAME => {
            Err(format!("an object’s name has {} bytes, {MOST_NAME} at most", name.len()))
        }
        () if name.chars().any(char::is_control) => {
            Err(format!("the name {name:?} has control characters"))
        }
        () => Ok(()),
    }
}

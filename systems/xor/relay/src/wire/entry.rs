//! What the numbers of an entry stand for: its layout, its shape, the nodes that it may lose.
use super::Entry;
use xor_protocol::commit::{Held, Version};
use xor_protocol::object::Shape;
use xor_protocol::{Layout, MAX_NODES, Rule};

/// By their number in an entry.
const RULES: [Rule; 4] = [Rule::Single, Rule::Document, Rule::General, Rule::Fallback];
/// Bytes of an object's name.
const MOST_NAME: usize = 255;

impl Entry {
    /// Of an object that no node has anything of yet.
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
            held: Held::Nothing,
            index: 0,
            nodes: layout.nodes() as u8,
            rule: rule.expect("all rules have a number") as u8,
            block,
            length,
            sha256: [0; 32],
        }
    }

    /// The layout that it was written for: that of a cluster that may have grown since.
    pub fn layout(&self) -> Result<Layout, String> {
        let rule = *RULES.get(usize::from(self.rule)).ok_or("no such layout")?;
        match usize::from(self.nodes) > MAX_NODES {
            true => Err(format!("{} nodes are too many", self.nodes)),
            false => Layout::new(rule, usize::from(self.nodes)).map_err(|e| e.to_string()),
        }
    }

    /// The same, with where its bytes lie.
    ///
    /// # Errors
    /// There is no such layout, or the block size is out of range.
    pub fn geometry(&self) -> Result<(Layout, Shape), String> {
        let layout = self.layout()?;
        let shape = Shape::new(&layout, self.length, u64::from(self.block));
        shape.map(|shape| (layout, shape)).map_err(|e| e.to_string())
    }

    /// Nodes that it may lose.
    pub fn losses(&self) -> usize {
        if self.rule == 0 { 1 } else { 2 }
    }
}

/// Whether an object may have this name; why not.
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

//! A copy to be planned: its sources, and the nodes that cannot be its target.

/// No node, rack or task: these go by number.
pub(super) const NONE: u32 = u32::MAX;

/// A copy to be planned; nodes and racks by number.
#[derive(Clone, Debug)]
pub struct Ends {
    /// Who may send it; at least one.
    pub sources: Vec<u32>,
    /// Who may not receive it, its holders among them.
    pub taken: Vec<u32>,
    /// The rack that may not receive it.
    pub barred: Option<u32>,
}

//! Input of the planner: one copy, its sources and forbidden targets.

/// No node, rack or task; all of them are numbers.
pub(super) const NONE: u32 = u32::MAX;

/// A copy to plan; nodes and racks are numbers.
#[derive(Clone, Debug)]
pub struct CopyRequest {
    /// Holders that may send it; at least one.
    pub sources: Vec<u32>,
    /// Nodes that may not receive it; includes its holders.
    pub taken: Vec<u32>,
    pub barred: Option<u32>,
}

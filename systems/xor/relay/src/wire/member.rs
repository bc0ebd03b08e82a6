//! What a node's place in a cluster means.
use super::{Entry, Member};

/// The place of a node that was replaced.
pub const REPLACED: u8 = u8::MAX;

impl Member {
    /// Whether somebody fills this node, and has not said that nothing was left out: it is nobody
    /// else's.
    pub fn is_filling(&self) -> bool {
        self.cluster != 0 && self.least == 0 && self.index != REPLACED
    }

    /// Whether an object was written for this node's place in its cluster.
    pub fn has_place(&self, entry: &Entry) -> bool {
        self.index == entry.index && (self.least..=self.nodes).contains(&entry.nodes)
    }

    /// Whether it is this node of a cluster of so many.
    pub(crate) fn is_at(&self, all: usize, node: usize) -> bool {
        (usize::from(self.nodes), usize::from(self.index)) == (all, node)
    }

    /// "it is node 2 of the 5 of cluster …" or "it is of no cluster and holds nothing".
    pub(crate) fn describe(&self) -> String {
        let Member { cluster, nodes, index, .. } = self;
        match (cluster, nodes) {
            (0, 0) => "it is of no cluster and holds nothing".into(),
            (0, _) => format!("its objects were written for node {index} of {nodes}"),
            _ if *index == REPLACED => {
                format!("another node has taken its place in cluster {}", short(*cluster))
            }
            _ => format!("it is node {index} of the {nodes} of cluster {}", short(*cluster)),
        }
    }
}

/// A cluster's number as it is printed: its first 8 digits.
pub(crate) fn short(cluster: u128) -> String {
    format!("{:08x}", cluster >> 96)
}

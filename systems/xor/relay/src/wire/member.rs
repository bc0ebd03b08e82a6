//! A node's place in a cluster.
use super::{Entry, Member};

/// Index of a replaced node.
pub const REPLACED: u8 = u8::MAX;

impl Member {
    /// The node is being filled, and something may be missing. Only the client that fills it uses
    /// it.
    pub fn is_filling(&self) -> bool {
        self.cluster != 0 && self.least == 0 && self.index != REPLACED
    }

    /// The object was written for this node's place.
    pub fn has_place(&self, entry: &Entry) -> bool {
        self.index == entry.index && (self.least..=self.nodes).contains(&entry.nodes)
    }

    /// This is `node` of a cluster of `all` nodes.
    pub(crate) fn is_at(&self, all: usize, node: usize) -> bool {
        (usize::from(self.nodes), usize::from(self.index)) == (all, node)
    }

    pub(crate) fn describe(&self) -> String {
        let Member { cluster, nodes, index, .. } = self;
        match (cluster, nodes) {
            (0, 0) => "in no cluster, and empty".into(),
            (0, _) => format!("its objects were written for node {index} of {nodes}"),
            _ if *index == REPLACED => {
                format!("another node has replaced it in cluster {}", short(*cluster))
            }
            _ => format!("node {index} of the {nodes} of cluster {}", short(*cluster)),
        }
    }
}

/// A cluster's number in messages: its first 8 digits.
pub(crate) fn short(cluster: u128) -> String {
    format!("{:08x}", cluster >> 96)
}

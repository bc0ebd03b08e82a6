//! What a point asks of an operator: who restarts a NameNode wants to know what for.
use super::grid;
use super::lab::Lab;
use super::point::Point;
use hdfs_reading::advice::{Apply, apply_key};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// What it takes to come from the present settings to a point.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effort {
    /// Kinds of processes that must be restarted: NameNode, DataNodes.
    pub restarts: usize,
    /// Settings that change; a hard limit that follows is none.
    pub changes: usize,
    /// By how many times each changes, summed.
    pub distance: f64,
}

impl Effort {
    /// Of a point, in the Hadoop that runs there.
    pub fn of(lab: &Lab<'_>, point: &Point) -> Effort {
        let apply = |knob: super::knob::Knob| apply_key(knob.key(), lab.hadoop.as_deref());
        let all = point.changes(&lab.now).map(|(knob, ..)| apply(knob));
        let restarts = all.filter(|apply| matches!(apply, Apply::NameNode | Apply::DataNodes));
        Effort {
            restarts: restarts.collect::<BTreeSet<Apply>>().len(),
            changes: grid::without(&lab.now, point).len(),
            distance: point.distance(&lab.now),
        }
    }

    /// Fewer restarts first, then what is nearer.
    pub fn order(&self, other: &Effort) -> Ordering {
        self.restarts.cmp(&other.restarts).then(self.distance.total_cmp(&other.distance))
    }

    /// Asks for no more of anything that counts, and for less of something.
    pub fn is_less(&self, other: &Effort) -> bool {
        let no_more = self.restarts <= other.restarts && self.changes <= other.changes;
        let less = self.restarts < other.restarts || self.changes < other.changes;
        no_more && (less || self.distance < other.distance)
    }
}

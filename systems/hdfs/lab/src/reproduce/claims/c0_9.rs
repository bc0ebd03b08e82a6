//! The heuristic is as good as the exact optimum.
use super::{BUSY_SOURCE, Claim, IN_ONE_RACK, Judged, gain};
use crate::reproduce::cell::{Cell, DISKS, Data};
use crate::reproduce::estimate::Place;
use crate::reproduce::verdict::Band;

pub(super) fn claim() -> Claim {
    Claim {
        id: "C0.9",
        claim: "real cluster, 6 DataNodes, one removed: the heuristic equals the optimised scheme \
                in throughput",
        document: "1",
        unit: "throughput of ring / of optimised",
        rule: "the ratio at 6 nodes in one rack for a disk, within 5 % of 1",
        assumes: IN_ONE_RACK,
        besides: BUSY_SOURCE,
        needs: || rings().flat_map(|c| [c, c.under("optimised")]).collect(),
        judge,
    }
}

fn rings() -> impl Iterator<Item = Cell> {
    DISKS.into_iter().map(|d| Cell::one_rack(6, d, "ring"))
}

fn judge(data: &Data) -> Judged {
    let places = rings()
        .map(|c| Place::new(c.label(), gain(data, c, c.under("optimised")), Band::about(1.0)));
    Judged::of(places.collect(), "the ring's throughput over the optimised scheme's")
}

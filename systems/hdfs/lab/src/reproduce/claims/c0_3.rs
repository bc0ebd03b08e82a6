//! The ring's gain in one rack.
use super::{Claim, Judged, RING_IN_ONE_RACK, SEARCHED, gain};
use crate::reproduce::cell::{Cell, DISKS, Data, ONE_RACK};
use crate::reproduce::estimate::Place;
use crate::reproduce::verdict::Band;

pub(super) fn claim() -> Claim {
    Claim {
        id: "C0.3",
        claim: "one rack: the ring is 20–25 % above the default, at every N",
        document: "1.20–1.25",
        unit: "throughput of ring / of default",
        rule: "the ratio at an N, within 1.20–1.25",
        assumes: RING_IN_ONE_RACK,
        besides: SEARCHED,
        needs: || rings().flat_map(|c| [c, c.under("default")]).collect(),
        judge,
    }
}

fn rings() -> impl Iterator<Item = Cell> {
    ONE_RACK.into_iter().flat_map(|n| DISKS.map(|d| Cell::one_rack(n, d, "ring")))
}

fn judge(data: &Data) -> Judged {
    let places = rings().map(|c| {
        Place::new(c.label(), gain(data, c, c.under("default")), Band::within(1.20, 1.25))
    });
    Judged::of(places.collect(), "the ring's throughput over the default's")
}

//! Priority costs throughput where the link is slow.
use super::{Claim, JOINED, Judged, gain, two_racks};
use crate::reproduce::cell::{Data, Link};
use crate::reproduce::estimate::Place;
use crate::reproduce::verdict::Band;

pub(super) fn claim() -> Claim {
    Claim {
        id: "C0.5",
        claim: "two racks, 125 MB/s between them: with priority is below the default",
        document: "< 1",
        unit: "throughput of ring-priority / of default",
        rule: "the ratio at an N, below 1",
        assumes: JOINED,
        besides: "",
        needs: || two_racks(Link::Slow, &["default", "ring-priority"]),
        judge,
    }
}

fn judge(data: &Data) -> Judged {
    let rivals = two_racks(Link::Slow, &["ring-priority"]).into_iter();
    let places =
        rivals.map(|c| Place::new(c.label(), gain(data, c, c.under("default")), Band::below(1.0)));
    Judged::of(places.collect(), "throughput with priority over the default's")
}

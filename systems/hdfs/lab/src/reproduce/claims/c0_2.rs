//! The disk is the limit in one rack.
use super::{Claim, IN_ONE_RACK, Judged, gain};
use crate::reproduce::cell::{Cell, Data, ONE_RACK};
use crate::reproduce::estimate::Place;
use crate::reproduce::verdict::Band;

/// 105 MB/s over 65 MB/s.
pub(super) const RATIO: f64 = 105.0 / 65.0;

pub(super) fn claim() -> Claim {
    Claim {
        id: "C0.2",
        claim: "throughput at 105 over that at 65 MB/s is about 105/65: the disk is the limit",
        document: "1.62",
        unit: "throughput at 105 MB/s / at 65 MB/s",
        rule: "the ratio at an N, within 5 % of 105/65",
        assumes: IN_ONE_RACK,
        besides: "",
        needs: || fast().flat_map(|c| [c, c.with_disk(65)]).collect(),
        judge,
    }
}

fn fast() -> impl Iterator<Item = Cell> {
    ONE_RACK.into_iter().flat_map(|n| ["default", "ring"].map(|p| Cell::one_rack(n, 105, p)))
}

fn judge(data: &Data) -> Judged {
    let places =
        fast().map(|c| Place::new(c.label(), gain(data, c, c.with_disk(65)), Band::about(RATIO)));
    Judged::of(places.collect(), "throughput with the faster disk over that with the slower one")
}

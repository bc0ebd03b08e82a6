//! One rack: throughput grows with N.
use super::{Claim, IN_ONE_RACK, Judged, steps};
use crate::reproduce::cell::{Cell, DISKS, Data, ONE_RACK};

pub(super) fn claim() -> Claim {
    Claim {
        id: "C0.1",
        claim: "one rack: throughput grows with N, for both schemes and both disks",
        document: "> 1",
        unit: "throughput at an N / at the N before",
        rule: "the ratio of a step of N, above 1",
        assumes: IN_ONE_RACK,
        besides: "",
        needs: || ONE_RACK.into_iter().flat_map(cells).collect(),
        judge,
    }
}

fn cells(n: u32) -> Vec<Cell> {
    let of = |disk| ["default", "ring"].map(|p| Cell::one_rack(n, disk, p));
    DISKS.into_iter().flat_map(of).collect()
}

fn judge(data: &Data) -> Judged {
    Judged::of(steps(data, cells, &ONE_RACK), "throughput over that of the N before")
}

//! A fast link between two racks: as in one rack.
use super::c0_2::RATIO;
use super::{Claim, JOINED, Judged, gain, number_with_spread, steps, two_racks};
use crate::reproduce::cell::{Cell, DISKS, Data, Link, TWO_RACKS};
use crate::reproduce::estimate::{Place, extremes, pooled};
use crate::reproduce::verdict::{Band, tally};

const SCHEMES: [&str; 3] = ["default", "ring", "ring-priority"];

pub(super) fn claim() -> Claim {
    Claim {
        id: "C0.6",
        claim: "two racks, 1.25 GB/s between them: throughput grows with N, and the disks' ratio \
                is as in C0.2",
        document: "1.62",
        unit: "throughput at 105 MB/s / at 65 MB/s",
        rule: "the ratio of disks at an N, within 5 % of 105/65; the ratio of a step of N, above 1",
        assumes: JOINED,
        besides: "",
        needs: || two_racks(Link::Fast, &SCHEMES),
        judge,
    }
}

fn cells(n: u32) -> Vec<Cell> {
    let of = |disk| SCHEMES.map(|p| Cell::two_racks(n, disk, Link::Fast, p));
    DISKS.into_iter().flat_map(of).collect()
}

fn judge(data: &Data) -> Judged {
    let fast = two_racks(Link::Fast, &SCHEMES).into_iter().filter(|c| c.disk == 105);
    let ratios: Vec<Place> = fast
        .map(|c| Place::new(c.label(), gain(data, c, c.with_disk(65)), Band::about(RATIO)))
        .collect();
    let growth = steps(data, cells, &TWO_RACKS);
    let (least, most) = extremes(&ratios);
    let slowest = extremes(&growth).0;
    let places: Vec<Place> = ratios.iter().cloned().chain(growth.iter().cloned()).collect();
    let reason = format!(
        "the ratio of disks is {} ({}) to {} ({}); the smallest growth of a step of N is {} ({}); \
         the statement {}",
        number_with_spread(least.ours, least.spread),
        least.place,
        number_with_spread(most.ours, most.spread),
        most.place,
        number_with_spread(slowest.ours, slowest.spread),
        slowest.place,
        tally(&places),
    );
    let ours = pooled(&ratios);
    Judged::by(places, ours, reason)
}

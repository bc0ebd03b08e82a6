//! The rings' gain over a fast link.
use super::{Claim, Judged, RINGS_JOINED, gain, number_with_spread, two_racks};
use crate::reproduce::cell::{Data, Link};
use crate::reproduce::estimate::{Place, extremes, pooled};
use crate::reproduce::verdict::{Band, tally};

pub(super) fn claim() -> Claim {
    Claim {
        id: "C0.7",
        claim: "two racks, 1.25 GB/s between them: without priority about 30 % above the default, \
                with priority about equal to it",
        document: "1.30",
        unit: "throughput of ring (without priority) / of default",
        rule: "the ratio at an N, without priority within 5 % of 1.30, with priority within 5 % \
               of 1",
        assumes: RINGS_JOINED,
        besides: "",
        needs: || two_racks(Link::Fast, &["default", "ring", "ring-priority"]),
        judge,
    }
}

fn judge(data: &Data) -> Judged {
    let against = |policy: &'static str, value: f64| -> Vec<Place> {
        let rivals = two_racks(Link::Fast, &[policy]).into_iter();
        let place = |c: crate::reproduce::cell::Cell| {
            Place::new(c.label(), gain(data, c, c.under("default")), Band::about(value))
        };
        rivals.map(place).collect()
    };
    let without = against("ring", 1.30);
    let with = against("ring-priority", 1.0);
    let mut reason = String::new();
    for (name, places) in [("without", &without), ("with", &with)] {
        let (least, most) = extremes(places);
        reason += &format!(
            "{}{name} priority {} to {} times the default (the statement {})",
            if reason.is_empty() { "" } else { "; " },
            number_with_spread(least.ours, least.spread),
            number_with_spread(most.ours, most.spread),
            tally(places),
        );
    }
    let ours = pooled(&without);
    let places: Vec<Place> = without.iter().cloned().chain(with.iter().cloned()).collect();
    Judged::by(places, ours, reason)
}

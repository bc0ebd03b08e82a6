//! What priority is for: less time at the mercy of one rack.
use super::{BUSY_SOURCE, Claim, JOINED, Judged, gain, number_with_spread, two_racks};
use crate::reproduce::cell::{Data, Link};
use crate::reproduce::estimate::{self, Place, extremes, pooled};
use crate::reproduce::verdict::{Band, tally};

pub(super) fn claim() -> Claim {
    Claim {
        id: "C0.8",
        claim: "the time during which some block has all its survivors in one rack gets shorter \
                with priority, at equal or lower throughput (what priority is for; not measured \
                there)",
        document: "< 1",
        unit: "time at one rack, ring-priority / ring",
        rule: "the ratio of times at an N, below 1; the ratio of throughputs there, less than 5 % \
               above 1",
        assumes: JOINED,
        besides: BUSY_SOURCE,
        needs: || {
            let mut cells = two_racks(Link::Slow, &["ring", "ring-priority"]);
            cells.extend(two_racks(Link::Fast, &["ring", "ring-priority"]));
            cells
        },
        judge,
    }
}

fn judge(data: &Data) -> Judged {
    let mut times = Vec::new();
    let mut costs = Vec::new();
    for link in [Link::Slow, Link::Fast] {
        for cell in two_racks(link, &["ring-priority"]) {
            let rival = cell.under("ring");
            let name = format!("{}, link {}", cell.label(), link.rate());
            let time = estimate::ratio(&data[&cell].one_rack_only, &data[&rival].one_rack_only);
            times.push(Place::new(name.clone() + ", time", time, Band::below(1.0)));
            costs.push(Place::new(
                name + ", throughput",
                gain(data, cell, rival),
                Band::no_advantage(),
            ));
        }
    }
    let ((least, most), (lowest, highest)) = (extremes(&times), extremes(&costs));
    let places: Vec<Place> = times.iter().cloned().chain(costs.iter().cloned()).collect();
    let reason = format!(
        "with priority the time is {} to {} of that without, at {} to {} of the throughput; \
         the statement {}",
        number_with_spread(least.ours, least.spread),
        number_with_spread(most.ours, most.spread),
        number_with_spread(lowest.ours, lowest.spread),
        number_with_spread(highest.ours, highest.spread),
        tally(&places),
    );
    let ours = pooled(&times);
    Judged::by(places, ours, reason)
}

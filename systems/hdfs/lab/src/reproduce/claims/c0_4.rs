//! A slow link between two racks is the limit of all.
use super::{Claim, JOINED, Judged, gain, number_with_spread, two_racks};
use crate::reproduce::cell::{Cell, DISKS, Data, Link};
use crate::reproduce::estimate::{Place, extremes, pooled};
use crate::reproduce::verdict::{Band, tally};

/// Where the document's curves end [MB/s].
pub(crate) const LEVEL: f64 = 385.0;

pub(super) fn claim() -> Claim {
    Claim {
        id: "C0.4",
        claim: "two racks, 125 MB/s between them: saturates at about 385 MB/s as N grows, no clear \
                advantage of the proposal",
        document: "385",
        unit: "MB/s at the largest N",
        rule: "the default and the ring without priority (for that with it see C0.5) at 2 × 32 \
               nodes, within 5 % of 385 MB/s; the ratio of the last step of N, within 5 % of 1; \
               the ratio of each ring to the default at every N, less than 5 % above 1",
        assumes: JOINED,
        besides: "",
        needs: || two_racks(Link::Slow, &["default", "ring", "ring-priority"]),
        judge,
    }
}

fn judge(data: &Data) -> Judged {
    let largest = |policy| DISKS.map(|d| Cell::two_racks(32, d, Link::Slow, policy));
    let schemes = || ["default", "ring"].into_iter().flat_map(largest);
    let levels: Vec<Place> = schemes()
        .map(|c| Place::new(c.label(), data[&c].throughput.clone(), Band::about(LEVEL)))
        .collect();
    let last = schemes().map(|c| {
        let before = Cell { nodes_per_rack: 16, ..c };
        Place::new(format!("16 → {}", c.label()), gain(data, c, before), Band::about(1.0))
    });
    let rivals = two_racks(Link::Slow, &["ring", "ring-priority"]);
    let gains: Vec<Place> = rivals
        .into_iter()
        .map(|c| {
            let name = format!("{} over default", c.label());
            Place::new(name, gain(data, c, c.under("default")), Band::no_advantage())
        })
        .collect();
    let ours = pooled(&levels);
    let (least, most) = extremes(&levels);
    let best = extremes(&gains).1;
    let places: Vec<Place> = levels.iter().cloned().chain(last).chain(gains.clone()).collect();
    let reason = format!(
        "at 2 × 32 nodes {} to {} MB/s; a third of the blocks must cross the link, so 3 × 125 MB/s \
         is the cap; the proposal's largest ratio to the default is {} ({}); the statement {}",
        number_with_spread(least.ours, least.spread),
        number_with_spread(most.ours, most.spread),
        number_with_spread(best.ours, best.spread),
        best.place,
        tally(&places),
    );
    Judged::by(places, ours, reason)
}

//! Limits of a copy over time.
use crate::hdfs::{reasons::Holder, setup::Setup};
use engine::Nanos;
use hardware::{Kind, ResourceId};
use hdfs_trace::{Cause, ResourceId as Row};
use std::collections::BTreeMap;

/// (from, to, resource that held a copy up); `None`: the latency between racks.
pub(super) type LimitSpan = (Nanos, Nanos, Option<u32>);

/// The resource, or the setting that throttles the copy.
pub(super) fn held_cause(setup: &Setup, resource: Option<u32>) -> Cause {
    let Some(resource) = resource else { return Holder::Latency.cause() };
    match setup.resources().get(ResourceId(resource)).kind() {
        Kind::CopyLimit => Holder::Bandwidth.cause(),
        Kind::BalanceLimit => Cause::Unexplained,
        _ => Cause::Resource(Row::of(resource as usize)),
    }
}

pub(super) fn longest(setup: &Setup, parts: &[LimitSpan]) -> Cause {
    let mut total: BTreeMap<Option<u32>, u64> = BTreeMap::new();
    for (from, to, resource) in parts {
        *total.entry(*resource).or_default() += (*to - *from).0
    }
    let most = total.into_iter().max_by_key(|&(r, ns)| (ns, std::cmp::Reverse(r)));
    most.map_or(Cause::Unexplained, |(r, _)| held_cause(setup, r))
}

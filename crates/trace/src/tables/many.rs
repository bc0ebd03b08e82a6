//! Tables of events: intervals, series, counters, sums.
use super::causes;
use super::few::table;
use super::field::{Field, Table, field};
use crate::ids::*;
use crate::optional_number::OptionalNumber;
use crate::parquet_io::CellKind;
use crate::schema::*;
use units::Nanos;

table!(
    Interval, "intervals", ids: true, intervals,
    Interval::new(IntervalKind::of(0), Nanos::ZERO, Nanos::ZERO),
    [
    field!(kind),
    field!(subject).sorted(),
    field!(parent).sorted(),
    field!(node),
    field!(peer),
    field!(resource),
    field!(peer_resource),
    field!("start_ns", start).sorted(),
    field!("end_ns", end).sorted(),
    field!("queued_ns", queued unless Nanos::ZERO),
    field!(amount),
    field!(need),
    Field::made("cause_kind", CellKind::Text, causes::kind, causes::set_kind),
    Field::made("cause", CellKind::Int, causes::place, causes::set_place),
    Field::made("cause_name", CellKind::Text, causes::name, |_, _, _| Ok(())),
    field!(outcome),
    field!("tries", tries unless 0),
    field!("weight", weight unless 1.0),
    field!("doubt_ns", doubt unless Nanos::ZERO),
    field!(evidence),
]);

table!(
    Depend, "depends", ids: false, depends,
    Depend { interval: IntervalId::of(0), on: IntervalId::of(0) },
    [
    field!(interval).sorted(),
    field!(on).sorted(),
]);

table!(
    CapacityChange, "capacities", ids: false, capacities,
    CapacityChange { resource: ResourceId::of(0), at: Nanos::ZERO, capacity: 0 },
    [
    field!(resource),
    field!("at_ns", at).sorted(),
    field!(capacity),
]);

table!(
    Sample, "series", ids: false, series,
    Sample {
        resource: ResourceId::of(0), at: Nanos::ZERO, used: OptionalNumber::NONE,
        busy: OptionalNumber::NONE, queue: OptionalNumber::NONE,
    },
    [
    field!(resource),
    field!("at_ns", at).sorted(),
    field!(used),
    field!(busy),
    field!(queue),
]);

table!(
    Count, "counters", ids: false, counters,
    Count { counter: CounterId::of(0), at: Nanos::ZERO, value: None },
    [
    field!(counter),
    field!("at_ns", at).sorted(),
    field!(value),
]);

table!(
    Sum, "sums", ids: false, sums,
    Sum {
        at: Nanos::ZERO, operation: IntervalKind::of(0), kind: IntervalKind::of(0),
        charged: ChargeTarget::Unexplained, times: 0, total: 0,
    },
    [
    field!("at_ns", at).sorted(),
    field!(operation),
    field!(kind),
    Field::made("cause_kind", CellKind::Text, causes::charged_kind, causes::set_charged_kind),
    Field::made("cause", CellKind::Int, causes::charged_place, causes::set_charged_place),
    Field::made("cause_of", CellKind::Text, causes::charged_of, causes::set_charged_of),
    field!(times),
    field!("total_ns", total),
]);

table!(
    Histogram, "histograms", ids: false, histograms,
    Histogram {
        at: Nanos::ZERO, operation: IntervalKind::of(0), node: None, bucket: 0, times: 0,
    },
    [
    field!("at_ns", at).sorted(),
    field!(operation),
    field!(node),
    field!(bucket),
    field!(times),
]);

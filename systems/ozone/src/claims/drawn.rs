//! Draws what the paper leaves open at random, to get the range of its figures.
use super::cases::{BASE, KeyValues, MULTI, PRODUCTION, SINGLE, SMALL, cases};
use crate::policy::Dice;
use page::{Axis, Body, Column, Kind, Origin, Point, Points, Role, Row as Line, Scatter, Section};
use page::{Cell, Table};
use system::claims::{Run, Runs, Value};

pub const DRAWS: u64 = 60;
/// The largest of [`LOADS`] \[objects/s\].
pub const LARGEST: u32 = LOADS[LOADS.len() - 1];
/// Offered loads \[objects/s\]; the OM's maximum is 1 000.
pub const LOADS: [u32; 7] = [50, 100, 200, 400, 600, 800, 900];
/// Objects of each load, as in Li Cheng 2020.
const OBJECTS: &str = "60000";
const SEEDS: u32 = 3;

/// One seed, since each draw is another cluster.
fn cluster(way: KeyValues) -> Run {
    Run::of(BASE, way).seeds(1)
}

/// Mixed sizes in production; draws load, bursts, flush times, sizes and OM time.
pub fn mixed(draw: u64, way: KeyValues) -> Run {
    let dice = &mut Dice(draw);
    let rate = log_uniform(dice, 0.5, 300.0);
    let largest = ["100kB", "1MB", "10MB", "64MB"][pick(dice, 4)];
    hardware(dice, cluster(way)).with(&[
        ("cluster.nodes", PRODUCTION),
        ("workload.rate", &format!("{rate:.2}")),
        ("workload.burst", ["1", "5", "20"][pick(dice, 3)]),
        ("workload.object_bytes", "1kB"),
        ("workload.largest_bytes", largest),
        ("workload.objects", "1500"),
    ])
}

/// 100 kB objects in a closed loop; draws writers, flush times and OM time.
pub fn small(draw: u64, way: KeyValues) -> Run {
    let dice = &mut Dice(draw);
    let clients = ["1", "8", "64", "256", "1024"][pick(dice, 5)];
    hardware(dice, cluster(way)).with(&[("workload.clients", clients)]).with(SMALL)
}

fn hardware(dice: &mut Dice, run: Run) -> Run {
    let flush = log_uniform(dice, 5.0, 150.0);
    run.with(&[
        ("hardware.flush_time", &format!("{flush:.1}ms")),
        ("hardware.flush_shape", ["uniform", "exponential"][pick(dice, 2)]),
        ("om.time", ["0.05ms", "0.2ms", "0.5ms", "1ms"][pick(dice, 4)]),
    ])
}

/// A metric by draw.
pub fn metric_by_draw(
    draws: fn(u64, KeyValues) -> Run,
    way: KeyValues,
    metric: &'static str,
) -> Value {
    Value::by(move |runs| {
        let of = |draw| draws(draw, way).metric(metric).of(runs);
        (1..=DRAWS).flat_map(of).collect()
    })
}

/// All objects of an offered load, to the end: clients retry for as long as it takes.
fn load(rate: u32, way: KeyValues) -> Run {
    let sets = [
        ("workload.rate", rate.to_string()),
        ("workload.objects", OBJECTS.to_string()),
        ("workload.limit", "100h".to_string()),
    ];
    let sets = sets.each_ref().map(|(key, value)| (*key, value.as_str()));
    Run::of(BASE, way).with(&sets).seeds(SEEDS)
}

/// Share of the objects that a client of S3 gives up: written later than its timeout, or never.
pub fn given_up(rate: u32, way: KeyValues) -> Value {
    load(rate, way).metric("share_given_up")
}

/// Rate at which an offered load is written \[objects/s\].
pub fn written(rate: u32, way: KeyValues) -> Value {
    load(rate, way).metric("writes_per_s")
}

pub fn figures(runs: &Runs<'_>) -> Vec<Section> {
    vec![shape(runs), third(runs), kept_up(runs), table(runs)]
}

fn pairs(x: Vec<f64>, y: Vec<f64>) -> Vec<(f64, f64)> {
    x.into_iter().zip(y).collect()
}

/// Fractions of writes below 0.2 s and in 2–3 s.
fn shape(runs: &Runs<'_>) -> Section {
    let points = |way| {
        let of = |metric| metric_by_draw(mixed, way, metric).of(runs);
        pairs(of("share_below_200ms"), of("share_2_to_3s"))
    };
    let [single, multi] = [SINGLE, MULTI].map(points);
    let top = single.iter().chain(&multi).fold(0.25, |top: f64, (_, late)| top.max(*late)) * 1.05;
    let x = Axis::linear("writes below 0.2 s", "%", 0.0, 1.0);
    let y = Axis::linear("writes in 2–3 s", "%", 0.0, top);
    let series = vec![
        ours("single-Raft", Kind::Disk, single),
        ours("multi-Raft", Kind::Network, multi),
        document(vec![(0.68, 0.2, "single-Raft"), (0.98, 0.0, "multi-Raft")]),
    ];
    section("latency", "Mixed sizes: latency of writes", x, y, series, false)
}

/// Latency of a 100 kB object with single-Raft, and the ratio of multi-Raft to it.
fn third(runs: &Runs<'_>) -> Section {
    let [single, multi] =
        [SINGLE, MULTI].map(|way| metric_by_draw(small, way, "latency_ms_mean").of(runs));
    let both = single.into_iter().zip(multi);
    let points: Vec<(f64, f64)> = both.map(|(s, multi)| (s / 1e3, multi / s)).collect();
    let most = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).fold(1.1, f64::max);
    let x = Axis::linear("single-Raft, an object", "s", 0.0, most(&|p| p.0) * 1.05);
    let y = Axis::linear("multi-Raft over single-Raft", "", 0.0, most(&|p| p.1) * 1.05);
    let series =
        vec![ours("drawn", Kind::Disk, points), document(vec![(1.02, 1.0 / 3.0, "100 KB")])];
    section("third", "100 kB: latency of multi-Raft over single-Raft", x, y, series, false)
}

/// Written load over offered load.
fn kept_up(runs: &Runs<'_>) -> Section {
    let most = f64::from(LOADS[LOADS.len() - 1]) * 1.05;
    let line = |name, kind, way: KeyValues| {
        let point = |rate| (f64::from(rate), written(rate, way).stat(runs).mean);
        Points { joined: true, ..ours(name, kind, LOADS.map(point).to_vec()) }
    };
    let x = Axis::linear("offered", "1/s", 0.0, most);
    let y = Axis::linear("written", "1/s", 0.0, most);
    let series =
        vec![line("single-Raft", Kind::Disk, SINGLE), line("multi-Raft", Kind::Network, MULTI)];
    section("loads", "Loads beyond single-Raft", x, y, series, true)
}

fn table(runs: &Runs<'_>) -> Section {
    let columns = vec![
        Column::words("case"),
        Column::numbers("writes", "1/s", 0),
        Column::numbers("below 0.2 s", "%", 1),
        Column::numbers("2–3 s", "%", 1),
        Column::numbers("median", "ms", 1),
        Column::numbers("mean", "ms", 1),
        Column::numbers("disks used", "", 0),
        Column::numbers("disk use, CV", "", 2),
        Column::numbers("finished", "%", 0),
    ];
    let row = |(name, run): (&str, Run)| {
        let number = |metric| run.metric(metric).cell(runs);
        let percent = |metric| run.metric(metric).named("").percent().cell(runs);
        let cells = vec![
            Cell::text(name),
            number("writes_per_s"),
            percent("share_below_200ms"),
            percent("share_2_to_3s"),
            number("latency_ms_p50"),
            number("latency_ms_mean"),
            number("disks_used"),
            number("disk_busy_cv"),
            percent("finished"),
        ];
        Line::of(Role::Other, cells)
    };
    let rows = cases().into_iter().map(row).collect();
    Section::new("cases", "The clusters of Li Cheng 2020", "", Body::Table(Table { columns, rows }))
}

fn pick(dice: &mut Dice, n: u64) -> usize {
    units::usize_of(dice.below(n))
}

fn log_uniform(dice: &mut Dice, from: f64, to: f64) -> f64 {
    let part = dice.below(1_000_000) as f64 / 1e6;
    from * libm::exp(part * libm::log(to / from))
}

fn ours(name: &str, kind: Kind, points: Vec<(f64, f64)>) -> Points {
    let point = |(x, y)| Point { x, y, ..Point::default() };
    let points = points.into_iter().map(point).collect();
    Points { name: name.into(), origin: Origin::Ours, kind: Some(kind), joined: false, points }
}

fn document(points: Vec<(f64, f64, &str)>) -> Points {
    let point =
        |(x, y, name): (f64, f64, &str)| Point { x, y, name: name.into(), ..Point::default() };
    let points = points.into_iter().map(point).collect();
    let name = "document".to_string();
    Points { name, origin: Origin::Document, kind: None, joined: false, points }
}

fn section(
    id: &str,
    title: &str,
    x: Axis,
    y: Axis,
    series: Vec<Points>,
    diagonal: bool,
) -> Section {
    let qualifier = match diagonal {
        true => "60 000 objects of 100 kB, to the end; on the diagonal all is written as offered",
        false => "each point a cluster: load, flushes, sizes and OM drawn at random",
    };
    Section::new(id, title, qualifier, Body::Scatter(Scatter { x, y, series, diagonal }))
}

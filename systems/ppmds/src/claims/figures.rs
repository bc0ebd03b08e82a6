//! Figures 5 to 8 with ours; the document's points where its text gives them.
use super::c4_1::{CLIENTS, SERVERS};
use super::c4_2::{self, MANY};
use super::c4_3::{LATENCIES, STARTUPS, by_latency, by_startup};
use super::c4_6::REAL;
use super::grid::{Grid, Sets, at};
use page::{Axis, Body, Origin, Point, Points, Scatter, Section};

pub fn all(grid: &Grid, long: &Grid) -> Vec<Section> {
    let few = |servers: u32| -> Points {
        let of = |c: u32| (f64::from(c), at(servers, c, &[]));
        line(grid, format!("{servers} servers"), CLIENTS.into_iter().map(of))
    };
    let by_servers = || -> Vec<Points> { SERVERS.into_iter().map(few).collect() };
    let by = |names: [&str; 5], what: &str, of: &dyn Fn(&str, u32) -> Sets| -> Vec<Points> {
        let line = |name: &str| {
            let points = CLIENTS.into_iter().map(|c| (f64::from(c), of(name, c)));
            line(grid, format!("{what} {name}"), points)
        };
        names.into_iter().map(line).collect()
    };
    let mut five = by_servers();
    let real = REAL.map(|(servers, rate)| Point {
        x: 88.0,
        y: rate,
        name: format!("real service, {servers} servers"),
        ..Point::default()
    });
    let name = "real service (Hiraga, Tatebe 2012)".to_string();
    let points = real.to_vec();
    five.push(Points { name, origin: Origin::Document, kind: None, joined: false, points });
    let mut six = by_servers();
    for (points, servers) in six.iter_mut().zip(SERVERS) {
        let of = |each: u32| (f64::from(servers * each), c4_2::long(servers, servers * each));
        points.points.extend(line(long, String::new(), MANY.into_iter().map(of)).points);
        points.points.sort_by(|a, b| a.x.total_cmp(&b.x))
    }
    let seven = by(STARTUPS, "start-up", &by_startup);
    let mut eight = by(LATENCIES, "store", &by_latency);
    let ceiling = CLIENTS.map(|c| (f64::from(c), 60_000.0));
    eight.push(Points::line("the document's ceiling", Origin::Document, ceiling));
    vec![
        section("figure-5", "Figure 5: creates in one directory", 88, five),
        section("figure-6", "Figure 6: more clients", 1_232, six),
        section("figure-7", "Figure 7: by the start-up, 2 servers", 88, seven),
        section("figure-8", "Figure 8: by the store's latency, 2 servers", 88, eight),
    ]
}

fn line(grid: &Grid, name: String, sets: impl Iterator<Item = (f64, Sets)>) -> Points {
    let point = |(x, sets): (f64, Sets)| {
        let rate = grid.rate(&sets);
        let (low, high) = (Some(rate.mean - rate.ci95), Some(rate.mean + rate.ci95));
        Point { x, y: rate.mean, low, high, name: String::new() }
    };
    Points {
        name,
        origin: Origin::Ours,
        kind: None,
        joined: true,
        points: sets.map(point).collect(),
    }
}

fn section(id: &str, title: &str, clients: u32, series: Vec<Points>) -> Section {
    let top = series.iter().flat_map(|s| &s.points).map(|p| p.y).fold(0.0, f64::max);
    let x = Axis::linear("clients", "", 0.0, clients.into());
    let y = Axis::linear("creates", "1/s", 0.0, top * 1.05);
    let body = Body::Scatter(Scatter { x, y, series, diagonal: false });
    Section::new(
        id,
        title,
        "95 % intervals over seeds; the document's points where its text gives them",
        body,
    )
}

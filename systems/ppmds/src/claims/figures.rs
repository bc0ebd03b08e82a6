//! Figures 5 to 8: ours, and the paper's points where its text gives them. Then up to 128 servers
//! and 65 536 clients, which the paper does not have.
use super::table::{
    CLIENTS, LATENCIES, MANY, REAL, SEEDS, SERVERS, STARTUPS, at, by_latency, by_startup, long,
    rate,
};
use page::{Axis, Body, Origin, Point, Points, Scatter, Section};
use system::claims::{Runs, Value};

pub fn all(runs: &Runs<'_>) -> Vec<Section> {
    let by = |name: String, of: &dyn Fn(u32) -> Value| {
        runs.line(name, CLIENTS.map(|clients| (clients.into(), of(clients))))
    };
    let by_servers =
        |servers: u32| by(format!("{servers} servers"), &|clients| rate(servers, clients, &[]));
    let real = REAL.map(|(servers, rate)| Point {
        x: 88.0,
        y: rate,
        name: format!("real service, {servers} servers"),
        ..Point::default()
    });
    let mut five = SERVERS.map(by_servers).to_vec();
    five.push(Points {
        points: real.to_vec(),
        joined: false,
        ..Points::line("real service (Hiraga, Tatebe 2012)", Origin::Document, [])
    });
    let more = |servers: u32| {
        let many = MANY.map(|each| servers * each);
        let many = runs.line("", many.map(|clients| (clients.into(), long(servers, clients))));
        let mut line = by_servers(servers);
        line.points.extend(many.points);
        line.points.sort_by(|a, b| a.x.total_cmp(&b.x));
        line
    };
    let six = SERVERS.map(more).to_vec();
    let seven = STARTUPS.map(|s| by(format!("start-up {s}"), &|clients| by_startup(s, clients)));
    let store = |latency| by(format!("store {latency}"), &|clients| by_latency(latency, clients));
    let mut eight = LATENCIES.map(store).to_vec();
    let ceiling = CLIENTS.map(|clients| (clients.into(), 60_000.0));
    eight.push(Points::line("ceiling of Kirii 2015", Origin::Document, ceiling));
    vec![
        section("figure-5", "Figure 5: creates in one directory", 88, five),
        section("figure-6", "Figure 6: more clients", 1_232, six),
        section("figure-7", "Figure 7: by the start-up, 2 servers", 88, seven.to_vec()),
        section("figure-8", "Figure 8: by the store's latency, 2 servers", 88, eight),
        beyond(runs),
    ]
}

fn section(id: &str, title: &str, clients: u32, series: Vec<Points>) -> Section {
    let top = series.iter().flat_map(|s| &s.points).map(|p| p.y).fold(0.0, f64::max);
    let x = Axis::linear("clients", "", 0.0, clients.into());
    let y = Axis::linear("creates", "1/s", 0.0, top * 1.05);
    let body = Body::Scatter(Scatter { x, y, series, diagonal: false });
    Section::new(id, title, "95 % intervals over seeds; points of Kirii 2015 from its text", body)
}

/// Creates/s of one server: 1 / (start-up + transmission).
const CEILING: f64 = 30_872.0;

/// 32 to 512 clients per server (the knee is at 22). Few creates each, so that the largest run
/// takes seconds.
fn beyond(runs: &Runs<'_>) -> Section {
    let servers = [16, 32, 64, 128];
    let line = |each: u32| {
        let creates = [("workload.creates_per_client", "50")];
        let rate = |n: u32| (n.into(), at(n, n * each, &creates).seeds(SEEDS).value());
        runs.line(format!("{each} clients a server"), servers.map(rate))
    };
    let mut series = [32, 128, 512].map(line).to_vec();
    let ceiling = [16.0, 128.0].map(|servers| (servers, servers * CEILING));
    let name = "servers / (start-up + transmission)";
    series.push(Points::line(name, Origin::Document, ceiling));
    let x = Axis::linear("servers", "", 0.0, 128.0);
    let y = Axis::linear("creates", "1/s", 0.0, 128.0 * CEILING * 1.05);
    Section::new(
        "beyond",
        "Beyond Kirii 2015: up to 128 servers, 65 536 clients",
        "One directory. All clients first fetch its inode from one server, 32.4 us each: with 512 \
         clients a server this is 2.1 s of the 128 servers' run, and the main reason for the gap \
         below the line",
        Body::Scatter(Scatter { x, y, series, diagonal: false }),
    )
}

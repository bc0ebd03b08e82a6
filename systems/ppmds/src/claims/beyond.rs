//! Beyond the document: up to 128 servers and 65 536 clients.
use super::grid::{Grid, Sets, at};
use page::{Axis, Body, Origin, Point, Points, Scatter, Section};
use system::Failure;
use system::claims::Asked;

const SERVERS: [u32; 4] = [16, 32, 64, 128];
/// Clients for each server: the knee is at 22.
const CLIENTS: [u32; 3] = [32, 128, 512];
/// Of each client: so many that the largest takes seconds.
const CREATES: &str = "50";
/// Seeds at most: they differ by less than 1 %.
const SEEDS: u32 = 3;
/// Servers / (start-up + transmission).
const CEILING: f64 = 30_872.0;

fn point(servers: u32, each: u32) -> Sets {
    at(servers, servers * each, &[("workload.creates_per_client", CREATES)])
}

pub fn figure(asked: &Asked<'_>) -> Result<Section, Failure> {
    let mut grid = Grid::new(asked.sets);
    for servers in SERVERS {
        CLIENTS.iter().for_each(|each| grid.ask(point(servers, *each)))
    }
    grid.run(&Asked { seeds: asked.seeds.min(SEEDS), ..*asked })?;
    let line = |each: u32| {
        let point = |servers: u32| {
            let rate = grid.rate(&point(servers, each));
            let (low, high) = (Some(rate.mean - rate.ci95), Some(rate.mean + rate.ci95));
            Point { x: servers.into(), y: rate.mean, low, high, name: String::new() }
        };
        Points {
            name: format!("{each} clients a server"),
            origin: Origin::Ours,
            kind: None,
            joined: true,
            points: SERVERS.map(point).to_vec(),
        }
    };
    let mut series: Vec<Points> = CLIENTS.into_iter().map(line).collect();
    let ceiling = |servers: u32| (f64::from(servers), f64::from(servers) * CEILING);
    series.push(Points::line(
        "servers / (start-up + transmission)",
        Origin::Document,
        [ceiling(SERVERS[0]), ceiling(SERVERS[3])],
    ));
    let x = Axis::linear("servers", "", 0.0, 128.0);
    let y = Axis::linear("creates", "1/s", 0.0, 128.0 * CEILING * 1.05);
    Ok(Section::new(
        "beyond",
        "Beyond the document: up to 128 servers, 65 536 clients",
        "One directory. All clients begin by fetching its inode from one server, 32.4 us each: \
         with 512 clients a server that is 2.1 s of the 128 servers' run, and most of what keeps \
         it below the line",
        Body::Scatter(Scatter { x, y, series, diagonal: false }),
    ))
}

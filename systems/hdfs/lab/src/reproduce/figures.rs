//! The document's figures, redrawn: throughput over N, a picture for each disk.
use super::cell::{Cell, DISKS, Data, Link, ONE_RACK, TWO_RACKS};
use super::claims::LEVEL;
use hdfs_reading::Stat;
use page::{Axis, Body, Origin, Point, Points, Scatter, Section, Width};

struct Plan {
    id: &'static str,
    title: &'static str,
    legend: &'static str,
    sizes: &'static [u32],
    policies: &'static [&'static str],
    cell: fn(u32, u32, &'static str) -> Cell,
    says: Says,
}

#[derive(Clone, Copy)]
enum Says {
    /// The proposal stands so far above the default, as a factor: a band.
    Above(f64, f64),
    /// All curves end here [MB/s].
    EndsAt(f64),
}

const RINGS: [&str; 3] = ["default", "ring", "ring-priority"];

const PLANS: [Plan; 3] = [
    Plan {
        id: "one-rack",
        title: "One rack",
        legend: "the ring 20–25 % above the default",
        sizes: &ONE_RACK,
        policies: &["default", "ring"],
        cell: Cell::one_rack,
        says: Says::Above(1.20, 1.25),
    },
    Plan {
        id: "slow-link",
        title: "Two racks, 125 MB/s between them",
        legend: "all end at about 385 MB/s",
        sizes: &TWO_RACKS,
        policies: &RINGS,
        cell: |n, disk, policy| Cell::two_racks(n, disk, Link::Slow, policy),
        says: Says::EndsAt(LEVEL),
    },
    Plan {
        id: "fast-link",
        title: "Two racks, 1.25 GB/s between them",
        legend: "the ring without priority 30 % above the default",
        sizes: &TWO_RACKS,
        policies: &RINGS,
        cell: |n, disk, policy| Cell::two_racks(n, disk, Link::Fast, policy),
        says: Says::Above(1.30, 1.30),
    },
];

/// All of them, from cells that the claims have had run.
pub fn all(data: &Data) -> Vec<Section> {
    PLANS.iter().flat_map(|plan| DISKS.map(|disk| plan.section(data, disk))).collect()
}

impl Plan {
    fn section(&self, data: &Data, disk: u32) -> Section {
        let ours = self.policies.iter().map(|policy| self.ours(data, disk, policy));
        let mut series: Vec<Points> = ours.collect();
        series.extend(self.document(data, disk));
        let (id, title) = (format!("{}-{disk}", self.id), self.title);
        let last = f64::from(*self.sizes.last().expect("several"));
        let nodes = if self.sizes == ONE_RACK { "nodes" } else { "nodes in each rack" };
        let x = Axis::linear(nodes, "", 0.0, last * 1.1);
        let y = Axis::linear("throughput", "MB/s", 0.0, self.top(data) * 1.08);
        let body = Body::Scatter(Scatter { x, y, series, diagonal: false });
        let title = format!("{title}, disk {disk} MB/s");
        let legend = format!("mean over seeds, 95 % intervals; the document: {}", self.legend);
        Section::new(&id, &title, legend, body).width(Width::Half)
    }

    fn throughput(&self, data: &Data, disk: u32, policy: &'static str, n: u32) -> Stat {
        hdfs_reading::stat(&data[&(self.cell)(n, disk, policy)].throughput)
    }

    fn ours(&self, data: &Data, disk: u32, policy: &'static str) -> Points {
        let point = |&n: &u32| {
            let Stat { mean, ci95, .. } = self.throughput(data, disk, policy, n);
            let (low, high) = (Some(mean - ci95), Some(mean + ci95));
            Point { x: n.into(), y: mean, low, high, name: String::new() }
        };
        let points = self.sizes.iter().map(point).collect();
        Points { name: policy.into(), origin: Origin::Ours, kind: None, joined: true, points }
    }

    /// Where the document's curves would stand beside ours.
    fn document(&self, data: &Data, disk: u32) -> Vec<Points> {
        let line = |name: &str, value: &dyn Fn(u32) -> f64| {
            let points = self.sizes.iter().map(|&n| (f64::from(n), value(n)));
            Points::line(name, Origin::Document, points)
        };
        let default = |n| self.throughput(data, disk, "default", n).mean;
        match self.says {
            Says::EndsAt(level) => vec![line("document: level", &|_| level)],
            Says::Above(low, high) if low == high => {
                vec![line("document: ring", &|n| default(n) * low)]
            }
            Says::Above(low, high) => vec![
                line("document: ring at least", &|n| default(n) * low),
                line("document: ring at most", &|n| default(n) * high),
            ],
        }
    }

    /// The highest point of both disks, so that their pictures can be compared.
    fn top(&self, data: &Data) -> f64 {
        let of = |disk: u32| {
            let ours = self.policies.iter().map(move |policy| self.ours(data, disk, policy));
            ours.chain(self.document(data, disk)).flat_map(|series| series.points)
        };
        DISKS
            .into_iter()
            .flat_map(of)
            .map(|point| point.high.unwrap_or(point.y))
            .fold(0.0, f64::max)
    }
}

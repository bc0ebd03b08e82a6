//! The figures of Higai et al. 2014 redrawn: throughput over N, a chart for each disk.
use super::cell::{Cell, DISKS, FAST, Link, ONE_RACK, SLOW, TWO_RACKS};
use super::table::LEVEL;
use page::{Axis, Body, Origin, Points, Scatter, Section, Width};
use system::claims::{Runs, Value};

struct Plan {
    id: &'static str,
    title: &'static str,
    legend: &'static str,
    sizes: &'static [u32],
    policies: &'static [&'static str],
    link: Option<Link>,
    says: PaperResult,
}

#[derive(Clone, Copy)]
enum PaperResult {
    /// The proposal is this factor above the default: a band.
    Above(f64, f64),
    /// All curves end here \[MB/s\].
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
        link: None,
        says: PaperResult::Above(1.20, 1.25),
    },
    Plan {
        id: "slow-link",
        title: "Two racks, 125 MB/s between them",
        legend: "all end at about 385 MB/s",
        sizes: &TWO_RACKS,
        policies: &RINGS,
        link: Some(SLOW),
        says: PaperResult::EndsAt(LEVEL),
    },
    Plan {
        id: "fast-link",
        title: "Two racks, 1.25 GB/s between them",
        legend: "the ring without priority 30 % above the default",
        sizes: &TWO_RACKS,
        policies: &RINGS,
        link: Some(FAST),
        says: PaperResult::Above(1.30, 1.30),
    },
];

pub fn all(runs: &Runs<'_>) -> Vec<Section> {
    PLANS.iter().flat_map(|plan| DISKS.map(|disk| plan.section(runs, disk))).collect()
}

impl Plan {
    fn section(&self, runs: &Runs<'_>, disk: u32) -> Section {
        let ours = self.policies.iter().map(|policy| self.ours(runs, disk, policy));
        let mut series: Vec<Points> = ours.collect();
        series.extend(self.document(runs, disk));
        let (id, title) = (format!("{}-{disk}", self.id), self.title);
        let last = f64::from(*self.sizes.last().expect("several"));
        let nodes = if self.sizes == ONE_RACK { "nodes" } else { "nodes in each rack" };
        let x = Axis::linear(nodes, "", 0.0, last * 1.1);
        let y = Axis::linear("throughput", "MB/s", 0.0, self.top(runs) * 1.08);
        let body = Body::Scatter(Scatter { x, y, series, diagonal: false });
        let title = format!("{title}, disk {disk} MB/s");
        let legend = format!("mean over seeds, 95 % intervals; paper: {}", self.legend);
        Section::new(&id, &title, legend, body).width(Width::Half)
    }

    fn throughput(&self, disk: u32, policy: &'static str, nodes: u32) -> Value {
        Cell { nodes, disk, link: self.link, policy }.throughput()
    }

    fn ours(&self, runs: &Runs<'_>, disk: u32, policy: &'static str) -> Points {
        let point = |n: &u32| (f64::from(*n), self.throughput(disk, policy, *n));
        runs.line(policy, self.sizes.iter().map(point))
    }

    /// The paper's curves relative to Tenbin's.
    fn document(&self, runs: &Runs<'_>, disk: u32) -> Vec<Points> {
        let line = |name: &str, value: &dyn Fn(u32) -> f64| {
            let points = self.sizes.iter().map(|&n| (f64::from(n), value(n)));
            Points::line(name, Origin::Document, points)
        };
        let default = |n| self.throughput(disk, "default", n).stat(runs).mean;
        match self.says {
            PaperResult::EndsAt(level) => vec![line("paper: level", &|_| level)],
            PaperResult::Above(low, high) if low == high => {
                vec![line("paper: ring", &|n| default(n) * low)]
            }
            PaperResult::Above(low, high) => vec![
                line("paper: ring at least", &|n| default(n) * low),
                line("paper: ring at most", &|n| default(n) * high),
            ],
        }
    }

    /// Highest point over both disks, so that their charts have one scale.
    fn top(&self, runs: &Runs<'_>) -> f64 {
        let of = |disk: u32| {
            let ours = self.policies.iter().map(move |policy| self.ours(runs, disk, policy));
            ours.chain(self.document(runs, disk)).flat_map(|series| series.points)
        };
        DISKS
            .into_iter()
            .flat_map(of)
            .map(|point| point.high.unwrap_or(point.y))
            .fold(0.0, f64::max)
    }
}

//! The document's figures, redrawn: throughput over N, a chart for each disk.
use super::cell::{Cell, DISKS, Data, Link, ONE_RACK, TWO_RACKS};
use super::claims::LEVEL;
use super::svg::{Chart, Curve, Dot, Mark};

/// One figure: a chart a disk, over the same axes.
pub struct Figure {
    /// "One rack".
    pub title: &'static str,
    /// What the document's marks mean here.
    pub legend: &'static str,
    /// One for each of `DISKS`.
    pub charts: Vec<Chart>,
}

/// What a figure is made of.
struct Plan {
    title: &'static str,
    legend: &'static str,
    sizes: &'static [u32],
    policies: &'static [&'static str],
    cell: fn(u32, u32, &'static str) -> Cell,
    says: Says,
}

/// What the document says of it.
#[derive(Clone, Copy)]
enum Says {
    /// The proposal stands so far above the default, as a factor.
    Above(f64, f64),
    /// All curves end here [MB/s].
    EndsAt(f64),
}

const RINGS: [&str; 3] = ["default", "ring", "ring-priority"];

const PLANS: [Plan; 3] = [
    Plan {
        title: "One rack",
        legend: "the ring 20–25 % above the default",
        sizes: &ONE_RACK,
        policies: &["default", "ring"],
        cell: Cell::one_rack,
        says: Says::Above(1.20, 1.25),
    },
    Plan {
        title: "Two racks, 125 MB/s between them",
        legend: "all end at about 385 MB/s",
        sizes: &TWO_RACKS,
        policies: &RINGS,
        cell: |n, disk, policy| Cell::two_racks(n, disk, Link::Slow, policy),
        says: Says::EndsAt(LEVEL),
    },
    Plan {
        title: "Two racks, 1.25 GB/s between them",
        legend: "the ring without priority 30 % above the default",
        sizes: &TWO_RACKS,
        policies: &RINGS,
        cell: |n, disk, policy| Cell::two_racks(n, disk, Link::Fast, policy),
        says: Says::Above(1.30, 1.30),
    },
];

/// All of them, from cells that the claims have had run.
pub fn all(data: &Data) -> Vec<Figure> {
    PLANS.iter().map(|plan| plan.figure(data)).collect()
}

impl Plan {
    fn figure(&self, data: &Data) -> Figure {
        let mut charts: Vec<Chart> = DISKS.iter().map(|&disk| self.chart(data, disk)).collect();
        let tops = charts.iter().map(|c| c.top);
        let top = tops.fold(0.0, f64::max);
        charts.iter_mut().for_each(|c| c.top = top);
        Figure { title: self.title, legend: self.legend, charts }
    }

    fn chart(&self, data: &Data, disk: u32) -> Chart {
        let strokes = ["solid", "dashed", "dotted"];
        let curves: Vec<Curve> = self
            .policies
            .iter()
            .zip(strokes)
            .map(|(policy, stroke)| Curve {
                name: policy,
                stroke,
                dots: self.dots(data, disk, policy),
            })
            .collect();
        let marks = self.marks(&curves[0].dots);
        let highest = curves.iter().flat_map(|c| &c.dots).map(|d| d.y + d.spread);
        let marked = marks.iter().map(|m| match m {
            Mark::Level { y, .. } => *y,
            Mark::Range { high, .. } => *high,
        });
        let top = highest.chain(marked).fold(0.0, f64::max) * 1.08;
        Chart {
            title: format!("{}, disk {disk} MB/s", self.title),
            sizes: self.sizes.to_vec(),
            top,
            curves,
            marks,
        }
    }

    fn dots(&self, data: &Data, disk: u32, policy: &'static str) -> Vec<Dot> {
        let dot = |&n: &u32| {
            let stat = reading::stat(&data[&(self.cell)(n, disk, policy)].throughput);
            Dot { n, y: stat.mean, spread: stat.ci95 }
        };
        self.sizes.iter().map(dot).collect()
    }

    fn marks(&self, default: &[Dot]) -> Vec<Mark> {
        match self.says {
            Says::EndsAt(y) => vec![Mark::Level { y, text: format!("document: {y}") }],
            Says::Above(low, high) => default
                .iter()
                .map(|d| Mark::Range { n: d.n, low: d.y * low, high: d.y * high })
                .collect(),
        }
    }
}

//! C1.10: what thresholds do.
use super::c1_5::{DISK, by_disk};
use super::runs::{Grid, Point, Site, at};
use analysis::{Stat, stat};
use page::words::num;
use system::claims::{Band, Claim, Verdict};

/// Thresholds of the document's sweeps on Lab.
pub const RECEIVE: [&str; 4] = ["80Mbit/s", "320Mbit/s", "480Mbit/s", "640Mbit/s"];
pub const POTENTIAL: [&str; 4] = ["100MB", "150MB", "200MB", "250MB"];

pub fn by_receive(threshold: &str) -> Point {
    at(Site::Lab, "fair+receive-rate", &[("policy.receive_rate_threshold", threshold)])
}

pub fn by_potential(threshold: &str) -> Point {
    let set = [("policy.potential_reception_threshold", threshold)];
    at(Site::Lab, "fair+potential-reception", &set)
}

/// Runs that are needed.
pub fn ask(grid: &mut Grid) {
    RECEIVE.iter().for_each(|threshold| grid.ask(by_receive(threshold)));
    POTENTIAL.iter().for_each(|threshold| grid.ask(by_potential(threshold)))
}

/// From the best to the worst of a sweep, in parts of the best.
fn range(grid: &Grid, points: [Point; 4]) -> Stat {
    let best = |a: f64, b: f64| a.min(b);
    let means: Vec<f64> = points.iter().map(|p| grid.mean(p, "job_s_mean").mean).collect();
    let least = means.iter().copied().fold(f64::INFINITY, best);
    let most = means.iter().copied().fold(0.0, f64::max);
    let noise = points.iter().map(|p| grid.mean(p, "job_s_mean").ci95).fold(0.0, f64::max);
    Stat { ci95: noise / least, ..stat(&[most / least - 1.0]) }
}

/// The verdict.
pub fn judge(grid: &Grid) -> Vec<Claim> {
    let receive = range(grid, RECEIVE.map(by_receive));
    let potential = range(grid, POTENTIAL.map(by_potential));
    let disk = range(grid, DISK.map(by_disk));
    let band = Band::new(0.05, 0.10);
    let said =
        |stat: &Stat| format!("{} ± {} %", num(100.0 * stat.mean, 1), num(100.0 * stat.ci95, 1));
    vec![Claim {
        id: "C1.10",
        claim: "Lab: thresholds move the mean job time by 5 to 10 %",
        document: "receive 436 to 475 s, potential 454 to 486 s, disk 439 to 477 s".into(),
        ours: Some(100.0 * disk.mean),
        spread: Some(100.0 * disk.ci95),
        unit: "% from best to worst, disk",
        verdict: Verdict::of([&receive, &potential, &disk].map(|range| band.holds(range))),
        reason: format!(
            "receive {}, potential {}, disk {}; the interval is that of one setting's mean, and of \
             four settings that do not differ the best and the worst are as far apart",
            said(&receive),
            said(&potential),
            said(&disk)
        ),
        sensitivity: Vec::new(),
    }]
}

//! C1.10: what thresholds do.
use super::c1_1;
use super::c1_5::{DISK, by_disk};
use super::runs::{Grid, Point, Site, at};
use analysis::Stat;
use page::words::num;
use system::claims::{Band, Claim, Verdict};

/// Thresholds of the document's sweeps on Lab.
pub const RECEIVE: [&str; 4] = ["80Mbit/s", "320Mbit/s", "480Mbit/s", "640Mbit/s"];
pub const POTENTIAL: [&str; 4] = ["100MB", "150MB", "200MB", "250MB"];

/// Receive Rate with another threshold.
pub fn by_receive(threshold: &'static str) -> Point {
    at(Site::Lab, c1_1::RECEIVE, &[("policy.receive_rate_threshold", threshold)])
}

/// Potential Reception with another threshold.
pub fn by_potential(threshold: &'static str) -> Point {
    let set = [("policy.potential_reception_threshold", threshold)];
    at(Site::Lab, c1_1::POTENTIAL, &set)
}

pub fn ask(grid: &mut Grid) {
    RECEIVE.iter().for_each(|threshold| grid.ask(by_receive(threshold)));
    POTENTIAL.iter().for_each(|threshold| grid.ask(by_potential(threshold)))
}

/// By how much the worst setting's jobs are longer than the best one's, seed by seed.
fn range(grid: &Grid, points: &[Point; 4]) -> Stat {
    let mean = |point: &&Point| grid.mean(point, "job_s_mean").mean;
    let by = |a: &&Point, b: &&Point| mean(a).total_cmp(&mean(b));
    let (best, worst) = (points.iter().min_by(by), points.iter().max_by(by));
    let shorter = grid.gain(worst.expect("four"), best.expect("four"), "job_s_mean");
    Stat { mean: -shorter.mean, ..shorter }
}

pub fn judge(grid: &Grid) -> Vec<Claim> {
    let receive = range(grid, &RECEIVE.map(by_receive));
    let potential = range(grid, &POTENTIAL.map(by_potential));
    let disk = range(grid, &DISK.map(by_disk));
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
            "receive {}, potential {}, disk {}: the worst setting against the best, which chance \
             alone sets apart, too. The thresholds of tables 6 to 8, which the document calls \
             those of the greatest effect, are not the best of its own sweeps (640 Mbit/s: 436 s)",
            said(&receive),
            said(&potential),
            said(&disk)
        ),
        sensitivity: Vec::new(),
    }]
}

//! C1.5 and C1.6: what Disk Rate does to tasks, and its threshold.
use super::c1_1::{self, FAIR, said};
use super::runs::{Grid, Point, Site, at};
use analysis::Stat;
use page::words::num;
use system::claims::{Band, Claim, Verdict};

/// Thresholds of the document's sweep on Lab.
pub const DISK: [&str; 4] = ["20%", "40%", "60%", "80%"];

/// Disk Rate with another threshold.
pub fn by_disk(threshold: &'static str) -> Point {
    at(Site::Lab, c1_1::DISK, &[("policy.disk_rate_threshold", threshold)])
}

pub fn ask(grid: &mut Grid) {
    DISK.iter().for_each(|threshold| grid.ask(by_disk(threshold)))
}

pub fn judge(grid: &Grid) -> Vec<Claim> {
    vec![c1_5(grid), c1_6(grid)]
}

/// Whether maps and reduces are as much shorter as the document says.
pub fn shorter(maps: &Stat, reduces: &Stat) -> [Option<bool>; 2] {
    [Band::new(0.05, 0.20).holds(maps), Band::new(0.03, 0.12).holds(reduces)]
}

fn c1_5(grid: &Grid) -> Claim {
    let (with, fair) = (at(Site::Ec2, c1_1::DISK, &[]), at(Site::Ec2, FAIR, &[]));
    let [maps, reduces] =
        ["map_s_mean", "reduce_s_mean"].map(|metric| grid.gain(&with, &fair, metric));
    Claim {
        id: "C1.5",
        claim: "EC2: Disk Rate shortens maps by 11 % (5 to 20), reduces by 6.5 % (3 to 12)",
        document: "11 % and 6.5 %".into(),
        ours: Some(100.0 * maps.mean),
        spread: Some(100.0 * maps.ci95),
        unit: "% shorter maps",
        verdict: Verdict::of(shorter(&maps, &reduces)),
        reason: format!("maps {}, reduces {}", said(&maps), said(&reduces)),
        sensitivity: Vec::new(),
    }
}

fn c1_6(grid: &Grid) -> Claim {
    let longer = |low: &'static str, high: &'static str| {
        let gain = grid.gain(&by_disk(high), &by_disk(low), "job_s_mean");
        Stat { mean: -gain.mean, ..gain }
    };
    let steps: Vec<Stat> = DISK.windows(2).map(|pair| longer(pair[0], pair[1])).collect();
    let all = longer("20%", "80%");
    let times =
        DISK.map(|t| format!("{t} {} s", num(grid.mean(&by_disk(t), "job_s_mean").mean, 0)));
    Claim {
        id: "C1.6",
        claim: "Lab: Disk Rate is worse the higher its threshold: from 20 to 40, to 60, to 80 %",
        document: "439, 443, 451, 477 s".into(),
        ours: Some(100.0 * all.mean),
        spread: Some(100.0 * all.ci95),
        unit: "% longer jobs at 80 % than at 20 %",
        verdict: Verdict::of(steps.iter().map(|step| Band::above(0.0).holds(step))),
        reason: format!(
            "{}: longer step by step by {}",
            times.join(", "),
            steps.iter().map(said).collect::<Vec<_>>().join(", ")
        ),
        sensitivity: Vec::new(),
    }
}

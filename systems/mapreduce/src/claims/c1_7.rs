//! C1.7 to C1.9, C1.11 to C1.13: what runs look like without rules.
use super::runs::{Grid, Point, Site, at};
use analysis::Stat;
use page::words::num;
use system::claims::{Band, Claim, Sensitivity, Verdict};

/// The preliminary experiment on EC2: 20 nodes, 16 jobs of 5 GB.
fn preliminary() -> Point {
    let sets = [
        ("cluster.nodes", "20"),
        ("workload.jobs", "16"),
        ("workload.input_bytes", "5GB"),
        ("workload.maps", "20"),
        ("workload.reduces", "20"),
    ];
    at(Site::Ec2, "fair", &sets)
}

fn fair(site: Site) -> Point {
    at(site, "fair", &[])
}

const WAITS: [&str; 3] = ["0.1s", "1s", "7.5s"];

fn delayed(wait: &str) -> Point {
    at(Site::Ec2, "fair+delay", &[("policy.locality_wait", wait)])
}

/// Runs that are needed.
pub fn ask(grid: &mut Grid) {
    grid.ask(preliminary());
    WAITS.iter().for_each(|wait| grid.ask(delayed(wait)))
}

/// The verdicts.
pub fn judge(grid: &Grid) -> Vec<Claim> {
    vec![c1_7(grid), c1_8(grid), c1_9(grid), c1_11(grid), c1_12(grid), c1_13(grid)]
}

fn percent(stat: &Stat) -> String {
    format!("{} %", num(100.0 * stat.mean, 0))
}

fn share(
    (id, claim, document): (&'static str, &'static str, &str),
    ours: Stat,
    unit: &'static str,
    verdict: Verdict,
    reason: String,
) -> Claim {
    Claim {
        id,
        claim,
        document: document.into(),
        ours: Some(100.0 * ours.mean),
        spread: Some(100.0 * ours.ci95),
        unit,
        verdict,
        reason,
        sensitivity: Vec::new(),
    }
}

fn c1_7(grid: &Grid) -> Claim {
    let of = |metric: &str| grid.mean(&fair(Site::Lab), metric);
    let [soon, later, never] = ["maps_within_20s", "maps_within_40s", "maps_beyond_180s"].map(of);
    let places = [
        Band::new(0.4, 0.6).holds(&soon),
        Band::new(0.6, 0.8).holds(&later),
        Band::new(0.001, 0.1).holds(&never),
    ];
    let words = (
        "C1.7",
        "Lab: half of the maps end within 20 s, 70 % within 40 s, a few need more than 180 s",
        "50 %, 70 %, a few",
    );
    let reason = format!("{}, {}, {}", percent(&soon), percent(&later), percent(&never));
    share(words, soon, "% of the maps within 20 s", Verdict::of(places), reason)
}

fn c1_8(grid: &Grid) -> Claim {
    let of = |site, metric: &str| grid.mean(&fair(site), metric);
    let lab = of(Site::Lab, "slow_reduces_by_disk");
    let disk = of(Site::Ec2, "slow_reduces_by_disk");
    let network = of(Site::Ec2, "slow_reduces_by_network");
    let places = [
        Band::above(0.95).holds(&lab),
        Band::new(0.7, 0.9).holds(&disk),
        Band::new(0.1, 0.3).holds(&network),
    ];
    let words = (
        "C1.8",
        "slow tasks: on Lab all due to disks; of the slowest tenth of EC2's reduces 80 % to disks, \
         20 % to the network",
        "100 %; 80 % and 20 %",
    );
    let reason = format!(
        "of the slowest tenth of reduces, what held them longest: Lab disks {}; EC2 disks {}, \
         network {}",
        percent(&lab),
        percent(&disk),
        percent(&network)
    );
    share(words, disk, "% by disks, EC2", Verdict::of(places), reason)
}

fn c1_9(grid: &Grid) -> Claim {
    let [lab, ec2] =
        [Site::Lab, Site::Ec2].map(|site| grid.mean(&fair(site), "waits_for_maps_share"));
    let above = |stat: &Stat| Band::above(0.1).holds(stat);
    let words = (
        "C1.9",
        "one late map holds every reduce of its job, and their slots the next jobs (more than a \
         tenth of the tasks' time)",
        "seen in the Gantt chart",
    );
    let reason = format!(
        "reduces in their slots wait for maps for {} of all tasks' time on Lab, {} on EC2; the \
         Gantt of tenbin run shows it",
        percent(&lab),
        percent(&ec2)
    );
    share(words, lab, "% of the tasks' time, Lab", Verdict::of([above(&lab), above(&ec2)]), reason)
}

fn c1_11(grid: &Grid) -> Claim {
    let ratio = grid.ratio(&preliminary(), "job_s_others", "job_s_first_four");
    let words = (
        "C1.11",
        "EC2, preliminary: jobs 0 to 3 and the later ones differ by more than 50 %",
        "more than 50 %",
    );
    let more = Stat { mean: ratio.mean - 1.0, ..ratio };
    let reason =
        format!("the jobs that end first four take 1 / {} of the others", num(ratio.mean, 2));
    share(words, more, "% longer", Verdict::of([Band::above(0.5).holds(&more)]), reason)
}

fn c1_12(grid: &Grid) -> Claim {
    let [lab, ec2] =
        [Site::Lab, Site::Ec2].map(|site| grid.mean(&fair(site), "core_limited_share"));
    let below = |stat: &Stat| Band::below(0.02).holds(stat);
    let words = (
        "C1.12",
        "the CPU never limits (less than 2 % of the tasks' time)",
        "no node stays at 100 %",
    );
    let reason = format!(
        "all cores of a node are taken for {} % of the tasks' time on Lab, {} % on EC2, with 15 ms \
         of CPU a MB",
        num(100.0 * lab.mean, 2),
        num(100.0 * ec2.mean, 2)
    );
    share(words, ec2, "% of the tasks' time", Verdict::of([below(&lab), below(&ec2)]), reason)
}

fn c1_13(grid: &Grid) -> Claim {
    let remote = |point: &Point| {
        let local = grid.mean(point, "data_local_share");
        Stat { mean: 1.0 - local.mean, ..local }
    };
    let band = Band::new(0.15, 0.25);
    let ours = remote(&fair(Site::Ec2));
    let words = ("C1.13", "EC2: about 20 % of the maps are remote (15 to 25 %)", "20 %");
    let verdict = Verdict::of([band.holds(&ours)]);
    let reason = "without delay scheduling; the document does not say what was set".to_string();
    let mut claim = share(words, ours, "% remote", verdict, reason);
    claim.sensitivity = WAITS
        .iter()
        .map(|wait| {
            let ours = remote(&delayed(wait));
            Sensitivity {
                what: "fair+delay, policy.locality_wait".into(),
                value: (*wait).into(),
                ours: 100.0 * ours.mean,
                verdict: Verdict::of([band.holds(&ours)]),
            }
        })
        .collect();
    claim
}

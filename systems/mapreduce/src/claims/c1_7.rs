//! C1.7 to C1.9, C1.11 to C1.13: what runs look like without rules.
use super::c1_1::{FAIR, said};
use super::runs::{Grid, Point, Set, Site, at};
use analysis::Stat;
use page::words::num;
use system::claims::{Band, Claim, Sensitivity, Verdict};

/// The preliminary experiment on EC2: 20 nodes, 16 jobs of 5 GB.
fn preliminary(more: &[Set]) -> Point {
    let sets: [Set; 5] = [
        ("cluster.nodes", "20"),
        ("workload.jobs", "16"),
        ("workload.input_bytes", "5GB"),
        ("workload.maps", "20"),
        ("workload.reduces", "20"),
    ];
    at(Site::Ec2, FAIR, &[&sets, more].concat())
}

fn fair(site: Site) -> Point {
    at(site, FAIR, &[])
}

const SITES: [Site; 2] = [Site::Lab, Site::Ec2];

/// Hadoop's FairScheduler fills all free slots of reduces at once; what else moves late maps.
const OTHERS: [Set; 2] = [("policy.reduces_a_heartbeat", "0"), ("hardware.first_write", "2")];

/// The last is Hadoop 1.x's own: 1.5 heartbeats.
const WAITS: [&str; 3] = ["0.1s", "1s", "7.5s"];

fn delayed(wait: &'static str) -> Point {
    at(Site::Ec2, "fair+delay", &[("policy.locality_wait", wait)])
}

pub fn ask(grid: &mut Grid) {
    grid.ask(preliminary(&[]));
    OTHERS.into_iter().for_each(|other| grid.ask(preliminary(&[other])));
    grid.ask(counting());
    SITES.into_iter().for_each(|site| grid.ask(late(site)));
    WAITS.iter().for_each(|wait| grid.ask(delayed(wait)))
}

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
    let wide = grid.ratio(&fair(Site::Lab), "reduce_s_p90", "reduce_s_p10");
    let places = [
        Band::new(0.4, 0.6).holds(&soon),
        Band::new(0.6, 0.8).holds(&later),
        Band::new(0.001, 0.1).holds(&never),
        Band::above(2.0).holds(&wide),
    ];
    let words = (
        "C1.7",
        "Lab: half of the maps end within 20 s (40 to 60 %), 70 % within 40 s (60 to 80), a few \
         need more than 180 s (0.1 to 10); reduces vary widely (the slowest tenth takes twice as \
         long as the fastest)",
        "50 %, 70 %, a few",
    );
    let reason = format!(
        "{}, {}, {}; reduces {} times",
        percent(&soon),
        percent(&later),
        percent(&never),
        num(wide.mean, 1)
    );
    share(words, soon, "% of the maps within 20 s", Verdict::of(places), reason)
}

fn c1_8(grid: &Grid) -> Claim {
    let of = |point: &Point, metric: &str| grid.mean(point, metric);
    let [maps, lab] =
        ["slow_maps_by_disk", "slow_reduces_by_disk"].map(|m| of(&fair(Site::Lab), m));
    let [disk, network] =
        ["slow_reduces_by_disk", "slow_reduces_by_network"].map(|m| of(&preliminary(&[]), m));
    let (all, most, rest) = (Band::above(0.95), Band::new(0.7, 0.9), Band::new(0.1, 0.3));
    let places = [all.holds(&maps), all.holds(&lab), most.holds(&disk), rest.holds(&network)];
    let words = (
        "C1.8",
        "slow tasks: on Lab all due to disks; of the slowest tenth of the reduces of EC2's \
         preliminary experiment 80 % to disks, 20 % to the network",
        "100 %; 80 % and 20 %",
    );
    let reason = format!(
        "what held the slowest tenth longest: on Lab disks {} of the maps and {} of the reduces; \
         on EC2 disks {}, network {}",
        percent(&maps),
        percent(&lab),
        percent(&disk),
        percent(&network)
    );
    share(words, disk, "% by disks, EC2", Verdict::of(places), reason)
}

/// Reduces start when all maps are done.
fn late(site: Site) -> Point {
    at(site, FAIR, &[("task.slow_start", "1")])
}

fn c1_9(grid: &Grid) -> Claim {
    let waits = |point: &Point| grid.mean(point, "waits_for_maps_share");
    let [lab, ec2] = SITES.map(|site| waits(&fair(site)));
    let above = |stat: &Stat| Band::above(0.1).holds(stat);
    let words = (
        "C1.9",
        "one late map holds every reduce of its job, and their slots the next jobs (more than a \
         tenth of the tasks' time)",
        "seen in the Gantt chart",
    );
    let shorter = SITES.map(|site| said(&grid.gain(&late(site), &fair(site), "job_s_mean")));
    let reason = format!(
        "reduces in their slots wait for maps for {} of all tasks' time on Lab, {} on EC2: so they \
         do in any run in which reduces start before the last map ends. Without (task.slow_start \
         = 1) jobs are shorter by {} on Lab, {} on EC2",
        percent(&lab),
        percent(&ec2),
        shorter[0],
        shorter[1]
    );
    let verdict = Verdict::of([above(&lab), above(&ec2)]).by_construction();
    let mut claim = share(words, lab, "% of the tasks' time, Lab", verdict, reason);
    claim.sensitivity = SITES
        .map(|site| {
            row(&late(site), (site, "task.slow_start", "1"), &|point| {
                let ours = waits(point);
                (ours.mean, Verdict::of([above(&ours)]))
            })
        })
        .to_vec();
    claim
}

fn c1_11(grid: &Grid) -> Claim {
    let more = |point: &Point| {
        let ratio = grid.ratio(point, "job_s_others", "job_s_first_four");
        Stat { mean: ratio.mean - 1.0, ..ratio }
    };
    let band = Band::above(0.5);
    let words = (
        "C1.11",
        "EC2, preliminary: jobs 0 to 3 are done sooner than the later ones, which take 50 % \
         longer and more",
        "more than 50 %",
    );
    let ours = more(&preliminary(&[]));
    let reason = format!("jobs 4 to 15 take {} longer than jobs 0 to 3", percent(&ours));
    let mut claim = share(words, ours, "% longer", Verdict::of([band.holds(&ours)]), reason);
    claim.sensitivity = OTHERS
        .map(|(key, value)| {
            row(&preliminary(&[(key, value)]), (Site::Ec2, key, value), &|point| {
                let ours = more(point);
                (ours.mean, Verdict::of([band.holds(&ours)]))
            })
        })
        .to_vec();
    claim
}

fn c1_12(grid: &Grid) -> Claim {
    let of = |point: &Point| grid.mean(point, "core_limited_share");
    let (lab, below) = (of(&fair(Site::Lab)), Band::below(0.02));
    let words = (
        "C1.12",
        "Lab: the CPU never limits (less than 2 % of the tasks' time)",
        "no node stays at 100 %",
    );
    let reason = format!(
        "all cores of a node are taken for {} % of the tasks' time: with the 15 ms of CPU a MB \
         that are assumed of Sort a map computes for 4 of the {} s that it takes",
        num(100.0 * lab.mean, 2),
        num(grid.mean(&fair(Site::Lab), "map_s_mean").mean, 0)
    );
    let verdict = Verdict::of([below.holds(&lab)]).by_construction();
    let mut claim = share(words, lab, "% of the tasks' time", verdict, reason);
    claim.sensitivity =
        vec![row(&counting(), (Site::Lab, "workload.kind", "wordcount"), &|point| {
            let ours = of(point);
            (ours.mean, Verdict::of([below.holds(&ours)]))
        })];
    claim
}

/// Jobs with more to compute.
fn counting() -> Point {
    at(Site::Lab, FAIR, &[("workload.kind", "wordcount")])
}

/// Ours in another run, as a share, and the verdict there.
fn row(
    point: &Point,
    (site, what, value): (Site, &str, &str),
    judge: &dyn Fn(&Point) -> (f64, Verdict),
) -> Sensitivity {
    let (ours, verdict) = judge(point);
    let what = format!("{site:?}, {what}");
    Sensitivity { what, value: value.into(), ours: 100.0 * ours, verdict }
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
    let reason = "without delay scheduling, which Hadoop 1.x's FairScheduler does by itself, for \
                  1.5 heartbeats; the document does not say what was set"
        .to_string();
    let mut claim = share(words, ours, "% remote", verdict, reason);
    claim.sensitivity = WAITS
        .iter()
        .map(|wait| {
            let what = (Site::Ec2, "fair+delay, policy.locality_wait", *wait);
            row(&delayed(wait), what, &|point| {
                let ours = remote(point);
                (ours.mean, Verdict::of([band.holds(&ours)]))
            })
        })
        .collect();
    claim
}

//! C1.1: Disk Rate is the best single rule.
use super::open::{self, rows};
use super::runs::{Grid, Point, Site, at};
use analysis::Stat;
use page::words::num;
use system::claims::{Band, Claim, Verdict};

const JOB: &str = "job_s_mean";
/// The document's default.
pub const FAIR: &str = "fair";
pub const RECEIVE: &str = "fair+receive-rate";
/// As bytes that are being fetched.
pub const POTENTIAL: &str = "fair+potential-reception";
pub const DISK: &str = "fair+disk-rate";
pub const TWO: &str = "fair+receive-rate+disk-rate";
pub const ALL: &str = "fair+receive-rate+potential-reception+disk-rate";
/// Maps are withheld by chance.
const NULL: &str = "fair+random";
/// What the tables compare: the document's, then the null rule.
pub const RULES: [&str; 7] = [FAIR, RECEIVE, POTENTIAL, DISK, TWO, ALL, NULL];

const SITES: [Site; 2] = [Site::Lab, Site::Ec2];

/// Fewer map slots, which need no rule.
pub fn slots(site: Site) -> Point {
    at(site, FAIR, &[("cluster.map_slots", "2")])
}

pub fn ask(grid: &mut Grid) {
    for site in SITES {
        RULES.iter().for_each(|rule| grid.ask(at(site, rule, &[])));
        grid.ask(slots(site));
        open::ask(grid, site, &[FAIR, DISK], &open::of_disks(site))
    }
}

/// By which part jobs are shorter under a rule than under another.
pub fn gain(grid: &Grid, site: Site, rule: &str, than: &str) -> Stat {
    grid.gain(&at(site, rule, &[]), &at(site, than, &[]), JOB)
}

/// "+5.2 ± 1.0 %"
pub fn said(stat: &Stat) -> String {
    let sign = if stat.mean > 0.0 { "+" } else { "" };
    format!("{sign}{} ± {} %", num(100.0 * stat.mean, 1), num(100.0 * stat.ci95, 1))
}

/// Jobs are shorter by 2 to 10 %: the document has 5 and 6.
pub fn size() -> Band {
    Band::new(0.02, 0.10)
}

/// On a site: as much shorter as the document says, and shorter than under either other rule.
fn places(grid: &Grid, site: Site) -> [Option<bool>; 3] {
    let better = |than: &str| Band::above(0.0).holds(&gain(grid, site, DISK, than));
    [size().holds(&gain(grid, site, DISK, FAIR)), better(RECEIVE), better(POTENTIAL)]
}

fn on(grid: &Grid, site: Site) -> String {
    let than = |rule: &str| said(&gain(grid, site, DISK, rule));
    format!(
        "{site:?}: {} than no rule, {} than Receive Rate, {} than Potential Reception",
        than(FAIR),
        than(RECEIVE),
        than(POTENTIAL)
    )
}

pub fn judge(grid: &Grid) -> Vec<Claim> {
    let lab = places(grid, Site::Lab);
    let ec2 = gain(grid, Site::Ec2, DISK, FAIR);
    let of_size = |with: &Point, than: &Point| {
        let gain = grid.gain(with, than, JOB);
        (gain.mean, Verdict::of([size().holds(&gain)]))
    };
    let varied = |site| rows(site, (DISK, FAIR), &open::of_disks(site), &of_size);
    let null = gain(grid, Site::Ec2, NULL, FAIR);
    let fewer = grid.gain(&slots(Site::Ec2), &at(Site::Ec2, FAIR, &[]), JOB);
    vec![Claim {
        id: "C1.1",
        claim: "Disk Rate is the best single rule: jobs are 5 % shorter on Lab, 6 % on EC2 (2 to \
                10 % here), and shorter than under either other rule",
        document: "5 % and 6 %; the others 0.2 to 2.6 %".into(),
        ours: Some(100.0 * ec2.mean),
        spread: Some(100.0 * ec2.ci95),
        unit: "% shorter jobs, EC2",
        verdict: Verdict::of(lab.into_iter().chain(places(grid, Site::Ec2))),
        reason: format!(
            "shorter by: {}; {}; on EC2 withholding by chance {}, two map slots for four {}. It \
             turns on how a disk's rate falls with its streams, which was measured on a virtual \
             disk alone; rows are judged by the gain over no rule",
            on(grid, Site::Lab),
            on(grid, Site::Ec2),
            said(&null),
            said(&fewer)
        ),
        sensitivity: SITES.into_iter().flat_map(varied).collect(),
    }]
}

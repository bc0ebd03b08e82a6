//! C1.1 to C1.4: what the rules bring.
use super::runs::{Grid, Point, Site, at};
use analysis::Stat;
use page::words::num;
use system::claims::{Band, Claim, Sensitivity, Verdict};

const JOB: &str = "job_s_mean";
/// All three rules.
pub const ALL: &str = "fair+receive-rate+potential-reception+disk-rate";
/// Two of them.
pub const TWO: &str = "fair+receive-rate+disk-rate";
/// What the tables compare: the document's, then the null rule.
pub const RULES: [&str; 7] = [
    "fair",
    "fair+receive-rate",
    "fair+potential-reception",
    "fair+disk-rate",
    TWO,
    ALL,
    "fair+random",
];
/// A disk's total rate against streams, which nobody measured: batch and g.
pub const CURVES: [(&str, &str); 4] =
    [("2MB", "0"), ("300kB", "0"), ("850kB", "0.5"), ("3MB", "1")];

type Open = (&'static str, Vec<(&'static str, &'static str)>);

/// What the document leaves open, with a name each.
fn open(site: Site) -> Vec<Open> {
    let curve = |(batch, g): (&'static str, &'static str)| -> Open {
        ("disk's batch and g", vec![("hardware.disk_batch", batch), ("hardware.disk_curve", g)])
    };
    let mut all: Vec<Open> = CURVES.into_iter().map(curve).collect();
    all.push(("policy.heartbeat", vec![("policy.heartbeat", "0.5s")]));
    all.push(("hardware.cached", vec![("hardware.cached", "0")]));
    all.push(("hardware.cached", vec![("hardware.cached", "1")]));
    if site == Site::Ec2 {
        all.push(("hardware.first_write", vec![("hardware.first_write", "1")]));
        all.push(("workload.reduces", vec![("workload.reduces", "20")]))
    }
    all
}

/// Fewer map slots, which need no rule.
pub fn slots(site: Site) -> Point {
    at(site, "fair", &[("cluster.map_slots", "2")])
}

/// Runs that are needed.
pub fn ask(grid: &mut Grid) {
    for site in [Site::Lab, Site::Ec2] {
        RULES.iter().for_each(|rule| grid.ask(at(site, rule, &[])));
        grid.ask(slots(site));
        for (_, sets) in open(site) {
            for rule in ["fair", "fair+disk-rate"] {
                grid.ask(at(site, rule, &sets))
            }
        }
    }
}

fn gain(grid: &Grid, site: Site, rule: &str) -> Stat {
    grid.gain(&at(site, rule, &[]), &at(site, "fair", &[]), JOB)
}

/// "+5.2 ± 1.0 %"
pub fn said(stat: &Stat) -> String {
    let sign = if stat.mean > 0.0 { "+" } else { "" };
    format!("{sign}{} ± {} %", num(100.0 * stat.mean, 1), num(100.0 * stat.ci95, 1))
}

/// The four verdicts.
pub fn judge(grid: &Grid) -> Vec<Claim> {
    vec![c1_1(grid), c1_2(grid), c1_3(grid), c1_4(grid)]
}

fn c1_1(grid: &Grid) -> Claim {
    let (lab, ec2) =
        (gain(grid, Site::Lab, "fair+disk-rate"), gain(grid, Site::Ec2, "fair+disk-rate"));
    let size = |gain: &Stat| Band::new(0.02, 0.10).holds(gain);
    let helps = |gain: &Stat| Band::above(0.0).holds(gain);
    let mut sensitivity = Vec::new();
    for site in [Site::Lab, Site::Ec2] {
        for (what, sets) in open(site) {
            let with = at(site, "fair+disk-rate", &sets);
            let gain = grid.gain(&with, &at(site, "fair", &sets), JOB);
            let values: Vec<&str> = sets.iter().map(|(_, value)| *value).collect();
            sensitivity.push(Sensitivity {
                what: format!("{site:?}, {what}"),
                value: values.join(", "),
                ours: 100.0 * gain.mean,
                verdict: Verdict::of([helps(&gain), size(&gain)]),
            })
        }
    }
    let null = gain(grid, Site::Ec2, "fair+random");
    let fewer = grid.gain(&slots(Site::Ec2), &at(Site::Ec2, "fair", &[]), JOB);
    Claim {
        id: "C1.1",
        claim: "Disk Rate is the best single rule: jobs are 5 % shorter on Lab, 6 % on EC2 (2 to \
                10 % here)",
        document: "5 % and 6 %".into(),
        ours: Some(100.0 * ec2.mean),
        spread: Some(100.0 * ec2.ci95),
        unit: "% shorter jobs, EC2",
        verdict: Verdict::of([helps(&lab), size(&lab), helps(&ec2), size(&ec2)]),
        reason: format!(
            "Lab {}, EC2 {}; withholding by chance {}, two map slots for four {}. It turns on \
             how a \
             disk's rate falls with its streams, which nobody measured",
            said(&lab),
            said(&ec2),
            said(&null),
            said(&fewer)
        ),
        sensitivity,
    }
}

fn two_sites(
    grid: &Grid,
    rule: &str,
    (lab, ec2): (Band, Band),
    (id, claim, document): (&'static str, &'static str, &str),
) -> Claim {
    let [on_lab, on_ec2] = [Site::Lab, Site::Ec2].map(|site| gain(grid, site, rule));
    Claim {
        id,
        claim,
        document: document.into(),
        ours: Some(100.0 * on_ec2.mean),
        spread: Some(100.0 * on_ec2.ci95),
        unit: "% shorter jobs, EC2",
        verdict: Verdict::of([lab.holds(&on_lab), ec2.holds(&on_ec2)]),
        reason: format!("Lab {}, EC2 {}", said(&on_lab), said(&on_ec2)),
        sensitivity: Vec::new(),
    }
}

fn c1_2(grid: &Grid) -> Claim {
    let bands = (Band::below(0.01), Band::new(0.01, 0.05));
    let words = (
        "C1.2",
        "Receive Rate: less than 1 % on Lab, about 2.6 % on EC2 (1 to 5 %)",
        "0.9 % and 2.6 %",
    );
    two_sites(grid, "fair+receive-rate", bands, words)
}

fn c1_3(grid: &Grid) -> Claim {
    let band = Band::new(-0.02, 0.02);
    let words = ("C1.3", "Potential Reception: within the noise of 2 % on both", "0.2 % and 0.7 %");
    two_sites(grid, "fair+potential-reception", (band, band), words)
}

fn c1_4(grid: &Grid) -> Claim {
    let disk = at(Site::Ec2, "fair+disk-rate", &[]);
    let all = grid.gain(&at(Site::Ec2, ALL, &[]), &disk, JOB);
    let two = grid.gain(&at(Site::Ec2, TWO, &[]), &disk, JOB);
    Claim {
        id: "C1.4",
        claim: "EC2: all three rules are slightly worse than Disk Rate alone; Receive Rate with \
        Disk \
                Rate equals it (2 %)",
        document: "511 s, 506 s and 507 s".into(),
        ours: Some(100.0 * all.mean),
        spread: Some(100.0 * all.ci95),
        unit: "% shorter jobs, all three against Disk Rate",
        verdict: Verdict::of([Band::below(0.0).holds(&all), Band::new(-0.02, 0.02).holds(&two)]),
        reason: format!("all three {}, the two {}", said(&all), said(&two)),
        sensitivity: Vec::new(),
    }
}

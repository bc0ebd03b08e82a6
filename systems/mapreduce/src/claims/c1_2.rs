//! C1.2 to C1.4: what the network rules bring, alone and with Disk Rate.
use super::c1_1::{ALL, DISK, FAIR, POTENTIAL, RECEIVE, TWO, gain, said};
use super::open::{self, Open, REDUCES, one, rows};
use super::runs::{Grid, Point, Site, at};
use analysis::Stat;
use system::claims::{Band, Claim, Verdict};

const JOB: &str = "job_s_mean";
const SITES: [Site; 2] = [Site::Lab, Site::Ec2];

/// Receive Rate on Lab. The document's noise is 2 %: a rule that costs 1 % is not one that brings
/// 0.9 %.
pub fn receive_on_lab() -> Band {
    Band::new(-0.01, 0.01)
}

pub fn noise() -> Band {
    Band::new(-0.02, 0.02)
}

/// All three against Disk Rate: 2.9 % longer on Lab, 0.8 % on EC2.
pub fn slightly_worse() -> Band {
    Band::new(-0.05, 0.0)
}

/// Of Potential Reception: which bytes count, and how many reduces share them.
fn of_potential(site: Site) -> Vec<Open> {
    let mut all = vec![one("policy.potential_reception", "outstanding")];
    if site == Site::Ec2 {
        all.push(one(REDUCES, "20"))
    }
    all
}

/// Where Potential Reception fires on EC2.
fn of_all() -> Vec<Open> {
    vec![one(REDUCES, "20")]
}

/// Runs that are needed beyond those of C1.1.
pub fn ask(grid: &mut Grid) {
    for site in SITES {
        open::ask(grid, site, &[FAIR, RECEIVE], &open::of_rules(site));
        open::ask(grid, site, &[FAIR, POTENTIAL], &of_potential(site))
    }
    open::ask(grid, Site::Ec2, &[DISK, ALL], &of_all())
}

pub fn judge(grid: &Grid) -> Vec<Claim> {
    vec![c1_2(grid), c1_3(grid), c1_4(grid)]
}

/// A row's gain in this band.
fn within<'a>(grid: &'a Grid, band: Band) -> impl Fn(&Point, &Point) -> (f64, Verdict) + 'a {
    move |with, than| {
        let gain = grid.gain(with, than, JOB);
        (gain.mean, Verdict::of([band.holds(&gain)]))
    }
}

/// A rule that withheld nothing has changed nothing: there is nothing to judge.
fn place(grid: &Grid, site: Site, rule: &str, band: Band) -> Option<bool> {
    let fires = grid.fires(&at(site, rule, &[]));
    band.holds(&gain(grid, site, rule, FAIR)).filter(|_| fires)
}

/// "Lab +0.9 ± 1.0 %", or that it never fired.
fn on(grid: &Grid, site: Site, rule: &str) -> String {
    match grid.fires(&at(site, rule, &[])) {
        true => format!("{site:?} {}", said(&gain(grid, site, rule, FAIR))),
        false => format!("on {site:?} it never fires"),
    }
}

fn of_site(gain: &Stat) -> (Option<f64>, Option<f64>) {
    (Some(100.0 * gain.mean), Some(100.0 * gain.ci95))
}

fn c1_2(grid: &Grid) -> Claim {
    let (lab, ec2) = (receive_on_lab(), Band::new(0.01, 0.05));
    let (ours, spread) = of_site(&gain(grid, Site::Ec2, RECEIVE, FAIR));
    let varied =
        |site, band| rows(site, (RECEIVE, FAIR), &open::of_rules(site), &within(grid, band));
    Claim {
        id: "C1.2",
        claim: "Receive Rate: less than 1 % on Lab (-1 to 1 %), about 2.6 % on EC2 (1 to 5 %)",
        document: "0.9 % and 2.6 %".into(),
        ours,
        spread,
        unit: "% shorter jobs, EC2",
        verdict: Verdict::of([
            place(grid, Site::Lab, RECEIVE, lab),
            place(grid, Site::Ec2, RECEIVE, ec2),
        ]),
        reason: SITES.map(|site| on(grid, site, RECEIVE)).join(", "),
        sensitivity: [varied(Site::Lab, lab), varied(Site::Ec2, ec2)].concat(),
    }
}

/// Why Potential Reception cannot fire on EC2, if it does not.
fn never(grid: &Grid) -> String {
    let point = at(Site::Ec2, POTENTIAL, &[]);
    if grid.fires(&point) {
        return String::new();
    }
    format!(
        ": the reduces of a node, all copying, fetch {} MB at a time at most, its threshold is 150 \
         MB, so what the document measured there is noise",
        grid.most_fetched(&point) / 1_000_000
    )
}

fn c1_3(grid: &Grid) -> Claim {
    let band = noise();
    let (ours, spread) = of_site(&gain(grid, Site::Lab, POTENTIAL, FAIR));
    let varied = |site| rows(site, (POTENTIAL, FAIR), &of_potential(site), &within(grid, band));
    let fires = |site: &Site| grid.fires(&at(*site, POTENTIAL, &[]));
    Claim {
        id: "C1.3",
        claim: "Potential Reception: within the noise of 2 % on both",
        document: "0.2 % and 0.7 %".into(),
        ours,
        spread,
        unit: "% shorter jobs, Lab",
        verdict: Verdict::of(
            SITES.into_iter().filter(fires).map(|site| place(grid, site, POTENTIAL, band)),
        ),
        reason: format!(
            "{}{}",
            SITES.map(|site| on(grid, site, POTENTIAL)).join(", "),
            never(grid)
        ),
        sensitivity: SITES.into_iter().flat_map(varied).collect(),
    }
}

fn c1_4(grid: &Grid) -> Claim {
    let worse = slightly_worse();
    let [lab, ec2] = SITES.map(|site| gain(grid, site, ALL, DISK));
    let two = gain(grid, Site::Ec2, TWO, DISK);
    let same = gain(grid, Site::Ec2, ALL, TWO);
    let (ours, spread) = of_site(&ec2);
    let why = match (same.mean, grid.fires(&at(Site::Ec2, POTENTIAL, &[]))) {
        (0.0, false) => format!(
            "; on EC2 Potential Reception never fires{}: there all three are Receive Rate with \
             Disk Rate, to the second",
            never(grid)
        ),
        _ => format!("; on EC2 all three against the two {}", said(&same)),
    };
    Claim {
        id: "C1.4",
        claim: "all three rules are slightly worse than Disk Rate alone on both clusters (0 to \
                5 %); on EC2 Receive Rate with Disk Rate equals it (2 %)",
        document: "456 against 443 s; 511, 506 and 507 s".into(),
        ours,
        spread,
        unit: "% shorter jobs, all three against Disk Rate, EC2",
        verdict: Verdict::of([worse.holds(&lab), worse.holds(&ec2), noise().holds(&two)]),
        reason: format!(
            "all three against Disk Rate: Lab {}, EC2 {}; the two on EC2 {}{why}",
            said(&lab),
            said(&ec2),
            said(&two)
        ),
        sensitivity: rows(Site::Ec2, (ALL, DISK), &of_all(), &within(grid, worse)),
    }
}

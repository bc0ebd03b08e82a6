//! What the document leaves open: values that are tried.
use super::runs::{Grid, Point, Set, Site, at};
use system::claims::{Sensitivity, Verdict};

pub type Open = (&'static str, Vec<Set>);

/// A disk's total rate against streams, by kind of access: what, and the batch that gives about
/// that rate, with g = 0. Measured under Linux 6.18 on virtual disks of 120 MB/s: the second,
/// fourth and fifth by `tenbin calibrate disk` (`docs/testbed.md`), the first and third on a
/// prototype of that disk. Its queue is a model: first-come and nearest-first are bounds, a real
/// disk's lies between.
const CURVES: [(&str, &str); 5] = [
    ("curve: readers, the kernel's readahead, queue first-come", "300kB"),
    ("curve: readers, the kernel's readahead, queue nearest-first", "1MB"),
    ("curve: readers, HDFS's readahead of 4 MiB", "3MB"),
    ("curve: half readers, half writers", "2MB"),
    ("curve: writers", "20MB"),
];

/// Of every comparison of rules on a site.
pub fn of_rules(site: Site) -> Vec<Open> {
    let mut all = vec![limit(), one("policy.reduces_a_heartbeat", "0")];
    if site == Site::Ec2 {
        all.extend([one("hardware.first_write", "2"), one(REDUCES, "20")])
    }
    all
}

/// Of Disk Rate: what its figure is and what disks are like, too.
pub fn of_disks(site: Site) -> Vec<Open> {
    let curve = |(what, batch)| -> Open {
        (what, vec![("hardware.disk_batch", batch), ("hardware.disk_curve", "0")])
    };
    let mut all: Vec<Open> = CURVES.into_iter().map(curve).collect();
    all.push(one("policy.disk_rate_figure", "moment"));
    all.push(one("policy.heartbeat", "0.5s"));
    all.push(one("hardware.cached", "0"));
    all.push(one("hardware.cached", "1"));
    all.extend(of_rules(site));
    all
}

/// Table 4 says 38, the count of table 8 fits 20.
pub const REDUCES: &str = "workload.reduces";

/// Our model's own, which the document's rules lack.
fn limit() -> Open {
    one("policy.withhold_limit", "40s")
}

pub fn one(key: &'static str, value: &'static str) -> Open {
    (key, vec![(key, value)])
}

/// Runs that are needed to compare these with one another where each of these is otherwise.
pub fn ask(grid: &mut Grid, site: Site, rules: &[&str], open: &[Open]) {
    for (_, sets) in open {
        rules.iter().for_each(|rule| grid.ask(at(site, rule, sets)))
    }
}

/// A row for each: what `judge` says of the two rules' runs, ours as a share.
pub fn rows(
    site: Site,
    (rule, than): (&str, &str),
    open: &[Open],
    judge: &dyn Fn(&Point, &Point) -> (f64, Verdict),
) -> Vec<Sensitivity> {
    let row = |(what, sets): &Open| {
        let (ours, verdict) = judge(&at(site, rule, sets), &at(site, than, sets));
        let values: Vec<&str> = sets.iter().map(|(_, value)| *value).collect();
        let what = format!("{site:?}, {what}");
        Sensitivity { what, value: values.join(", "), ours: 100.0 * ours, verdict }
    };
    open.iter().map(row).collect()
}

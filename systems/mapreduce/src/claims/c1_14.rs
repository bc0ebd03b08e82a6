//! C1.14 to C1.16: tasks under the network rules, the reasons given, and racks.
use super::c1_1::{ALL, FAIR, POTENTIAL, RECEIVE, TWO, said};
use super::runs::{Grid, Set, Site, at};
use analysis::{Stat, stat};
use page::words::num;
use system::claims::{Band, Claim, Sensitivity, Verdict};

const SITES: [Site; 2] = [Site::Lab, Site::Ec2];
const UPLINKS: [&str; 3] = ["250Mbit/s", "1Gbit/s", "5Gbit/s"];
const NETWORK: [&str; 2] = [RECEIVE, POTENTIAL];

/// The same nodes at one switch, as the document's are.
const STAR: Set = ("cluster.racks", "1");

/// Both network rules with the most lenient of the document's thresholds.
const RELAXED: [Set; 2] = [
    ("policy.receive_rate_threshold", "640Mbit/s"),
    ("policy.potential_reception_threshold", "250MB"),
];

pub fn ask(grid: &mut Grid) {
    for rule in [FAIR, RECEIVE, POTENTIAL] {
        grid.ask(at(Site::Racks, rule, &[]));
        grid.ask(at(Site::Racks, rule, &[STAR]))
    }
    for rule in [FAIR, RECEIVE] {
        let with = |rate| at(Site::Racks, rule, &[("hardware.inter_rack", rate)]);
        UPLINKS.into_iter().for_each(|rate| grid.ask(with(rate)))
    }
    SITES.into_iter().for_each(|site| grid.ask(at(site, ALL, &RELAXED)))
}

pub fn judge(grid: &Grid) -> Vec<Claim> {
    vec![c1_14(grid), c1_15(grid), c1_16(grid)]
}

fn c1_14(grid: &Grid) -> Claim {
    let fair = at(Site::Ec2, FAIR, &[]);
    let gain = |rule: &str, metric: &str| grid.gain(&at(Site::Ec2, rule, &[]), &fair, metric);
    let [maps, reduces] = ["map_s_mean", "reduce_s_mean"].map(|m| gain(RECEIVE, m));
    let [all_maps, all_reduces] = ["map_s_mean", "reduce_s_mean"].map(|m| gain(ALL, m));
    Claim {
        id: "C1.14",
        claim: "EC2: Receive Rate shortens maps by 3.5 % (1 to 7), reduces by 5 % (2 to 9); all \
        rules \
                9.4 % (4 to 16) and 7.6 % (3 to 13)",
        document: "3.5 %, 5 %; 9.4 %, 7.6 %".into(),
        ours: Some(100.0 * maps.mean),
        spread: Some(100.0 * maps.ci95),
        unit: "% shorter maps by Receive Rate",
        verdict: Verdict::of([
            Band::new(0.01, 0.07).holds(&maps),
            Band::new(0.02, 0.09).holds(&reduces),
            Band::new(0.04, 0.16).holds(&all_maps),
            Band::new(0.03, 0.13).holds(&all_reduces),
        ]),
        reason: format!(
            "Receive Rate: maps {}, reduces {}; all: maps {}, reduces {}",
            said(&maps),
            said(&reduces),
            said(&all_maps),
            said(&all_reduces)
        ),
        sensitivity: Vec::new(),
    }
}

/// Of what nodes receive on a site without rules: the part that no reduce asked for, seed by seed.
fn others(grid: &Grid, site: Site) -> Stat {
    let fair = at(site, FAIR, &[]);
    let copies = f64::from(grid.replicas(&fair).saturating_sub(1));
    let [local, read, written, shuffled] =
        ["data_local_share", "read_bytes", "written_bytes", "shuffle_bytes"]
            .map(|metric| grid.values(&fair, metric));
    let part = |seed: usize| {
        let others = (1.0 - local[seed]) * read[seed] + copies * written[seed];
        others / (others + shuffled[seed])
    };
    stat(&(0..local.len()).map(part).collect::<Vec<_>>())
}

fn c1_15(grid: &Grid) -> Claim {
    let withheld = |site, rule| grid.mean(&at(site, rule, &[]), "withheld_reduces_s");
    // As many is not more.
    let more = |site| {
        let rules = [at(site, ALL, &[]), at(site, TWO, &[])];
        let more = grid.more(&rules[0], &rules[1], "withheld_reduces_s");
        Band::above(f64::MIN_POSITIVE).holds(&more)
    };
    let received = others(grid, Site::Ec2);
    let relaxed = SITES
        .map(|site| said(&grid.gain(&at(site, ALL, &RELAXED), &at(site, ALL, &[]), "job_s_mean")));
    let slots = |site| {
        let of = |rule| num(withheld(site, rule).mean, 0);
        format!("{site:?} {} by all three, {} by Receive Rate and Disk Rate", of(ALL), of(TWO))
    };
    Claim {
        id: "C1.15",
        claim: "why all rules together are worse: Receive Rate with Potential Reception withholds \
                more reduces than Receive Rate alone; and much of what a node receives is not its \
                reduces' (more than a tenth)",
        document: "given as the reason".into(),
        ours: Some(100.0 * received.mean),
        spread: Some(100.0 * received.ci95),
        unit: "% of what EC2's nodes receive is remote input and replicas",
        verdict: Verdict::of([more(Site::Lab), more(Site::Ec2), Band::above(0.1).holds(&received)]),
        reason: format!(
            "slot-seconds of reduces withheld, in the mean of a run: {}; {}. With thresholds of \
             640 Mbit/s and 250 MB, which the document expects to help, all three make jobs \
             shorter by {} on Lab, {} on EC2",
            slots(Site::Lab),
            slots(Site::Ec2),
            relaxed[0],
            relaxed[1]
        ),
        sensitivity: Vec::new(),
    }
}

fn c1_16(grid: &Grid) -> Claim {
    let gain = |rule: &str, more: &[Set]| {
        grid.gain(&at(Site::Racks, rule, more), &at(Site::Racks, FAIR, more), "job_s_mean")
    };
    let helps = |stat: &Stat| Band::above(0.0).holds(stat);
    // Seed by seed, against the same nodes at one switch.
    let matters = |rule: &str| {
        let [racks, star] = [&[][..], &[STAR]].map(|more| {
            let points = [at(Site::Racks, rule, more), at(Site::Racks, FAIR, more)];
            grid.gains(&points[0], &points[1], "job_s_mean")
        });
        stat(&racks.iter().zip(&star).map(|(racks, star)| racks - star).collect::<Vec<_>>())
    };
    let receive = gain(RECEIVE, &[]);
    let places =
        NETWORK.into_iter().flat_map(|rule| [helps(&gain(rule, &[])), helps(&matters(rule))]);
    let sensitivity = UPLINKS.map(|rate| {
        let ours = gain(RECEIVE, &[("hardware.inter_rack", rate)]);
        Sensitivity {
            what: "Receive Rate, hardware.inter_rack".into(),
            value: rate.into(),
            ours: 100.0 * ours.mean,
            verdict: Verdict::of([helps(&ours)]),
        }
    });
    let said = |rule: &str| {
        format!("{}, against one switch {}", said(&gain(rule, &[])), said(&matters(rule)))
    };
    Claim {
        id: "C1.16",
        claim: "the network rules should matter more with racks: jobs are shorter where uplinks \
                are narrow, and by more than with one switch",
        document: "expected, not tried: it has one switch".into(),
        ours: Some(100.0 * receive.mean),
        spread: Some(100.0 * receive.ci95),
        unit: "% shorter jobs by Receive Rate, uplinks of 500 Mbit/s",
        verdict: Verdict::of(places),
        reason: format!(
            "four racks of five: Receive Rate {}; Potential Reception {}",
            said(RECEIVE),
            said(POTENTIAL)
        ),
        sensitivity: sensitivity.to_vec(),
    }
}

//! C1.14 to C1.16: tasks under the network rules, the reasons given, and racks.
use super::c1_1::{ALL, said};
use super::runs::{Grid, Site, at};
use page::words::num;
use system::claims::{Band, Claim, Sensitivity, Verdict};

const UPLINKS: [&str; 3] = ["250Mbit/s", "1Gbit/s", "5Gbit/s"];

/// Runs that are needed.
pub fn ask(grid: &mut Grid) {
    for rule in ["fair", "fair+receive-rate", "fair+potential-reception"] {
        grid.ask(at(Site::Racks, rule, &[]));
        UPLINKS
            .iter()
            .for_each(|rate| grid.ask(at(Site::Racks, rule, &[("hardware.inter_rack", rate)])))
    }
}

/// The verdicts.
pub fn judge(grid: &Grid) -> Vec<Claim> {
    vec![c1_14(grid), c1_15(grid), c1_16(grid)]
}

fn c1_14(grid: &Grid) -> Claim {
    let fair = at(Site::Ec2, "fair", &[]);
    let gain = |rule: &str, metric: &str| grid.gain(&at(Site::Ec2, rule, &[]), &fair, metric);
    let [maps, reduces] = ["map_s_mean", "reduce_s_mean"].map(|m| gain("fair+receive-rate", m));
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

fn c1_15(grid: &Grid) -> Claim {
    let withheld = |rule: &str| grid.mean(&at(Site::Ec2, rule, &[]), "withheld_s");
    let (all, disk) = (withheld(ALL), withheld("fair+disk-rate"));
    let fair = at(Site::Ec2, "fair", &[]);
    let local = grid.mean(&fair, "data_local_share").mean;
    let of = |metric: &str| grid.mean(&fair, metric).mean;
    let remote = (1.0 - local) * of("read_bytes");
    let others = remote / (remote + of("shuffle_bytes"));
    let more = all.mean - disk.mean > all.ci95 + disk.ci95;
    Claim {
        id: "C1.15",
        claim: "why all rules together are worse: they withhold more, and much of what a node \
        receives \
                is not its reduces' (more than a tenth)",
        document: "given as the reason".into(),
        ours: Some(100.0 * others),
        spread: None,
        unit: "% of what is received is remote maps' input, EC2",
        verdict: Verdict::of([Some(more), Some(others > 0.1)]),
        reason: format!(
            "slots withheld: all {} slot-seconds, Disk Rate {}; whether that is the reason no \
             run says",
            num(all.mean, 0),
            num(disk.mean, 0)
        ),
        sensitivity: Vec::new(),
    }
}

fn c1_16(grid: &Grid) -> Claim {
    let gain = |rule: &str, more: &[(&str, &str)]| {
        grid.gain(&at(Site::Racks, rule, more), &at(Site::Racks, "fair", more), "job_s_mean")
    };
    let (receive, potential) =
        (gain("fair+receive-rate", &[]), gain("fair+potential-reception", &[]));
    let helps = |stat: &analysis::Stat| Band::above(0.0).holds(stat);
    let sensitivity = UPLINKS.map(|rate| {
        let ours = gain("fair+receive-rate", &[("hardware.inter_rack", rate)]);
        Sensitivity {
            what: "hardware.inter_rack".into(),
            value: rate.into(),
            ours: 100.0 * ours.mean,
            verdict: Verdict::of([helps(&ours)]),
        }
    });
    Claim {
        id: "C1.16",
        claim: "the network rules should matter more with racks (shorter jobs where uplinks are \
        narrow)",
        document: "expected, not tried: it has one switch".into(),
        ours: Some(100.0 * receive.mean),
        spread: Some(100.0 * receive.ci95),
        unit: "% shorter jobs by Receive Rate, uplinks of 500 Mbit/s",
        verdict: Verdict::of([helps(&receive), helps(&potential)]),
        reason: format!(
            "four racks of five: Receive Rate {}, Potential Reception {}",
            said(&receive),
            said(&potential)
        ),
        sensitivity: sensitivity.to_vec(),
    }
}

//! `tenbin audit ozone CLUSTER.toml`: problems of a cluster's pipelines, their cost by simulation,
//! and fixes for those that cost something.
mod cost;
mod findings;
mod show;
use crate::OZONE;
use crate::model::layout;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use cost::Cost;
use findings::Finding;
use std::path::PathBuf;
use system::lab::{Lab, Row, RowRuns};
use system::{Action, Failure, console};

pub struct Audit;

const SEEDS: [u64; 10] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

impl Action for Audit {
    fn name(&self) -> &'static str {
        "ozone"
    }

    fn command(&self) -> Command {
        let file = value_parser!(PathBuf);
        Command::new("ozone")
            .about("Ozone: identical node sets, idle nodes and disks, leaders, racks")
            .arg(Arg::new("cluster").value_name("CLUSTER.toml").required(true).value_parser(file))
            .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("One JSON object"))
            .after_help("Examples:\n  tenbin audit ozone cluster.toml")
    }

    fn run(&self, arguments: &ArgMatches) -> Result<(), Failure> {
        let path = arguments.get_one::<PathBuf>("cluster").expect("required");
        let lab = Lab::of(&OZONE)?;
        let sheet = lab.read(path, &[])?;
        let layout = layout(&sheet, 1);
        let findings = findings::all(&sheet, &layout);
        let runs = simulated(&lab, path, &findings)?;
        let judged = |(finding, mended): (Finding, &RowRuns)| {
            let cost = Cost::of(&runs[0], mended);
            (finding, cost)
        };
        let judged: Vec<(Finding, Cost)> =
            findings.into_iter().zip(runs.iter().skip(1)).map(judged).collect();
        let (doing, advice) = system::advice::alone(&lab, &sheet)?;
        match arguments.get_flag("json") {
            true => console::json(&show::json(&layout, &judged, &advice)),
            false => console::text(&show::text(&sheet, &layout, &judged, doing.as_ref())),
        }
    }
}

/// The cluster as it is, then with each finding fixed.
fn simulated(
    lab: &Lab,
    path: &std::path::Path,
    findings: &[Finding],
) -> Result<Vec<RowRuns>, Failure> {
    let mut rows = Vec::new();
    for set in std::iter::once(Vec::new()).chain(findings.iter().map(|f| f.set.clone())) {
        let sheet = lab.read(path, &set)?;
        rows.push(Row { name: String::new(), set, sheet })
    }
    if rows.len() == 1 {
        return Ok(Vec::new());
    }
    let done = lab.run(&rows, &SEEDS, false, "audit ozone")?;
    system::interrupt::check()?;
    Ok(done.rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::Change;
    use analysis::Stat;
    use cost::GainVerdict;
    use std::path::Path;
    use system::figures::judge;
    use trace::Better;

    fn found(more: &str) -> Vec<(&'static str, String)> {
        let text =
            format!("[model]\nsystem = \"ozone\"\n[policy]\npipeline = \"as-imported\"\n{more}");
        let sheet = Lab::of(&OZONE).unwrap().read_text(&text, Path::new("c.toml"), &[]).unwrap();
        let all = findings::all(&sheet, &layout(&sheet, 1));
        all.into_iter().map(|finding| (finding.what, format!("{:?}", finding.set))).collect()
    }

    #[test]
    fn three_nodes_have_one_set_and_nothing_is_found() {
        let three = "[cluster]\nnodes = 3\npipelines = \"0-1-2:0 0-1-2:1\"\n";
        assert_eq!(found(three), []);
    }

    #[test]
    fn a_node_in_ec_pipelines_is_not_idle() {
        let four = "[cluster]\nnodes = 4\npipelines = \"0-1-2:0\"\n";
        assert_eq!(found(four)[0].0, "idle nodes");
        assert_eq!(found(&format!("{four}erasure_coded = \"0 0 0 2\"\n")), []);
    }

    #[test]
    fn of_invented_disks_nothing_is_found() {
        let three = "[cluster]\nnodes = 3\npipelines = \"0-1-2:0\"\n";
        assert_eq!(found(three), []);
        let findings = found(&format!("{three}[hardware]\ndisks_per_node = 24\n"));
        assert_eq!(findings[0].0, "idle disks");
        assert!(
            findings[0].1.contains("limit\", \"6\""),
            "six pipelines use 24 disks: {}",
            findings[0].1
        );
    }

    #[test]
    fn what_costs_nothing_is_harmless() {
        let change = |now: f64, by: f64, ci95: f64, better| {
            let by = Stat { mean: by, ci95, min: by, max: by };
            Some(Change { now, then: now + by.mean, by, verdict: judge(&by, now, better) })
        };
        let worth = |writes: (f64, f64), tail: (f64, f64)| {
            let (writes, tail) = (
                change(122.0, writes.0, writes.1, Better::More),
                change(1000.0, tail.0, tail.1, Better::Less),
            );
            Cost { writes, tail, worse: Vec::new() }.gain_verdict()
        };
        assert_eq!(worth((1.0, 0.5), (20.0, 139.0)), GainVerdict::Nothing);
        assert_eq!(worth((40.0, 5.0), (300.0, 20.0)), GainVerdict::Gains);
        assert_eq!(worth((1.0, 5.0), (-300.0, 20.0)), GainVerdict::Gains);
        assert_eq!(worth((1.0, 5.0), (300.0, 20.0)), GainVerdict::Loses);
        assert_eq!(worth((-40.0, 5.0), (-300.0, 20.0)), GainVerdict::Loses);
    }
}

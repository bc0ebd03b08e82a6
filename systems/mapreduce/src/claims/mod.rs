//! Claims of Watanabe 2014: `tenbin reproduce s1`.
mod plain;
pub mod sites;
pub mod table;
mod tables;

use self::plain::preliminary;
use self::sites::{FAIR, LAB, at};
use crate::MAPREDUCE;
use crate::words::figures;
use engine::Scheduler;
use page::Section;
use serde_json::json;
use system::claims::{Claim, Document, ReproduceRequest, Reproduction, Table};
use system::lab::Lab;
use system::{Failure, RunOptions};

pub static S1: Document = Document {
    name: "s1",
    also: &[],
    title: "I/O-aware task scheduling of Hadoop (Watanabe, 2014)",
    reproduce,
};

fn reproduce(asked: &ReproduceRequest<'_>) -> Result<Reproduction, Failure> {
    let parameters = json!({
        "document": "Watanabe 2014, tables 1 to 11",
        "fitted": "Lab: hardware.disk_batch; EC2: hardware.disk_batch, hardware.first_write; to \
                   the mean times without rules, and to nothing else",
        "hardware.disk": "120MB/s, 12.7 ms: Seagate Barracuda 7200.12",
        "hardware.write_batch": "20 MB: writers of docs/testbed.md",
        "cluster.memory_gb": "tables 1 and 2; without page caches is a variant",
        "workload.writers": "randomwriter, 1 GB a map; the input is not in memory at the start",
        "workload.output_replication": "EC2: 3, Lab: 1: HDFS's setting holds for outputs, too",
        "policy.locality_wait": "7.5s: FairScheduler's default, 1.5 heartbeats",
        "policy.withhold_limit": "0s: rules of Watanabe 2014 have no limit; 40s is a variant",
        "policy.disk_rate_figure": "mean since the last heartbeat; at the heartbeat, as in \
                                    Watanabe 2014, is a variant",
        "workload.reduces": "EC2: 20 (table 8); table 4 has 38: a variant",
        "cluster.nodes": "EC2: 50; the table says 51",
        "hardware.nic": "1 Gbit/s; EC2 has 1 to 1.5: variants",
        "policy.heartbeat": "5s, as stated; Hadoop 1.1.2's code beats every 0.5 s at that size: a \
                             variant",
        "null rule": "fair+random: maps withheld by chance, 3 of 10",
        "set": asked.sets,
    });
    table().reproduce(asked, parameters)
}

fn table() -> Table {
    Table {
        system: &MAPREDUCE,
        what: "reproduce s1",
        needs: &[],
        rows: table::rows,
        figures: tables::all,
        extra: drawn,
        joint: None,
    }
}

/// Figures 8 to 20 of the paper: one run of each preliminary experiment, that
/// of EC2 with 20 nodes. Does nothing if there are no figures.
fn drawn(
    asked: &ReproduceRequest<'_>,
    _: &mut Vec<Claim>,
    sections: &mut Vec<Section>,
) -> Result<(), Failure> {
    if sections.is_empty() {
        return Ok(());
    }
    let lab = Lab::of(&MAPREDUCE)?;
    for (site, run) in [("Lab", at(LAB, FAIR, &[])), ("EC2", preliminary())] {
        let sheet = run.row(&lab, asked.sets)?.sheet;
        let how = RunOptions { keep_trace: true, ..RunOptions::by(Scheduler::Sequential) };
        let done = lab.run_once(&sheet, 1, how)?.ok_or_else(system::interrupt::nothing_written)?;
        sections.extend(figures(site, &done.trace))
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use units::Nanos;

    /// The rules of Watanabe 2014 are never lifted, except in variants that say so. Outputs have as
    /// many replicas as inputs.
    #[test]
    fn runs_are_those_of_the_document() {
        let asked = ReproduceRequest {
            seeds: system::claims::Seeds::fixed(2),
            sets: &[],
            claim: None,
            place: Path::new("out"),
        };
        let rows = table().plan(&asked).expect("scenarios");
        for (_, row) in &rows {
            let lifted = row.sheet.time("policy.withhold_limit") > Nanos::ZERO;
            assert_eq!(lifted, row.name.contains("40s"), "{}", row.name);
            let [blocks, outputs] = ["workload.replication", "workload.output_replication"]
                .map(|key| row.sheet.count(key));
            assert_eq!(outputs, blocks, "{}", row.name);
            let scheduling = row.sheet.text("policy.scheduling");
            assert!(scheduling.starts_with("fair+delay"), "{scheduling}")
        }
        let ec2 = rows.iter().find(|(_, row)| row.name.starts_with("Ec2"));
        let (_, ec2) = ec2.expect("it is asked for");
        assert_eq!(ec2.sheet.count("workload.output_replication"), 3);
        assert_eq!(ec2.sheet.count("workload.reduces"), 20)
    }
}

//! Claims of Watanabe 2014: `tenbin reproduce s1`.
mod plain;
pub mod sites;
pub mod table;
mod tables;

use crate::MAPREDUCE;
use serde_json::json;
use system::Failure;
use system::claims::{Document, ReproduceRequest, Reproduction, Table};

pub static S1: Document = Document {
    name: "s1",
    also: &[],
    title: "I/O-aware task scheduling of Hadoop (Watanabe, 2014)",
    reproduce,
};

fn reproduce(asked: &ReproduceRequest<'_>) -> Result<Reproduction, Failure> {
    let parameters = json!({
        "document": "Watanabe 2014, tables 1 to 11",
        "hardware.disk": "120MB/s, 12.7 ms: Seagate Barracuda 7200.12; batch and curve swept over \
                          those of docs/testbed.md",
        "workload.output_replication": "EC2: 3, Lab: 1: HDFS's setting holds for outputs, too",
        "hardware.first_write": "1; EC2: slower according to Amazon, without a number: 2 is a \
                                 variant",
        "policy.withhold_limit": "0s: rules of Watanabe 2014 have no limit; 40s is a variant",
        "policy.disk_rate_figure": "mean since the last heartbeat; at the heartbeat, as in \
                                    Watanabe 2014, is a variant",
        "hardware.cached": "0.5: a guess",
        "workload.reduces": "EC2: 38 (table 4); table 8 fits 20: both are run",
        "cluster.nodes": "EC2: 50; the table says 51",
        "policy.heartbeat": "5s; Hadoop's own code beats every 0.3 to 0.5 s at that size: swept",
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
        extra: |_, _, _| Ok(()),
    }
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
        let asked = ReproduceRequest { seeds: 2, sets: &[], claim: None, place: Path::new("out") };
        let rows = table().plan(&asked).expect("scenarios");
        for (_, row) in &rows {
            let lifted = row.sheet.time("policy.withhold_limit") > Nanos::ZERO;
            assert_eq!(lifted, row.name.contains("40s"), "{}", row.name);
            let [blocks, outputs] = ["workload.replication", "workload.output_replication"]
                .map(|key| row.sheet.count(key));
            assert_eq!(outputs, blocks, "{}", row.name)
        }
        let ec2 = rows.iter().find(|(_, row)| row.name.starts_with("Ec2"));
        let (_, ec2) = ec2.expect("it is asked for");
        assert_eq!(ec2.sheet.count("workload.output_replication"), 3)
    }
}

//! `tenbin reproduce s0`
use super::cell::{self, BASE};
use super::{assumptions, figures, table};
use crate::failure::Failure;
use crate::simulated::SIMULATED;
use serde_json::{Map, Value, json};
use std::path::Path;
use system::claims::{Document, ReproduceRequest, Reproduction, Table};
use system::lab::Lab;

/// Higai, Takefusa, Nakada, Oguchi 2014.
pub static S0: Document = Document {
    name: "s0",
    also: &[],
    title: "Higai, Takefusa, Nakada, Oguchi 2014: HDFS re-replication, simulated",
    reproduce,
};

fn reproduce(asked: &ReproduceRequest<'_>) -> Result<Reproduction, Failure> {
    claims().reproduce(asked, parameters(asked)?)
}

pub fn claims() -> Table {
    Table {
        system: &SIMULATED,
        what: "reproduce s0",
        needs: &[cell::THROUGHPUT, cell::ONE_RACK_ONLY],
        rows: table::rows,
        figures: figures::all,
        extra: |_, _, _| Ok(()),
        joint: Some(assumptions::JOINT),
    }
}

/// Every key of the base scenario, and what the cells vary.
fn parameters(asked: &ReproduceRequest<'_>) -> Result<Value, Failure> {
    let base = Lab::of(&SIMULATED)?.read_text(BASE.text, Path::new(BASE.file), asked.sets)?;
    let keys: Map<String, Value> =
        base.settings.iter().map(|s| (s.key.clone(), Value::from(s.value.as_str()))).collect();
    let links = [cell::SLOW, cell::FAST].map(|link| link.join(", "));
    let disks = cell::DISKS.map(|disk| format!("{disk}MB/s"));
    Ok(json!({
        "seeds": asked.seeds.first,
        "sensitivity_seeds": assumptions::SEEDS,
        "base": keys,
        "varied": {
            "one_rack.nodes": cell::ONE_RACK,
            "two_racks.nodes_per_rack": cell::TWO_RACKS,
            "hardware.disk": disks,
            cell::NETWORK.0: cell::NETWORK.1,
            "two_racks.hardware.inter_rack": links,
            "policy.rereplication": ["default", "ring", "ring-priority", "optimised"],
            "workload.blocks_on_lost_node": "80 * (N - 1), N all nodes",
        },
    }))
}

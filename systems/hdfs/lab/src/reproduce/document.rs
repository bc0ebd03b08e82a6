//! The document behind the seam: `tenbin reproduce s0`.
use super::cell::{self, Cell, Data};
use super::claims::{self, Claim, Judged};
use super::runs::{self, Asked};
use super::{figures, reading};
use crate::failure::Failure;
use cluster::Sheet;
use serde_json::{Value, json};
use system::claims::{self as shared, Document, ForReal, Reproduction};
use system::partial;

/// Higai, Takefusa, Nakada, Oguchi 2014.
pub static S0: Document = Document {
    name: "s0",
    also: &[],
    title: "Higai, Takefusa, Nakada, Oguchi 2014: HDFS re-replication, simulated",
    reproduce,
    real: REAL,
};

#[cfg(target_os = "linux")]
const REAL: Option<ForReal> = Some(ForReal { runs: 7, needs_jar: true, make: super::real::real });
#[cfg(not(target_os = "linux"))]
const REAL: Option<ForReal> = None;

fn reproduce(asked: &shared::Asked<'_>) -> Result<Reproduction, Failure> {
    let base = runs::base(asked.sets)?;
    let all = claims::all();
    let cells = cell::distinct(all.iter().flat_map(|c| (c.needs)()));
    let every: Vec<Asked> = cells.iter().map(|&cell| Asked { cell, besides: None }).collect();
    let rows = runs::run(&every, asked.seeds, asked.sets, "reproduce s0")?;
    let kept = |why, claims: &[shared::Claim], missing: &str| {
        asked.kept_with(why, partial::of_lab(&rows), claims, missing)
    };
    let measured = runs::data(&rows).map_err(|why| kept(why, &[], "all claims"))?;
    let data: Data = cells.iter().copied().zip(measured).collect();
    let readings = reading::run(&all, &base, &data, reading::SEEDS, asked.sets);
    let readings = readings.map_err(|why| {
        let decided: Vec<_> = all.iter().map(|c| claim(c, (c.judge)(&data))).collect();
        kept(why, &decided, "how claims move with what the document does not say, and figures")
    })?;
    let judge = |c: &Claim| claim(c, reading::judge(c, &data, &readings));
    Ok(Reproduction {
        claims: all.iter().map(judge).collect(),
        parameters: parameters(&base, asked.seeds, &cells, reading::asked(&all, &base).len()),
        figures: figures::all(&data),
    })
}

/// As all documents' claims are written down.
fn claim(claim: &Claim, judged: Judged) -> shared::Claim {
    let Judged { ours, verdict, reason, sensitivity, .. } = judged;
    let moved = |moved: reading::Moved| shared::Sensitivity {
        what: moved.what.into(),
        value: moved.value.into(),
        ours: moved.ours,
        verdict: moved.verdict,
    };
    shared::Claim {
        id: claim.id,
        claim: claim.claim,
        document: claim.document.into(),
        ours: Some(ours.mean),
        spread: Some(ours.ci95),
        unit: claim.unit,
        verdict,
        reason: format!("{reason}. Rule: {}.", claim.rule),
        sensitivity: sensitivity.into_iter().map(moved).collect(),
    }
}

/// The one set of modelling choices: every key of the base scenario, and what the cells vary.
fn parameters(base: &Sheet, seeds: u32, cells: &[Cell], others: usize) -> Value {
    let keys: serde_json::Map<String, Value> =
        base.settings.iter().map(|s| (s.key.clone(), Value::from(s.value.as_str()))).collect();
    json!({
        "seeds": seeds,
        "settings": cells.len(),
        "sensitivity_seeds": reading::SEEDS,
        "sensitivity_settings": others,
        "base": keys,
        "varied": {
            "one_rack.nodes": cell::ONE_RACK,
            "two_racks.nodes_per_rack": cell::TWO_RACKS,
            "hardware.disk": cell::DISKS.map(|disk| format!("{disk}MB/s")),
            "two_racks.hardware.inter_rack": ["125MB/s, 0.1ms", "1.25GB/s, 1ms"],
            "policy.rereplication": ["default", "ring", "ring-priority", "optimised"],
            "workload.blocks_on_lost_node": "80 * (N - 1), N all nodes",
        },
    })
}

//! What HDFS says of its results: a page of its own, of copies of blocks.
use crate::simulation::{Hdfs, Kept};
use crate::{about, files};
use cluster::{Hardware, InterRack, Setting};
use hdfs_reading::sentences::verdict;
use hdfs_reading::{Assumption, Context, Run, Stat, VariantRuns};
use hdfs_scenario::Scenario;
use page::{Page, Sentence, say};
use serde_json::{Map, Value, json};
use system::assumed::Tried;
use system::console::spaced;
use system::lab::{RowRuns, SeedRun};
use system::vary::Set;
use system::words::{Case, More, Words};
use system::{execution, hot};

impl Words for Hdfs {
    fn verdict(&self, case: &Case<'_>) -> Sentence {
        verdict::verdict(&context(case), &variant(&case.rows[0]))
    }

    fn own(&self, case: &Case<'_>) -> Option<(Page, String)> {
        let variants: Vec<VariantRuns> = case.rows.iter().map(variant).collect();
        let context = context(case);
        let rows = hdfs_reading::compare(&context.settings, &variants);
        let mut page = files::linked(hdfs_reading::page(&context, &variants, &rows, case.trace));
        let hot = hot::told(case).done();
        if !hot.is_empty() {
            page.head.verdict.extend(say(" ").done().into_iter().chain(hot))
        }
        let page = case.parallel.iter().map(execution::section).fold(page, Page::with);
        let text = hdfs_reading::text(&page, &rows);
        Some((page, text))
    }

    fn takes_advice(&self) -> bool {
        false
    }

    fn more(&self, of: More<'_>) -> Map<String, Value> {
        let all = match of {
            More::Scenario(sheet) => json!({ "block_map": about::block_map(Scenario::of(sheet)) }),
            More::Row(row) => row_json(&variant(row)),
            More::Run(run) => json!({ "attribution": Kept::of(run).run.attribution.shares }),
        };
        match all {
            Value::Object(all) => all,
            _ => Map::new(),
        }
    }
}

fn context(case: &Case<'_>) -> Context {
    let scenario = Scenario::of(case.sheet);
    let RowRuns { name, set, .. } = &case.rows[0];
    let assumption = |tried: &Tried| assumption(tried, (name, set), &scenario.hardware);
    let assumptions = case.assumed.tried.iter().map(assumption).collect();
    let blocks = Kept::of(&case.rows[0].runs[0]).blocks;
    about::context(scenario, blocks, case.trace_hash, assumptions)
}

/// A row as HDFS's page reads it.
pub(crate) fn variant(row: &RowRuns) -> VariantRuns {
    // Replays add figures to those that a run has by itself.
    let run =
        |run: &SeedRun| Run { metrics: run.reading.metrics.clone(), ..Kept::of(run).run.clone() };
    VariantRuns {
        name: row.name.clone(),
        set: row.set.clone(),
        runs: row.runs.iter().map(run).collect(),
    }
}

/// A key that no input says, as HDFS's page calls it, and its runs under the row of this name.
pub(crate) fn assumption(
    tried: &Tried,
    (row, set): (&str, &[Set]),
    hardware: &Hardware,
) -> Assumption {
    let Tried { setting, half, double } = tried;
    let of_row =
        |runs: &RowRuns| VariantRuns { name: row.into(), set: set.into(), ..variant(runs) };
    Assumption {
        name: name(&setting.key, hardware),
        value: value(setting, hardware),
        key: setting.key.clone(),
        half: half.iter().map(of_row).collect(),
        double: double.iter().map(of_row).collect(),
    }
}

fn name(key: &str, hardware: &Hardware) -> String {
    let word = match key {
        "hardware.disk" => "Disk",
        "hardware.disks_per_node" => "Disks per node",
        "hardware.nic" => "NIC",
        "hardware.nic_latency" => "Latency in a rack",
        "hardware.inter_rack" if hardware.inter_rack_kind == InterRack::OneLink => {
            "Inter-rack link"
        }
        "hardware.inter_rack" => "Rack uplink",
        "hardware.inter_rack_latency" => "Latency between racks",
        other => other,
    };
    word.to_string()
}

fn value(setting: &Setting, hardware: &Hardware) -> String {
    match setting.key.as_str() {
        "hardware.disk" if hardware.disks_per_node > 1 => {
            format!("{} × {}", spaced(&setting.value), hardware.disks_per_node)
        }
        _ => spaced(&setting.value),
    }
}

/// How many seeds became safe, and how likely blocks are lost.
fn row_json(variant: &VariantRuns) -> Value {
    let safe: Vec<f64> = variant.runs.iter().filter_map(Run::recovery_s).collect();
    let stat: Option<Stat> = (!safe.is_empty()).then(|| hdfs_reading::stat(&safe));
    json!({
        "safe": { "seeds": safe.len(), "recovery_s": stat },
        "loss": hdfs_reading::loss::loss(variant),
    })
}

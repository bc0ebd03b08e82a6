//! `tenbin check SCENARIO`
use crate::failure::Failure;
use crate::{console, interrupt, job, room};
use hdfs_scenario::Blocks;
use serde_json::json;
use system::args::Check;

/// Prints every key, its value, and where it came from.
pub(super) fn check(args: Check) -> Result<(), Failure> {
    interrupt::at_once(true);
    let scenario = job::read(&args.scenario, &job::sets(&args.sets)?)?;
    if let Blocks::Parquet { .. } = scenario.blocks {
        job::blocks(&scenario, 0)?;
    }
    if !args.json {
        let memory = room::Need::of(&scenario)
            .map_or(String::new(), |need| format!("{}\n", need.footprint()));
        return console::text(&format!("{}{memory}", hdfs_scenario::check::render(&scenario)));
    }
    let settings: Vec<serde_json::Value> = scenario
        .settings
        .iter()
        .map(|s| json!({"key": s.key, "value": s.value, "origin": s.origin.to_string()}))
        .collect();
    let assumed: Vec<&str> = scenario.assumed().map(|s| s.key.as_str()).collect();
    let rows: Vec<serde_json::Value> = scenario
        .variants
        .iter()
        .map(|v| json!({"name": v.name, "set": job::set_json(&v.set)}))
        .collect();
    console::json(&json!({
        "scenario": scenario.file,
        "hash": scenario.hash,
        "settings": settings,
        "assumed": assumed,
        "notes": hdfs_scenario::notes::notes(&scenario),
        "rows": rows,
    }))
}

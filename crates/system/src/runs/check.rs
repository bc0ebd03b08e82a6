//! `tenbin check SCENARIO`.
use crate::args::Check;
use crate::failure::Failure;
use crate::lab::ScenarioText;
use crate::provenance::set_json;
use crate::{console, interrupt, vary};
use cluster::{Setting, listing};
use serde_json::{Value, json};

/// Prints every key, its value, and its origin.
pub fn check(scenario: ScenarioText, args: Check) -> Result<(), Failure> {
    interrupt::exit_at_once(true);
    let (lab, sheet) = (scenario.lab, scenario.sheet(&vary::sets(&args.sets)?)?);
    if lab.shares(&sheet).is_some() {
        lab.load(&sheet, 0)?;
    }
    let about = lab.about(&sheet);
    if !args.json {
        let memory = lab.footprint(&sheet).map_or(String::new(), |need| format!("{need}\n"));
        return console::text(&format!("{}{memory}", listing::scenario(&sheet, &about)));
    }
    let setting =
        |s: &Setting| json!({"key": s.key, "value": s.value, "origin": s.origin.to_string()});
    let rows: Vec<Value> =
        sheet.variants.iter().map(|v| json!({"name": v.name, "set": set_json(&v.set)})).collect();
    console::json(&json!({
        "system": sheet.vocabulary().system,
        "scenario": sheet.file,
        "hash": sheet.hash,
        "settings": sheet.settings.iter().map(setting).collect::<Vec<_>>(),
        "assumed": sheet.assumed().map(|s| s.key.as_str()).collect::<Vec<_>>(),
        "notes": about.notes,
        "rows": rows,
    }))
}

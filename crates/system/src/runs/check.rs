//! `tenbin check SCENARIO`, of any system.
use crate::args::Check;
use crate::failure::Failure;
use crate::footprint::Footprint;
use crate::lab::Lab;
use crate::provenance::set_json;
use crate::{console, interrupt, vary};
use cluster::{Setting, Sheet, listing};
use serde_json::{Value, json};

/// Prints every key, its value, and where it came from.
pub(super) fn check(lab: Lab, args: Check) -> Result<(), Failure> {
    interrupt::at_once(true);
    let sheet = lab.read(&args.scenario, &vary::sets(&args.sets)?)?;
    if !args.json {
        let need = lab.footprint(&sheet).filter(Footprint::is_large);
        let memory = need.map_or(String::new(), |need| format!("\n{need}\n"));
        return console::text(&format!("{}{memory}", text(&sheet)));
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
        "rows": rows,
    }))
}

fn text(sheet: &Sheet) -> String {
    let system = sheet.vocabulary().system;
    let mut out = format!("{}: {system}\nscenario {}\n\n", sheet.file.display(), sheet.hash);
    out += &listing::settings(&sheet.settings);
    out += &listing::assumed(sheet.assumed());
    out + &listing::rows(&sheet.variants)
}

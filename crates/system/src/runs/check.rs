//! `tenbin check SCENARIO`, of any system.
use crate::args::Check;
use crate::failure::Failure;
use crate::lab::Lab;
use crate::provenance::set_json;
use crate::{interrupt, say, vary};
use cluster::{Setting, Sheet};
use serde_json::{Value, json};
use std::fmt::Write;

/// Prints every key, its value, and where it came from.
pub(super) fn check(lab: Lab, args: Check) -> Result<(), Failure> {
    interrupt::at_once(true);
    let sheet = lab.read(&args.scenario, &vary::sets(&args.sets)?)?;
    if !args.json {
        return say::text(&text(&sheet));
    }
    let setting =
        |s: &Setting| json!({"key": s.key, "value": s.value, "origin": s.origin.to_string()});
    let rows: Vec<Value> =
        sheet.variants.iter().map(|v| json!({"name": v.name, "set": set_json(&v.set)})).collect();
    say::json(&json!({
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
    let width = |of: fn(&Setting) -> usize| sheet.settings.iter().map(of).max().unwrap_or(0);
    let keys = width(|s| s.key.chars().count());
    let values = width(|s| s.value.chars().count()).min(40);
    for s in &sheet.settings {
        let _ = writeln!(out, "{:<keys$}  {:<values$}  {}", s.key, s.value, s.origin);
    }
    let assumed: Vec<&str> = sheet.assumed().map(|s| s.key.as_str()).collect();
    if !assumed.is_empty() {
        let _ = writeln!(out, "\n! Not in your files, assumed: {}", assumed.join(", "));
    }
    out += "\nrows of `tenbin compare`\n";
    let names = sheet.variants.iter().map(|v| v.name.chars().count()).max().unwrap_or(0);
    for variant in &sheet.variants {
        let sets: Vec<String> = variant.set.iter().map(|(k, v)| format!("{k}={v}")).collect();
        let row = format!("  {:<names$}  {}", variant.name, sets.join(" "));
        let _ = writeln!(out, "{}", row.trim_end());
    }
    out
}

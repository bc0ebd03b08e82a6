//! `tenbin list WHAT`
use crate::cli::List;
use crate::failure::Failure;
use crate::{console, names};
use serde_json::json;

pub fn list(args: List) -> Result<(), Failure> {
    let all = names::of(args.what);
    if args.json {
        let rows: Vec<serde_json::Value> =
            all.iter().map(|n| json!({"name": n.name, "what": n.what})).collect();
        return console::json(&json!({ "names": rows }));
    }
    let width = all.iter().map(|n| n.name.chars().count()).max().unwrap_or(0);
    let rows: Vec<String> = all
        .iter()
        .map(|n| format!("{:<width$}  {}", n.name, n.what).trim_end().to_string() + "\n")
        .collect();
    console::text(&rows.concat())
}

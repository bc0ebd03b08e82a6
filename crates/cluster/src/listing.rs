//! Settings and rows as `tenbin check` lists them.
use crate::{Setting, Variant};
use std::fmt::Write;

/// Values longer than this do not widen their column.
const WIDEST: usize = 40;

/// Keys, values and where each came from, a line each.
pub fn settings<'s>(settings: impl IntoIterator<Item = &'s Setting> + Clone) -> String {
    let width = |of: fn(&Setting) -> usize| settings.clone().into_iter().map(of).max().unwrap_or(0);
    let keys = width(|s| s.key.chars().count());
    let values = width(|s| s.value.chars().count()).min(WIDEST);
    let mut out = String::new();
    for s in settings {
        let _ = writeln!(out, "{:<keys$}  {:<values$}  {}", s.key, s.value, s.origin);
    }
    out
}

/// What no file says; nothing where all is said.
pub fn assumed<'s>(settings: impl IntoIterator<Item = &'s Setting>) -> String {
    let keys: Vec<&str> = settings.into_iter().map(|s| s.key.as_str()).collect();
    match keys[..] {
        [] => String::new(),
        _ => format!("\n! Not in your files, assumed: {}\n", keys.join(", ")),
    }
}

/// The rows of `tenbin compare`, each with what it sets.
pub fn rows(variants: &[Variant]) -> String {
    let mut out = String::from("\nrows of `tenbin compare`\n");
    let names = variants.iter().map(|v| v.name.chars().count()).max().unwrap_or(0);
    for variant in variants {
        let sets: Vec<String> = variant.set.iter().map(|(k, v)| format!("{k}={v}")).collect();
        let row = format!("  {:<names$}  {}", variant.name, sets.join(" "));
        let _ = writeln!(out, "{}", row.trim_end());
    }
    out
}

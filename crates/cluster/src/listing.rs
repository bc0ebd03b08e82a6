//! Text of `tenbin check`: settings and rows.
use crate::{Setting, Sheet, Variant};
use std::fmt::Write;

/// A system's additions to the listing.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct About {
    pub what: String,
    pub more: String,
    pub notes: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SettingUse {
    Used,
    /// The real system has it; the model ignores it.
    NotModelled,
    /// The real system has no key of this name.
    Foreign,
}

pub fn setting_use(sheet: &Sheet, setting: &Setting) -> SettingUse {
    let vocabulary = sheet.vocabulary();
    let name = setting.key.split_once('.').map_or("", |(_, name)| name);
    match vocabulary.find(&setting.key) {
        Some(key) if (vocabulary.is_read)(&sheet.values, key) => SettingUse::Used,
        None if !(vocabulary.is_own)(name) => SettingUse::Foreign,
        _ => SettingUse::NotModelled,
    }
}

/// Lists every key with value and origin.
pub fn scenario(sheet: &Sheet, about: &About) -> String {
    let (file, vocabulary) = (sheet.file.display(), sheet.vocabulary());
    let mut out = format!("{file}: {}\nscenario {}\n{}\n", about.what, sheet.hash, about.more);
    let of = |wanted: SettingUse| -> Vec<&Setting> {
        sheet.settings.iter().filter(|setting| setting_use(sheet, setting) == wanted).collect()
    };
    out += &settings(of(SettingUse::Used));
    for (fate, title) in [
        (SettingUse::NotModelled, "not modelled (read, but without effect)".to_string()),
        (SettingUse::Foreign, format!("not keys of {} (without effect)", vocabulary.system)),
    ] {
        let others = of(fate);
        if !others.is_empty() {
            out += &format!("\n{title}\n");
            out += &settings(others);
        }
    }
    out += &assumed(sheet.assumed());
    for note in &about.notes {
        let _ = writeln!(out, "\n! {note}");
    }
    out + &rows(&sheet.variants)
}

/// Longer values do not widen their column.
const WIDEST: usize = 40;

fn settings<'s>(settings: impl IntoIterator<Item = &'s Setting> + Clone) -> String {
    let width = |of: fn(&Setting) -> usize| settings.clone().into_iter().map(of).max().unwrap_or(0);
    let keys = width(|s| s.key.chars().count());
    let values = width(|s| s.value.chars().count()).min(WIDEST);
    let mut out = String::new();
    for s in settings {
        let _ = writeln!(out, "{:<keys$}  {:<values$}  {}", s.key, s.value, s.origin);
    }
    out
}

/// Keys with assumed values; empty: none.
pub fn assumed<'s>(settings: impl IntoIterator<Item = &'s Setting>) -> String {
    let keys: Vec<&str> = settings.into_iter().map(|s| s.key.as_str()).collect();
    match keys[..] {
        [] => String::new(),
        _ => format!("\n! Not in your files, assumed: {}\n", keys.join(", ")),
    }
}

/// Rows of `tenbin compare`, with their settings.
fn rows(variants: &[Variant]) -> String {
    let mut out = String::from("\nrows of `tenbin compare`\n");
    let names = variants.iter().map(|v| v.name.chars().count()).max().unwrap_or(0);
    for variant in variants {
        let sets: Vec<String> = variant.set.iter().map(|(k, v)| format!("{k}={v}")).collect();
        let row = format!("  {:<names$}  {}", variant.name, sets.join(" "));
        let _ = writeln!(out, "{}", row.trim_end());
    }
    out
}

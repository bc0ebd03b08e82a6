//! `docs/scenario.md`, from the table.
use super::{Absent, Key, all};

/// The page above its tables.
const HEAD: &str = include_str!("head.md");

/// The page.
pub fn markdown() -> String {
    let mut page = HEAD.to_string();
    let mut table = "";
    for key in all() {
        let (its_table, name) = place(key);
        if its_table != table {
            table = its_table;
            let brackets = if matches!(table, "event" | "variant") { 2 } else { 1 };
            let title = format!("{}{table}{}", "[".repeat(brackets), "]".repeat(brackets));
            page += &format!("\n## `{title}`\n\n| key | takes | when absent | meaning |\n");
            page += "|---|---|---|---|\n";
        }
        page += &row(key, name);
    }
    page
}

/// Its table, which may stand in another, and its name there.
fn place(key: &Key) -> (&str, &str) {
    const BALANCER: &str = "workload.balancer";
    match key.name.strip_prefix(BALANCER) {
        Some(name) => (BALANCER, &name[1..]),
        None => key.name.split_once('.').expect("table.key"),
    }
}

fn row(key: &Key, name: &str) -> String {
    let absent = match key.absent {
        Absent::Required if key.name.starts_with("cluster") || key.name.starts_with("workload") => {
            "an error, unless imported".to_string()
        }
        Absent::Required => "an error".to_string(),
        Absent::Nothing => "–".to_string(),
        Absent::Default(text) | Absent::DefaultBy(text, _) => format!("`{text}`"),
        Absent::Assumed(text) => format!("`{text}`, *assumed*"),
        Absent::Derived(rule, _) => rule.to_string(),
    };
    let source = match key.source {
        "" => String::new(),
        source => format!(" ({source})"),
    };
    format!("| `{name}` | {} | {absent} | {}{source} |\n", key.kind, key.doc)
}

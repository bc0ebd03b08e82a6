//! `docs/scenario.md`, from the table.
use super::{Absent, Key, all};

const HEAD: &str = "\
# Keys of a scenario

This page is made from the table that validates scenarios (`crates/cluster/src/keys`); a test holds
it to that. `tenbin check SCENARIO.toml` prints every key with its value and where it came from.

MB = 10⁶ bytes, MiB = 2²⁰, Mbit = 10⁶ bit; a rate ends with `/s`. `--set TABLE.KEY=VALUE` replaces
one value: all after the first dot is one key. A value that no input gives is a *default* (documented)
or *assumed* (a guess that matters: it stands beside the verdict, with what half and double would do).
A line marked `# ASSUMED` counts as assumed until its value is edited.

`[compare]` lists values of any keys below: `\"policy.rereplication\" = [\"default\", \"ring\"]`. Several
lists are multiplied out. Each `[[variant]]` adds one row of its own. The first row is always the
scenario as it stands.

Keys of `[hdfs-site]` have their real names, in quotes, and Hadoop's own suffixes (128m = 2²⁷). Those
that are not in the table below are accepted and listed as *not modelled*; old names of modelled
keys are read as their new ones. Under `hdfs1` pacing Hadoop 1.x's defaults count: blocks of 64m, and one
limit of streams (the hard limit is `max-streams`).
";

/// The page.
pub fn markdown() -> String {
    let mut page = HEAD.to_string();
    let mut table = "";
    for key in all() {
        let (its_table, name) = key.name.split_once('.').expect("table.key");
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

fn row(key: &Key, name: &str) -> String {
    let absent = match key.absent {
        Absent::Required if key.name.starts_with("cluster") || key.name.starts_with("workload") => {
            "an error, unless imported".to_string()
        }
        Absent::Required => "an error".to_string(),
        Absent::Nothing => "–".to_string(),
        Absent::Default(text) => format!("`{text}`"),
        Absent::Assumed(text) => format!("`{text}`, *assumed*"),
        Absent::Derived(rule) => rule.to_string(),
    };
    let source = match key.source {
        "" => String::new(),
        source => format!(" ({source})"),
    };
    format!("| `{name}` | {} | {absent} | {}{source} |\n", key.kind, key.doc)
}

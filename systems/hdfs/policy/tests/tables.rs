//! Hand-drawn clusters and the decisions of every policy: `tables/*.txt`.
//!
//! Empty lines separate cases. A case is `case`, its title, the drawing, then answers that start
//! with `=`. `TENBIN_BLESS=1 cargo test -p hdfs-policy` rewrites the answers: review the
//! difference.
use hdfs_policy::placement::{place_new_block, rack_rule_met};
use hdfs_policy::rereplication::{Rereplication, registry};
use std::{fs, path::Path};

use crate::drawn::Case;

#[test]
fn answers_are_as_drawn() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tables");
    let files = fs::read_dir(&folder).expect("tests/tables").map(|entry| entry.unwrap().path());
    let mut seen = 0;
    for file in files {
        let text = fs::read_to_string(&file).expect("a table");
        let answered = answer(&text);
        seen += 1;
        if std::env::var_os("TENBIN_BLESS").is_some() {
            fs::write(&file, &answered).expect("writable");
        } else {
            assert_eq!(answered, text, "{}: TENBIN_BLESS=1, then read it", file.display());
        }
    }
    assert!(seen >= 4, "{seen} tables");
}

/// The table with new answers.
fn answer(text: &str) -> String {
    let blocks = text.trim_end().split("\n\n").map(|block| {
        let lines: Vec<&str> = block.lines().filter(|line| !line.starts_with('=')).collect();
        let drawing: Vec<&str> =
            lines.iter().copied().filter(|line| !line.starts_with(['#', ' '])).collect();
        let mut out = lines.join("\n");
        if let Some((title, drawing)) = drawing.split_first() {
            assert!(title.starts_with("case "), "{title}: a case starts with `case`");
            out += &decide(&Case::read(drawing));
        }
        out
    });
    blocks.collect::<Vec<_>>().join("\n\n") + "\n"
}

fn decide(case: &Case) -> String {
    if let Some(replicas) = case.replicas {
        return placed(case, replicas);
    }
    let mut out = String::new();
    if !rack_rule_met(case.live(), case.view(), 3) && !case.live().is_empty() {
        out += "\n= (rack rule broken)";
    }
    for policy in registry::all() {
        let answers = run(case, policy.as_ref()).join(", ");
        out += &format!("\n= {:24}  {answers}", policy.name());
    }
    out
}

fn run(case: &Case, policy: &dyn Rereplication) -> Vec<String> {
    let (mut memory, mut dice) = (case.memory(), case.dice());
    let blocks: Vec<_> = (0..case.times).map(|number| case.block(number)).collect();
    policy.plan(&blocks, case.view(), &mut memory);
    let decide = |block| match policy.repair(block, case.view(), &mut memory, &mut dice) {
        Ok(copy) => format!("{} -> {}", case.name(copy.source), case.name(copy.target)),
        Err(refused) => case.refusal(refused),
    };
    blocks.iter().map(decide).collect()
}

fn placed(case: &Case, replicas: u16) -> String {
    let bytes = case.block(0).bytes;
    let nodes = place_new_block(case.writer, replicas, bytes, case.view(), &mut case.dice());
    let names: Vec<String> = nodes.iter().map(|&id| case.name(id)).collect();
    let rule =
        if rack_rule_met(&nodes, case.view(), replicas) { "" } else { "  (rack rule broken)" };
    format!("\n= {}{rule}", names.join(" "))
}

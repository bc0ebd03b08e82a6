use super::quote::quote;
use super::{Imported, ImportedBlocks, nodes};
use crate::Synthesis;
use crate::keys::{self, KeyDefault};
use std::fmt::Write;

const HEAD: &str = "\
# A real cluster, written by `tenbin import hdfs`. Name it in a scenario:
#   [cluster]
#   import = \"THIS FILE\"
";

/// Formats the file; [`read_str`](super::read_str) is the inverse.
pub fn write(imported: &Imported) -> String {
    let mut out = HEAD.to_string();
    let cluster = &imported.cluster;
    let _ = writeln!(out, "\n[cluster]\nname = {}", quote(&cluster.name));
    let _ = writeln!(out, "date = {}", quote(&imported.date));
    let _ = writeln!(out, "sources = {}", list(&imported.sources));
    if let Some(namenode) = &imported.namenode {
        let _ = writeln!(out, "namenode = {}", quote(namenode));
    }
    if let Some(hadoop) = &imported.hadoop {
        let _ = writeln!(out, "hadoop = {}", quote(hadoop));
    }
    if !imported.finals.is_empty() {
        out +=
            "# <final>true</final> in the site file: a second property of that name is ignored\n";
        let _ = writeln!(out, "final = {}", list(&imported.finals));
    }
    if !imported.site_names.is_empty() {
        out += "# the site file has these by an old name, which Hadoop reads, too\n";
        let _ = writeln!(out, "site_names = {}", list(&imported.site_names));
    }
    let racks: Vec<String> = cluster.racks.iter().map(|rack| rack.name.clone()).collect();
    let _ = writeln!(out, "rack_names = {}", list(&racks));
    out += "nodes = [\n";
    let held = match &imported.blocks {
        Some(ImportedBlocks::Synthesised(synthesis)) => synthesis.held.as_slice(),
        _ => &[],
    };
    for (at, node) in cluster.nodes.iter().enumerate() {
        let _ = writeln!(out, "  {},", nodes::write(node, &racks, held.get(at)));
    }
    out += "]\n";
    out += &hardware(imported);
    out += "\n[hdfs-site]                          # other keys have HDFS 3.4's defaults\n";
    for (key, value) in &imported.hdfs_site {
        let _ = writeln!(out, "{} = {}", quote(key), quote(value));
    }
    match &imported.blocks {
        Some(ImportedBlocks::File(blocks)) => {
            let _ = writeln!(out, "\n[blocks]\nfile = {}", quote(&blocks.file));
            let _ = writeln!(out, "sha256 = {}", quote(&blocks.sha256));
            let _ = writeln!(out, "blocks = {}\nreplicas = {}", blocks.blocks, blocks.replicas);
        }
        Some(ImportedBlocks::Synthesised(synthesis)) => out += &synthesised(synthesis),
        None => {}
    }
    out
}

fn synthesised(synthesis: &Synthesis) -> String {
    const LEFT: usize = 36;
    let said = |left: &str, comment: &str| format!("{left:<LEFT$} # {comment}");
    let first = said("[blocks]", "SYNTHESISED: no input lists the blocks, so the map is");
    let second =
        said("synthesised = true", "drawn for each seed to match the nodes' blocks and used");
    let Synthesis { blocks, under_replicated, groups, coded, .. } = synthesis;
    let mut out =
        format!("\n{first}\n{second}\nblocks = {blocks}\nreplicas = {}\n", synthesis.replicas());
    let _ = writeln!(out, "under_replicated = {under_replicated}");
    if *groups > 0 {
        let _ = writeln!(out, "groups = {groups}\ndata = {}\nparity = {}", coded.0, coded.1);
    }
    out
}

fn hardware(imported: &Imported) -> String {
    let mut out = String::from(
        "\n[hardware]                           # in no Hadoop tool's output: set what you know\n",
    );
    for found in &imported.hardware {
        let key = keys::find(&format!("hardware.{}", found.key));
        let value = literal(key.is_some_and(|k| k.kind.bare()), &found.value);
        let _ = writeln!(out, "{:<36} # from {}", format!("{} = {value}", found.key), found.source);
    }
    for key in keys::all() {
        let Some(name) = key.name.strip_prefix("hardware.") else { continue };
        let KeyDefault::Assumed(value) = key.absent else { continue };
        if imported.hardware.iter().all(|found| found.key != name) {
            let value = literal(key.kind.bare(), value);
            let _ = writeln!(out, "{:<36} # ASSUMED", format!("{name} = {value}"));
        }
    }
    out
}

fn literal(bare: bool, value: &str) -> String {
    if bare { value.to_string() } else { quote(value) }
}

fn list(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|t| quote(t)).collect();
    format!("[{}]", texts.join(", "))
}

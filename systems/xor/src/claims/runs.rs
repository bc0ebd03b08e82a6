//! Runs that the claims share: the document's machines.
use crate::XOR;
use std::path::Path;
use system::Failure;
use system::lab::{Lab, Row};

/// FDR InfiniBand carries 54.5 of its 56 Gbit/s as data; packets of 4 KB; xor at 6 GB/s on one
/// core (figure 4). A block costs the core nothing besides: the document bypasses the CPU. The
/// latency it does not give.
pub const BASE: &str = "[model]\nsystem = \"xor\"\n[cluster]\nnodes = 3\n\
    [network]\nrate = \"54.5Gbit/s\"\nlatency = \"2us\"\nmtu = \"4096B\"\n\
    [node]\nxor_rate = \"6000MB/s\"\nblock_time = \"0us\"\n\
    [workload]\nbytes = \"64MiB\"\nblock = \"16KiB\"\n";

/// What a run sets besides the base.
pub type Sets = Vec<(String, String)>;

/// So many nodes and clients, a schedule, blocks, and what else is set.
pub fn at(nodes: u32, clients: u32, schedule: &str, block: &str, more: &[(&str, &str)]) -> Sets {
    let own = [
        ("cluster.nodes", nodes.to_string()),
        ("cluster.clients", clients.to_string()),
        ("policy.schedule", schedule.to_string()),
        ("workload.block", block.to_string()),
    ];
    let own = own.into_iter().map(|(key, value)| (key.to_string(), value));
    own.chain(more.iter().map(|(key, value)| (key.to_string(), value.to_string()))).collect()
}

/// Goodput of each \[Mbit/s\]: they have no chance in them, so one seed says all.
pub fn goodputs(all: &[Sets], over: &[(String, String)]) -> Result<Vec<f64>, Failure> {
    let lab = Lab::of(&XOR)?;
    let mut rows = Vec::new();
    for sets in all {
        let set: Sets = sets.iter().chain(over).cloned().collect();
        let sheet = lab.read_text(BASE, Path::new("s2.toml"), &set)?;
        rows.push(Row { name: format!("{sets:?}"), set, sheet })
    }
    let done = lab.run(&rows, &[1], false, "reproduce s2")?;
    system::interrupt::check()?;
    let value = |row: &system::lab::RowRuns| row.values().and_then(|all| all.first().copied());
    Ok(done.rows.iter().map(|row| value(row).expect("each run has its rate")).collect())
}

//! The cluster file that an import writes: what the dumps say, and nothing else.
use super::dump::{Dump, Host, Pipeline};
use std::fmt::Write;

/// The file; `disks`: the most volumes of a node, where something tells them.
pub fn text(dump: &Dump, disks: Option<usize>) -> String {
    let names: Vec<String> = dump.hosts.iter().map(Host::short).collect();
    let open = |(of, leader): &Pipeline| {
        let [a, b, c] = of;
        format!("{a}-{b}-{c}:{leader}")
    };
    let open: Vec<String> = dump.pipelines.iter().map(open).collect();
    let mut out = String::from("# Written by `tenbin import ozone`.\n");
    let _ = write!(
        out,
        "[model]\nsystem = \"ozone\"\n\n[cluster]\nnodes = {}\nhosts = \"{}\"\n\
         pipelines = \"{}\"\n",
        names.len(),
        names.join(" "),
        open.join(" ")
    );
    racks(&mut out, &dump.hosts);
    if dump.hosts.iter().any(|host| host.coded > 0) {
        let coded: Vec<String> = dump.hosts.iter().map(|host| host.coded.to_string()).collect();
        let _ = writeln!(out, "erasure_coded = \"{}\"", coded.join(" "));
    }
    if let Some(disks) = disks {
        let _ = write!(out, "\n[hardware]\ndisks_per_node = {disks}\n");
    }
    let _ = write!(
        out,
        "\n[ozone-site]\n# No dump says it: the most pipelines that a node is in.\n\
         \"ozone.scm.datanode.pipeline.limit\" = {}\n\n[policy]\npipeline = \"as-imported\"\n",
        most(dump)
    );
    out
}

/// The rack of each node, where there are several.
fn racks(out: &mut String, hosts: &[Host]) {
    let mut racks: Vec<&str> = hosts.iter().map(|host| host.rack.as_str()).collect();
    racks.sort_unstable();
    racks.dedup();
    if racks.len() > 1 {
        let place = |host: &Host| racks.binary_search(&host.rack.as_str()).expect("one of them");
        let of: Vec<String> = hosts.iter().map(|host| place(host).to_string()).collect();
        let _ = writeln!(out, "racks = {}\nrack_of = \"{}\"", racks.len(), of.join(" "));
    }
}

/// The most pipelines that a node is in: the limit is that at least.
pub fn most(dump: &Dump) -> u32 {
    let mut counts = vec![0u32; dump.hosts.len()];
    dump.pipelines.iter().flat_map(|(of, _)| of).for_each(|&node| counts[node] += 1);
    counts.into_iter().max().unwrap_or(0).max(1)
}

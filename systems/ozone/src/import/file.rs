//! Writes a cluster file with what the dumps contain, and nothing else.
use super::dump::{Dump, Host, Pipeline};
use super::site::{Site, quoted, written};
use std::fmt::Write;

const LIMIT: &str = "ozone.scm.datanode.pipeline.limit";
/// Default since Ozone 2.2 (ozone-default.xml 2.2).
const LIMIT_BY_DEFAULT: u32 = 2;

/// `disks`: most volumes of a node; `None`: unknown. `version`: the line with the version.
pub fn text(dump: &Dump, disks: Option<usize>, site: Option<&Site>, version: &str) -> String {
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
    hardware(&mut out, disks, site);
    let _ = write!(out, "\n[ozone]\n{version}\n[ozone-site]\n");
    if let Some(limit) = assumed_limit(dump, site) {
        let why = "# In no file: the most pipelines of a node.";
        let _ = writeln!(out, "{why}\n\"{LIMIT}\" = {limit}");
    }
    let of_site = site.iter().flat_map(|site| site.settings.iter().chain(&site.others));
    for (key, value) in of_site {
        let _ = writeln!(out, "{} = {}", quoted(key), written(value));
    }
    out += "\n[policy]\npipeline = \"as-imported\"\n";
    for class in site.iter().flat_map(|site| &site.policies) {
        let name = class.policy.trim_start_matches("policy.");
        if name != "pipeline" {
            let _ = writeln!(out, "{name} = \"{}\" # {}", class.name, class.key);
        }
    }
    out
}

fn hardware(out: &mut String, disks: Option<usize>, site: Option<&Site>) {
    let disks = disks.or(site.and_then(|site| site.disks));
    if disks.is_some() || site.is_some() {
        *out += "\n[hardware]\n"
    }
    if let Some(disks) = disks {
        let _ = writeln!(out, "disks_per_node = {disks}");
    }
    if let Some(site) = site {
        let logs = disks.map_or(site.log_disks, |disks| site.log_disks.min(disks));
        let _ = writeln!(out, "log_disks = {logs}");
    }
}

/// Assumed limit: the largest number of pipelines of a node. `None`: a file sets the limit, or the
/// default suffices.
pub fn assumed_limit(dump: &Dump, site: Option<&Site>) -> Option<u32> {
    let most = most(dump);
    match site {
        Some(site) if site.settings.iter().any(|(key, _)| key == LIMIT) => None,
        Some(_) if most <= LIMIT_BY_DEFAULT => None,
        _ => Some(most),
    }
}

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

/// Largest number of pipelines of a node, a lower bound of the limit.
fn most(dump: &Dump) -> u32 {
    let mut counts = vec![0u32; dump.hosts.len()];
    dump.pipelines.iter().flat_map(|(of, _)| of).for_each(|&node| counts[node] += 1);
    counts.into_iter().max().unwrap_or(0).max(1)
}

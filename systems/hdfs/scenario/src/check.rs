//! What `tenbin check` prints: every key, its value, and where it came from.
use crate::{Blocks, Scenario, keys, notes::notes};
use cluster::{Setting, Topology};
use std::fmt::Write;

/// The whole text.
pub fn render(scenario: &Scenario) -> String {
    let mut out = head(scenario);
    let idle = |key: &str| scenario.balancer.is_none() && keys::is_balancers(key);
    let modelled = |s: &&Setting| {
        s.key.starts_with("event[") || (keys::find(&s.key).is_some() && !idle(&s.key))
    };
    let (known, others): (Vec<&Setting>, Vec<&Setting>) =
        scenario.settings.iter().partition(modelled);
    out += &table(&known);
    if !others.is_empty() {
        out += "\nnot modelled (read, and without effect)\n";
        out += &table(&others);
    }
    let assumed: Vec<&str> = scenario.assumed().map(|s| s.key.as_str()).collect();
    if !assumed.is_empty() {
        let _ = writeln!(out, "\n! Not in your files, assumed: {}", assumed.join(", "));
    }
    for note in notes(scenario) {
        let _ = writeln!(out, "\n! {note}");
    }
    out + &rows(scenario)
}

fn rows(scenario: &Scenario) -> String {
    let mut out = String::from("\nrows of `tenbin compare`\n");
    let names = scenario.variants.iter().map(|v| v.name.chars().count()).max().unwrap_or(0);
    for variant in &scenario.variants {
        let sets: Vec<String> = variant.set.iter().map(|(k, v)| format!("{k}={v}")).collect();
        let row = format!("  {:<names$}  {}", variant.name, sets.join(" "));
        let _ = writeln!(out, "{}", row.trim_end());
    }
    out
}

fn head(scenario: &Scenario) -> String {
    let cluster = &scenario.cluster;
    let mut out = format!("{}: {} nodes", scenario.file.display(), cluster.nodes.len());
    let dead = cluster.nodes.iter().filter(|node| !node.alive).count();
    if dead > 0 {
        let _ = write!(out, " ({dead} dead)");
    }
    let plural = if cluster.racks.len() == 1 { "" } else { "s" };
    let _ = write!(out, " in {} rack{plural}", cluster.racks.len());
    let _ = match &scenario.blocks {
        Blocks::Parquet { path, .. } => write!(out, ", blocks of {}", path.display()),
        Blocks::Synthesised(s) => write!(out, ", {} blocks, their map synthesised", s.blocks),
        Blocks::Drawn(w) => write!(out, ", {} blocks on the lost node", w.blocks_on_lost_node),
        Blocks::Given(map) => write!(out, ", {} blocks", map.len()),
    };
    let _ = writeln!(out, "\nscenario {}", scenario.hash);
    out + &oversubscription(scenario) + "\n"
}

/// How many times the racks' nodes could fill the way between racks.
fn oversubscription(scenario: &Scenario) -> String {
    let topology = Topology::new(&scenario.cluster, &scenario.hardware);
    let worst = topology.racks.iter().filter_map(|rack| Some((rack.oversubscription()?, rack)));
    let Some((ratio, links)) = worst.max_by(|a, b| a.0.total_cmp(&b.0)) else {
        return String::new();
    };
    let rack = &scenario.cluster.racks[links.rack.at()];
    format!(
        "{}: {} NICs of together {} over an uplink of {}: oversubscription {ratio:.1}\n",
        rack.name,
        rack.nodes.len(),
        links.nics,
        links.uplink.unwrap_or_default(),
    )
}

fn table(settings: &[&Setting]) -> String {
    let width = |of: fn(&Setting) -> usize| settings.iter().map(|s| of(s)).max().unwrap_or(0);
    let keys = width(|s| s.key.chars().count());
    let values = width(|s| s.value.chars().count()).min(40);
    let mut out = String::new();
    for s in settings {
        let _ = writeln!(out, "{:<keys$}  {:<values$}  {}", s.key, s.value, s.origin);
    }
    out
}

//! What `tenbin check` prints: every key, its value, and where it came from.
use crate::{Blocks, Scenario, keys, notes::notes};
use cluster::{Setting, Topology, listing};
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
    out += &listing::settings(known);
    if !others.is_empty() {
        out += "\nnot modelled (read, and without effect)\n";
        out += &listing::settings(others);
    }
    out += &listing::assumed(scenario.assumed());
    for note in notes(scenario) {
        let _ = writeln!(out, "\n! {note}");
    }
    out + &listing::rows(&scenario.variants)
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

//! Summary of a scenario in `tenbin check`.
use crate::{Blocks, Scenario, notes::notes};
use cluster::Topology;
use cluster::listing::About;
use std::fmt::Write;

pub fn about(scenario: &Scenario) -> About {
    let (what, more) = (who(scenario), oversubscription(scenario));
    About { what, more, notes: notes(scenario) }
}

fn who(scenario: &Scenario) -> String {
    let cluster = &scenario.cluster;
    let mut out = format!("{} nodes", cluster.nodes.len());
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
    out
}

/// The largest oversubscription of a rack's uplink by its nodes' NICs.
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

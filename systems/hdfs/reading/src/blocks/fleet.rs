//! What the pages of racks, nodes and transfers are made of.
use super::held::share_of;
use crate::report::{Drill, DrillCause, DrillNode, DrillResource, Report};
use page::{Fleet, FleetCause, FleetNode, FleetResource, Operations};
use std::collections::BTreeMap;

/// The columns behind the page.
pub fn fleet(report: &Report) -> Fleet {
    let drill = &report.drill;
    Fleet {
        of: drill.of.clone(),
        since: report.since.clone(),
        tags: report.chart_tags.get("drill").cloned().unwrap_or_default(),
        racks: drill.racks.clone(),
        nodes: drill.nodes.iter().map(node).collect(),
        resources: drill.resources.iter().map(resource).collect(),
        cell_s: drill.cell_s,
        usage: drill.usage.clone(),
        envelopes: drill.envelopes.clone(),
        operations: operations(drill),
        causes: drill.causes.iter().map(cause).collect(),
        waited: drill.blocked.iter().map(|share| share_of(share, None)).collect(),
    }
}

fn node(node: &DrillNode) -> FleetNode {
    FleetNode {
        name: node.name.clone(),
        rack: node.rack,
        alive: node.alive,
        sent_bytes: node.sent_bytes,
        received_bytes: node.received_bytes,
    }
}

fn resource(resource: &DrillResource) -> FleetResource {
    FleetResource {
        name: resource.name.clone(),
        kind: resource.kind,
        node: resource.node,
        rack: resource.rack,
        capacity: resource.capacity,
    }
}

fn cause(cause: &DrillCause) -> FleetCause {
    FleetCause { kind: cause.kind, name: cause.name.clone() }
}

fn operations(drill: &Drill) -> Operations {
    let columns = drill.transfers.clone();
    Operations {
        block: columns.block,
        source: columns.source,
        target: columns.target,
        source_disk: columns.source_disk,
        target_disk: columns.target_disk,
        decided_s: columns.decided_s,
        start_s: columns.start_s,
        end_s: columns.end_s,
        bytes: columns.bytes,
        cause: columns.cause,
        held: columns.held,
    }
}

/// Addresses of racks and nodes, by place.
pub struct Paths {
    racks: Vec<String>,
    nodes: Vec<String>,
}

impl Paths {
    pub fn of(drill: &Drill) -> Paths {
        let nodes: Vec<&str> = drill.nodes.iter().map(|node| node.name.as_str()).collect();
        let racks: Vec<&str> = drill.racks.iter().map(String::as_str).collect();
        Paths { racks: written(&racks), nodes: written(&nodes) }
    }

    pub fn rack(&self, place: u32) -> String {
        format!("rack/{}", self.racks[place as usize])
    }

    pub fn node(&self, place: u32) -> String {
        format!("node/{}", self.nodes[place as usize])
    }
}

/// What addresses say for places: their names, or the number where names repeat.
fn written(names: &[&str]) -> Vec<String> {
    let mut times: BTreeMap<&str, u32> = BTreeMap::new();
    names.iter().for_each(|name| *times.entry(name).or_default() += 1);
    let address = |(place, name): (usize, &&str)| match !name.is_empty() && times[name] == 1 {
        true => name.trim_start_matches('/').to_string(),
        false => place.to_string(),
    };
    names.iter().enumerate().map(address).collect()
}

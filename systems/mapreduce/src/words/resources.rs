//! Curves of a node's disks, NICs, memory and cores.
use super::parts::time;
use crate::plain::printable;
use crate::why::JobExplanation;
use page::words::percent;
use page::{Body, Capacity, Curves, Kind, Line, Panel, Section};
use trace::{NodeId, ResourceId, ResourceRole, Trace};

pub(super) fn curves(trace: &Trace, why: &JobExplanation, node: NodeId) -> Section {
    let of_node = |id: &ResourceId| trace.resources[id.at()].node == Some(node);
    let resources = (0..trace.resources.len()).map(ResourceId::of).filter(of_node);
    let panels: Vec<Panel> = resources.filter_map(|id| panel(trace, why, id)).collect();
    let name = printable(&trace.nodes[node.at()].name);
    let section = |panels| {
        let body = Body::Curves(Curves { x: time(why), panels, moments: vec![] });
        Section::new("resources", "Resources", format!("of {name}"), body)
    };
    match panels.is_empty() {
        true if super::is_simulated(trace) => {
            section(panels).empty("The simulation keeps no curves of a node.", "")
        }
        true => section(panels).empty(
            "No node curves given.",
            "Add them: tenbin import node-curves FILE --into run/.",
        ),
        false => section(panels),
    }
}

fn panel(trace: &Trace, why: &JobExplanation, id: ResourceId) -> Option<Panel> {
    let (begun, end) = (why.job.begun, why.job.end);
    let samples = trace.series.iter().filter(|s| s.resource == id);
    let points: Vec<(f64, f64)> = samples
        .filter_map(|s| Some((s.at.as_secs() - begun, s.busy.get()?)))
        .filter(|(at, _)| (0.0..=end - begun).contains(at))
        .collect();
    let most = points.iter().map(|p| p.1).fold(0.0, f64::max);
    let kind = match trace.resource_kind(id).role {
        trace::KindRole::Resource(ResourceRole::Disk) => Kind::Disk,
        trace::KindRole::Resource(ResourceRole::Network) => Kind::Network,
        trace::KindRole::Resource(ResourceRole::Memory) => Kind::Wait,
        _ => Kind::Cpu,
    };
    (!points.is_empty()).then(|| Panel {
        name: printable(&trace.resources[id.at()].name),
        of: if kind == Kind::Wait { "used" } else { "busy" }.into(),
        unit: "%".into(),
        capacity: Some(Capacity { at: 1.0, name: String::new() }),
        reading: format!("never above {}", percent(most)),
        lines: vec![Line { steps: true, ..Line::of(kind, points) }],
        reason: String::new(),
    })
}

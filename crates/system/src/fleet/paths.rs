//! Link addresses of racks and nodes.
use std::collections::BTreeMap;
use trace::Trace;

/// Addresses by index.
pub(super) struct Paths {
    racks: Vec<String>,
    nodes: Vec<String>,
}

impl Paths {
    pub fn of(trace: &Trace) -> Paths {
        let nodes: Vec<&str> = trace.nodes.iter().map(|node| node.name.as_str()).collect();
        let racks: Vec<&str> = trace.racks.iter().map(String::as_str).collect();
        Paths { racks: written(&racks), nodes: written(&nodes) }
    }

    pub fn rack(&self, place: usize) -> String {
        format!("rack/{}", self.racks[place])
    }

    pub fn node(&self, place: usize) -> String {
        format!("node/{}", self.nodes[place])
    }
}

/// Addresses use names, or indices for duplicate names.
fn written(names: &[&str]) -> Vec<String> {
    let mut times: BTreeMap<&str, u32> = BTreeMap::new();
    names.iter().for_each(|name| *times.entry(name).or_default() += 1);
    let address = |(place, name): (usize, &&str)| match !name.is_empty() && times[name] == 1 {
        true => name.trim_start_matches('/').to_string(),
        false => place.to_string(),
    };
    names.iter().enumerate().map(address).collect()
}

//! Max-min fair rates, computed naively.
use hardware::{Capacity, FlowSpec, ResourceId};

/// Textbook progressive filling: raise all rates together until a resource is full or a cap is
/// reached, fix the flows concerned, and repeat. It scans everything in each step.
pub fn oracle(capacity: &[Capacity], flows: &[FlowSpec]) -> Vec<f64> {
    let used = |flow: &FlowSpec, id: usize| flow.use_of(ResourceId(id as u32));
    let streams = |id: usize| flows.iter().filter(|flow| used(flow, id) > 0.0).count();
    let full: Vec<f64> =
        capacity.iter().enumerate().map(|(id, c)| c.at(streams(id) as u32)).collect();
    let mut rate: Vec<Option<f64>> = vec![None; flows.len()];
    while rate.contains(&None) {
        let mut lowest = f64::INFINITY;
        let mut concerns: Vec<usize> = Vec::new();
        let mut offer = |level: f64, whom: Vec<usize>| {
            if level < lowest && !whom.is_empty() {
                (lowest, concerns) = (level, whom)
            }
        };
        for (id, full) in full.iter().enumerate() {
            let part = |f: usize| used(&flows[f], id);
            let all: Vec<usize> = (0..flows.len()).filter(|&f| part(f) > 0.0).collect();
            let fixed: f64 = all.iter().filter_map(|&f| Some(rate[f]? * part(f))).sum();
            let open: Vec<usize> = all.into_iter().filter(|&f| rate[f].is_none()).collect();
            let weight: f64 = open.iter().map(|&f| flows[f].weight * part(f)).sum();
            offer((full - fixed) / weight, open);
        }
        for (f, flow) in flows.iter().enumerate() {
            if let (Some(cap), None) = (flow.cap, rate[f]) {
                offer(cap.0 as f64 / flow.weight, vec![f])
            }
        }
        for f in concerns {
            rate[f] = Some(flows[f].weight * lowest)
        }
    }
    rate.into_iter().flatten().collect()
}

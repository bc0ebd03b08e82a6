//! The work of each host in a stripe, as tables of `xor-protocol`'s schedule.
use crate::policy::StripeSchedule;
use xor_protocol::Layout;
use xor_protocol::node_plan::{NodePlan, StepKind};
use xor_protocol::schedule::Party;

#[derive(Clone, Copy, Debug)]
pub struct Send {
    /// A node of the layout.
    pub to: u32,
    /// The receiver's number of it.
    pub block: u32,
    /// Number of data blocks in its xor.
    pub sources: u32,
}

/// A node performs a step when its blocks have arrived.
#[derive(Clone, Copy, Debug)]
pub struct NodeStep {
    /// Number of blocks in its xor.
    pub sources: u16,
    pub kind: StepKind,
}

#[derive(Clone, Debug, Default)]
pub struct Part {
    pub steps: Vec<NodeStep>,
    /// By block: the steps that use it.
    pub takers: Vec<Vec<usize>>,
}

#[derive(Clone, Debug)]
pub struct Recipe {
    /// In order.
    pub client: Vec<Send>,
    pub nodes: Vec<Part>,
    pub data: u64,
}

impl Recipe {
    pub fn of(way: StripeSchedule, layout: &Layout) -> Recipe {
        let schedule = way.schedule(layout);
        let whole = |place: usize| units::u32_of(place);
        let client = schedule.steps.iter().filter(|step| step.from == Party::Client);
        let send = |step: &xor_protocol::schedule::Step| Send {
            to: whole(step.to),
            block: whole(step.block),
            sources: whole(step.xor.len()),
        };
        let part = |node: usize| {
            let plan = NodePlan::of(&schedule, node);
            let mut part = Part { steps: Vec::new(), takers: vec![Vec::new(); plan.blocks_in()] };
            for (place, step) in plan.steps().iter().enumerate() {
                step.from.iter().for_each(|&block| part.takers[block].push(place));
                let sources = units::narrow(step.from.len());
                part.steps.push(NodeStep { sources, kind: step.kind })
            }
            part
        };
        Recipe {
            client: client.map(send).collect(),
            nodes: (0..layout.nodes()).map(part).collect(),
            data: way.data(layout) as u64,
        }
    }
}

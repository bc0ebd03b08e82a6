//! A node's part of a stripe: the blocks that arrive and the steps that they enable.
use crate::layout::Layout;
use crate::schedule::{Kind, Party, Schedule, Source};
use std::fmt;

/// A node performs a step when all its blocks have arrived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeStep {
    /// Its input is the xor of these blocks.
    pub from: Vec<usize>,
    /// Scratch place for the xor, from 0. `None`: a single block, used in place.
    pub scratch: Option<usize>,
    pub kind: StepKind,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum StepKind {
    Keep {
        /// Among the node's rows of the stripe.
        row: usize,
    },
    Forward {
        to: usize,
        block: usize,
    },
}

/// A node's part in every stripe of one schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodePlan {
    blocks_in: usize,
    scratch: usize,
    steps: Vec<NodeStep>,
    /// By block: the steps that use it.
    takers: Vec<Vec<usize>>,
}

impl NodePlan {
    pub fn of(schedule: &Schedule, node: usize) -> NodePlan {
        let blocks_in = schedule.blocks_in(node);
        let takers = vec![Vec::new(); blocks_in];
        let mut plan = NodePlan { blocks_in, scratch: 0, steps: Vec::new(), takers };
        for step in schedule.steps.iter().filter(|s| s.from == Party::Node(node)) {
            let block = |source: &Source| match source {
                Source::Block(block) => *block,
                Source::Data(data) => unreachable!("a node has no data block {data} of its own"),
            };
            let kind = StepKind::Forward { to: step.to, block: step.block };
            plan.add(step.xor.iter().map(block).collect(), kind);
        }
        for keep in schedule.keeps.iter().filter(|k| k.cell.node == node) {
            plan.add(keep.xor.clone(), StepKind::Keep { row: keep.cell.row });
        }
        plan
    }

    fn add(&mut self, from: Vec<usize>, kind: StepKind) {
        from.iter().for_each(|&block| self.takers[block].push(self.steps.len()));
        let scratch = (from.len() > 1).then_some(self.scratch);
        self.scratch += usize::from(scratch.is_some());
        self.steps.push(NodeStep { from, scratch, kind });
    }

    pub fn blocks_in(&self) -> usize {
        self.blocks_in
    }

    pub fn scratch(&self) -> usize {
        self.scratch
    }

    pub fn steps(&self) -> &[NodeStep] {
        &self.steps
    }

    /// Number of steps for a consumer. `None`: the store, else the receiving node.
    pub fn uses(&self, consumer: Option<usize>) -> usize {
        let is = |step: &&NodeStep| match step.kind {
            StepKind::Keep { .. } => consumer.is_none(),
            StepKind::Forward { to, .. } => consumer == Some(to),
        };
        self.steps.iter().filter(is).count()
    }
}

/// Places that a stripe takes in a node's ring.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RingSlots {
    pub blocks_in: usize,
    pub scratch: usize,
}

impl RingSlots {
    /// By node: enough for any of these kinds.
    pub fn of_all(layout: &Layout, kinds: &[Kind]) -> Vec<RingSlots> {
        let mut ring_slots = vec![RingSlots::default(); layout.nodes()];
        for kind in kinds {
            let schedule = kind.schedule(layout);
            for (node, slots) in ring_slots.iter_mut().enumerate() {
                let plan = NodePlan::of(&schedule, node);
                slots.blocks_in = slots.blocks_in.max(plan.blocks_in());
                slots.scratch = slots.scratch.max(plan.scratch());
            }
        }
        ring_slots
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unexpected {
    /// The schedule has no block of this number.
    Beyond(usize),
    Twice(usize),
}

impl fmt::Display for Unexpected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unexpected::Beyond(block) => write!(f, "block {block} is not in the schedule"),
            Unexpected::Twice(block) => write!(f, "block {block} came twice"),
        }
    }
}

impl std::error::Error for Unexpected {}

/// A node's progress in one stripe. Blocks may arrive in any order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    arrived: Vec<bool>,
    /// By step: blocks still missing.
    missing: Vec<u16>,
}

impl Progress {
    pub fn new(plan: &NodePlan) -> Progress {
        let missing = plan
            .steps
            .iter()
            .map(|step| u16::try_from(step.from.len()).expect("fewer than the nodes"))
            .collect();
        Progress { arrived: vec![false; plan.blocks_in], missing }
    }

    /// Records a block and adds the numbers of newly enabled steps to `ready`.
    ///
    /// # Errors
    /// If the block is not expected; nothing changes.
    pub fn arrive(
        &mut self,
        plan: &NodePlan,
        block: usize,
        ready: &mut Vec<usize>,
    ) -> Result<(), Unexpected> {
        match self.arrived.get_mut(block) {
            None => return Err(Unexpected::Beyond(block)),
            Some(true) => return Err(Unexpected::Twice(block)),
            Some(arrived) => *arrived = true,
        }
        for &step in &plan.takers[block] {
            self.missing[step] -= 1;
            if self.missing[step] == 0 {
                ready.push(step)
            }
        }
        Ok(())
    }
}

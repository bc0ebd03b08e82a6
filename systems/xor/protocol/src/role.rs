//! A node's part of a stripe: the blocks that arrive and the acts that they enable.
use crate::layout::Layout;
use crate::schedule::{Kind, Party, Schedule, Source};
use std::fmt;

/// A node performs an act when all its blocks have arrived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Act {
    /// Its input is the xor of these blocks.
    pub from: Vec<usize>,
    /// Scratch place for the xor, from 0. `None`: a single block, used in place.
    pub scratch: Option<usize>,
    pub what: What,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum What {
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
pub struct Role {
    blocks_in: usize,
    scratch: usize,
    acts: Vec<Act>,
    /// By block: the acts that use it.
    takers: Vec<Vec<usize>>,
}

impl Role {
    pub fn of(schedule: &Schedule, node: usize) -> Role {
        let blocks_in = schedule.blocks_in(node);
        let mut role =
            Role { blocks_in, scratch: 0, acts: Vec::new(), takers: vec![Vec::new(); blocks_in] };
        for step in schedule.steps.iter().filter(|s| s.from == Party::Node(node)) {
            let block = |source: &Source| match source {
                Source::Block(block) => *block,
                Source::Data(data) => unreachable!("a node has no data block {data} of its own"),
            };
            let what = What::Forward { to: step.to, block: step.block };
            role.add(step.xor.iter().map(block).collect(), what);
        }
        for keep in schedule.keeps.iter().filter(|k| k.cell.node == node) {
            role.add(keep.xor.clone(), What::Keep { row: keep.cell.row });
        }
        role
    }

    fn add(&mut self, from: Vec<usize>, what: What) {
        from.iter().for_each(|&block| self.takers[block].push(self.acts.len()));
        let scratch = (from.len() > 1).then_some(self.scratch);
        self.scratch += usize::from(scratch.is_some());
        self.acts.push(Act { from, scratch, what });
    }

    pub fn blocks_in(&self) -> usize {
        self.blocks_in
    }

    pub fn scratch(&self) -> usize {
        self.scratch
    }

    pub fn acts(&self) -> &[Act] {
        &self.acts
    }

    /// Number of acts for a consumer. `None`: the store, else the receiving node.
    pub fn uses(&self, consumer: Option<usize>) -> usize {
        let is = |act: &&Act| match act.what {
            What::Keep { .. } => consumer.is_none(),
            What::Forward { to, .. } => consumer == Some(to),
        };
        self.acts.iter().filter(is).count()
    }
}

/// Places that a stripe takes in a node's ring.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Room {
    pub blocks_in: usize,
    pub scratch: usize,
}

impl Room {
    /// By node: enough for any of these kinds.
    pub fn of_all(layout: &Layout, kinds: &[Kind]) -> Vec<Room> {
        let mut rooms = vec![Room::default(); layout.nodes()];
        for kind in kinds {
            let schedule = kind.schedule(layout);
            for (node, room) in rooms.iter_mut().enumerate() {
                let role = Role::of(&schedule, node);
                room.blocks_in = room.blocks_in.max(role.blocks_in());
                room.scratch = room.scratch.max(role.scratch());
            }
        }
        rooms
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
    /// By act: blocks still missing.
    missing: Vec<u16>,
}

impl Progress {
    pub fn new(role: &Role) -> Progress {
        let missing = role
            .acts
            .iter()
            .map(|act| u16::try_from(act.from.len()).expect("fewer than the nodes"))
            .collect();
        Progress { arrived: vec![false; role.blocks_in], missing }
    }

    /// Records a block and adds the numbers of newly enabled acts to `ready`.
    ///
    /// # Errors
    /// If the block is not expected; nothing changes.
    pub fn arrive(
        &mut self,
        role: &Role,
        block: usize,
        ready: &mut Vec<usize>,
    ) -> Result<(), Unexpected> {
        match self.arrived.get_mut(block) {
            None => return Err(Unexpected::Beyond(block)),
            Some(true) => return Err(Unexpected::Twice(block)),
            Some(arrived) => *arrived = true,
        }
        for &act in &role.takers[block] {
            self.missing[act] -= 1;
            if self.missing[act] == 0 {
                ready.push(act)
            }
        }
        Ok(())
    }
}

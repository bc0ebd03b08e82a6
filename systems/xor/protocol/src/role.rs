//! A node's part of one stripe: what arrives, and what is then to be done.
use crate::layout::Layout;
use crate::schedule::{Kind, Party, Schedule, Source};
use std::fmt;

/// Something that a node does once all the blocks that it takes have arrived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Act {
    /// Blocks whose xor it is.
    pub from: Vec<usize>,
    /// Where the xor of several blocks is made: a scratch place, from 0. None for a single block,
    /// which is used where it lies.
    pub scratch: Option<usize>,
    pub what: What,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum What {
    /// Store it as this row.
    Keep {
        /// Of the node's rows of the stripe.
        row: usize,
    },
    Forward {
        to: usize,
        block: usize,
    },
}

/// What one node does in every stripe of one schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Role {
    blocks_in: usize,
    scratch: usize,
    acts: Vec<Act>,
    /// By block: the acts that take it.
    takers: Vec<Vec<usize>>,
}

impl Role {
    /// A node's part of a schedule.
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

    /// Scratch places that it needs.
    pub fn scratch(&self) -> usize {
        self.scratch
    }

    pub fn acts(&self) -> &[Act] {
        &self.acts
    }

    /// How many acts are for a consumer: `None` is the store, else the node that it is sent to.
    pub fn uses(&self, consumer: Option<usize>) -> usize {
        let is = |act: &&Act| match act.what {
            What::Keep { .. } => consumer.is_none(),
            What::Forward { to, .. } => consumer == Some(to),
        };
        self.acts.iter().filter(is).count()
    }
}

/// Places of one stripe in a node's ring.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Room {
    pub blocks_in: usize,
    pub scratch: usize,
}

impl Room {
    /// Enough for any of these kinds, by node.
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

/// A block came that was not to come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unexpected {
    /// Its number is beyond those of the schedule.
    Beyond(usize),
    Twice(usize),
}

impl fmt::Display for Unexpected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unexpected::Beyond(block) => write!(f, "block {block} is none of the schedule’s"),
            Unexpected::Twice(block) => write!(f, "block {block} came twice"),
        }
    }
}

impl std::error::Error for Unexpected {}

/// How far a node is with one stripe. Blocks may arrive in any order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    arrived: Vec<bool>,
    /// By act: blocks that have not arrived.
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

    /// A block is there; adds to `ready` the numbers of the acts that can be done now.
    ///
    /// # Errors
    /// It was not to come; nothing changes.
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

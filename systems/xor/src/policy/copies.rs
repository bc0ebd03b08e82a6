//! Policy `copies-3`: three copies of each block, by a pipeline of nodes.
use super::{SchedulePolicy, StripeSchedule};
use xor_protocol::schedule::{Keep, Party, Schedule, Source, Step};
use xor_protocol::{Cell, Layout};

pub struct Copies;

const COPIES: usize = 3;

impl SchedulePolicy for Copies {
    fn name(&self) -> &'static str {
        "copies-3"
    }

    fn doc(&self) -> &'static str {
        "Three copies of each block, passed on by the nodes (no parity).\n\n# What it decides\nA \
         block goes to one node, from it to the next, from there to a third; first nodes of blocks \
         are chosen round-robin.\n\n# When it helps\nReaders use any of three nodes, and space \
         does not matter: like the others it survives two losses.\n\n# What it costs\nThree times \
         the data on disk (n / (n - 2) with parity) and into the nodes: two clients on five nodes \
         saturate them.\n\n# Reference\nHDFS's write pipeline; Otsuji 2013 compares with it in its \
         text."
    }

    fn sequence(&self, _layout: &Layout, _writers: usize, _first: usize) -> Vec<StripeSchedule> {
        vec![StripeSchedule::Copies]
    }

    fn ideal(&self, layout: &Layout, writers: usize) -> f64 {
        (writers as f64).min(layout.nodes() as f64 / COPIES as f64)
    }
}

/// Each node is the first of one block.
pub fn schedule(nodes: usize) -> Schedule {
    let mut schedule = Schedule::default();
    let mut received = vec![0; nodes];
    for data in 0..nodes {
        let mut from = (Party::Client, Source::Data(data));
        for copy in 0..COPIES {
            let to = (data + copy) % nodes;
            let block = received[to];
            received[to] += 1;
            schedule.steps.push(Step { from: from.0, to, block, xor: vec![from.1] });
            let cell = Cell { node: to, row: block };
            schedule.keeps.push(Keep { cell, xor: vec![block] });
            from = (Party::Node(to), Source::Block(block))
        }
    }
    schedule
}

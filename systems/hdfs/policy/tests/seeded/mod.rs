//! Seeded random numbers, and random clusters and blocks.
#![allow(dead_code)]
use cluster::{Admin, BlockIndex, NodeId, RackId};
use hdfs_policy::placement::{place_new_block, rack_rule_met};
use hdfs_policy::rereplication::{LostBlock, Source};
use hdfs_policy::{Dice, NodeView, Uplink, View};
use units::Bytes;

/// SplitMix64 (Steele, Lea, Flood, 2014).
pub struct Seeded(pub u64);

impl Dice for Seeded {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * u128::from(n)) >> 64) as u64
    }
}

impl Seeded {
    pub fn below(&mut self, n: u64) -> u64 {
        Dice::below(self, n)
    }
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

/// Owner of the data that a [`View`] borrows.
pub struct Nodes {
    pub nodes: Vec<NodeView>,
    pub racks: Vec<Vec<NodeId>>,
    pub load_factor: Option<f64>,
    pub avoid_stale: bool,
    pub uplinks: Vec<Uplink>,
}

impl Nodes {
    pub fn healthy(racks: u32, per_rack: u32) -> Nodes {
        let of = |rack: u32| (rack * per_rack..(rack + 1) * per_rack).map(NodeId).collect();
        let node = |id: u32| NodeView::new(RackId(id / per_rack), Bytes::mib(1 << 40));
        Nodes {
            nodes: (0..racks * per_rack).map(node).collect(),
            racks: (0..racks).map(of).collect(),
            load_factor: None,
            avoid_stale: false,
            uplinks: Vec::new(),
        }
    }

    /// Up to five racks of up to eight nodes in all states; ids go to racks at random.
    pub fn in_all_states(draw: &mut Seeded) -> Nodes {
        let racks = 1 + draw.below(5);
        let mut all = Nodes {
            nodes: Vec::new(),
            racks: vec![Vec::new(); racks as usize],
            load_factor: draw.one_in(2).then_some(2.0),
            avoid_stale: draw.one_in(2),
            uplinks: Vec::new(),
        };
        if draw.one_in(2) {
            all.uplinks = (0..racks).map(|_| random_uplink(draw)).collect();
        }
        for id in 0..racks * (1 + draw.below(8)) {
            let rack = RackId(draw.below(racks) as u32);
            all.racks[rack.at()].push(NodeId(id as u32));
            all.nodes.push(random_node(rack, draw));
        }
        all
    }

    pub fn view(&self) -> View<'_> {
        let serving = || self.nodes.iter().filter(|node| node.in_service());
        let load = (serving().map(|n| u64::from(n.xceivers)).sum(), serving().count() as u32);
        View {
            nodes: &self.nodes,
            racks: &self.racks,
            load_factor: self.load_factor,
            load,
            avoid_stale: self.avoid_stale,
            uplinks: &self.uplinks,
        }
    }

    /// Survivors of blocks of one lost node, placed by HDFS's rule.
    pub fn lose(&mut self, node: NodeId, blocks: u32, draw: &mut Seeded) -> Vec<Block> {
        let (mut lost, view) = (Vec::new(), self.view());
        while lost.len() < blocks as usize {
            let writer = NodeId(draw.below(view.nodes.len() as u64) as u32);
            let held = place_new_block(Some(writer), 3, Bytes::mib(64), view, draw);
            if held.contains(&node) {
                let live: Vec<NodeId> = held.into_iter().filter(|&id| id != node).collect();
                lost.push(Block::of(lost.len() as u32, &live));
            }
        }
        self.nodes[node.at()].alive = false;
        lost
    }
}

fn random_uplink(draw: &mut Seeded) -> Uplink {
    let carries = 1 + draw.below(3) as u32;
    let mut crossing = || draw.below(u64::from(carries) + 1) as u32;
    Uplink { leaving: crossing(), entering: crossing(), carries }
}

fn random_node(rack: RackId, draw: &mut Seeded) -> NodeView {
    let mut node = NodeView::new(rack, Bytes::mib(if draw.one_in(6) { 1 } else { 1 << 20 }));
    node.alive = !draw.one_in(8);
    node.stale = draw.one_in(6);
    node.xceivers = if draw.one_in(8) { 50 } else { draw.below(4) as u32 };
    if draw.one_in(8) {
        node.admin = Admin::Decommissioning as u8;
    }
    node
}

/// Owner of the data that a [`LostBlock`] borrows.
#[derive(Clone, Debug)]
pub struct Block {
    pub number: u32,
    pub expected: u16,
    pub live: Vec<NodeId>,
    pub sources: Vec<Source>,
    pub taken: Vec<NodeId>,
    pub only_rack: bool,
}

impl Block {
    /// Three expected replicas, `live` ones with free streams.
    pub fn of(number: u32, live: &[NodeId]) -> Block {
        let sources = live.iter().map(|&node| Source::new(node, true)).collect();
        let (live, taken) = (live.to_vec(), live.to_vec());
        Block { number, expected: 3, live, sources, taken, only_rack: false }
    }

    /// On random nodes of a cluster in all states.
    pub fn random(number: u32, nodes: &Nodes, draw: &mut Seeded) -> Block {
        let mut block = Block::of(number, &[]);
        block.expected = 1 + draw.below(4) as u16;
        for (id, node) in nodes.nodes.iter().enumerate() {
            let id = NodeId(id as u32);
            let holds = node.alive && draw.one_in(4) && block.sources.len() < 4;
            if holds || draw.one_in(12) {
                block.taken.push(id);
            }
            if holds {
                block.sources.push(Source::new(id, !draw.one_in(4)));
            }
            if holds && node.in_service() {
                block.live.push(id);
            }
        }
        block.only_rack = block.live.len() >= usize::from(block.expected)
            && !rack_rule_met(&block.live, nodes.view(), block.expected);
        block
    }

    pub fn lost(&self) -> LostBlock<'_> {
        LostBlock {
            block: BlockIndex(self.number),
            bytes: Bytes::mib(64),
            expected: self.expected,
            live: &self.live,
            sources: &self.sources,
            taken: &self.taken,
            only_rack: self.only_rack,
        }
    }
}

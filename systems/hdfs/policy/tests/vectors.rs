//! Shared vectors: decisions of three policies on random clusters, in `vectors/*.tsv`.
//!
//! The Hadoop plug-in (`systems/hdfs/hadoop/plugin`) has these policies in Java; its tests read the
//! same files and must agree with each line. `TENBIN_BLESS=1` writes them.
use cluster::{Admin, BlockIndex, NodeId};
use hdfs_policy::NodeView;
use hdfs_policy::rereplication::{Copy, LostBlock, Memory, Refused, Rereplication, registry};
use hdfs_scenario::Pacing;
use std::{fs, path::Path};
use units::Bytes;

use crate::seeded::{Block, Nodes, Seeded};

/// Names in the plug-in and here.
const POLICIES: [(&str, &str); 3] =
    [("ring", "ring"), ("multi-rack-ring", "ring-priority"), ("joint", "min-max")];

/// Cases of each file; every second one is a loss on a healthy cluster.
const CASES: u64 = 120;

const COLUMNS: &str = "\
# Each line is one cluster and the blocks that are decided one after another. Blocks have 64 MiB.
# Columns are apart by tabs, parts of a column by spaces, lists by commas; - is nothing.
#   load      dfs.namenode.redundancy.considerLoad.factor, or -
#   stale     1: nodes without a fresh heartbeat receive nothing
#   nodes     rack:free MiB:transfer threads:state:copies sent:copies received, by id; state is
#             letters: d dead, s stale, l being decommissioned
#   blocks    replicas expected:1 if only a new rack helps:live holders:readable holders (! busy):
#             nodes that hold or await it; numbered from 0
#   seed      of SplitMix64: a number below n is the upper half of draw * n
#   urgency   of each block before the first is decided: the smaller first
#   answers   source>target, busy>source, no-source, no-target or loaded; all blocks are planned
#             before the first is decided
#   inside    copies sent inside the rack, by node, in the end
#   outside   copies sent by the rule between racks, by node
#   received  copies received by that rule, by rack; some racks have no nodes
load\tstale\tnodes\tblocks\tseed\turgency\tanswers\tinside\toutside\treceived
";

#[test]
fn shared_vectors_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    for (title, name) in POLICIES {
        let policy = registry::find(name, Pacing::Hdfs3).expect("known");
        let mut text = format!("# What the policy {title} decides.\n{COLUMNS}");
        (0..CASES).for_each(|seed| text += &Case::draw(seed).line(policy.as_ref()));
        let file = folder.join(format!("{title}.tsv"));
        if std::env::var_os("TENBIN_BLESS").is_some() {
            fs::create_dir_all(&folder).expect("writable");
            fs::write(&file, &text).expect("writable");
        } else {
            let kept = fs::read_to_string(&file).expect("vectors");
            assert!(kept == text, "{}: TENBIN_BLESS=1, then read it", file.display());
        }
    }
}

struct Case {
    seed: u64,
    nodes: Nodes,
    blocks: Vec<Block>,
}

impl Case {
    fn draw(seed: u64) -> Case {
        let mut draw = Seeded(seed);
        let (mut nodes, mut blocks) = if seed.is_multiple_of(2) {
            let mut nodes = Nodes::healthy(1 + draw.below(3) as u32, 4 + draw.below(9) as u32);
            let lost = NodeId(draw.below(nodes.nodes.len() as u64) as u32);
            let blocks = nodes.lose(lost, 24, &mut draw);
            (nodes, blocks)
        } else {
            let nodes = Nodes::in_all_states(&mut draw);
            let blocks = (0..8).map(|n| Block::random(n, &nodes, &mut draw)).collect();
            (nodes, blocks)
        };
        nodes.uplinks.clear();
        for node in &mut nodes.nodes {
            node.free = node.free.min(Bytes::mib(1 << 20));
            (node.sending, node.receiving) = (draw.below(4) as u32, draw.below(4) as u32);
        }
        let sources = blocks.iter_mut().flat_map(|block| &mut block.sources);
        sources.for_each(|source| source.ready &= !draw.one_in(4));
        Case { seed, nodes, blocks }
    }

    fn line(&self, policy: &dyn Rereplication) -> String {
        let view = self.nodes.view();
        let mut memory = Memory::new(view.nodes.len(), view.racks.len());
        let blocks: Vec<LostBlock> = self.blocks.iter().map(Block::lost).collect();
        let urgency = blocks.iter().map(|lost| policy.urgency(lost, view).to_string());
        let urgency = joined(urgency, " ");
        policy.plan(&blocks, view, &mut memory);
        let mut dice = Seeded(self.seed);
        let answers = blocks.iter().map(|lost| policy.repair(lost, view, &mut memory, &mut dice));
        let answers = joined(answers.map(answer), " ");
        let load = view.load_factor.map_or("-".to_string(), |factor| factor.to_string());
        let stale = u8::from(view.avoid_stale).to_string();
        let nodes = joined(view.nodes.iter().map(node), " ");
        let lost = joined(blocks.iter().enumerate().map(block), " ");
        let numbers = |of: &[u32]| joined(of.iter().map(u32::to_string), ",");
        let [inside, outside, received] =
            [&memory.inside, &memory.outside, &memory.to_rack].map(|of| numbers(of));
        let seed = self.seed.to_string();
        let columns = [load, stale, nodes, lost, seed, urgency, answers, inside, outside, received];
        columns.join("\t") + "\n"
    }
}

fn joined(parts: impl Iterator<Item = String>, between: &str) -> String {
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { "-".to_string() } else { parts.join(between) }
}

fn node(node: &NodeView) -> String {
    let leaving = node.admin == Admin::Decommissioning as u8;
    let marks = [(!node.alive, 'd'), (node.stale, 's'), (leaving, 'l')];
    let state: String = marks.into_iter().filter_map(|(is, mark)| is.then_some(mark)).collect();
    let state = if state.is_empty() { "-" } else { &state };
    let (rack, free) = (node.rack.0, node.free.0 / Bytes::mib(1).0);
    format!("{rack}:{free}:{}:{state}:{}:{}", node.xceivers, node.sending, node.receiving)
}

fn block((at, lost): (usize, &LostBlock<'_>)) -> String {
    assert_eq!(lost.block, BlockIndex(at as u32), "numbered from 0");
    let ids = |of: &[NodeId]| joined(of.iter().map(|id| id.0.to_string()), ",");
    let source = |source: &hdfs_policy::rereplication::Source| {
        format!("{}{}", source.node.0, if source.ready { "" } else { "!" })
    };
    let sources = joined(lost.sources.iter().map(source), ",");
    let (live, taken, only_rack) = (ids(lost.live), ids(lost.taken), u8::from(lost.only_rack));
    format!("{}:{only_rack}:{live}:{sources}:{taken}", lost.expected)
}

fn answer(decided: Result<Copy, Refused>) -> String {
    match decided {
        Ok(copy) => format!("{}>{}", copy.source.0, copy.target.0),
        Err(Refused::SourceBusy(node)) => format!("busy>{}", node.0),
        Err(Refused::NoSource) => "no-source".to_string(),
        Err(Refused::NoTarget) => "no-target".to_string(),
        Err(Refused::TargetsLoaded) => "loaded".to_string(),
        Err(other) => panic!("{other:?}: none of these policies refuses so"),
    }
}

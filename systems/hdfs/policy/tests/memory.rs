//! State that policies keep between blocks, and undo.
use cluster::NodeId;
use hdfs_policy::rereplication::{Copy, Memory, Refused, Source, registry};
use rewind::{Hasher, Rewind};

use crate::seeded::{Block, Nodes, Seeded};

fn with_streams(number: u32, holders: &[(u32, bool)]) -> Block {
    let live: Vec<NodeId> = holders.iter().map(|&(id, _)| NodeId(id)).collect();
    let source = |&(id, ready): &(u32, bool)| Source::new(NodeId(id), ready);
    Block { sources: holders.iter().map(source).collect(), ..Block::of(number, &live) }
}

#[test]
fn a_source_drawn_once_is_waited_for() {
    let nodes = Nodes::healthy(1, 9);
    let policy =
        registry::find("document-default-waiting", hdfs_scenario::Pacing::EventDriven).unwrap();
    for seed in 0..20 {
        let (mut memory, mut draw) = (Memory::new(9, 1), Seeded(seed));
        let mut repair = |holders: [(u32, bool); 3]| {
            let block = with_streams(4, &holders);
            policy.repair(&block.lost(), nodes.view(), &mut memory, &mut draw)
        };
        let all_busy = [(1, false), (3, false), (5, false)];
        let Err(Refused::SourceBusy(drawn)) = repair(all_busy) else { panic!("all are busy") };
        for _ in 0..10 {
            assert_eq!(repair(all_busy), Err(Refused::SourceBusy(drawn)));
            let others_free = all_busy.map(|(id, _)| (id, NodeId(id) != drawn));
            assert_eq!(repair(others_free), Err(Refused::SourceBusy(drawn)));
        }
        let copy = repair(all_busy.map(|(id, _)| (id, NodeId(id) == drawn)));
        assert_eq!(copy.map(|copy| copy.source), Ok(drawn));
        assert!(memory.plan.is_empty());
    }
}

/// The second loss is planned around the unfinished plan of the first.
#[test]
fn later_plans_go_around_earlier_ones() {
    let nodes = Nodes::healthy(1, 9);
    let policy = registry::find("optimised", hdfs_scenario::Pacing::EventDriven).unwrap();
    let (mut memory, mut draw) = (Memory::new(9, 1), Seeded(1));
    let first: Vec<Block> = (0..4).map(|n| Block::of(n, &[NodeId(0)])).collect();
    let second: Vec<Block> = (4..8).map(|n| Block::of(n, &[NodeId(0), NodeId(4)])).collect();
    for loss in [&first, &second] {
        let lost: Vec<_> = loss.iter().map(Block::lost).collect();
        policy.plan(&lost, nodes.view(), &mut memory);
    }
    let mut sources = Vec::new();
    for block in first.iter().chain(&second) {
        let copy = policy.repair(&block.lost(), nodes.view(), &mut memory, &mut draw);
        sources.push(copy.expect("healthy").source.0);
    }
    assert_eq!(sources, [0, 0, 0, 0, 4, 4, 4, 4]);
    assert!(memory.plan.is_empty());
}

#[test]
fn a_plan_is_followed_until_its_source_is_gone() {
    let nodes = Nodes::healthy(1, 9);
    let policy = registry::find("optimised", hdfs_scenario::Pacing::EventDriven).unwrap();
    let (mut memory, mut draw) = (Memory::new(9, 1), Seeded(1));
    memory.journal(Some(0));
    memory.inside.set(0, 3);
    let block = with_streams(0, &[(0, true), (4, true)]);
    policy.plan(&[block.lost()], nodes.view(), &mut memory);
    memory.inside.set(4, 9);
    let mut repair = |block: Block| {
        let before = memory.mark();
        let decision = policy.repair(&block.lost(), nodes.view(), &mut memory, &mut draw);
        memory.rewind(&before);
        decision
    };
    let copy = |source, target| Copy { source: NodeId(source), target: NodeId(target) };
    assert_eq!(repair(block), Ok(copy(4, 5)), "the planned one, though the ring would take 0");
    let busy = with_streams(0, &[(0, true), (4, false)]);
    assert_eq!(repair(busy), Err(Refused::SourceBusy(NodeId(4))));
    let gone = with_streams(0, &[(0, true), (7, true)]);
    assert_eq!(repair(gone), Ok(copy(7, 8)), "the ring's rule: 7 has sent least");
    let mut blocked = with_streams(0, &[(0, true), (4, true)]);
    blocked.taken.push(NodeId(5));
    assert_eq!(
        repair(blocked),
        Ok(copy(0, 1)),
        "the planned one's successor got the block meanwhile"
    );
}

/// An undone decision is the same when repeated.
#[test]
fn decisions_can_be_undone() {
    for seed in 0..300 {
        let mut draw = Seeded(seed);
        let nodes = Nodes::in_all_states(&mut draw);
        let blocks: Vec<Block> = (0..8).map(|n| Block::random(n, &nodes, &mut draw)).collect();
        let lost: Vec<_> = blocks.iter().map(Block::lost).collect();
        for policy in registry::all().into_iter().chain(registry::with_jar()) {
            let mut memory = Memory::new(nodes.nodes.len(), nodes.racks.len());
            memory.journal(Some(0));
            let run = |memory: &mut Memory| {
                let mut dice = Seeded(seed);
                policy.plan(&lost, nodes.view(), memory);
                let repair = |lost| policy.repair(lost, nodes.view(), memory, &mut dice);
                lost.iter().map(repair).collect::<Vec<_>>()
            };
            let (start, before) = (memory.mark(), Hasher::of(&memory));
            let first = run(&mut memory);
            let after = Hasher::of(&memory);
            memory.rewind(&start);
            assert_eq!(Hasher::of(&memory), before, "{} {seed}", policy.name());
            assert_eq!(run(&mut memory), first, "{} {seed}", policy.name());
            assert_eq!(Hasher::of(&memory), after, "{} {seed}", policy.name());
        }
    }
}

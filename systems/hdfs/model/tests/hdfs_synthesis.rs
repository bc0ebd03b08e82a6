//! A synthesised block map matches a NameNode's counts and repairs as the real map does.
use cluster::{BlockIndex, NodeId};
use hdfs_model::hdfs::{Options, load_blocks, simulate};
use hdfs_scenario::{BlockMap, Redundancy, Scenario};
use hdfs_trace::ingest::hdfs::{Imported, Input, Sources, import};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn shop(name: &str) -> Option<Input> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/shop");
    Some(Input::File(examples.join(name)))
}

fn imported(sources: Sources) -> Imported {
    let conf = shop("hdfs-site.xml");
    import(&Sources { conf, ..sources }, &mut |_| {}).unwrap()
}

/// A temporary folder, removed on drop.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let dir = std::env::temp_dir().join(format!("tenbin-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        Place(dir)
    }
    fn scenario(&self, imported: &Imported, lost: &str) -> Scenario {
        imported.write(&self.0.join("prod.toml")).unwrap();
        let event = "[[event]]\nat = \"0s\"\nkind = \"node-lost\"\ntarget";
        let text = format!("[cluster]\nimport = \"prod.toml\"\n{event} = \"{lost}\"\n");
        Scenario::from_str(&text, self.0.join("s.toml"), &[]).unwrap()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Blocks and bytes of each node.
fn held(map: &BlockMap, nodes: usize) -> Vec<(u64, u64)> {
    let mut held = vec![(0, 0); nodes];
    for block in (0..map.len()).map(BlockIndex) {
        for replica in map.replicas(block) {
            let node = &mut held[replica.node.at()];
            *node = (node.0 + 1, node.1 + map.bytes(block).0)
        }
    }
    held
}

fn check(scenario: &Scenario, map: &BlockMap, synthesis: &hdfs_scenario::Synthesis) {
    let held = held(map, scenario.cluster.nodes.len());
    for (node, ((blocks, bytes), want)) in held.iter().zip(&synthesis.held).enumerate() {
        assert_eq!(*blocks, want.blocks, "replicas of node {node}");
        let data = want.used.0 as f64 * 512.0 / 516.0;
        assert!((*bytes as f64 - data).abs() <= 0.01 * data, "node {node}: {bytes} of {data}");
    }
    let rack = |node: NodeId| scenario.cluster.nodes[node.at()].rack;
    for block in (0..map.len()).map(BlockIndex) {
        let mut nodes: Vec<NodeId> = map.replicas(block).iter().map(|r| r.node).collect();
        let mut racks: Vec<_> = nodes.iter().map(|n| rack(*n)).collect();
        let replicas = nodes.len();
        nodes.sort();
        nodes.dedup();
        racks.sort();
        racks.dedup();
        assert_eq!(nodes.len(), replicas, "{block:?} twice on a node");
        assert!(racks.len() > 1, "{block:?} in one rack");
        assert_eq!(map.redundancy[block.at()], Redundancy::Replicated(3));
    }
}

#[test]
fn every_node_holds_what_the_namenode_counts() {
    let place = Place::new("synthesis-holds");
    let shop = imported(Sources { jmx: shop("nn-jmx.json.gz"), ..Sources::default() });
    let scenario = place.scenario(&shop, "dn-r2-05");
    for seed in 1..=3 {
        let map = load_blocks(&scenario, seed).unwrap();
        assert_eq!((map.len(), map.replica.len()), (12_000, 36_000));
        check(&scenario, &map, shop.synthesis.as_ref().unwrap());
        assert_eq!(map, load_blocks(&scenario, seed).unwrap(), "a function of the seed");
    }
    let (one, two) = (load_blocks(&scenario, 1).unwrap(), load_blocks(&scenario, 2).unwrap());
    assert_ne!(one, two, "and each seed has its own");
}

/// Clusters that placement alone never produces: two racks, a node nearly empty, one with half of
/// all blocks, and other numbers of replicas.
#[test]
fn lopsided_clusters() {
    let place = Place::new("synthesis-odd");
    let shop = imported(Sources { jmx: shop("nn-jmx.json.gz"), ..Sources::default() });
    let mut scenario = place.scenario(&shop, "dn-r2-05");
    let mut draw = engine::Draw::keyed(7, "lopsided", 0, 0);
    for round in 0..30 {
        let nodes = 5 + draw.below(36) as usize;
        scenario.cluster = shop.cluster.clone();
        scenario.cluster.nodes.truncate(nodes);
        let racks = scenario.cluster.racks.iter_mut();
        racks.for_each(|rack| rack.nodes.retain(|n| n.at() < nodes));
        scenario.cluster.racks.retain(|rack| !rack.nodes.is_empty());
        let blocks = 500 + draw.below(500);
        let held = |_| hdfs_scenario::NodeContent {
            blocks: draw.below(blocks / 2 + 1),
            used: units::Bytes((1 << 20) * blocks),
        };
        let held: Vec<hdfs_scenario::NodeContent> = (0..nodes).map(held).collect();
        let synthesis = hdfs_scenario::Synthesis { blocks, held, ..Default::default() };
        scenario.blocks = hdfs_scenario::Blocks::Synthesised(synthesis.clone());
        let map = load_blocks(&scenario, round).unwrap();
        let counts: Vec<u64> = self::held(&map, nodes).iter().map(|h| h.0).collect();
        let wished: Vec<u64> = synthesis.held.iter().map(|h| h.blocks).collect();
        assert_eq!(counts, wished, "round {round}: {nodes} nodes, {blocks} blocks");
        for block in (0..map.len()).map(BlockIndex) {
            let replicas = map.replicas(block);
            let twice = |i: usize| replicas[..i].iter().any(|r| r.node == replicas[i].node);
            assert!(!(0..replicas.len()).any(twice), "{block:?} twice on a node")
        }
    }
}

/// Groups are drawn as HDFS would have placed them, so that a run does not begin with repairs.
#[test]
fn groups_lie_on_as_many_racks_as_there_are() {
    let place = Place::new("synthesis-groups");
    let shop = imported(Sources { jmx: shop("nn-jmx.json.gz"), ..Sources::default() });
    let mut scenario = place.scenario(&shop, "dn-r2-05");
    let mut draw = engine::Draw::keyed(8, "groups", 0, 0);
    for (round, coded) in [(6, 3), (3, 2), (2, 1), (10, 4)].into_iter().enumerate() {
        let (blocks, groups, units) = (1500, 500, u64::from(coded.0 + coded.1));
        let mut held = vec![hdfs_scenario::NodeContent::default(); scenario.cluster.nodes.len()];
        for _ in 0..3 * blocks + units * groups {
            // Half of the nodes hold a third more than the others.
            let node = draw.below(held.len() as u64 * 7 / 6) as usize % held.len();
            held[node].blocks += 1;
            held[node].used.0 += 30 << 20
        }
        let synthesis =
            hdfs_scenario::Synthesis { blocks, groups, coded, held, ..Default::default() };
        scenario.blocks = hdfs_scenario::Blocks::Synthesised(synthesis.clone());
        let map = load_blocks(&scenario, round as u64).unwrap();
        let counts: Vec<u64> = self::held(&map, synthesis.held.len()).iter().map(|h| h.0).collect();
        let wished: Vec<u64> = synthesis.held.iter().map(|h| h.blocks).collect();
        assert_eq!(counts, wished, "{coded:?}");
        let (all, mut crowded) = (scenario.cluster.racks.len(), 0);
        for block in (0..map.len()).map(BlockIndex).filter(|b| map.id[b.at()] < 0) {
            let nodes = map.replicas(block).iter().map(|r| r.node);
            let racks: BTreeSet<_> = nodes.map(|n| scenario.cluster.nodes[n.at()].rack).collect();
            crowded += u32::from(racks.len() < all.min(units as usize))
        }
        // A few that only other moves could have levelled.
        assert!(crowded <= 5, "{coded:?}: {crowded} of {groups}");
    }
}

/// Run manually: `cargo test --release -p hdfs-model --test hdfs_model synthesis -- --ignored
/// --nocapture`.
#[test]
#[ignore = "takes a minute and 4 GB"]
fn a_hundred_million_replicas() {
    let place = Place::new("synthesis-large");
    let shop = imported(Sources { jmx: shop("nn-jmx.json.gz"), ..Sources::default() });
    let mut scenario = place.scenario(&shop, "dn-r2-05");
    let like = scenario.cluster.nodes[0].clone();
    let (racks, of_rack, blocks) = (50, 40, 33_400_000);
    let node = |n: u32| cluster::Node { rack: cluster::RackId(n / of_rack), ..like.clone() };
    scenario.cluster.nodes = (0..racks * of_rack).map(node).collect();
    let members = |rack: u32| (rack * of_rack..(rack + 1) * of_rack).map(NodeId).collect();
    let rack = |rack| cluster::Rack { name: format!("/r{rack}"), nodes: members(rack) };
    scenario.cluster.racks = (0..racks).map(rack).collect();
    let mean = blocks * 3 / u64::from(racks * of_rack);
    let held = |n: u32| {
        let blocks = if n.is_multiple_of(2) { mean * 9 / 10 } else { mean * 11 / 10 };
        hdfs_scenario::NodeContent { blocks, used: units::Bytes(blocks * 100_000_000) }
    };
    let held: Vec<_> = (0..racks * of_rack).map(held).collect();
    let synthesis = hdfs_scenario::Synthesis { blocks, held, ..Default::default() };
    let wished: Vec<u64> = synthesis.held.iter().map(|h| h.blocks).collect();
    scenario.blocks = hdfs_scenario::Blocks::Synthesised(synthesis);
    let map = load_blocks(&scenario, 1).unwrap();
    let counts: Vec<u64> = self::held(&map, wished.len()).iter().map(|h| h.0).collect();
    assert_eq!(counts, wished);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("VmHWM unknown");
    println!("{} replicas, {peak}", map.replica.len());
}

fn recovery(scenario: &Scenario, blocks: Arc<BlockMap>, seed: u64) -> f64 {
    let options =
        Options { execution: engine::Scheduler::Sequential.into(), check: false, observer: None };
    let run =
        simulate(scenario, blocks, seed, options, &mut |_| ControlFlow::Continue(())).unwrap();
    let about = |key| run.trace.about(key).unwrap().parse::<f64>().unwrap();
    about("redundant_s") - about("declared_s")
}

/// The scenario with only the blocks that its events concern.
fn concerned(scenario: &Scenario) -> Scenario {
    let mut scenario = scenario.clone();
    if let hdfs_scenario::Blocks::Synthesised(synthesis) = &mut scenario.blocks {
        synthesis.concerned = true
    }
    assert!(scenario.concerned().is_some());
    scenario
}

/// Partial maps: the named nodes hold their numbers, and other replicas of their blocks are
/// distributed as in the whole map.
#[test]
fn concerned_blocks_lie_as_among_all() {
    let place = Place::new("synthesis-concerned");
    let shop = imported(Sources { jmx: shop("nn-jmx.json.gz"), ..Sources::default() });
    let scenario = place.scenario(&shop, "dn-r2-05");
    let held = &shop.synthesis.as_ref().unwrap().held;
    let lost = scenario.events[0].kind.node().unwrap();
    let shares = |scenario: &Scenario| {
        let mut counts = vec![0.0; held.len()];
        for seed in 1..=20 {
            let map = load_blocks(scenario, seed).unwrap();
            for block in (0..map.len()).map(BlockIndex) {
                let nodes: Vec<NodeId> = map.replicas(block).iter().map(|r| r.node).collect();
                if nodes.contains(&lost) {
                    nodes.iter().for_each(|node| counts[node.at()] += 1.0 / 20.0)
                }
            }
        }
        counts
    };
    let some = concerned(&scenario);
    let map = load_blocks(&some, 1).unwrap();
    let (blocks, bytes) = self::held(&map, held.len())[lost.at()];
    assert_eq!((blocks, map.len() as u64), (held[lost.at()].blocks, held[lost.at()].blocks));
    let data = held[lost.at()].used.0 as f64 * 512.0 / 516.0;
    assert!((bytes as f64 - data).abs() <= 0.01 * data, "{bytes} of {data}");
    let (all, some) = (shares(&scenario), shares(&some));
    let racks = |counts: &[f64]| {
        let of = |rack: &cluster::Rack| rack.nodes.iter().map(|n| counts[n.at()]).sum::<f64>();
        scenario.cluster.racks.iter().map(of).collect::<Vec<f64>>()
    };
    let pairs = |all: &[f64], some: &[f64], near: f64, what: &str| {
        for (at, (a, b)) in all.iter().zip(some).enumerate() {
            assert!((a - b).abs() <= near * a, "{what} {at}: {a} of all, {b} of the concerned")
        }
    };
    pairs(&racks(&all), &racks(&some), 0.05, "rack");
    pairs(&all, &some, 0.25, "node");
}

/// Only groups with a unit on a named node, as many and as widely spread as in the whole map.
#[test]
fn concerned_groups_lie_as_among_all() {
    let place = Place::new("synthesis-concerned-groups");
    let shop = imported(Sources { jmx: shop("nn-jmx.json.gz"), ..Sources::default() });
    let mut scenario = place.scenario(&shop, "dn-r2-05");
    let lost = scenario.events[0].kind.node().unwrap();
    let (blocks, groups, coded) = (9_000, 3_000, (6, 3));
    let nodes = scenario.cluster.nodes.len();
    let each = (3 * blocks + 9 * groups) / nodes as u64;
    let of = |node: usize| if node == lost.at() { 2 * each } else { each };
    let held = |node| hdfs_scenario::NodeContent {
        blocks: of(node),
        used: units::Bytes(of(node) * (30 << 20)),
    };
    let held: Vec<hdfs_scenario::NodeContent> = (0..nodes).map(held).collect();
    let blocks = blocks + each / 3;
    let synthesis = hdfs_scenario::Synthesis { blocks, groups, coded, held, ..Default::default() };
    scenario.blocks = hdfs_scenario::Blocks::Synthesised(synthesis.clone());
    let rack = |node: NodeId| scenario.cluster.nodes[node.at()].rack;
    let racks = scenario.cluster.racks.len();
    // On the lost node: units, units of groups, first units; and per rack, units of these groups.
    let counted = |map: &BlockMap| {
        let (mut counts, mut by_rack) = ([0.0; 3], vec![0.0; racks]);
        for block in (0..map.len()).map(BlockIndex) {
            let replicas = map.replicas(block);
            let Some(here) = replicas.iter().find(|r| r.node == lost) else { continue };
            counts[0] += 1.0;
            if map.id[block.at()] < 0 {
                counts[1] += 1.0;
                counts[2] += f64::from(u8::from(here.index == 0));
                replicas.iter().for_each(|r| by_rack[rack(r.node).at()] += 1.0);
                let nodes: BTreeSet<NodeId> = replicas.iter().map(|r| r.node).collect();
                let spread: BTreeSet<_> = nodes.iter().map(|n| rack(*n)).collect();
                assert_eq!((nodes.len(), spread.len()), (9, racks.min(9)))
            }
        }
        (counts, by_rack)
    };
    let some = concerned(&scenario);
    let map = load_blocks(&some, 1).unwrap();
    let (some, in_some) = counted(&map);
    assert_eq!((some[0] as u64, map.len() as u64), (2 * each, 2 * each), "and no others");
    let (all, in_all) = counted(&load_blocks(&scenario, 1).unwrap());
    assert!((some[1] / all[1] - 1.0).abs() < 0.1, "{some:?} {all:?}");
    let first = [all[2] / all[1], some[2] / some[1]];
    assert!((first[0] - first[1]).abs() < 0.06, "where it wrote: {some:?} {all:?}");
    for (a, b) in in_all.iter().zip(&in_some) {
        assert!((a / all[1] - b / some[1]).abs() < 0.35, "{in_all:?} {in_some:?}");
    }
}

/// All named nodes get their numbers; blocks on several of them count once.
#[test]
fn several_nodes_are_concerned() {
    let place = Place::new("synthesis-several");
    let shop = imported(Sources { jmx: shop("nn-jmx.json.gz"), ..Sources::default() });
    let mut scenario = place.scenario(&shop, "dn-r2-05");
    let more = place.scenario(&shop, "dn-r2-06").events;
    scenario.events.extend(more);
    let hdfs_scenario::Blocks::Synthesised(synthesis) = &mut scenario.blocks else {
        unreachable!()
    };
    (synthesis.blocks, synthesis.under_replicated) = (synthesis.blocks + 20, 60);
    let (wished, named) = (synthesis.held.clone(), scenario.events.iter());
    let named: Vec<NodeId> = named.filter_map(|event| event.kind.node()).collect();
    let map = load_blocks(&concerned(&scenario), 1).unwrap();
    let held = held(&map, wished.len());
    named.iter().for_each(|n| assert_eq!(held[n.at()].0, wished[n.at()].blocks, "{n:?}"));
    let of = |block: u32| map.replicas(BlockIndex(block));
    let short = (0..map.len()).filter(|block| of(*block).len() < 3).count();
    assert_eq!(short, 60, "all that is short, wherever it lies");
    let far = |block: &u32| !of(*block).iter().any(|r| named.contains(&r.node));
    assert!((0..map.len()).filter(far).all(|block| of(block).len() == 2), "and no other block");
}

/// Leaving nodes and their blocks are concerned even without an event; nodes that have left or are
/// in maintenance are not.
#[test]
fn leaving_nodes_are_concerned() {
    let place = Place::new("synthesis-leaving");
    let shop = imported(Sources { jmx: shop("nn-jmx.json.gz"), ..Sources::default() });
    let mut scenario = place.scenario(&shop, "dn-r2-05");
    let wished = &shop.synthesis.as_ref().unwrap().held;
    let lost = scenario.events[0].kind.node().unwrap();
    use cluster::Admin::{Decommissioned, Decommissioning, EnteringMaintenance, InMaintenance};
    let admins = [Decommissioning, EnteringMaintenance, Decommissioned, InMaintenance];
    let mut others = (0..).map(NodeId).filter(|n| *n != lost && wished[n.at()].blocks < 1000);
    let others = admins.map(|admin| {
        let node = others.next().unwrap();
        scenario.cluster.nodes[node.at()].admin = admin;
        node
    });
    let leaving = BTreeSet::from([others[0], others[1]]);
    let all = leaving.iter().copied().chain([lost]).collect::<BTreeSet<NodeId>>();
    for (lose, named) in [(true, all), (false, leaving)] {
        let mut scenario = scenario.clone();
        if !lose {
            scenario.events.clear()
        }
        let some = concerned(&scenario);
        assert_eq!(some.concerned().unwrap(), named.iter().copied().collect::<Vec<NodeId>>());
        let map = load_blocks(&some, 1).unwrap();
        let held = held(&map, wished.len());
        named.iter().for_each(|n| assert_eq!(held[n.at()].0, wished[n.at()].blocks, "{n:?}"));
        let on =
            |map: &BlockMap, block| map.replicas(block).iter().any(|r| named.contains(&r.node));
        assert!((0..map.len()).map(BlockIndex).all(|block| on(&map, block)), "and no other block");
        // As many blocks as in the whole map.
        let whole = load_blocks(&scenario, 1).unwrap();
        let count = (0..whole.len()).map(BlockIndex).filter(|block| on(&whole, *block)).count();
        let part = f64::from(map.len()) / count as f64;
        assert!((part - 1.0).abs() < 0.02, "{part}");
    }
}

/// The median repair time of drawn maps is within 5 % of that of the listed map.
#[test]
fn it_repairs_as_the_listed_map_does() {
    let place = Place::new("synthesis-repairs");
    let counted = imported(Sources { jmx: shop("nn-jmx.json.gz"), ..Sources::default() });
    let fsck = shop("fsck-files-blocks-replicaDetails.txt.gz");
    let report = shop("dfsadmin-report.txt");
    let listed = imported(Sources { fsck, report, ..Sources::default() });
    let map = Arc::new(listed.blocks.unpack_all());
    for lost in ["dn-r2-05", "dn-r1-03"] {
        let (drawn, real) = (place.scenario(&counted, lost), place.scenario(&listed, lost));
        let median = |of: &dyn Fn(u64) -> f64| {
            let mut all: Vec<f64> = (1..=7).map(of).collect();
            all.sort_by(f64::total_cmp);
            all[3]
        };
        let of = |drawn: &Scenario| {
            median(&|seed| recovery(drawn, load_blocks(drawn, seed).unwrap(), seed))
        };
        let real = median(&|seed| recovery(&real, Arc::clone(&map), seed));
        // Also with concerned blocks only, as in a map that is too large.
        for drawn in [of(&drawn), of(&concerned(&drawn))] {
            assert!((drawn / real - 1.0).abs() < 0.05, "{lost}: {drawn} s drawn, {real} s listed");
        }
    }
}

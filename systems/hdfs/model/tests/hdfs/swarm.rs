//! Random scenarios: topology, policy, pacing, sharing, faults, even which features are on. Each
//! keeps all invariants. Its result is the same if every event is undone and repeated, on two
//! threads, under the optimistic scheduler, and against the adversary.
//!
//! `TENBIN_SWARM=1000 cargo test -p hdfs-model --release swarm` runs more; a failure prints the
//! seed and the keys.
use super::world::{BASE, run_as, unexplained};
use engine::{Draw, Scheduler, Stress};
use hdfs_scenario::Scenario;

fn pick<'a>(draw: &mut Draw, from: &[&'a str]) -> &'a str {
    from[draw.below(from.len() as u64) as usize]
}

fn policy(draw: &mut Draw) -> &'static str {
    let all = hdfs_policy::rereplication::registry::all();
    all[draw.below(all.len() as u64) as usize].name()
}

fn keys(seed: u64) -> Vec<(String, String)> {
    let mut draw = Draw::keyed(seed, "swarm", 0, 0);
    let d = &mut draw;
    let site = "hdfs-site.dfs.namenode";
    let sets = [
        ("cluster.racks".into(), pick(d, &["1", "2", "3", "5"])),
        ("cluster.nodes_per_rack".into(), pick(d, &["2", "3", "4", "7"])),
        ("workload.blocks_on_lost_node".into(), pick(d, &["1", "7", "25"])),
        ("workload.block_bytes".into(), pick(d, &["1MB", "64MB", "128MiB"])),
        ("hardware.disk".into(), pick(d, &["100MB/s", "hdd-7200", "7MB/s"])),
        ("hardware.disk_channels".into(), pick(d, &["shared", "separate"])),
        ("hardware.disks_per_node".into(), pick(d, &["1", "3"])),
        ("hardware.inter_rack".into(), pick(d, &["125MB/s", "10MB/s"])),
        ("hardware.nic_latency".into(), pick(d, &["0.1ms", "2ms"])),
        ("policy.pacing".into(), pick(d, &["hdfs1", "hdfs3", "event-driven"])),
        ("policy.rereplication".into(), policy(d)),
        ("model.sharing".into(), pick(d, &["fluid", "fluid", "queue"])),
        ("model.chunk".into(), pick(d, &["1MiB", "4MiB"])),
        ("model.network".into(), pick(d, &["fair", "CM02", "LV08"])),
        ("hdfs-site.dfs.replication".into(), pick(d, &["1", "2", "3", "3", "4"])),
        (format!("{site}.replication.max-streams"), pick(d, &["1", "2", "4"])),
        (format!("{site}.replication.max-streams-hard-limit"), pick(d, &["4", "8"])),
        (format!("{site}.replication.work.multiplier.per.iteration"), pick(d, &["1", "2", "10"])),
        ("hdfs-site.dfs.blockreport.incremental.intervalMsec".into(), pick(d, &["0", "0", "500"])),
    ];
    let load = |key: &str| format!("workload.foreground.{key}");
    let mut bytes = |key: &str| (load(key), pick(d, &["1MB", "300kB"]));
    let (read, write) = (bytes("read_bytes"), bytes("write_bytes"));
    let loads = match d.below(3) {
        0 => vec![(load("reads"), "1"), (load("writes"), "0.1"), read, write],
        1 => {
            vec![(load("readers"), "3"), (load("writers"), "1"), (load("think"), "9s"), read, write]
        }
        _ => vec![],
    };
    let of = |(k, v): (String, &str)| (k, v.to_string());
    let all = sets.into_iter().chain(loads).chain(balancer(d));
    let mut sets: Vec<(String, String)> = all.map(of).collect();
    if sets.contains(&("policy.pacing".into(), "event-driven".into())) {
        sets.push(("policy.sources_chosen".into(), pick(d, &["at-start", "before"]).into()))
    }
    if sets.contains(&("model.network".into(), "LV08".into())) {
        // Thirteen times this is less than what the test for gaps takes for a message.
        sets.push(("hardware.nic_latency".into(), "0.1ms".into()))
    }
    if let Some(groups) = groups(&sets, d) {
        let weight = format!("{EC}.xmits.weight");
        sets.push(("workload.redundancy".into(), groups.into()));
        sets.push((weight, pick(d, &["0.5", "0.5", "0.1", "2"]).into()));
        sets.push((format!("{EC}.threads"), pick(d, &["8", "8", "1"]).into()))
    }
    sets
}

/// Every second scenario has a balancer.
fn balancer(d: &mut Draw) -> Vec<(String, &'static str)> {
    let start = pick(d, &["", "", "0s", "735s"]);
    if start.is_empty() {
        return vec![];
    }
    let site = "hdfs-site.dfs";
    vec![
        ("workload.balancer.start".into(), start),
        ("workload.balancer.threshold".into(), pick(d, &["1", "10"])),
        // Some of these small clusters are so uneven that one node has seven times the mean, and no
        // node may begin more than full.
        ("workload.balancer.mean_utilisation".into(), "10"),
        ("workload.balancer.new_nodes_per_rack".into(), pick(d, &["0", "1"])),
        (format!("{site}.datanode.balance.bandwidthPerSec"), pick(d, &["1m", "100m"])),
        (format!("{site}.datanode.balance.max.concurrent.moves"), pick(d, &["1", "2", "100"])),
        (format!("{site}.balancer.moverThreads"), pick(d, &["3", "1000"])),
        (format!("{site}.balancer.max-size-to-move"), pick(d, &["200m", "10g"])),
        (format!("{site}.balancer.getBlocks.min-block-size"), pick(d, &["1", "10m"])),
        (format!("{site}.balancer.max-iteration-time"), pick(d, &["20000", "1200000"])),
    ]
}

const EC: &str = "hdfs-site.dfs.datanode.ec.reconstruction";

/// A code for which there are enough nodes, in two of three clusters whose pacing supports groups.
fn groups(sets: &[(String, String)], draw: &mut Draw) -> Option<&'static str> {
    let of = |key: &str| &sets.iter().find(|(k, _)| k == key).expect("set above").1;
    let count = |key| of(key).parse::<usize>().expect("a number");
    let new = "workload.balancer.new_nodes_per_rack";
    let new = if sets.iter().any(|(k, _)| k == new) { count(new) } else { 0 };
    let nodes = count("cluster.racks") * (count("cluster.nodes_per_rack") - new);
    let all =
        [("XOR-2-1-1024k", 3), ("RS-3-2-1024k", 5), ("RS-6-3-1024k", 9), ("RS-10-4-1024k", 14)];
    let fit: Vec<&str> = all.iter().filter(|(_, most)| *most <= nodes).map(|(c, _)| *c).collect();
    let wanted = draw.below(3) > 0 && of("policy.pacing") == "hdfs3" && !fit.is_empty();
    wanted.then(|| pick(draw, &fit))
}

/// Up to three more events: losses, returns, failing and slow disks, slow links, leaving nodes.
fn text(seed: u64) -> String {
    let mut draw = Draw::keyed(seed, "swarm", 1, 0);
    let d = &mut draw;
    let mut events = String::new();
    let mut more = |at: &str, kind: &str, target: &str, rate: &str| {
        events += &format!("[[event]]\nat = \"{at}\"\nkind = \"{kind}\"\ntarget = \"{target}\"\n");
        if !rate.is_empty() {
            events += &format!("rate = \"{rate}\"\n")
        }
    };
    match d.below(6) {
        0 => more(
            pick(d, &["1s", "3s", "700s", "738s", "741s", "905s"]),
            "node-lost",
            "dn-r1-02",
            "",
        ),
        1 => more(pick(d, &["1s", "730s", "745s", "2000s"]), "node-back", "dn-r1-01", ""),
        2 => more(pick(d, &["0s", "740s"]), "disk-lost", "dn-r1-02/0", ""),
        3 => more(
            pick(d, &["0s", "740s"]),
            pick(d, &["decommission", "maintenance"]),
            "dn-r1-02",
            "",
        ),
        _ => {}
    }
    match d.below(4) {
        0 => more(pick(d, &["2s", "741s"]), "slow-disk", "dn-r1-02/0", "3MB/s"),
        1 => more(pick(d, &["2s", "741s"]), "slow-link", pick(d, &["dn-r1-02", "/rack1"]), "9MB/s"),
        _ => {}
    }
    BASE.replace("[run]", &(events + "[run]"))
}

/// Schedulers that must give the sequential result, and how much each rolls back.
fn others(seed: u64) -> [(Scheduler, Undone); 4] {
    let (threads, stress) = (2, Stress { seed, planted: None });
    [
        (Scheduler::RollbackCheck { depth: 6 }, Undone::OnPurpose),
        (Scheduler::Conservative { threads }, Undone::Never),
        (Scheduler::Optimistic { threads }, Undone::Perhaps),
        (Scheduler::Stress { threads, stress }, Undone::Often),
    ]
}

/// How often a scheduler rolls events back because they were wrong.
#[derive(Clone, Copy, PartialEq)]
enum Undone {
    Never,
    /// Depends on the machine's load.
    Perhaps,
    /// In most scenarios.
    Often,
    /// All events, though they were right.
    OnPurpose,
}

#[test]
fn invariants_hold_and_schedulers_agree() {
    let count = std::env::var("TENBIN_SWARM").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let mut often = 0;
    for seed in 1..=count {
        let sets = keys(seed);
        let scenario = Scenario::from_str(&text(seed), "swarm.toml", &sets)
            .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        eprintln!("seed {seed}: {} events, {sets:?}", scenario.events.len());
        let once = run_as(&scenario, seed, Scheduler::Sequential);
        for (scheduler, undone) in others(seed) {
            let other = run_as(&scenario, seed, scheduler);
            let what = format!("seed {seed}: {scheduler:?}");
            assert_eq!((once.events, once.trace_hash), (other.events, other.trace_hash), "{what}");
            assert!(once.trace == other.trace, "{what}: the traces differ");
            match undone {
                Undone::Never => assert_eq!(other.effort.rolled_back, 0, "{what}"),
                Undone::Often => often += u64::from(other.effort.rolled_back > 0),
                Undone::Perhaps | Undone::OnPurpose => {}
            }
        }
        let found = unexplained(&once);
        assert!(found.is_empty(), "seed {seed}: {found:#?}");
    }
    assert!(often > count / 2, "the adversary had something undone in {often} of {count} scenarios")
}

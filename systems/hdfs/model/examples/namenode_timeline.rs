//! Decisions of Tenbin's NameNode as a table, for comparison with the real one's
//! (`systems/hdfs/hadoop/compare.sh`).
//!
//! ```text
//! cargo run -p hdfs-model --example namenode_timeline -- CASES.tsv DIRECTORY SEEDS
//! ```
//!
//! Writes two files for every case and seed: `CASE.SEED.world.tsv`, the cluster, its blocks and
//! settings, for the real NameNode to read; and `CASE.SEED.tenbin.tsv`, the copies made. Only the
//! NameNode's pacing limits them: each node has enough disks that copies hardly ever share one,
//! and a disk's rate gives a copy the time of the case.
use cluster::{Admin, BlockIndex, NodeId};
use engine::{Nanos, Scheduler};
use hdfs_model::hdfs::{Options, SimulationResult, load_blocks, simulate};
use hdfs_scenario::{BlockMap, Blocks, Event, EventKind, Redundancy, ReplicaState, Scenario};
use hdfs_trace::{Interval, block, kind};
use std::collections::BTreeMap;
use std::{error::Error, fmt::Write as _, fs, ops::ControlFlow, path::Path};

type Failed = Box<dyn Error>;

/// Bytes of a block; any value works, since bandwidth follows from the time of a copy.
const BLOCK: u64 = 64_000_000;

/// If the node leaves: another node, empty at the start, is lost at [`LATER`] to end the run.
const BYSTANDER: NodeId = NodeId(1);
const LATER: Nanos = Nanos::secs(1800);

const BASE: &str = r#"
[cluster]
racks = 4
nodes_per_rack = 10
[hardware]
disk = "900GB/s"
disks_per_node = 1000
nic = "900GB/s"
nic_latency = "1us"
inter_rack = "900GB/s"
inter_rack_latency = "1us"
[workload]
blocks_on_lost_node = 898
block_bytes = "64MB"
[hdfs-site]
"dfs.namenode.heartbeat.recheck-interval" = 1000
[policy]
rereplication = "default"
pacing = "hdfs3"
[[event]]
at = "0s"
kind = "node-lost"
target = "dn-r1-01"
[run]
until = "redundant"
seeds = 1
"#;

/// A row of the table of cases, by column name.
struct Case(BTreeMap<String, String>);

impl Case {
    fn number(&self, column: &str) -> Result<u64, Failed> {
        let text = self.0.get(column).ok_or(format!("the cases have no column {column}"))?;
        text.parse().map_err(|e| format!("{column} = {text}: {e}").into())
    }

    fn scenario(&self) -> Result<Scenario, Failed> {
        const SITE: &str = "hdfs-site.dfs.";
        let disk = BLOCK * 1000 / self.number("copy_ms")?;
        let sets = [
            ("cluster.racks".into(), self.number("racks")?),
            ("cluster.nodes_per_rack".into(), self.number("nodes_per_rack")?),
            ("workload.blocks_on_lost_node".into(), self.number("blocks")?),
            (
                format!("{SITE}namenode.replication.work.multiplier.per.iteration"),
                self.number("multiplier")?,
            ),
            (format!("{SITE}namenode.replication.max-streams"), self.number("max_streams")?),
            (
                format!("{SITE}namenode.replication.max-streams-hard-limit"),
                self.number("hard_limit")?,
            ),
        ];
        let mut sets: Vec<_> = sets.into_iter().map(|(key, v)| (key, v.to_string())).collect();
        sets.push(("hardware.disk".into(), format!("{disk}B/s")));
        let mut scenario = Scenario::from_str(BASE, "namenode_timeline", &sets)
            .map_err(|e| format!("{}: {e}", self.0["name"]))?;
        let others = self.number("others")? as u32;
        scenario.cluster.nodes.iter_mut().for_each(|node| node.xceivers = others);
        let at = scenario.events[0].at;
        let lost = 0..self.number("lost")? as u32;
        scenario.events =
            lost.map(|n| Event { at, kind: EventKind::NodeLost(NodeId(n)) }).collect();
        Ok(scenario)
    }

    /// The drawn blocks, some with fewer replicas; the lost one stays.
    fn blocks(&self, scenario: &Scenario, seed: u64) -> Result<BlockMap, Failed> {
        let leaving = self.is_leaving()?;
        let (pair, single) = (self.number("pair")? as u32, self.number("single")? as u32);
        let drawn = load_blocks(scenario, seed)?;
        let mut map = BlockMap { first: vec![0], ..BlockMap::default() };
        for index in 0..drawn.len() {
            let mut replicas = drawn.replicas(BlockIndex(index)).to_vec();
            let is_one_of = |every: u32| every > 0 && index % every == 0;
            let wanted = match (is_one_of(single), is_one_of(pair)) {
                (true, _) => 1,
                (_, true) => 2,
                _ => replicas.len(),
            };
            replicas.sort_by_key(|r| r.node.0 != 0);
            replicas.truncate(wanted);
            if leaving && replicas.iter().any(|r| r.node == BYSTANDER) {
                continue;
            }
            if leaving && replicas[0].node == NodeId(0) {
                replicas[0].state = ReplicaState::Decommissioning
            }
            let redundancy = Redundancy::Replicated(wanted as u16);
            map.push(drawn.id[index as usize], BLOCK, redundancy, &replicas)
        }
        Ok(map)
    }

    fn is_leaving(&self) -> Result<bool, Failed> {
        Ok(self.number("leaving")? == 1)
    }

    /// The node leaves instead. A scenario needs a loss: that of another node, at the end.
    fn leave(scenario: &mut Scenario) {
        scenario.cluster.nodes[0].admin = Admin::Decommissioning;
        scenario.events = vec![Event { at: LATER, kind: EventKind::NodeLost(BYSTANDER) }];
        scenario.run.until = Some(LATER)
    }

    fn run(&self, seed: u64, directory: &Path) -> Result<(), Failed> {
        let mut scenario = self.scenario()?;
        let map = self.blocks(&scenario, seed)?;
        if self.is_leaving()? {
            Case::leave(&mut scenario)
        }
        scenario.blocks = Blocks::Given(map.clone());
        let file = |what: &str| directory.join(format!("{}.{seed}.{what}.tsv", self.0["name"]));
        fs::write(file("world"), self.world(&scenario, &map)?)?;
        let options =
            Options { execution: Scheduler::Sequential.into(), check: true, observer: None };
        let blocks = load_blocks(&scenario, seed)?;
        let go_on = &mut |_| ControlFlow::Continue(());
        let run = simulate(&scenario, blocks, seed, options, go_on)?;
        if let Some(violation) = run.violations.first() {
            return Err(format!("{} seed {seed}: {violation}", self.0["name"]).into());
        }
        Ok(fs::write(file("tenbin"), table(&run, self.is_leaving()?)?)?)
    }

    fn world(&self, scenario: &Scenario, map: &BlockMap) -> Result<String, Failed> {
        let mut out = String::new();
        for column in
            ["multiplier", "max_streams", "hard_limit", "others", "copy_ms", "leaving", "lost"]
        {
            writeln!(out, "{column}\t{}", self.number(column)?)?
        }
        for (id, node) in scenario.cluster.nodes.iter().enumerate() {
            writeln!(out, "node\t{id}\t/r{}", node.rack.0 + 1)?
        }
        for index in 0..map.len() {
            let replicas = map.replicas(BlockIndex(index));
            let at: Vec<String> = replicas.iter().map(|r| r.node.0.to_string()).collect();
            let id = map.id[index as usize];
            writeln!(out, "block\t{id}\t{BLOCK}\t{}\t{}", at.len(), at.join(" "))?
        }
        Ok(out)
    }
}

/// A line for every copy: block, times of decision, handout and end \[ms\], source, target. Times
/// count from the declaration of the loss, or from the start if a node leaves.
fn table(run: &SimulationResult, leaving: bool) -> Result<String, Failed> {
    let origin: f64 = match leaving {
        true => 0.0,
        false => run.trace.about("declared_s").ok_or("no time of declaration")?.parse()?,
    };
    let ms = |at: Nanos| at.0 as f64 / 1e6 - origin * 1e3;
    let mut out = String::new();
    let all = |kind| run.trace.intervals.iter().filter(move |i| i.kind == kind);
    let mut waits: BTreeMap<(Option<i64>, Nanos), &Interval> = BTreeMap::new();
    for wait in all(kind::HANDOUT) {
        waits.insert((block(&run.trace, wait), wait.end), wait);
    }
    for copy in all(kind::TRANSFER) {
        let of = block(&run.trace, copy);
        let (Some(id), Some(source), Some(target)) = (of, copy.node, copy.peer) else { continue };
        let (source, target) = (source.at(), target.at());
        let mut decided = copy.start;
        while let Some(wait) = waits.get(&(of, decided)) {
            decided = wait.start
        }
        let (from, at, to) = (ms(decided), ms(copy.start), ms(copy.end));
        writeln!(out, "{id}\t{from:.3}\t{at:.3}\t{to:.3}\t{source}\t{target}")?
    }
    Ok(out)
}

fn read_cases(file: &str) -> Result<Vec<Case>, Failed> {
    let text = fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
    let mut rows = text.lines().filter(|line| !line.starts_with('#'));
    let names: Vec<&str> = rows.next().ok_or("no header")?.split('\t').collect();
    let row = |line: &str| {
        names.iter().map(|n| n.to_string()).zip(line.split('\t').map(Into::into)).collect()
    };
    Ok(rows.map(|line| Case(row(line))).collect())
}

fn main() -> Result<(), Failed> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [cases, directory, seeds] = args.as_slice() else {
        return Err("namenode_timeline CASES.tsv DIRECTORY SEEDS".into());
    };
    fs::create_dir_all(directory)?;
    for case in read_cases(cases)? {
        for seed in 1..=seeds.parse()? {
            case.run(seed, Path::new(directory))?
        }
    }
    Ok(())
}

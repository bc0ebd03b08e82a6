//! Runs, simulated and logged, as the trace of all systems: nothing is lost on the way, and the
//! walk of all systems finds what HDFS's finds.
use engine::Scheduler;
use hdfs::job;
use models::hdfs::Options;
use reading::attribution::critical_path;
use reading::chains::Chains;
use reading::moments::Moments;
use reading::walk::{self, Follow, walk};
use std::fs;
use std::path::{Path, PathBuf};
use trace::Trace;
use trace::ingest::{hdfs as ingest, hdfs_log};
use trace2::EntityId;
use trace2::walk::{Holder, Idle, Lane, Lanes, Start, blocked, path};
use units::Nanos;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// The scenarios of HDFS, with the cluster that one imports. What is too large for a test is run
/// smaller.
fn scenarios() -> Vec<(PathBuf, Vec<(String, String)>)> {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stored");
    fs::create_dir_all(place.join("examples/shop")).unwrap();
    fs::create_dir_all(place.join("scenarios")).unwrap();
    let input = |name: &str| Some(ingest::Input::File(root().join("examples/shop").join(name)));
    let shop = ingest::Sources {
        name: "shop".into(),
        fsck: input("fsck-files-blocks-replicaDetails.txt.gz"),
        report: input("dfsadmin-report.txt"),
        topology: input("dfsadmin-printTopology.txt"),
        conf: input("hdfs-site.xml"),
        jmx: None,
    };
    let shop = ingest::import(&shop, &mut |_| {}).unwrap();
    shop.write(&place.join("examples/shop/shop.toml")).unwrap();
    fs::copy(root().join("scenarios/shop.toml"), place.join("scenarios/shop.toml")).unwrap();
    let faults = fs::read_dir(root().join("scenarios/faults")).unwrap();
    let faults = faults.map(|entry| entry.unwrap().path());
    let mut all: Vec<_> = faults.filter(|path| path.extension() == Some("toml".as_ref())).collect();
    all.extend([place.join("scenarios/shop.toml"), root().join("scenarios/s0.toml")]);
    all.sort();
    let mut all: Vec<_> = all.into_iter().map(|file| (file, Vec::new())).collect();
    let smaller = [
        ("cluster.racks", "6"),
        ("cluster.nodes_per_rack", "8"),
        ("workload.blocks_on_lost_node", "200"),
        ("event.target", "dn-r3-05"),
    ];
    let smaller = smaller.map(|(key, value)| (key.into(), value.into())).into();
    all.push((root().join("scenarios/datacentre.toml"), smaller));
    all
}

fn simulated((file, sets): &(PathBuf, Vec<(String, String)>)) -> Trace {
    let scenario = job::read(file, sets).unwrap();
    let blocks = job::blocks(&scenario, 1).unwrap();
    let options = Options { execution: Scheduler::Sequential.into(), check: false, witness: None };
    job::run(&scenario, blocks, 1, options, &mut |_| ()).unwrap().expect("nobody stops it").trace
}

fn logged(name: &str) -> Trace {
    let log = root().join("systems/hdfs/trace/tests/data/hdfs_log").join(name);
    let logs = vec![ingest::Input::File(log)];
    let sources = hdfs_log::Sources { name: "run".into(), logs, conf: None };
    hdfs_log::import(&sources, &mut |_| {}).unwrap().trace
}

/// All runs by name.
fn runs() -> Vec<(String, Trace)> {
    let scenarios = scenarios();
    let of = |all: &(PathBuf, _)| all.0.file_stem().unwrap().to_string_lossy().into_owned();
    let simulated = scenarios.iter().map(|scenario| (of(scenario), simulated(scenario)));
    let logs = ["default-nn+dn.log.gz", "external-nn+dn.log.gz"];
    let logs = logs.iter().map(|name| (name.to_string(), logged(name)));
    simulated.chain(logs).collect()
}

#[test]
fn what_is_stored_comes_back() {
    let (runs, mut paths, mut blocks) = (runs(), 0, 0);
    assert!(runs.len() >= 18);
    for (name, trace) in runs {
        let stored = reading::stored(&trace);
        assert_same(&name, &trace, &trace::stored::from(&stored).unwrap());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stored/trace");
        trace2::tables::write(&stored, &folder).unwrap();
        assert!(trace2::tables::read(&folder).unwrap() == stored, "{name}: on disk");
        assert_same(&name, &trace, &trace::stored::read(&folder).unwrap());
        let both = Both::of(&name, &trace, &stored);
        paths += usize::from(both.assert_one_path());
        blocks += both.assert_one_blocked_time()
    }
    assert!(paths >= 14 && blocks > 1_000, "{paths} critical paths, {blocks} blocks");
}

fn assert_same(name: &str, a: &Trace, b: &Trace) {
    let differs = [
        ("run", a.run != b.run),
        ("nodes", (&a.racks, &a.nodes) != (&b.racks, &b.nodes)),
        ("resources", a.resources != b.resources || a.capacities != b.capacities),
        ("settings", a.settings != b.settings),
        ("series", a.series != b.series),
        ("counters", a.counter_names != b.counter_names || a.counters != b.counters),
        ("requests", a.requests != b.requests),
    ];
    let differs: Vec<&str> = differs.iter().filter(|(_, is)| *is).map(|(what, _)| *what).collect();
    let first = a.intervals.iter().zip(&b.intervals).find(|(a, b)| a != b);
    assert!(differs.is_empty() && first.is_none(), "{name}: {differs:?} {first:?}");
    assert!(a == b, "{name}")
}

/// A stretch of a path: what it is charged to, in words, from when to when.
type Stretch = (String, Nanos, Nanos);

/// A run, and the same as the trace of all systems.
struct Both<'a> {
    name: &'a str,
    trace: &'a Trace,
    stored: &'a trace2::Trace,
    moments: Moments,
    chains: Chains<'a>,
    lanes: Lanes,
}

impl<'a> Both<'a> {
    fn of(name: &'a str, trace: &'a Trace, stored: &'a trace2::Trace) -> Both<'a> {
        let (moments, chains, lanes) = (Moments::of(trace), Chains::of(trace), Lanes::of(stored));
        Both { name, trace, stored, moments, chains, lanes }
    }

    fn start<'b>(&self, block: Option<i64>, top: Nanos, idle: Idle<'b>) -> Start<'b> {
        let entity = |block| self.stored.entities.iter().position(|e| e.number == Some(block));
        let lane = block.map(|block| Lane::Subject(EntityId::of(entity(block).unwrap())));
        let floor = self.moments.declared.unwrap();
        Start { lane, top, floor, tree: None, idle: Some(idle) }
    }

    /// The critical path, piece by piece, and the window of the objective. Whether there is a path.
    fn assert_one_path(&self) -> bool {
        let Some((block, pieces)) = critical_path(&self.chains, &self.moments) else {
            return false;
        };
        let (name, top) = (self.name, pieces.first().unwrap().end);
        let idle = |time| self.chains.all_safe_since(time);
        let found = path(&self.lanes, self.start(block, top, &idle)).pieces;
        let theirs = theirs(self.trace, &pieces);
        assert_eq!(stretches(self.stored, &found), theirs, "{name}: critical path");
        let objective = &self.stored.objectives[0];
        let window = (Some(objective.from), objective.to);
        assert_eq!(window, (self.moments.declared, Some(top)), "{name}: window");
        let number = objective.subject.and_then(|id| self.stored.entities[id.at()].number);
        assert_eq!(number, block, "{name}: subject");
        true
    }

    /// Every block's blocked time, piece by piece. How many blocks waited.
    fn assert_one_blocked_time(&self) -> usize {
        let Some(declared) = self.moments.declared else { return 0 };
        let by = self.moments.mended.unwrap_or(Nanos::MAX);
        let idle = |time| self.chains.all_safe_since(time);
        let ends = self.chains.blocks().filter_map(|b| Some((b, self.chains.ends(b, by)?.0)));
        let waited: Vec<(i64, Nanos)> = ends.filter(|(_, top)| *top > declared).collect();
        for (block, top) in &waited {
            let pieces = walk(&self.chains, Some(*block), *top, declared, Follow::Once);
            let found = blocked(&self.lanes, self.start(Some(*block), *top, &idle), 1);
            let theirs = theirs(self.trace, &pieces);
            assert_eq!(stretches(self.stored, &found), theirs, "{}: block {block}", self.name)
        }
        waited.len()
    }
}

fn stretches(trace: &trace2::Trace, pieces: &[trace2::walk::Piece]) -> Vec<Stretch> {
    merged(pieces.iter().map(|piece| {
        let holder = match piece.holder {
            Holder::Idle => "time before a later loss".into(),
            holder => holder.name(trace),
        };
        (holder, piece.start, piece.end)
    }))
}

fn theirs(trace: &Trace, pieces: &[walk::Piece]) -> Vec<Stretch> {
    merged(pieces.iter().map(|piece| {
        let holder = match piece.holder {
            walk::Holder::Setting(at) => {
                let row = &trace.settings[at as usize];
                let equals = if row.is_lack() { ": " } else { " = " };
                format!("{}{equals}{}", row.key, row.value)
            }
            walk::Holder::Resource(at) => trace.resources[at as usize].name.clone(),
            walk::Holder::Interval(kind) => kind.other().into(),
            walk::Holder::LaterLoss => "time before a later loss".into(),
            walk::Holder::Unexplained => "unexplained".into(),
        };
        (holder, piece.start, piece.end)
    }))
}

/// Neighbours of one holder are one.
fn merged(pieces: impl Iterator<Item = Stretch>) -> Vec<Stretch> {
    let mut all: Vec<Stretch> = Vec::new();
    for (holder, start, end) in pieces {
        match all.last_mut() {
            Some(last) if last.0 == holder && last.1 == end => last.1 = start,
            _ => all.push((holder, start, end)),
        }
    }
    all
}

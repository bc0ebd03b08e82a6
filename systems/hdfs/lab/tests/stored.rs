//! Runs, simulated and logged, survive a round trip to disk with the same shares.
use engine::Scheduler;
use hdfs::job;
use hdfs_trace::Trace;
use hdfs_trace::ingest::{hdfs as ingest, hdfs_log};
use std::fs;
use std::path::{Path, PathBuf};
use system::RunOptions;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// The scenarios of HDFS, with the cluster that one imports; large ones are reduced.
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
    let lab = job::lab();
    let sheet = lab.read(file, sets).unwrap();
    let how = RunOptions { keep_trace: true, ..RunOptions::by(Scheduler::Sequential) };
    lab.run_once(&sheet, 1, how).unwrap().expect("not interrupted").trace
}

fn logged(name: &str) -> Trace {
    let log = root().join("systems/hdfs/trace/tests/data/hdfs_log").join(name);
    let logs = vec![ingest::Input::File(log)];
    let sources = hdfs_log::Sources { name: "run".into(), logs, conf: None };
    hdfs_log::import(&sources, &mut |_| {}).unwrap().trace
}

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
    let mut shares = String::new();
    for (name, mut trace) in runs() {
        trace.objectives = vec![hdfs_reading::objective(&trace)];
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stored/trace");
        trace::tables::write(&trace, &folder).unwrap();
        assert!(hdfs_trace::read(&folder).unwrap() == trace, "{name}: on disk");
        shares += &shares_of(&name, &trace)
    }
    if std::env::var_os("TENBIN_BLESS").is_some() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shares.txt");
        return fs::write(file, shares).unwrap();
    }
    let expected = include_str!("shares.txt");
    let differs = shares.lines().zip(expected.lines()).find(|(found, told)| found != told);
    assert!(shares == expected, "TENBIN_BLESS=1 rewrites it: {differs:?}")
}

/// A run's figures: the path's block and window, its shares, and the shares of all blocks' mean
/// wait, to the nanosecond.
fn shares_of(name: &str, trace: &Trace) -> String {
    let objective = &trace.objectives[0];
    let (from, to) = (objective.from.0, objective.to.unwrap().0);
    let number = objective.subject.and_then(|id| trace.entities[id.at()].number);
    let (path, mean) = (hdfs_reading::attribution(trace), hdfs_reading::blocked_time(trace));
    assert!(path.block == number || path.shares.is_empty(), "{name}: {number:?}");
    let mut text = format!("{name}: block {}, {from}-{to} ns\n", number.unwrap_or_default());
    for (of, attribution) in [("path", path), ("mean", mean)] {
        for held in attribution.shares {
            let hottest = held.hottest.map(|name| format!(" ({name})")).unwrap_or_default();
            text += &format!("  {of} {:>18.9} s {}{hottest}\n", held.waited_s, held.holder)
        }
    }
    text
}

//! Whether both sides say the same: the time from the start to the end of the run at which each
//! copy ends.
use crate::copies::{Copies, Copy, Site};
use crate::ours;
use crate::peer::{Optim, Peer};
use crate::verdicts::Verdicts;
use cluster::Network;
use hdfs_trace::kind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use units::u32_of;

/// Relative differences of the ends of all copies.
struct Distance {
    copies: usize,
    median: f64,
    largest: f64,
}

impl Distance {
    /// May be this at the median, and this for every copy.
    const BOUNDS: (f64, f64) = (0.005, 0.02);

    fn between(ours: &[f64], theirs: &[Option<(f64, f64)>]) -> Distance {
        assert_eq!(ours.len(), theirs.len());
        let mut all: Vec<f64> = ours
            .iter()
            .zip(theirs)
            .map(|(ours, theirs)| theirs.map_or(f64::INFINITY, |(_, end)| (ours - end).abs() / end))
            .collect();
        all.sort_by(f64::total_cmp);
        let largest = all.last().copied().unwrap_or(f64::INFINITY);
        Distance { copies: all.len(), median: all[all.len() / 2], largest }
    }

    fn print(&self, what: &str, verdicts: &mut Verdicts) {
        let Distance { copies, median, largest } = self;
        let held = *median <= Distance::BOUNDS.0 && *largest <= Distance::BOUNDS.1;
        let (median, largest) = (median * 100.0, largest * 100.0);
        let verdict = verdicts.of(held);
        println!("{what:44} {copies:7} {median:11.7} {largest:12.7}  {verdict}");
    }
}

/// Compares at 32 to 512 nodes.
pub fn print(peer: &Peer, verdicts: &mut Verdicts) {
    println!("\nDo both say the same? Ends of copies; bounds: 0.5 % at the median, 2 % for each.");
    println!("{:44} {:>7} {:>11} {:>12}", "", "copies", "median %", "largest %");
    let sizes = [(32, 1), (32, 2), (128, 1), (128, 2), (512, 1), (512, 2)];
    let networks = [Network::Cm02, Network::Lv08];
    for ((nodes, racks), network) in sizes.into_iter().flat_map(|s| networks.map(|n| (s, n))) {
        let copies = Copies::random(nodes, racks, 2, 8).under(network);
        let ours = ours::run(&copies, f64::INFINITY).times;
        let ends: Vec<f64> = ours.iter().map(|time| time.expect("all ended").1).collect();
        let theirs = peer.run(&copies, 60.0, Optim::Full).times;
        let racks = if racks == 1 { "one rack" } else { "two racks, one link" };
        let what = format!("solver, {network:?}, {nodes} nodes, {racks}");
        Distance::between(&ends, &theirs).print(&what, verdicts)
    }
    let sizes = [(32, 1), (32, 2), (128, 1)];
    for ((nodes, racks), network) in sizes.into_iter().flat_map(|s| networks.map(|n| (s, n))) {
        let what = format!("tenbin run, {network:?}, {nodes} nodes, {racks} rack(s)");
        match repair(nodes, racks, network) {
            Some((copies, ends)) => {
                let theirs = peer.run(&copies, 60.0, Optim::Full).times;
                Distance::between(&ends, &theirs).print(&what, verdicts)
            }
            None => println!("{what:44} not measured: build it with `make bench`"),
        }
    }
}

/// The copies that `tenbin run` makes of `scenarios/s0.toml`, in the order in which they begin, and
/// when each ends [s after the first begins].
fn repair(nodes: u32, racks: u32, network: Network) -> Option<(Copies, Vec<f64>)> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.."));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("simgrid-run");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../release/tenbin");
    let mut run = Command::new(program);
    run.arg("run").arg(root.join("scenarios/s0.toml")).arg("-o").arg(&folder);
    let settings = [
        ("cluster.racks", racks.to_string()),
        ("cluster.nodes_per_rack", (nodes / racks).to_string()),
        ("workload.blocks_on_lost_node", (20 * (nodes - 1)).to_string()),
        ("hardware.inter_rack", format!("\"{}MB/s\"", 125 * nodes / 8)),
        ("hardware.inter_rack_latency", "\"0.5ms\"".into()),
        ("model.network", format!("\"{}\"", format!("{network:?}").to_uppercase())),
    ];
    for (key, value) in settings {
        run.arg("--set").arg(format!("{key}={value}"));
    }
    let done = run.stdout(Stdio::null()).status().is_ok_and(|status| status.success());
    let trace = done.then(|| hdfs_trace::read(&folder.join("trace")).expect("just written"))?;
    let mut sent: Vec<_> = trace.intervals.iter().filter(|i| i.kind == kind::TRANSFER).collect();
    sent.sort_by_key(|i| i.start);
    let first = sent.first()?.start;
    let ends = sent.iter().map(|i| (i.end - first).as_secs()).collect();
    let copy = |i: &&hdfs_trace::Interval| {
        let (source, target) = (u32_of(i.node?.at()), u32_of(i.peer?.at()));
        Some(Copy { source, target, bytes: hdfs_trace::bytes(i) })
    };
    let list: Vec<Copy> = sent.iter().filter_map(copy).collect();
    // The hardware of the scenario is that of the random copies.
    let site: Site = Copies::random(nodes, racks, 2, 0).site;
    Some((Copies { site, list }.under(network), ends))
}

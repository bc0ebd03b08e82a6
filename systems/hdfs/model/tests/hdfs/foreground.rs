//! Client load during a repair, compared with queueing theory and arithmetic.
use super::world::{run, scenario};
use hdfs_trace::{Interval as Request, NodeId, Outcome, kind};

const LOAD: &str = "workload.foreground.";

fn requests(seed: u64, load: &[(&str, &str)], sets: &[(&str, &str)]) -> Vec<Request> {
    let load: Vec<(String, &str)> = load.iter().map(|(k, v)| (format!("{LOAD}{k}"), *v)).collect();
    let named = load.iter().map(|(k, v)| (k.as_str(), *v));
    let sets: Vec<(&str, &str)> = named.chain(sets.iter().copied()).collect();
    hdfs_trace::requests(&run(&scenario(&sets), seed).trace).cloned().collect()
}

fn ended(request: &Request) -> bool {
    request.outcome == Outcome::Ok
}

fn seconds(request: &Request) -> Option<f64> {
    ended(request).then(|| (request.end - request.start).as_secs())
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let all: Vec<f64> = values.collect();
    all.iter().sum::<f64>() / all.len() as f64
}

/// Before the declaration (630 s or later) nothing else moves.
fn quiet(request: &&Request) -> bool {
    ended(request) && request.end.as_secs() < 630.0
}

#[test]
fn a_lonely_local_reader_has_the_disk_alone() {
    for sharing in ["fluid", "queue"] {
        let load = [("readers", "1"), ("think", "2s"), ("local", "1"), ("read_bytes", "50MB")];
        let all = requests(1, &load, &[("model.sharing", sharing)]);
        let quiet: Vec<f64> = all.iter().filter(quiet).filter_map(seconds).collect();
        // 50 MB at 100 MB/s, and the latency both ways.
        assert!(quiet.iter().all(|s| (0.5..0.502).contains(s)), "{sharing}: {quiet:?}");
        // One every 2.5 s on average.
        assert!((200..310).contains(&quiet.len()), "{sharing}: {}", quiet.len());
    }
}

/// M/G/1 with processor sharing: a request takes S / (1 − ρ) on average, for any distribution of
/// lengths (Kleinrock 1976, §4.4). Six nodes with one disk, one of them lost at once; nodes get
/// requests in proportion to their blocks.
#[test]
fn an_open_loop_waits_as_processor_sharing_says() {
    // S = 0.1 s; five disks get 30 a second: ρ = 0.6 on average.
    let load = [("reads", "30"), ("local", "1"), ("read_bytes", "10MB")];
    for (sharing, tolerance) in [("fluid", 0.05), ("queue", 0.08)] {
        let share = "model.chunk";
        let sets = [("model.sharing", sharing), (share, "256KiB")];
        let all = (1..=3).flat_map(|seed| requests(seed, &load, &sets));
        let all: Vec<Request> = all.collect();
        let of = |node| all.iter().filter(quiet).filter(move |r| r.peer == Some(NodeId::of(node)));
        let mean = mean(all.iter().filter(quiet).filter_map(seconds));
        let (mut expected, count) = (0.0, all.iter().filter(quiet).count() as f64);
        for asked in (0..6).map(|node| of(node).count() as f64) {
            let busy = 0.1 * asked / (3.0 * 630.0);
            expected += asked / count * 0.1 / (1.0 - busy)
        }
        assert!((mean / expected - 1.0).abs() < tolerance, "{sharing}: {mean} of {expected}");
    }
}

#[test]
fn the_same_requests_come_whatever_the_settings() {
    let load = [("reads", "5"), ("writes", "1"), ("read_bytes", "8MB"), ("write_bytes", "8MB")];
    let of = |streams: &str| {
        let key = "hdfs-site.dfs.namenode.replication.max-streams";
        let mut all = requests(1, &load, &[(key, streams)]);
        all.sort_by_key(|r| (r.start, r.kind == kind::WRITE));
        all.iter().map(|r| (r.start, r.kind, r.node, r.peer)).collect::<Vec<_>>()
    };
    let (few, many) = (of("1"), of("8"));
    let both = few.len().min(many.len());
    assert!(both > 3000 && few.len() != many.len(), "{both}: one repair is shorter");
    assert_eq!(few[..both - 20], many[..both - 20]);
}

#[test]
fn the_repair_slows_clients_down_and_they_slow_it() {
    let load = [("reads", "25"), ("local", "1"), ("read_bytes", "10MB")];
    let sets = [("workload.blocks_on_lost_node", "60")];
    let all = requests(1, &load, &sets);
    let (before, after): (Vec<&Request>, Vec<&Request>) = all.iter().partition(quiet);
    let [before, after] = [before, after].map(|rs| mean(rs.into_iter().filter_map(seconds)));
    assert!(after > 1.2 * before, "{before} then {after}");
    let alone = super::world::recovery_s(&run(&scenario(&sets), 1));
    let key = |k: &str| format!("{LOAD}{k}");
    let (reads, local, bytes) = (key("reads"), key("local"), key("read_bytes"));
    let loaded = [(&*reads, "25"), (&*local, "1"), (&*bytes, "10MB"), sets[0]];
    let loaded = super::world::recovery_s(&run(&scenario(&loaded), 1));
    assert!(loaded > alone, "{alone} alone, {loaded} beside clients");
}

/// A node falls silent during requests: they are retried elsewhere, no request reads from it again,
/// and the closed loop keeps all its clients.
#[test]
fn who_read_from_a_lost_node_goes_on_elsewhere() {
    for sharing in ["fluid", "queue"] {
        let load = [("readers", "12"), ("read_bytes", "64MB"), ("writers", "2")];
        let all = requests(3, &load, &[("model.sharing", sharing), ("event.at", "10s")]);
        let tried_twice = all.iter().filter(|r| r.tries > 0).count();
        assert!(tried_twice > 0, "{sharing}");
        let lost = |r: &&Request| r.peer == Some(NodeId::of(0)) && r.start.as_secs() > 10.0;
        assert_eq!(all.iter().filter(lost).count(), 0, "{sharing}");
        let unfinished = all.iter().filter(|r| !ended(r)).count();
        assert!((10..=14).contains(&unfinished), "{sharing}: all 14 are at it: {unfinished}");
    }
}

/// A client outside takes the replica of its own rack: with one in each rack no read crosses racks.
#[test]
fn reads_stay_in_the_rack_where_they_can() {
    let load = [("reads", "10"), ("read_bytes", "1MB")];
    let late = ("event.at", "800s");
    let racks = [("cluster.racks", "2"), ("cluster.nodes_per_rack", "3"), late];
    let mut all = requests(2, &load, &racks);
    // Later some blocks have lost their only replica in a rack.
    all.retain(|r| r.start.as_secs() < 800.0);
    let rack = |node: Option<NodeId>| node.map(|node| node.at() / 3);
    let crossing = all.iter().filter(|r| rack(r.node) != rack(r.peer)).count();
    assert!(all.len() > 5000 && crossing * 50 < all.len(), "{crossing} of {}", all.len());
    assert!(all.iter().all(|r| r.node != r.peer), "no client is local");
}

/// Event-driven pacing ends by itself although clients never do.
#[test]
fn clients_do_not_keep_a_run_alive() {
    let load = [("workload.foreground.reads", "1")];
    // Two of three nodes are left, and blocks expect three replicas: no repair is possible.
    let sets = [("policy.pacing", "event-driven"), ("cluster.nodes_per_rack", "3")];
    let sets: Vec<(&str, &str)> = load.into_iter().chain(sets).collect();
    let run = run(&scenario(&sets), 1);
    assert!(run.simulated.as_secs() < 10.0, "{:?}", run.simulated);
    assert!(!run.unrepaired.is_empty());
}

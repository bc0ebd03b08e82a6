//! A cluster that counts each call as Hadoop 3's `DataXceiver`, `BlockReceiver` and `DataNode` do,
//! and records what its clients did: the import must find the latter.
use super::support::{Page, Random, between};
use hdfs_trace::ingest::foreground::Imported;

const NODES: usize = 12;
const SECONDS: u64 = 300;

#[derive(Default)]
struct Truth {
    reads: Vec<u64>,
    local: u64,
    bytes_read: u64,
    /// First hops.
    writes: Vec<u64>,
    bytes_written: u64,
}

struct Made {
    pages: Vec<Page>,
    truth: Truth,
}

impl Made {
    fn new(random: &mut Random) -> Made {
        let page = |n: usize, random: &mut Random| {
            let mut page = Page::new(&format!("dn-{n}-9866"), 1_000 + random.below(1 << 40) as u64);
            page.counters.iter_mut().for_each(|(_, n)| *n = random.below(1 << 50) as u64);
            page
        };
        let pages = (0..NODES).map(|n| page(n, random)).collect();
        let none = || vec![0; NODES];
        Made { pages, truth: Truth { reads: none(), writes: none(), ..Truth::default() } }
    }

    /// `DataXceiver.readBlock`
    fn read_block(&mut self, node: usize, local: bool, bytes: u64) {
        let page = &mut self.pages[node];
        page.count("BytesRead", bytes);
        page.count("BlocksRead", 1);
        page.count("ReadBlockOpNumOps", 1);
        match local {
            true => page.count("ReadsFromLocalClient", 1),
            false => {
                page.count("ReadsFromRemoteClient", 1);
                page.count("RemoteBytesRead", bytes)
            }
        }
    }
    fn client_reads(&mut self, node: usize, local: bool, bytes: u64) {
        self.read_block(node, local, bytes);
        self.truth.reads[node] += 1;
        self.truth.local += u64::from(local);
        self.truth.bytes_read += bytes
    }
    /// `DataXceiver.writeBlock` and what it calls.
    fn write_block(&mut self, node: usize, local: bool, client: bool, bytes: u64) {
        let page = &mut self.pages[node];
        page.count("BytesWritten", bytes);
        if !client {
            // receiveBlock: `if (isDatanode || isTransfer) … incrBlocksWritten()`
            page.count("BlocksWritten", 1)
        }
        // closeBlock, by the PacketResponder for clients, by writeBlock for DataNodes
        page.count("BlocksWritten", 1);
        page.count("WriteBlockOpNumOps", 1);
        let size = if client { bytes } else { 0 };
        match local {
            true => page.count("WritesFromLocalClient", 1),
            false => {
                page.count("WritesFromRemoteClient", 1);
                page.count("RemoteBytesWritten", size)
            }
        }
    }
    fn client_writes(&mut self, first: usize, local: bool, bytes: u64, random: &mut Random) {
        self.write_block(first, local, true, bytes);
        let step = 1 + random.below(5);
        for hop in 1..3 {
            self.write_block((first + hop * step) % NODES, false, true, bytes)
        }
        self.truth.writes[first] += 1;
        self.truth.bytes_written += bytes
    }
    /// `DNA_TRANSFER`
    fn replicates(&mut self, from: usize, to: usize, bytes: u64) {
        self.pages[from].count("BlocksReplicated", 1);
        self.write_block(to, false, false, bytes)
    }
    /// `replaceBlock` at the target, `copyBlock` at the proxy.
    fn balances(&mut self, from: usize, to: usize, bytes: u64) {
        let proxy = &mut self.pages[from];
        for (name, n) in [("BytesRead", bytes), ("BlocksRead", 1), ("CopyBlockOpNumOps", 1)] {
            proxy.count(name, n)
        }
        let target = &mut self.pages[to];
        for (name, n) in
            [("BytesWritten", bytes), ("BlocksWritten", 1), ("ReplaceBlockOpNumOps", 1)]
        {
            target.count(name, n)
        }
    }
}

/// A made interval; of clients, `local` in ten are on the node that serves them.
fn made(seed: u64, local: usize, repair: bool, balancer: bool) -> (Imported, Truth) {
    let random = &mut Random(seed);
    let mut made = Made::new(random);
    let before = made.pages.clone();
    for _ in 0..2_000 {
        let (node, other) = (random.below(NODES), 1 + random.below(NODES - 1));
        let to = (node + other) % NODES;
        let near = random.below(10) < local;
        match random.below(8) {
            0..4 => made.client_reads(node, near, 1 + random.below(8 << 20) as u64),
            // Half of the nodes write more.
            4..6 => {
                let bytes = 1 + random.below(128 << 20) as u64;
                made.client_writes(node / (1 + node % 2), near, bytes, random)
            }
            6 if repair => made.replicates(node, to, 100 << 20),
            // The balancer reads from some only.
            7 if balancer => made.balances(node / 2, to, 120 << 20),
            _ => {}
        }
    }
    made.pages.iter_mut().for_each(|page| page.uptime += SECONDS * 1_000);
    (between(&before, &made.pages).expect("it is sound"), made.truth)
}

#[track_caller]
fn near(found: f64, wanted: f64, within: f64) {
    assert!((found - wanted).abs() <= within * wanted.abs(), "{found} is not {wanted}")
}

fn check(imported: &Imported, truth: &Truth, bytes_within: f64) {
    let load = &imported.load;
    let (reads, writes) = (truth.reads.iter().sum::<u64>(), truth.writes.iter().sum::<u64>());
    near(load.seconds, SECONDS as f64, 1e-12);
    near(load.reads, reads as f64 / 300.0, 1e-9);
    near(load.local, truth.local as f64 / reads as f64, 1e-9);
    near(load.writes, writes as f64 / 300.0, 1e-9);
    let mean = |bytes: Option<units::Bytes>| bytes.expect("something was moved").0 as f64;
    near(mean(load.read_bytes), truth.bytes_read as f64 / reads as f64, bytes_within);
    // No counter has the bytes of local clients' first hops; later hops are counted.
    near(mean(load.write_bytes), truth.bytes_written as f64 / writes as f64, 0.03);
    for (node, reads) in truth.reads.iter().enumerate() {
        let share = load.shares.iter().find(|s| s.node == format!("dn-{node}")).expect("a share");
        near(share.reads, *reads as f64 / 300.0, 1e-9);
    }
    sums(imported)
}

fn sums(imported: &Imported) {
    let load = &imported.load;
    near(load.shares.iter().map(|s| s.reads).sum(), load.reads, 1e-9);
    near(load.shares.iter().map(|s| s.writes).sum(), load.writes, 1e-9);
    // As they are printed, with six digits.
    let csv = imported.csv();
    let rows = csv.lines().skip(2).map(|row| row.split(',').skip(1).map(str::parse::<f64>));
    let (mut reads, mut writes) = (0.0, 0.0);
    for mut row in rows {
        reads += row.next().expect("reads").expect("a number");
        writes += row.next().expect("writes").expect("a number")
    }
    near(reads, load.reads, 1e-4);
    near(writes, load.writes, 1e-4)
}

#[test]
fn clients_alone() {
    for seed in 0..20 {
        let (imported, truth) = made(seed, 6, false, false);
        check(&imported, &truth, 1e-3);
        assert!(!imported.notes.iter().any(|n| n.contains("subtracted")), "{:?}", imported.notes)
    }
}

#[test]
fn repair_is_told_apart() {
    for seed in 0..20 {
        let (imported, truth) = made(seed, 6, true, false);
        check(&imported, &truth, 1e-3);
        assert!(imported.notes.iter().any(|n| n.contains("HDFS copied replicas at that time")))
    }
}

/// `BytesRead` has the balancer's bytes, so the bytes of local clients are estimated.
#[test]
fn the_balancer_is_told_apart() {
    for seed in 0..20 {
        let (imported, truth) = made(seed, 6, true, true);
        check(&imported, &truth, 0.1);
        assert!(imported.notes.iter().any(|n| n.contains("the balancer or mover was at work")))
    }
}

/// Where every client is on a DataNode, each node's part of the writes is known exactly.
#[test]
fn writers_on_datanodes_are_found_exactly() {
    for seed in 0..20 {
        let (imported, truth) = made(seed, 10, true, false);
        for (node, writes) in truth.writes.iter().enumerate() {
            let name = format!("dn-{node}");
            let share = imported.load.shares.iter().find(|s| s.node == name).expect("a share");
            near(share.writes, *writes as f64 / 300.0, 1e-9)
        }
    }
}

/// Clocks of DataNodes differ: the shares still sum up.
#[test]
fn nodes_may_have_had_more_time() {
    let before = [Page::new("a-9866", 5_000), Page::new("b-9866", 9_000)];
    let mut after = before.clone();
    (after[0].uptime, after[1].uptime) = (105_000, 209_000);
    after[0].count("ReadsFromLocalClient", 50);
    after[1].count("ReadsFromRemoteClient", 200);
    after.iter_mut().for_each(|page| page.count("WritesFromRemoteClient", 60));
    after.iter_mut().for_each(|page| page.count("BlocksWritten", 60));
    after.iter_mut().for_each(|page| page.count("BytesRead", 1_000));
    let imported = between(&before, &after).expect("sound");
    near(imported.load.reads, 0.5 + 1.0, 1e-12);
    near(imported.load.local, 0.5 / 1.5, 1e-12);
    near(imported.load.writes, (0.6 + 0.3) / 3.0, 1e-12);
    near(imported.load.seconds, 150.0, 1e-12);
    sums(&imported)
}

//! The block map as a file.
use cluster::{Admin, Cluster, DiskId, Node, NodeId, Rack, RackId};
use hdfs_scenario::{BlockMap, ImportedBlocks, Redundancy, Replica, ReplicaState};
use hdfs_trace::blocks_file::{read, write};
use hdfs_trace::ingest::hdfs::{Input, Sources, import};
use std::path::{Path, PathBuf};
use units::Bytes;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("trace-blocks").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn cluster(nodes: u32, disks: u16) -> Cluster {
    let node = |at: u32| Node {
        host: format!("dn{at}"),
        address: format!("10.0.0.{at}:9866"),
        rack: RackId(0),
        alive: true,
        admin: Admin::InService,
        capacity: Bytes::mb(1),
        remaining: Bytes::mb(1),
        xceivers: 0,
        disks,
    };
    let racks = vec![Rack { name: "/r".into(), nodes: (0..nodes).map(NodeId).collect() }];
    Cluster { name: "c".into(), nodes: (0..nodes).map(node).collect(), racks }
}

fn replica(node: u32, disk: u16, state: ReplicaState, index: u8) -> Replica {
    Replica { node: NodeId(node), disk: DiskId(disk), state, index }
}

/// More rows than one group of rows holds, every state, missing blocks, groups, odd ids.
fn map(blocks: i64) -> BlockMap {
    let mut map = BlockMap { first: vec![0], ..BlockMap::default() };
    for n in 0..blocks {
        let draw = (n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let coded = draw.is_multiple_of(7);
        let id = if coded { i64::MIN + n * 16 } else { 1_073_741_825 + n };
        let redundancy = match coded {
            true => Redundancy::ErasureCoded { data: 6, parity: 3 },
            false => Redundancy::Replicated(if n % 3 == 0 { 512 } else { 3 }),
        };
        let one = |i: u64| {
            let state = ReplicaState::ALL[((draw + i) % 8) as usize];
            replica(
                ((draw + i) % 50) as u32,
                (draw % 12) as u16,
                state,
                if coded { i as u8 } else { 0 },
            )
        };
        let replicas: Vec<Replica> = (0..draw % 5).map(one).collect();
        let bytes = if n == 3 { u64::MAX } else { draw * 1000 };
        map.push(id, bytes, redundancy, &replicas)
    }
    map
}

#[test]
fn what_is_written_is_read() {
    let path = folder("round-trip").join("c.blocks.parquet");
    for blocks in [0, 1, 5, 1000, 200_000] {
        let map = map(blocks);
        let sha256 = write(&path, &map, true).unwrap();
        assert_eq!(read(&path, &sha256, &cluster(50, 12), 1).unwrap(), map, "{blocks} blocks");
        assert_eq!(write(&path, &map, true).unwrap(), sha256, "the same map gives the same bytes")
    }
    let left: Vec<_> = std::fs::read_dir(path.parent().unwrap()).unwrap().collect();
    assert_eq!(left.len(), 1, "no temporary file is left")
}

#[test]
fn unknown_disks_are_dealt_out_in_turn() {
    let path = folder("spread").join("c.blocks.parquet");
    let mut map = BlockMap::default();
    for id in 0..60 {
        let replicas = [0, 1].map(|node| replica(node, 0, ReplicaState::Live, 0));
        map.push(id, 1, Redundancy::Replicated(2), &replicas)
    }
    let sha256 = write(&path, &map, false).unwrap();
    for (disks, told, expected) in [(0, 12, 12), (5, 12, 5), (0, 0, 1)] {
        let spread = read(&path, &sha256, &cluster(2, disks), told).unwrap();
        let mut of_disk = vec![0; expected];
        spread
            .replica
            .iter()
            .filter(|r| r.node == NodeId(1))
            .for_each(|r| of_disk[r.disk.0 as usize] += 1);
        assert_eq!(of_disk, vec![60 / expected; expected])
    }
}

#[test]
fn a_file_that_is_not_the_imported_one() {
    let folder = folder("refused");
    let path = folder.join("c.blocks.parquet");
    let sha256 = write(&path, &map(1000), true).unwrap();
    let refused = |sha256: &str, nodes, disks| {
        read(&path, sha256, &cluster(nodes, disks), 12).unwrap_err().to_string()
    };
    let other = refused(&"0".repeat(64), 50, 12);
    assert!(other.contains("c.blocks.parquet: has changed since the import"), "{other}");
    let fewer = refused(&sha256, 49, 12);
    assert!(fewer.contains("names node 49, the cluster file has 49"), "{fewer}");
    let disks = refused(&sha256, 50, 11);
    assert!(disks.contains("names disk 11 of dn"), "{disks}");
    let whole = std::fs::read(&path).unwrap();
    for length in [0, 3, whole.len() / 2, whole.len() - 1] {
        std::fs::write(&path, &whole[..length]).unwrap();
        assert!(refused(&sha256, 50, 12).contains("has changed"))
    }
    std::fs::remove_file(&path).unwrap();
    assert!(refused(&sha256, 50, 12).contains("cannot be read"))
}

/// A damaged file with a matching hash gives an error or a map, never a panic.
#[test]
fn damaged_files() {
    use sha2::{Digest, Sha256};
    let path = folder("damaged").join("c.blocks.parquet");
    write(&path, &map(300), true).unwrap();
    let whole = std::fs::read(&path).unwrap();
    let mut seed = 1u64;
    for _ in 0..300 {
        let mut bytes = whole.clone();
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let at = (seed >> 20) as usize % bytes.len();
        bytes[at] ^= 1 << (seed >> 60 & 7);
        std::fs::write(&path, &bytes).unwrap();
        let sha256: String = Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect();
        let _ = read(&path, &sha256, &cluster(50, 12), 12);
    }
}

#[test]
fn an_import_is_written_and_found_again() {
    let folder = folder("import");
    let shop = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/shop");
    let file = |name: &str| Some(Input::File(shop.join(name)));
    let sources = Sources {
        name: "shop".into(),
        fsck: file("fsck-files-blocks-replicaDetails.txt.gz"),
        report: file("dfsadmin-report.txt"),
        topology: None,
        conf: file("hdfs-site.xml"),
        jmx: None,
    };
    let imported = import(&sources, &mut |_| {}).unwrap();
    let toml = folder.join("shop.toml");
    imported.write(&toml).unwrap();
    let file = hdfs_scenario::cluster_file::read(&toml).unwrap();
    assert_eq!(file.cluster, imported.cluster);
    assert_eq!(file.date, "2026-11-21");
    assert_eq!(file.hdfs_site, imported.hdfs_site);
    assert_eq!(file.hardware[0].value, "12");
    let Some(ImportedBlocks::File(blocks)) = file.blocks else { panic!("no block map") };
    assert_eq!(
        (blocks.file.as_str(), blocks.blocks, blocks.replicas),
        ("shop.blocks.parquet", 12000, 36000)
    );
    let map = read(&folder.join(&blocks.file), &blocks.sha256, &file.cluster, 12).unwrap();
    assert_eq!(map, imported.blocks.unpack_all());
    let text = std::fs::read_to_string(&toml).unwrap();
    let mut assumed: Vec<String> = text
        .lines()
        .filter(|l| l.ends_with("# ASSUMED"))
        .map(|l| format!("hardware.{}", l.split(' ').next().unwrap()))
        .collect();
    assumed.sort();
    let mut told = imported.assumed.clone();
    told.sort();
    assert_eq!(assumed, told, "what the file marks is what --json lists");
    assert!(
        !text.contains("/data/1") && !text.contains("nameservices"),
        "no paths, no names of services"
    )
}

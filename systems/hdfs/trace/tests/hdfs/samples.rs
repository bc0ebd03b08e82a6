//! The facts of the samples' READMEs, met by every form of the listing.
use super::support::{counts, file, memory, path, run, text};
use cluster::Admin;
use hdfs_scenario::ReplicaState;
use hdfs_trace::ingest::hdfs::{Imported, Input, Sources};
use std::collections::BTreeMap;

const NAMES: [&str; 16] = [
    "nodes",
    "live",
    "dead",
    "decommissioning",
    "in_maintenance",
    "racks",
    "files",
    "blocks",
    "erasure_coded_groups",
    "replicas",
    "internal_blocks",
    "replica_bytes",
    "under_replicated",
    "missing",
    "corrupt",
    "mis_replicated",
];
const SHOP: [u64; 16] =
    [40, 40, 0, 0, 0, 4, 3637, 12000, 0, 36000, 0, 4_175_588_692_626, 0, 0, 0, 0];
const AFTER_LOSS: [u64; 16] =
    [40, 39, 1, 1, 0, 4, 3637, 12000, 0, 35102, 0, 4_072_009_595_102, 898, 0, 0, 322];
const NORACK: [u64; 16] = [5, 5, 0, 0, 0, 1, 30, 81, 0, 243, 0, 26_009_795_931, 0, 0, 0, 0];

/// `-locations` prints what `-replicaDetails` prints, without the states.
fn without_states(listing: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(listing.to_vec()).unwrap();
    text.replace("](LIVE)", "]").replace("](DECOMMISSIONING)", "]").into_bytes()
}

/// The three forms of shop's listing.
fn forms(prefix: &str) -> [(&'static str, Option<Input>); 3] {
    let details = format!("examples/shop/{prefix}fsck-files-blocks-replicaDetails.txt.gz");
    let racks = format!("shop/{prefix}fsck-files-blocks-locations-racks.txt.zst");
    [
        ("-locations", memory("fsck.txt", without_states(&text(&details)))),
        ("-racks", file(&racks)),
        ("-replicaDetails", file(&details)),
    ]
}

fn shop(prefix: &str, fsck: Option<Input>, report: bool, topology: bool) -> Imported {
    let of = |wanted: bool, what: &str| {
        if wanted { file(&format!("examples/shop/{prefix}dfsadmin-{what}.txt")) } else { None }
    };
    let conf = file("examples/shop/hdfs-site.xml");
    let (report, topology) = (of(report, "report"), of(topology, "printTopology"));
    run(Sources { name: "shop".into(), fsck, report, topology, conf, jmx: None }).unwrap()
}

#[test]
fn shop_in_all_forms() {
    for (form, fsck) in forms("") {
        let imported = shop("", fsck, true, true);
        assert_eq!(counts(&imported, &NAMES), SHOP, "{form}");
        assert_eq!(imported.disks_known, form != "-racks", "{form}");
        let storages: u32 = imported.cluster.nodes.iter().map(|n| u32::from(n.disks)).sum();
        assert_eq!(storages, 480, "{form}: by storage ids, or by dfs.datanode.data.dir")
    }
}

#[test]
fn shop_after_the_loss_in_all_forms() {
    for (form, fsck) in forms("after-loss-") {
        let imported = shop("after-loss-", fsck, true, true);
        assert_eq!(counts(&imported, &NAMES), AFTER_LOSS, "{form}");
        let dead: Vec<_> = imported.cluster.nodes.iter().filter(|n| !n.alive).collect();
        assert_eq!((dead.len(), dead[0].host.as_str()), (1, "dn-r2-05.shop.example"), "{form}");
        let states = states(&imported);
        let expected = [(ReplicaState::Live, 34231), (ReplicaState::Decommissioning, 871)];
        assert_eq!(states, BTreeMap::from(expected), "{form}")
    }
}

fn states(imported: &Imported) -> BTreeMap<ReplicaState, u64> {
    let mut states = BTreeMap::new();
    imported
        .blocks
        .unpack_all()
        .replica
        .iter()
        .for_each(|r| *states.entry(r.state).or_default() += 1);
    states
}

#[test]
fn any_sufficient_subset() {
    for (form, fsck) in forms("after-loss-") {
        // The report lists the dead node; with the topology alone it is inferred, with a note.
        assert_eq!(
            counts(&shop("after-loss-", fsck.clone(), true, false), &NAMES),
            AFTER_LOSS,
            "{form}"
        );
        let inferred = shop("after-loss-", fsck.clone(), false, true);
        assert_eq!(counts(&inferred, &NAMES), AFTER_LOSS, "{form}");
        assert!(inferred.assumed.contains(&"nodes.alive".to_string()), "{form}");
        let alone = shop("after-loss-", fsck, false, false);
        let mut expected = AFTER_LOSS;
        let told = if form == "-replicaDetails" { 1 } else { 0 };
        (expected[0], expected[2], expected[3]) = (39, 0, told);
        expected[5] = if form == "-racks" { 4 } else { 1 };
        assert_eq!(counts(&alone, &NAMES), expected, "{form}");
        assert_eq!(alone.assumed.contains(&"cluster.racks".to_string()), form != "-racks", "{form}")
    }
}

#[test]
fn per_node_and_rack() {
    let [_, _, (_, details)] = forms("");
    let imported = shop("", details, true, true);
    let mut of_node = vec![(0u64, 0u64); 40];
    let blocks = imported.blocks.unpack_all();
    for block in (0..blocks.len()).map(cluster::BlockIndex) {
        for replica in blocks.replicas(block) {
            let (replicas, bytes) = &mut of_node[replica.node.at()];
            (*replicas, *bytes) = (*replicas + 1, *bytes + blocks.bytes(block).0)
        }
    }
    let by = |address: &str| {
        of_node[imported.cluster.nodes.iter().position(|n| n.address == address).unwrap()]
    };
    assert_eq!((by("10.0.1.6:9866").0, by("10.0.1.3:9866").0), (774, 1403));
    assert_eq!(of_node.iter().map(|n| n.1).min(), Some(88_713_226_576));
    assert_eq!(of_node.iter().map(|n| n.1).max(), Some(165_584_760_720));
    let racks: Vec<(String, u64)> = imported
        .cluster
        .racks
        .iter()
        .map(|r| (r.name.clone(), r.nodes.iter().map(|n| of_node[n.at()].0).sum()))
        .collect();
    let expected = [("/rack1", 8930), ("/rack2", 9261), ("/rack3", 9067), ("/rack4", 8742)];
    assert_eq!(racks, expected.map(|(name, n)| (name.to_string(), n)));
    let hosts: Vec<&str> = imported.cluster.nodes.iter().map(|n| n.host.as_str()).collect();
    assert_eq!((hosts[0], hosts[9]), ("dn-r1-01.shop.example", "dn-r1-10.shop.example"))
}

#[test]
fn settings_and_space() {
    let [_, _, (_, details)] = forms("");
    let imported = shop("", details, true, true);
    let settings: Vec<String> =
        imported.hdfs_site.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    let expected = [
        "dfs.replication = 3",
        "dfs.blocksize = 128m",
        "dfs.namenode.replication.max-streams = 4",
        "dfs.namenode.replication.max-streams-hard-limit = 8",
        "dfs.datanode.balance.bandwidthPerSec = 100m",
        "dfs.namenode.name.dir = (not kept)",
        "dfs.namenode.handler.count = 100",
        "dfs.hosts.exclude = (not kept)",
    ];
    assert_eq!(settings, expected, "no paths, no names of services");
    let node = &imported.cluster.nodes[0];
    assert_eq!(
        (node.capacity.0, node.disks, node.admin),
        (94_416_344_973_312, 12, Admin::InService)
    );
    assert_eq!(imported.notes, Vec::<String>::new())
}

#[test]
fn disks_do_not_depend_on_the_order_of_the_listing() {
    let details = text("examples/shop/fsck-files-blocks-replicaDetails.txt.gz");
    let forward = shop("", memory("fsck", details.clone()), true, true);
    let lines: Vec<&[u8]> = details.split(|b| *b == b'\n').collect();
    let files: Vec<&[&[u8]]> = lines[2..].split(|l| l.is_empty()).collect();
    let (listing, rest) = files.split_at(
        files.iter().position(|f| f.first().is_some_and(|l| l.starts_with(b"Status"))).unwrap(),
    );
    let mut backward = lines[..2].to_vec();
    listing.iter().rev().for_each(|file| {
        backward.extend_from_slice(file);
        backward.push(b"")
    });
    rest.iter().for_each(|part| {
        backward.extend_from_slice(part);
        backward.push(b"")
    });
    let backward = shop("", memory("fsck", backward.join(&b'\n')), true, true);
    let places = |imported: &Imported| {
        let map = imported.blocks.unpack_all();
        let blocks = (0..map.len()).map(cluster::BlockIndex);
        let of = blocks.map(|b| (map.id[b.at()], map.replicas(b).to_vec()));
        of.collect::<BTreeMap<_, _>>()
    };
    assert_eq!(places(&forward), places(&backward))
}

#[test]
fn no_rack_anywhere() {
    for form in
        ["files-blocks-locations-racks", "files-blocks-locations", "files-blocks-replicaDetails"]
    {
        let fsck = file(&format!("norack/fsck-{form}.txt.zst"));
        let report = file("norack/dfsadmin-report.txt");
        let topology = file("norack/dfsadmin-printTopology.txt");
        let all = Sources { fsck: fsck.clone(), report, topology, ..Sources::default() };
        let alone = run(Sources { fsck, ..Sources::default() }).unwrap();
        for imported in [run(all).unwrap(), alone] {
            assert_eq!(counts(&imported, &NAMES), NORACK, "{form}");
            assert_eq!(imported.cluster.racks[0].name, "/default-rack");
            assert!(!imported.assumed.contains(&"cluster.racks".to_string()))
        }
    }
}

#[test]
fn plain_gzip_and_zstd_are_known_by_their_first_bytes() {
    let name = "norack/fsck-files-blocks-locations.txt.zst";
    let plain = text(name);
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gz, &plain).unwrap();
    let forms = [gz.finish().unwrap(), std::fs::read(path(name)).unwrap(), plain];
    for bytes in forms {
        let imported = super::support::listing(bytes).unwrap();
        assert_eq!(imported.counts.blocks, 81)
    }
}

#[test]
fn progress_reaches_the_files_length() {
    let fsck = file("examples/shop/fsck-files-blocks-replicaDetails.txt.gz");
    let mut seen = (0, None);
    let sources = Sources { fsck, ..Sources::default() };
    hdfs_trace::ingest::hdfs::import(&sources, &mut |p| seen = (p.read, p.total)).unwrap();
    assert_eq!(Some(seen.0), seen.1)
}

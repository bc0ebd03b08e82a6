//! All states of a block in fsck's output.
use super::support::{counts, file, memory, run, text};
use cluster::{Admin, BlockIndex};
use hdfs_scenario::{Redundancy, ReplicaState};
use hdfs_trace::ingest::hdfs::{Imported, Sources};

const NAMES: [&str; 17] = [
    "nodes",
    "live",
    "dead",
    "decommissioning",
    "decommissioned",
    "entering_maintenance",
    "in_maintenance",
    "racks",
    "files",
    "blocks",
    "erasure_coded_files",
    "erasure_coded_groups",
    "under_replicated",
    "under_erasure_coded",
    "missing",
    "corrupt",
    "mis_replicated",
];
const TRAITS: [u64; 17] = [13, 11, 2, 1, 1, 1, 1, 3, 29, 62, 6, 8, 17, 6, 2, 1, 4];

const FORMS: [&str; 6] = [
    "files-blocks-locations",
    "files-blocks-locations-racks",
    "files-blocks-locations-racks-replicaDetails",
    "files-blocks-replicaDetails",
    "files-blocks-replicaDetails-maintenance",
    "files-blocks-upgradedomains",
];

fn whole(form: &str) -> Imported {
    let fsck = file(&format!("traits/fsck-{form}.txt.zst"));
    let report = file("traits/dfsadmin-report.txt");
    let topology = file("traits/dfsadmin-printTopology.txt");
    run(Sources { fsck, report, topology, ..Sources::default() }).unwrap()
}

#[test]
fn all_forms_meet_fscks_own_summary() {
    for form in FORMS {
        let imported = whole(form);
        assert_eq!(counts(&imported, &NAMES), TRAITS, "{form}");
        assert_eq!(
            counts(&imported, &["missing_groups", "corrupt_groups", "mis_placed_groups"]),
            [1, 1, 5]
        );
        let disagree: Vec<_> = imported.notes.iter().filter(|n| n.contains("summary")).collect();
        assert!(disagree.is_empty(), "{form}: {disagree:?}");
        let untold = imported.notes.iter().find(|n| n.contains("not live by fsck's count"));
        let expected = if form.contains("replicaDetails") { None } else { Some("2 listed") };
        assert_eq!(untold.map(|n| &n[..8]), expected, "{form}: one corrupt and one excess replica")
    }
}

fn block(imported: &Imported, id: i64) -> BlockIndex {
    BlockIndex(imported.blocks.unpack_all().id.iter().position(|i| *i == id).unwrap() as u32)
}

fn states(imported: &Imported, id: i64) -> Vec<ReplicaState> {
    imported.blocks.unpack_all().replicas(block(imported, id)).iter().map(|r| r.state).collect()
}

#[test]
fn replicas_are_what_they_are() {
    use ReplicaState::*;
    let imported = whole("files-blocks-replicaDetails-maintenance");
    let expected: [(i64, &[ReplicaState]); 9] = [
        (1073741880, &[Corrupt, Corrupt]),
        (1073741881, &[Live, Corrupt, Live]),
        (1073741825, &[Decommissioned, Live, Live]),
        (1073741883, &[Decommissioning, Live, Live]),
        (1073741882, &[Live, Live, Excess]),
        (1073741863, &[]),
        (1073741885, &[EnteringMaintenance]),
        (1073741826, &[InMaintenance, Live, Live]),
        (1073741886, &[Stale, Live, Live]),
    ];
    for (id, states_of_it) in expected {
        assert_eq!(states(&imported, id), states_of_it, "blk_{id}")
    }
}

#[test]
fn without_states_the_nodes_tell() {
    use ReplicaState::*;
    for form in
        ["files-blocks-locations", "files-blocks-locations-racks", "files-blocks-upgradedomains"]
    {
        let imported = whole(form);
        assert_eq!(
            states(&imported, 1073741880),
            [Corrupt, Corrupt],
            "{form}: fsck says that all are"
        );
        assert_eq!(states(&imported, 1073741825), [Decommissioned, Live, Live], "{form}");
        assert_eq!(states(&imported, 1073741885), [EnteringMaintenance], "{form}");
        assert!(imported.notes.iter().any(|n| n.contains("-replicaDetails")), "{form}")
    }
}

#[test]
fn without_a_report_the_states_tell_of_the_nodes() {
    let fsck = file("traits/fsck-files-blocks-replicaDetails-maintenance.txt.zst");
    let imported = run(Sources { fsck, ..Sources::default() }).unwrap();
    let admin =
        |address: &str| imported.cluster.nodes.iter().find(|n| n.address == address).unwrap().admin;
    assert_eq!(admin("10.9.1.5:9866"), Admin::Decommissioning);
    assert_eq!(admin("10.9.2.5:9866"), Admin::Decommissioned);
    assert_eq!(admin("10.9.1.4:9866"), Admin::EnteringMaintenance);
    assert_eq!(admin("10.9.2.4:9866"), Admin::InMaintenance);
    assert_eq!(admin("10.9.2.3:9866"), Admin::InService)
}

#[test]
fn erasure_coded_groups() {
    let imported = whole("files-blocks-replicaDetails");
    let healthy = block(&imported, -9223372036854775792);
    let coded = Redundancy::ErasureCoded { data: 3, parity: 2 };
    assert_eq!(imported.blocks.unpack_all().redundancy[healthy.at()], coded);
    assert_eq!(imported.blocks.unpack_all().bytes(healthy).0, 402_653_184);
    let index = |id| -> Vec<u8> {
        imported
            .blocks
            .unpack_all()
            .replicas(block(&imported, id))
            .iter()
            .map(|r| r.index)
            .collect()
    };
    assert_eq!(index(-9223372036854775792), [0, 1, 2, 3]);
    assert_eq!(index(-9223372036854775712), [1, 2, 4], "gaps stay gaps");
    let two_corrupt = [ReplicaState::Corrupt, ReplicaState::Corrupt, ReplicaState::Stale];
    assert_eq!(states(&imported, -9223372036854775680), two_corrupt)
}

#[test]
fn what_is_being_written_is_left_out() {
    let fsck = file("traits/fsck-openforwrite-files-blocks-locations.txt.zst");
    let report = file("traits/dfsadmin-report.txt");
    let imported = run(Sources { fsck, report, ..Sources::default() }).unwrap();
    assert_eq!(counts(&imported, &["files", "blocks"]), [30, 63]);
    assert!(!imported.blocks.unpack_all().id.contains(&1073741888));
    assert!(imported.notes.iter().any(|n| n.contains("in writing")))
}

#[test]
fn a_part_of_the_file_system_is_said_to_be_one() {
    let fsck = file("traits/fsck-subdir.txt.zst");
    let report = file("traits/dfsadmin-report.txt");
    let topology = file("traits/dfsadmin-printTopology.txt");
    let imported = run(Sources { fsck, report, topology, ..Sources::default() }).unwrap();
    assert_eq!(counts(&imported, &["nodes", "dead", "missing", "under_replicated"]), [13, 2, 2, 7]);
    assert!(imported.notes.iter().any(|n| n.contains("a part of the file system")))
}

#[test]
fn live_nodes_only() {
    let fsck = file("traits/fsck-files-blocks-replicaDetails.txt.zst");
    let report = file("traits/dfsadmin-report-live.txt");
    let imported = run(Sources { fsck, report, ..Sources::default() }).unwrap();
    assert_eq!(counts(&imported, &["nodes", "live", "dead"]), [11, 11, 0]);
    let note = |n: &String| n.contains("earlier dead nodes are unknown");
    assert!(imported.notes.iter().any(note), "{:#?}", imported.notes)
}

#[test]
fn warnings_of_the_client_do_not_matter() {
    let plain = text("traits/fsck-files-blocks-replicaDetails.txt.zst");
    let plain = String::from_utf8(plain).unwrap();
    let connecting = "Connecting to namenode via http://nn1:9870/fsck?ugi=hdfs&files=1&path=%2F\n";
    let warning = "2026-11-21 01:14:55,123 WARN util.NativeCodeLoader: Unable to load a library\n";
    let odd =
        "26/11/21 01:14:55 WARN util.NativeCodeLoader: Unable to load native-hadoop library\n";
    let middle = plain.replacen("/loss <dir>\n", &format!("{warning}/loss <dir>\n{odd}"), 1);
    let forms = [format!("{connecting}{plain}"), format!("{warning}{connecting}{middle}")];
    let expected = super::support::listing(plain.clone()).unwrap();
    for noisy in forms.iter().chain([&plain.replace('\n', "\r\n"), &format!("\u{feff}{plain}")]) {
        let mut imported = super::support::listing(noisy.clone()).unwrap();
        // The only fact in the client's first line.
        let told = noisy.contains("via http://nn1:9870").then_some("nn1:8020".to_string());
        assert_eq!(imported.namenode.take(), told);
        imported.notes.retain(|note| !note.contains("is assumed to be nn1:8020"));
        assert_eq!(imported, expected)
    }
}

#[test]
fn parts_listed_one_after_another_are_one_listing() {
    let plain = String::from_utf8(text("traits/fsck-files-blocks-locations.txt.zst")).unwrap();
    let part = String::from_utf8(text("traits/fsck-subdir.txt.zst")).unwrap();
    let again = super::support::refused(super::support::listing(format!("{plain}{part}")));
    assert!(again.contains("a second run of fsck: of `/loss`, and line 1 begins one of `/`"));
    let first = plain.replacen(" for path / at", " for path /first at", 1);
    let twice = super::support::refused(super::support::listing(format!("{first}{part}")));
    assert!(twice.contains("again") && twice.contains("each block once"), "{twice}");
    let other = part.replace("blk_1", "blk_2");
    let both = run(Sources {
        fsck: memory("fsck", format!("{first}{other}")),
        report: file("traits/dfsadmin-report.txt"),
        ..Sources::default()
    });
    assert_eq!(counts(&both.unwrap(), &["blocks", "missing"]), [62 + 17, 4])
}

/// As Hadoop 2's `NamenodeFsck` prints it: no redundancy, `repl=`, a state inside the block's name.
#[test]
fn the_listing_of_hadoop_2() {
    let listing = "\
FSCK started by hdfs (auth:SIMPLE) from /10.0.0.1 for path / at Sat Nov 21 01:00:00 UTC 2026
/ <dir>
/a 10 bytes, 1 block(s):  OK
0. BP-1-10.0.0.1-1:blk_5_1 len=10 repl=2 \
[DatanodeInfoWithStorage[10.0.0.2:50010,DS-1,DISK], \
DatanodeInfoWithStorage[10.0.0.3:50010,DS-2,DISK]]

/b 4 bytes, 1 block(s), OPENFORWRITE:  OK
0. BP-1-10.0.0.1-1:blk_6_1{UCState=COMMITTED, replicas=\
[ReplicaUC[[DISK]DS-1:NORMAL:10.0.0.2:50010|RBW]]} len=4 repl=1 [10.0.0.2:50010]

Status: HEALTHY
 Total size:\t14 B
 Total blocks (validated):\t2 (avg. block size 7 B)
 Default replication factor:\t2
 Number of data-nodes:\t\t2
 Number of racks:\t\t1
FSCK ended at Sat Nov 21 01:00:00 UTC 2026 in 1 milliseconds
";
    let imported = super::support::listing(listing).unwrap();
    assert_eq!(counts(&imported, &["nodes", "files", "blocks", "replicas"]), [2, 2, 2, 3]);
    // The block that is being written has fewer replicas than its target, without a message.
    let wanted = [Redundancy::Replicated(2), Redundancy::Replicated(1)];
    assert_eq!(imported.blocks.unpack_all().redundancy, wanted)
}

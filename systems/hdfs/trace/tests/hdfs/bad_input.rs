//! Inputs that are of another kind or truncated: the error names file, line, expectation and
//! advice.
use super::site_file::{property, site};
use super::support::{file, listing, memory, refused, run, text};
use hdfs_trace::ingest::hdfs::{Imported, Input, Sources};

/// A listing as short as can be.
pub(super) const SMALL: &str = "\
FSCK started by hdfs (auth:SIMPLE) from /10.0.0.1 for path / at Sat Nov 21 01:00:00 UTC 2026

/ <dir>
/a 10 bytes, replicated: replication=2, 2 block(s):  OK
0. BP-1-10.0.0.1-1:blk_5_1 len=6 Live_repl=2  \
[DatanodeInfoWithStorage[10.0.0.2:9866,DS-1,DISK](LIVE), \
DatanodeInfoWithStorage[10.0.0.3:9866,DS-2,DISK](LIVE)]
1. BP-1-10.0.0.1-1:blk_6_1 len=4 Live_repl=1  \
[DatanodeInfoWithStorage[10.0.0.2:9866,DS-1,DISK](LIVE)]

/b 0 bytes, replicated: replication=2, 0 block(s):  OK

/ec 9 bytes, erasure-coded: policy=RS-3-2-1024k, 1 block(s):  OK
0. BP-1-10.0.0.1-1:blk_-96_1 len=9 Live_repl=1  \
[blk_-95:DatanodeInfoWithStorage[10.0.0.3:9866,DS-2,DISK](LIVE)]

Status: HEALTHY
 Number of data-nodes:\t2
 Number of racks:\t\t1
 Total blocks (validated):\t2
FSCK ended at Sat Nov 21 01:00:00 UTC 2026 in 1 milliseconds
";

/// One place changed, and what the error must hold.
#[track_caller]
fn changed(from: &str, to: &str, expected: &[&str]) {
    assert!(SMALL.contains(from), "{from} is not there");
    let error = refused(listing(SMALL.replacen(from, to, 1)));
    for part in expected {
        assert!(error.contains(part), "{from} -> {to}: no `{part}` in\n{error}")
    }
}

#[test]
fn the_small_listing_is_good() {
    let imported = listing(SMALL).unwrap();
    assert_eq!((imported.counts.blocks, imported.counts.internal_blocks), (2, 1))
}

#[test]
fn wrong_lines() {
    changed("len=6", "len=-6", &["fsck.txt:5: ", "`-6", "a length in bytes that is not negative"]);
    changed("len=6", "len=99999999999999999999", &["fsck.txt:5: ", "below 2^64"]);
    changed("len=6", "lem=6", &["fsck.txt:5: ", "expected ` len=`"]);
    changed("Live_repl=2", "Live_repl=x", &["fsck.txt:5: ", "a number of replicas"]);
    changed("(LIVE)", "(ALIVE)", &["fsck.txt:5: `ALIVE`", "expected LIVE, CORRUPT"]);
    changed("10.0.0.2:9866", "10.0.0.2", &["fsck.txt:5: `10.0.0.2`", "`ip:port`"]);
    changed("10.0.0.2:9866", "10.0.0.2:98666", &["fsck.txt:5: ", "`ip:port`"]);
    changed(",DS-1,DISK]", ",DS-1]", &["fsck.txt:5: ", "`ip:port,storage id,storage type`"]);
    changed("blk_5_1", "blk_5", &["fsck.txt:5: ", "expected `_`"]);
    changed("blk_5_1", "blk_-5_1", &["fsck.txt:5: block id -5", "there only"]);
    changed("blk_5_1", "blk_99999999999999999999_1", &["fsck.txt:5: ", "a block id"]);
    changed("replication=2", "replication=two", &["fsck.txt:4: `two", "a number of replicas"]);
    changed("replication=2", "replication=70000", &["fsck.txt:4: 70000 replicas", "at most 65535"]);
    changed("RS-3-2-1024k", "RS-1024k", &["fsck.txt:10: `RS-1024k`", "like `RS-6-3-1024k`"]);
    changed("[blk_-95:", "[blk_-99:", &["fsck.txt:11: ", "an internal block of this group"]);
    changed("/b 0 bytes", "b: 0 bytes", &["fsck.txt:8: `b: 0 bytes"]);
    changed("0. BP-1", "garbage: 0. BP-1", &["fsck.txt:5: `garbage: 0."])
}

#[test]
fn lines_that_are_missing_or_twice() {
    let second = SMALL.lines().nth(5).unwrap();
    changed(
        &format!("{second}\n"),
        "",
        &["fsck.txt:4: 1 of its blocks", "expected 2 blocks", "missing"],
    );
    changed("blk_6_1", "blk_5_1", &["fsck.txt:6: block blk_5 again (line 5)", "each block once"]);
    changed("1. BP", "2. BP", &["fsck.txt:6: block 2 of the file", "expected block 1"]);
    changed("/a 10 bytes", "/a 10 byt", &["fsck.txt:4: `/a 10 byt"]);
    changed(
        "\t2\nFSCK",
        "\t7\nFSCK",
        &["2 blocks are listed", "7, fsck's Total blocks (validated)"],
    );
    changed(
        ", DatanodeInfoWithStorage[10.0.0.3:9866,DS-2,DISK](LIVE)]",
        "",
        &["fsck.txt:5: the line is cut after `…", "(LIVE)`; expected `, `. Copy or make"],
    );
    changed(
        "len=6 Live_repl=2",
        "len=6 Liv\n",
        &["fsck.txt:5: the line is cut after `0. BP-1-10.0.0.1-1:blk_5_1 len=6 Liv`; expected"],
    );
    let first = SMALL.lines().nth(4).unwrap();
    changed(
        &format!("{first}\n"),
        &format!("{first}\n{first}\n"),
        &["fsck.txt:6: block 0 of the file again; expected block 1. The line is in the file twice"],
    );
    changed(
        &format!("{second}\n"),
        &format!("{second}\n{second}\n"),
        &["fsck.txt:7: block 1 of the file again", "of line 4, is complete", "twice"],
    );
    let whole = SMALL.lines().collect::<Vec<_>>();
    let no_start = refused(listing(whole[2..].join("\n")));
    assert!(no_start.contains("without its beginning"), "{no_start}");
    let twice = refused(listing(format!("{}\n{SMALL}", whole[..8].join("\n"))));
    assert!(twice.contains("fsck.txt:9: a second fsck begins"), "{twice}")
}

#[test]
fn bytes_that_are_not_utf8() {
    let with = |from: &str, bytes: &[u8]| {
        let at = SMALL.find(from).unwrap();
        listing([&SMALL.as_bytes()[..at], bytes, &SMALL.as_bytes()[at..]].concat())
    };
    let id = refused(with("5_1 len=6", b"\xe9\xff"));
    assert!(id.starts_with("fsck.txt:5: not UTF-8 from byte 24 of the line on: `0. BP-1"), "{id}");
    assert!(id.contains("expected UTF-8, as fsck prints it"), "{id}");
    let path = with("a 10 bytes", b"caf\xe9").unwrap();
    let note = "fsck.txt:4: a line that is not UTF-8, in a path or a warning: no effect";
    assert!(path.notes.iter().any(|n| n == note), "{:?}", path.notes)
}

/// A listing truncated at any point gives an error; only the last line can be missing.
#[test]
fn cut_anywhere() {
    let end = SMALL.find("FSCK ended").unwrap() + "FSCK ended at ".len();
    for length in 0..end {
        let error = refused(listing(&SMALL.as_bytes()[..length]));
        assert!(error.starts_with("fsck.txt"), "{error}")
    }
    let cut = refused(listing(&SMALL[..SMALL.find("Status").unwrap()]));
    assert!(cut.contains("fsck.txt:12: the listing is cut: no summary"), "{cut}")
}

#[test]
fn other_tools_files() {
    let sample = |name: &str| text(&format!("traits/{name}.zst"));
    let utf16: Vec<u8> = SMALL.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = [&[0xff, 0xfe], &utf16[..]].concat();
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (vec![], "0 bytes"),
        (b"HDFSIMG1\x08\x01".to_vec(), "fsimage has files and blocks, but no block locations"),
        (b"<?xml version=\"1.0\"?>\n<fsimage><version>".to_vec(), "but no block locations"),
        (b"<fsimage>\n<version>".to_vec(), "an fsimage as XML (`hdfs oiv -p XML`)"),
        (
            b"Path\tReplication\tModificationTime\tAccessTime\tPreferredBlockSize\n".to_vec(),
            "an fsimage as a table",
        ),
        (
            b"Path,Replication,ModificationTime,AccessTime,PreferredBlockSize\n".to_vec(),
            "but no block locations",
        ),
        (b"PAR1....".to_vec(), "a Parquet file"),
        (b"<?xml version=\"1.0\"?>\n<configuration/>".to_vec(), "Give it as --conf"),
        (b"{\n \"beans\" : []}".to_vec(), "JSON"),
        (
            b"Found 3 items\ndrwxr-xr-x   - hdfs hdfs 0 2026-11-21 01:00 /a\n".to_vec(),
            "hdfs dfs -ls",
        ),
        (b"-rw-r--r--   3 hdfs hdfs 5 2026-11-21 01:00 /a\n".to_vec(), "hdfs dfs -ls"),
        (text("traits/dfsadmin-report.txt"), "Give it as --report"),
        (text("traits/dfsadmin-printTopology.txt"), "Give it as --topology"),
        (text("traits/metasave.txt.gz"), "-metasave"),
        (utf16, "UTF-16"),
        (marked, "UTF-16"),
        (vec![0, 1, 2, 3, 0, 0, 9], "a binary file"),
        ([b"\x7fELF\x02\x01\x01".to_vec(), vec![0; 90]].concat(), "this is a program"),
        (b"hello\nworld\n".to_vec(), "no `FSCK started by ..`"),
        (b"x\n".repeat(2000), "no `FSCK started by ..`"),
        (sample("fsck-files.txt"), "Was `-blocks` missing?"),
        (sample("fsck-files-blocks.txt"), "Was `-locations` missing?"),
        (sample("fsck.txt"), "without `-files`"),
        (sample("fsck-storagepolicies.txt"), "without `-files`"),
        (sample("fsck-blocks-locations-racks-without-files.txt"), "without `-files`"),
        (sample("fsck-blockId.txt"), "-blockId"),
        (sample("fsck-list-corruptfileblocks.txt"), "-list-corruptfileblocks"),
    ];
    for (bytes, expected) in cases {
        let error = refused(listing(bytes));
        assert!(error.contains(expected), "no `{expected}` in {error}");
        assert!(error.starts_with("fsck.txt"), "{error}");
        assert!(error.contains("UTF-16") || error.contains("hdfs fsck / -files -blocks"), "{error}")
    }
}

#[test]
fn a_healthy_listing_without_files() {
    let dots =
        "FSCK started by hdfs (auth:SIMPLE) from /10.0.0.1 for path / at Sat Nov 21\n\n....\n..\n";
    let error = refused(listing(SMALL.replace(&SMALL[..SMALL.find("Status").unwrap()], dots)));
    assert!(error.contains("fsck was run without `-files`"), "{error}")
}

#[test]
fn an_empty_file_system() {
    let listing_of_it =
        SMALL.replace(&SMALL[SMALL.find("/a 10").unwrap()..SMALL.find("Status").unwrap()], "");
    let listing_of_it = listing_of_it.replace("(validated):\t2", "(validated):\t0");
    let error = refused(listing(listing_of_it.clone()));
    assert!(error.contains("no block, and no other input names a node"), "{error}");
    let imported = with(&listing_of_it, file("traits/dfsadmin-report.txt"), None, None).unwrap();
    assert_eq!((imported.counts.nodes, imported.counts.blocks), (13, 0));
    assert!(imported.notes.iter().any(|n| n.contains("11 live nodes, fsck counts 2")))
}

#[test]
fn fsck_that_gave_up() {
    let failed =
        "FSCK ended at Sat Nov 21 in 9 milliseconds\nNo permission\n\n\nFsck on path '/' FAILED";
    let error = refused(listing(SMALL.replace(&SMALL[SMALL.find("/b 0").unwrap()..], failed)));
    assert!(error.contains("fsck.txt:8: fsck gave up"), "{error}")
}

pub(super) fn with(
    fsck: &str,
    report: Option<Input>,
    topology: Option<Input>,
    conf: Option<Input>,
) -> Result<Imported, String> {
    let fsck = memory("fsck.txt", fsck);
    run(Sources { name: "c".into(), fsck, report, topology, conf, jmx: None })
        .map_err(|e| e.to_string())
}

#[test]
fn without_a_listing_there_is_no_block_map() {
    let report = file("traits/dfsadmin-report.txt");
    let topology = file("traits/dfsadmin-printTopology.txt");
    let error = refused(run(Sources { report, topology, ..Sources::default() }));
    assert!(
        error.starts_with("--fsck: not given") && error.contains("hdfs fsck / -files"),
        "{error}"
    );
    let (stdin, again) = (Some(Input::Stdin), Some(Input::Stdin));
    let error = refused(run(Sources { fsck: stdin, report: again, ..Sources::default() }));
    assert!(error.contains("named twice"), "{error}");
    let none = Some(Input::File("no/such/file.txt".into()));
    let error = refused(run(Sources { fsck: none, ..Sources::default() }));
    assert!(error.contains("no/such/file.txt: no such file"), "{error}")
}

#[test]
fn unknown_nodes() {
    let report = || file("traits/dfsadmin-report.txt");
    let topology = || file("traits/dfsadmin-printTopology.txt");
    for (report, topology) in [(report(), None), (None, topology()), (report(), topology())] {
        let error = with(SMALL, report, topology, None).unwrap_err();
        assert!(error.starts_with("fsck.txt:5: a replica on 10.0.0.2:9866"), "{error}");
        assert!(error.contains("of one cluster"), "{error}")
    }
    let fsck = file("traits/fsck-files-blocks-locations.txt.zst");
    let report = file("traits/dfsadmin-report-dead.txt");
    let error = refused(run(Sources { fsck, report, ..Sources::default() }));
    assert!(error.contains("without -live or -dead"), "{error}")
}

/// A report with one place changed.
#[track_caller]
fn report_changed(from: &str, to: &str, expected: &[&str]) {
    let text = String::from_utf8(text("traits/dfsadmin-report.txt")).unwrap();
    assert!(text.contains(from), "{from} is not there");
    let report = memory("report.txt", text.replacen(from, to, 1));
    let error = with(SMALL, report, None, None).unwrap_err();
    for part in expected {
        assert!(error.contains(part), "{from} -> {to}: no `{part}` in\n{error}")
    }
}

#[test]
fn wrong_reports() {
    let status = "Decommission Status : Normal";
    report_changed(
        status,
        "Decommission Status : Odd",
        &["report.txt:26: `Odd`", "Entering maintenance"],
    );
    report_changed(
        "Capacity: 31472114991104",
        "Capacity: -3",
        &["report.txt:27: ", "not negative"],
    );
    report_changed("Name: 10.9.1.1:9866", "Name: 10.9.1.1", &["report.txt:23: ", "ip:port (host)"]);
    report_changed(
        "Live datanodes (11)",
        "Live datanodes (12)",
        &["report.txt:21: 11 of them", "12 live"],
    );
    report_changed("10.9.1.2:9866", "10.9.1.1:9866", &["10.9.1.1:9866 twice among the Live"]);
    report_changed(
        "Hostname: dn-r1-01",
        "Hostn\nHostname: dn",
        &["report.txt:24: `Hostn`", "is incomplete"],
    );
    let text = text("traits/dfsadmin-report.txt");
    let dead = memchr::memmem::find(&text, b"In maintenance datanodes").unwrap();
    for length in (0..dead).step_by(97) {
        let error = with(SMALL, memory("report.txt", &text[..length]), None, None).unwrap_err();
        let known_later = error.starts_with("fsck.txt:5: a replica on");
        assert!(error.starts_with("report.txt") || known_later, "{length}: {error}")
    }
    let latin1 = [b"Configured Capacity: 1\nRack: /r\xe4ck\n".to_vec(), text].concat();
    let error = with(SMALL, memory("report.txt", latin1), None, None).unwrap_err();
    assert!(error.contains("report.txt:2: ") && error.contains("UTF-8"), "{error}");
    let denied = "Configured Capacity: 1 (1 B)\n\
                  report: Access denied for user x. Superuser privilege is required\n";
    let error = with(SMALL, memory("report.txt", denied), None, None).unwrap_err();
    assert!(error.contains("superuser"), "{error}");
    let swapped = with(SMALL, memory("report.txt", SMALL), None, None).unwrap_err();
    assert!(swapped.contains("report.txt: this is the text of `hdfs fsck`"), "{swapped}")
}

#[test]
fn wrong_topologies() {
    let cases = [
        ("Rack: /r\n   10.0.0.2:9866 (a) Gone\n", "topology.txt:2: `Gone`"),
        ("Rack: /r\n   10.0.0.2 (a) In Service\n", "topology.txt:2: "),
        ("Rack: /r\n   10.0.0.2:1 (a\n", "topology.txt:2: "),
        ("Rack: /r\n   10.0.0.2:1 (a)\n   10.0.0.2:1 (a)\n", "topology.txt:3: 10.0.0.2:1 twice"),
        ("Rack: /r\n10.0.0.2:1\n", "topology.txt:2: `10.0.0.2:1`"),
        ("Rack: /r\n", "topology.txt: no node"),
        ("", "topology.txt: 0 bytes"),
    ];
    for (text, expected) in cases {
        let error = with(SMALL, None, memory("topology.txt", text), None).unwrap_err();
        assert!(error.contains(expected), "no `{expected}` in {error}")
    }
}

#[test]
fn wrong_site_files() {
    let cases = [
        (property("dfs.replication", "-1"), "hdfs-site.xml:3: dfs.replication: `-1`; expected"),
        (property("dfs.blocksize", "128q"), "hdfs-site.xml:3: dfs.blocksize: `128q`; expected"),
        (property("dfs.heartbeat.interval", "3 apples"), "hdfs-site.xml:3: dfs.heartbeat.interval"),
        (
            property("yarn.scheduler.capacity.root.queues", "default"),
            "hdfs-site.xml: this is a configuration without a setting of HDFS: it has \
             yarn.scheduler.capacity.root.queues; expected",
        ),
        ("<property><name>a</nam></property>".into(), "hdfs-site.xml:3: not XML"),
        ("<property>&nope;</property>".into(), "hdfs-site.xml:3: the entity `&nope;`"),
        ("<property>".into(), "not XML"),
    ];
    for (xml, expected) in cases {
        let error = site(&xml).map(|i| i.hdfs_site).unwrap_err();
        assert!(error.contains(expected), "no `{expected}` in {error}")
    }
    let conf = |text: &[u8]| with(SMALL, None, None, memory("hdfs-site.xml", text)).unwrap_err();
    let root = conf(b"<?xml version=\"1.0\"?>\n<html/>");
    assert!(root.contains("hdfs-site.xml:2: the XML's root is `<html>`"), "{root}");
    let image = conf(b"<?xml version=\"1.0\"?>\n<fsimage/>");
    assert!(image.contains("hdfs-site.xml: this is an fsimage as XML"), "{image}");
    let cut = conf(b"<?xml version=\"1.0\"?>\n<configuration>\n<property>");
    assert!(cut.contains("ends within"), "{cut}");
    let latin1 = conf(b"<configuration>\n<!-- caf\xe9 -->\n</configuration>");
    assert!(latin1.contains("hdfs-site.xml:2: not UTF-8"), "{latin1}");
    let swapped = conf(SMALL.as_bytes());
    assert!(swapped.contains("Give it as --fsck"), "{swapped}")
}

/// Folders may be listed one after the other; no block is counted twice, or of another cluster.
#[test]
fn runs_of_fsck_in_one_file() {
    let other = SMALL.replace("blk_5", "blk_15").replace("blk_6", "blk_16");
    let other = other.replace("blk_-96", "blk_-960").replace("blk_-95", "blk_-959");
    let of = |text: &str, path: &str| text.replace("for path / at", &format!("for path {path} at"));
    let folders = of(SMALL, "/a") + &of(&other, "/b");
    assert_eq!(listing(folders).unwrap().blocks.len(), 6);
    let cases = [
        (SMALL.to_string() + SMALL, "a second run of fsck: of `/`, and line 1 begins one of `/`"),
        (SMALL.to_string() + &of(&other, "/b"), "a second run of fsck: of `/b`, and line 1"),
        (of(SMALL, "/a/b") + &of(&other, "/a"), "a second run of fsck: of `/a`, and line 1"),
        (of(SMALL, "/a") + &of(&other, "/b").replace("BP-1-", "BP-2-"), "a block of the pool BP-"),
    ];
    for (text, expected) in cases {
        let error = refused(listing(text));
        assert!(error.contains(expected), "no `{expected}` in {error}")
    }
    let beside = of(SMALL, "/a") + &of(&other, "/ab");
    assert!(listing(beside).is_ok(), "no part of it");
}

#[test]
fn damaged_compression() {
    let whole =
        std::fs::read(super::support::path("norack/fsck-files-blocks-locations.txt.zst")).unwrap();
    let error = refused(listing(&whole[..whole.len() / 2]));
    assert!(error.contains("compressed data"), "{error}");
    let gz = std::fs::read(super::support::path(
        "examples/shop/fsck-files-blocks-replicaDetails.txt.gz",
    ))
    .unwrap();
    let error = refused(listing(&gz[..gz.len() / 2]));
    assert!(error.contains("compressed data end in the middle"), "{error}")
}

/// Lines are counted on the way: counting them again at each of a million elements takes a minute.
#[test]
fn a_site_file_of_many_elements_is_read_once() {
    let many = "<a/>\n".repeat(800_000);
    let site = format!("<configuration>\n{many}<property></configuration>\n");
    let sources = Sources {
        fsck: memory("fsck.txt", SMALL),
        conf: memory("site.xml", site),
        ..Sources::default()
    };
    let error = refused(run(sources));
    assert!(error.contains("site.xml:800002: not XML"), "{error}")
}

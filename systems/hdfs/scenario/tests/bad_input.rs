//! What is refused, and how: the whole text of every message is in `golden/bad_*.txt`.
use crate::common::{EIGHT, LOSS, SHOP, folder, golden};
use cluster::Sheet;
use hdfs_scenario::{Scenario, assembly, cluster_file, keys};
use std::fmt::Write;
use std::path::Path;

/// What is edited in the scenario of eight nodes: a line is a case, `TITLE | OLD => NEW`; several
/// edits at once are parted by `&&`, `\n` begins a line, `(nothing)` is the empty text.
const EDITS: &str = include_str!("input/bad_scenarios.txt");

fn edit(text: &str, edits: &str) -> String {
    edits.split("&&").fold(text.to_string(), |text, edit| {
        let (old, new) = edit.split_once("=>").unwrap_or_else(|| panic!("{edit}"));
        let (old, new) = (part(old), part(new));
        assert!(text.contains(&old), "{old} is not in the text");
        text.replacen(&old, &new, 1)
    })
}

fn part(written: &str) -> String {
    match written.trim() {
        "(nothing)" => String::new(),
        text => text.replace("\\n", "\n"),
    }
}

#[test]
fn scenarios() {
    let mut out = String::new();
    for case in EDITS.lines().filter(|line| !line.is_empty()) {
        let (title, edits) = case.split_once(" | ").expect(case);
        let text = edit(EIGHT, edits);
        let error = Scenario::from_str(&text, "x.toml", &[]).expect_err(title);
        let _ = writeln!(out, "{title}\n    {}\n", error.to_string().replace('\n', "\n    "));
    }
    golden("bad_scenarios.txt", &out);
}

/// The file was right without `--set`: what that sets is to blame, once, with what to do.
#[test]
fn what_does_not_go_with_the_file_is_blamed_on_the_command_line() {
    let kind = "hardware.inter_rack_kind";
    let text = EIGHT.replace("[hardware]", "[hardware]\ninter_rack_kind = \"one-link\"");
    let refused = |sets: &[(&str, &str)]| {
        let sets: Vec<_> = sets.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        Scenario::from_str(&text, "x.toml", &sets).expect_err("refused").to_string()
    };
    assert_eq!(
        refused(&[("cluster.racks", "4")]),
        "command line: cluster.racks: 4 racks, and hardware.inter_rack_kind = \"one-link\" joins \
         two: expected two racks, or `--set hardware.inter_rack_kind=uplinks`"
    );
    assert_eq!(
        refused(&[("cluster.racks", "4"), (kind, "switch")]),
        "command line: hardware.inter_rack_kind: switch: expected \"uplinks\" or \"one-link\""
    );
    let said = refused(&[("run.until", "0.0s")]);
    assert!(said.starts_with("command line: run.until: \"0.0s\" ends the run before"), "{said}");
    let said = refused(&[("event.target", "dn-r2-01"), ("cluster.racks", "1")]);
    assert!(said.contains("dn-r2-01") && said.contains("`--set cluster.racks` has"), "{said}");
    let said = refused(&[("workload.redundancy", "RS-10-4-1024k")]);
    assert!(said.starts_with("command line: workload.redundancy: RS-10-4-1024k puts 14"), "{said}");
    let said = refused(&[("cluster.nodes_per_rack", "900000")]);
    assert!(said.starts_with("command line: cluster.nodes_per_rack: 900000: expected"), "{said}");
}

#[test]
fn command_lines() {
    let mut out = String::new();
    for set in [
        "hardware.disk=65MB",
        "hardware.dsik=65MB/s",
        "disk=65MB/s",
        "policy.streams_per_source=0",
        "model.network=yes",
        "hdfs-site.dfs.namenode.replication.max-strems=8",
        "event.target=dn-r9-01",
        "event[1].target=dn-r9-01",
        "event[2].at=3s",
        "event[0].at=3s",
        "event[1].when=3s",
        "compare.policy.rereplication=ring",
        "cluster.import=nowhere.toml",
        "nonsense=1",
    ] {
        let (key, value) = set.split_once('=').expect(set);
        let sets = [(key.to_string(), value.to_string())];
        let error = Scenario::from_str(EIGHT, "x.toml", &sets).expect_err(set);
        let _ = writeln!(out, "--set {set}\n    {}\n", error.to_string().replace('\n', "\n    "));
    }
    golden("bad_sets.txt", &out);
}

/// The same of the cluster file.
const CLUSTER_EDITS: &str = include_str!("input/bad_cluster_files.txt");

#[test]
fn cluster_files() {
    let mut out = String::new();
    for case in CLUSTER_EDITS.lines().filter(|line| !line.is_empty()) {
        let (title, edits) = case.split_once(" | ").expect(case);
        let text = edit(SHOP, edits);
        let error = cluster_file::read_str(&text, Path::new("shop.toml")).expect_err(title);
        let _ = writeln!(out, "{title}\n    {}\n", error.to_string().replace('\n', "\n    "));
    }
    golden("bad_cluster_files.txt", &out);
}

/// What a scenario finds wrong with the cluster that it imports.
#[test]
fn imports() {
    let folder = folder("bad_imports");
    let mut out = String::new();
    for (title, shop, loss) in [
        ("dead node", "", "\"dn3\" => \"dn2\""),
        ("ambiguous node", "", "\"dn3\" => \"dn\""),
        ("unknown node", "", "\"dn3\" => \"dn4\""),
        (
            "workload of an import",
            "",
            "[[event]] => [workload]\\nblocks_on_lost_node = 5\\n[[event]]",
        ),
        ("no block map", "[blocks] => [blocks2]", ""),
        ("hardware", "\"25Gbit/s\" => \"25Gbit\"", ""),
        ("site", "\"128m\" => \"128mb\"", ""),
        (
            "idle disks",
            "alive = false => disks = 12 && xceivers = 2 => disks = 12",
            "[hardware] => [hardware]\\ndisks_per_node = 6",
        ),
        ("import of a scenario", "nodes = [ => other = [", ""),
    ] {
        let edit = |text: &str, how: &str| match how {
            "" => text.to_string(),
            how => edit(text, how),
        };
        let shop = match title {
            "no block map" => SHOP.split("[blocks]").next().expect("a text").to_string(),
            _ => edit(SHOP, shop),
        };
        std::fs::write(folder.join("shop.toml"), shop).expect("written");
        let loss = edit(LOSS, loss);
        let error = Scenario::from_str(&loss, folder.join("x.toml"), &[]).expect_err(title);
        let text = error.to_string().replace(&format!("{}/", folder.display()), "");
        let _ = writeln!(out, "{title}\n    {}\n", text.replace('\n', "\n    "));
    }
    let error = Scenario::from_str(SHOP, "shop.toml", &[]).expect_err("a cluster file");
    let _ = writeln!(out, "a cluster file as scenario\n    {error}\n");
    golden("bad_imports.txt", &out);
}

#[test]
fn other_files() {
    let folder = folder("other_files");
    let mut out = String::new();
    let cases: [(&str, &[u8]); 14] = [
        ("empty.toml", b""),
        ("blank.toml", b" \n\n"),
        ("fsimage_0000000000000012345", b"HDFSIMG1\x16\x08\xe6\xc3"),
        ("run.parquet", b"PAR1\x15\x04\x15"),
        ("fsck.txt.gz", &[0x1f, 0x8b, 8, 0]),
        ("fsck.txt.zst", &[0x28, 0xb5, 0x2f, 0xfd, 0]),
        ("utf16.toml", &[0xff, 0xfe, b'[', 0]),
        ("latin1.toml", b"[cluster]\nname = \"K\xf6ln\"\n"),
        ("fsimage.xml", b"<?xml version=\"1.0\"?>\n<fsimage><version>"),
        ("fsimage.tsv", b"Path\tReplication\tModificationTime\tAccessTime\tPreferredBlockSize\n"),
        ("hdfs-site.xml", b"<?xml version=\"1.0\"?><configuration/>"),
        ("fsck.txt", b"Connecting to namenode via http://nn1:9870/fsck\n"),
        ("report.txt", b"Configured Capacity: 3776653798932480 (3.35 PB)\n"),
        ("jmx.json", b"{ \"beans\": [] }"),
    ];
    for (name, bytes) in cases {
        std::fs::write(folder.join(name), bytes).expect("written");
    }
    let names = cases.iter().map(|case| case.0).chain(["missing.toml", "."]);
    for name in names {
        let error = Scenario::read(folder.join(name), &[]).expect_err(name);
        let _ =
            writeln!(out, "{}\n", error.to_string().replace(&format!("{}/", folder.display()), ""));
    }
    golden("bad_files.txt", &out);
}

#[test]
fn rows_from_the_command_line() {
    let folder = folder("vary");
    let file = folder.join("x.toml");
    std::fs::write(&file, EIGHT).expect("written");
    let vary = |axes: &[(&str, &str)]| {
        let list = |(key, values): &(&str, &str)| {
            (key.to_string(), values.split(',').map(str::to_string).collect())
        };
        let axes: Vec<(String, Vec<String>)> = axes.iter().map(list).collect();
        match Sheet::read(&file, &[], &keys::HDFS, assembly).expect("a scenario").vary(&axes) {
            Ok(rows) => rows.iter().map(|row| row.name.clone()).collect::<Vec<_>>().join(" | "),
            Err(error) => error.to_string(),
        }
    };
    let mut out = String::new();
    for axes in [
        &[("policy.rereplication", "ring,default"), ("cluster.nodes_per_rack", "8,16")][..],
        &[("cluster.nodes_per_rack", "8,4")],
        &[("cluster.nodes_per_rack", "8,x")],
        &[("cluster.node_per_rack", "8")],
        &[("cluster.racks", "1,2,3"), ("hardware.inter_rack_kind", "one-link")],
        &[("event.target", "dn-r1-01,dn-r2-04")],
        &[("policy.rereplication", "ring"), ("policy.rereplication", "default")],
    ] {
        let _ = writeln!(out, "{axes:?}\n    {}\n", vary(axes).replace('\n', "\n    "));
    }
    golden("vary.txt", &out);
}

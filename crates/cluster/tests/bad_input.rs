//! What is refused, and how: the whole text of every message is in `golden/bad_*.txt`.
mod common;
use cluster::{Scenario, cluster_file};
use common::{EIGHT, LOSS, SHOP, folder, golden};
use std::fmt::Write;
use std::path::Path;

/// Replaces `old` by `new` in the scenario of eight nodes; several at once, parted by `&&`.
const EDITS: &str = r#"
wrong key | disk = => dsik =
key of another table | racks = 2 => racks = 2\npacing = "hdfs3"
wrong table | [hardware] => [hardwear]
a key before any table | [cluster] => seeds = 3\n[cluster]
amount for a rate | "65MB/s" => "65MB"
rate without unit | "65MB/s" => "65"
number for a rate | "65MB/s" => 65
Mb is no unit | "125MB/s" => "125Mb/s"
bits per second in short | "125MB/s" => "10Gbps"
slash sec | "125MB/s" => "125MB/sec"
negative rate | "65MB/s" => "-65MB/s"
zero rate | "65MB/s" => "0MB/s"
too large | "65MB/s" => "99999999TB/s"
misspelt disk | "65MB/s" => "hdd-7220"
misspelt network | "125MB/s" => "10Gb"
a list for a value | "65MB/s" => ["65MB/s"]
a date for a value | "65MB/s" => 2026-11-21
zero racks | racks = 2 => racks = 0
negative racks | racks = 2 => racks = -2
half a rack | racks = 2 => racks = 2.5
racks in quotes | racks = 2 => racks = "2"
too many nodes | nodes_per_rack = 4 => nodes_per_rack = 100000 && racks = 2 => racks = 100000
nodes missing | nodes_per_rack = 4 => 
no cluster at all | racks = 2 =>  && nodes_per_rack = 4 => 
no workload | blocks_on_lost_node = 560 => 
zero blocks | = 560 => = 0
both forms of a cluster | racks = 2 => racks = 2\nimport = "shop.toml"
import that is not there | racks = 2 => import = "nowhere.toml" && nodes_per_rack = 4 =>  && blocks_on_lost_node = 560 => 
three racks on one link | racks = 2 => racks = 3 && nic = => inter_rack_kind = "one-link"\nnic =
misspelt choice | nic = => inter_rack_kind = "uplink"\nnic =
misspelt hdfs key | dfs.replication" => dfs.replicaton"
misspelt long hdfs key | "dfs.replication" = 3 => "dfs.namenode.replication.max-stream" = 3
hdfs key without dots | "dfs.replication" = 3 => replication = 3
hdfs value of wrong kind | "dfs.replication" = 3 => "dfs.blocksize" = "128MiB"
hdfs value that is zero | "dfs.replication" = 3 => "dfs.heartbeat.interval" = 0
old and new name | "dfs.replication" = 3 => "dfs.blocksize" = "64m"\n"dfs.block.size" = 67108864
no event | [[event]] => [[other]]
event in single brackets | [[event]] => [event]
event without target | target = "dn-r1-01" => 
event with wrong key | target = "dn-r1-01" => node = "dn-r1-01"
event with misspelt key | target = "dn-r1-01" => traget = "dn-r1-01"
unknown kind | "node-lost" => "node-list"
time without unit | at = "0s" => at = 0
bare time | at = "0s" => at = "5"
unknown node | "dn-r1-01" => "dn-r1-09"
ambiguous node | "dn-r1-01" => "dn-r1"
the same node twice | [run] => [[event]]\nat = "1s"\nkind = "node-lost"\ntarget = "10.0.1.1"\n[run]
until is neither | "redundant" => "redundnat"
seeds | [run] => [run]\nseeds = 0
compare with one value | ["default", "ring"] => "ring"
compare with nothing | ["default", "ring"] => []
compare with wrong values | "policy.rereplication" = ["default", "ring"] => "cluster.nodes_per_rack" = [8, "16", -1]
compare with a value twice | ["default", "ring"] => ["default", "default"]
compare of an unknown key | "policy.rereplication" => "policy.replication"
compare of a row that cannot be | "policy.rereplication" = ["default", "ring"] => "event.target" = ["dn-r1-01", "dn-r7-01"]
compare of too much | "policy.rereplication" = ["default", "ring"] => "run.seeds" = [1,2,3,4,5,6,7,8,9,10,11]\n"model.chunk" = ["1kB","2kB","3kB","4kB","5kB","6kB","7kB","8kB","9kB","10kB"]\n"policy.streams_per_source" = [1,2,3,4,5,6,7,8,9,10]
variant without a name | name = "faster disks" => 
variant without a set | set = { "hardware.disk" = "105MB/s" } => 
variant of a wrong key | "hardware.disk" = "105 => "hardware.dsk" = "105
variant of a wrong value | "105MB/s" => "105MB"
variant with another's name | name = "faster disks" => name = "ring"
variant in single brackets | [[variant]] => [variant]
two at once | "65MB/s" => "65MB" && "dn-r1-01" => "dn-x"
the same key twice | racks = 2 => racks = 2\nracks = 3
cut in a string | "dn-r1-01" => "dn-r1
cut after the equals sign | racks = 2 => racks =
two cuts | racks = 2 => racks =  && "redundant" => "redundant
no TOML at all | [cluster] => This is a letter.
"#;

fn edit(text: &str, edits: &str) -> String {
    edits.split("&&").fold(text.to_string(), |text, edit| {
        let (old, new) = edit.split_once("=> ").unwrap_or_else(|| panic!("{edit}"));
        let old = old.trim();
        assert!(text.contains(old), "{old} is not in the text");
        text.replacen(old, &new.trim_end().replace("\\n", "\n"), 1)
    })
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

#[test]
fn command_lines() {
    let mut out = String::new();
    for set in [
        "hardware.disk=65MB",
        "hardware.dsik=65MB/s",
        "disk=65MB/s",
        "policy.streams_per_source=0",
        "model.latency_weights=yes",
        "hdfs-site.dfs.namenode.replication.max-strems=8",
        "event.target=dn-r9-01",
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

const CLUSTER_EDITS: &str = r#"
unknown field | xceivers = 4 => xcievers = 4
unknown key | date = => dates =
no nodes | nodes = [ => hosts = [
nodes that are none | nodes = [ => nodes = 4\nhosts = [
no host | host = "dn1.shop.example",  => 
host that is no text | host = "dn1.shop.example" => host = 1
negative capacity | capacity = 9, => capacity = -9,
wrong admin state | "decommissioning" => "retired"
wrong flag | alive = false => alive = "no"
an address twice | 10.0.1.10:9866 => 10.0.1.1:9866
short hash | 0123456789abcdef" => "
hash with other letters | 0123456789abcdef" => 0123456789abcdeg"
counts | blocks = 12000 => blocks = "many"
sources | ["fsck.txt", "report.txt"] => "fsck.txt"
cut | ]\n\n[hardware] => [hardware]
"#;

#[test]
fn cluster_files() {
    let mut out = String::new();
    for case in CLUSTER_EDITS.lines().filter(|line| !line.is_empty()) {
        let (title, edits) = case.split_once(" | ").expect(case);
        let text = edit(SHOP, &edits.replace("]\\n\\n[hardware] =>", "]\n\n[hardware] =>"));
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
    let cases: [(&str, &[u8]); 12] = [
        ("empty.toml", b""),
        ("blank.toml", b" \n\n"),
        ("fsimage_0000000000000012345", b"HDFSIMG1\x16\x08\xe6\xc3"),
        ("run.parquet", b"PAR1\x15\x04\x15"),
        ("fsck.txt.gz", &[0x1f, 0x8b, 8, 0]),
        ("fsck.txt.zst", &[0x28, 0xb5, 0x2f, 0xfd, 0]),
        ("utf16.toml", &[0xff, 0xfe, b'[', 0]),
        ("latin1.toml", b"[cluster]\nname = \"K\xf6ln\"\n"),
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
        match Scenario::vary(&file, &[], &axes) {
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
    ] {
        let _ = writeln!(out, "{axes:?}\n    {}\n", vary(axes).replace('\n', "\n    "));
    }
    golden("vary.txt", &out);
}

//! `ozone-site.xml` and `/conf`: each value is read as Ozone reads it, and none is lost.
use cluster::Sheet;
use ozone::OZONE;
use std::path::{Path, PathBuf};
use system::Failure;
use system::lab::Lab;

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("ozone-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Imports six nodes and three pipelines with this configuration: the file's text, and its sheet.
fn imported(name: &str, conf: &str) -> Result<(String, Sheet), Failure> {
    let folder = folder(name);
    let [pipelines, site, out] = ["p.json", "site.xml", "c.toml"].map(|file| folder.join(file));
    let open = |of: [&str; 3]| format!(r#"{{"state":"OPEN","leader":"{}","nodes":{of:?}}}"#, of[0]);
    let all = [open(["a", "b", "c"]), open(["d", "e", "f"]), open(["b", "c", "d"])];
    std::fs::write(&pipelines, format!("[{}]", all.join(","))).unwrap();
    std::fs::write(&site, conf).unwrap();
    let [p, s, o] = [&pipelines, &site, &out].map(|path| path.to_str().unwrap());
    let action = OZONE.imports[0];
    let arguments = ["ozone", "--pipelines", p, "--conf", s, "-o", o];
    let read = action.run(&action.command().get_matches_from(arguments)).and_then(|()| {
        let text = std::fs::read_to_string(&out).unwrap();
        Ok((text, Lab::of(&OZONE)?.read(&out, &[])?))
    });
    assert_eq!(read.is_ok(), out.exists(), "{name}: all or nothing");
    std::fs::remove_dir_all(folder).unwrap();
    read
}

fn xml(properties: &[(&str, &str)]) -> String {
    let one = |(name, value): &(&str, &str)| {
        format!("<property><name>{name}</name><value>{value}</value></property>\n")
    };
    let all: String = properties.iter().map(one).collect();
    format!("<configuration>\n{all}</configuration>\n")
}

/// A scenario with this over it.
fn sheet(more: &str) -> Result<Sheet, Failure> {
    let text = format!("[model]\nsystem = \"ozone\"\n[cluster]\nnodes = 8\n{more}");
    Lab::of(&OZONE)?.read_text(&text, Path::new("s.toml"), &[])
}

fn refused(read: Result<impl Sized, Failure>) -> String {
    match read {
        Err(Failure::BadInput(why)) => why,
        _ => panic!("bad input"),
    }
}

#[test]
fn sizes_as_the_documentation_writes_them() {
    let site = xml(&[
        ("ozone.scm.container.size", "1.5GB"),
        ("ozone.scm.block.size", "256MB"),
        ("ozone.scm.chunk.size", "4m"),
        ("hdds.datanode.dir", "/data/1,/data/2"),
    ]);
    let (_, sheet) = imported("sizes", &site).unwrap();
    let size = |what: &str| sheet.bytes(&format!("ozone-site.ozone.scm.{what}.size")).0;
    assert_eq!(["container", "block", "chunk"].map(size), [3 << 29, 256 << 20, 4 << 20]);
    assert_eq!(sheet.count("hardware.disks_per_node"), 2);
    let why = refused(imported("bare", &xml(&[("ozone.scm.block.size", "268435456")])));
    assert!(why.contains("site.xml:2") && why.contains("with") && why.contains("GB"), "{why}");
}

#[test]
fn a_cap_of_the_cluster_and_what_is_not_modelled_are_kept() {
    let site = xml(&[
        ("ozone.scm.ratis.pipeline.limit", "3"),
        ("ozone.scm.datanode.pipeline.limit", "4"),
        ("ozone.om.address", "om \"1\""),
        ("dfs.replication", "2"),
    ]);
    let (text, sheet) = imported("cap", &site).unwrap();
    assert_eq!(sheet.count("ozone-site.ozone.scm.ratis.pipeline.limit"), 3);
    assert!(text.contains(r#""ozone.om.address" = "om \"1\"""#), "{text}");
    let about = cluster::listing::About::default();
    let listed = cluster::listing::scenario(&sheet, &about);
    let (used, rest) = listed.split_once("\nnot modelled").expect("a list of its own");
    let (not_modelled, foreign) = rest.split_once("\nnot keys of ozone").expect("and another");
    assert!(used.contains("ozone.scm.ratis.pipeline.limit"), "{used}");
    assert!(not_modelled.contains("ozone.om.address"), "{not_modelled}");
    assert!(foreign.contains("dfs.replication"), "{foreign}");
}

#[test]
fn classes_are_policies_and_policies_classes() {
    let package = "org.apache.hadoop.hdds.scm.pipeline";
    let volumes = "org.apache.hadoop.ozone.container.common.volume";
    let of = |volume: &str, choice: &str, leader: &str| {
        let [volume, choice, leader] = [
            format!("{volumes}.{volume}"),
            format!("{package}.choose.algorithms.{choice}"),
            format!("{package}.leader.choose.algorithms.{leader}"),
        ];
        xml(&[
            ("hdds.datanode.volume.choosing.policy", volume.as_str()),
            ("hdds.scm.pipeline.choose.policy.impl", choice.as_str()),
            ("ozone.scm.pipeline.leader-choose.policy", leader.as_str()),
        ])
    };
    let policies = |sheet: &Sheet| {
        ["volume", "choice", "leader"].map(|p| sheet.text(&format!("policy.{p}")).to_string())
    };
    let table = [
        (
            "RoundRobinVolumeChoosingPolicy",
            "RoundRobinPipelineChoosePolicy",
            "DefaultLeaderChoosePolicy",
            ["round-robin", "round-robin", "as-elected"],
        ),
        (
            "CapacityVolumeChoosingPolicy",
            "RandomPipelineChoosePolicy",
            "MinLeaderCountChoosePolicy",
            ["better-of-two", "random", "fewest"],
        ),
        ("Fancy", "CapacityPipelineChoosePolicy", "Other", ["better-of-two", "random", "fewest"]),
    ];
    for (volume, choice, leader, right) in table {
        let site = of(volume, choice, leader);
        let (text, read) = imported("classes", &site).unwrap();
        assert_eq!(policies(&read), right, "{text}");
        let is_kept = text.contains("volume.Fancy\"");
        assert_eq!(is_kept, volume == "Fancy", "{text}");
    }
    // The same keys in a scenario, and the way back.
    let by_hand = format!(
        "[ozone-site]\n\"hdds.datanode.volume.choosing.policy\" = \
         \"{volumes}.RoundRobinVolumeChoosingPolicy\"\n"
    );
    assert_eq!(sheet(&by_hand).unwrap().text("policy.volume"), "round-robin");
    let change = format!("{:?}", sheet("").unwrap().change("policy.volume", "round-robin"));
    assert!(change.contains(&format!("{volumes}.RoundRobinVolumeChoosingPolicy")), "{change}");
}

#[test]
fn the_whole_configuration_of_scm_is_imported() {
    let row = |key: &str, value: &str, file: &str| {
        format!(r#"{{"key":"{key}","value":"{value}","isFinal":false,"resource":"{file}"}}"#)
    };
    let rows = [
        row("ozone.scm.block.size", "256MB", "ozone-default.xml"),
        row("hdds.datanode.dir", "", "ozone-default.xml"),
        row("hdds.datanode.volume.choosing.policy", "", "ozone-default.xml"),
        row("ozone.scm.datanode.pipeline.limit", "7", "/etc/ozone-site.xml"),
        row("ozone.datanode.pipeline.limit", "7", "/etc/ozone-site.xml"),
        row("ozone.om.ratis.port", "9872", "ozone-default.xml"),
        row("ozone.om.address", "om", "ozone-site.xml"),
        row("fs.defaultFS", "ofs://om/", "core-site.xml"),
    ];
    let page = format!(r#"{{"properties":[{}]}}"#, rows.join(","));
    let (text, sheet) = imported("conf", &page).unwrap();
    assert_eq!(sheet.count("ozone-site.ozone.scm.datanode.pipeline.limit"), 7);
    assert!(!text.contains("ozone.om.ratis.port"), "a default of a key that is not modelled");
    assert!(text.contains("ozone.om.address") && text.contains("fs.defaultFS"), "{text}");
    assert!(!text.contains("disks_per_node"), "an empty list of directories tells nothing: {text}");
}

#[test]
fn a_file_of_another_system_is_refused() {
    let why = refused(imported(
        "other",
        &xml(&[("dfs.replication", "2"), ("dfs.datanode.data.dir", "/1")]),
    ));
    assert!(
        why.contains("no key of Ozone in the file") && why.contains("dfs.replication"),
        "{why}"
    );
    let why = refused(imported("json", r#"{"beans": []}"#));
    assert!(why.contains("no properties in the file"), "{why}");
}

/// The parsed value of a key in bytes or ns; `None`: rejected.
#[test]
fn each_notation_by_its_own_reader() {
    const MS: u64 = 1_000_000;
    let table: [(&str, &str, Option<u64>); 16] = [
        ("ozone.scm.chunk.size", "1.5MB", Some(3 << 19)),
        ("ozone.scm.chunk.size", "5 gb", None),
        ("ozone.scm.container.size", "5 gb", Some(5 << 30)),
        ("ozone.scm.container.size", "5GiB", None),
        ("ozone.scm.container.size", "5", None),
        ("hdds.ratis.client.request.watch.timeout", "3m", Some(180_000 * MS)),
        ("hdds.ratis.client.request.watch.timeout", "500", Some(500 * MS)),
        ("hdds.ratis.client.request.watch.timeout", "1.5h", None),
        ("hdds.ratis.client.request.watch.timeout", "3min", None),
        ("hdds.ratis.raft.server.watch.timeout", "30000", Some(30_000 * MS)),
        ("ozone.scm.stale.node.interval", "300000", Some(300_000 * MS)),
        ("ozone.scm.stale.node.interval", "5M", Some(300_000 * MS)),
        ("ozone.scm.pipeline.creation.interval", "1d", Some(86_400_000 * MS)),
        ("hdds.ratis.leader.election.minimum.timeout.duration", "5", Some(5_000 * MS)),
        ("hdds.ratis.leader.election.minimum.timeout.duration", "5us", Some(5_000)),
        ("hdds.ratis.client.exponential.backoff.base.sleep", "4s", Some(4_000 * MS)),
    ];
    for (name, value, right) in table {
        let key = format!("ozone-site.{name}");
        let set = [(key.clone(), value.to_string())];
        let text = "[model]\nsystem = \"ozone\"\n[cluster]\nnodes = 8\n";
        let read = Lab::of(&OZONE).unwrap().read_text(text, Path::new("s.toml"), &set);
        let found = read.ok().map(|sheet| match name.ends_with(".size") {
            true => sheet.bytes(&key).0,
            false => sheet.time(&key).0,
        });
        assert_eq!(found, right, "{name} = {value}");
    }
}

#[test]
fn the_page_of_keys_has_each_versions_defaults() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/keys.md");
    let page = std::fs::read_to_string(page).unwrap();
    let rows = page
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.split('|').map(str::trim).collect::<Vec<&str>>());
    let mut checked = 0;
    for row in rows.filter(|row| row.len() == 12) {
        let key = row[1].trim_matches('`');
        let versions = ["1.0", "1.1", "1.2", "1.3", "1.4", "2.0", "2.1", "2.2"];
        for (version, told) in versions.iter().zip(&row[2..10]) {
            let sheet = sheet(&format!("[ozone]\nversion = \"{version}.0\"\n")).unwrap();
            assert_eq!(sheet.text(key), *told, "{key} of {version}");
            checked += 1
        }
    }
    assert_eq!(checked, 8 * 8, "all rows");
    let unknown = refused(sheet("[ozone]\nversion = \"3.1\"\n"));
    assert!(unknown.contains("ozone.version") && unknown.contains("\"2.2\""), "{unknown}");
}

#[test]
fn a_key_that_the_version_does_not_have_is_without_effect() {
    let old = "[ozone]\nversion = \"1.4\"\n[ozone-site]\n\
               \"hdds.ratis.client.request.watch.type\" = \"MAJORITY_COMMITTED\"\n";
    let about = cluster::listing::About::default();
    let listed = cluster::listing::scenario(&sheet(old).unwrap(), &about);
    let (_, without) = listed.split_once("\nnot modelled").expect("a list of its own");
    assert!(without.contains("watch.type"), "{listed}");
}

//! Imports of a real SCM's dumps, and errors for invalid ones.
use ozone::OZONE;
use std::path::{Path, PathBuf};
use system::Failure;
use system::lab::Lab;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn import(arguments: &[&str]) -> Result<(), Failure> {
    let action = OZONE.imports[0];
    action.run(&action.command().get_matches_from([&["ozone"], arguments].concat()))
}

/// A folder for one test's files.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("ozone-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn refused(name: &str, pipelines: &str, datanodes: Option<&str>) -> String {
    let folder = folder(name);
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    };
    let out = folder.join("out.toml");
    let mut arguments = vec!["--pipelines".to_string(), file("p.json", pipelines)];
    arguments.extend(["-o".into(), out.to_str().unwrap().into()]);
    if let Some(text) = datanodes {
        arguments.extend(["--datanodes".into(), file("d.json", text)])
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let Err(Failure::BadInput(text)) = import(&arguments) else { panic!("{name} is refused") };
    assert!(!out.exists(), "{name}: nothing is written");
    text
}

#[test]
fn samples_of_a_real_scm() {
    // Nodes, pipelines, sets of nodes, most pipelines a node, as the files have them.
    let table = [
        ("m1.json", 6, 2, "1"),
        ("m2.json", 6, 4, "2"),
        ("m3.json", 6, 6, "3"),
        ("r-m3n6.json", 6, 6, "3"),
        ("r-m3n6pl.json", 6, 6, "3"),
        ("r-m3n5pl.json", 5, 5, "3"),
    ];
    let folder = folder("samples");
    for (name, nodes, pipelines, limit) in table {
        let out = folder.join(name).with_extension("toml");
        let (from, to) = (data(name), out.to_str().unwrap().to_string());
        import(&["--pipelines", from.to_str().unwrap(), "-o", &to]).unwrap();
        let sheet = Lab::of(&OZONE).unwrap().read(&out, &[]).unwrap();
        assert_eq!(sheet.count("cluster.nodes"), nodes, "{name}");
        assert_eq!(sheet.text("cluster.pipelines").split(' ').count(), pipelines, "{name}");
        assert_eq!(sheet.text("ozone-site.ozone.scm.datanode.pipeline.limit"), limit, "{name}");
    }
}

#[test]
fn dumps_of_ozone_2_with_objects_for_ids() {
    let folder = folder("objects");
    let node =
        |id: &str| format!(r#"{{"uuid":"{id}","hostName":"{id}.x","networkLocation":"/r{id}"}}"#);
    let nodes = ["a", "b", "c"].map(node).join(",");
    let pipelines = format!(
        r#"[{{"id":{{"id":"p"}},"state":"OPEN","leaderId":{{"uuid":"b"}},"nodes":[{nodes}]}},
            {{"id":{{"id":"q"}},"state":"CLOSED","nodes":[{nodes}]}},
            {{"id":{{"id":"s"}},"state":"OPEN","nodes":[{}]}}]"#,
        node("a")
    );
    let datanodes = ["a", "b", "c", "idle"]
        .map(|id| format!(r#"{{"datanodeDetails":{},"healthState":"HEALTHY"}}"#, node(id)));
    let (p, d, out) = (folder.join("p.json"), folder.join("d.json"), folder.join("c.toml"));
    std::fs::write(&p, pipelines).unwrap();
    std::fs::write(&d, format!("[{}]", datanodes.join(","))).unwrap();
    let text = |path: &PathBuf| path.to_str().unwrap().to_string();
    import(&["--pipelines", &text(&p), "--datanodes", &text(&d), "-o", &text(&out)]).unwrap();
    let sheet = Lab::of(&OZONE).unwrap().read(&out, &[]).unwrap();
    assert_eq!(sheet.count("cluster.nodes"), 4);
    assert_eq!(sheet.text("cluster.pipelines"), "0-1-2:1");
    assert_eq!(sheet.text("cluster.rack_of"), "0 1 2 3");
    assert_eq!(sheet.text("cluster.hosts"), "a.x b.x c.x idle.x");
}

#[test]
fn bad_dumps() {
    let whole = std::fs::read_to_string(data("m3.json")).unwrap();
    let half = refused("half", &whole[..whole.len() / 2], None);
    assert!(half.contains("The file is incomplete") && half.contains("p.json:"), "{half}");
    let object = refused("object", "{}", None);
    assert!(object.contains("ozone admin pipeline list --json"), "{object}");
    let none = refused("none", "[]", None);
    assert!(none.contains("0 nodes"), "{none}");
    let old = refused("old", r#"[{"state":"OPEN"}]"#, None);
    assert!(old.contains("pipeline 1: no nodes"), "{old}");
    let twice = refused("twice", r#"[{"state":"OPEN","nodes":["a","a","b"]}]"#, None);
    assert!(twice.contains("twice"), "{twice}");
    let absent = refused(
        "absent",
        r#"[{"state":"OPEN","nodes":["a","b","c"]}]"#,
        Some(r#"[{"uuid":"a"},{"uuid":"b"}]"#),
    );
    assert!(absent.contains("c is in a pipeline, but not in this list of 2 nodes"), "{absent}");
    assert!(absent.contains("--length (100 by default") && absent.contains("--all"), "{absent}");
    let closed = refused("closed", r#"[{"state":"CLOSED","nodes":["a","b","c"]}]"#, None);
    assert!(closed.contains("no Ratis pipeline of three is open"), "{closed}");
}

/// Imports these dumps: the cluster.
fn imported(name: &str, pipelines: &str, datanodes: &str) -> cluster::Sheet {
    let folder = folder(name);
    let [p, d, out] = ["p.json", "d.json", "c.toml"].map(|file| folder.join(file));
    std::fs::write(&p, pipelines).unwrap();
    std::fs::write(&d, datanodes).unwrap();
    let [p, d, to] = [&p, &d, &out].map(|path| path.to_str().unwrap().to_string());
    import(&["--pipelines", &p, "--datanodes", &d, "-o", &to]).unwrap();
    let sheet = Lab::of(&OZONE).unwrap().read(&out, &[]).unwrap();
    std::fs::remove_dir_all(folder).unwrap();
    sheet
}

#[test]
fn nodes_that_scm_opens_no_pipelines_on_are_no_part_of_the_cluster() {
    let node = |id: &str, state: &str, health: &str| {
        format!(r#"{{"id":"{id}","opState":"{state}","healthState":"{health}"}}"#)
    };
    let nodes = [
        node("gone", "DECOMMISSIONED", "HEALTHY"),
        node("a", "IN_SERVICE", "HEALTHY"),
        node("b", "IN_SERVICE", "HEALTHY"),
        node("c", "IN_SERVICE", "HEALTHY"),
        node("going", "DECOMMISSIONING", "HEALTHY"),
        node("rests", "IN_MAINTENANCE", "HEALTHY"),
        node("late", "IN_SERVICE", "STALE"),
    ];
    let open = |of: [&str; 3]| format!(r#"{{"state":"OPEN","leader":"{}","nodes":{of:?}}}"#, of[2]);
    let pipelines = [open(["going", "a", "b"]), open(["a", "b", "c"])];
    let sheet =
        imported("away", &format!("[{}]", pipelines.join(",")), &format!("[{}]", nodes.join(",")));
    assert_eq!(sheet.text("cluster.hosts"), "a b c");
    assert_eq!(sheet.text("cluster.pipelines"), "0-1-2:2", "SCM closes that of who is going");
}

#[test]
fn members_of_ec_pipelines_are_known_and_volumes_counted() {
    let pipelines = r#"[
        {"pipelineState":"OPEN","type":"RATIS","leaderId":"a","nodes":["a","b","c"]},
        {"pipelineState":"OPEN","replicationConfig":{"replicationType":"EC"},
         "nodes":["a","d","e"]},
        {"pipelineState":"OPEN","type":"STAND_ALONE","nodes":["a","b","c"]}]"#;
    let nodes = ["a", "b", "c", "d", "e"]
        .map(|id| format!(r#"{{"id":"{id}","totalVolumeCount":8,"healthyVolumeCount":7}}"#));
    let sheet = imported("coded", pipelines, &format!("[{}]", nodes.join(",")));
    assert_eq!(sheet.text("cluster.pipelines"), "0-1-2:0");
    assert_eq!(sheet.text("cluster.erasure_coded"), "1 0 0 1 1");
    assert_eq!(sheet.count("hardware.disks_per_node"), 7);
    let assumed = sheet.assumed().any(|setting| setting.key == "hardware.log_disks");
    assert!(assumed, "no dump says where RaftLogs lie");
}

#[test]
fn the_old_name_of_the_limit_is_read() {
    let lab = Lab::of(&OZONE).unwrap();
    let read = |more: &str| {
        let text = format!(
            "[model]\nsystem = \"ozone\"\n[cluster]\nnodes = 9\n[ozone-site]\n\
             \"ozone.datanode.pipeline.limit\" = 5\n{more}"
        );
        lab.read_text(&text, Path::new("c.toml"), &[])
    };
    let sheet = read("").unwrap();
    assert_eq!(sheet.count("ozone-site.ozone.scm.datanode.pipeline.limit"), 5);
    let both = read("\"ozone.scm.datanode.pipeline.limit\" = 2\n");
    let Err(Failure::BadInput(text)) = both else { panic!("two names of one key") };
    assert!(text.contains("is the old name of"), "{text}");
}

#[test]
fn limits_of_none_and_of_a_million() {
    let lab = Lab::of(&OZONE).unwrap();
    let read = |limit: &str| {
        let key = "ozone-site.ozone.scm.datanode.pipeline.limit".to_string();
        let text = "[model]\nsystem = \"ozone\"\n[cluster]\nnodes = 9\n[hardware]\nlog_disks = 3\n";
        lab.read_text(text, Path::new("c.toml"), &[(key, limit.to_string())])
    };
    assert!(read("0").is_ok(), "as many as per.metadata.disk says");
    let Err(Failure::BadInput(text)) = read("1000000") else { panic!("too many") };
    assert!(text.contains("from 0 to 1000"), "{text}");
}

#[test]
fn what_ozone_site_says_is_not_assumed() {
    let folder = folder("site");
    let (conf, out) = (folder.join("ozone-site.xml"), folder.join("c.toml"));
    let text = "<configuration><property><name>ozone.datanode.pipeline.limit</name>\
                <value>4</value></property><property>\
                <name>hdds.container.ratis.datanode.storage.dir</name><value>/1,/2</value>\
                </property></configuration>";
    std::fs::write(&conf, text).unwrap();
    let from = data("m3.json");
    let [from, conf, to] = [&from, &conf, &out].map(|path| path.to_str().unwrap());
    import(&["--pipelines", from, "--conf", conf, "-o", to]).unwrap();
    let sheet = Lab::of(&OZONE).unwrap().read(&out, &[]).unwrap();
    assert_eq!(sheet.count("ozone-site.ozone.scm.datanode.pipeline.limit"), 4);
    assert_eq!(sheet.count("hardware.log_disks"), 2);
    assert!(sheet.assumed().all(|setting| setting.key != "hardware.log_disks"));
    std::fs::remove_dir_all(folder).unwrap()
}

//! Inputs other than a NameNode's JMX: the error names the input, the expectation and the command.
use super::support::{dump, run, text};
use hdfs_trace::ingest::hdfs::{Input, Sources};

#[track_caller]
fn refused(bytes: impl Into<Vec<u8>>, parts: &[&str]) {
    let error = dump(bytes).expect_err("it was imported").to_string();
    for part in parts {
        assert!(error.contains(part), "`{part}` is not in: {error}")
    }
    assert!(error.starts_with("nn-jmx.json"), "{error}");
}

const RUN: &str = "Run `curl -s http://NAMENODE:9870/jmx > nn-jmx.json`";

#[test]
fn other_daemons_and_other_pages() {
    let of = |service: &str| {
        format!("{{\"beans\":[{{\"name\":\"Hadoop:service={service},name=JvmMetrics\"}}]}}")
    };
    refused(of("DataNode"), &["this is the JMX of a DataNode; expected a NameNode's", RUN]);
    refused(of("ResourceManager"), &["this is the JMX of a ResourceManager", RUN]);
    refused(of("NameNode"), &["the dump has some beans only (?qry=)", RUN]);
    refused("{\"beans\":[]}", &["no bean of a Hadoop daemon", RUN]);
    refused("{\"pods\":[]}", &["the JSON has no beans", RUN]);
    refused("{\"beans\":7}", &["not the JSON of /jmx", "a list of beans", RUN]);
    refused("[1]", &["not a JSON object", RUN]);
    refused("<html><title>401</title></html>", &["this is an HTML page", "--negotiate -u :"]);
    refused("\n<!DOCTYPE HTML>\n<html>", &["this is an HTML page"]);
    refused("", &["0 bytes", RUN]);
    refused("FSCK started by root", &["this is the text of `hdfs fsck`", "Give it as --fsck"]);
    refused("<?xml version=\"1.0\"?>", &["this is an hdfs-site.xml", "Give it as --conf"]);
}

#[test]
fn nodes_that_cannot_be_read() {
    let page = |live: &str| {
        let live = serde_json::to_string(live).unwrap();
        format!(
            "{{\"beans\":[{{\"name\":\"Hadoop:service=NameNode,name=NameNodeInfo\",\
             \"LiveNodes\":{live}}}]}}"
        )
    };
    refused(page("{}"), &["no DataNode in LiveNodes"]);
    refused(page("{\"a:1\":"), &["LiveNodes of NameNodeInfo is damaged", "Save the page again"]);
    refused(page("{\"a:1\":{}}"), &["LiveNodes: a:1 has \"\" as xferaddr; expected ip:port"]);
    let state = "{\"a:1\":{\"xferaddr\":\"10.0.0.1:1\",\"adminState\":\"Resting\"}}";
    refused(page(state), &["LiveNodes: a:1 has the adminState `Resting`", "In maintenance"]);
}

/// A count below 0 is not 0, and one that no cluster has is not imported to be refused later.
#[test]
fn counts_that_cannot_be() {
    let live = |more: &str| {
        let node = format!("\"a:1\":{{\"xferaddr\":\"10.0.0.1:1\",\"numBlocks\":1{more}}}");
        serde_json::to_string(&format!("{{{node}}}")).unwrap()
    };
    let page = |live: &str, counts: &str| {
        let bean = |name: &str| format!("{{\"name\":\"Hadoop:service=NameNode,name={name}\"");
        let (info, system) = (bean("NameNodeInfo"), bean("FSNamesystem"));
        format!("{{\"beans\":[{info},\"LiveNodes\":{live}}},{system}{counts}}}]}}")
    };
    let from = "expected a count from 0 to 4294967295. Save the page again";
    for blocks in ["-898", "9999999999999"] {
        let node = live("").replace("numBlocks\\\":1", &format!("numBlocks\\\":{blocks}"));
        let has = format!("LiveNodes of NameNodeInfo: a:1 has numBlocks = {blocks}");
        refused(page(&node, ""), &[&has, from]);
    }
    for key in ["used", "capacity", "remaining"] {
        let has = format!("a:1 has {key} = -1; expected a count from 0");
        refused(page(&live(&format!(",\"{key}\":-1")), ""), &[&has]);
    }
    for counts in ["BlocksTotal = -5", "UnderReplicatedBlocks = 4294967296", "TotalLoad = 1.5"] {
        let (key, value) = counts.split_once(" = ").unwrap();
        let more = format!(",\"{key}\":{value}");
        refused(page(&live(""), &more), &[&format!("FSNamesystem: {counts};"), from]);
    }
    let much = "{\"a:1\":{\"xferaddr\":\"10.0.0.1:1\",\"numBlocks\":3000000000},\
                \"b:1\":{\"xferaddr\":\"10.0.0.2:1\",\"numBlocks\":3000000000}}";
    let much = serde_json::to_string(much).unwrap();
    refused(page(&much, ""), &["numBlocks of all nodes = 6000000000; expected"]);
    // No two replicas of a block are on one node: no map has these.
    let one = live("").replace("numBlocks\\\":1", "numBlocks\\\":50000000");
    let most = "10.0.0.1:1 has numBlocks = 50000000; expected at most 12000: FSNamesystem counts";
    refused(page(&one, ",\"BlocksTotal\":12000"), &[most, "Save the page again"]);
    // What is being deleted is still counted by its node.
    let late = live("").replace("numBlocks\\\":1", "numBlocks\\\":13000");
    assert!(dump(page(&late, ",\"BlocksTotal\":12000")).is_ok());
}

/// Nodes that no NameNode has.
#[test]
fn nodes_that_cannot_be() {
    let page = |live: &str, blocks: u32| {
        let live = serde_json::to_string(live).unwrap();
        let bean = "{\"name\":\"Hadoop:service=NameNode,name=";
        format!(
            "{{\"beans\":[{bean}NameNodeInfo\",\"LiveNodes\":{live}}},\
             {bean}FSNamesystem\",\"BlocksTotal\":{blocks}}}]}}"
        )
    };
    let node = |address: &str, more: &str| format!("{{\"xferaddr\":\"{address}\"{more}}}");
    let live = |one: &str, two: &str| format!("{{\"a:1\":{one},\"b:1\":{two}}}");
    let some = node("10.0.0.1:1", ",\"numBlocks\":5");
    refused(page(&live(&some, &some), 5), &["LiveNodes: two nodes have 10.0.0.1:1 as xferaddr"]);
    let none = live(&node("10.0.0.1:1", ""), &node("10.0.0.2:1", ""));
    let unheld = ["every node has numBlocks = 0", "the holders of the 7 blocks"];
    refused(page(&none, 7), &unheld);
    let empty = dump(page(&none, 0)).unwrap();
    assert!(empty.notes.iter().any(|note| note.contains("counts no blocks")), "{:?}", empty.notes);
    let unused = dump(page(&live(&some, &node("10.0.0.2:1", ",\"numBlocks\":5")), 5)).unwrap();
    let hint = "every node has used = 0, although they hold 10 replicas";
    assert!(unused.notes.iter().any(|note| note.contains(hint)), "{:?}", unused.notes);
    let much = |used: u32| format!(",\"numBlocks\":5,\"capacity\":100,\"used\":{used}");
    let (some, full) = (node("10.0.0.1:1", &much(50)), node("10.0.0.2:1", &much(200)));
    refused(
        page(&live(&some, &full), 5),
        &["b:1 has used = 200; expected at most its capacity, 100"],
    );
}

/// A page in which one node lacks a field is rejected: 0 would be accepted otherwise.
#[test]
fn a_field_that_one_node_lacks() {
    let whole = ["numBlocks", "used", "capacity", "remaining", "location"];
    for gone in whole {
        let node = |address: &str, keys: &[&str]| {
            let value = |key: &str| if key == "location" { "\"/r\"" } else { "7" };
            let more = keys.iter().map(|key| format!(",\"{key}\":{}", value(key)));
            format!("{{\"xferaddr\":\"{address}\"{}}}", more.collect::<String>())
        };
        let rest: Vec<&str> = whole.into_iter().filter(|key| *key != gone).collect();
        let (one, two) = (node("10.0.0.1:1", &whole), node("10.0.0.2:1", &rest));
        let live = serde_json::to_string(&format!("{{\"a:1\":{one},\"b:1\":{two}}}")).unwrap();
        let bean = "{\"name\":\"Hadoop:service=NameNode,name=";
        let page = format!(
            "{{\"beans\":[{bean}NameNodeInfo\",\"LiveNodes\":{live}}},\
             {bean}FSNamesystem\",\"BlocksTotal\":7}}]}}"
        );
        let has = format!("LiveNodes of NameNodeInfo: b:1 has no {gone}; expected one");
        refused(page, &[&has, "Save the page again"]);
    }
}

/// Wherever a page is cut: never a cluster, never a panic.
#[test]
fn cut_anywhere() {
    let whole = text("jmx/two-racks-nn-jmx.json.gz");
    let end = whole.trim_end().len();
    for at in (0..40).map(|i| end * i / 40).chain(end - 3..end) {
        let error = dump(&whole.as_bytes()[..at]).expect_err("cut").to_string();
        assert!(error.contains("ends in the middle") || error.contains("0 bytes"), "{at}: {error}")
    }
}

#[test]
fn standard_input_is_only_one_of_them() {
    let sources =
        Sources { jmx: Some(Input::Stdin), conf: Some(Input::Stdin), ..Sources::default() };
    assert!(run(sources).unwrap_err().to_string().contains("standard input is named twice"));
}

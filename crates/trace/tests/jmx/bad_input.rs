//! What is no NameNode's JMX: the error says what it is, what was expected, and what to run.
use super::support::{dump, run, text};
use trace::ingest::hdfs::{Input, Sources};

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
    refused(of("NameNode"), &["asked for some beans only (?qry=)", RUN]);
    refused("{\"beans\":[]}", &["no bean of a Hadoop daemon", RUN]);
    refused("{\"pods\":[]}", &["this JSON has no beans", RUN]);
    refused("{\"beans\":7}", &["not the JSON of /jmx", "a list of beans", RUN]);
    refused("[1]", &["this is no JSON object", RUN]);
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

//! Reads a dump, and says what a file is that is none.
use super::super::error::{Bad, ImportError, bad};
use super::super::sniff::{self, Kind};
use super::super::source::{self, Input, OnProgress};
use super::beans::Beans;
use super::dump::Dump;
use super::nodes;
use serde_json::error::Category;
use std::io::{BufReader, Cursor, Read};

/// By so many first bytes a file is told what it is.
const CHUNK: u64 = 256 << 10;

/// Reads a NameNode's dump; of 10 000 nodes it has 6 MB.
pub(in super::super) fn read(
    input: &Input,
    tell: &mut OnProgress<'_>,
) -> Result<Dump, ImportError> {
    let name = input.name();
    let whole = |bad: Bad| bad.at(&name, None);
    let mut bytes = source::open(input, tell).map_err(whole)?;
    let mut head = Vec::new();
    let first = bytes.by_ref().take(CHUNK).read_to_end(&mut head);
    first.map_err(|e| whole(source::unreadable(&e)))?;
    check(&head).map_err(whole)?;
    let rest = BufReader::with_capacity(CHUNK as usize, bytes);
    let beans = parse(Cursor::new(head).chain(rest)).map_err(|(bad, line)| bad.at(&name, line))?;
    namenode(&beans).map_err(whole)?;
    let mut nodes = Vec::new();
    for (attribute, alive) in [("LiveNodes", true), ("DeadNodes", false)] {
        let text = beans.text("NameNodeInfo", attribute).unwrap_or("{}");
        nodes.extend(nodes::read(attribute, text, alive).map_err(whole)?)
    }
    if nodes.is_empty() {
        let advice = "Is it a NameNode that has just started? Ask again when its nodes are there.";
        return Err(whole(bad("no DataNode in LiveNodes", "at least one").advice(advice)));
    }
    let mut dump = Dump { nodes, beans };
    dump.spread_transfers();
    Ok(dump)
}

/// By the first bytes.
fn check(head: &[u8]) -> Result<(), Bad> {
    sniff::check(Kind::Jmx, head)?;
    let start = head.trim_ascii_start();
    let page =
        |tag: &[u8]| start.len() >= tag.len() && start[..tag.len()].eq_ignore_ascii_case(tag);
    if page(b"<!doctype html") || page(b"<html") {
        let advice = "It may be an error or a login page: look at it, and with Kerberos run \
                      `curl -s --negotiate -u : http://NAMENODE:9870/jmx > nn-jmx.json`.";
        return Err(
            bad("this is an HTML page", "the JSON of a NameNode's /jmx page").advice(advice)
        );
    }
    if !start.starts_with(b"{") {
        return Err(
            bad("this is no JSON object", "the JSON of a NameNode's /jmx page").advice(run())
        );
    }
    Ok(())
}

fn run() -> String {
    format!("Run `{}`.", Kind::Jmx.command())
}

fn parse(bytes: impl Read) -> Result<Beans, (Bad, Option<u64>)> {
    let mut json = serde_json::Deserializer::from_reader(bytes);
    let read = serde::Deserialize::deserialize(&mut json);
    let read = read.and_then(|beans: Beans| json.end().map(|()| beans));
    read.map_err(|e| {
        let line = Some(e.line() as u64).filter(|line| *line > 0);
        match e.classify() {
            Category::Io => (source::unreadable(&std::io::Error::from(e)), None),
            Category::Eof => {
                let cut = bad("the JSON ends in the middle", "all of the page");
                (cut.advice(format!("The file is cut. {}", run())), line)
            }
            _ => {
                let wrong = bad(format!("not the JSON of /jmx ({e})"), "{ \"beans\": [ … ] }");
                (wrong.advice(run()), line)
            }
        }
    })
}

/// Whose page it is.
fn namenode(beans: &Beans) -> Result<(), Bad> {
    if beans.has("NameNodeInfo") {
        return Ok(());
    }
    let expected = "a NameNode's, with the bean NameNodeInfo";
    let others: Vec<&str> = beans.services.iter().map(String::as_str).collect();
    let found = match (beans.listed, others.as_slice()) {
        (false, _) => "this JSON has no beans".into(),
        (true, []) => "no bean of a Hadoop daemon".into(),
        (true, ["NameNode"]) => "this dump was asked for some beans only (?qry=)".into(),
        (true, others) => format!("this is the JMX of a {}", others.join(", ")),
    };
    Err(bad(found, expected).advice(run()))
}

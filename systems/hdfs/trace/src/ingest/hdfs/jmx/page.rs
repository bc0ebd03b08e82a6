//! A daemon's `/jmx` page, read bean by bean; what is none is said.
use super::super::error::{Bad, ImportError, bad};
use super::super::sniff::{self, Kind};
use super::super::source;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::error::Category;
use std::collections::BTreeSet;
use std::fmt;
use std::io::{BufReader, Cursor, Read};
use std::marker::PhantomData;
use units::usize_of;

/// By so many first bytes a file is told what it is.
const CHUNK: u64 = 256 << 10;

/// Keeps what it needs of a page's beans.
pub(in crate::ingest) trait Gather: Default {
    /// The next bean, with its name.
    fn take(&mut self, name: &str, bean: Value);
}

/// What is kept of a page.
#[derive(Default)]
pub(in crate::ingest) struct Page<G> {
    /// The beans that were wanted.
    pub(in crate::ingest) beans: G,
    /// Daemons whose beans were seen: `DataNode`.
    services: BTreeSet<String>,
    /// The page had a list of beans.
    listed: bool,
}

/// Reads a page that is already decompressed; `file` is its name.
pub(in crate::ingest) fn read<G: Gather>(
    kind: Kind,
    file: &str,
    mut bytes: impl Read,
) -> Result<Page<G>, ImportError> {
    let whole = |bad: Bad| bad.at(file, None);
    let mut head = Vec::new();
    let first = bytes.by_ref().take(CHUNK).read_to_end(&mut head);
    first.map_err(|e| whole(source::unreadable(&e)))?;
    check(kind, &head).map_err(whole)?;
    let rest = BufReader::with_capacity(usize_of(CHUNK), bytes);
    parse(kind, Cursor::new(head).chain(rest)).map_err(|(bad, line)| bad.at(file, line))
}

/// By the first bytes.
fn check(kind: Kind, head: &[u8]) -> Result<(), Bad> {
    sniff::check(kind, head)?;
    let start = head.trim_ascii_start();
    let page =
        |tag: &[u8]| start.len() >= tag.len() && start[..tag.len()].eq_ignore_ascii_case(tag);
    if page(b"<!doctype html") || page(b"<html") {
        let curl = kind.command().replace("curl -s", "curl -s --negotiate -u :");
        let advice = format!(
            "It may be an error or a login page: look at it, and with Kerberos run `{curl}`."
        );
        return Err(bad("this is an HTML page", kind.content()).advice(advice));
    }
    if !start.starts_with(b"{") {
        return Err(bad("this is no JSON object", kind.content()).advice(run(kind)));
    }
    Ok(())
}

fn run(kind: Kind) -> String {
    format!("Run `{}`.", kind.command())
}

fn parse<G: Gather>(kind: Kind, bytes: impl Read) -> Result<Page<G>, (Bad, Option<u64>)> {
    let mut json = serde_json::Deserializer::from_reader(bytes);
    let read = serde::Deserialize::deserialize(&mut json);
    let read = read.and_then(|page: Page<G>| json.end().map(|()| page));
    read.map_err(|e| {
        let line = Some(e.line() as u64).filter(|line| *line > 0);
        match e.classify() {
            Category::Io => (source::unreadable(&std::io::Error::from(e)), None),
            Category::Eof => {
                let cut = bad("the JSON ends in the middle", "all of the page");
                (cut.advice(format!("The file is cut. {}", run(kind))), line)
            }
            _ => {
                let wrong = bad(format!("not the JSON of /jmx ({e})"), "{ \"beans\": [ … ] }");
                (wrong.advice(run(kind)), line)
            }
        }
    })
}

impl<G> Page<G> {
    /// Whose page it is, where it lacks the beans of a `service`.
    pub(in crate::ingest) fn foreign(&self, kind: Kind, service: &str, expected: &str) -> Bad {
        let others: Vec<&str> = self.services.iter().map(String::as_str).collect();
        let found = match (self.listed, others.as_slice()) {
            (false, _) => "this JSON has no beans".into(),
            (true, []) => "no bean of a Hadoop daemon".into(),
            (true, [one]) if *one == service => {
                "this dump was asked for some beans only (?qry=)".into()
            }
            (true, others) => format!("this is the JMX of a {}", others.join(", ")),
        };
        bad(found, expected).advice(run(kind))
    }
}

impl<G: Gather> Page<G> {
    fn take(&mut self, bean: Value) {
        let Some(name) = bean.get("name").and_then(Value::as_str).map(str::to_string) else {
            return;
        };
        if let Some(rest) = name.strip_prefix("Hadoop:service=") {
            let service = rest.split(',').next().unwrap_or(rest);
            self.services.insert(service.to_string());
        }
        self.beans.take(&name, bean)
    }
}

impl<'de, G: Gather> Deserialize<'de> for Page<G> {
    fn deserialize<D: Deserializer<'de>>(page: D) -> Result<Page<G>, D::Error> {
        page.deserialize_map(Whole(PhantomData))
    }
}

/// `{ "beans": [ … ] }`
struct Whole<G>(PhantomData<G>);

impl<'de, G: Gather> Visitor<'de> for Whole<G> {
    type Value = Page<G>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{ \"beans\": [ … ] }")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut page: A) -> Result<Page<G>, A::Error> {
        let mut beans = Page::default();
        while let Some(key) = page.next_key::<String>()? {
            if key == "beans" {
                beans = page.next_value::<List<G>>()?.0
            } else {
                page.next_value::<IgnoredAny>()?;
            }
        }
        Ok(beans)
    }
}

/// The list; one bean at a time is in memory, but for those that are kept.
struct List<G>(Page<G>);

impl<'de, G: Gather> Deserialize<'de> for List<G> {
    fn deserialize<D: Deserializer<'de>>(list: D) -> Result<List<G>, D::Error> {
        list.deserialize_seq(Each(PhantomData)).map(List)
    }
}

struct Each<G>(PhantomData<G>);

impl<'de, G: Gather> Visitor<'de> for Each<G> {
    type Value = Page<G>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of beans")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Page<G>, A::Error> {
        let mut page = Page { listed: true, ..Page::default() };
        while let Some(bean) = list.next_element::<Value>()? {
            page.take(bean)
        }
        Ok(page)
    }
}

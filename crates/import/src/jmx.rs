//! Reads a daemon's `/jmx` page bean by bean.
use crate::error::{ImportError, Issue, issue};
use crate::input_spec::{InputSpec, check};
use crate::json::wrong;
use crate::source::unreadable;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;
use std::io::{BufReader, Cursor, Read};
use std::marker::PhantomData;
use units::usize_of;

/// First bytes that identify a file \[bytes\].
const CHUNK: u64 = 256 << 10;

/// Collects the required parts of beans.
pub trait BeanCollector: Default {
    /// Called for each bean.
    fn take(&mut self, name: &str, bean: Value);
}

#[derive(Default)]
pub struct Page<G> {
    /// The collected beans.
    pub beans: G,
    /// Daemons with beans in the page: `DataNode`.
    services: BTreeSet<String>,
    /// The page had a list of beans.
    listed: bool,
}

/// `bytes` are decompressed; `file` is for messages. Fails if unreadable, cut, or not a `/jmx`
/// page.
pub fn read<G: BeanCollector>(
    wanted: &InputSpec,
    file: &str,
    mut bytes: impl Read,
) -> Result<Page<G>, ImportError> {
    let whole = |issue: Issue| issue.at(file, None);
    let mut head = Vec::new();
    let first = bytes.by_ref().take(CHUNK).read_to_end(&mut head);
    first.map_err(|e| whole(unreadable(&e)))?;
    check(wanted, &head).and_then(|()| is_page(wanted, &head)).map_err(whole)?;
    let rest = BufReader::with_capacity(usize_of(CHUNK), bytes);
    let mut json = serde_json::Deserializer::from_reader(Cursor::new(head).chain(rest));
    let read = Deserialize::deserialize(&mut json);
    let read = read.and_then(|page: Page<G>| json.end().map(|()| page));
    read.map_err(|e| whole(wrong(e, "the JSON of /jmx", wanted)))
}

fn is_page(wanted: &InputSpec, head: &[u8]) -> Result<(), Issue> {
    let start = head.trim_ascii_start();
    let page =
        |tag: &[u8]| start.len() >= tag.len() && start[..tag.len()].eq_ignore_ascii_case(tag);
    if page(b"<!doctype html") || page(b"<html") {
        let curl = wanted.command.replace("curl -s", "curl -s --negotiate -u :");
        let advice = format!(
            "The file may be an error or a login page: check, and with Kerberos run `{curl}`."
        );
        return Err(issue("this is an HTML page", wanted.content).advice(advice));
    }
    if !start.starts_with(b"{") {
        return Err(issue("not a JSON object", wanted.content).advice(wanted.advice()));
    }
    Ok(())
}

impl<G> Page<G> {
    /// The error if the page lacks the beans of `service`; it names the daemon of the page.
    pub fn foreign(&self, wanted: &InputSpec, service: &str, expected: &str) -> Issue {
        let others: Vec<&str> = self.services.iter().map(String::as_str).collect();
        let found = match (self.listed, others.as_slice()) {
            (false, _) => "the JSON has no beans".into(),
            (true, []) => "no bean of a Hadoop daemon".into(),
            (true, [one]) if *one == service => "the dump has some beans only (?qry=)".into(),
            (true, others) => format!("this is the JMX of a {}", others.join(", ")),
        };
        issue(found, expected).advice(wanted.advice())
    }
}

impl<G: BeanCollector> Page<G> {
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

impl<'de, G: BeanCollector> Deserialize<'de> for Page<G> {
    fn deserialize<D: Deserializer<'de>>(page: D) -> Result<Page<G>, D::Error> {
        page.deserialize_map(PageVisitor(PhantomData))
    }
}

/// `{ "beans": [ … ] }`
struct PageVisitor<G>(PhantomData<G>);

impl<'de, G: BeanCollector> Visitor<'de> for PageVisitor<G> {
    type Value = Page<G>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{ \"beans\": [ … ] }")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut page: A) -> Result<Page<G>, A::Error> {
        let mut beans = Page::default();
        while let Some(key) = page.next_key::<String>()? {
            if key == "beans" {
                beans = page.next_value::<BeanList<G>>()?.0
            } else {
                page.next_value::<IgnoredAny>()?;
            }
        }
        Ok(beans)
    }
}

/// Only one bean at a time is in memory, plus the collected parts.
struct BeanList<G>(Page<G>);

impl<'de, G: BeanCollector> Deserialize<'de> for BeanList<G> {
    fn deserialize<D: Deserializer<'de>>(list: D) -> Result<BeanList<G>, D::Error> {
        list.deserialize_seq(BeanListVisitor(PhantomData)).map(BeanList)
    }
}

struct BeanListVisitor<G>(PhantomData<G>);

impl<'de, G: BeanCollector> Visitor<'de> for BeanListVisitor<G> {
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

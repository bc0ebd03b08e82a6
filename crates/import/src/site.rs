//! Hadoop's configuration files, `*-site.xml` and a job's `job_…_conf.xml`: all properties, with
//! their lines.
use crate::error::{ImportError, Issue, issue};
use crate::head::Wanted;
use crate::source::{Input, OnProgress};
use crate::whole::bytes;
use quick_xml::Reader;
use quick_xml::events::Event;

/// No configuration is larger.
const LARGEST: u64 = 64 << 20;

/// Variables in a value that are replaced one after the other (`Configuration.MAX_SUBST`).
const VARIABLES: usize = 20;

/// What a configuration says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Site {
    /// In the file's order; one may stand there again.
    pub properties: Vec<Property>,
    /// Lines that include another file, which is not read.
    pub includes: Vec<u64>,
}

/// A property.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Property {
    /// Its key.
    pub name: String,
    /// Its value; variables are replaced by the values of the properties that they name, as far as
    /// this file has them.
    pub value: String,
    /// `<final>true</final>`: Hadoop heeds no later property of this name.
    pub is_final: bool,
    /// The line on which it begins.
    pub line: u64,
}

/// Reads a configuration.
///
/// # Errors
/// As [`bytes`]; no XML, or another's; a property without name or value.
pub fn read(
    input: &Input,
    wanted: &Wanted,
    tell: &mut OnProgress<'_>,
) -> Result<Site, ImportError> {
    let bytes = bytes(input, wanted, LARGEST, tell)?;
    parse(&bytes, wanted).map_err(|issue| issue.at(&input.name(), None))
}

/// Reads the text of a configuration.
///
/// # Errors
/// As [`read`].
pub fn parse(bytes: &[u8], wanted: &Wanted) -> Result<Site, Issue> {
    let mut lines = Lines::default();
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let line = lines.until(bytes, e.valid_up_to());
        issue("not UTF-8", "UTF-8").advice("Convert it with iconv.").on(line)
    })?;
    let mut reader = Reader::from_str(text);
    let (mut parser, mut lines) = (Parser::default(), Lines::default());
    loop {
        let event = reader.read_event();
        let at = usize::try_from(reader.buffer_position()).expect("a file in memory");
        let line = lines.until(bytes, at);
        match event {
            Ok(Event::Eof) => break,
            Ok(event) => parser.event(event, line, wanted).map_err(|issue| issue.on(line))?,
            Err(error) => {
                let advice = "Hadoop would not read this file either.";
                let found = issue(format!("not XML: {error}"), "well-formed XML");
                return Err(found.advice(advice).on(line));
            }
        }
    }
    if let Some(open) = parser.path.last() {
        let problem = format!("the file ends within `<{open}>`");
        let cut = issue(problem, format!("`</{open}>`")).advice("Copy it again: it is cut.");
        return Err(cut.on(lines.until(bytes, bytes.len())));
    }
    if !parser.found {
        let none = issue("no `<configuration>`", wanted.content).advice(wanted.advice());
        return Err(none.on(1));
    }
    Ok(parser.settled())
}

/// Counts lines as a file is read, each byte once.
#[derive(Default)]
struct Lines {
    /// Bytes that have been counted.
    at: usize,
    ends: u64,
}

impl Lines {
    /// The line in which byte `at` lies; bytes are asked for in their order.
    fn until(&mut self, bytes: &[u8], at: usize) -> u64 {
        let at = at.min(bytes.len());
        let ends = memchr::memchr_iter(b'\n', &bytes[self.at..at]).count();
        (self.at, self.ends) = (at, self.ends + ends as u64);
        self.ends + 1
    }
}

/// A property as far as it has been read.
#[derive(Default)]
struct Open {
    name: Option<String>,
    value: Option<String>,
    is_final: bool,
    line: u64,
}

#[derive(Default)]
struct Parser {
    site: Site,
    /// Names of the open elements.
    path: Vec<String>,
    property: Option<Open>,
    content: String,
    /// A configuration was there.
    found: bool,
}

impl Parser {
    fn event(&mut self, event: Event<'_>, line: u64, wanted: &Wanted) -> Result<(), Issue> {
        match event {
            Event::Start(tag) => self.open(tag.name().as_ref(), line, wanted),
            Event::Empty(tag) if tag.name().as_ref().ends_with("include") => {
                self.site.includes.push(line);
                Ok(())
            }
            Event::Empty(tag) => {
                self.open(tag.name().as_ref(), line, wanted)?;
                self.close()
            }
            Event::End(_) => self.close(),
            Event::Text(text) => {
                self.content += &text;
                Ok(())
            }
            Event::CData(text) => {
                self.content += &text;
                Ok(())
            }
            Event::GeneralRef(entity) => self.entity(&entity),
            _ => Ok(()),
        }
    }

    fn entity(&mut self, name: &str) -> Result<(), Issue> {
        let number = name.strip_prefix('#').and_then(|n| match n.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => n.parse().ok(),
        });
        let known = match name {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => number.and_then(char::from_u32),
        };
        match known {
            Some(c) => {
                self.content.push(c);
                Ok(())
            }
            None => Err(issue(format!("the entity `&{name};`"), "`&amp;` or another of XML's own")),
        }
    }

    fn open(&mut self, name: &str, line: u64, wanted: &Wanted) -> Result<(), Issue> {
        if self.path.is_empty() && name != "configuration" {
            let found = issue(format!("the XML's root is `<{name}>`"), "`<configuration>`");
            return Err(found.advice(wanted.advice()));
        }
        self.found = true;
        if name.ends_with("include") {
            self.site.includes.push(line)
        }
        if name == "property" {
            self.property = Some(Open { line, ..Open::default() })
        }
        self.content.clear();
        self.path.push(name.to_string());
        Ok(())
    }

    fn close(&mut self) -> Result<(), Issue> {
        let content = self.content.trim().to_string();
        self.content.clear();
        match (self.path.pop().as_deref(), &mut self.property) {
            (Some("name"), Some(property)) => property.name = Some(content),
            (Some("value"), Some(property)) => property.value = Some(content),
            (Some("final"), Some(property)) => property.is_final = content == "true",
            (Some("property"), _) => return self.close_property(),
            _ => {}
        }
        Ok(())
    }

    fn close_property(&mut self) -> Result<(), Issue> {
        let Some(Open { name, value, is_final, line }) = self.property.take() else {
            return Ok(());
        };
        let (Some(name), Some(value)) = (name, value) else {
            return Err(issue("a property without both", "`<name>` and `<value>`").on(line));
        };
        self.site.properties.push(Property { name, value, is_final, line });
        Ok(())
    }

    /// With the variables in values replaced: a value may name another property, in any order.
    fn settled(self) -> Site {
        let read = &self.site.properties;
        let last = |name: &str| read.iter().rev().find(|p| p.name == name).map(|p| &p.value[..]);
        let settled = |p: &Property| Property { value: replaced(&p.value, &last), ..p.clone() };
        Site { properties: read.iter().map(settled).collect(), includes: self.site.includes }
    }
}

/// A value without its variables: each is the value of the property of that name (`last` has it);
/// as it stands, where one is none of this file's.
fn replaced<'a>(value: &str, last: &dyn Fn(&str) -> Option<&'a str>) -> String {
    let mut text = value.to_string();
    for _ in 0..VARIABLES {
        let Some((before, rest)) = text.split_once("${") else { return text };
        let Some((name, after)) = rest.split_once('}') else { break };
        let Some(found) = last(name) else { break };
        text = format!("{before}{found}{after}")
    }
    if text.contains("${") { value.to_string() } else { text }
}

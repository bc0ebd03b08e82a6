//! `hdfs-site.xml`: the settings that the model knows, how many disks a DataNode has, and where
//! the NameNode is. The rest (paths, other host names, users) is not kept.
use super::error::{ImportError, bad, quote};
use super::namenode::NameNodes;
use super::sniff::Kind;
use quick_xml::events::Event;
use quick_xml::{Error, Reader};
use std::io::Read;

/// What a site file says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::ingest) struct Site {
    /// Real key, value as written, line; in the file's order, each key once.
    pub(in crate::ingest) settings: Vec<(String, String, u64)>,
    /// Keys among them that stand as `<final>true</final>`: Hadoop heeds no later property of them.
    pub(in crate::ingest) finals: Vec<String>,
    /// The names by which those stand that have an old one here.
    pub(in crate::ingest) site_names: Vec<String>,
    /// Entries of `dfs.datanode.data.dir`.
    pub(super) data_dirs: Option<u16>,
    pub(super) namenodes: NameNodes,
    pub(in crate::ingest) notes: Vec<String>,
}

/// No site file is larger.
const LARGEST: u64 = 16 << 20;

/// A property as far as it has been read.
#[derive(Default)]
struct Property {
    name: Option<String>,
    value: Option<String>,
    is_final: bool,
    line: u64,
}

struct Parser<'a> {
    file: &'a str,
    text: &'a str,
    site: Site,
    /// Names of the open elements.
    path: Vec<String>,
    property: Option<Property>,
    content: String,
    /// Names and values as they stand: a value may name another property, in whichever order.
    read: Vec<(String, String, bool, u64)>,
}

/// Variables in a value that are replaced one after the other (`Configuration.MAX_SUBST`).
const VARIABLES: usize = 20;

/// The site file, where one is given.
pub(in crate::ingest) fn of(input: Option<&super::source::Input>) -> Result<Site, ImportError> {
    let Some(input) = input else { return Ok(Site::default()) };
    let name = input.name();
    let mut bytes = super::source::open_quietly(input).map_err(|b| b.at(&name, None))?;
    read(&name, &mut bytes)
}

/// Reads a site file that is already decompressed.
pub(super) fn read(file: &str, input: &mut dyn Read) -> Result<Site, ImportError> {
    let mut bytes = Vec::new();
    let failed = |e: std::io::Error| super::source::unreadable(&e).at(file, None);
    input.take(LARGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    super::sniff::check(Kind::Conf, &bytes).map_err(|b| b.at(file, None))?;
    if bytes.len() as u64 > LARGEST {
        return Err(bad("more than 16 MiB", "an hdfs-site.xml").at(file, None));
    }
    let text = std::str::from_utf8(&bytes).map_err(|e| {
        let line = Lines::default().until(&bytes, e.valid_up_to());
        bad("not UTF-8", "UTF-8").advice("Convert it with iconv.").at(file, Some(line))
    })?;
    let (path, property, content) = (Vec::new(), None, String::new());
    let (site, read) = (Site::default(), Vec::new());
    Parser { file, text, site, path, property, content, read }.run()
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

impl Parser<'_> {
    fn run(mut self) -> Result<Site, ImportError> {
        let (mut reader, mut lines) = (Reader::from_str(self.text), Lines::default());
        loop {
            let event = reader.read_event();
            let at = usize::try_from(reader.buffer_position()).expect("a file of at most 16 MiB");
            let line = lines.until(self.text.as_bytes(), at);
            match event {
                Ok(Event::Eof) => break,
                Ok(event) => self.event(event, line)?,
                Err(error) => return Err(self.malformed(&error, line)),
            }
        }
        match self.path.last() {
            Some(open) => {
                let last = lines.until(self.text.as_bytes(), self.text.len());
                let problem = format!("the file ends within `<{open}>`");
                let cut = bad(problem, format!("`</{open}>`")).advice("Copy it again: it is cut.");
                Err(cut.at(self.file, Some(last)))
            }
            None => self.settled(),
        }
    }
    fn malformed(&self, error: &Error, line: u64) -> ImportError {
        let advice = "Hadoop would not read this file either.";
        bad(format!("not XML: {error}"), "well-formed XML").advice(advice).at(self.file, Some(line))
    }
    fn event(&mut self, event: Event<'_>, line: u64) -> Result<(), ImportError> {
        match event {
            Event::Start(tag) => {
                let name = tag.name().as_ref().to_string();
                self.open(name, line)
            }
            Event::Empty(tag) => {
                let name = tag.name().as_ref().to_string();
                if name.ends_with("include") {
                    self.included(line);
                    return Ok(());
                }
                self.open(name, line)?;
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
            Event::GeneralRef(entity) => self.entity(&entity, line),
            _ => Ok(()),
        }
    }
    fn entity(&mut self, name: &str, line: u64) -> Result<(), ImportError> {
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
            None => {
                let expected = "`&amp;` or another of XML's own";
                Err(bad(format!("the entity `&{name};`"), expected).at(self.file, Some(line)))
            }
        }
    }
    fn open(&mut self, name: String, line: u64) -> Result<(), ImportError> {
        if self.path.is_empty() && name != "configuration" {
            let advice = format!("Run `{}`.", Kind::Conf.command());
            let found = bad(format!("the XML's root is `<{name}>`"), "`<configuration>`");
            return Err(found.advice(advice).at(self.file, Some(line)));
        }
        if name.ends_with("include") {
            self.included(line)
        }
        if name == "property" {
            self.property = Some(Property { line, ..Property::default() })
        }
        self.content.clear();
        self.path.push(name);
        Ok(())
    }
    fn included(&mut self, line: u64) {
        self.site.notes.push(format!(
            "{}:{line}: an XInclude is not followed: give the file that has the settings",
            self.file
        ))
    }
    fn close(&mut self) -> Result<(), ImportError> {
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
    fn close_property(&mut self) -> Result<(), ImportError> {
        let Some(property) = self.property.take() else { return Ok(()) };
        let Property { name, value, is_final, line } = property;
        let (Some(name), Some(value)) = (name, value) else {
            let expected = "`<name>` and `<value>`";
            return Err(bad("a property without both", expected).at(self.file, Some(line)));
        };
        self.read.push((name, value, is_final, line));
        Ok(())
    }
    /// All properties, their variables replaced by the values of the properties that they name.
    fn settled(mut self) -> Result<Site, ImportError> {
        let read = std::mem::take(&mut self.read);
        let last =
            |name: &str| read.iter().rev().find(|(n, ..)| n == name).map(|(_, v, ..)| &v[..]);
        for (name, value, is_final, line) in &read {
            self.property(name, replaced(value, &last), *is_final, *line)?
        }
        self.site.site_names = site_names(read.iter().map(|(name, ..)| name.as_str()));
        Ok(self.site)
    }
    fn property(
        &mut self,
        name: &str,
        value: String,
        is_final: bool,
        line: u64,
    ) -> Result<(), ImportError> {
        let today = hdfs_scenario::keys::name_today(name);
        if today == "dfs.datanode.data.dir" {
            let dirs = value.split(',').filter(|d| !d.trim().is_empty()).count();
            self.site.data_dirs = u16::try_from(dirs).ok().filter(|n| *n > 0);
            return Ok(());
        }
        self.site.namenodes.property(today, &value);
        let Some((key, kind)) = modelled(name) else { return Ok(()) };
        if key != name {
            let place = format!("{}:{line}", self.file);
            let read = "and Hadoop still reads it";
            self.site.notes.push(format!("{place}: {name} is an old name of {key}, {read}"))
        }
        if value.contains("${") {
            let found = format!("{}:{line}: {key}: a variable is not resolved", self.file);
            self.site
                .notes
                .push(format!("{found} ({}): its default holds", quote(value.as_bytes())));
            return Ok(());
        }
        if let Err(wrong) = kind.read(&value) {
            let hint = wrong.hint.map(|h| format!("Did you mean {h}?")).unwrap_or_default();
            let found = bad(format!("{name}: {}", quote(value.as_bytes())), wrong.expected);
            return Err(found.advice(hint).at(self.file, Some(line)));
        }
        self.keep(key, value, is_final, line);
        Ok(())
    }
    /// Of one that stands twice the last holds, unless the first is final.
    fn keep(&mut self, key: String, value: String, is_final: bool, line: u64) {
        let before = self.site.settings.iter().position(|(k, _, _)| *k == key);
        if let Some(at) = before {
            let locked = self.site.finals.contains(&key);
            let holds = if locked { "the first is final and holds" } else { "the last holds" };
            let first = self.site.settings[at].2;
            let twice = format!("{}:{line}: {key} stands twice (line {first})", self.file);
            self.site.notes.push(format!("{twice}: {holds}"));
            if locked {
                return;
            }
            self.site.settings.remove(at);
        }
        if is_final {
            self.site.finals.push(key.clone())
        }
        self.site.settings.push((key, value, line));
    }
}

/// The names of settings that one of them has an old name of, each once.
fn site_names<'a>(all: impl Iterator<Item = &'a str>) -> Vec<String> {
    let known = |name: &'a str| modelled(name).map(|(key, _)| (key, name));
    let named: Vec<(String, &str)> = all.filter_map(known).collect();
    let is_old = |key: &str| named.iter().any(|(of, name)| of == key && of != name);
    let mut names: Vec<String> = Vec::new();
    for (_, name) in named.iter().filter(|(key, _)| is_old(key)) {
        if !names.iter().any(|known| known == name) {
            names.push((*name).into())
        }
    }
    names
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

/// Today's name of a setting that the model obeys, and what it takes.
fn modelled(name: &str) -> Option<(String, hdfs_scenario::keys::Kind)> {
    let key = hdfs_scenario::keys::find(&format!("hdfs-site.{name}"))?;
    Some((key.name.strip_prefix("hdfs-site.")?.to_string(), key.kind))
}

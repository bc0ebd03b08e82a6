//! Parses the elements of a configuration in order.
//!
//! A property has its parts as attributes (`<property name="a" value="1"/>`), as elements, or both;
//! an element with text overrides the attribute. `<final>` is set only by exactly `true`. Only
//! local names count: `<xi:include>` is `<include>`.
use super::property::{LARGEST, Property, Site};
use crate::error::{ImportError, Issue, issue};
use crate::input_spec::InputSpec;
use crate::read_all::bytes;
use crate::source::Input;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::path::{Path, PathBuf};

/// Deepest include: Hadoop recurses until its stack overflows.
const DEEPEST: usize = 20;

/// Counts lines incrementally, each byte once.
#[derive(Default)]
struct Lines {
    /// Bytes counted so far.
    at: usize,
    ends: u64,
}

impl Lines {
    /// The line of byte `at`, from 1. Calls must be in ascending order.
    fn until(&mut self, bytes: &[u8], at: usize) -> u64 {
        let at = at.min(bytes.len());
        let ends = memchr::memchr_iter(b'\n', &bytes[self.at..at]).count();
        (self.at, self.ends) = (at, self.ends + ends as u64);
        self.ends + 1
    }
}

/// An incomplete property.
#[derive(Default)]
struct Open {
    name: Option<String>,
    value: Option<String>,
    is_final: bool,
    line: u64,
}

pub(super) struct Parser<'a> {
    file: String,
    /// `None`: not a file, so that includes are not read.
    path: Option<&'a Path>,
    wanted: &'a InputSpec,
    /// Number of files that include this one.
    depth: usize,
    site: Site,
    /// Names of open elements.
    open: Vec<String>,
    property: Option<Open>,
    content: String,
    found: bool,
    include: Include,
}

/// The current or last `<include>`.
#[derive(Default)]
struct Include {
    /// Path of a file that could not be read; `None`: it was read.
    missing: Option<String>,
    /// It has a `<fallback>`, whose properties count if the file is missing.
    fallback: bool,
}

impl<'a> Parser<'a> {
    pub(super) fn new(file: &str, path: Option<&'a Path>, wanted: &'a InputSpec) -> Self {
        Parser {
            file: file.into(),
            path,
            wanted,
            depth: 0,
            site: Site::default(),
            open: Vec::new(),
            property: None,
            content: String::new(),
            found: false,
            include: Include::default(),
        }
    }

    /// Variables are not substituted.
    pub(super) fn read(mut self, bytes: &[u8]) -> Result<Site, ImportError> {
        let mut lines = Lines::default();
        let text = std::str::from_utf8(bytes).map_err(|e| {
            let line = lines.until(bytes, e.valid_up_to());
            issue("not UTF-8", "UTF-8").advice("Convert it with iconv.").at(&self.file, Some(line))
        })?;
        let mut reader = Reader::from_str(text);
        loop {
            let event = reader.read_event();
            let at = usize::try_from(reader.buffer_position()).expect("a file in memory");
            let line = lines.until(bytes, at);
            match event {
                Ok(Event::Eof) => break,
                Ok(event) => self.event(event, line)?,
                Err(error) => return Err(self.no_xml(&error.to_string(), line)),
            }
        }
        let last = lines.until(bytes, bytes.len());
        self.end(last)
    }

    fn end(self, last: u64) -> Result<Site, ImportError> {
        if let Some(open) = self.open.last() {
            let problem = format!("the file ends within `<{open}>`");
            let cut = issue(problem, format!("`</{open}>`"))
                .advice("Copy the file again: it is incomplete.");
            return Err(self.wrong(cut, last));
        }
        if !self.found {
            let none = issue("no `<configuration>`", self.wanted.content);
            return Err(self.wrong(none.advice(self.wanted.advice()), 1));
        }
        Ok(self.site)
    }

    fn wrong(&self, issue: Issue, line: u64) -> ImportError {
        issue.at(&self.file, Some(line))
    }

    fn no_xml(&self, why: &str, line: u64) -> ImportError {
        let found = issue(format!("not XML: {why}"), "well-formed XML");
        self.wrong(found.advice("Hadoop cannot read this file either."), line)
    }

    fn note(&mut self, line: u64, what: &str) {
        self.site.notes.push(format!("{}:{line}: {what}", self.file))
    }

    fn event(&mut self, event: Event<'_>, line: u64) -> Result<(), ImportError> {
        match event {
            Event::Start(tag) => self.open(&tag, line),
            Event::Empty(tag) => {
                self.open(&tag, line)?;
                self.close(line);
                Ok(())
            }
            Event::End(_) => {
                self.close(line);
                Ok(())
            }
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
        let Some(c) = known else {
            let unknown =
                issue(format!("the entity `&{name};`"), "`&amp;` or another of XML's own");
            return Err(self.wrong(unknown, line));
        };
        self.content.push(c);
        Ok(())
    }

    fn open(&mut self, tag: &BytesStart<'_>, line: u64) -> Result<(), ImportError> {
        let name = tag.local_name().into_inner();
        if self.open.is_empty() && name != "configuration" {
            let found = issue(format!("the XML's root is `<{name}>`"), "`<configuration>`");
            return Err(self.wrong(found.advice(self.wanted.advice()), line));
        }
        self.found = true;
        match name {
            "property" => self.open_property(tag, line)?,
            "include" => self.open_include(tag, line)?,
            "fallback" => self.include.fallback = true,
            _ => {}
        }
        self.content.clear();
        self.open.push(name.to_string());
        Ok(())
    }

    fn attributes(
        &self,
        tag: &BytesStart<'_>,
        line: u64,
    ) -> Result<Vec<(String, String)>, ImportError> {
        let mut all = Vec::new();
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|e| self.no_xml(&e.to_string(), line))?;
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            let value = value.map_err(|e| self.no_xml(&e.to_string(), line))?;
            all.push((attribute.key.local_name().into_inner().to_string(), value.into_owned()))
        }
        Ok(all)
    }

    fn open_property(&mut self, tag: &BytesStart<'_>, line: u64) -> Result<(), ImportError> {
        let mut property = Open { line, ..Open::default() };
        for (key, value) in self.attributes(tag, line)? {
            match key.as_str() {
                "name" => property.name = Some(value.trim().into()),
                "value" => property.value = Some(value.trim().into()),
                "final" => property.is_final = value == "true",
                _ => {}
            }
        }
        self.property = Some(property);
        Ok(())
    }

    fn close(&mut self, line: u64) {
        let content = std::mem::take(&mut self.content);
        let some = || Some(content.trim().to_string()).filter(|_| !content.is_empty());
        match (self.open.pop().as_deref(), &mut self.property) {
            (Some("name"), Some(property)) => property.name = some().or(property.name.take()),
            (Some("value"), Some(property)) => property.value = some().or(property.value.take()),
            (Some("final"), Some(property)) => property.is_final = content == "true",
            (Some("property"), _) => self.close_property(),
            (Some("include"), _) => self.close_include(line),
            _ => {}
        }
    }

    fn close_property(&mut self) {
        let Some(Open { name, value, is_final, line }) = self.property.take() else { return };
        if self.include.fallback && self.include.missing.is_none() {
            return;
        }
        let Some(name) = name else {
            return self.note(line, "a property without a name: Hadoop ignores it");
        };
        let file = self.file.clone();
        let (all, value) = match value {
            Some(value) => (&mut self.site.properties, value),
            None => (&mut self.site.unset, String::new()),
        };
        all.push(Property { name, value, is_final, file, line })
    }

    /// Reads the file of an `<include>`: its path is absolute, or relative to this file.
    fn open_include(&mut self, tag: &BytesStart<'_>, line: u64) -> Result<(), ImportError> {
        self.include = Include::default();
        let href = self.attributes(tag, line)?.into_iter().find(|(key, _)| key == "href");
        let Some((_, href)) = href else { return Ok(()) };
        let Some(path) = self.beside(&href).filter(|path| path.is_file()) else {
            self.include.missing = Some(href);
            return Ok(());
        };
        if self.depth >= DEEPEST {
            let found = format!("{href} is included by a file that it includes");
            return Err(self.wrong(issue(found, "no circular includes"), line));
        }
        let input = Input::File(path.clone());
        let text = bytes(&input, self.wanted, LARGEST, &mut |_| ())?;
        let inner = Parser::new(&input.name(), Some(&path), self.wanted);
        let Site { properties, unset, notes } =
            Parser { depth: self.depth + 1, ..inner }.read(&text)?;
        self.site.properties.extend(properties);
        self.site.unset.extend(unset);
        self.site.notes.extend(notes);
        Ok(())
    }

    fn beside(&self, href: &str) -> Option<PathBuf> {
        let href = href.strip_prefix("file://").unwrap_or(href);
        let folder = self.path?.parent()?;
        (!href.contains("://")).then(|| folder.join(href))
    }

    fn close_include(&mut self, line: u64) {
        let Include { missing, fallback } = std::mem::take(&mut self.include);
        if let Some(href) = missing.filter(|_| !fallback) {
            let what = format!("{href}, an included file, is missing: its settings are unknown");
            self.note(line, &format!("{what}. Copy it there"))
        }
    }
}

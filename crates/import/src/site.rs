//! Hadoop's configuration files, `*-site.xml` and a job's `job_…_conf.xml`: all properties, with
//! their lines, as `org.apache.hadoop.conf.Configuration` reads them.
mod parser;
use crate::error::{ImportError, Issue};
use crate::head::Wanted;
use crate::source::{Input, OnProgress};
use crate::whole::bytes;
use parser::Parser;

/// No configuration is larger.
const LARGEST: u64 = 64 << 20;

/// Variables in a value that are replaced one after the other (`Configuration.MAX_SUBST`).
const VARIABLES: usize = 20;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Site {
    /// In the file's order, those of included files in place; a name may occur again.
    pub properties: Vec<Property>,
    /// Properties without a value, which Hadoop leaves out.
    pub unset: Vec<Property>,
    /// Parts of the file that have no effect, with file and line.
    pub notes: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Property {
    pub name: String,
    /// Its value; variables are replaced by the values of the properties that they name, as far as
    /// this file has them.
    pub value: String,
    /// `<final>true</final>`: Hadoop ignores later properties of this name.
    pub is_final: bool,
    /// The file that has it: the one given, or one that this includes.
    pub file: String,
    /// The line on which it begins.
    pub line: u64,
}

impl Site {
    /// The property that Hadoop uses for a name: the last, but none after a final one.
    pub fn get(&self, name: &str) -> Option<&Property> {
        in_force(&self.properties, name)
    }
}

fn in_force<'a>(all: &'a [Property], name: &str) -> Option<&'a Property> {
    let mut named = all.iter().filter(|property| property.name == name);
    let mut found = named.next()?;
    while !found.is_final
        && let Some(later) = named.next()
    {
        found = later
    }
    Some(found)
}

/// Reads a configuration, and the files that it includes.
///
/// # Errors
/// As [`bytes`]; no XML, or another's; a file that includes itself.
pub fn read(
    input: &Input,
    wanted: &Wanted,
    tell: &mut OnProgress<'_>,
) -> Result<Site, ImportError> {
    let bytes = bytes(input, wanted, LARGEST, tell)?;
    let path = match input {
        Input::File(path) => Some(path.as_path()),
        _ => None,
    };
    Parser::new(&input.name(), path, wanted).read(&bytes).map(settled)
}

/// Reads the text of a configuration; files that it includes are not read.
///
/// # Errors
/// As [`read`].
pub fn parse(bytes: &[u8], wanted: &Wanted) -> Result<Site, Issue> {
    let issue = |ImportError { line, problem, expected, advice, .. }: ImportError| Issue {
        line,
        problem,
        expected,
        advice,
        cut: false,
    };
    Parser::new("", None, wanted).read(bytes).map(settled).map_err(issue)
}

/// With the variables in values replaced: a value may name another property, in any order.
fn settled(site: Site) -> Site {
    let read = &site.properties;
    let value = |name: &str| in_force(read, name).map(|property| &property.value[..]);
    let settled = |p: &Property| Property { value: replaced(&p.value, &value), ..p.clone() };
    Site { properties: read.iter().map(settled).collect(), ..site }
}

/// A value without its variables: each is the value of the property of that name (`value_of` has
/// it); as it stands, where one is none of this file's.
fn replaced<'a>(value: &str, value_of: &dyn Fn(&str) -> Option<&'a str>) -> String {
    let mut text = value.to_string();
    for _ in 0..VARIABLES {
        let Some((before, rest)) = text.split_once("${") else { return text };
        let Some((name, after)) = rest.split_once('}') else { break };
        let Some(found) = value_of(name) else { break };
        text = format!("{before}{found}{after}")
    }
    if text.contains("${") { value.to_string() } else { text }
}

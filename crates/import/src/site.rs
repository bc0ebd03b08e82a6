//! Hadoop's configuration files, `*-site.xml` and a job's `job_…_conf.xml`: all properties, with
//! their lines, as `org.apache.hadoop.conf.Configuration` reads them.
mod parser;
mod property;
use crate::error::{ImportError, Issue};
use crate::head::Wanted;
use crate::source::{Input, OnProgress};
use crate::whole::bytes;
use parser::Parser;
use property::{LARGEST, in_force};
pub use property::{Property, Site};

/// Variables in a value that are replaced one after the other (`Configuration.MAX_SUBST`).
const VARIABLES: usize = 20;

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

//! Hadoop's configuration files, `*-site.xml` and `job_…_conf.xml`: all properties with their
//! lines, as `org.apache.hadoop.conf.Configuration` reads them.
mod parser;
mod property;
use crate::error::{ImportError, Issue};
use crate::input_spec::InputSpec;
use crate::read_all::bytes;
use crate::source::{Input, OnProgress};
use parser::Parser;
use property::{LARGEST, in_force};
pub use property::{Property, Site};

/// Most substitutions of variables in a value (`Configuration.MAX_SUBST`).
const VARIABLES: usize = 20;

/// Reads a configuration and the files that it includes. Fails like [`bytes`], for other XML, and
/// for a file that includes itself.
pub fn read(
    input: &Input,
    wanted: &InputSpec,
    tell: &mut OnProgress<'_>,
) -> Result<Site, ImportError> {
    let bytes = bytes(input, wanted, LARGEST, tell)?;
    let path = match input {
        Input::File(path) => Some(path.as_path()),
        _ => None,
    };
    Parser::new(&input.name(), path, wanted).read(&bytes).map(settled)
}

/// Does not read included files.
pub fn parse(bytes: &[u8], wanted: &InputSpec) -> Result<Site, Issue> {
    let issue = |ImportError { line, problem, expected, advice, .. }: ImportError| Issue {
        line,
        problem,
        expected,
        advice,
        cut: false,
    };
    Parser::new("", None, wanted).read(bytes).map(settled).map_err(issue)
}

/// Substitutes variables; a value may name any other property.
fn settled(site: Site) -> Site {
    let read = &site.properties;
    let value = |name: &str| in_force(read, name).map(|property| &property.value[..]);
    let settled = |p: &Property| Property { value: replaced(&p.value, &value), ..p.clone() };
    Site { properties: read.iter().map(settled).collect(), ..site }
}

/// Substitutes variables with `value_of`; returns the value unchanged if a variable is unknown.
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

use super::dump::{Dump, Host};
use super::fields::{rows, text};
use crate::names::many;
use import::{ImportError, Input, InputSpec, Issue, OnProgress, issue};

const WANTED: InputSpec = InputSpec::new(
    "the output of `ozone admin datanode list --json`",
    "ozone admin datanode list --all --json",
);
/// Default `--length` of the list since Ozone 2.1 (`ListLimitOptions`).
const PAGE: usize = 100;

/// # Errors
/// The JSON is invalid or cut, or the list lacks a node of a pipeline.
pub fn read(input: &Input, dump: &mut Dump, tell: &mut OnProgress<'_>) -> Result<(), ImportError> {
    let (file, mut listed) = (input.name(), Vec::new());
    for (number, row) in (1..).zip(rows(input, &WANTED, tell)?) {
        let host = Host::of(&row).ok_or_else(|| {
            issue(format!("node {number}: no id"), WANTED.content).at(&file, None)
        })?;
        listed.push(host.id().to_string());
        let details = row.get("datanodeDetails").unwrap_or(&row);
        dump.version = dump.version.take().or_else(|| text(details, &["version"]));
        match dump.place(host.id()) {
            Some(place) => {
                let coded = dump.hosts[place].coded;
                dump.hosts[place] = host;
                dump.hosts[place].coded = coded
            }
            None => dump.hosts.push(host),
        }
    }
    if let Some(host) = dump.hosts.iter().find(|host| !listed.iter().any(|id| id == host.id())) {
        return Err(absent(host, listed.len()).at(&file, None));
    }
    if listed.len() == PAGE {
        dump.notes.push(format!(
            "{file}: exactly {PAGE} nodes, the default limit of `ozone admin datanode list` \
             without --all: others may be missing"
        ))
    }
    Ok(())
}

/// The list lacks a member of a pipeline: it was cut, filtered, or taken at another time.
fn absent(host: &Host, listed: usize) -> Issue {
    let nodes = many(listed as u64, "node");
    let found = format!("{} is in a pipeline, but not in this list of {nodes}", host.full());
    issue(found, "all nodes").advice(format!(
        "The list was cut by --length ({PAGE} by default, from Ozone 2.1 on) or by a filter \
         (--node-state, --operational-state): use `{}`. A complete list is of another time than \
         the pipelines: then save both again.",
        WANTED.command
    ))
}

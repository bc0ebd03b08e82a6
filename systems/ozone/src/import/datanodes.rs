//! The JSON of `ozone admin datanode list`.
use super::dump::{Dump, Host};
use super::fields::rows;
use crate::words::many;
use std::path::Path;
use system::Failure;

const WHAT: &str = "what `ozone admin datanode list --json` prints";
/// `--length` of the list where nobody asks for another (`ListLimitOptions`, from Ozone 2.1 on).
const PAGE: usize = 100;

/// Reads the list of nodes.
///
/// # Errors
/// No JSON, half a dump; a pipeline's node that is not in the list.
pub fn read(path: &Path, content: &str, dump: &mut Dump) -> Result<(), Failure> {
    let mut listed = Vec::new();
    for (number, row) in (1..).zip(rows(path, content, WHAT)?) {
        let host = Host::of(&row).ok_or_else(|| {
            Failure::BadInput(format!("{}: node {number}: no id: expected {WHAT}", path.display()))
        })?;
        listed.push(host.id().to_string());
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
        return Err(Failure::BadInput(absent(path, host, listed.len())));
    }
    if listed.len() == PAGE {
        dump.notes.push(format!(
            "{}: exactly {PAGE} nodes, as many as `ozone admin datanode list` prints at most \
             unless --all is given: others may be missing",
            path.display()
        ))
    }
    Ok(())
}

/// A member that the list does not have: the list was cut or filtered, or is of another time.
fn absent(path: &Path, host: &Host, listed: usize) -> String {
    let nodes = many(listed as u64, "node");
    format!(
        "{}: {} is in a pipeline and not in this list of {nodes}: expected all nodes; the list was \
         cut by --length ({PAGE} by default, from Ozone 2.1 on) or by a filter (--node-state, \
         --operational-state): take `ozone admin datanode list --all --json`; a list that was \
         whole is of another time than the pipelines: then take both again",
        path.display(),
        host.full()
    )
}

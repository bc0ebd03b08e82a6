//! `tenbin testbed exec`: runs a command on a node.
use crate::bed::Host;
use crate::place::Place;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use std::os::unix::process::CommandExt;
use system::Failure;

/// Replaces this process by the command; returns only on failure.
pub fn exec(place: &Place, node: &str, line: &[String]) -> Failure {
    let (Some(_), Some(state)) = (place.server(), place.state()) else {
        return Failure::Failed(format!("testbed {} is not up", place.name));
    };
    let hosts: Vec<Host> = state.lines().filter_map(Host::of).collect();
    let is_node = |host: &&Host| host.name == node || host.name.split('.').next() == Some(node);
    let Some(host) = hosts.iter().find(is_node) else {
        let names: Vec<&str> = hosts.iter().map(|host| host.name.as_str()).collect();
        return Failure::BadInput(format!("no node {node}: expected {}", names.join(", ")));
    };
    // Tenbin limits its own memory; the command must not inherit the limit.
    if let Ok((_, hard)) = getrlimit(Resource::RLIMIT_DATA) {
        let _ = setrlimit(Resource::RLIMIT_DATA, hard, hard);
    }
    let line: Vec<&str> = line.iter().map(String::as_str).collect();
    let mut command = host.command(&line);
    command.stdin(std::process::Stdio::inherit());
    Failure::Failed(format!("nsenter: {}", command.exec()))
}

//! `tenbin testbed exec`: a command on a node.
use crate::host;
use crate::place::Place;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use std::os::unix::process::CommandExt;
use system::Failure;

/// Becomes the command; returns only if it cannot.
pub fn exec(place: &Place, node: &str, line: &[String]) -> Failure {
    let (Some(_), Some(state)) = (place.server(), place.state()) else {
        return Failure::Failed(format!("testbed {} is not up", place.name));
    };
    let rows = || state.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let is_node = |row: &Vec<&str>| {
        row.len() == 5 && (row[0] == node || row[0].split('.').next() == Some(node))
    };
    let Some(row) = rows().find(is_node) else {
        let names: Vec<&str> = rows().map(|row| row[0]).collect();
        return Failure::BadInput(format!("no node {node}: expected {}", names.join(", ")));
    };
    let (name, pid, disks) = (row[0], row[3], row[4]);
    let paths: Vec<&str> =
        disks.split(',').filter_map(|disk| disk.split_once('=')).map(|(path, _)| path).collect();
    let space = |option: &str, file: &str| format!("--{option}=/proc/{pid}/ns/{file}");
    let mut command = host::command("nsenter");
    command
        .args([space("net", "net"), space("uts", "uts"), space("mount", "mnt")])
        .arg(space("pid", "pid_for_children"))
        .arg("env");
    if let Ok(folder) = std::env::current_dir() {
        command.arg(format!("--chdir={}", folder.display()));
    }
    command.arg(format!("TENBIN_NODE={name}")).arg(format!("TENBIN_DISKS={}", paths.join(",")));
    // This program holds itself to the machine's memory; what it becomes is no part of it.
    if let Ok((_, hard)) = getrlimit(Resource::RLIMIT_DATA) {
        let _ = setrlimit(Resource::RLIMIT_DATA, hard, hard);
    }
    command.args(line).stdin(std::process::Stdio::inherit());
    Failure::Failed(format!("nsenter: {}", command.exec()))
}

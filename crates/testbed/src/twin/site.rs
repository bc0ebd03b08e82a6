//! Site files of daemons, and the table of their racks.
use crate::bed::Host;
use std::fmt::Write;

/// A site file of these properties.
pub fn properties(all: &[(String, String)]) -> String {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
    let mut out = String::from("<configuration>\n");
    for (key, value) in all {
        let (key, value) = (escaped(key), escaped(value));
        let _ = writeln!(out, "  <property><name>{key}</name><value>{value}</value></property>");
    }
    out + "</configuration>\n"
}

/// Addresses and names of all nodes but the master with their racks, a line each.
pub fn racks(hosts: &[Host], master: &str) -> String {
    let nodes = hosts.iter().filter(|host| host.name != master);
    nodes.fold(String::new(), |mut out, host| {
        let Host { name, address, rack, .. } = host;
        let _ = writeln!(out, "{address} {rack}\n{name} {rack}");
        out
    })
}

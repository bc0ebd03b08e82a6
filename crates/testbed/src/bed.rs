//! A running cluster, and commands on its nodes.
use crate::host;
use crate::server::Server;
use crate::shaped::ShapedLink;
use std::fmt::Write;
use std::process::Command;
use system::Failure;

/// A cluster that ends with this process.
pub struct Testbed {
    pub(crate) server: Server,
    pub(crate) links: Vec<ShapedLink>,
    pub hosts: Vec<Host>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Host {
    pub name: String,
    pub address: String,
    pub rack: String,
    /// Process that holds the node's namespaces.
    pub process: u32,
    /// (mount point in the node, device) of each disk.
    pub disks: Vec<(String, String)>,
}

impl Testbed {
    /// Output of `tenbin testbed status`: one line per node.
    pub(crate) fn state(&self) -> String {
        self.hosts.iter().fold(String::new(), |mut text, host| {
            let of = host.disks.iter().map(|(path, device)| format!("{path}={device}"));
            let listed = of.collect::<Vec<_>>().join(",");
            let listed = if listed.is_empty() { "-" } else { &listed };
            let Host { name, address, rack, process, .. } = host;
            let _ = writeln!(text, "{name} {address} {rack} {process} {listed}");
            text
        })
    }

    /// False: disks answer immediately, to write initial data quickly.
    pub fn disks_take_time(&self, yes: bool) {
        self.server.count(yes)
    }

    /// False: links carry packets without a rate limit.
    ///
    /// # Errors
    /// The kernel refuses.
    pub fn links_take_time(&self, yes: bool) -> Result<(), Failure> {
        self.links.iter().try_for_each(|link| link.takes_time(yes))
    }

    pub fn host(&self, name: &str) -> Option<&Host> {
        self.hosts.iter().find(|host| host.name == name)
    }
}

impl Host {
    /// Parses a line of [`Testbed::state`].
    pub(crate) fn of(line: &str) -> Option<Host> {
        let fields: Vec<&str> = line.split(' ').collect();
        let [name, address, rack, process, disks] = fields[..] else { return None };
        let pair = |disk: &str| disk.split_once('=').map(|(a, b)| (a.to_string(), b.to_string()));
        Some(Host {
            name: name.into(),
            address: address.into(),
            rack: rack.into(),
            process: process.parse().ok()?,
            disks: disks.split(',').filter_map(pair).collect(),
        })
    }

    /// A command on the node, in this process's folder. Its environment has the node's name, the
    /// disks' mount points, and their devices in the kernel's statistics.
    pub fn command(&self, line: &[&str]) -> Command {
        let space =
            |option: &str, file: &str| format!("--{option}=/proc/{}/ns/{file}", self.process);
        let mut command = host::command("nsenter");
        command
            .args([space("net", "net"), space("uts", "uts"), space("mount", "mnt")])
            .arg(space("pid", "pid_for_children"))
            .arg("env");
        if let Ok(folder) = std::env::current_dir() {
            command.arg(format!("--chdir={}", folder.display()));
        }
        let paths: Vec<&str> = self.disks.iter().map(|(path, _)| path.as_str()).collect();
        let device =
            |(_, device): &(String, String)| device.trim_start_matches("/dev/").to_string();
        let devices: Vec<String> = self.disks.iter().map(device).collect();
        command
            .arg(format!("TENBIN_NODE={}", self.name))
            .arg(format!("TENBIN_DISKS={}", paths.join(",")))
            .arg(format!("TENBIN_DEVICES={}", devices.join(",")))
            .args(line);
        command
    }
}

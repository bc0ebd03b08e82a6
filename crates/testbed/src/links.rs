//! Hosts behind shaped links to one switch, and nothing else: no disks, so that neither FUSE nor
//! devices are needed.
use crate::bed::Host;
use crate::holder::Holder;
use crate::host;
use crate::up::{NODE, Port, switches};
use nix::sched::{CloneFlags, setns};
use std::fs::File;
use system::{Failure, interrupt};
use units::BytesPerSec;

/// One congestion control for all: some systems let a namespace choose reno only.
const HOST: &str = "
echo $1 >/proc/sys/kernel/hostname
ip link set lo up
for control in cubic reno; do
  (echo $control >/proc/sys/net/ipv4/tcp_congestion_control) 2>/dev/null && break
done || :
end() { :; }
";

/// TCP is slowed down by its windows, and not by what a link drops.
const WAITS: &str = "limit 4mb";

/// Hosts of this process, which go with it.
pub struct Links {
    /// In the order in which they were asked for.
    pub hosts: Vec<Host>,
    networks: Vec<File>,
    /// What the kernel takes away with this process; the switch is the last.
    _holders: Vec<Holder>,
}

impl Links {
    /// Makes hosts of these names; their links carry so much, each way.
    ///
    /// # Errors
    /// Bad input: what this machine lacks. Interrupted.
    pub fn make(names: &[String], rate: BytesPerSec) -> Result<Links, Failure> {
        let made = host::check_links().and_then(|()| Links::made(names, rate));
        // Ctrl-C ends shells, too, and is no lack.
        interrupt::check()?;
        made.map_err(lacks)
    }

    fn made(names: &[String], rate: BytesPerSec) -> Result<Links, Failure> {
        let switch = switches(1, rate)?;
        let (mut hosts, mut networks, mut holders) = (Vec::new(), Vec::new(), Vec::new());
        for (nth, name) in names.iter().enumerate() {
            interrupt::check()?;
            let holder = Holder::start(&NODE, HOST, &[name])?;
            let address = format!("10.77.1.{}", nth + 1);
            let port = Port { nth, rack: 0, rate, waits: WAITS };
            port.connect(&address, &switch, &holder)?;
            let path = format!("/proc/{}/ns/net", holder.pid());
            let opened = File::open(&path);
            networks.push(opened.map_err(|e| Failure::Failed(format!("{path}: {e}")))?);
            hosts.push(Host {
                name: name.clone(),
                address,
                rack: "/rack1".into(),
                process: holder.pid(),
                disks: Vec::new(),
            });
            holders.push(holder)
        }
        holders.push(switch);
        Ok(Links { hosts, networks, _holders: holders })
    }

    /// Takes this thread to a host's network: sockets that it makes from now on, and threads that
    /// it starts, are there. It cannot come back.
    ///
    /// # Errors
    /// The kernel refuses.
    pub fn enter(&self, nth: usize) -> Result<(), Failure> {
        let entered = setns(&self.networks[nth], CloneFlags::CLONE_NEWNET);
        entered.map_err(|e| Failure::Failed(format!("{}: {e}", self.hosts[nth].name)))
    }
}

/// What the machine lacks is bad input.
fn lacks(failure: Failure) -> Failure {
    match failure {
        Failure::Failed(why) => Failure::BadInput(format!(
            "no shaped links here: {why}; expected root, iproute2, and a kernel with namespaces, \
             veth, bridge and tbf"
        )),
        other => other,
    }
}

//! Hosts with shaped links to one switch, without disks, so that neither FUSE nor devices are
//! needed.
use crate::bed::Host;
use crate::holder::Holder;
use crate::host;
use crate::up::{NODE, Port, switches};
use nix::sched::{CloneFlags, setns};
use std::fs::File;
use system::{Failure, interrupt};
use units::BytesPerSec;

/// The same congestion control on all hosts: some systems only allow reno in a namespace.
const HOST: &str = "
echo $1 >/proc/sys/kernel/hostname
ip link set lo up
for control in cubic reno; do
  (echo $control >/proc/sys/net/ipv4/tcp_congestion_control) 2>/dev/null && break
done || :
end() { :; }
";

/// A queue long enough that TCP is limited by its windows, not by drops.
const WAITS: &str = "limit 4mb";

/// Hosts that end with this process.
pub struct Links {
    /// In the order of the request.
    pub hosts: Vec<Host>,
    networks: Vec<File>,
    /// The kernel ends them with this process; the switch is the last.
    _holders: Vec<Holder>,
}

impl Links {
    /// Creates the hosts; `rate` of each link, each direction.
    ///
    /// # Errors
    /// Bad input: what the machine lacks. Interrupted.
    pub fn make(names: &[String], rate: BytesPerSec) -> Result<Links, Failure> {
        let made = host::check_links().and_then(|()| Links::made(names, rate));
        // Ctrl-C also ends the shells, which is not a lack.
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

    /// Moves this thread to a host's network namespace, with its future sockets and threads. It
    /// cannot return.
    ///
    /// # Errors
    /// The kernel refuses.
    pub fn enter(&self, nth: usize) -> Result<(), Failure> {
        let entered = setns(&self.networks[nth], CloneFlags::CLONE_NEWNET);
        entered.map_err(|e| Failure::Failed(format!("{}: {e}", self.hosts[nth].name)))
    }
}

fn lacks(failure: Failure) -> Failure {
    match failure {
        Failure::Failed(why) => Failure::BadInput(format!(
            "no shaped links here: {why}; expected root, iproute2, and a kernel with namespaces, \
             veth, bridge and tbf"
        )),
        other => other,
    }
}

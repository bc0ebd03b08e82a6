//! `tenbin testbed up`: each node has its own network, host name, processes and disks.
use crate::bed::{Host, Testbed};
use crate::holder::Holder;
use crate::host;
use crate::place::{Place, failed};
use crate::plan::{Node, Plan};
use crate::server::{DiskKind, QUEUE, Server};
use crate::shaped::{SOON, ShapedLink, shape};
use std::fs;
use system::{Failure, console, interrupt};
use units::BytesPerSec;

/// Above this, one machine cannot serve the disks in time.
const MOST_DISKS: usize = 256;

/// Creates a node's namespaces. All its processes end with the first one.
pub(crate) const NODE: [&str; 8] =
    ["unshare", "--net", "--uts", "--pid", "--mount", "--fork", "--kill-child", "--mount-proc"];

/// Disables the background initialisation of inode tables, which would add disk work.
const DISKS: &str = "
name=$1 hosts=$2 disks=$3 turns=$4 waiting=$5
shift 5
umount --lazy ${disks%/*}/files
echo $name >/proc/sys/kernel/hostname
mount --bind $hosts /etc/hosts
ip link set lo up
old=
nth=0
for dev; do
  old=\"$old $dev=$(scheduler $dev)\"
  [ $turns = 0 ] || as_disk $dev
  [ $waiting = 0 ] || waiting $dev $waiting
  mkfs.ext4 -q -F -m 0 -i 65536 -E lazy_itable_init=1 $dev
  mkdir -p $disks/$nth
  mount -o noatime,noinit_itable $dev $disks/$nth
  losetup -d $dev
  nth=$((nth + 1))
done
end() {
  for dev in $old; do as_before ${dev%=*} ${dev#*=}; done
}
";

/// Switches: a bridge per rack, and one between the racks.
const SWITCHES: &str = "
racks=$1 bits=$2 burst=$3
bridge() { ip link add $1 type bridge; ip link set $1 up; }
shape() { tc qdisc add dev $1 root tbf rate ${bits}bit burst $burst latency 20ms; }
for rack in $(seq $racks); do
  bridge rack$rack
  [ $racks = 1 ] && continue
  [ $rack != 1 ] || bridge core
  ip link add up$rack type veth peer name down$rack
  ip link set up$rack master rack$rack up
  ip link set down$rack master core up
  shape up$rack
  shape down$rack
done
end() { :; }
";

/// Both ends of a node's link. The queue limit is two words, hence unquoted.
const PORT: &str = "
ip link add port$1 type veth peer name eth0 netns $2
ip link set port$1 master rack$3 up
tc qdisc add dev port$1 root tbf rate ${4}bit burst $5 $6
";
const ETH0: &str = "
ip addr add $1/16 dev eth0
ip link set eth0 up
tc qdisc add dev eth0 root tbf rate ${2}bit burst $3 $4
";

/// Serves a cluster until Ctrl-C.
///
/// # Errors
/// The cluster cannot be created; interrupted.
pub fn up(place: Place, plan: &Plan, kind: &DiskKind) -> Result<(), Failure> {
    let name = place.name.clone();
    let bed = make(place, plan, kind)?;
    console::text(&bed.state())?;
    console::note(&format!("Ctrl-C or `tenbin testbed down {name}` removes it"));
    Err(bed.server.wait())
}

/// The cluster ends when the result is dropped.
///
/// # Errors
/// The cluster cannot be created; interrupted.
pub fn make(place: Place, plan: &Plan, kind: &DiskKind) -> Result<Testbed, Failure> {
    let disks = plan.nodes.iter().map(|node| node.disks).sum();
    if disks > MOST_DISKS {
        return Err(Failure::BadInput(format!(
            "{disks} disks: expected at most {MOST_DISKS}; try --set hardware.disks_per_node=1"
        )));
    }
    let folder = place.folder();
    let mut server = Server::start(place, disks, kind.clone())?;
    let addresses = addresses(&plan.nodes);
    let hosts = folder.join("hosts");
    fs::write(&hosts, hosts_file(&plan.nodes, &addresses)).map_err(|e| failed(&hosts, e))?;
    let switches = switches(plan.racks, plan.inter_rack)?;
    let mut links = ShapedLink::uplinks(plan.racks, switches.pid(), plan.inter_rack);
    let mut made = Vec::new();
    let mut disk = 0;
    for (nth, (node, address)) in plan.nodes.iter().zip(addresses).enumerate() {
        interrupt::check()?;
        let devices: Result<Vec<String>, Failure> =
            (disk..disk + node.disks).map(|disk| server.attach(disk, None)).collect();
        let devices = devices?;
        disk += node.disks;
        let (hosts, disks) = (hosts.to_string_lossy(), folder.join("disks"));
        let disks = disks.to_string_lossy();
        let waiting = server.waiting();
        let mut args = vec![node.name.as_str(), &hosts, &disks, server.turns(), &waiting];
        args.extend(devices.iter().map(String::as_str));
        let holder = Holder::start(&NODE, &format!("{QUEUE}{DISKS}"), &args)?;
        let port = Port { nth, rack: node.rack, rate: plan.nic, waits: SOON };
        port.connect(&address, &switches, &holder)?;
        links.extend(ShapedLink::link(nth, switches.pid(), holder.pid(), plan.nic));
        let paths = (0..node.disks).map(|nth| format!("{disks}/{nth}"));
        made.push(Host {
            name: node.name.clone(),
            address,
            rack: format!("/rack{}", node.rack + 1),
            process: holder.pid(),
            disks: paths.zip(devices).collect(),
        });
        server.holders.push(holder);
    }
    server.holders.push(switches);
    let bed = Testbed { server, links, hosts: made };
    bed.server.ready(&bed.state())?;
    Ok(bed)
}

fn addresses(nodes: &[Node]) -> Vec<String> {
    let mut next: Vec<u32> = Vec::new();
    let address = |node: &Node| {
        next.resize(next.len().max(node.rack + 1), 0);
        next[node.rack] += 1;
        format!("10.77.{}.{}", node.rack + 1, next[node.rack])
    };
    nodes.iter().map(address).collect()
}

fn hosts_file(nodes: &[Node], addresses: &[String]) -> String {
    let short = |name: &str| name.split('.').next().unwrap_or(name).to_string();
    let line = |(node, address): (&Node, &String)| {
        let short = short(&node.name);
        let alias = if short == node.name { String::new() } else { format!(" {short}") };
        format!("{address} {}{alias}\n", node.name)
    };
    let lines: String = nodes.iter().zip(addresses).map(line).collect();
    format!("127.0.0.1 localhost\n{lines}")
}

/// `between`: rate of each uplink.
pub(crate) fn switches(racks: usize, between: BytesPerSec) -> Result<Holder, Failure> {
    let (racks, [bits, burst]) = (racks.to_string(), shape(between));
    Holder::start(&["unshare", "--net"], SWITCHES, &[&racks, &bits, &burst])
}

/// A node's link to its rack's switch.
pub(crate) struct Port<'p> {
    pub nth: usize,
    pub rack: usize,
    pub rate: BytesPerSec,
    /// Queue limit in `tc`'s syntax.
    pub waits: &'p str,
}

impl Port<'_> {
    pub(crate) fn connect(
        &self,
        address: &str,
        switches: &Holder,
        holder: &Holder,
    ) -> Result<(), Failure> {
        let [bits, burst] = shape(self.rate);
        let inside = |of: &Holder, script: &str, args: &[&str]| {
            let space = format!("--net=/proc/{}/ns/net", of.pid());
            host::run("nsenter", &[&[&space, "sh", "-euc", script, "sh"], args].concat())
        };
        let (nth, pid) = (self.nth.to_string(), holder.pid().to_string());
        let rack = (self.rack + 1).to_string();
        inside(switches, PORT, &[&nth, &pid, &rack, &bits, &burst, self.waits])?;
        inside(holder, ETH0, &[address, &bits, &burst, self.waits])?;
        Ok(())
    }
}

//! Number, name and capacity of every resource, and the paths, as text.
use cluster::*;
use hardware::*;
use std::fmt::Write;
use units::{Bytes, BytesPerSec, Nanos};

pub fn small(racks: u32, disks: &[u16]) -> Cluster {
    let node = |i: u32, disks: u16| Node {
        host: format!("n{i}"),
        address: format!("10.0.0.{i}:9866"),
        rack: RackId(i % racks),
        alive: true,
        admin: Admin::InService,
        capacity: Bytes::mb(1000),
        remaining: Bytes::mb(1000),
        xceivers: 0,
        disks,
    };
    let nodes: Vec<Node> = (0..).zip(disks).map(|(i, &d)| node(i, d)).collect();
    let of = |rack: u32| (0..nodes.len() as u32).filter(move |i| i % racks == rack).map(NodeId);
    let rack = |r: u32| Rack { name: format!("/r{r}"), nodes: of(r).collect() };
    let racks = (0..racks).map(rack).collect();
    Cluster { name: "small".into(), nodes, racks }
}

pub fn hardware(channels: Channels, inter_rack_kind: InterRack) -> Hardware {
    let (seek, batch) = (Nanos::millis(10), Bytes::mb(1));
    Hardware {
        disk: DiskSpec {
            rate: BytesPerSec::mb(100),
            seek,
            batch,
            channels,
            curve: DiskCurve::KEPT,
        },
        disks_per_node: 3,
        nic: BytesPerSec::mb(125),
        nic_latency: Nanos::micros(100),
        inter_rack: BytesPerSec::mb(500),
        inter_rack_latency: Nanos::micros(300),
        inter_rack_kind,
    }
}

fn table(resources: &Resources) -> String {
    let mut text = String::new();
    for (id, resource) in resources.iter() {
        let capacity = resources.capacity(id);
        let (one, two) = (capacity.at(1) / 1e6, capacity.at(2) / 1e6);
        let (name, kind) = (resources.name(id), resource.kind());
        writeln!(text, "{:02} {name:<18} {kind:?} {one} {two}", id.0).unwrap();
    }
    text
}

fn names(resources: &Resources, path: &Path) -> String {
    let names: Vec<String> = path.iter().map(|&id| resources.name(id)).collect();
    format!("{} ({} us)", names.join(" > "), path.latency.0 / 1000)
}

#[test]
fn two_racks_with_uplinks_and_separate_channels() {
    // Node 2 lists no disks: it gets the three of the hardware.
    let cluster = small(2, &[1, 2, 0]);
    let resources = Resources::build(&cluster, &hardware(Channels::Separate, InterRack::Uplinks));
    let expected = "\
00 n0 NIC out         NicOut 125 125
01 n0 NIC in          NicIn 125 125
02 n0 disk 0 read     DiskRead 100 50
03 n0 disk 0 write    DiskWrite 100 50
04 n1 NIC out         NicOut 125 125
05 n1 NIC in          NicIn 125 125
06 n1 disk 0 read     DiskRead 100 50
07 n1 disk 0 write    DiskWrite 100 50
08 n1 disk 1 read     DiskRead 100 50
09 n1 disk 1 write    DiskWrite 100 50
10 n2 NIC out         NicOut 125 125
11 n2 NIC in          NicIn 125 125
12 n2 disk 0 read     DiskRead 100 50
13 n2 disk 0 write    DiskWrite 100 50
14 n2 disk 1 read     DiskRead 100 50
15 n2 disk 1 write    DiskWrite 100 50
16 n2 disk 2 read     DiskRead 100 50
17 n2 disk 2 write    DiskWrite 100 50
18 /r0 uplink out     UplinkOut 500 500
19 /r0 uplink in      UplinkIn 500 500
20 /r1 uplink out     UplinkOut 500 500
21 /r1 uplink in      UplinkIn 500 500
";
    assert_eq!(table(&resources), expected);
    let path = |from, read, to, write| {
        let path = resources.path(NodeId(from), DiskId(read), NodeId(to), DiskId(write));
        names(&resources, &path)
    };
    assert_eq!(
        path(1, 1, 2, 2),
        "n1 disk 1 read > n1 NIC out > /r1 uplink out > /r0 uplink in > n2 NIC in > \
         n2 disk 2 write (400 us)"
    );
    let inside = "n0 disk 0 read > n0 NIC out > n2 NIC in > n2 disk 0 write (100 us)";
    assert_eq!(path(0, 0, 2, 0), inside);
    assert_eq!(path(1, 0, 1, 1), "n1 disk 0 read > n1 disk 1 write (0 us)");
    let read = resources.read_path(NodeId(0), DiskId(0), NodeId(2));
    assert_eq!(names(&resources, &read), "n0 disk 0 read > n0 NIC out > n2 NIC in (100 us)");
    let write = resources.write_path(NodeId(0), NodeId(0), DiskId(0));
    assert_eq!(names(&resources, &write), "n0 disk 0 write (0 us)");
}

#[test]
fn one_link_and_shared_channels() {
    let cluster = small(2, &[1, 1]);
    let resources = Resources::build(&cluster, &hardware(Channels::Shared, InterRack::OneLink));
    let expected = "\
00 n0 NIC out         NicOut 125 125
01 n0 NIC in          NicIn 125 125
02 n0 disk 0          Disk 100 50
03 n1 NIC out         NicOut 125 125
04 n1 NIC in          NicIn 125 125
05 n1 disk 0          Disk 100 50
06 link between the racks InterRackLink 500 500
";
    assert_eq!(table(&resources), expected);
    let there = resources.path(NodeId(0), DiskId(0), NodeId(1), DiskId(0));
    let back = resources.path(NodeId(1), DiskId(0), NodeId(0), DiskId(0));
    assert!(there.contains(&ResourceId(6)) && back.contains(&ResourceId(6)));
    assert_eq!((there.len(), there[0], there[4]), (5, ResourceId(2), ResourceId(5)));
}

#[test]
fn every_number_leads_back_to_itself() {
    for channels in [Channels::Shared, Channels::Separate] {
        let cluster = small(3, &[4, 1, 0, 2, 7]);
        let resources = Resources::build(&cluster, &hardware(channels, InterRack::Uplinks));
        for (id, resource) in resources.iter() {
            let again = match resource {
                Resource::Disk(node, disk) | Resource::DiskRead(node, disk) => {
                    resources.disk_read(node, disk)
                }
                Resource::DiskWrite(node, disk) => resources.disk_write(node, disk),
                Resource::NicOut(node) => resources.nic_out(node),
                Resource::NicIn(node) => resources.nic_in(node),
                Resource::UplinkOut(rack) => {
                    let other = RackId((rack.0 + 1) % 3);
                    resources.between(rack, other).next().unwrap()
                }
                Resource::UplinkIn(rack) => {
                    let other = RackId((rack.0 + 1) % 3);
                    resources.between(other, rack).nth(1).unwrap()
                }
                Resource::InterRackLink => unreachable!("racks have uplinks here"),
                Resource::CopyLimit(_) | Resource::BalanceLimit(_) => {
                    unreachable!("no setting gives a limit here")
                }
            };
            assert_eq!(again, id);
        }
        assert_eq!([4, 1, 3, 2, 7], [0, 1, 2, 3, 4].map(|node| resources.disks(NodeId(node))));
    }
}

#[test]
fn one_rack_needs_nothing_between() {
    let cluster = small(1, &[1, 1]);
    for kind in [InterRack::Uplinks, InterRack::OneLink] {
        let resources = Resources::build(&cluster, &hardware(Channels::Shared, kind));
        assert_eq!(resources.len(), 6);
        assert_eq!(resources.path(NodeId(0), DiskId(0), NodeId(1), DiskId(0)).len(), 4);
    }
}

/// Node 1 is new: SSDs with separate channels, and a fast NIC.
#[test]
fn nodes_of_two_profiles() {
    let cluster = small(1, &[1, 0, 2]);
    let all = hardware(Channels::Shared, InterRack::Uplinks);
    let common = Profile::common(&all, 8, Bytes::mb(1));
    let (nic, disk) =
        (BytesPerSec::mb(1250), hardware(Channels::Separate, InterRack::Uplinks).disk);
    let disk = DiskSpec { rate: BytesPerSec::mb(500), seek: Nanos(0), ..disk };
    let new = Profile { name: "new".into(), cores: 64, disks: 2, disk, nic, ..common.clone() };
    let profiles = Profiles::assign(common, vec![(Hosts("n1*".into()), new.clone())], &cluster);
    let profiles = profiles.expect("n1 is there");
    let counts: Vec<_> = profiles.iter().map(|(p, nodes)| (p.name.as_str(), nodes)).collect();
    assert_eq!(counts, [("common", 2), ("new", 1)]);
    assert_eq!([0, 1, 2].map(|node| profiles.of(NodeId(node)).cores), [8, 64, 8]);
    let resources = Resources::build_uneven(&cluster, &all, &profiles);
    let expected = "\
00 n0 NIC out         NicOut 125 125
01 n0 NIC in          NicIn 125 125
02 n0 disk 0          Disk 100 50
03 n1 NIC out         NicOut 1250 1250
04 n1 NIC in          NicIn 1250 1250
05 n1 disk 0 read     DiskRead 500 500
06 n1 disk 0 write    DiskWrite 500 500
07 n1 disk 1 read     DiskRead 500 500
08 n1 disk 1 write    DiskWrite 500 500
09 n2 NIC out         NicOut 125 125
10 n2 NIC in          NicIn 125 125
11 n2 disk 0          Disk 100 50
12 n2 disk 1          Disk 100 50
";
    assert_eq!(table(&resources), expected);
    let path = resources.path(NodeId(1), DiskId(1), NodeId(2), DiskId(1));
    assert_eq!(
        names(&resources, &path),
        "n1 disk 1 read > n1 NIC out > n2 NIC in > n2 disk 1 (100 us)"
    );
    let nobody = Profiles::assign(new.clone(), vec![(Hosts("gpu*".into()), new)], &cluster);
    assert!(nobody.is_err_and(|why| why.contains("profile new: no host matches \"gpu*\"")));
}

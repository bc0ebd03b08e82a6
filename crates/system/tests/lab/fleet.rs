//! The heat map and the data of nodes' pages, of traces with and without racks and capacities.
use page::{Body, Fleet, Heat};
use system::fleet::{Usage, fleet, heat};
use trace::{OptionalNumber, ResourceId, ResourceRole, Sample, Trace, TraceBuilder};
use units::Nanos;

const RATE: u64 = 100;
const END: Nanos = Nanos::secs(100);

fn sample(resource: ResourceId, used: Option<f64>, busy: Option<f64>) -> Sample {
    let known = |value: Option<f64>| value.map_or(OptionalNumber::NONE, OptionalNumber::from);
    Sample {
        resource,
        at: Nanos::ZERO,
        used: known(used),
        busy: known(busy),
        queue: OptionalNumber::NONE,
    }
}

/// Disk d of node n carries (n + d) % 100 of 100 bytes/s; both directions of uplinks are idle.
fn with_racks(racks: usize, nodes: usize, disks: usize) -> Trace {
    let mut new = TraceBuilder::new();
    let disk = new.resource_kind(ResourceRole::Disk, "disk", "Disks").unit("bytes/s").id();
    let link = new.resource_kind(ResourceRole::Network, "uplink", "Uplinks").unit("bytes/s").id();
    for rack in 0..racks {
        let id = new.rack(&format!("/rack{rack}"));
        for n in 0..nodes {
            let name = format!("dn-{rack}-{n}");
            let node = new.node(&name).rack(id).add();
            for d in 0..disks {
                let name = format!("{name} disk {d}");
                let disk = new.resource(disk, &name).node(node).capacity(RATE).add();
                new.sample(sample(disk, Some(((rack * nodes + n + d) % 100) as f64), None))
            }
        }
        for way in ["out", "in"] {
            new.resource(link, &format!("/rack{rack} {way}")).rack(id).capacity(RATE).add();
        }
    }
    new.finish(END)
}

fn both(trace: &Trace) -> (Heat, Fleet) {
    let usage = Usage::of(trace, (Nanos::ZERO, END), "now");
    let Body::Heat(map) = heat(&usage, |rack| rack == 1).body else { panic!("a heat map") };
    (map, fleet(&usage, "since the start"))
}

#[test]
fn each_row_opens_a_rack_or_a_node() {
    let (heat, fleet) = both(&with_racks(2, 5, 6));
    let groups: Vec<(&str, usize)> =
        heat.groups.iter().map(|group| (group.title.as_str(), group.rows.len())).collect();
    let [disks, uplinks] = [("Disks: mean of a rack’s 30", 2), ("Uplinks: the busier way", 2)];
    assert_eq!(groups, [disks, uplinks, ("The 20 hottest of 64 resources", 20)]);
    assert_eq!(heat.groups[0].rows.iter().map(|row| row.strong).collect::<Vec<_>>(), [false, true]);
    for open in heat.groups.iter().flat_map(|group| &group.rows).map(|row| row.open.as_deref()) {
        let (kind, name) = open.and_then(|open| open.split_once('/')).expect("each row opens");
        let known = match kind {
            "rack" => fleet.racks.iter().any(|rack| rack.trim_start_matches('/') == name),
            _ => fleet.nodes.iter().any(|node| node.name == name),
        };
        assert!(known, "{kind}/{name}");
    }
}

#[test]
fn a_large_trace_keeps_the_hottest_and_says_so() {
    let (heat, fleet) = both(&with_racks(30, 10, 12));
    // The 200 hottest, and both ways of all 30 uplinks, used or not.
    let links = fleet.resources.iter().filter(|resource| resource.node.is_none());
    assert_eq!((links.count(), fleet.resources.len(), fleet.usage.len()), (60, 260, 260));
    assert_eq!(fleet.envelopes.len(), 60);
    assert!(fleet.tags.len() == 1 && fleet.tags[0].contains("200 hottest of 3"));
    assert_eq!(heat.groups.iter().map(|group| group.rows.len()).sum::<usize>(), 60);
    for row in &heat.groups[2].rows {
        let place = fleet.resources.iter().position(|resource| resource.name == row.name);
        let curve = &fleet.usage[place.expect("the hottest are kept")];
        let highest = curve.iter().max().copied().unwrap_or(0);
        assert_eq!(row.peak, f64::from(highest) / 100.0, "{}: one peak everywhere", row.name);
    }
}

#[test]
fn the_pages_of_10_000_nodes_have_5_mb_at_most() {
    let both = both(&with_racks(100, 100, 2));
    assert_eq!(both.1.nodes.len(), 10_000);
    let size = serde_json::to_vec(&both).expect("JSON").len();
    assert!((500_000..=5_000_000).contains(&size), "{size} bytes");
}

#[test]
fn without_racks_nodes_have_rows_and_a_kind_without_samples_is_unknown() {
    let mut new = TraceBuilder::new();
    let disk = new.resource_kind(ResourceRole::Disk, "disk", "Disks").id();
    let nic = new.resource_kind(ResourceRole::Network, "nic", "NICs").id();
    for n in 0..3u32 {
        let node = new.node(&format!("n{n}")).add();
        new.resource(nic, &format!("n{n} NIC")).node(node).add();
        for d in 0..2 {
            let disk = new.resource(disk, &format!("n{n} disk {d}")).node(node).add();
            new.sample(sample(disk, None, Some(f64::from(n) / 4.0)))
        }
    }
    let (heat, fleet) = both(&new.finish(END));
    let titles: Vec<&str> = heat.groups.iter().map(|group| group.title.as_str()).collect();
    assert_eq!(titles, ["Disks: mean of a node’s 2", "The 4 hottest of 6 resources"]);
    let first = &heat.groups[1].rows[0];
    assert_eq!((first.mean, first.open.as_deref()), (0.5, Some("node/n2")));
    assert_eq!((fleet.racks.len(), fleet.resources.len()), (0, 6));
}

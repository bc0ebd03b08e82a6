//! The `nodes` of a cluster file, one line each.
use super::quote::quote;
use crate::NodeContent;
use cluster::document::{Entry, Item, Place, RawValue};
use cluster::{Admin, Cluster, Node, NodeId, Problem, Rack, RackId, nearest};
use std::collections::BTreeMap;
use units::Bytes;

const FIELDS: [&str; 11] = [
    "host",
    "address",
    "rack",
    "alive",
    "admin",
    "capacity",
    "remaining",
    "xceivers",
    "disks",
    "blocks",
    "used",
];

const ADMINS: [(&str, Admin); 5] = [
    ("in-service", Admin::InService),
    ("decommissioning", Admin::Decommissioning),
    ("decommissioned", Admin::Decommissioned),
    ("entering-maintenance", Admin::EnteringMaintenance),
    ("in-maintenance", Admin::InMaintenance),
];

/// Omits defaults (alive, in service) and unknown values (0 disks).
pub(super) fn write(node: &Node, racks: &[String], held: Option<&NodeContent>) -> String {
    let rack = &racks[node.rack.at()];
    let mut fields = vec![
        format!("host = {}", quote(&node.host)),
        format!("address = {}", quote(&node.address)),
        format!("rack = {}", quote(rack)),
    ];
    if !node.alive {
        fields.push("alive = false".into())
    }
    if let Some((name, _)) = ADMINS[1..].iter().find(|(_, admin)| *admin == node.admin) {
        fields.push(format!("admin = \"{name}\""))
    }
    fields.push(format!("capacity = {}", node.capacity.0));
    fields.push(format!("remaining = {}", node.remaining.0));
    fields.push(format!("xceivers = {}", node.xceivers));
    if node.disks > 0 {
        fields.push(format!("disks = {}", node.disks))
    }
    if let Some(held) = held {
        fields.push(format!("blocks = {}, used = {}", held.blocks, held.used.0))
    }
    format!("{{ {} }}", fields.join(", "))
}

/// Reads all nodes and, where the file counts them, their blocks. Racks are `rack_names`, then
/// racks that only a node names.
pub(super) fn read(
    name: &str,
    rack_names: Vec<String>,
    lines: &[Item],
    problems: &mut Vec<Problem>,
) -> (Cluster, Vec<NodeContent>) {
    let racks = rack_names.into_iter().map(|name| Rack { name, nodes: Vec::new() }).collect();
    let mut cluster = Cluster { name: name.to_string(), nodes: Vec::new(), racks };
    let mut by_name: BTreeMap<String, u32> =
        cluster.racks.iter().zip(0..).map(|(rack, i)| (rack.name.clone(), i)).collect();
    let (mut addresses, mut held) = (BTreeMap::new(), Vec::with_capacity(lines.len()));
    for (i, line) in lines.iter().enumerate() {
        let key = format!("cluster.nodes[{}]", i + 1);
        let RawValue::Table(fields) = &line.value else {
            problems.push(line.place.problem(&key, line.value.quoted(), "{ host = \"…\", … }"));
            continue;
        };
        let mut fields = Fields { key: &key, place: &line.place, fields, problems };
        let node = node(&mut fields, &mut cluster, &mut by_name);
        let blocks = fields.count("blocks", u64::from(u32::MAX));
        held.push(NodeContent { blocks, used: Bytes(fields.count("used", u64::MAX)) });
        if let Some(first) = addresses.insert(node.address.clone(), i + 1) {
            let problem = format!("has the address {} of node {first}", quote(&node.address));
            problems.push(line.place.problem(&key, problem, "each node once"));
        }
        cluster.racks[node.rack.at()].nodes.push(NodeId::nth(i));
        cluster.nodes.push(node);
    }
    (cluster, held)
}

fn node(fields: &mut Fields<'_>, cluster: &mut Cluster, racks: &mut BTreeMap<String, u32>) -> Node {
    fields.refuse_unknown();
    let host = fields.text("host", None);
    let rack = fields.text("rack", Some("/default-rack"));
    let id = *racks.entry(rack.clone()).or_insert_with(|| {
        cluster.racks.push(Rack { name: rack, nodes: Vec::new() });
        cluster::count32(cluster.racks.len()) - 1
    });
    Node {
        address: fields.text("address", Some(&host)),
        host,
        rack: RackId(id),
        alive: fields.flag("alive"),
        admin: fields.admin(),
        capacity: Bytes(fields.count("capacity", u64::MAX)),
        remaining: Bytes(fields.count("remaining", u64::MAX)),
        xceivers: narrow(fields.count("xceivers", u32::MAX.into())),
        disks: narrow(fields.count("disks", 1_000)),
    }
}

struct Fields<'a> {
    key: &'a str,
    place: &'a Place,
    fields: &'a [Entry],
    problems: &'a mut Vec<Problem>,
}

impl Fields<'_> {
    fn get(&self, name: &str) -> Option<&RawValue> {
        self.fields.iter().find(|f| f.key == name).map(|f| &f.value)
    }

    fn complain(&mut self, name: &str, found: String, expected: &str) {
        let key = format!("{}.{name}", self.key);
        self.problems.push(self.place.problem(&key, found, expected))
    }

    fn refuse_unknown(&mut self) {
        for field in self.fields.iter().filter(|f| !FIELDS.contains(&f.key.as_str())) {
            let key = format!("{}.{}", self.key, field.key);
            let expected = FIELDS.join(", ");
            let mut problem = self.place.problem(&key, "unknown key", expected);
            problem.hint = nearest(&field.key, FIELDS).map(str::to_string);
            self.problems.push(problem);
        }
    }

    fn text(&mut self, name: &str, absent: Option<&str>) -> String {
        match (self.get(name), absent) {
            (Some(RawValue::Text(text)), _) if !text.is_empty() => text.clone(),
            (None, Some(absent)) => absent.to_string(),
            (found, _) => {
                let found = found.map_or("is missing".to_string(), RawValue::quoted);
                self.complain(name, found, "a name in quotes");
                String::new()
            }
        }
    }

    fn flag(&mut self, name: &str) -> bool {
        match self.get(name).map(RawValue::quoted).as_deref() {
            None | Some("true") => true,
            Some("false") => false,
            Some(other) => {
                let found = other.to_string();
                self.complain(name, found, "true or false");
                true
            }
        }
    }

    fn count(&mut self, name: &str, most: u64) -> u64 {
        let Some(found) = self.get(name).map(RawValue::quoted) else { return 0 };
        match found.parse() {
            Ok(n) if n <= most => n,
            _ => {
                self.complain(name, found, &format!("a whole number from 0 to {most}"));
                0
            }
        }
    }

    fn admin(&mut self) -> Admin {
        let Some(found) = self.get("admin") else { return Admin::InService };
        let quoted = found.quoted();
        if let Some((_, admin)) = ADMINS.iter().find(|(name, _)| *name == found.text()) {
            return *admin;
        }
        let names: Vec<&str> = ADMINS.iter().map(|(name, _)| *name).collect();
        self.complain("admin", quoted, &names.join(", "));
        Admin::InService
    }
}

fn narrow<T: TryFrom<u64>>(count: u64) -> T {
    T::try_from(count).ok().expect("read with its greatest value")
}

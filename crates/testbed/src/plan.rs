//! Nodes, disks and links of a cluster file. Keys that only a model reads are ignored, so any
//! scenario and any imported cluster file can be used.
use cluster::catalogue::{self, CatalogueDisk};
use cluster::document::{Document, Entry, RawValue};
use cluster::keys::{Key, KeyDefault, Kind, TypedValue, Vocabulary, shared};
use cluster::sheet::layers::Layer;
use cluster::sheet::read::set_entries;
use cluster::{BadInput, Channels, Defaults, Problem, Values, paths, read_text};
use std::collections::BTreeSet;
use std::path::Path;
use units::{Bytes, BytesPerSec, Nanos, usize_of};

/// Maximum nodes of a rack, and racks: an address has one byte for each.
const MOST: u64 = 250;

static SHAPE: [Key; 2] = [
    Key::new("cluster.racks", Kind::count(1, MOST), KeyDefault::Default("1"), "Racks"),
    Key::new("cluster.nodes_per_rack", Kind::count(1, MOST), KeyDefault::Nothing, "Nodes of each"),
];

static KEYS: Vocabulary =
    Vocabulary::plain("testbed", &[&shared::CLUSTER, &SHAPE, &shared::HARDWARE], |_| String::new());

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    pub name: String,
    /// From 0.
    pub rack: usize,
    pub disks: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    pub name: String,
    pub nodes: Vec<Node>,
    pub racks: usize,
    pub disk: CatalogueDisk,
    /// Each node's link, each direction.
    pub nic: BytesPerSec,
    /// Each rack's link, each direction.
    pub inter_rack: BytesPerSec,
}

impl Plan {
    /// `sets` override the file; `also` are nodes without disks in the first rack.
    ///
    /// # Errors
    /// All problems in the file.
    pub fn read(file: &Path, sets: &[(String, String)], also: &[String]) -> Result<Plan, BadInput> {
        Plan::of(&Document::parse(&read_text(file)?, file)?, sets, also)
    }

    /// As [`Plan::read`], from a parsed document.
    pub fn of(
        document: &Document,
        sets: &[(String, String)],
        also: &[String],
    ) -> Result<Plan, BadInput> {
        let mut values = Values::default();
        let import = match document.get("cluster.import") {
            None => None,
            Some(entry) => {
                let path = paths::relative_to(&entry.place, entry.value.text());
                Some(Document::parse(&read_text(&path)?, &path)?)
            }
        };
        let known = |entry: &&Entry| KEYS.find(&entry.key).is_some();
        for entry in import.iter().flat_map(|import| &import.entries).filter(known) {
            values.take(&KEYS, entry, Layer::ClusterFile)
        }
        document.entries.iter().filter(known).for_each(|e| values.take(&KEYS, e, Layer::Scenario));
        let sets = set_entries(&KEYS, sets, &mut values.problems);
        sets.iter().for_each(|entry| values.take(&KEYS, entry, Layer::CommandLine));
        let name = paths::stem(&document.file);
        values.fill(&KEYS, &Defaults { name, ..Defaults::default() });
        let listed = import.iter().chain([document]).find_map(|d| d.get("cluster.nodes"));
        if !values.problems.is_empty() {
            return Err(BadInput::all(values.problems));
        }
        let (mut nodes, racks) = nodes(listed, &values, document)?;
        nodes.extend(also.iter().map(|name| Node { name: name.clone(), rack: 0, disks: 0 }));
        refuse_names(&nodes, document)?;
        Ok(Plan {
            name: values.text("cluster.name").to_string(),
            nodes,
            racks,
            disk: disk(&values),
            nic: values.rate("hardware.nic"),
            inter_rack: values.rate("hardware.inter_rack"),
        })
    }
}

/// (nodes of the list or of the synthetic shape, number of racks).
fn nodes(
    listed: Option<&Entry>,
    values: &Values,
    document: &Document,
) -> Result<(Vec<Node>, usize), BadInput> {
    let disks = usize_of(values.count("hardware.disks_per_node"));
    if let Some(listed) = listed {
        return of_list(listed, disks);
    }
    let Some(TypedValue::Count(each)) = values.find("cluster.nodes_per_rack").map(|s| &s.typed)
    else {
        let missing = Problem::of_file(&document.file, "is missing", "nodes of each rack: 3");
        return Err(Problem { key: "cluster.nodes_per_rack".into(), ..missing }.into());
    };
    let racks = usize_of(values.count("cluster.racks"));
    let node = |rack: usize, place: u64| Node {
        name: format!("dn-r{}-{:02}", rack + 1, place + 1),
        rack,
        disks,
    };
    let all = (0..racks).flat_map(|rack| (0..*each).map(move |place| node(rack, place)));
    Ok((all.collect(), racks))
}

fn of_list(listed: &Entry, disks: usize) -> Result<(Vec<Node>, usize), BadInput> {
    let bad = || {
        let expected = "{ host, rack } of each";
        BadInput::from(listed.place.problem(&listed.key, "is not a list of nodes", expected))
    };
    let RawValue::List(items) = &listed.value else { return Err(bad()) };
    let mut racks: Vec<String> = Vec::new();
    let mut nodes = Vec::new();
    for item in items {
        let RawValue::Table(parts) = &item.value else { return Err(bad()) };
        let part = |key: &str| parts.iter().find(|p| p.key == key).map(|p| p.value.text());
        let name = part("host").ok_or_else(bad)?.to_string();
        let rack = part("rack").unwrap_or("/default-rack").to_string();
        let place = racks.iter().position(|known| *known == rack).unwrap_or(racks.len());
        if place == racks.len() {
            racks.push(rack)
        }
        let disks = part("disks").and_then(|n| n.parse().ok()).filter(|n| *n > 0).unwrap_or(disks);
        nodes.push(Node { name, rack: place, disks })
    }
    Ok((nodes, racks.len()))
}

/// A disk of the catalogue, or one with a constant rate; with the seek of the file.
fn disk(values: &Values) -> CatalogueDisk {
    let (name, rate) = (values.text("hardware.disk"), values.rate("hardware.disk"));
    let kept = CatalogueDisk {
        name: "a disk by its rate",
        what: "",
        rate,
        seek: Nanos::ZERO,
        turn: Nanos::ZERO,
        batch: Bytes(0),
        flush: Nanos::ZERO,
        channels: Channels::Shared,
        source: "",
    };
    let seek = values.time("hardware.disk_seek");
    CatalogueDisk { seek, ..catalogue::disk(name).copied().unwrap_or(kept) }
}

/// Names become host names, so they must be unique.
fn refuse_names(nodes: &[Node], document: &Document) -> Result<(), BadInput> {
    let mut seen = BTreeSet::new();
    for Node { name, .. } in nodes {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
        let is_name = (1..=64).contains(&name.len()) && name.chars().all(fits);
        if !is_name || name.starts_with('-') || !seen.insert(name) {
            let expected = "host names, each once: letters, digits, - and .";
            return Err(
                Problem::of_file(&document.file, format!("node \"{name}\""), expected).into()
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(text: &str, sets: &[(&str, &str)], also: &[&str]) -> Result<Plan, BadInput> {
        let document = Document::parse(text, Path::new("cluster.toml"))?;
        let owned = |(key, value): &(&str, &str)| (key.to_string(), value.to_string());
        let also: Vec<String> = also.iter().map(ToString::to_string).collect();
        Plan::of(&document, &sets.iter().map(owned).collect::<Vec<_>>(), &also)
    }

    #[test]
    fn any_scenario_will_do() {
        let text = "[model]\nsystem = \"any\"\n[cluster]\nracks = 2\nnodes_per_rack = 3\n\
                    [hardware]\ndisks_per_node = 2\nnic = \"1GbE\"\n[policy]\nx = 1\n";
        let plan = plan(text, &[("hardware.inter_rack", "2Gbit/s")], &["master"]).expect("it is");
        let names: Vec<(&str, usize, usize)> =
            plan.nodes.iter().map(|n| (n.name.as_str(), n.rack, n.disks)).collect();
        assert_eq!(names[0], ("dn-r1-01", 0, 2));
        assert_eq!(names[5..], [("dn-r2-03", 1, 2), ("master", 0, 0)]);
        assert_eq!((plan.racks, plan.name.as_str(), plan.disk.name), (2, "cluster", "hdd-7200"));
        assert_eq!((plan.nic, plan.inter_rack), (BytesPerSec::gbit(1), BytesPerSec::gbit(2)));
    }

    #[test]
    fn a_cluster_file_lists_its_nodes() {
        let text = "[cluster]\nname = \"shop\"\nnodes = [\n\
                    { host = \"a.example\", rack = \"/r1\", disks = 3 },\n\
                    { host = \"b.example\", rack = \"/r2\" },\n]\n[hardware]\ndisks_per_node = 1\n";
        let plan = plan(text, &[], &[]).expect("it is");
        let of = |n: &Node| (n.name.clone(), n.rack, n.disks);
        let all: Vec<_> = plan.nodes.iter().map(of).collect();
        assert_eq!(all, [("a.example".to_string(), 0, 3), ("b.example".to_string(), 1, 1)]);
        assert_eq!((plan.racks, plan.name.as_str()), (2, "shop"));
    }

    #[test]
    fn a_disk_may_be_a_rate_with_a_seek() {
        let text = "[cluster]\nnodes_per_rack = 1\n[hardware]\ndisk = \"65MB/s\"\n";
        let disk = |sets: &[(&str, &str)]| plan(text, sets, &[]).expect("it is").disk;
        assert_eq!((disk(&[]).rate, disk(&[]).seek), (BytesPerSec::mb(65), Nanos::ZERO));
        assert_eq!(disk(&[("hardware.disk_seek", "9ms")]).seek, Nanos::millis(9));
        let named = disk(&[("hardware.disk", "hdd-7200")]);
        assert_eq!(Some(&named), catalogue::disk("hdd-7200"));
    }

    #[test]
    fn what_cannot_be_made_is_refused() {
        let table = [
            ("", "cluster.toml: cluster.nodes_per_rack: is missing"),
            ("[cluster]\nnodes_per_rack = 0", "cluster.toml:2: cluster.nodes_per_rack: 0"),
            ("[cluster]\nnodes = 3", "cluster.toml:2: cluster.nodes: is not a list of nodes"),
            (
                "[cluster]\nnodes_per_rack = 1\n[hardware]\ndisk = \"hdd\"",
                "cluster.toml:4: hardware.disk: \"hdd\"",
            ),
            (
                "[cluster]\nnodes = [{ host = \"a b\" }]",
                "cluster.toml: node \"a b\": expected host",
            ),
        ];
        for (text, says) in table {
            let problem = plan(text, &[], &[]).expect_err(text).to_string();
            assert!(problem.starts_with(says), "{problem}");
        }
    }
}

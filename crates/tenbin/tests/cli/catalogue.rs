//! A disk of the catalogue is one disk in every system: its name brings its seek and its flush.
use cluster::catalogue::{self, CatalogueDisk};
use cluster::{Sheet, keys::TypedValue};
use std::path::Path;
use system::lab::{Lab, Row};
use tenbin::systems::{SYSTEMS, built_ins};
use units::Nanos;

/// A system, the key that names a disk, and keys that follow from it: its seek, its flush.
const SYSTEMS_WITH_DISKS: [(&str, &str, &str, &str); 5] = [
    ("hdfs", "hardware.disk", "hardware.disk_seek", ""),
    ("mapreduce", "hardware.disk", "hardware.disk_seek", ""),
    ("ozone", "hardware.disk", "hardware.disk_seek", "hardware.flush_time"),
    // Blocks are appended: no seek, no flush.
    ("xor", "node.disk", "", ""),
    // A write of the store is a flush.
    ("ppmds", "store.disk", "", "store.latency"),
];

/// A built-in scenario of a system, small, with this disk over it.
fn sheet(system: &str, key: &str, disk: &str) -> (Lab, Sheet) {
    let of = |(other, _): &(&system::System, _)| other.name == system;
    let (found, built_in) = built_ins().find(of).expect("a scenario of each system");
    let lab = Lab::of(found).expect("a simulation");
    let small = built_in.text.lines().find_map(|line| line.strip_prefix("# test: "));
    let sets = small.unwrap_or("").split_whitespace().filter_map(|set| set.split_once('='));
    let sets = sets.chain([(key, disk)]).map(|(key, value)| (key.to_string(), value.to_string()));
    let sets: Vec<(String, String)> = sets.collect();
    let sheet = lab.read_text(built_in.text, Path::new("scenario.toml"), &sets);
    (lab, sheet.unwrap_or_else(|why| panic!("{system} with {disk}: {why:?}")))
}

fn time(sheet: &Sheet, key: &str) -> Option<Nanos> {
    match sheet.find(key) {
        Some(TypedValue::Time(time)) => Some(*time),
        _ => None,
    }
}

#[test]
fn a_disks_name_brings_its_figures_in_every_system() {
    for (system, key, seek, flush) in SYSTEMS_WITH_DISKS {
        for CatalogueDisk { name, seek: right_seek, flush: right_flush, .. } in catalogue::disks() {
            let (_, sheet) = sheet(system, key, name);
            for (key, right) in [(seek, right_seek), (flush, right_flush)] {
                if !key.is_empty() {
                    assert_eq!(time(&sheet, key), Some(*right), "{system}: {key} of {name}");
                    let assumed = sheet.assumed().any(|setting| setting.key == key);
                    assert!(!assumed, "{system}: {key} of {name} is the catalogue's");
                }
            }
        }
    }
    let with_disks: Vec<&str> = SYSTEMS_WITH_DISKS.iter().map(|row| row.0).collect();
    for system in SYSTEMS.all().filter(|system| system.name != "echo") {
        assert!(with_disks.contains(&system.name), "{} has a disk's key in no row", system.name);
    }
}

#[test]
fn a_scenario_with_a_disk_of_the_catalogue_runs() {
    for (system, key, ..) in SYSTEMS_WITH_DISKS {
        let (lab, sheet) = sheet(system, key, "ssd-nvme");
        let row = Row { name: "nvme".into(), set: Vec::new(), sheet };
        let done =
            lab.run(&[row], &[1], false, "nvme").unwrap_or_else(|why| panic!("{system}: {why:?}"));
        assert_eq!(done.rows[0].runs.len(), 1, "{system}");
    }
}

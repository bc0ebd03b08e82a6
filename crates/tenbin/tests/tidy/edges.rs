//! Allowed dependencies between crates, as in ARCHITECTURE.md; a new edge needs a decision record.
use crate::tree;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Available to every system.
const CORE: &[&str] = &[
    "engine", "rewind", "units", "cluster", "hardware", "trace", "analysis", "page", "import",
    "system",
];

/// (crate by its dependency name, allowed dependencies), lowest layer first. A system of one crate
/// in its own folder needs no line: it may use the core.
const ALLOWED: &[(&str, &[&str])] = &[
    ("derive", &[]),
    ("rewind", &["derive"]),
    ("units", &["rewind"]),
    ("keys", &[]),
    ("cborder", &[]),
    ("page", &["units"]),
    ("import", &["units"]),
    ("analysis", &["units"]),
    ("engine", &["derive", "rewind", "units"]),
    ("cluster", &["rewind", "units"]),
    ("hardware", &["engine", "rewind", "units", "cluster"]),
    ("trace", &["units", "cluster", "analysis"]),
    ("system", &["engine", "units", "cluster", "analysis", "page", "trace", "import"]),
    ("testbed", &["units", "cluster", "analysis", "system"]),
    // Named after its folder.
    ("python", &["cluster", "hdfs-policy", "mapreduce", "ppmds", "system", "tenbin", "units"]),
    ("ppmds-protocol", &["rewind", "ppmds-check"]),
    ("ppmds-check", &[]),
    ("ppmds-service", &["ppmds-protocol", "ppmds-check", "keys"]),
    ("ppmds-service-c", &["ppmds-protocol", "ppmds-service", "cborder"]),
    // Named after its folder, which no other crate uses.
    ("peers", &["ppmds-protocol", "ppmds-service"]),
    ("mapreduce-policy", &[]),
    ("xor-protocol", &["units", "rewind"]),
    ("xor-relay", &["xor-protocol", "units", "keys"]),
    ("xor-relay-c", &["xor-protocol", "xor-relay", "cborder"]),
    ("hdfs-scenario", &["rewind", "units", "cluster"]),
    ("hdfs-policy", &["rewind", "units", "cluster", "hdfs-scenario"]),
    ("hdfs-trace", &["units", "cluster", "hdfs-scenario", "trace", "import"]),
    (
        "hdfs-model",
        &[
            "engine",
            "rewind",
            "units",
            "cluster",
            "hardware",
            "hdfs-scenario",
            "hdfs-policy",
            "hdfs-trace",
        ],
    ),
    (
        "hdfs-reading",
        &["units", "cluster", "hdfs-scenario", "hdfs-trace", "trace", "page", "analysis"],
    ),
    // The tests also use the engine and the models.
    (
        "hdfs-without",
        &["engine", "units", "cluster", "hardware", "hdfs-scenario", "hdfs-trace", "hdfs-model"],
    ),
    (
        "hdfs",
        &[
            "engine",
            "units",
            "cluster",
            "analysis",
            "page",
            "system",
            "hdfs-scenario",
            "hdfs-policy",
            "hdfs-trace",
            "trace",
            "hdfs-model",
            "hdfs-without",
            "hdfs-reading",
        ],
    ),
    // Real runs and simulations.
    (
        "hdfs-twin",
        &[
            "units",
            "analysis",
            "cluster",
            "trace",
            "system",
            "testbed",
            "hdfs-scenario",
            "hdfs-policy",
            "hdfs-trace",
            "hdfs",
        ],
    ),
    (
        "mapreduce-twin",
        &["units", "analysis", "cluster", "page", "import", "system", "testbed", "mapreduce"],
    ),
    ("ozone-twin", &["units", "analysis", "page", "system", "testbed", "ozone"]),
    (
        "ppmds-twin",
        &[
            "units",
            "analysis",
            "cluster",
            "page",
            "system",
            "testbed",
            "ppmds",
            "ppmds-protocol",
            "ppmds-service",
        ],
    ),
    (
        "xor-twin",
        &["units", "analysis", "page", "system", "testbed", "xor", "xor-protocol", "xor-relay"],
    ),
];

/// A system's own protocol and policies, allowed in addition to the core.
const OWN: &[(&str, &str)] = &[
    ("ppmds", "ppmds-protocol"),
    ("ppmds", "ppmds-check"),
    ("ppmds", "ppmds-service"),
    ("xor", "xor-protocol"),
    ("xor", "xor-relay"),
    ("mapreduce", "mapreduce-policy"),
];

#[test]
fn crates_use_only_what_is_below_them() {
    let allowed: BTreeMap<&str, BTreeSet<&str>> =
        ALLOWED.iter().map(|(name, may)| (*name, may.iter().copied().collect())).collect();
    let core: BTreeSet<&str> = CORE.iter().copied().collect();
    let mut seen = BTreeSet::new();
    let mut complaints = Vec::new();
    for path in tree::files_ending(&["Cargo.toml"]) {
        let Some(name) = crate_of(&path) else { continue };
        // The command lines are the top layer.
        if name == "tenbin" || name == "tenbin-lab" {
            continue;
        }
        let Some(may) = allowed.get(name.as_str()).or(is_system(&path).then_some(&core)) else {
            complaints.push(format!(
                "{}: {name} is not in the table of {}",
                path.display(),
                file!()
            ));
            continue;
        };
        for used in workspace_dependencies(&tree::text(&path)) {
            let is_own = OWN.contains(&(name.as_str(), used.as_str()));
            if !may.contains(used.as_str()) && !is_own {
                complaints.push(format!("{name} uses {used}, which is not allowed"));
            }
        }
        seen.insert(name);
    }
    for name in allowed.keys().filter(|name| !seen.contains(**name)) {
        complaints.push(format!("crate {name} of the table is not there"));
    }
    tree::complain(complaints)
}

/// True if the manifest is in a folder of `systems/`.
fn is_system(path: &Path) -> bool {
    path.starts_with("systems") && path.components().count() == 3
}

/// Dependency name of the crate in this folder: `NAME = { path = "FOLDER" }` of the workspace.
fn crate_of(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""))?;
    let root = tree::text(Path::new("Cargo.toml"));
    let named = format!("path = \"{}\"", folder.display());
    let line = root.lines().find(|line| line.contains(&named));
    let name = line.and_then(|line| line.split(' ').next()).map(str::to_string);
    let of_folder = || folder.file_name().map(|name| name.to_string_lossy().into_owned());
    name.or_else(of_folder)
}

/// Names of `NAME = { workspace = true }` in all tables of dependencies, including those for tests:
/// such a dependency also ties two crates together.
fn workspace_dependencies(toml: &str) -> Vec<String> {
    let mut inside = false;
    let mut names = Vec::new();
    for line in toml.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line.ends_with("dependencies]");
        } else if inside
            && line.replace(' ', "").contains("workspace=true")
            && !line.starts_with('#')
        {
            let name = line.split(['=', '.', ' ']).next().expect("a first word");
            names.push(name.to_string());
        }
    }
    names
}

#[test]
fn dependencies_are_found_in_all_tables() {
    let toml = "[package]\nedition.workspace = true\n[dependencies]\na = { workspace = true }\n\
                b.workspace = true\n# c = { workspace = true }\n[dev-dependencies]\n\
                d = { workspace = true }\nserde = \"1\"\n";
    assert_eq!(workspace_dependencies(toml), ["a", "b", "d"]);
}

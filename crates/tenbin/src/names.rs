//! Names with descriptions, for `list` and `explain`.
use crate::cli::ListKind;
use crate::console::spaced;
use crate::systems::{SYSTEMS, built_ins};
use cluster::catalogue;
use std::path::{Path, PathBuf};
use system::System;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedItem {
    /// As in a scenario or command.
    pub name: String,
    pub what: String,
}

pub fn policies() -> Vec<NamedItem> {
    let named = |policy: system::PolicyInfo| {
        let what = format!("{}: {}", policy.key, first_line(&policy.doc));
        NamedItem { name: policy.name.into(), what }
    };
    of_systems().map(named).collect()
}

pub fn of_systems() -> impl Iterator<Item = system::PolicyInfo> {
    SYSTEMS.all().flat_map(|system| (system.policies)())
}

/// Built-in scenarios, and files below `folder`.
pub fn scenarios(folder: &Path) -> Vec<NamedItem> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(extension) if extension == "toml" => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    let ours = built_ins().map(|(_, b)| NamedItem { name: b.name.into(), what: purpose(b.text) });
    let named = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        NamedItem { name: file.display().to_string(), what: purpose(&text) }
    };
    ours.chain(files.iter().map(named)).collect()
}

/// First sentence of the comment at the start of a scenario.
fn purpose(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix("# "));
    let all = lines.collect::<Vec<&str>>().join(" ");
    let end = [". ", "? "].iter().filter_map(|end| all.find(end)).min();
    all[..end.map_or(all.len(), |at| at + 1)].to_string()
}

/// Values of `hardware.disk`, `hardware.nic` and `hardware.inter_rack`.
pub fn hardware() -> Vec<NamedItem> {
    let disk = |d: &catalogue::CatalogueDisk| NamedItem {
        name: d.name.into(),
        what: format!("disk, {}, {} in sequence", d.what, spaced(&d.rate.to_string())),
    };
    let network = |n: &catalogue::CatalogueNetwork| NamedItem {
        name: n.name.into(),
        what: format!("network, {} each way", spaced(&n.rate.to_string())),
    };
    let disks = catalogue::disks().iter().map(disk);
    disks.chain(catalogue::networks().iter().map(network)).collect()
}

fn offers(system: &System) -> NamedItem {
    let named = |verb: &str, all: &[&dyn system::Action]| -> Vec<String> {
        all.iter().map(|action| format!("{verb} {}", action.name())).collect()
    };
    let simulated = system.simulation.is_some();
    let mut all: Vec<String> = Vec::new();
    if simulated {
        all.extend(["run", "compare", "diff"].map(String::from))
    }
    all.extend(named("import", system.imports));
    all.extend(named("plan", system.plans));
    all.extend(named("audit", system.audits));
    if system.jobs.is_some() {
        all.extend(["why", "report", "serve"].map(String::from))
    }
    all.extend(system.commands.iter().map(|command| command.name().to_string()));
    all.extend(system.document.map(|document| format!("reproduce {}", document.name)));
    NamedItem { name: system.name.into(), what: all.join(", ") }
}

pub fn of(what: ListKind) -> Vec<NamedItem> {
    match what {
        ListKind::Policies => policies(),
        ListKind::Systems => SYSTEMS.all().map(offers).collect(),
        ListKind::Models => {
            let about = |system: &System| NamedItem {
                name: system.name.into(),
                what: system.summary.into(),
            };
            SYSTEMS.all().map(about).collect()
        }
        ListKind::Hardware => hardware(),
        ListKind::Scenarios => scenarios(Path::new("scenarios")),
    }
}

fn first_line(doc: &str) -> String {
    doc.lines().map(str::trim).find(|l| !l.is_empty()).unwrap_or("").to_string()
}

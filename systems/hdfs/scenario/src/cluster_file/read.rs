use super::{BlockFile, Imported, ImportedBlocks, SourcedValue, nodes};
use crate::{NodeContent, Synthesis};
use cluster::document::{Document, Entry, Place, RawValue};
use cluster::read_text;
use cluster::{BadInput, Problem, nearest};
use std::path::Path;
use std::sync::Arc;

/// Keys that only a cluster file has, and `cluster.namenode`.
const OWN: [&str; 18] = [
    "cluster.name",
    "cluster.date",
    "cluster.namenode",
    "cluster.hadoop",
    "cluster.sources",
    "cluster.rack_names",
    "cluster.nodes",
    "cluster.final",
    "cluster.site_names",
    "blocks.file",
    "blocks.sha256",
    "blocks.blocks",
    "blocks.replicas",
    "blocks.synthesised",
    "blocks.under_replicated",
    "blocks.groups",
    "blocks.data",
    "blocks.parity",
];

/// A cluster file with the lines that a scenario inherits.
#[derive(Clone, Debug)]
pub(crate) struct ImportedFile {
    pub(crate) file: Arc<Path>,
    pub(crate) imported: Imported,
    pub(crate) nodes_at: Place,
    /// `[hardware]`, `[hdfs-site]` and similar tables.
    pub(crate) entries: Vec<Entry>,
}

/// Reads a cluster file.
///
/// # Errors
/// All problems in the file, with lines. Values of `[hardware]` and `[hdfs-site]` are checked when
/// a scenario uses them.
pub fn read(path: &Path) -> Result<Imported, BadInput> {
    read_file(path).map(|file| file.imported)
}

/// As [`read`], from a text; `path` is for messages.
pub fn read_str(text: &str, path: &Path) -> Result<Imported, BadInput> {
    parse(text, path).map(|file| file.imported)
}

pub(crate) fn read_file(path: &Path) -> Result<ImportedFile, BadInput> {
    parse(&read_text(path)?, path)
}

fn parse(text: &str, path: &Path) -> Result<ImportedFile, BadInput> {
    let document = Document::parse(text, path)?;
    let mut problems = Vec::new();
    let Some(list) = document.get("cluster.nodes") else {
        let expected = "a cluster file, made by `tenbin import hdfs -o FILE`";
        return Err(Problem::of_file(path, "has no cluster.nodes", expected).into());
    };
    let RawValue::List(lines) = &list.value else {
        let found = list.value.quoted();
        return Err(list.place.problem("cluster.nodes", found, "a list of nodes").into());
    };
    if lines.is_empty() {
        problems.push(list.place.problem("cluster.nodes", "is empty", "at least one node"));
    }
    let stem = path.file_stem().map_or("cluster".into(), |s| s.to_string_lossy().into_owned());
    let name = text_of(&document, "cluster.name", &mut problems).unwrap_or(stem);
    let racks = texts_of(&document, "cluster.rack_names", &mut problems);
    let (cluster, held) = nodes::read(&name, racks, lines, &mut problems);
    let (nodes_at, entries) = (list.place.clone(), others(&document, &mut problems));
    let imported = Imported {
        cluster,
        sources: texts_of(&document, "cluster.sources", &mut problems),
        date: text_of(&document, "cluster.date", &mut problems).unwrap_or_default(),
        namenode: text_of(&document, "cluster.namenode", &mut problems),
        hadoop: text_of(&document, "cluster.hadoop", &mut problems),
        hardware: found(&entries),
        hdfs_site: site(&entries),
        finals: texts_of(&document, "cluster.final", &mut problems),
        site_names: texts_of(&document, "cluster.site_names", &mut problems),
        blocks: blocks(&document, held, &mut problems),
    };
    match problems.is_empty() {
        true => Ok(ImportedFile { file: document.file, imported, nodes_at, entries }),
        false => Err(BadInput::all(problems)),
    }
}

/// Entries that a scenario inherits. Reports keys that do not belong in a cluster file.
fn others(document: &Document, problems: &mut Vec<Problem>) -> Vec<Entry> {
    let mut entries = Vec::new();
    for entry in &document.entries {
        let table = entry.key.split('.').next().unwrap_or("");
        let taken_over = table == "hardware" || entry.key == "cluster.namenode";
        if taken_over || table.ends_with("-site") {
            entries.push(entry.clone())
        } else if !OWN.contains(&entry.key.as_str()) {
            let expected = "a key of a cluster file ([cluster], [blocks], [hardware], [hdfs-site])";
            let mut problem = entry.place.problem(&entry.key, "unknown key", expected);
            problem.hint = nearest(&entry.key, OWN).map(str::to_string);
            problems.push(problem)
        }
    }
    entries
}

fn found(entries: &[Entry]) -> Vec<SourcedValue> {
    let told = |entry: &Entry| {
        let key = entry.key.strip_prefix("hardware.")?;
        let source = entry.comment.strip_prefix("from ")?;
        Some(SourcedValue {
            key: key.into(),
            value: entry.value.text().into(),
            source: source.into(),
        })
    };
    entries.iter().filter_map(told).collect()
}

fn site(entries: &[Entry]) -> Vec<(String, String)> {
    let pair = |entry: &Entry| {
        Some((entry.key.strip_prefix("hdfs-site.")?.into(), entry.value.text().into()))
    };
    entries.iter().filter_map(pair).collect()
}

fn text_of(document: &Document, key: &str, problems: &mut Vec<Problem>) -> Option<String> {
    let entry = document.get(key)?;
    if let RawValue::Text(text) = &entry.value {
        return Some(text.clone());
    }
    problems.push(entry.place.problem(key, entry.value.quoted(), "a text in quotes"));
    None
}

fn texts_of(document: &Document, key: &str, problems: &mut Vec<Problem>) -> Vec<String> {
    let Some(entry) = document.get(key) else { return Vec::new() };
    if let RawValue::List(items) = &entry.value {
        let all = items.iter().map(|item| match &item.value {
            RawValue::Text(text) => Some(text.clone()),
            _ => None,
        });
        if let Some(texts) = all.collect() {
            return texts;
        }
    }
    problems.push(entry.place.problem(key, entry.value.quoted(), "a list of texts in quotes"));
    Vec::new()
}

fn count_of(document: &Document, key: &str, problems: &mut Vec<Problem>) -> u64 {
    let Some(entry) = document.get(key) else { return 0 };
    let found = entry.value.quoted();
    found.parse().unwrap_or_else(|_| {
        problems.push(entry.place.problem(key, found, "a whole number"));
        0
    })
}

fn blocks(
    document: &Document,
    held: Vec<NodeContent>,
    problems: &mut Vec<Problem>,
) -> Option<ImportedBlocks> {
    match document.get("blocks.synthesised") {
        None => block_file(document, problems).map(ImportedBlocks::File),
        Some(entry) if entry.value.quoted() == "true" => {
            Some(ImportedBlocks::Synthesised(synthesis(document, held, problems)))
        }
        Some(entry) => {
            let expected = "true, or no such line";
            let key = "blocks.synthesised";
            problems.push(entry.place.problem(key, entry.value.quoted(), expected));
            None
        }
    }
}

fn synthesis(
    document: &Document,
    held: Vec<NodeContent>,
    problems: &mut Vec<Problem>,
) -> Synthesis {
    let mut count = |key| count_of(document, key, problems);
    let units = (count("blocks.data"), count("blocks.parity"));
    let mut synthesis = Synthesis {
        concerned: false,
        blocks: count("blocks.blocks"),
        under_replicated: count("blocks.under_replicated"),
        groups: count("blocks.groups"),
        coded: (units.0.min(255) as u8, units.1.min(255) as u8),
        held,
    };
    synthesis.concerned = synthesis.replicas() > Synthesis::WHOLE;
    let place = |key| document.get(key).map(|entry| entry.place.clone());
    if synthesis.groups > 0 && (units.0 == 0 || units.0 + units.1 > 255) {
        let found = format!("{} data and {} parity units", units.0, units.1);
        let place = place("blocks.groups").expect("a count above 0 was read");
        problems.push(place.problem("blocks.groups", found, "at least 1 and at most 255 in all"));
    }
    let most = u64::from(u32::MAX);
    if synthesis.replicas() > most || synthesis.blocks > most || synthesis.groups > most {
        let found = format!("{} replicas on all nodes", synthesis.replicas());
        let place = place("blocks.synthesised").expect("the caller has read it");
        problems.push(place.problem("blocks", found, format!("at most {most}")));
    }
    synthesis
}

fn block_file(document: &Document, problems: &mut Vec<Problem>) -> Option<BlockFile> {
    let file = text_of(document, "blocks.file", problems)?;
    let sha256 = text_of(document, "blocks.sha256", problems).unwrap_or_default();
    if sha256.len() != 64 || !sha256.bytes().all(|b| b.is_ascii_hexdigit()) {
        let place = &document.get("blocks.file")?.place;
        let found = format!("\"{sha256}\"");
        problems.push(place.problem("blocks.sha256", found, "64 hexadecimal digits"));
    }
    let blocks = count_of(document, "blocks.blocks", problems);
    let replicas = count_of(document, "blocks.replicas", problems);
    Some(BlockFile { file, sha256, blocks, replicas })
}

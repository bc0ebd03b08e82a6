//! `tenbin explain NAME`
use crate::cli::{Explain, ListKind};
use crate::failure::Failure;
use crate::systems::{self, SYSTEMS};
use crate::{console, names};
use cluster::catalogue;
use cluster::keys::{Key, Kind};

/// Prints the page of a policy, model, disk, network or key.
pub fn explain(args: Explain) -> Result<(), Failure> {
    let page = policy(&args.name)
        .or_else(|| model(&args.name))
        .or_else(|| hardware(&args.name))
        .or_else(|| key(&args.name))
        .or_else(|| choice(&args.name))
        .or_else(|| cause(&args.name))
        .or_else(|| word(&args.name))
        .or_else(|| scenario(&args.name))
        .ok_or_else(|| unknown(&args.name))?;
    console::text(&format!("{}\n", page.trim_end()))
}

/// Description of a built-in scenario, with the command to run it.
fn scenario(name: &str) -> Option<String> {
    let (system, one) = systems::built_ins().find(|(_, one)| one.name == name)?;
    let lines: Vec<&str> = one.text.lines().map_while(|line| line.strip_prefix("# ")).collect();
    let about = lines.into_iter().filter(|line| !line.starts_with("test: "));
    let about = about.collect::<Vec<&str>>().join("\n");
    let system = system.name;
    Some(format!(
        "{name}: a built-in scenario of {system}\n\n{about}\n\n  tenbin run {name}\n  tenbin \
         example {name} -o mine.toml"
    ))
}

const GLOSSARY: &str = include_str!("../../../../docs/glossary.md");

fn word(name: &str) -> Option<String> {
    let rows = GLOSSARY.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
    let mut known = rows
        .filter(|(words, _)| words.split(", ").any(|word| word.eq_ignore_ascii_case(name.trim())));
    let (words, means) = known.next()?;
    Some(format!("{words}: {}", means.trim_end_matches(" |")))
}

/// All policies of this name: two systems can each have one.
fn policy(name: &str) -> Option<String> {
    let all = names::of_systems().filter(|policy| policy.name == name);
    let page =
        |policy: system::PolicyInfo| format!("{}\n\nA value of {}.", policy.doc.trim(), policy.key);
    all.map(page).reduce(|all, page| format!("{all}\n\n\n{page}"))
}

/// A cause of slow jobs, by its name in `tenbin why`.
fn cause(name: &str) -> Option<String> {
    let mut all = SYSTEMS.all().filter_map(|system| system.jobs).flat_map(|jobs| (jobs.causes)());
    let (name, page) = all.find(|(known, _)| known.eq_ignore_ascii_case(name.trim()))?;
    Some(format!("{name}: {page}"))
}

fn model(name: &str) -> Option<String> {
    Some(SYSTEMS.find(name)?.readme.to_string())
}

fn hardware(name: &str) -> Option<String> {
    if let Some(d) = catalogue::disk(name) {
        return Some(format!(
            "{}: {}\n  rate   {}\n  seek   {}\n  batch  {}\n  source {}",
            d.name, d.what, d.rate, d.seek, d.batch, d.source
        ));
    }
    let n = catalogue::network(name)?;
    Some(format!("{}: network\n  rate   {}\n  source {}", n.name, n.rate, n.source))
}

fn keys() -> impl Iterator<Item = &'static Key> {
    SYSTEMS.all().flat_map(|system| system.vocabulary.all())
}

/// A key of a scenario; a real system's key also without its table.
fn key(name: &str) -> Option<String> {
    let in_a_site =
        |key: &&Key| key.name.strip_suffix(name).is_some_and(|table| table.ends_with("-site."));
    let key = keys().find(|key| key.name == name).or_else(|| keys().find(in_a_site))?;
    let source = if key.source.is_empty() { "" } else { "\n  source " };
    Some(format!("{}: {}\n  takes  {}{source}{}", key.name, key.doc, key.kind, key.source))
}

/// A choice of a key: the key's description.
fn choice(name: &str) -> Option<String> {
    let takes = |k: &&Key| matches!(k.kind, Kind::Choice(names) if names.contains(&name));
    let key = keys().find(takes)?;
    let Kind::Choice(names) = key.kind else { return None };
    let (key, doc, all) = (key.name, key.doc, names.join(", "));
    Some(format!("{name}: a value of {key} ({all})\n  {doc}"))
}

fn unknown(name: &str) -> Failure {
    let lists = [ListKind::Policies, ListKind::Models, ListKind::Hardware].map(names::of);
    let known: Vec<String> = lists
        .into_iter()
        .flatten()
        .map(|n| n.name)
        .chain(keys().map(|k| k.name.to_string()))
        .collect();
    let near = cluster::nearest(name, known.iter().map(String::as_str));
    let hint = near.map_or(String::new(), |n| format!("; did you mean {n}?"));
    Failure::BadInput(format!(
        "{name} is unknown: expected a name that `tenbin list policies|models|hardware` prints, or \
         a key of a scenario{hint}"
    ))
}

//! `tenbin explain NAME`
use crate::about::pacing;
use crate::cli::{Explain, Listed};
use crate::failure::Failure;
use crate::systems::SYSTEMS;
use crate::{names, say};
use cluster::catalogue;
use policy::rereplication::registry;
use scenario::Pacing;
use scenario::keys::{self, Kind};

const PACINGS: [Pacing; 3] = [Pacing::EventDriven, Pacing::Hdfs1, Pacing::Hdfs3];

/// Prints the page of a policy, a model, a disk, a network or a key.
pub fn explain(args: Explain) -> Result<(), Failure> {
    let page = policy(&args.name)
        .or_else(|| model(&args.name))
        .or_else(|| hardware(&args.name))
        .or_else(|| key(&args.name))
        .or_else(|| choice(&args.name))
        .or_else(|| word(&args.name))
        .ok_or_else(|| unknown(&args.name))?;
    say::text(&format!("{}\n", page.trim_end()))
}

/// The words that screens use.
const GLOSSARY: &str = include_str!("../../../../docs/glossary.md");

/// What a word of the screens means.
fn word(name: &str) -> Option<String> {
    let rows = GLOSSARY.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
    let mut known = rows
        .filter(|(words, _)| words.split(", ").any(|word| word.eq_ignore_ascii_case(name.trim())));
    let (words, means) = known.next()?;
    Some(format!("{words}: {}", means.trim_end_matches(" |")))
}

fn policy(name: &str) -> Option<String> {
    if name == "default" {
        let means =
            PACINGS.map(|p| format!("  pacing {}: {}\n", pacing(p), registry::default_of(p)));
        return Some(format!("The default of the system that paces:\n{}", means.concat()));
    }
    let hdfs = registry::all().iter().find(|p| p.name() == name).map(|p| p.doc().to_string());
    hdfs.or_else(|| {
        let policy = names::of_systems().find(|policy| policy.name == name)?;
        Some(format!("A value of {}.\n\n{}", policy.key, policy.doc))
    })
}

fn model(name: &str) -> Option<String> {
    let hdfs = names::MODELS.iter().find(|m| m.name == name).map(|m| m.doc());
    hdfs.or_else(|| Some(SYSTEMS.find(name)?.about().readme.to_string()))
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

/// A key of the scenario; a real system's key may stand without its table.
fn key(name: &str) -> Option<String> {
    let of_systems = || SYSTEMS.all().find_map(|system| system.vocabulary().find(name));
    let key = keys::find(name)
        .or_else(|| keys::find(&format!("hdfs-site.{name}")))
        .or_else(of_systems)?;
    let source = if key.source.is_empty() { "" } else { "\n  source " };
    Some(format!("{}: {}\n  takes  {}{source}{}", key.name, key.doc, key.kind, key.source))
}

/// One of a key's few words: what the key says, and for a pacing its default policy.
fn choice(name: &str) -> Option<String> {
    let takes = |k: &&keys::Key| matches!(k.kind, Kind::Choice(names) if names.contains(&name));
    let key = keys::all().find(takes)?;
    let Kind::Choice(names) = key.kind else { return None };
    let paced = PACINGS.into_iter().find(|p| key.name == "policy.pacing" && pacing(*p) == name);
    let policy = paced
        .map_or(String::new(), |p| format!("\n  its default policy: {}", registry::default_of(p)));
    let (key, doc, all) = (key.name, key.doc, names.join(", "));
    Some(format!("{name}: a value of {key} ({all})\n  {doc}{policy}"))
}

fn unknown(name: &str) -> Failure {
    let lists = [Listed::Policies, Listed::Models, Listed::Hardware].map(names::of);
    let known: Vec<String> = lists
        .into_iter()
        .flatten()
        .map(|n| n.name)
        .chain(keys::all().map(|k| k.name.to_string()))
        .chain(SYSTEMS.all().flat_map(|s| s.vocabulary().all()).map(|k| k.name.to_string()))
        .chain(PACINGS.map(|p| pacing(p).to_string()))
        .collect();
    let near = cluster::nearest(name, known.iter().map(String::as_str));
    let hint = near.map_or(String::new(), |n| format!("; did you mean {n}?"));
    Failure::BadInput(format!(
        "nothing is called {name}: expected a name that `tenbin list policies|models|hardware` \
         prints, or a key of a scenario{hint}"
    ))
}

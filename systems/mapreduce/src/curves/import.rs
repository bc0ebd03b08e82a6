//! `tenbin import node-curves FILE… --into run/`
use super::{AttachResult, NodeSample, attach, calendar, sadf};
use crate::plain::printable;
use crate::why::Explanation;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use import::{Input, InputSpec, Issue, issue};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use system::import::reading;
use system::output::Output;
use system::{Action, Failure, console, result};
use trace::Trace;

/// Largest file read \[bytes\].
const LARGEST: u64 = 1 << 30;

const WANTED: InputSpec = InputSpec::new(
    "what sadf -j prints, or tenbin monitor",
    "sadf -j /var/log/sa/saDD -- -u -d -n DEV -r -q > NODE.json",
);

const HELP: &str = "\
Examples:
  sadf -j /var/log/sa/sa23 -- -u -d -n DEV -r -q > n1.json
  tenbin import node-curves n1.json n2.json.gz --into run/
  ssh n1 sadf -j | tenbin import node-curves - --host -=n1 --into run/
  tenbin import node-curves curves/one.json.gz --host one.json.gz=n1,n2 --into run/

A host is joined to the nodes of the run by its name, with or without its domain. Times are UTC, as
sadf -j prints them without -t and -T.";

pub struct NodeCurves;

impl Action for NodeCurves {
    fn name(&self) -> &'static str {
        "node-curves"
    }

    fn command(&self) -> Command {
        let path = || value_parser!(PathBuf);
        Command::new("node-curves")
            .about("Add the load of nodes, from sadf -j or tenbin monitor, to a run")
            .after_help(HELP)
            .arg(
                Arg::new("files")
                    .value_name("FILE")
                    .required(true)
                    .num_args(1..)
                    .value_parser(path())
                    .help("Curves, plain, .gz or .zst; - is standard input"),
            )
            .arg(
                Arg::new("into")
                    .long("into")
                    .value_name("RUN")
                    .required(true)
                    .value_parser(path())
                    .help("Folder that tenbin import mapreduce wrote; its page is rewritten"),
            )
            .arg(
                Arg::new("host")
                    .long("host")
                    .value_name("FILE=NODE,…")
                    .action(ArgAction::Append)
                    .help(
                        "Nodes of a file's curves, if the file has another host name; repeatable",
                    ),
            )
            .arg(
                Arg::new("utc-offset")
                    .long("utc-offset")
                    .value_name("+HH:MM")
                    .allow_hyphen_values(true)
                    .help("Lead of local times over UTC"),
            )
    }

    fn run(&self, arguments: &ArgMatches) -> Result<(), Failure> {
        let run = arguments.get_one::<PathBuf>("into").expect("clap requires it");
        let mut trace = of_import(run)?;
        let files: Vec<&PathBuf> = arguments.get_many("files").unwrap_or_default().collect();
        let hosts = hosts(arguments, &files, &trace)?;
        let ahead = crate::import::read_utc_offset(arguments)?;
        let (mut text, mut all) = (String::new(), 0);
        for file in files {
            let (mut lines, skipped) = read(file, ahead)?;
            if let Some(nodes) = hosts.get(file.as_path()) {
                lines = nodes.iter().flat_map(|node| of_node(&lines, node)).collect()
            }
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let fit = attach(&mut trace, &name, &lines);
            all += fit.used;
            text.push_str(&said(&trace, file, &fit, lines.len(), skipped))
        }
        if all == 0 {
            return Err(Failure::BadInput(format!("{text}No sample fits: the run is unchanged")));
        }
        renew(run, &trace)?;
        console::text(&format!("{text}{}\n", run.join("report.html").display()))
    }
}

/// Fails unless `tenbin import mapreduce` wrote the run.
fn of_import(run: &Path) -> Result<Trace, Failure> {
    let bad = |why: String| Failure::BadInput(format!("--into {}: {why}", run.display()));
    let trace = trace::tables::read(&run.join("trace")).map_err(|e| bad(e.to_string()))?;
    let about = |key: &str| trace.about(key).unwrap_or("");
    match (about("system"), about("origin")) {
        ("mapreduce", "logged") => Ok(trace),
        _ => Err(bad("the run is not of tenbin import mapreduce: curves need its hosts".into())),
    }
}

fn of_node(lines: &[super::NodeSample], node: &str) -> Vec<super::NodeSample> {
    let of =
        |line: &super::NodeSample| super::NodeSample { node: node.to_string(), ..line.clone() };
    lines.iter().map(of).collect()
}

/// Parses `--host`: nodes by file, several if NodeManagers share a machine.
fn hosts<'a>(
    arguments: &'a ArgMatches,
    files: &[&'a PathBuf],
    trace: &Trace,
) -> Result<BTreeMap<&'a Path, Vec<String>>, Failure> {
    let mut hosts: BTreeMap<&Path, Vec<String>> = BTreeMap::new();
    for said in arguments.get_many::<String>("host").unwrap_or_default() {
        let bad = |why: String| Failure::BadInput(format!("--host {said}: {why}"));
        let expected = || bad("expected FILE=NODE, or FILE=NODE,NODE".into());
        let (file, nodes) = said.rsplit_once('=').ok_or_else(expected)?;
        let path = file_of(file, files).map_err(bad)?;
        for node in nodes.split(',').map(str::trim) {
            let known: Vec<String> = nodes_of(trace, node);
            if known.is_empty() {
                let of = some(trace);
                return Err(bad(format!("{node} is not a node of the run. Expected one of {of}")));
            }
            hosts.entry(path).or_default().extend(known)
        }
    }
    Ok(hosts)
}

/// Finds a given file by path, bare name or name without endings, in this order. Fails if two
/// match.
fn file_of<'a>(called: &str, files: &[&'a PathBuf]) -> Result<&'a Path, String> {
    let bare = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = |name: &str| {
        let name = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        name.strip_suffix(".json").unwrap_or(name).to_string()
    };
    let is_path = |path: &Path| path.components().eq(Path::new(called).components());
    let ways: [&dyn Fn(&Path) -> bool; 3] =
        [&is_path, &|path| bare(path) == called, &|path| stem(&bare(path)) == stem(called)];
    for is_it in ways {
        let found: Vec<&Path> =
            files.iter().map(|path| path.as_path()).filter(|path| is_it(path)).collect();
        match found.as_slice() {
            [] => {}
            [one] => return Ok(*one),
            [one, other, ..] => {
                let (one, other) = (one.display(), other.display());
                return Err(format!("{one} and {other} have this name: give a path"));
            }
        }
    }
    Err(format!("{called} is not one of the files given"))
}

/// Nodes of this name, else all nodes on this host.
fn nodes_of(trace: &Trace, node: &str) -> Vec<String> {
    let named = trace.nodes.iter().filter(|own| own.name == node);
    let named: Vec<String> = named.map(|own| own.name.clone()).collect();
    let host =
        |own: &&trace::Node| super::is_same(own.address.as_deref().unwrap_or(&own.name), node);
    match named.is_empty() {
        true => trace.nodes.iter().filter(host).map(|own| own.name.clone()).collect(),
        false => named,
    }
}

fn some(trace: &Trace) -> String {
    let names: Vec<String> = trace.nodes.iter().take(5).map(|n| printable(&n.name)).collect();
    let more = if trace.nodes.len() > 5 { ", …" } else { "" };
    format!("{}{more}", names.join(", "))
}

/// Counts used samples, and lists hosts and times that do not fit the run.
fn said(trace: &Trace, file: &Path, fit: &AttachResult, all: usize, skipped: u64) -> String {
    let file = file.display();
    let mut text = format!("{file}: {} of {all} samples fit", fit.used);
    if skipped > 0 {
        text.push_str(&format!("; {skipped} lines not readable"))
    }
    if fit.replaced > 0 {
        text.push_str(&format!("; {} earlier values of the run are replaced", fit.replaced))
    }
    text.push('\n');
    for (host, (used, known)) in &fit.hosts {
        match (known, used) {
            (false, _) => text.push_str(&format!(
                "  host \"{}\" is not a node of the run ({}); use --host {file}=NODE\n",
                printable(host),
                some(trace)
            )),
            (true, 0) => text.push_str(&format!(
                "  host \"{}\" is a node of the run, but all its samples are of other times\n",
                printable(host)
            )),
            _ => {}
        }
    }
    if let (Some((first, last)), true) = (fit.span, fit.used < all) {
        let zero = calendar::zero_ms(trace);
        let end = zero.saturating_add((trace.last().0 / 1_000_000).cast_signed());
        text.push_str(&format!(
            "  samples are of {} to {}, the run of {} to {}\n",
            calendar::utc(first),
            calendar::utc(last),
            calendar::utc(zero),
            calendar::utc(end)
        ))
    }
    text
}

fn renew(run: &Path, trace: &Trace) -> Result<(), Failure> {
    let place = Output::at(run)?;
    result::report(&place, &crate::words::page(trace, &Explanation::of(trace)))?;
    result::trace(&place, trace)?;
    place.keep()
}

/// Returns the lines and the number of unreadable ones.
fn read(path: &Path, ahead: Option<i64>) -> Result<(Vec<NodeSample>, u64), Failure> {
    let input = Input::named(path);
    let text = reading(|tell| import::text(&input, &WANTED, LARGEST, tell))?;
    Ok(of_text(&text, ahead).map_err(|wrong| wrong.at(&input.name(), None))?)
}

/// Accepts the JSON object of `sadf -j`, or one JSON line per sample.
pub(super) fn of_text(text: &str, ahead: Option<i64>) -> Result<(Vec<NodeSample>, u64), Issue> {
    let head: String = text.chars().filter(|c| !c.is_whitespace()).take(11).collect();
    if head.starts_with("{\"sysstat\":") {
        return sadf::read(text, ahead).map(|lines| (lines, 0));
    }
    let lines: Vec<Option<NodeSample>> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).ok())
        .collect();
    let skipped = lines.iter().filter(|line| line.is_none()).count() as u64;
    let lines: Vec<NodeSample> = lines.into_iter().flatten().collect();
    match lines.is_empty() {
        true => Err(issue("no sample", WANTED.content).advice(WANTED.advice()).on(1)),
        false => Ok((lines, skipped)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_monitor_writes_is_read_and_a_cut_line_is_counted() {
        let line = NodeSample {
            node: "n".into(),
            unix_ms: 5,
            cpu_busy: Some(0.5),
            ..NodeSample::default()
        };
        let text = serde_json::to_string(&line).unwrap();
        let both = format!("{text}\n{}", &text[..20]);
        assert_eq!(of_text(&both, None).unwrap(), (vec![line], 1));
        assert!(of_text("hello", None).unwrap_err().to_string().contains("tenbin monitor"));
    }
}

//! `tenbin import ozone`: pipelines and nodes from `ozone admin … --json`, JMX and
//! `ozone-site.xml`.
//!
//! ```text
//!  pipelines, datanodes ─► dump: nodes SCM uses ─► file: the cluster ─► assumptions
//!          jmx, conf ─► volumes, settings ──────────────┘
//! ```
mod datanodes;
mod dump;
mod fields;
mod file;
mod jmx;
mod pipelines;
mod site;
use crate::OZONE;
use crate::names::many;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use cluster::listing;
use dump::{Dump, Host};
use import::{ImportError, Input, OnProgress, issue};
use jmx::Jmx;
use std::path::{Path, PathBuf};
use system::import::reading;
use system::lab::Lab;
use system::{Action, Failure, console, output};

pub struct Import;

impl Action for Import {
    fn name(&self) -> &'static str {
        "ozone"
    }

    fn command(&self) -> Command {
        let file = |name: &'static str| {
            Arg::new(name).long(name).value_name("FILE").value_parser(value_parser!(PathBuf))
        };
        Command::new("ozone")
            .about("Ozone: open pipelines and nodes, from `ozone admin … --json` and JMX")
            .arg(file("pipelines").required(true).help("`ozone admin pipeline list --json`"))
            .arg(file("datanodes").help(
                "`ozone admin datanode list --all --json` (before Ozone 2.1 without --all): idle \
                 nodes, racks, volumes",
            ))
            .arg(file("jmx").action(ArgAction::Append).help("/jmx of a DataNode: version, disks"))
            .arg(file("conf").help(
                "ozone-site.xml, or /conf of SCM: limits, policies, directories of RaftLogs and \
                 containers",
            ))
            .arg(file("out").short('o').required(true).help("The cluster file to write"))
            .after_help(
                "Examples:\n  tenbin import ozone --pipelines p.json -o cluster.toml\n\nFiles may \
                 be .gz or .zst; - is stdin.",
            )
    }

    fn run(&self, arguments: &ArgMatches) -> Result<(), Failure> {
        let ImportedFiles { mut dump, disks, conf, version } =
            reading(|tell| gathered(arguments, tell))?;
        let site = conf.map(|(path, read)| site::of(path, &read)).transpose()?;
        let out = arguments.get_one::<PathBuf>("out").expect("required");
        if let Some(limit) = file::assumed_limit(&dump, site.as_ref()) {
            dump.notes.push(format!(
                "assumed ozone.scm.datanode.pipeline.limit = {limit}: the most pipelines that a \
                 node is in"
            ))
        }
        let (version, note) = site::version(version.as_deref());
        dump.notes.extend(site.iter().flat_map(|site| site.notes.clone()).chain(note));
        let text = file::text(&dump, disks, site.as_ref(), &version);
        let lab = Lab::of(&OZONE)?;
        let sheet = lab.read_text(&text, out, &[])?;
        output::file(out, text.as_bytes())?;
        for note in &dump.notes {
            console::note(&format!("note: {note}"))
        }
        let open = many(dump.pipelines.len() as u64, "open pipeline");
        let nodes = many(dump.hosts.len() as u64, "node");
        let assumed = listing::assumed(sheet.assumed());
        console::text(&format!("{open} on {nodes}\n{}\n{}\n", assumed.trim_start(), out.display()))
    }
}

struct ImportedFiles<'a> {
    dump: Dump,
    /// Largest number of volumes of a node; `None`: unknown.
    disks: Option<usize>,
    conf: Option<(&'a Path, import::conf::Conf)>,
    version: Option<String>,
}

fn gathered<'a>(
    arguments: &'a ArgMatches,
    tell: &mut OnProgress<'_>,
) -> Result<ImportedFiles<'a>, ImportError> {
    let input = |name: &str| arguments.get_one::<PathBuf>(name).map(|path| Input::named(path));
    let (pipelines, datanodes) = (input("pipelines").expect("required"), input("datanodes"));
    let jmx = arguments.get_many::<PathBuf>("jmx").unwrap_or_default();
    let (jmx, conf): (Vec<Input>, _) =
        (jmx.map(|path| Input::named(path)).collect(), input("conf"));
    Input::at_most_one_stdin([&pipelines].into_iter().chain(&datanodes).chain(&jmx).chain(&conf))?;
    let mut dump = pipelines::read(&pipelines, tell)?;
    if let Some(datanodes) = &datanodes {
        datanodes::read(datanodes, &mut dump, tell)?
    }
    let mut seen = Jmx::default();
    for page in &jmx {
        jmx::read(page, &mut seen, tell)?
    }
    let unlisted = seen.nodes.iter().filter(|id| dump.place(id).is_none());
    let unlisted: Vec<Host> = unlisted.map(|id| Host::named(id)).collect();
    dump.hosts.extend(unlisted);
    let dump = dump.without_unavailable();
    enough(&dump).map_err(|wrong| wrong.at(&pipelines.name(), None))?;
    let path = arguments.get_one::<PathBuf>("conf").map(PathBuf::as_path);
    let read = conf.map(|conf| import::conf::read(&conf, &site::WANTED, tell)).transpose()?;
    let listed = dump.hosts.iter().filter_map(|host| host.disks).max();
    let version = seen.version.or(dump.version.clone());
    Ok(ImportedFiles { dump, disks: listed.max(seen.disks), conf: path.zip(read), version })
}

/// Fails unless there are nodes and a pipeline to write to.
fn enough(dump: &Dump) -> Result<(), import::Issue> {
    let found = dump.hosts.len();
    if found < 3 {
        return Err(issue(format!("{found} nodes in service"), "at least three, for one pipeline"));
    }
    if dump.pipelines.is_empty() {
        let none = "no Ratis pipeline of three is open: no node can be written";
        let why = "`ozone admin pipeline list` and SCM's log have the reason.";
        return Err(issue(none, "at least one").advice(why));
    }
    Ok(())
}

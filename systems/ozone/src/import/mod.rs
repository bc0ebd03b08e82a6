//! `tenbin import ozone`: pipelines and nodes as `ozone admin … --json`, JMX and `ozone-site.xml`
//! tell them.
//!
//! ```text
//!  pipelines, datanodes ─► dump: who SCM writes to ─► file: the cluster ─► what is assumed
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
use crate::words::many;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use cluster::listing;
use dump::{Dump, Host};
use jmx::Jmx;
use std::path::{Path, PathBuf};
use system::lab::Lab;
use system::{Action, Failure, console};

/// Reads a real cluster.
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
            .arg(file("jmx").action(ArgAction::Append).help("/jmx of a DataNode: its disks"))
            .arg(file("conf").help("ozone-site.xml: limit, directories of RaftLogs and containers"))
            .arg(file("out").short('o').required(true).help("The cluster file to be written"))
            .after_help("Examples:\n  tenbin import ozone --pipelines p.json -o cluster.toml")
    }

    fn run(&self, arguments: &ArgMatches) -> Result<(), Failure> {
        let (mut dump, disks) = gathered(arguments)?;
        let conf = arguments.get_one::<PathBuf>("conf");
        let site = conf.map(|path| site::read(path, &read(path)?)).transpose()?;
        let out = arguments.get_one::<PathBuf>("out").expect("required");
        if let Some(limit) = file::assumed_limit(&dump, site.as_ref()) {
            dump.notes.push(format!(
                "assumed ozone.scm.datanode.pipeline.limit = {limit}: the most pipelines that a \
                 node is in"
            ))
        }
        let text = file::text(&dump, disks, site.as_ref());
        let lab = Lab::of(&OZONE)?;
        let sheet = lab.read_text(&text, out, &[])?;
        std::fs::write(out, text).map_err(|e| Failure::writing(out, &e))?;
        for note in &dump.notes {
            console::aside(&format!("note: {note}"))
        }
        let open = many(dump.pipelines.len() as u64, "open pipeline");
        let nodes = many(dump.hosts.len() as u64, "node");
        let assumed = listing::assumed(sheet.assumed());
        console::text(&format!("{open} on {nodes}\n{}\n{}\n", assumed.trim_start(), out.display()))
    }
}

/// What the files say, and the most volumes of a node.
fn gathered(arguments: &ArgMatches) -> Result<(Dump, Option<usize>), Failure> {
    let one = |name: &str| arguments.get_one::<PathBuf>(name);
    let path = one("pipelines").expect("required");
    let mut dump = pipelines::read(path, &read(path)?)?;
    if let Some(path) = one("datanodes") {
        datanodes::read(path, &read(path)?, &mut dump)?
    }
    let mut seen = Jmx::default();
    for path in arguments.get_many::<PathBuf>("jmx").into_iter().flatten() {
        jmx::read(path, &read(path)?, &mut seen)?
    }
    let unlisted = seen.nodes.iter().filter(|id| dump.place(id).is_none());
    let unlisted: Vec<Host> = unlisted.map(|id| Host::named(id)).collect();
    dump.hosts.extend(unlisted);
    let dump = dump.without_away();
    let found = dump.hosts.len();
    let bad = |why: String| Err(Failure::BadInput(format!("{}: {why}", path.display())));
    if found < 3 {
        return bad(format!("{found} nodes in service: expected three at least, for one pipeline"));
    }
    if dump.pipelines.is_empty() {
        return bad("no Ratis pipeline of three is open: nothing can be written: expected one at \
             least; `ozone admin pipeline list` and SCM's log say why none is"
            .into());
    }
    let told = dump.hosts.iter().filter_map(|host| host.disks).max();
    Ok((dump, told.max(seen.disks)))
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path)
        .map_err(|e| Failure::BadInput(format!("{}: {e}: expected a JSON dump", path.display())))
}

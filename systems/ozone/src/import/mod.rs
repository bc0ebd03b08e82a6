//! `tenbin import ozone`: pipelines and nodes as `ozone admin … --json` and JMX tell them.
mod dump;
mod jmx;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use dump::{Dump, Host};
use jmx::Jmx;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use system::{Action, Failure, say};

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
            .arg(file("datanodes").help("`ozone admin datanode list --json`: idle nodes, racks"))
            .arg(file("jmx").action(ArgAction::Append).help("/jmx of a DataNode: its disks"))
            .arg(file("out").short('o').required(true).help("The cluster file to be written"))
            .after_help("Examples:\n  tenbin import ozone --pipelines p.json -o cluster.toml")
    }

    fn run(&self, arguments: &ArgMatches) -> Result<(), Failure> {
        let one = |name: &str| arguments.get_one::<PathBuf>(name);
        let pipelines = one("pipelines").expect("required");
        let mut dump = dump::pipelines(pipelines, &read(pipelines)?)?;
        if let Some(path) = one("datanodes") {
            dump::datanodes(path, &read(path)?, &mut dump)?
        }
        let mut seen = Jmx::default();
        for path in arguments.get_many::<PathBuf>("jmx").into_iter().flatten() {
            jmx::read(path, &read(path)?, &mut seen)?
        }
        let unlisted = seen.nodes.iter().filter(|id| dump.place(id).is_none());
        let unlisted: Vec<Host> = unlisted.map(|id| Host::named(id)).collect();
        dump.hosts.extend(unlisted);
        if dump.hosts.len() < 3 {
            let found = dump.hosts.len();
            return Err(Failure::BadInput(format!(
                "{}: {found} nodes: expected three at least, for one pipeline",
                pipelines.display()
            )));
        }
        let out = one("out").expect("required");
        std::fs::write(out, file_of(&dump, &seen)).map_err(|e| Failure::writing(out, &e))?;
        for note in &dump.notes {
            say::aside(&format!("note: {note}"))
        }
        let (open, nodes) = (dump.pipelines.len(), dump.hosts.len());
        say::text(&format!("{open} open pipelines on {nodes} nodes\n{}\n", out.display()))
    }
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path)
        .map_err(|e| Failure::BadInput(format!("{}: {e}: expected a JSON dump", path.display())))
}

/// The cluster file.
fn file_of(dump: &Dump, jmx: &Jmx) -> String {
    let names: Vec<String> = dump.hosts.iter().map(Host::short).collect();
    let open = |(of, leader): &([usize; 3], usize)| {
        let [a, b, c] = of;
        format!("{a}-{b}-{c}:{leader}")
    };
    let open: Vec<String> = dump.pipelines.iter().map(open).collect();
    let mut in_pipelines = vec![0u32; names.len()];
    dump.pipelines.iter().flat_map(|(of, _)| of).for_each(|&node| in_pipelines[node] += 1);
    let most = in_pipelines.iter().copied().max().unwrap_or(0).max(1);
    let mut out = String::from("# Written by `tenbin import ozone`.\n");
    let _ = write!(
        out,
        "[model]\nsystem = \"ozone\"\n\n[cluster]\nnodes = {}\nhosts = \"{}\"\n\
         pipelines = \"{}\"\n",
        names.len(),
        names.join(" "),
        open.join(" ")
    );
    let mut racks: Vec<&str> = dump.hosts.iter().map(|host| host.rack.as_str()).collect();
    racks.sort_unstable();
    racks.dedup();
    if racks.len() > 1 {
        let place = |host: &Host| racks.binary_search(&host.rack.as_str()).expect("one of them");
        let of: Vec<String> = dump.hosts.iter().map(|host| place(host).to_string()).collect();
        let _ = writeln!(out, "racks = {}\nrack_of = \"{}\"", racks.len(), of.join(" "));
    }
    if let Some(disks) = jmx.disks {
        let _ = write!(out, "\n[hardware]\ndisks_per_node = {disks}\n");
        let _ = writeln!(out, "# No dump says where the RaftLogs lie.\nlog_disks = 1");
    }
    let _ = write!(
        out,
        "\n[ozone-site]\n# No dump says it: the most pipelines that a node is in.\n\
         \"ozone.scm.datanode.pipeline.limit\" = {most}\n\n[policy]\npipeline = \"as-imported\"\n"
    );
    out
}

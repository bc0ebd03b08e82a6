//! `tenbin plan pipelines CLUSTER.toml`: the limit of pipelines per node, and the number of log
//! disks.
//!
//! ```text
//!  space: limits × log disks ─► search (system::plan): the knee ─► runbook ─► show
//! ```
mod runbook;
mod search;
mod show;
mod space;

use crate::OZONE;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use search::Plan;
use std::path::PathBuf;
use system::lab::Lab;
use system::output::{self, Output};
use system::{Action, Failure, console, result};

pub struct Pipelines;

impl Action for Pipelines {
    fn name(&self) -> &'static str {
        "pipelines"
    }

    fn command(&self) -> Command {
        let file = || value_parser!(PathBuf);
        let workload = "A scenario with the [workload] of the plan [default: that of the cluster \
                        file]";
        let fastest = "Recommend the highest write rate, at any price";
        Command::new("pipelines")
            .about("Ozone: the limit of pipelines a node, and the disks for RaftLogs")
            .arg(Arg::new("cluster").value_name("CLUSTER.toml").required(true).value_parser(file()))
            .arg(
                Arg::new("workload")
                    .long("workload")
                    .value_name("FILE")
                    .value_parser(file())
                    .help(workload),
            )
            .arg(Arg::new("fastest").long("fastest").action(ArgAction::SetTrue).help(fastest))
            .arg(
                Arg::new("out")
                    .short('o')
                    .long("out")
                    .value_name("DIR")
                    .help("Folder for the results [default: out/plan-pipelines]")
                    .value_parser(file()),
            )
            .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("One JSON object"))
            .after_help("Examples:\n  tenbin plan pipelines cluster.toml")
    }

    fn run(&self, arguments: &ArgMatches) -> Result<(), Failure> {
        let one = |name: &str| arguments.get_one::<PathBuf>(name);
        let path = one("cluster").expect("required");
        let place = one("out").cloned().unwrap_or_else(|| PathBuf::from("out/plan-pipelines"));
        output::check_place(&place)?;
        let lab = Lab::of(&OZONE)?;
        let mut besides = Vec::new();
        if let Some(workload) = one("workload") {
            let sheet = lab.read(workload, &[])?;
            let of = sheet.settings.iter().filter(|s| s.key.starts_with("workload."));
            besides.extend(of.map(|s| (s.key.clone(), s.value.clone())))
        }
        let plan = Plan::search(&lab, path, besides, arguments.get_flag("fastest"))?;
        let out = Output::at(&place)?;
        result::report(&out, &show::page(&plan, &place))?;
        runbook::runbook(&plan).write(&out)?;
        let mut json = show::json(&plan);
        json["advice"] = plan.advice.1.clone();
        out.write("plan.json", format!("{json}\n").as_bytes())?;
        out.keep()?;
        match arguments.get_flag("json") {
            true => console::json(&json),
            false => console::text(&show::text(&plan, &place)),
        }
    }
}

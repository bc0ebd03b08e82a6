//! `tenbin plan metadata FILE --target 200k/s --p99 5ms`: the fewest servers.
mod bench;
mod change;
mod goals;
mod load;
mod search;
mod show;
mod space;

use bench::Counts;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use goals::Goals;
use search::search;
use space::Servers;
use std::path::PathBuf;
use system::lab::Lab;
use system::output::{self, Output};
use system::{Action, Failure, console, result, vary};

pub struct Metadata;

impl Action for Metadata {
    fn name(&self) -> &'static str {
        "metadata"
    }

    fn command(&self) -> Command {
        let file = || value_parser!(PathBuf);
        let help = "PPMDS: the fewest metadata servers for a rate, and their bottleneck";
        Command::new("metadata")
            .about(help)
            .after_help(
                "Example: tenbin plan metadata scenarios/ppmds.toml --target 200k/s --p99 5ms \
                 --clients 4096\n\nOperations arrive at the target rate, independently of answers. \
                 The service has run for long: clients know the directories, and the first tenth \
                 is left out. The named number of servers meets the target, one fewer misses it. \
                 Both have more seeds, up to 16, until the 95 % interval decides; otherwise the \
                 answer is open. The change after `Change first` was simulated.\n\n`margin` in \
                 --json is the distance of that number from the goal at the target's rate: 1 - p99 \
                 / its goal; without --p99 the idle part of the busiest resource; if queues grow, \
                 answered / offered - 1, which is below 0.",
            )
            .arg(Arg::new("file").value_name("FILE").required(true).value_parser(file()))
            .arg(arg("target", "RATE", "Operations a second: 200k/s").required(true))
            .arg(arg(
                "p99",
                "TIME",
                "Goal: 99 of 100 operations are answered within this time: 5ms",
            ))
            .arg(
                arg("clients", "N", "Clients whose NICs send the load [default: the scenario's]")
                    .value_parser(value_parser!(u32).range(1..)),
            )
            .arg(
                arg("seeds", "N", "Seeds of each count, at first")
                    .default_value("4")
                    .value_parser(value_parser!(u32).range(1..=1_000)),
            )
            .arg(arg("set", "KEY=VALUE", "A value instead of the file's").action(ArgAction::Append))
            .arg(
                Arg::new("out")
                    .short('o')
                    .long("out")
                    .value_name("DIR")
                    .help("Folder for the results [default: out/plan-metadata]")
                    .value_parser(file()),
            )
            .arg(
                Arg::new("json")
                    .long("json")
                    .help("One JSON object to stdout")
                    .action(ArgAction::SetTrue),
            )
    }

    fn run(&self, arguments: &ArgMatches) -> Result<(), Failure> {
        let text = |name: &str| arguments.get_one::<String>(name).map(String::as_str);
        let goal = Goals::parse(text("target").expect("clap requires it"), text("p99"))?;
        let default = PathBuf::from("out/plan-metadata");
        let place = arguments.get_one::<PathBuf>("out").cloned().unwrap_or(default);
        output::check_place(&place)?;
        let mut sets = Vec::new();
        for set in arguments.get_many::<String>("set").into_iter().flatten() {
            sets.push(vary::set(set)?)
        }
        if let Some(clients) = arguments.get_one::<u32>("clients") {
            sets.push(("cluster.clients".into(), clients.to_string()))
        }
        let seeds = *arguments.get_one::<u32>("seeds").expect("it has a default");
        let file = arguments.get_one::<PathBuf>("file").expect("clap requires it");
        let servers = Servers::of(Lab::of(&crate::PPMDS)?, file, sets, &goal)?;
        let mut bench = Counts::new(&servers, seeds, goal);
        let plan = search(&mut bench)?;
        let assumed = servers.assumed(plan.answer.servers, plan.answer.spread)?;
        let out = Output::at(&place)?;
        result::report(&out, &show::page(&bench, &plan, assumed))?;
        out.write("plan.json", format!("{}\n", plan.json(&bench)).as_bytes())?;
        out.keep()?;
        if arguments.get_flag("json") {
            console::json(&plan.json(&bench))?
        } else {
            console::text(&format!(
                "{}{}\n",
                show::text(&bench, &plan),
                place.join("report.html").display()
            ))?
        }
        match plan.servers {
            Some(_) => Ok(()),
            None => Err(Failure::BadInput(show::forbidden(&bench, &plan))),
        }
    }
}

fn arg(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help)
}

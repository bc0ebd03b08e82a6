//! `tenbin twin mapreduce`: jobs on Hadoop's own daemons, on a testbed's disks and links, and the
//! simulation of the same jobs.
//!
//! ```text
//!  scenario ─┬─► wanted ─► real (site) ─► histories ─► measured
//!            └─► the lab ───────────────────────────► predicted
//! ```
mod figures;
mod real;
mod site;
mod wanted;

use crate::MAPREDUCE;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use cluster::Sheet;
use system::lab::Lab;
use system::{Action, Failure, vary};
use testbed::twin::campaign::Run;
use testbed::twin::{Arm, Pair, TwinArgs, runs};
use wanted::Wanted;

/// What Maven is asked for.
const POM: &str = include_str!("../../hadoop/twin/pom.xml");

/// `tenbin twin mapreduce`
pub struct Twin;

impl Action for Twin {
    fn name(&self) -> &'static str {
        "mapreduce"
    }

    fn command(&self) -> Command {
        TwinArgs::augment_args(Command::new(self.name()))
            .about("Jobs on Hadoop's own daemons, and the same simulated")
    }

    fn run(&self, arguments: &ArgMatches) -> Result<(), Failure> {
        twin(&TwinArgs::from_arg_matches(arguments).expect("clap has read them"))
    }
}

/// Runs a scenario's jobs for real, and simulates them.
fn twin(args: &TwinArgs) -> Result<(), Failure> {
    let lab = Lab::of(&MAPREDUCE)?;
    let sheet = lab.read(&args.scenario, &vary::sets(&args.sets)?)?;
    let arms = arms(&lab, args.varied(&lab, &sheet)?, args)?;
    runs(args, (&sheet.name, POM), arms, &masters)
}

/// Scenarios by their names, each with its prediction.
pub(crate) fn arms<'a>(
    lab: &Lab,
    all: Vec<(String, Sheet)>,
    args: &'a TwinArgs,
) -> Result<Vec<Arm<'a>>, Failure> {
    let arm = |(name, sheet): (String, Sheet)| {
        let wanted = Wanted::of(&sheet, args.jar.is_some())?;
        let (predicted, chance) = figures::predicted(lab, &sheet, args.seeds)?;
        let run: Box<Run<'a>> = Box::new(move |java, folder, tell| {
            let (work, histories) = real::run(&wanted, java, args, folder, tell)?;
            let measured = figures::measured(&histories)?;
            let (predicted, chance) = (predicted.clone(), chance.clone());
            Ok((Pair { predicted, chance, measured }, work))
        });
        Ok(Arm { name, of: sheet.hash, run })
    };
    all.into_iter().map(arm).collect()
}

/// What a real job has before its first task, and the model has not.
fn masters(pairs: &[Pair]) -> String {
    let of = |pair: &Pair| pair.measured.get(figures::MASTER).copied();
    let all: Vec<f64> = pairs.iter().filter_map(of).collect();
    format!(
        "Not simulated, and no part of the times: {:.1} s from submission to a ready master.\n",
        figures::mean(&all)
    )
}

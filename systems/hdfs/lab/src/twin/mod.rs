//! `tenbin twin hdfs`: a loss on Hadoop's own daemons, on a testbed's disks and links, and the
//! simulation of the same loss.
//!
//! ```text
//!  scenario ─► wanted ─► real (site, hadoop) ─┬─► what Hadoop's tools list ─► predicted
//!                                             └─► logs of the repair ──────► measured
//! ```
mod logs;
mod predicted;
mod real;
mod site;
mod wanted;

use crate::failure::Failure;
use crate::{job, vary};
use cluster::Sheet;
use testbed::twin::campaign::Run;
use testbed::twin::{Arm, Pair, TwinArgs, runs};
use wanted::Wanted;

pub(crate) const POM: &str = include_str!("../../../hadoop/twin/pom.xml");

/// Runs a scenario for real, and simulates each run.
pub(crate) fn twin(args: TwinArgs) -> Result<(), Failure> {
    let lab = job::lab();
    let sheet = lab.read(&args.scenario, &vary::sets(&args.sets)?)?;
    let arms = arms(args.varied(&lab, &sheet)?, &args)?;
    runs(&args, (&sheet.name, POM), arms, &|_| String::new())
}

pub(crate) fn arms<'a>(
    all: Vec<(String, Sheet)>,
    args: &'a TwinArgs,
) -> Result<Vec<Arm<'a>>, Failure> {
    let arm = |(name, sheet): (String, Sheet)| {
        let wanted = Wanted::of(&sheet, args.jar.is_some())?;
        let run: Box<Run<'a>> = Box::new(move |hadoop, folder, tell| {
            let work = real::run(&wanted, hadoop, args, folder, tell)?;
            tell("reading and simulating");
            let (predicted, chance, cluster) = predicted::predicted(folder, &wanted, args.seeds)?;
            let measured = predicted::measured(folder, &wanted, &cluster)?;
            Ok((Pair { predicted, chance, measured }, work))
        });
        Ok(Arm { name, of: sheet.hash, run })
    };
    all.into_iter().map(arm).collect()
}

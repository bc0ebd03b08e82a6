//! `tenbin twin hdfs`: a loss on Hadoop's own daemons, on a testbed's disks and links, and the
//! simulation of the same loss.
//!
//! ```text
//!  scenario ─► wanted ─► real (site, hadoop) ─┬─► what Hadoop's tools list ─► predicted
//!                                             └─► logs of the repair ──────► measured
//! ```
mod predicted;
mod real;
mod site;
mod wanted;

use crate::failure::Failure;
use crate::{job, vary};
use testbed::twin::{Pair, TwinArgs, runs};
use wanted::Wanted;

/// What Maven is asked for.
const POM: &str = include_str!("../../../hadoop/twin/pom.xml");

/// Runs a scenario for real, and simulates each run.
pub(crate) fn twin(args: TwinArgs) -> Result<(), Failure> {
    let sheet = job::lab().read(&args.scenario, &vary::sets(&args.sets)?)?;
    let wanted = Wanted::of(&sheet, args.jar.is_some())?;
    let mut run: Box<testbed::twin::runs::Run<'_>> = Box::new(|hadoop, folder, tell| {
        let work = real::run(&wanted, hadoop, &args, folder, tell)?;
        tell("reading and simulating");
        let (predicted, chance, cluster) = predicted::predicted(folder, &wanted, args.seeds)?;
        let measured = predicted::measured(folder, &wanted, &cluster)?;
        Ok((Pair { predicted, chance, measured }, work))
    });
    runs(&args, (&sheet.name, POM), &mut *run, &|_| String::new())
}
